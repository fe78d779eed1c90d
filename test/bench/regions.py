#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What measuring costs a program of small regions: regions.py BUILD [--threads 1,2] [--rounds 40]

regions.c is compiled by gcc and by `ompinst gcc`, and both run on the bundled runtime, the plain program twice in each round and the
other in each mode, in another order each time. Printed are the median time of the plain process, and the medians over the rounds of
what the second plain run and each mode took more than the first in the same round. A mode's time includes the conversion to an archive.
"""
import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile

import processes
import results

SOURCE = pathlib.Path(__file__).resolve().parent / "regions.c"
# Regions of a run, and the turns of each: 40,000 are some 0.1 ms.
PROGRAMS = ((10, 40000), (1000, 40000), (20000, 2000))
MODES = {"again": None, "profile": {}, "trace": {"POMP_ENABLE_TRACING": "yes", "POMP_ENABLE_PROFILING": "no"},
         "both": {"POMP_ENABLE_TRACING": "yes"}}


def run(programs, mode, arguments, environment, trace):
    plain, measured = programs
    if MODES.get(mode) is None:
        return processes.seconds(plain, *arguments, environment=environment)
    settings = MODES[mode] | {"POMP_SUMMARY": f"{trace}.summary", "POMP_EXPERIMENT_DIRECTORY": trace}
    took = processes.seconds(measured, *arguments, environment=environment | settings)
    shutil.rmtree(trace, ignore_errors=True)
    return took


def measure(programs, arguments, environment, rounds, trace):
    """The median time of the plain program, and by mode the median of the differences to it."""
    times = {mode: [] for mode in ("plain", *MODES)}
    for number in range(-1, rounds):  # the first only warms up
        for mode in random.sample(list(times), len(times)):
            took = run(programs, mode, arguments, environment, trace)
            if number >= 0:
                times[mode].append(took)
    return statistics.median(times["plain"]), {mode: statistics.median(took - plain for took, plain in zip(times[mode], times["plain"])) for mode in MODES}


def compile_with(compiler, program):
    subprocess.run([*compiler, "-fopenmp", "-O2", SOURCE, "-o", program], check=True, stderr=subprocess.DEVNULL)
    return str(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=40)
    results.add_option(parser)
    options = parser.parse_args()
    build, measured = options.build.resolve(), []
    print(f"{'regions':>8} {'T':>2} {'plain, ms':>10} " + " ".join(f"{mode:>9}" for mode in MODES), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = compile_with(["gcc"], folder / "plain"), compile_with([build / "instrumenter/ompinst", "gcc"], folder / "measured")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("POMP_", "OMP_", "OMPINST"))}
        for arguments in PROGRAMS:
            for threads in options.threads.split(","):
                environment = kept | {"OMP_NUM_THREADS": threads, "LD_LIBRARY_PATH": f"{build}/runtime:{build}/pomp"}
                plain, more = measure(programs, arguments, environment, options.rounds, f"{name}/trace")
                print(f"{arguments[0]:>8} {threads:>2} {plain * 1e3:10.2f} " + " ".join(f"{seconds * 1e3:+9.2f}" for seconds in more.values()), flush=True)
                measured.append({"regions": arguments[0], "threads": int(threads), "plain": plain, "more": more})
    results.write_results(options.json, measured)


if __name__ == "__main__":
    main()
