#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs when several threads of a program fork regions at the same time.

roots.py --program PATH --runtime NAME=DIR [--runtime NAME=DIR ...] [--roots 1,2,4] [--lengths 20,200,2000] [--serial 0,1]
    [--ways default,dynamic,passive,one] [--amount 2] [--rounds 7]

A cell has a number of such threads (roots), a length of regions in microseconds of processor time, and how much serial work each
thread has behind a region, as a multiple of that. In it each runtime runs in several ways: without settings, with
OMP_DYNAMIC=true, with OMP_WAIT_POLICY=passive, with OMP_NUM_THREADS=1. All take turns, in another order in each round. A line of the
table has the median seconds of the best way in that cell, then of each way the median over the rounds of its ratio to that one in the
same round, and behind it how many threads a region had on average. Geometric means of the ratios stand at the end.

The program is bench-roots: `ninja -C BUILD test/bench/bench-roots`.
"""
import argparse
import itertools
import math
import os
import random
import statistics
import subprocess

import results
from neighbours import FOREIGN, LONGEST, listed, named

WAYS = {'default': {}, 'dynamic': {'OMP_DYNAMIC': 'true'}, 'passive': {'OMP_WAIT_POLICY': 'passive'}, 'one': {'OMP_NUM_THREADS': '1'}}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--runtime', required=True, action='append', type=named)
    parser.add_argument('--roots', type=listed, default=['1', '2', '4'])
    parser.add_argument('--lengths', type=listed, default=['20', '200', '2000'])
    parser.add_argument('--serial', type=listed, default=['0', '1'])
    parser.add_argument('--ways', type=listed, default=list(WAYS))
    parser.add_argument('--amount', default='2')
    parser.add_argument('--rounds', type=int, default=7)
    results.add_option(parser)
    options = parser.parse_args()
    for way in options.ways:
        if way not in WAYS:
            parser.error(f"'{way}': expected some of {','.join(WAYS)}")
    return options


def run(options, runtime, way, cell):
    """Seconds, and threads of a region."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    done = subprocess.run([options.program, *cell, options.amount], env={**environment, 'LD_LIBRARY_PATH': runtime[1], **WAYS[way]},
                          text=True, timeout=LONGEST, stdout=subprocess.PIPE, check=True)
    seconds, _, threads = map(float, done.stdout.split())
    return seconds, threads


def measure(options, cell):
    """The median seconds of the best way, and by way its median ratio to that and the threads of its regions."""
    ways = list(itertools.product(options.runtime, options.ways))
    runs = {way: [] for way in ways}
    for _ in range(options.rounds):
        for way in random.sample(ways, len(ways)):
            runs[way].append(run(options, *way, cell))
    medians = {way: statistics.median(seconds for seconds, _ in runs[way]) for way in ways}
    best = min(ways, key=medians.get)
    return medians[best], {way: (statistics.median(own / other for (own, _), (other, _) in zip(runs[way], runs[best])),
                                 statistics.mean(threads for _, threads in runs[way])) for way in ways}


def main():
    options = parse()
    columns = [f'{name} {way}' for (name, _), way in itertools.product(options.runtime, options.ways)]
    print('| roots | region, µs | serial | best, s | ' + ' | '.join(columns) + ' |')
    print('|' + '--:|' * (4 + len(columns)), flush=True)
    logs, measured = [], []
    for cell in itertools.product(options.roots, options.lengths, options.serial):
        seconds, ways = measure(options, cell)
        logs.append([math.log(ratio) for ratio, _ in ways.values()])
        measured.append(dict(zip(('roots', 'length', 'serial'), cell), seconds=seconds, ways=dict(zip(columns, ways.values()))))
        print(f'| {" | ".join(cell)} | {seconds:.3f} | ' +
              ' | '.join(f'{ratio:.2f} ({threads:.1f})' for ratio, threads in ways.values()) + ' |', flush=True)
    print('| geometric mean |||| ' + ' | '.join(f'{math.exp(statistics.mean(column)):.2f}' for column in zip(*logs)) + ' |')
    results.write_results(options.json, measured)


if __name__ == '__main__':
    main()
