# SPDX-License-Identifier: BSD-3-Clause
"""Reports do not depend on how many threads read the archive (--jobs), also where it is damaged; and many processes
take the time and memory of few at a time. In tools/test full each archive is read by each command and with each number
of threads; else each archive by a third of the commands, each command with several archives.

Usage: check-jobs.py OMPREPORT MAKE_ARCHIVE
"""
import os
import subprocess

from tables import IS_FULL, OMPREPORT, TIME_LIMITS, expect, finish, make, run

JOBS = (1, 2, 7) if IS_FULL else (1, 7)
COMMANDS = (["summary"], ["summary", "--format=json"], ["regions", "--format=csv"], ["threads", "--format=csv"], ["ranks", "--format=csv"],
            ["messages", "--format=csv"], ["messages", "--matrix", "--format=csv"], ["efficiency"], ["imbalance", "--format=csv"],
            ["locks", "--format=csv"], ["tasks", "--format=csv"], ["timeline", "--format=csv"], ["critical-path"], ["hot", "--format=csv"], ["html", "-o", "/dev/stdout"],
            ["summary", "--from=1ms", "--to=3ms"], ["summary", "--rank=1"], ["info"], ["check"])
SCENARIOS = (("ranks", 1), ("hot", 1), ("hybrid", 1), ("funneled", 1), ("messages", 1), ("astray", 1), ("fleet", 9), ("large", 500))


def output_of(command, path, jobs):
    """With what is said on stderr: the warnings, and their order."""
    done = subprocess.run([OMPREPORT, *command, f"--jobs={jobs}", path], capture_output=True, timeout=100 * TIME_LIMITS)
    return done.returncode, done.stdout, done.stderr


def compare(path, where, commands):
    for command in commands:
        first = output_of(command, path, JOBS[0])
        expect(first[1] or first[2], f"{where}: {command}: nothing was printed")
        for jobs in JOBS[1:]:
            expect(output_of(command, path, jobs) == first, f"{where}: {command}: --jobs={jobs} is not as with one")


def check_equal(folder):
    for i, (scenario, number) in enumerate(SCENARIOS):
        compare(make(folder, scenario, number), scenario, COMMANDS if IS_FULL else COMMANDS[i % 3::3])


def check_damaged(folder):
    """The events of three ranks end too early, those of another one are gone."""
    path = make(folder, "fleet", 9)
    traces = sorted((path / "traces").glob("*.evt"), key=lambda file: int(file.stem))
    for place in (20, 70, 100):
        with open(traces[place], "r+b") as file:
            file.truncate(os.path.getsize(traces[place]) // 2)
    traces[40].unlink()
    compare(path, "damaged", COMMANDS if IS_FULL else COMMANDS[::3])
    status, out, warnings = output_of(["summary"], path, 2)
    expect(status == 0 and out, f"damaged: status {status}")
    lines = warnings.decode().splitlines()
    expect(sum("truncated in" in line for line in lines) == 3, f"damaged: {lines}")
    expect(sum("cannot be read" in line for line in lines) == 1, f"damaged: {lines}")


def usage(command, path):
    """The largest memory in MiB."""
    process = subprocess.Popen([OMPREPORT, command, path], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == 0, f"{path}: exit status {process.returncode}")
    expect(used.ru_utime + used.ru_stime < 100 * TIME_LIMITS, f"{path}: too slow")
    return used.ru_maxrss / 1024


def check_many(folder):
    """OTF2 needs 270 KiB for each location that is open, and time that grows with their square: of 3,200 that are 850 MiB."""
    path = make(folder, "fleet", 200)
    for command in ("summary", "critical-path"):
        memory = usage(command, path)
        sanitized = "SANITIZED" in os.environ
        expect(memory < 64 or sanitized, f"{command}: 3,200 threads of 200 processes took {memory:.0f} MiB")


def check_values(folder):
    path = make(folder, "ranks")
    for value in ("0", "-1", "x", "1025", ""):
        run("summary", f"--jobs={value}", path, status=2, error="expected a number of threads, 1 to 1024")
    expect(run("summary", "-j", "3", path) == run("summary", path), "-j is not --jobs")


finish(check_equal, check_damaged, check_many, check_values)
