#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the cost that `ompinst sharing run` estimates with what the fix gains, on the pairs of kernels of
measure.py.

Plain builds of both sides run in turns with two threads, on two processors and on one. The gain is what the fix
gains on two, less what it gains on one, where no line changes its processor: sides also differ in how they are
compiled. It is the median of the differences of processor times, with quartiles; the estimate is the median sum
of `cost_seconds` of some runs that note accesses. A kernel whose lower quartile is no gain of a twentieth says
nothing about the estimate.

Times are measured, so a machine that does nothing else is needed; this is no test.

All of them: gain.py --build 'ompinst sharing' --run 'ompinst sharing run' kernels
"""

import argparse
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

import measure

LEAST_GAIN = 0.05  # part of the sharing side's time
GOAL = 1.5


def quartiles(values):
    return statistics.quantiles(values, n=4) if len(values) > 1 else values * 3


def processor_time(program, processors):
    os.sched_setaffinity(0, processors)
    return measure.timed([program])[2]


def estimates(program, plain, options):
    """The costs of the findings that count, once for each run."""
    costs = []
    for _ in range(options.estimates):
        report = program + ".json"
        more = [f"--plain={plain}"] if options.plain else []
        subprocess.run(shlex.split(options.run) + more + ["--format=json", f"--output={report}", program], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=options.limit * measure.TIME_LIMITS, check=False)
        with open(report, encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        costs.append(sum(finding["cost_seconds"] for finding in findings if finding["counts"]))
    return costs


def measure_pair(pair, options, folder):
    """Seconds of the sharing side, quartiles of the gain, estimates; None if it does not compile."""
    programs = [measure.compile_pair(pair, options, folder, fixed, prefix)[0]
                for fixed, prefix in ((False, ""), (True, ""), (False, options.build))]
    if None in programs:
        return None
    two = set(sorted(os.sched_getaffinity(0))[:2])
    sides = [(programs[0], two), (programs[1], two), (programs[0], {min(two)}), (programs[1], {min(two)})]
    rounds = []
    for turn in range(options.rounds):
        order = range(4) if turn % 2 == 0 else reversed(range(4))
        times = {i: processor_time(*sides[i]) for i in order}
        rounds.append([times[i] for i in range(4)])
    os.sched_setaffinity(0, two)
    gains = [shared - fixed - (shared_on_one - fixed_on_one) for shared, fixed, shared_on_one, fixed_on_one in rounds]
    return statistics.median(times[0] for times in rounds), quartiles(gains), estimates(programs[2], programs[0], options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measure.add_options(parser)
    parser.add_argument("--rounds", type=int, default=9, help="runs of each side")
    parser.add_argument("--plain", action="store_true", help="estimate by the plain build of the sharing side, too")
    parser.add_argument("--estimates", type=int, default=3, help="runs that note accesses")
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="2", OMP_PROC_BIND="true", OMP_WAIT_POLICY="passive")
    factors = {"false": [], "true": []}
    with tempfile.TemporaryDirectory() as folder:
        for pair in measure.find_pairs(options.folders, options.only):
            kinds = {kind.split("-")[0] for kind, _ in pair.marks}
            result = measure_pair(pair, options, folder) if kinds & set(factors) else None
            if result is None:
                continue
            seconds, (low, gain, high), costs = result
            estimate = statistics.median(costs)
            line = (f"{pair.name}: {seconds:.3f} s, gain {gain:.3f} ({low:.3f} to {high:.3f}), "
                    f"estimate {estimate:.3f} ({min(costs):.3f} to {max(costs):.3f})")
            if low < LEAST_GAIN * seconds:
                print(f"{line}: no gain", flush=True)
                continue
            factor = estimate / gain
            factors["false" if "false" in kinds else "true"].append(factor)
            print(f"{line}: factor {factor:.2f}", flush=True)
    for kind, values in factors.items():
        good = sum(max(value, 1 / value) <= GOAL for value in values if value > 0)
        mean = math.exp(statistics.fmean(math.log(max(value, 1e-3)) for value in values)) if values else 1
        print(f"{kind} sharing: {good} of {len(values)} estimates within a factor of {GOAL}, geometric mean {mean:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
