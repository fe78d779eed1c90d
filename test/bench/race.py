#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What one run of `ompinst race run` takes, as against ThreadSanitizer alone.

race.py BUILD [--threads 2,4] [--rounds 3] [PROGRAM...]

Each program (the sources of test/bench/whatif/programs, in C) is compiled by gcc -O2 -fsanitize=thread, and by
`ompinst race gcc -O2`. The first runs on the bundled runtime as any program does, the second as the runs of
`ompinst race run` are: with the library that is preloaded, with and without strands, with and without a forced order.
Both alternate in each round; what is printed are medians of the paired ratios of time and of the largest resident
memory. A race that a program has is reported in both. ThreadSanitizer's own messages are switched off in both, since
each takes a millisecond.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAMS = pathlib.Path(__file__).resolve().parent / "whatif" / "programs"
WISHES = [("strands", "seed=0,strands=1"), ("strands, order", "seed=1,strands=1"), ("order", "seed=2,strands=0")]


def run(command, environment):
    """Seconds, and KiB of resident memory."""
    begin = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - begin
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"race.py: {command}: exit status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss


def build(folder, name, compiler, flags):
    program = folder / f"{name}-{len(compiler)}"
    subprocess.run([*compiler, "-O2", "-g", "-w", "-fopenmp", *flags, PROGRAMS / f"{name}.c", "-o", program, "-lm"],
                   check=True, stderr=subprocess.DEVNULL)
    return program


def measure(arguments, folder, name, threads):
    build_folder = pathlib.Path(arguments.build).resolve()
    plain = build(folder, name, ["gcc"], ["-fsanitize=thread"])
    sought = build(folder, name, [build_folder / "instrumenter" / "ompinst", "race", "gcc"], [])
    common = {**os.environ, "OMP_NUM_THREADS": str(threads), "LD_LIBRARY_PATH": str(build_folder / "runtime"),
              "TSAN_OPTIONS": "report_bugs=0 exitcode=0"}
    agent = str(build_folder / "instrumenter" / "race-agent" / "libompinst_race.so")
    ratios = {what: [] for what, _ in WISHES}
    seconds = []
    for _ in range(arguments.rounds):
        for what, wishes in WISHES:
            first = run([plain], common)
            second = run([sought], {**common, "OMPINST_RACE": wishes + ",log=" + str(folder), "LD_PRELOAD": agent})
            seconds.append(first[0])
            ratios[what].append((second[0] / first[0], second[1] / first[1]))
    return statistics.median(seconds), {what: [statistics.median(pair[i] for pair in pairs) for i in range(2)]
                                        for what, pairs in ratios.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    names = arguments.programs or sorted(path.stem for path in PROGRAMS.glob("*.c"))
    every = {what: [[], []] for what, _ in WISHES}
    print(f"{'program':20} T {'alone s':>8}" + "".join(f" {what + ' time':>20} memory" for what, _ in WISHES))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for threads in arguments.threads.split(","):
                seconds, ratios = measure(arguments, pathlib.Path(folder), name, int(threads))
                row = f"{name:20} {threads} {seconds:8.2f}"
                for what, (took, memory) in ratios.items():
                    row += f" {took:20.2f} {memory:6.2f}"
                    every[what][0].append(took)
                    every[what][1].append(memory)
                print(row, flush=True)
    for what, (times, memories) in every.items():
        print(f"{what}: time {statistics.geometric_mean(times):.2f} (at most {max(times):.2f}), memory "
              f"{statistics.geometric_mean(memories):.2f} (at most {max(memories):.2f})")


if __name__ == "__main__":
    main()
