# SPDX-License-Identifier: BSD-3-Clause
"""The latest events of each thread (POMP_TRACE_RING), of running programs and of programs that were killed.

check-ring.py RING ENDINGS OMPREPORT OMPINST

RING is ring.c, ENDINGS endings.c. A trace of a ring must obey every rule of OTF2 although it begins in the middle
of the run: what was open there is open in the trace, too. OTF2's own reader must have nothing to say about it.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile

from ring_runs import ENDINGS, OMPINST, OMPREPORT, RING, WRAPPED, check_ring, check_trace, environment, fail, run, running, take


def killed():
    """A ring survives whatever ends the program."""
    for how in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with running(folder) as process:
                process.send_signal(how)
                process.wait()
            if stat.S_IMODE((folder / "ring").stat().st_mode) != 0o700:
                fail("the folder is not this user's alone")
            size = max(path.stat().st_size for path in (folder / "ring").glob("thread-*"))
            if not 512 << 10 <= size <= (512 << 10) + 4096:
                fail(f"a ring of {size} bytes")
            run([OMPREPORT, "recover", folder / "ring"])
            check_ring(folder / "ring")


def traced():
    """Traces of a running program, which keeps running."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder) as process:
            for number in range(20):
                words = ["--for=1s"] if number % 2 else []
                if number % 5 == 0:  # OTF2's reader is slow
                    take(folder / str(number), process, *words)
                else:
                    run([OMPINST, "trace", process.pid, *words, f"--output={folder / str(number)}"])
                    run([OMPREPORT, "check", folder / str(number)])
                shutil.rmtree(folder / str(number))
            taken = folder / "taken"
            taken.mkdir()
            done = run([OMPINST, "trace", f"--output={taken}", process.pid], code=2)
            if "File exists" not in done.stderr or list(taken.iterdir()):
                fail(f"a folder that is there: {done.stderr}")
            run([OMPINST, "trace", process.pid], cwd=folder)
            check_trace(folder / f"trace-{process.pid}")
            if process.poll() is not None:
                fail(f"the program ended: {process.returncode}")


def gaps():
    """A thread that is idle keeps events that are older than those of a busy one; a line says from when on both have theirs, and
    reports count from there."""
    for threads, has_note in (("2-1", True), ("1", False)):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with running(folder, words=(threads,)) as process:
                for number in range(20 if has_note else 1):  # what is overwritten must be long enough for a line
                    taken = folder / str(number)
                    said = run([OMPINST, "trace", process.pid, f"--output={taken}"]).stderr
                    note = re.search(r"note: .*: ompreport counts from (\d+\.\d\d) s on", said)
                    # Else the busy thread has nothing before the end: it was copied too late.
                    if note and "Counted from" in run([OMPREPORT, "summary", taken]).stdout:
                        break
            if bool(note) != has_note:
                fail(f"{threads} threads: {said!r}")
            if note:
                counted_from(taken, float(note[1]))


def counted_from(taken, begin):
    """The time before, in which only one thread has events, is in no figure unless that is asked for."""
    def seen(*words):
        summary = json.loads(run([OMPREPORT, "summary", "--format=json", *words, taken]).stdout)
        return summary["wall_ns"] / 1e9, summary["capacity_ns"] / 1e9

    (wall, threads), (all_wall, all_threads) = seen(), seen("--from=1ns")
    if abs(all_wall - wall - begin) > 0.02 or threads >= all_threads:
        fail(f"from {begin} s: counted {wall}, {threads} s; of all {all_wall}, {all_threads} s")
    for command in ("summary", "efficiency"):
        said = " ".join(run([OMPREPORT, command, taken]).stdout.split())
        if not re.search(r"Counted from \d+\.\d+ s on, when the events of all threads are there", said):
            fail(f"{command} does not say from when on it counts: {said}")
        if "Counted from" in run([OMPREPORT, command, "--from=1ns", taken]).stdout:
            fail(f"{command} --from=1ns says that it counts from elsewhere")


def killed_copies():
    """A command that is killed leaves nothing under the name of its trace, or a complete one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder) as process:
            for number in range(50):
                taken = folder / str(number)
                command = subprocess.Popen([OMPINST, "trace", str(process.pid), f"--output={taken}"], start_new_session=True,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                partial = folder / f"{number}.partial-{command.pid}"
                while command.poll() is None and not partial.exists():
                    pass
                if command.returncode is None:
                    os.killpg(command.pid, signal.SIGKILL)
                if command.wait() == -signal.SIGKILL and partial.exists():
                    break
                run([OMPREPORT, "check", taken])
            else:
                fail("no command was killed while it copied")
            if taken.exists():
                fail(f"a killed command left {list(taken.iterdir())}")
            take(taken, process)
            left = sorted(path.name for path in folder.iterdir() if ".partial" in path.name)
            if left != [partial.name]:
                fail(f"beside the traces there is {left}; expected {partial.name}")


def paths_of(folder):
    """How many samples each path has."""
    lines = run([OMPREPORT, "export", "--folded", folder]).stdout.splitlines()
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in lines}


def has_frequent_path(folder):
    """Whether a path in members of a team has several samples: without its nodes in each segment it has none."""
    return any(";main;member;" in path and count >= 4 for path, count in paths_of(folder).items())


def sampled():
    """Samples with their whole paths, also in rings that were filled more than once: each segment has what its samples need.
    These rings have some tenths of a second, or more where the machine is busy."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder, rounds=4 * WRAPPED, env=environment(folder, size="2M")) as process:
            for number in range(20):
                run([OMPINST, "trace", process.pid, f"--output={folder / str(number)}"])
                if has_frequent_path(folder / str(number)):
                    break
            else:
                fail(f"no frequent path in members of a team: {paths_of(folder / '19')}")
            process.kill()
            process.wait()
            run([OMPREPORT, "recover", folder / "ring"])
            if not paths_of(folder / "ring"):
                fail("no samples of a program that was killed")
        none = environment(folder, POMP_SAMPLING="off") | {"POMP_EXPERIMENT_DIRECTORY": str(folder / "none")}
        with running(folder, env=none) as process:
            run([OMPINST, "trace", process.pid, f"--output={folder / 'off'}"])
            done = subprocess.run([OMPREPORT, "export", "--folded", folder / "off"], capture_output=True, text=True)
            if done.returncode == 0 and done.stdout:
                fail(f"samples without sampling: {done.stdout}")


def refused():
    """Programs without a ring, and no program."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain = subprocess.Popen(["sleep", "1000"])
        try:
            done = run([OMPINST, "trace", plain.pid], code=2, cwd=folder)
        finally:
            plain.kill()
            plain.wait()
        if "keeps no events; expected" not in done.stderr or "POMP_TRACE_RING" not in done.stderr:
            fail(f"a program without events: {done.stderr}")
        done = run([OMPINST, "trace", plain.pid], code=2, cwd=folder)
        if "there is no process" not in done.stderr:
            fail(f"no program: {done.stderr}")
        for words in (["trace"], ["trace", "1", "2"], ["trace", "x"], ["trace", "--for=x", "1"]):
            run([OMPINST, *words], code=2, cwd=folder)
        whole = environment(folder) | {"POMP_TRACE_RING": "0", "POMP_ENABLE_TRACING": "yes"}
        with running(folder, rounds=1, env=whole) as process:
            done = run([OMPINST, "trace", process.pid], code=2, cwd=folder)
        if "writes a whole trace" not in done.stderr:
            fail(f"a program that traces: {done.stderr}")
        if [path.name for path in folder.iterdir()] != ["ring"]:
            fail(f"left behind: {list(folder.iterdir())}")


def no_room():
    """No more disk: a ring stays small, and a trace that cannot be written leaves nothing."""
    def limit(size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder, preexec_fn=limit(200 << 10)) as process:
            take(folder / "small", process, least=0)
            run([OMPINST, "trace", f"--output={folder / 'none'}", process.pid], code=2,
                preexec_fn=limit(10 << 10))
        if (folder / "none").exists():
            fail("a trace that could not be written left its folder")


def nothing_left():
    """After a normal end, also of a child, and with very many threads."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command in ([RING, "2", "50"], [RING, "100", "2"], [ENDINGS, "jump"], [ENDINGS, "cancel"],
                        [ENDINGS, "fork"], [ENDINGS, "off"]):
            done = run(command, env=environment(folder))
            if list(folder.iterdir()):
                fail(f"{command} left {list(folder.iterdir())}")
            if "are kept in '" not in done.stderr:
                fail(f"{command}: {done.stderr}")
        default = environment(folder)
        del default["POMP_EXPERIMENT_DIRECTORY"]
        done = run([RING, "2", "10"], env=default)
        place = pathlib.Path(done.stderr.partition("are kept in '")[2].partition("'")[0])
        if place.parent != pathlib.Path("/dev/shm") or place.exists():
            fail(f"by default the ring was in '{place}', or remained")
        both = environment(folder, POMP_ENABLE_TRACING="yes")
        done = run([RING, "2", "10"], env=both)
        if "has no effect" not in done.stderr or not (folder / "ring" / "traces.otf2").exists():
            fail(f"with a whole trace: {done.stderr}")


def many():
    """A hundred threads that are killed."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with running(folder, words=("100",), rounds=3) as process:
            run([OMPINST, "trace", f"--output={folder / 'live'}", process.pid])
        for place in ("live", "ring"):
            if place == "ring":
                run([OMPREPORT, "recover", folder / place])
            summary = check_trace(folder / place)[1]
            if summary["threads"] != 100:
                fail(f"{place}: {summary['threads']} threads")


def elsewhere():
    """A program with a file system of its own, as in a container, whose folder has the same name as another program's."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        apart = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', folder]
        if os.geteuid() != 0 or subprocess.run([*apart, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            return
        with running(folder, ("3",), before=apart) as inside, running(folder, ("2",)) as outside:
            for process, threads in ((inside, 3), (outside, 2)):
                for number in range(20):  # as take() does: a thread may have overwritten its ring before it was copied
                    place = folder / f"{threads}-{number}"
                    said = run([OMPINST, "trace", process.pid, f"--output={place}"]).stderr
                    found = check_trace(place)[1]["threads"]
                    if found == threads or "overwrote their events while others were copied" not in said:
                        break
                if found != threads:
                    fail(f"a trace of {found} threads; expected {threads}: {said}")


def main():
    for test in (killed, traced, gaps, killed_copies, sampled, refused, no_room, nothing_left, many, elsewhere):
        test()
        print(test.__name__, "ok")


main()
