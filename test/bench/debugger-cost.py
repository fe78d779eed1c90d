#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the runtime does for debuggers, in instructions of each construct.

  debugger-cost.py CONSTRUCTS RUNTIME BARE [--repetitions 200] [--turns 20,300] [--most PERCENT]

CONSTRUCTS is the program of this folder, RUNTIME a folder with libgomp.so.1, BARE one with the same
runtime compiled without its debugger's side (RT_WITHOUT_DEBUGGER). Each construct is counted by
valgrind, on one thread, where nothing depends on time, and around a body of so many turns (300: a
tenth of a microsecond, as in the EPCC benchmarks). Two columns say what RUNTIME executes more than
BARE, and what it does more with OMP_DEBUG than without. The mean is the geometric one of the ratios.
--most: fail when RUNTIME's mean exceeds so many percent.
"""
import argparse
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

NO_VALGRIND = 77
TWO_THREADS = ('nested',)  # whatever is asked for; its waits are counted, too


def names_of():
    """The constructs, in the order of the program's table."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'constructs.c')
    with open(source, encoding='utf-8') as text:
        table = text.read().split('constructs[] = {')[1].split('};')[0]
    return [name for name in re.findall(r'ROW\((\w+),', table) if name not in TWO_THREADS]


def count(program, names, folder, repetitions, turns, settings):
    """{construct: instructions a repetition}"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(('OMP_', 'GOMP_'))}
    environment.update(settings, LD_LIBRARY_PATH=os.path.abspath(folder))
    with tempfile.TemporaryDirectory() as place:
        command = ['valgrind', '--tool=callgrind', '--dump-line=no',
                   '--callgrind-out-file=' + os.path.join(place, 'out')]
        for name in names:
            command += ['--zero-before=run_' + name, '--dump-after=run_' + name]
        subprocess.run(command + [program, '1', 'x%dx%d' % (repetitions, turns)] + names,
                       env=environment, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        counts = {}
        for path in glob.glob(os.path.join(place, 'out.*')):
            with open(path, encoding='utf-8') as text:
                dump = text.read()
            name = re.search(r'^desc: Trigger: --dump-after=run_(\w+)', dump, re.M)
            total = re.search(r'^(?:totals|summary): (\d+)', dump, re.M)
            if name and total:  # the warm-up is counted, too, and is the smaller
                counts[name[1]] = max(counts.get(name[1], 0), int(total[1]) / repetitions)
    return counts


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def show(names, turns, bare, off, on):
    """One table; returns the mean of what RUNTIME does more."""
    print('body of %d turns' % turns)
    print('%-14s %12s %12s %9s %12s %9s' % ('construct', 'without', 'with', '', 'OMP_DEBUG', ''))
    for name in names:
        print('%-14s %12.1f %12.1f %+8.2f%% %12.1f %+8.2f%%' % (
            name, bare[name], off[name], 100 * (off[name] / bare[name] - 1), on[name],
            100 * (on[name] / off[name] - 1)))
    idle = mean([off[name] / bare[name] for name in names])
    print('%-14s %12s %12s %+8.2f%% %12s %+8.2f%%' % (
        'mean', '', '', 100 * (idle - 1), '', 100 * (mean([on[n] / off[n] for n in names]) - 1)))
    return idle


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('runtime')
    parser.add_argument('bare')
    parser.add_argument('--repetitions', type=int, default=200)
    parser.add_argument('--turns', default='20,300')
    parser.add_argument('--most', type=float)
    options = parser.parse_args()
    if shutil.which('valgrind') is None:
        print('no valgrind')
        return NO_VALGRIND
    names, worst = names_of(), 0
    for turns in map(int, options.turns.split(',')):
        columns = [count(options.program, names, folder, options.repetitions, turns, settings)
                   for folder, settings in ((options.bare, {}), (options.runtime, {}),
                                            (options.runtime, {'OMP_DEBUG': 'enabled'}))]
        worst = max(worst, show(names, turns, *columns))
    if options.most is not None and worst > 1 + options.most / 100:
        print('more than %g%%' % options.most)
        return 1
    return 0


sys.exit(main())
