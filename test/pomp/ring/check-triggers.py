# SPDX-License-Identifier: BSD-3-Clause
"""What has a program write its latest events (POMP_TRACE_RING), and what becomes of them at its end.

check-triggers.py RING ENDINGS OMPREPORT OMPINST ENDS LATE LIBPOMP CUT

RING is ring.c, ENDS the source ends.cc, LATE the program of late.c, CUT the library of cut-files.c. A folder that the program has written is like
that of a program that was killed: `ompreport recover` makes the trace.
"""
import os
import pathlib
import resource
import shutil
import signal
import sys
import tempfile
import time

from ring_runs import OMPINST, OMPREPORT, RING, WRAPPED, check_ring, check_trace, environment, fail, problem_of, run, running, stop

ENDS, LATE, LIBPOMP, CUT = (str(pathlib.Path(path).resolve()) for path in sys.argv[5:9])
SIGNAL = {"POMP_TRACE_RING_SIGNAL": "SIGUSR2"}


def wait_for(what, process):
    """Until what() is true; the program must run all the time."""
    deadline = time.monotonic() + 200
    while not what():
        if process.poll() is not None:
            fail(f"the program ended: {process.returncode}")
        if time.monotonic() > deadline:
            fail("it did not come")
        time.sleep(0.05)


def folders(folder):
    return sorted(path for path in folder.glob("pomp-traces-*/*"))


def complete(folder, number):
    """Whether that many folders are there; the definitions of each are written last."""
    found = folders(folder)
    return len(found) == number and (found[-1] / "definitions.pomplog").exists()


def said(messages, text):
    messages.seek(0)
    return messages.read().count(text)


def ends():
    """A ring survives what a program does itself to end badly."""
    if not shutil.which("g++"):
        return
    with tempfile.TemporaryDirectory() as name:
        program = pathlib.Path(name) / "ends"
        run([OMPINST, "g++", "-g", "-fopenmp", "-o", program, ENDS])
        for how, number in (("terminate", signal.SIGABRT), ("thread", signal.SIGABRT), ("abort", signal.SIGABRT),
                            ("memory", signal.SIGSEGV)):
            folder = pathlib.Path(name) / how
            folder.mkdir()
            run([program, how], code=-number, env=environment(folder), cwd=folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
            run([OMPREPORT, "recover", folder / "ring"])
            visits, summary = check_trace(folder / "ring")
            if summary["threads"] != 2 or visits.get(15, 0) < 1000:
                fail(f"{how}: {summary['threads']} threads, visits by line: {visits}")


def signalled():
    """A trace for each signal, of a program that goes on. On a busy machine a thread may have overwritten its whole ring
    between the moment at which the trace ends and its copy; then another one is asked for."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile("w+") as messages:
        folder = pathlib.Path(name)
        with running(folder, env=environment(folder, **SIGNAL), messages=messages) as process:
            good = 0
            for number in range(1, 30):
                process.send_signal(signal.SIGUSR2)
                wait_for(lambda number=number: said(messages, "the latest events are in '") == number, process)
                found = folders(folder)
                if len(found) != number or found[-1].name != f"{number:04}":
                    fail(f"after {number} signals: {found}")
                if found[-1].stat().st_mode & 0o77 or found[-1].parent.stat().st_mode & 0o77:
                    fail("what is written is not this user's alone")
                run([OMPREPORT, "recover", found[-1]])
                problem = problem_of(check_trace(found[-1])[0])
                good += not problem
                if good == 2:
                    break
            else:
                fail(problem)


def not_asked():
    """Nothing is installed and no thread is there unless it is asked for; a ring is needed."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder, rounds=1) as process:
            names = {path.read_text().strip() for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/comm")}
            process.send_signal(signal.SIGUSR2)
            if process.wait() != -signal.SIGUSR2:
                fail(f"without the setting SIGUSR2 does something: {process.returncode}")
        if any(name.startswith("pomp-snap") for name in names):
            fail(f"threads: {names}")
        for more, text in (({"POMP_TRACE_RING": "0"} | SIGNAL, "POMP_TRACE_RING_SIGNAL: has no effect"),
                           ({"POMP_TRACE_RING": "0", "POMP_TRACE_RING_BELOW": "50%"}, "POMP_TRACE_RING_BELOW=50%: has no effect"),
                           ({"POMP_SAMPLING": "off", "POMP_TRACE_RING_BELOW": "50"}, "POMP_TRACE_RING_BELOW=50%: has no effect"),
                           ({"POMP_TRACE_RING_BELOW": "101%"}, "expected a share such as 50%"),
                           ({"POMP_TRACE_RING_SIGNAL": "KILL"}, "expected off|SIGUSR1")):
            done = run([RING, "2", "1"], env=environment(folder) | more, cwd=folder)
            if text not in done.stderr:
                fail(f"{more}: {done.stderr}")
        if folders(folder):
            fail(f"left: {folders(folder)}")


def chained():
    """The handler that was there before is called."""
    done = run([LATE, LIBPOMP], env=environment(pathlib.Path("/nowhere"), **SIGNAL))
    if done.stdout != f"1\n{int(signal.SIGUSR2)} 1\n":
        fail(f"a handler that was there before: {done.stdout} {done.stderr}")


def below():
    """Threads that wait work less than all the time; there are as many traces as the setting says."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile("w+") as messages:
        folder = pathlib.Path(name)
        settings = environment(folder, POMP_TRACE_RING_BELOW="100%", POMP_TRACE_RING_INTERVAL="1s", POMP_TRACE_RING_MOST="2")
        with running(folder, env=settings, messages=messages) as process:
            wait_for(lambda: said(messages, "the latest events are in '") == 2, process)
            if said(messages, "% of the last 1 s (POMP_TRACE_RING_BELOW=100%)") != 2 or said(messages, "this was the last trace") != 1:
                messages.seek(0)
                fail(f"messages: {messages.read()}")
            run([OMPREPORT, "recover", folders(folder)[0]])
            check_trace(folders(folder)[0])
            time.sleep(2)  # a third one would be no failure of a slow machine: it never comes
            if len(folders(folder)) != 2:
                fail(f"more than two: {folders(folder)}")


def called():
    """From the program; also a folder that is there, and without a ring."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run([RING, "2", WRAPPED, folder / "called"], env=environment(folder), cwd=folder)
        if not done.stdout.endswith("\n0 0\n") or len(folders(folder)) != 1:
            fail(f"from the program: {done.stdout[-10:]} {folders(folder)} {done.stderr}")
        run([OMPREPORT, "recover", folder / "called"])
        check_ring(folder / "called")
        exists, no_ring = 17, 95
        done = run([RING, "2", "10", folder / "called"], env=environment(folder), cwd=folder)
        if not done.stdout.endswith(f"\n{exists} 0\n"):
            fail(f"a folder that is there: {done.stdout[-10:]}")
        done = run([RING, "2", "10", folder / "none"], env=environment(folder, size="0"), cwd=folder)
        if not done.stdout.endswith(f"\n{no_ring} {no_ring}\n") or (folder / "none").exists():
            fail(f"without a ring: {done.stdout[-10:]}")


def kept():
    """After a normal end, too, if asked for."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run([RING, "2", WRAPPED], env=environment(folder, POMP_TRACE_RING_KEEP="yes"), cwd=folder)
        if done.stderr.count("`ompreport recover ") != 2:
            fail(f"messages: {done.stderr}")
        run([OMPREPORT, "recover", folder / "ring"])
        check_ring(folder / "ring")


def no_room():
    """A trace that cannot be written leaves nothing, and a program that goes on."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile("w+") as messages:
        folder = pathlib.Path(name)
        with running(folder, env=environment(folder, size="4M", **SIGNAL), messages=messages) as process:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (10 << 10, resource.RLIM_INFINITY))
            process.send_signal(signal.SIGUSR2)
            wait_for(lambda: said(messages, "the latest events were not written to '") == 1, process)
            if list(folder.glob("pomp-traces-*")):
                fail(f"left: {list(folder.glob('pomp-traces-*'))}")
            if said(messages, "File too large") != 1:
                messages.seek(0)
                fail(f"messages: {messages.read()}")


def cut():
    """Files that somebody has made shorter: a sentence, no trace, and nothing left."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder) as process:
            stop(process)
            whole = folder / "whole"
            shutil.copytree(folder / "ring", whole)
            done = run([OMPINST, "trace", f"--output={folder / 'cut'}", process.pid], code=2,
                       env=os.environ | {"LD_PRELOAD": CUT})
            if "was made shorter while it was copied; expected" not in done.stderr or "thread-" not in done.stderr:
                fail(f"made shorter meanwhile: {done.stderr}")
            for bytes_left in (0, 100, 4096, 5000):
                for path in (folder / "ring").glob("thread-*"):
                    os.truncate(path, bytes_left)
                done = run([OMPINST, "trace", f"--output={folder / 'cut'}", process.pid], code=2)
                if "no file of the program's events has them complete" not in done.stderr:
                    fail(f"{bytes_left} bytes: {done.stderr}")
            for path in (folder / "ring").glob("thread-*"):
                path.write_bytes(b"\xff" * (1 << 20))
            run([OMPINST, "trace", f"--output={folder / 'cut'}", process.pid], code=2)
            for path in (folder / "ring").glob("thread-*"):  # the first segments only
                data = (whole / path.name).read_bytes()
                path.write_bytes(data[:4096 + 70000])
            run([OMPINST, "trace", f"--output={folder / 'some'}", process.pid])
            run([OMPREPORT, "summary", folder / "some"])  # the threads' parts are of different times
        if (folder / "cut").exists():
            fail("a trace that could not be made left its folder")


def main():
    for test in (ends, signalled, not_asked, chained, below, called, kept, no_room, cut):
        test()
        print(test.__name__, "ok", flush=True)


main()
