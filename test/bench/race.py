#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What one run of `ompinst race run` takes, as against ThreadSanitizer alone.

race.py BUILD [--threads 2,4] [--rounds 3] [PROGRAM...]

Each program (the sources of test/bench/whatif/programs, or a C file) is compiled by gcc -O2 -fsanitize=thread and by
`ompinst race gcc -O2`. The first is run on the bundled runtime, the second by `ompinst race run --runs=4`, whose time
is divided by four; both alternate. What is printed are the medians of the paired ratios of time and of the largest
resident memory.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import results

PROGRAMS = pathlib.Path(__file__).resolve().parent / "whatif" / "programs"
RUNS = 4


def run(command, environment):
    """Seconds, and KiB of resident memory of the largest process."""
    begin = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"race.py: {command}: exit status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss


def compile_with(compiler, flags, source, program):
    subprocess.run([*compiler, "-O2", "-g", "-w", "-fopenmp", *flags, source, "-o", program, "-lm"], check=True,
                   stderr=subprocess.DEVNULL)
    return program


def measure(arguments, folder, source, threads):
    build = pathlib.Path(arguments.build).resolve()
    ompinst = build / "instrumenter" / "ompinst"
    plain = compile_with(["gcc"], ["-fsanitize=thread"], source, folder / "plain")
    sought = compile_with([ompinst, "race", "gcc"], [], source, folder / "sought")
    alone = {**os.environ, "OMP_NUM_THREADS": str(threads), "LD_LIBRARY_PATH": str(build / "runtime"),
             "TSAN_OPTIONS": "exitcode=0"}
    finder = [ompinst, "race", "run", "--quiet", f"--runs={RUNS}", f"--threads={threads}", sought]
    seconds, times, memories = [], [], []
    for _ in range(arguments.rounds):
        first = run([plain], alone)
        second = run(finder, os.environ)
        seconds.append(first[0])
        times.append(second[0] / RUNS / first[0])
        memories.append(second[1] / first[1])
    return statistics.median(seconds), statistics.median(times), statistics.median(memories)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    results.add_option(parser)
    arguments = parser.parse_intermixed_args()
    sources = [PROGRAMS / f"{name}.c" if "/" not in name else pathlib.Path(name) for name in arguments.programs]
    times, memories, measured = [], [], []
    print(f"{'program':20} {'T':>2} {'alone s':>8} {'time':>6} {'memory':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for source in sources or sorted(path for path in PROGRAMS.glob("*.c") if "pomp.h" not in path.read_text()):
            for threads in arguments.threads.split(","):
                seconds, took, memory = measure(arguments, pathlib.Path(folder), source, int(threads))
                print(f"{source.stem:20} {threads:>2} {seconds:8.2f} {took:6.2f} {memory:6.2f}", flush=True)
                measured.append({"program": source.stem, "threads": int(threads), "seconds": seconds, "time": took, "memory": memory})
                times.append(took)
                memories.append(memory)
    print(f"{'geometric mean':31} {statistics.geometric_mean(times):7.2f} {statistics.geometric_mean(memories):6.2f}")
    results.write_results(arguments.json, measured)


if __name__ == "__main__":
    main()
