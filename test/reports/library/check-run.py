# SPDX-License-Identifier: BSD-3-Clause
"""ompinst.run(): what it measures, what it refuses, that it leaves nothing behind, and output while a program runs.

check-run.py CC OMPINST
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import ompinst
from ompinst import processes

CC, OMPINST = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < 100000; i++)
        total += 1.0 / (i + 1);
    printf("%.3f %s\\n", total, getenv("OMP_NUM_THREADS"));
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""
WORDS = ["./program"]
REFUSED = [
    (TypeError, "command='./program 1': expected a list of words, such as ['./solver', 'input.txt']", {"command": "./program 1"}),
    (TypeError, "command=PosixPath('program'): expected a list", {"command": pathlib.Path("program")}),
    (TypeError, "command=None: expected a list", {"command": None}),
    (TypeError, "command[1]=3: expected a text, such as '3'", {"command": ["./program", 3]}),
    (ValueError, "command=[]: expected a program", {"command": []}),
    (ValueError, "command[0]='./pro\\x00gram': expected a text without zero bytes", {"command": ["./pro\0gram"]}),
    (ValueError, "threads=0: expected a number from 1 on", {"threads": 0}),
    (ValueError, "threads=-2: expected", {"threads": -2}),
    (TypeError, "threads='2': expected a whole number", {"threads": "2"}),
    (TypeError, "threads=2.0: expected", {"threads": 2.0}),
    (TypeError, "threads=True: expected", {"threads": True}),
    (TypeError, "'thread'", {"thread": 2}),
    (TypeError, "trace=3: expected a text", {"trace": 3}),
    (ValueError, "trace='': expected the name of a folder to make", {"trace": ""}),
    (ompinst.Error, "trace='there': is there already; expected the name of a folder to make", {"trace": "there"}),
    (ompinst.Error, "trace='none/new': there is no folder 'none'; expected", {"trace": "none/new"}),
    (TypeError, "environment=['A=1']: expected a dictionary", {"environment": ["A=1"]}),
    (TypeError, "environment['A']=1: expected a text, such as '1'", {"environment": {"A": 1}}),
    (ValueError, "'A=B': expected a variable's name", {"environment": {"A=B": "1"}}),
    (TypeError, "capture='no': expected True or False", {"capture": "no"}),
    (TypeError, "check=0: expected True or False", {"check": 0}),
    (TypeError, "options='--quiet': expected a list of words", {"options": "--quiet"}),
    (ValueError, "options: 'quiet': expected options of `ompinst run`", {"options": ["quiet"]}),
    (ValueError, "options: '--trace=x': expected the folder as trace=", {"options": ["--trace=x"]}),
    (ValueError, "options: unknown option '--quite'", {"options": ["--quite"]}),
    (ValueError, "options: option '--runtime=x': expected bundled or system", {"options": ["--runtime=x"]}),
    (ompinst.Error, "there is no program './none' (the current folder is '", {"command": ["./none"]}),
    (ompinst.Error, "there is no program 'no-such-program' in PATH", {"command": ["no-such-program"]}),
    (ompinst.Error, "there is no program 'program' in PATH; expected one of PATH, or a path such as './program'", {"command": ["program"]}),
    (ompinst.Error, "'./there' is a folder; expected a program", {"command": ["./there"]}),
    (ompinst.Error, "'./program.c' may not be executed", {"command": ["./program.c"]}),
    (ompinst.Error, "'true' left no trace", {"command": ["true"], "options": ["--quiet"]}),
    (ompinst.Error, "'true' left no trace", {"command": ["true"], "options": ["--quiet"], "trace": "new"}),
    (subprocess.CalledProcessError, "Command '['./program', '3']' returned non-zero exit status 3", {"command": ["./program", "3"]}),
]


def fail(text):
    sys.exit(f"check-run.py: {text}")


def files():
    return sorted(os.listdir(".")) + sorted(os.listdir(tempfile.gettempdir()))


def refused():
    """Each wrong argument is named, with what was expected, and nothing is left behind while the exception exists."""
    begin = files()
    for kind, text, arguments in REFUSED:
        try:
            ompinst.run(**{"command": WORDS, "capture": True, **arguments})
        except kind as error:
            if text not in str(error):
                fail(f"{arguments}: {error}; expected '{text}'")
            if files() != begin:
                fail(f"{arguments}: left behind: {set(files()) - set(begin)}")
        else:
            fail(f"{arguments}: no exception; expected {kind.__name__}: {text}")
    os.environ["OMPINST"] = "./no-ompinst"
    try:
        ompinst.run(WORDS)
        fail("no error without ompinst")
    except ompinst.Error as error:
        if "cannot run './no-ompinst': No such file or directory" not in str(error) or files() != begin:
            fail(f"without ompinst: {error}")
    os.environ["OMPINST"] = OMPINST


def measured():
    run = ompinst.run((pathlib.Path("program").resolve(), "3"), threads=3, capture=True, check=False, environment={"OMP_PROC_BIND": "false"},
                      options=["--quiet"])
    if run.stdout != "12.090 3\n" or run.returncode != 3 or run.stderr or len(run.table("threads")) != 3 or run.cell:
        fail(f"a run: {run}, {run.stdout!r}, {run.stderr!r}")
    path = pathlib.Path(run.path)
    del run
    if path.parent.exists():
        fail("the folder of a run that is not used any more")
    if len(ompinst.open(ompinst.run(WORDS, capture=True)).table("regions")) == 0:
        fail("the archive of a run that is not used any more")
    if ompinst.run(WORDS, trace=pathlib.Path("kept"), capture=True).path != "kept" or len(ompinst.open("kept").table("regions")) == 0:
        fail("a run in a folder of the caller's")
    try:
        ompinst.run(["./program", "4"], trace="failed", capture=True)
        fail("a program that fails")
    except subprocess.CalledProcessError as error:
        if error.returncode != 4 or not error.stdout.startswith("12.090") or len(ompinst.open("failed").table("regions")) == 0:
            fail(f"a program that fails: {error}, {error.stdout}")


class Stream:
    """Calls a function for each text that is written."""

    flushes = 0

    def __init__(self, call):
        self.call = call

    def write(self, text):
        self.call(text)

    def flush(self):
        Stream.flushes += 1


def watch(text, call):
    """What a program in Python has written when it ends; `call` gets each piece when it comes."""
    return processes.watch([sys.executable, "-c", text], dict(os.environ), (Stream(call), Stream(call)))


def watched():
    """Output comes while a program runs, which waits for a file that is made when it comes."""
    waits = ("import os, sys, time; print('begun', end='', file=sys.stderr, flush=True)\nfor i in range(600):\n"
             " if os.path.exists('seen'): print(' seen'); break\n time.sleep(0.05)")
    done = watch(waits, lambda text: pathlib.Path("seen").touch())
    if (done.stdout, done.stderr, done.returncode) != (" seen\n", "begun", 0):
        fail(f"output while it runs: {done}")
    pieces = []
    done = watch("import os, time; os.write(1, b'\\xc3'); time.sleep(0.3); os.write(1, b'\\xa4\\xff'); os.write(1, b'\\xc3')", pieces.append)
    if done.stdout != "\u00e4\ufffd\ufffd" or "".join(pieces) != done.stdout:
        fail(f"a letter in two pieces: {done}, {pieces}")
    Stream.flushes = 0
    done = watch("import os, time\nfor i in range(100): os.write(1, b'a'); time.sleep(0.005)", lambda text: None)
    if done.stdout != "a" * 100 or not 0 < Stream.flushes < 60:
        fail(f"output in pieces: {Stream.flushes} flushes of two streams")
    done = watch("print('x' * 3000000)", lambda text: None)
    if len(done.stdout) != 3000001:
        fail(f"long output: {len(done.stdout)}")
    done = watch("import subprocess; subprocess.Popen(['sleep', '100'])\nprint('ends')", lambda text: None)
    if done.stdout != "ends\n":
        fail(f"a process that is left behind: {done}")


def interrupted():
    """The first interrupt lets a program end itself, a second one kills it."""
    def interrupt(text):
        if "begun" in text or "again" in text:
            os.kill(os.getpid(), signal.SIGINT)

    done = watch("import time\ntry:\n print('begun', flush=True); time.sleep(100)\nexcept KeyboardInterrupt: print('ended')", interrupt)
    if done.stdout != "begun\nended\n" or done.returncode != 0:
        fail(f"an interrupted program: {done}")
    try:
        done = watch("import time, os\ntry:\n print('begun', flush=True); time.sleep(100)\n"
                     "except KeyboardInterrupt:\n print('again', os.getpid(), flush=True); time.sleep(100)", interrupt)
        fail(f"a program that is interrupted twice: {done}")
    except KeyboardInterrupt:
        pass


def main():
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as temporary:
        os.chdir(name)
        tempfile.tempdir = temporary
        os.environ["OMPINST"] = OMPINST
        pathlib.Path("program.c").write_text(PROGRAM)
        pathlib.Path("there").mkdir()
        subprocess.run([CC, "-O1", "-fopenmp", "program.c", "-o", "program"], check=True)
        for test in (refused, measured, watched, interrupted):
            test()
            print(test.__name__, "ok")
        os.chdir("/")


main()
