# SPDX-License-Identifier: BSD-3-Clause
"""Runs hypre's own test jobs with two builds: hypre_drivers.py PLAIN INSTRUMENTED TESTS WORK [RANKS STEP]

PLAIN and INSTRUMENTED are folders with the drivers (ij, struct ...), TESTS is hypre's folder with the
TEST_* folders, whose *.jobs say how each test calls a driver. Takes every job for one process, or every
STEPth for RANKS, runs it in a copy of its folder under WORK with each build, and compares what it printed
without the times. A job counts when the plain build prints the same twice. Prints the jobs that differ;
fails when there are any, or when too few could be compared (100, of many ranks 20).
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

# Lines that no two runs share: clock times and rates, and where the program is.
VARYING = re.compile(r"time|seconds|MFLOPS|clock|mem|^ompinst|^pomp|/", re.I)


RANKS, STEP = (int(word) for word in sys.argv[5:7]) if len(sys.argv) > 5 else (1, 1)
LAUNCHER = shlex.split(os.environ.get("LAUNCHER", "mpirun --oversubscribe")) + ["-np", str(RANKS)] if RANKS > 1 else []
ENOUGH = 100 if RANKS == 1 else 20


def jobs(folder):
    """Yields (name, words) for each job of so many ranks."""
    for file in sorted(folder.glob("*.jobs")):
        text = file.read_text().replace("\\\n", " ")
        for number, line in enumerate(text.splitlines()):
            found = re.match(rf"mpirun\s+-np\s+{RANKS}\s+\./(\S+)\s+([^>|;&]*)", line)
            if found:
                yield f"{folder.name}/{file.stem}.{number}", [found[1], *shlex.split(found[2])]


def run(drivers, words, folder):
    """What the driver printed, or None when it was too slow for a test."""
    try:
        done = subprocess.run([*LAUNCHER, drivers / words[0], *words[1:]], cwd=folder, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    lines = [line for line in done.stdout.splitlines() if not VARYING.search(line)]
    return "\n".join([*lines, f"exit code {done.returncode}"])


def main():
    plain, instrumented, tests, work = (Path(name).resolve() for name in sys.argv[1:5])
    os.environ.update(OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", POMP_SUMMARY="off")
    same, unstable, slow, differing = 0, 0, 0, []
    for source in sorted(tests.glob("TEST_*")):
        folder = work / source.name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder)
        for name, words in list(jobs(source))[::STEP]:
            if not (plain / words[0]).exists():
                continue
            first, wrapped = run(plain, words, folder), run(instrumented, words, folder)
            if first is None or wrapped is None:
                slow += 1
            elif first == wrapped:
                same += 1
            elif run(plain, words, folder) != first:
                unstable += 1
            else:
                differing.append(name)
                print(f"{name}: {shlex.join(words)}\n--- plain\n{first}\n--- instrumented\n{wrapped}")
    print(f"{same} jobs print the same, {len(differing)} do not, {unstable} vary by themselves, "
          f"{slow} take too long: {' '.join(differing)}")
    sys.exit(bool(differing) or same < ENOUGH)


main()
