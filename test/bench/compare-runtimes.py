#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares OpenMP runtimes on the constructs and kernels of this folder.

  compare-runtimes.py --program PATH [--program PATH] --runtime NAME=DIR --runtime NAME=DIR ...
      [--threads 1,2,4] [--rounds 5] [--milliseconds 4] [--set OMP_WAIT_POLICY=passive]
      [--neighbours N] [--real-time] [--only NAME,...]

A DIR holds a libgomp.so.1 (a symbolic link will do). The runtimes take turns, a short process each,
and each round begins with another one, so that what else the machine does affects all alike. The table
has the first runtime's median in the program's unit (constructs ns, kernels us) and, for each
other one, the median over the rounds of its ratio to the first in the same round: below 1 is faster.

More threads than processors need no option. --neighbours starts busy processes beside each run.
--real-time (root) runs teams that fit the machine under SCHED_RR with one place per thread, which
takes other programs out of the figures.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys

import results

BUSY = [sys.executable, '-c', 'while True: pass']
FOREIGN = ('OMP_', 'GOMP_', 'KMP_', 'LD_LIBRARY_PATH')


def named(text):
    name, separator, value = text.partition('=')
    if not separator:
        raise argparse.ArgumentTypeError("'%s': expected NAME=VALUE" % text)
    return name, value


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', action='append', required=True)
    parser.add_argument('--runtime', action='append', required=True, type=named)
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--milliseconds', default='4', help='per construct; kernels ignore it')
    parser.add_argument('--set', action='append', default=[], type=named)
    parser.add_argument('--neighbours', type=int, default=0)
    parser.add_argument('--real-time', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--limit', type=float, default=120, help='seconds a process may take')
    results.add_option(parser)
    options = parser.parse_args()
    for name, folder in options.runtime:
        if not os.path.exists(os.path.join(folder, 'libgomp.so.1')):
            parser.error("runtime '%s': no libgomp.so.1 in '%s'" % (name, folder))
    return options


def run(options, program, folder, threads):
    """One process: {name: time}, empty when it failed or took too long."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)}
    environment.update(options.set, LD_LIBRARY_PATH=os.path.abspath(folder))
    command = [program, str(threads)]
    if 'constructs' in os.path.basename(program):
        command.append(options.milliseconds)
    command += [name for name in options.only.split(',') if name]
    if options.real_time and threads <= len(os.sched_getaffinity(0)):
        command = ['chrt', '-r', '1'] + command
        environment.update(OMP_PROC_BIND='true', OMP_PLACES='threads')
    busy = [subprocess.Popen(BUSY) for _ in range(options.neighbours)]
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True,
                              timeout=options.limit)
    except subprocess.TimeoutExpired:
        return {}
    finally:
        for process in busy:
            process.kill()
            process.wait()
    if done.returncode != 0:
        return {}
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


def compare(options, program, threads):
    """Rows of (name, median of the first runtime, [median ratio or None of the others])."""
    runtimes = options.runtime
    rounds = []
    for number in range(options.rounds):
        shift = number % len(runtimes)
        rounds.append({name: run(options, program, folder, threads)
                       for name, folder in runtimes[shift:] + runtimes[:shift]})
    first = runtimes[0][0]
    names = list(dict.fromkeys(key for values in rounds for key in values[first]))
    for key in names:
        if key == 'body':
            continue
        ratios = []
        for name, _ in runtimes[1:]:
            pairs = [values[name][key] / values[first][key] for values in rounds
                     if key in values[name] and values[first].get(key)]
            ratios.append(statistics.median(pairs) if pairs else None)
        yield key, statistics.median(v[first][key] for v in rounds if key in v[first]), ratios


def main():
    options = parse()
    others, measured = [name for name, _ in options.runtime[1:]], []
    print('%-3s %-14s %12s' % ('T', 'what', options.runtime[0][0]) +
          ''.join('%12s' % name for name in others))
    for threads in map(int, options.threads.split(',')):
        columns = [[] for _ in others]
        for program in options.program:
            for key, value, ratios in compare(options, program, threads):
                print('%-3d %-14s %12.1f' % (threads, key, value) +
                      ''.join('%12s' % ('failed' if r is None else '%.2f' % r) for r in ratios),
                      flush=True)
                measured.append({'threads': threads, 'name': key, 'unit': 'us' if 'kernels' in program else 'ns', 'time': value,
                                 'ratios': dict(zip(others, ratios))})
                for column, ratio in zip(columns, ratios):
                    if ratio is not None:
                        column.append(ratio)
        for name, column in zip(others, columns):
            if column:
                mean = math.exp(sum(map(math.log, column)) / len(column))
                print('T=%d: geometric mean of %s: %.2f' % (threads, name, mean))
    results.write_results(options.json, measured)


if __name__ == '__main__':
    main()
