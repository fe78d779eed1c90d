#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a program loses to quotas, to busy neighbours and to a wrong number of threads.

neighbours.py --program PATH --runtime NAME=DIR --rival NAME=DIR [--llvm PATH] [--quota none,1,1.5,0.5]
    [--neighbours 0,1,2] [--threads default,1,2,4,8] [--kinds regions,barriers,tasks,loops,locks] [--amount 3]
    [--rounds 5] [--steal MILLISECONDS] [--each]

A cell of the table is a quota of a control group, in processors, a number of busy processes outside that group, a kind of
program and a number of threads. In it the runtime, with no other setting than that number, is compared with the best that
anybody could have set by hand: of all runtimes, with 1 to as many threads as there are processors, and either wait policy.
--llvm is the same program by clang, on libomp. All take turns in each round; a figure is the median of the rounds. At the end
stand the geometric mean of each number of threads and the worst cells. --steal imitates a host that takes a processor away: a
process of highest priority, pinned to the first processor, is busy for 5 to so many milliseconds, and idle for as long. --each
prints the medians of all ways above each line.

The program is bench-neighbours: `ninja -C BUILD test/bench/bench-neighbours`, or neighbours.c by `clang -O2 -fopenmp`. Needs root,
for quotas and priorities; with `--quota none` it does not.
"""
import argparse
import contextlib
import itertools
import math
import os
import random
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'runtime'))
from control_group import make_group
import results  # noqa: E402

PROCESSORS = len(os.sched_getaffinity(0))
BUSY = [sys.executable, '-c', 'while True: pass']
STEAL = [sys.executable, '-c', '''
import os, random, sys, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.nice(-20)
while True:
    length = random.uniform(0.005, float(sys.argv[1]) / 1000)
    end = time.monotonic() + length
    while time.monotonic() < end:
        pass
    time.sleep(length)
''']
FOREIGN = ('OMP_', 'GOMP_', 'KMP_', 'OMPINST', 'LD_LIBRARY_PATH')
LONGEST = 120  # seconds of a run


def named(text):
    name, separator, value = text.partition('=')
    if not separator:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=DIR")
    if not os.path.exists(os.path.join(value, 'libgomp.so.1')):
        raise argparse.ArgumentTypeError(f"'{name}': no libgomp.so.1 in '{value}'")
    return name, os.path.abspath(value)


def listed(text):
    return text.split(',')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--runtime', required=True, type=named)
    parser.add_argument('--rival', action='append', default=[], type=named)
    parser.add_argument('--llvm')
    parser.add_argument('--quota', type=listed, default=['none', '1', '1.5', '0.5'])
    parser.add_argument('--neighbours', type=listed, default=['0', '1', '2'])
    parser.add_argument('--threads', type=listed, default=['default', '1', '2', '4', '8'])
    parser.add_argument('--kinds', type=listed, default=['regions', 'barriers', 'tasks', 'loops', 'locks'])
    parser.add_argument('--amount', default='3')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--steal')
    parser.add_argument('--each', action='store_true')
    results.add_option(parser)
    return parser.parse_args()


@contextlib.contextmanager
def quota_group(quota):
    """What a child calls to be in a control group with this quota; None where there is none."""
    if quota == 'none':
        yield None
        return
    group, reason = make_group()
    if group is None:
        sys.exit(f'neighbours.py: --quota={quota}: {reason}')
    try:
        group.set(int(100 * float(quota)))
        yield group.enter
    finally:
        group.remove()


@contextlib.contextmanager
def busy(commands):
    processes = [subprocess.Popen(command) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Way:
    """A program on a runtime with settings."""

    def __init__(self, name, program, folder, threads, policy=None):
        self.name = f'{name} T={threads}' + (f' {policy}' if policy else '')
        self.program = program
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
        if folder:
            self.environment['LD_LIBRARY_PATH'] = folder
        if threads != 'default':
            self.environment['OMP_NUM_THREADS'] = threads
        if policy:
            self.environment['OMP_WAIT_POLICY'] = policy

    def run(self, kind, amount, enter):
        try:
            done = subprocess.run([self.program, kind, amount], env=self.environment, preexec_fn=enter, text=True, timeout=LONGEST,
                                  stdout=subprocess.PIPE, check=True)
        except subprocess.TimeoutExpired:
            return LONGEST
        return float(done.stdout)


def ways(options):
    """Ours, by number of threads, and all that could be set by hand."""
    ours = {threads: Way('', options.program, options.runtime[1], threads) for threads in options.threads}
    places = [(name, options.program, folder) for name, folder in [options.runtime, *options.rival]]
    if options.llvm:
        places.append(('libomp', options.llvm, None))
    by_hand = [Way(*place, str(threads), policy)
               for place, threads, policy in itertools.product(places, range(1, PROCESSORS + 1), ('active', 'passive'))]
    return ours, by_hand


def measure(options, quota, neighbours, kind):
    """By number of threads the ratio to the best by hand, and its name."""
    ours, by_hand = ways(options)
    times = {way: [] for way in [*ours.values(), *by_hand]}
    steal = [STEAL + [options.steal]] if options.steal else []
    with quota_group(quota) as enter, busy([BUSY] * int(neighbours) + steal):
        for _ in range(options.rounds):
            for way in random.sample(list(times), len(times)):
                times[way].append(way.run(kind, options.amount, enter))
    medians = {way: statistics.median(times[way]) for way in times}
    best = min(by_hand, key=medians.get)
    if options.each:
        print('       ' + ', '.join(f'{way.name} {seconds:.3f}' for way, seconds in sorted(medians.items(), key=lambda item: item[1])))
    return {threads: medians[way] / medians[best] for threads, way in ours.items()}, best.name, medians[best]


def main():
    options = parse()
    cells, measured = [], []
    print('quota  beside  program   best by hand               seconds  ' + ' '.join(f'T={t:>7}' for t in options.threads))
    for quota, neighbours, kind in itertools.product(options.quota, options.neighbours, options.kinds):
        ratios, best, seconds = measure(options, quota, neighbours, kind)
        measured.append({'quota': quota, 'neighbours': neighbours, 'kind': kind, 'best': best, 'seconds': seconds, 'ratios': ratios})
        cells += [(ratio, f'quota {quota}, {neighbours} beside, {kind}, T={threads}') for threads, ratio in ratios.items()]
        print(f'{quota:6} {neighbours:>6}  {kind:9} {best:26} {seconds:7.3f}  ' +
              ' '.join(f'{ratio:9.2f}' for ratio in ratios.values()), flush=True)
    for threads in options.threads:
        logs = [math.log(ratio) for ratio, name in cells if name.endswith(f'T={threads}')]
        print(f'T={threads}: geometric mean {math.exp(statistics.mean(logs)):.3f} of {len(logs)}')
    print('worst:', '; '.join(f'{ratio:.2f} {name}' for ratio, name in sorted(cells, reverse=True)[:8]))
    results.write_results(options.json, measured)


if __name__ == '__main__':
    main()
