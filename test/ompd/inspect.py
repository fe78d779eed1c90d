# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst why` and `ompinst stacks` on processes and core files: inspect.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER

Exits 77 where gdb cannot attach.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import debugger
from debugger import counting_debugger, expect, failures, read, skip_without_tracing, states_of, wait_until

skip_without_tracing()

compiler, ompinst, sources, runtime = sys.argv[1:5]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)
PLAIN = dict(os.environ)  # of ompinst itself: it finds everything


def inspect(*words, code, env=None):
    """The output of `ompinst WORDS`, and its errors."""
    done = subprocess.run([ompinst, *map(str, words)], env=env or PLAIN, capture_output=True, text=True)
    if done.returncode != code:
        failures.append("ompinst %s: status %d, expected %d:\n%s%s" % (" ".join(map(str, words)), done.returncode, code,
                                                                    done.stdout, done.stderr))
    return done.stdout, done.stderr


class Running(debugger.Running):
    """With the runtime that the commands look at."""

    def __init__(self, *command, more=(), **expected):
        super().__init__(*command, environment=environment | dict(more), **expected)


TREE = (r"^4 threads at 4 different places\n"
        r"main at stopped\.c:\d+\n"
        r"  main\._omp_fn\.0 at stopped\.c:\d+\n"
        r"  inner at stopped\.c:\d+\n"
        r"    inner\._omp_fn\.0 at stopped\.c:\d+\n"
        r"(    .*\n)*"
        r"    stop_here at stopped\.c:\d+\n"
        r"(    .*\n)*"
        r"      = member 0 of 2 \(thread \d\): .*\n"
        r"    inner\._omp_fn\.0 at stopped\.c:\d+\n"
        r"      = member 1 of 2 \(thread \d\): waits for the others at a barrier\n"
        r"          not there yet: thread \d\n")
LOCKED = (r"^  main\._omp_fn\.0 at stopped\.c:\d+\n"
          r"    = member 1 of 3 \(thread \d\): waits for lock guard \(0x\w+\)\n"
          r"        held by thread \d$")


def check_stacks(stopped, core):
    with Running(stopped, "stays", says="level 2") as pid:
        expect("stacks", inspect("stacks", pid, code=0)[0], TREE, LOCKED)
        tree = json.loads(inspect("stacks", "--format=json", pid, code=0)[0])
        waiting = [place for place in tree["places"] if place["state"].startswith("waits for critical")]
        if tree["threads"] != 4 or len(waiting) != 1 or waiting[0]["members"] != [
                {"level": 1, "team_size": 3, "numbers": [2]}] or not waiting[0]["calls"][0].startswith("main at "):
            failures.append("stacks --format=json: %s" % tree)
        # A thread's number stands for its process.
        thread = max(map(int, os.listdir("/proc/%d/task" % pid)))
        expect("a thread's number", inspect("stacks", thread, code=0)[0], TREE)
        subprocess.run(["gdb", "-nx", "-batch", "-iex", "set auto-load no", "-p", str(pid), "-ex", "generate-core-file " + core],
                       env=PLAIN, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    for words in ([core], [core, stopped]):
        expect("a core file", inspect("stacks", *words, code=0)[0], TREE, LOCKED)
        expect("why of a core file", inspect("why", *words, code=0)[0], r"held by thread \d", r"^no deadlock")
    with Running(ompinst, "run", "--quiet", stopped, "stays", says="level 2", more={"POMP_SNAPSHOT": "9999s"}) as pid:
        expect("stacks without libpomp's own threads", inspect("stacks", pid, code=0)[0], TREE)
    os.rename(stopped, stopped + ".moved")
    expect("a core file without its program", inspect("stacks", core, code=2)[1], "give the program after the core file")
    expect("its program elsewhere", inspect("stacks", core, stopped + ".moved", code=0)[0], TREE)


def check_why(deadlocks):
    with Running(deadlocks, "lock-order", threads=2) as pid:
        expect("a deadlock", inspect("why", pid, code=1)[0], r"^deadlock: each of these waits for the next",
               r"thread \d waits for lock two \(0x\w+\), in take_both at deadlocks\.c:\d+; held by thread \d")
        found = json.loads(inspect("why", "--format=json", pid, code=1)[0])
        if found["deadlock"] is not True or len(found["waits"]) != 2:
            failures.append("why --format=json: %s" % found)


def check_stopped(stopped):
    """A program that a signal has stopped: the answer says so, and it stays stopped."""
    with Running(stopped, "stays", says="level 2") as pid:
        expect("running", inspect("why", pid, code=0)[1] + "nothing", "^nothing$")
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: set(states_of(pid)) == {"T"})
        for command in ("why", "stacks"):
            expect(command + " of a stopped process", inspect(command, pid, code=0)[1],
                   r"note: process %d is stopped by a signal .*; 'kill -CONT %d' lets it go on$" % (pid, pid))
        expect("its state", "".join(set(states_of(pid))), "^T$")


def watch(*words, code, policy="passive"):
    """What `ompinst why --watch=1 WORDS` says, by the runtime under test."""
    return inspect("why", "--watch=1", *words, code=code, env=dict(environment, OMP_WAIT_POLICY=policy))[1]


def check_watch(deadlocks, sleeper):
    """Programs that stand still, however long the machine takes to let them come to that."""
    # Where it takes long to come to its waits, it has moved in the period before it is looked at.
    stays = r"^ompinst: '\S+' \(process \d+\) (stands still|is in a deadlock):$"
    expect("a deadlock", watch("--end", deadlocks, "lock-order", code=128 + signal.SIGABRT), stays, "^deadlock: each of these waits",
           r"^ompinst: '\S+' is ended by SIGABRT\.$")
    # Threads that wait without sleep use the processors, or not: the scene's locks are not waited for for ever without sleep.
    expect("an active deadlock", watch("--end", deadlocks, "lock-order", code=128 + signal.SIGABRT, policy="active"),
           "^deadlock: each of these waits", stays)
    expect("no OpenMP", watch("--end", "--", sleeper, code=128 + signal.SIGABRT), "^ompinst: '.*sleeper' has used 0\\.0. s of processor time in the last 1 s\\.$",
           "none of its processes has an OpenMP runtime")
    expect("a program that ends", watch("sh", "-c", "exit 5", code=5) + "nothing", "^nothing$")
    inspect("why", "--watch", "10m", "--", "sh", "-c", "exit 5", code=5)
    # One that goes on moving is left alone, and what it is sent arrives.
    process = subprocess.Popen([ompinst, "why", "--watch=1", "--output=said", "--end", "sh", "-c", "trap 'echo got; exit 7' TERM; echo there; while :; do :; done"],
                               env=environment, stdout=subprocess.PIPE, text=True)
    expect("it begins", process.stdout.readline(), "^there$")
    time.sleep(2)  # nothing depends on how long: after more it is still left alone
    process.terminate()
    expect("a signal", process.communicate()[0], "^got$")
    if process.returncode != 7 or os.path.getsize("said"):
        failures.append("status %s, expected 7; said: %s" % (process.returncode, open("said", encoding="utf-8").read()))


SPINNER = """
#include <omp.h>
#include <unistd.h>

/* A thread sleeps, or computes if there are arguments; the other waits for it. */
int main(int count, char **arguments)
{
	volatile unsigned turns = 0;

#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			while (count > 1)
				turns++;
			pause();
		}
#pragma omp barrier
	}
	return arguments == NULL;
}
"""


def check_watch_polls(folder):
    """What uses processors: a wait without sleep moves nothing, and a thread that computes without an event of OpenMP does."""
    spinner, said = os.path.join(folder, "spinner"), os.path.join(folder, "said by polls")
    with open(spinner + ".c", "w", encoding="utf-8") as out:
        out.write(SPINNER)
    subprocess.run([compiler, "-fopenmp", "-g", "-O1", spinner + ".c", "-o", spinner], check=True)
    expect("an active wait", watch("--end", "--", spinner, code=128 + signal.SIGABRT, policy="active"),
           r"^ompinst: '\S+' has used \d+\.\d\d s of processor time in ", r"^ompinst: '\S+' \(process \d+\) stands still:$",
           r"^no deadlock within OpenMP; thread \d is blocked in pause$")
    gdb, looks = counting_debugger(folder)
    process = subprocess.Popen([ompinst, "why", "--watch=1", "--gdb=" + gdb, "--output=" + said, "--end", "--", spinner, "computes"],
                               env=dict(environment, OMP_WAIT_POLICY="active"))
    wait_until(lambda: read(looks).count("look") > 3)  # three are over
    process.terminate()
    process.wait()
    expect("a thread that computes", read(looks) + "; said:" + read(said), r"^look\n(.|\n)*; said:$")
    if process.returncode != 128 + signal.SIGTERM or read(said):
        failures.append("a thread that computes: status %s; said: %s" % (process.returncode, read(said)))


def check_many(crowd):
    """As many lines as there are different places."""
    with Running(crowd, "64", "0", "lock", says="there", threads=64) as pid:
        text = inspect("stacks", pid, code=0)[0]
        expect("64 threads", text, r"^64 threads at 2 different places$",
               r"= members 1-63 of 64 \(threads .*\): waits for lock locks(\[0\])? \(0x\w+\)\n +held by thread \d+$")
        if len(text.splitlines()) > 12:
            failures.append("64 threads take more than 12 lines:\n" + text)


STOPS = """#!/bin/sh
kill -STOP "$OMPINST_INSPECT_PID"
kill -KILL $$
"""


def check_ended_early(crowd):
    """The process goes on, whatever ends the command or its gdb; and only a complete answer is one."""
    for name, script in (("stops", STOPS), ("fails", "#!/bin/sh\nexit 1\n")):
        with open(name, "w", encoding="utf-8") as out:
            out.write(script)
        os.chmod(name, 0o755)
    with Running(crowd, "64", "0", "lock", says="there", threads=64) as pid:
        expect("a gdb that is killed", inspect("why", "--gdb=./stops", pid, code=2)[1], "gdb gave no answer")
        wait_until(lambda: "T" not in states_of(pid))
        expect("a gdb that fails", inspect("why", "--gdb=./fails", pid, code=2)[1], "gdb gave no answer")
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: set(states_of(pid)) == {"T"})
        inspect("why", "--gdb=./stops", pid, code=2)
        if set(states_of(pid)) != {"T"}:
            failures.append("a process that was stopped before goes on: %s" % states_of(pid))
        os.kill(pid, signal.SIGCONT)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored, and so would the commands
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL):
            for _ in range(50):  # until the signal has met the command, and not its end
                asking = subprocess.Popen([ompinst, "stacks", str(pid)], env=dict(PLAIN, TMPDIR=os.getcwd()), stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL, start_new_session=True)
                while "t" not in states_of(pid) and asking.poll() is None:
                    pass
                if asking.poll() is None:
                    os.killpg(asking.pid, number)
                if asking.wait() == -number:
                    break
            wait_until(lambda: not set("tT") & set(states_of(pid)))
            if set("tT") & set(states_of(pid)) or asking.returncode != -number:
                failures.append("after %s: status %s, states %s" % (number.name, asking.returncode, states_of(pid)))
        left = [name for name in os.listdir(".") if name.startswith("ompinst-")]
        if left:
            failures.append("left behind: %s" % left)
        os.rename(crowd, crowd + ".old")
        shutil.copy(crowd + ".old", crowd)
        os.remove(crowd + ".old")
        expect("a program that was replaced", inspect("why", pid, code=0)[0], "^no deadlock")


def check_mistakes(foreign):
    for words, says in ((["why"], "expected a process number or a core file"),
                        (["stacks", "999999999"], "there is no process 999999999"),
                        (["why", "no-such-file"], "'no-such-file': No such file or directory; expected a process number"),
                        (["why", compiler], "is no core file"),
                        (["stacks", str(os.getpid()), "more"], "'more': expected nothing but numbers of further ranks' processes after the process number"),
                        (["why", "--formt=json", "1"], "--format"),
                        (["why", "--watch=9x", "true"], "expected seconds between 1 and"),
                        (["why", "--watch=9"], "expected a program to watch"),
                        (["why", "--watch=9", "no-such-program"], "no-such-program"),
                        (["why", "--watch=9", "--output=no-such-folder/x", "true"], "cannot write 'no-such-folder/x': No such file"),
                        (["why", "--gdb=no-such-gdb", str(os.getpid())], "'no-such-gdb' was not found")):
        expect(" ".join(words), inspect(*words, code=2)[1], re.escape(says))
    expect("help", inspect("stacks", "--help", code=0)[0], r"^usage: ompinst stacks \[options\] PID\.\.\.$", "--format")
    with Running(foreign) as pid:
        expect("a foreign runtime", inspect("why", pid, code=2)[1], "ompinst: error: the process|ompinst: error: the program")
        tracer = subprocess.Popen(["gdb", "-nx", "-q", "-iex", "set auto-load no", "-p", str(pid)], stdin=subprocess.PIPE, env=PLAIN,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: set(states_of(pid)) == {"t"})
        expect("another debugger", inspect("why", pid, code=2)[1], "is looked at by another debugger already")
        tracer.communicate(b"detach\nquit\n")


def build(folder, name, *more):
    return debugger.build(compiler, sources, folder, name, *more)


def main():
    if shutil.which("gdb") is None:
        print("needs gdb")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sleeper = os.path.join(folder, "sleeper")
        with open(sleeper + ".c", "w", encoding="utf-8") as out:
            out.write("#include <unistd.h>\nint main(void)\n{\n\tfor (;;)\n\t\tpause();\n}\n")
        subprocess.run([compiler, sleeper + ".c", "-o", sleeper], check=True)
        check_mistakes(sleeper)
        check_stopped(build(folder, "stopped"))
        check_stacks(build(folder, "stopped"), os.path.join(folder, "core file"))
        deadlocks = build(folder, "deadlocks", os.path.join(sources, "scenes.c"))
        check_why(deadlocks)
        check_watch(deadlocks, sleeper)
        check_watch_polls(folder)
        check_many(build(folder, "crowd"))
        check_ended_early(build(folder, "crowd"))
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


main()
