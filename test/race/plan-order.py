#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures which run of `ompinst race run` finds how many of the racy kernels, how many the plan's order has found after which time, and in
which order the runs would find most in the shortest time: behind the first run, which shows what the program prints, the next run is always
the one that adds the most kernels for its time.

plan-order.py --ompinst build/instrumenter/ompinst [--runs 8] [--only NAME...] [FOLDER...]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measure import HERE, build, find_pairs  # noqa: E402


def measure(pair, options, folder):
    """The runs that find a race of the kernel, and the times of all runs; None if it does not compile."""
    program, report = build(pair, options, folder, False)[0], os.path.join(folder, pair.name + ".json")
    if program is None:
        return None
    run = [options.ompinst, "race", "run", "--quiet", f"--runs={options.runs}", "--format=json", f"--output={report}", program]
    subprocess.run(run, capture_output=True, check=False, timeout=600, cwd=folder)
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    return {number for race in found["races"] if race["counts"] for number in race["in_runs"]}, [run["seconds"] for run in found["runs"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ompinst", required=True, type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("folders", nargs="*", default=[os.path.join(HERE, "kernels")])
    options = parser.parse_args()
    vars(options).update(build=options.ompinst + " race", cc="gcc", cxx="g++", fc="gfortran", flags="-fopenmp -O1 -g -Wno-openmp")
    pairs = [pair for pair in find_pairs(options.folders, options.only) if pair.marks]
    with tempfile.TemporaryDirectory(prefix="race-plan-") as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        measured = [(pair.name, found) for pair, found in zip(pairs, pool.map(lambda pair: measure(pair, options, folder), pairs)) if found]
    names, results = [name for name, _ in measured], [found for _, found in measured]
    kernels, seconds = collections.defaultdict(set), collections.Counter()
    for kernel, (runs, times) in enumerate(results):
        for number in runs:
            kernels[number].add(kernel)
        seconds.update(dict(enumerate(times, 1)))
    every = set().union(*kernels.values())
    print(f"{len(results)} racy kernels, {len(every)} found\n\nrun  finds  seconds  only this one")
    for number in range(1, options.runs + 1):
        rest = set().union(*(found for other, found in kernels.items() if other != number))
        print(f"{number:3}  {len(kernels[number]):5}  {seconds[number]:7.1f}  {len(kernels[number] - rest):13}")
    for title, greedy in (("plan's order", False), ("best order", True)):
        print(f"\n{title:12}  finds so far  seconds so far")
        known, time, left = set(), 0, list(range(1, options.runs + 1))
        while left:
            best = left[0]
            if greedy and known:
                best = max(left, key=lambda number: len(kernels[number] - known) / max(seconds[number], 1e-9))
            left.remove(best)
            known |= kernels[best]
            time += seconds[best]
            print(f"{best:12}  {len(known):12}  {time:14.1f}")
    print("\nnot found:", *sorted(names[kernel] for kernel in range(len(results)) if kernel not in every))


if __name__ == "__main__":
    main()
