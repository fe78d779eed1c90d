# SPDX-License-Identifier: BSD-3-Clause
"""Runs of ring.c, and checks of the traces of its rings: for the tests beside."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

RING, ENDINGS, OMPREPORT, OMPINST = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:5])
WRAPPED = 300  # rounds after which a ring of the least size was filled several times


def fail(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {text}")


def environment(folder, size="512K", **more):
    return os.environ | {"POMP_TRACE_RING": size, "POMP_EXPERIMENT_DIRECTORY": str(folder / "ring"),
                         "POMP_SUMMARY": "off"} | more


def run(command, code=0, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != code:
        fail(f"{command}: {done.returncode}, expected {code}: {done.stdout} {done.stderr}")
    return done


@contextlib.contextmanager
def running(folder, words=("2",), rounds=WRAPPED, before=(), messages=None, **more):
    """The program, started by the words `before`, after so many rounds; it is killed at the end. messages: a file for what it
    prints on stderr."""
    with contextlib.ExitStack() as files:
        messages = messages or files.enter_context(tempfile.TemporaryFile("w+"))
        process = subprocess.Popen([*before, RING, *words], stdout=subprocess.PIPE, stderr=messages, text=True, cwd=folder,
                                   **({"env": environment(folder)} | more))
        try:
            for line in process.stdout:
                if int(line) >= rounds:
                    break
            # Nobody reads what it prints from here on, and it must go on.
            drain = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            process.stdout.close()
            yield process
        finally:
            process.kill()
            process.wait()
            drain.wait()


def stop(process):
    """Returns when no thread of the program runs any more: after the signal they go on until the kernel has stopped each."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def check_trace(folder):
    """The visits of the archive's regions by line, and its summary, of all that is there, also if only some threads have it."""
    archive = folder / "traces.otf2"
    run([OMPREPORT, "check", archive])
    if shutil.which("otf2-print"):
        done = run(["otf2-print", archive])
        if done.stderr:
            fail(f"otf2-print: {done.stderr}")
    summary = json.loads(run([OMPREPORT, "summary", "--from=1ns", "--format=json", archive]).stdout)
    return {region["begin_line"]: region["visits"] for region in summary["regions"]}, summary


def problem_of(visits, least=10):
    """Why it is no ring that was filled several times, in which the region around all was entered long before; or None."""
    if visits.get(1) != 1:
        return f"visits by line: {visits}; expected one of the region that is open all the time"
    if not all(visits.get(line, 0) > least for line in (10, 15, 20, 30, 40, 50)):
        return f"visits by line: {visits}; expected more than {least} of each region"
    return None


def check_ring(folder):
    problem = problem_of(check_trace(folder)[0])
    if problem:
        fail(problem)


def take(folder, process, *words, least=10):
    """A trace of a running program. On a busy machine a thread may overwrite its whole ring between the moment at which
    the trace ends and its copy; then another trace is taken."""
    for _ in range(20):
        run([OMPINST, "trace", process.pid, *words, f"--output={folder}"])
        problem = problem_of(check_trace(folder)[0], least)
        if not problem:
            return
        shutil.rmtree(folder)
    fail(problem)
