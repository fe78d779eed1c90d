#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What ompinst adds to compiling: compile-time.py BUILD.LOG FOLDER [--repeat N] [--plain-flags=-O2]

Takes the compile commands of a plain build's log whose source has OpenMP directives, and runs each in
FOLDER as it stands there and with ompinst before it, in turn, so that both see the same machine. For
every file the best of N runs counts. Prints per file the plain seconds, what ompinst adds, that as a
share of them, and the largest process's memory; then the medians, the slowest file against the median,
and whether two runs gave identical objects.
"""
import argparse
import os
import re
import resource
import shlex
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b", re.M)
WITH_VALUE = ("-MT", "-MF", "-MQ")


def commands(log, folder, flags):
    """Yields (source, arguments) for each compilation of a file with OpenMP directives."""
    seen = set()
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"(?:libtool: compile:|\[\d+/\d+\])?\s*"
                         r"((?:\S*/)?(?:gcc|g\+\+|mpicc|cc)\s.* -c .*)", line)
        if not found or "-fopenmp" not in line or line.endswith("\\"):
            continue
        words = shlex.split(found[1].split("&&")[0].split(">/dev/null")[0])
        sources = [word for word in words if word.endswith((".c", ".cc", ".cpp"))]
        if len(sources) != 1 or sources[0] in seen:
            continue
        seen.add(sources[0])
        if not PRAGMA.search((folder / sources[0]).read_text(errors="replace")):
            continue
        kept, skip = [], False
        for word in words:
            if skip or word in WITH_VALUE or word == "-o":
                skip = not skip
            elif word not in ("-c", "-MD", "-MMD", "-MP"):
                if not (flags and re.match(r"-(O.?|g\d?|ggdb\d?|W.*)$", word)):
                    kept.append(word)
        yield sources[0], kept + shlex.split(flags or "")


def measure(words, folder):
    """Seconds of processor time, seconds on the clock, and the largest process in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    child.wait()
    wall = time.monotonic() - start
    if child.returncode != 0:
        raise SystemExit(f"compile-time: exit code {child.returncode}: {shlex.join(words)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def largest_process(words, folder):
    """Largest memory of any process of the command, in MB, from a helper that has no other child."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stderr=-3, stdout=-3);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)")
    return int(subprocess.run(["python3", "-c", code, *words], cwd=folder, capture_output=True,
                              text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--plain-flags", help="in place of the log's -O, -g and -W flags")
    parser.add_argument("--ompinst", default="ompinst")
    options = parser.parse_args()
    ratios, walls, added, memories, differ = [], [], [], [], 0
    with tempfile.TemporaryDirectory() as scratch:
        objects = [os.path.join(scratch, name) for name in ("plain.o", "one.o", "two.o")]
        for source, words in commands(options.log, options.folder, options.plain_flags):
            best = [(1e9, 1e9), (1e9, 1e9)]
            for turn in range(options.repeat):
                for which, prefix in enumerate(([], [options.ompinst])):
                    output = objects[0 if which == 0 else 1 + turn % 2]
                    cost = measure([*prefix, *words, "-c", "-o", output], options.folder)
                    best[which] = tuple(map(min, best[which], cost))
            memory = largest_process([options.ompinst, *words, "-c", "-o", objects[1]], options.folder)
            plain_memory = largest_process([*words, "-c", "-o", objects[0]], options.folder)
            if options.repeat > 1 and Path(objects[1]).read_bytes() != Path(objects[2]).read_bytes():
                differ += 1
            (plain, plain_wall), (wrapped, wrapped_wall) = best
            ratios.append((wrapped - plain) / plain)
            walls.append((wrapped_wall - plain_wall) / plain_wall)
            added.append(wrapped - plain)
            memories.append(memory)
            print(f"{os.path.basename(source):28} {plain:6.3f} s  +{wrapped - plain:6.3f} s  "
                  f"{ratios[-1]:5.2f}  {memory:4d} MB (plain {plain_memory:4d})", flush=True)
    if not ratios:
        raise SystemExit("compile-time: no compilation with OpenMP directives in the log")
    middle = statistics.median(added)
    print(f"{len(ratios)} files: median added {statistics.median(ratios):.2f} of the plain compile "
          f"(on the clock {statistics.median(walls):.2f}), largest {max(ratios):.2f}; "
          f"longest {max(added) / middle:.1f} times the median; largest process {max(memories)} MB; "
          f"{differ} objects differ between two runs")


main()
