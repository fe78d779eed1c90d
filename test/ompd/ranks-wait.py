# SPDX-License-Identifier: BSD-3-Clause
"""What `omp why` says of each of two ranks, one of which waits for a message of the other, and `ompinst why` of both together,
also while it watches them. In tools/test full each kind of scene is watched, else one that hangs, one that goes on and one that
is stopped; with `calls` only what depends on the MPI is asked.

ranks-wait.py OMPINST MPI PROGRAM.c RUNTIME-FOLDER GDB-FOLDER [calls]. Exits 77 where gdb or MPI cannot start or look at programs.
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

from debugger import answers, command_line, counting_debugger, expect, failures, read, skip_without_tracing, states_of, wait_until

skip_without_tracing()

ompinst, mpi, source, runtime, commands = sys.argv[1:6]
IS_FULL = os.environ.get("TEST_FULL") == "yes"
compiler, launcher = shutil.which("mpicc." + mpi), shutil.which("mpirun." + mpi)
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   POMP_SUMMARY="off", OMP_WAIT_POLICY="passive")
plain = dict(os.environ)  # of ompinst itself: it finds everything
SAYS = {  # by rank
    "0": (r"^rank 0 of 2$", r"^no deadlock within OpenMP; thread \d+ is in MPI_Recv%s$"),
    "1": (r"^rank 1 of 2$", r"^deadlock: each of these waits for the next",
          r"^    thread \d+ waits for lock lock \(0x\w+\), in hang.* at rank\.c:\d+; held by thread \d+$",
          r"^    thread \d+ waits for mutex mutex \(0x\w+\), in hang.* at rank\.c:\d+; held by thread \d+$"),
}


def why(pid):
    return answers(command_line(commands, "attach %s" % pid, "omp why"), environment)


class Ranks:
    """Two ranks that play a scene; `pids` by rank. `under`: the words of a command that starts them."""

    def __init__(self, program, scene, under=()):
        line = [*under, launcher] + (["--oversubscribe"] if mpi == "openmpi" else []) + ["-np", "2", program, scene]
        self.process = subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = self.process.stdout.readline() + self.process.stdout.readline()
        self.pids = dict(re.findall(r"^rank (\d) is (\d+)$", said, re.M))
        if len(self.pids) != 2:
            failures.append("%s: %s" % (program, said))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is not None:
            failures.append("the ranks have ended: %s" % (self.process.communicate(),))
        self.process.terminate()
        self.process.communicate()


def until(patterns, ask):
    """What is said when the ranks have come to their waits, or after a minute."""
    said, deadline = ask(), time.monotonic() + 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
    while time.monotonic() < deadline and not all(re.search(pattern, said, re.M) for pattern in patterns):
        time.sleep(0.05)
        said = ask()
    return said


def both(*words):
    done = subprocess.run([ompinst, "why", *words], env=plain, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr + "status %d\n" % done.returncode


def play(what, details, program):
    """One gdb for each rank; False: gdb may not attach."""
    with Ranks(program, "wait") as ranks:
        for rank, patterns in SAYS.items() if len(ranks.pids) == 2 else ():
            patterns = [pattern % details if "%s" in pattern else pattern for pattern in patterns]
            said = until(patterns, lambda: why(ranks.pids[rank]))
            if "ptrace: Operation not permitted" in said:
                return False
            expect("%s, rank %s" % (what, rank), said, *patterns)
        own = (r"^deadlock across ranks: ", r"^    rank 0: thread \d+ is in MPI_Recv.* at rank\.c:\d+$",
               r"^    rank 1: thread \d+ waits for mutex mutex .*; held by thread \d+$", r"^2 rank\(s\) cannot continue", "^status 1$")
        expect(what + ", one hangs", until(own, lambda: both(*ranks.pids.values())), *own)
    return True


def play_across(what, details, program):
    call = r"^    rank %d: thread \d+ is in MPI_Recv" + details + r", in receive_%s\._omp_fn\.\d at rank\.c:\d+$"
    patterns = (r"^no deadlock within OpenMP; thread \d+ is in MPI_Recv", r"^deadlock across ranks: these calls of MPI wait",
                call % (0, "from"), call.replace("source 1", "source 0") % (1, "with_lock"),
                r"^    rank 1: thread \d+ waits for lock lock .*; held by thread \d+$",
                r"^2 rank\(s\) cannot continue: rank 0 and rank 1$", "^status 1$")
    with Ranks(program, "cross") as ranks:
        expect(what + ", across ranks", until(patterns, lambda: both("--ranks", ranks.pids["1"])), *patterns)
        said = both("--format=json", *ranks.pids.values())
        if not said.endswith("status 1\n"):
            sys.exit("%s, JSON: %s" % (what, said))
        found = json.loads(said.split("status")[0])
        if len(found["processes"]) != 2 or "deadlock across" not in found["across_ranks"][0]:
            failures.append("%s, JSON: %s" % (what, found))
        one = both(ranks.pids["0"])
        if "across" in one:
            failures.append("%s, one rank alone: %s" % (what, one))
    with Ranks(program, "play") as ranks:
        for _ in range(3):
            expect(what + ", healthy", both("--ranks", ranks.pids["0"]), r"^no deadlock across ranks", "^rank 1 of 2$", "^status 0$")


def play_special(what, program):
    """Ranks and tags that are none, which each MPI has other numbers for."""
    call = r"^    rank %d: thread \d+ is in %s%s\), in receive_any at rank\.c:\d+$"
    patterns = (r"^deadlock across ranks: these calls", call % (0, r"MPI_Sendrecv \(destination MPI_PROC_NULL, tag to send 7", ".*"),
                call % (1, r"MPI_Recv \(source MPI_ANY_SOURCE, tag MPI_ANY_TAG", ""), "^2 rank.s. cannot continue", "^status 1$")
    with Ranks(program, "None") as ranks:
        expect(what + ", no rank", until(patterns, lambda: both("--ranks", ranks.pids["1"])), *patterns)


def play_polls(what, program):
    """Loops of MPI_Test: the calls return all the time, and a message comes or does not."""
    patterns = (r"^perhaps a deadlock across ranks: .*, or it polls and has found nothing:$",
                r"^    rank 0: thread \d+ is in MPI_Test.*, in look_for at rank\.c:\d+$", r"^2 rank.s. do not continue", "^status 0$")
    with Ranks(program, "Test") as ranks:
        expect(what + ", polls", until(patterns, lambda: both("--ranks", ranks.pids["0"])), *patterns)
    with Ranks(program, "Answer") as ranks:
        for _ in range(3):
            expect(what + ", polls and is healthy", both("--ranks", ranks.pids["0"]), r"^no deadlock across ranks", "^status 0$")


def watch(folder, what, program):
    """Ranks that hang use processors, as healthy ones do: what they do decides."""
    (debugger, looks), said = counting_debugger(folder), os.path.join(folder, "said")
    under = [ompinst, "why", "--watch=1", "--gdb=" + debugger, "--output=" + said, "--"]
    still = (r"^ompinst: '\S+' has used \d+\.\d\d s of processor time in \d+\.\d s, but nothing has moved: ",
             r"^ompinst: '\S+' \(2 processes\) stands still:$", r"^no deadlock within OpenMP; thread \d+ is ")
    dead = (r"^ompinst: '\S+' \(2 processes\) is in a deadlock:$", "^deadlock across ranks: ")
    for scene, patterns in (("Idle", still), ("Test", still), ("None", dead))[0 if IS_FULL else 2:]:
        with Ranks(program, scene, under):
            expect("%s, watched, %s" % (what, scene), until(patterns, lambda: read(said)), *patterns)
        os.remove(said)
    with Ranks(program, "play", under) as ranks:
        pid = int(ranks.pids["1"])
        os.kill(pid, signal.SIGSTOP)
        expect(what + ", watched, stopped", until(still[:2], lambda: read(said)), *still[:2],
               r"^stopped by a signal .*; 'kill -CONT %d' lets it go on$" % pid)
        wait_until(lambda: set(states_of(pid)) == {"T"})
        if set(states_of(pid)) != {"T"}:
            failures.append("a stopped rank goes on: %s" % states_of(pid))
        os.kill(pid, signal.SIGCONT)
    os.remove(said)
    os.remove(looks)
    for scene in ("Busy", "Answer", "play") if IS_FULL else ("Answer",):
        with Ranks(program, scene, under):
            until((r"(look\n){4}",), lambda: read(looks))  # three are over then
        expect("%s, watched, %s" % (what, scene), read(looks) + "; said:" + read(said), r"^look\n(.|\n)*; said:$")
        if read(said):
            failures.append("%s, watched, %s: says %s" % (what, scene, read(said)))
        os.remove(looks)
        os.remove(said)


def main(folder):
    is_short = sys.argv[6:] == ["calls"] and not IS_FULL
    for what, details, command in (("plain", "", [compiler]), ("instrumented", r" \(source 1, tag 7\)", [ompinst, compiler])):
        program = "%s/%s" % (folder, what)
        subprocess.run([*command, "-g", "-O1", "-fopenmp", source, "-o", program], check=True, cwd=folder)
        if (what == "plain" or not is_short) and not play(what, details, program):
            print("gdb may not attach here")
            return 77
        if what == "instrumented" or not is_short:
            play_across(what, details, program)
    play_special("instrumented", program)
    if not is_short:
        play_polls("instrumented", program)
        watch(folder, "instrumented", program)
    print("\n".join(failures))
    return 1 if failures else 0


if None in (compiler, launcher, shutil.which("gdb")):
    print("mpicc.%s, mpirun.%s or gdb is missing" % (mpi, mpi))
    sys.exit(77)
with tempfile.TemporaryDirectory() as where:
    sys.exit(main(where))
