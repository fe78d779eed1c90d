# SPDX-License-Identifier: BSD-3-Clause
"""Kills a program, and `ompreport recover`, at each of their calls that change the file system; recovers.

check-interrupted.py MODE PROGRAM OMPREPORT KILL_AT.so|SCARCE_MEMORY

program: at each call of the conversion at a program's end, and at one in STEP before. What was logged becomes an
archive; all of it, if the program had come to its end. recover: at each call of a recovery, which is started again.
memory: not killed, but with one allocation that fails; SCARCE_MEMORY does all of that.
"""
import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

mode = sys.argv[1]
program, ompreport, kill_at = (str(pathlib.Path(path).resolve()) for path in sys.argv[2:5])
STEP = 6
# The number of calls differs a little from run to run: so many runs must end by themselves. The last calls are gone
# through again while there were too few kills in a stage.
ENDED, AGAIN, FEWEST = 5, 15, 3
LEFT = ["pomp.cfg", "traces", "traces.def", "traces.otf2"]


def fail(text):
    sys.exit(f"check-interrupted: {mode}: {text}")


def run(command, at=None, **settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")} | settings
    environment |= {"LD_PRELOAD": kill_at, "KILL_AT": str(at)} if at is not None else {}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def traced(folder, at=None, **settings):
    return run([program, "2"], at, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off",
               POMP_EXPERIMENT_DIRECTORY=str(folder), **settings)


def visits(folder):
    """What the archive has."""
    summary = run([ompreport, "summary", "--format=json", str(folder)])
    if summary.returncode != 0:
        fail(f"summary: {summary.stderr}")
    return {(row["name"], row["sub_name"], row["begin_line"]): row["visits"] for row in json.loads(summary.stdout)["regions"]}


def recover(folder, at):
    """Says whether the program had been stopped before its end."""
    done = run([ompreport, "recover", str(folder)])
    if done.returncode != 0:
        fail(f"killed at {at}, recover: {done.returncode} {done.stdout} {done.stderr}; there are {os.listdir(folder)}")
    if sorted(os.listdir(folder)) != LEFT:
        fail(f"killed at {at}: left in the folder: {sorted(os.listdir(folder))}")
    return "the program was stopped" in done.stdout


def is_killed(done, at):
    if done.returncode == 0:
        return False
    if done.returncode != -signal.SIGKILL:
        fail(f"killed at {at}: {done.returncode} {done.stderr}")
    return True


def check_killed(folder, at, whole):
    """Returns the stage in which the program was killed."""
    names = os.listdir(folder) if folder.exists() else []
    if "traces.new" in names:
        recover(folder, at)
        if visits(folder) != whole:
            fail(f"killed at {at}, converting: {visits(folder)}, expected {whole}")
        return "removing" if "traces.otf2" in names else "converting"
    if "traces.otf2" in names:  # what it had left to do was to go
        return "removing" if visits(folder) == whole else fail(f"killed at {at}, at its end: {visits(folder)}")
    if run([ompreport, "recover", str(folder)]).returncode == 0:  # else before there was any log
        visits(folder)
    return "measuring"


def check_program(top):
    if (done := traced(top / "whole")).returncode != 0:
        fail(done.stderr)
    whole, at, step, counts = visits(top / "whole"), 1, STEP, {"measuring": 0, "converting": 0, "removing": 0}
    ended = sweeps = 0
    while ended < ENDED or (min(counts.values()) < FEWEST and sweeps < 5):
        if ended == ENDED:
            at, ended, sweeps = at - AGAIN, 0, sweeps + 1
        killed = is_killed(traced(top / "killed", at), at)
        stage = check_killed(top / "killed", at, whole) if killed else None
        shutil.rmtree(top / "killed", ignore_errors=True)
        if killed:
            counts[stage] += 1
        else:
            ended += 1
        if stage == "converting" and step > 1:
            at, step = at - step, 1
        at += step
    if min(counts.values()) < FEWEST:
        fail(f"killed {counts}")
    print(counts)


def check_two_at_a_time(logs):
    """Whoever makes the archive has its folder locked; a second one leaves all as it is."""
    (logs / "traces.new").mkdir()
    (logs / "traces.new" / "traces.def").write_text("half of it")
    folder = os.open(logs / "traces.new", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    done = run([ompreport, "recover", str(logs)])
    if done.returncode != 1 or "another process is converting these event logs now" not in done.stderr:
        fail(f"two at a time: {done.returncode} {done.stdout} {done.stderr}")
    if os.listdir(logs / "traces.new") != ["traces.def"]:
        fail(f"two at a time: {os.listdir(logs / 'traces.new')}")
    os.close(folder)
    shutil.rmtree(logs / "traces.new")


def check_recover(top):
    if (done := traced(top / "logs", POMP_CONVERT="later")).returncode != 0:
        fail(done.stderr)
    shutil.copytree(top / "logs", top / "whole")
    recover(top / "whole", 0)
    check_two_at_a_time(top / "logs")
    whole, at = visits(top / "whole"), 0
    while True:
        shutil.copytree(top / "logs", top / "killed")
        if not is_killed(run([ompreport, "recover", str(top / "killed")], at := at + 1), at):
            break
        if sorted(os.listdir(top / "killed")) == LEFT:
            pass  # what it had left to do was to say so
        elif recover(top / "killed", at):
            fail(f"killed at {at}: a run that was whole is said to be stopped")
        if visits(top / "killed") != whole:
            fail(f"killed at {at}: {visits(top / 'killed')}, expected {whole}")
        shutil.rmtree(top / "killed")
    if at < 10:
        fail(f"killed only {at} times")
    print(at, "calls")


def check_memory(top):
    if (done := traced(top / "logs", POMP_CONVERT="later")).returncode != 0:
        fail(done.stderr)
    shutil.copytree(top / "logs", top / "scarce")
    # On one processor no thread helps, and the allocations come in one order.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    done = run([kill_at, str(top / "scarce")])
    if done.returncode != 0:
        fail(f"{done.returncode} {done.stdout} {done.stderr}")
    print(done.stdout)
    recover(top / "scarce", 0)
    recover(top / "logs", 0)
    if visits(top / "scarce") != visits(top / "logs"):
        fail("the logs have changed")


with tempfile.TemporaryDirectory() as name:
    {"program": check_program, "recover": check_recover, "memory": check_memory}[mode](pathlib.Path(name))
