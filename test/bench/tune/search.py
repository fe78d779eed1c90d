#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether `ompinst tune` finds the best settings of small programs (kernels.c), and nothing where there is nothing.

search.py --build BUILD [--model] [--rounds N] [--tries N] [--neighbours 0,1] [--program NAME]... [--json FILE]

Programs with a better setting: tune searches all its settings. The exhaustive search runs all combinations of those
that matter to the program (one of each group, one schedule of each loop) in turns, in another order in each of N
rounds; the best has the least median of its times in relation to the unchanged program of the same round. What tune
has found then runs in turns with that best. A line has the neighbours (with --model), how many combinations of all
settings there are and how many were tried, the best and how many times faster it is, the runs of tune, its find, and
how much longer that takes than the best. ok: at most 3 % longer. quarter: with at most a quarter of the runs that one
run of each combination would take.

Programs without: tune searches --tries times, with as many neighbours as --neighbours says, each a process that keeps
a processor busy. A gain that it reports is measured again in 20 pairs beside the same neighbours: it is false if its
median is below 1.01. A line has how many gains were reported, and how many of them were false.

With --model the programs print times that model.c computes, with noise like that of a quiet machine or with a
neighbour: this shows the search alone, whatever the machine does, and the best is known exactly. Otherwise the times
are wall times, on a machine that should do nothing else; the line at the end says how much other programs used
meanwhile.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import results  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# By program: the groups of settings that are searched.
BETTER = {'triangle': 'threads,schedule', 'heavy': 'threads,schedule', 'bimodal': 'threads,schedule', 'clusters': 'threads,schedule',
          'growing': 'threads,schedule', 'crumbs': 'threads,schedule', 'sharing': 'threads,schedule', 'two': 'threads,schedule',
          'churn': 'malloc,arenas,wait', 'regions': 'threads,wait,schedule', 'tasks': 'threads,wait,arenas',
          'nested': 'threads,wait,schedule', 'contended': 'threads,wait,schedule'}
NONE = {'even': 'schedule,wait,binding', 'serial': 'threads,wait,malloc,arenas', 'balanced': 'wait,binding,malloc',
        'coarse': 'wait,binding,malloc', 'stream': 'schedule,malloc,arenas', 'kept': 'threads,wait,arenas'}
NEAR, SAME, PAIRS, LONGEST = 1.03, 1.01, 20, 120
LOOPS = 'POMP_LOOP_SCHEDULES'
MALLOC = ('MALLOC_MMAP_THRESHOLD_', 'MALLOC_MMAP_MAX_', 'MALLOC_TOP_PAD_')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, type=pathlib.Path)
    parser.add_argument('--rounds', type=int, default=10)
    parser.add_argument('--tries', type=int, default=20)
    parser.add_argument('--neighbours', type=lambda text: [int(word) for word in text.split(',')], default=[0, 1])
    parser.add_argument('--program', action='append', choices=[*BETTER, *NONE])
    parser.add_argument('--model', action='store_true')
    results.add_option(parser)
    return parser.parse_args()


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(('OMP_', 'POMP_', 'GOMP_', 'MALLOC_', 'GLIBC_', 'OMPINST'))}
        self.environment.update(PATH=f'{options.build / "instrumenter"}:{os.environ["PATH"]}', POMP_DISABLE='yes')

    def build(self, name):
        compiler = ['gcc'] if self.options.model else ['ompinst', '--tunable-loops', 'gcc', '-fopenmp']
        subprocess.run([*compiler, '-O2', f'-D{name}', str(HERE / ('model.c' if self.options.model else 'kernels.c')), '-o', name, '-lm'],
                       cwd=self.folder, env=self.environment, check=True)

    def seconds(self, name, settings):
        if self.options.model:
            done = subprocess.run([f'./{name}'], cwd=self.folder, env={**self.environment, **settings}, stdout=subprocess.PIPE, text=True,
                                  timeout=LONGEST, check=True)
            return float(done.stdout.split()[1])
        begin = time.monotonic()
        subprocess.run([f'./{name}'], cwd=self.folder, env={**self.environment, **settings}, stdout=subprocess.DEVNULL, timeout=LONGEST,
                       check=True)
        return time.monotonic() - begin

    def tune(self, name, seed, *words, noise=1):
        if self.options.model:
            words = [*words, '--metric=time: ([0-9.]+)']
        environment = {key: value for key, value in self.environment.items() if key != 'POMP_DISABLE'}
        if self.options.model:
            environment['MODEL_NOISE'] = str(noise)
        done = subprocess.run(['ompinst', 'tune', '--json', '--quiet', f'--seed={seed}', *words, f'./{name}'],
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        return json.loads(done.stdout)

    def ratios(self, name, ones, rounds):
        """The median of each settings' time in relation to the first ones' of the same round."""
        found = [[] for _ in ones]
        for _ in range(rounds):
            order = list(range(len(ones)))
            random.shuffle(order)
            times = {i: self.seconds(name, ones[i]) for i in order}
            for i, value in times.items():
                found[i].append(value / times[0])
        return [statistics.median(values) for values in found]


def groups_of(settings):
    """The settings that exclude each other in one list each, with none of them in front."""
    groups = {}
    for one in settings:
        first = next(iter(one))
        key = one[first].rsplit('=', 1)[0] if first == LOOPS else 'malloc' if first in MALLOC else first
        groups.setdefault(key, [{}]).append(one)
    return list(groups.values())


def combinations(settings):
    """All that can be made of single settings."""
    for chosen in itertools.product(*groups_of(settings)):
        whole = {}
        for one in chosen:
            whole.update({key: f'{whole[key]};{value}' if key == LOOPS and key in whole else value for key, value in one.items()})
        yield whole


def text_of(settings):
    return ' '.join(f'{key}={value}' for key, value in settings.items()).replace('OMP_NUM_', '').replace(f'{LOOPS}=', '').replace(
        str(HERE) + '/', '').replace('_POLICY', '').replace('kernels.c:', '') or 'unchanged'


def search_better(bench, name, groups, neighbours):
    bench.build(name)
    single, all_single = ([one['variables'] for one in bench.tune(name, 1, '--budget=2', *words)['settings']]
                          for words in ((f'--only={groups}',), ()))
    every = math.prod(map(len, groups_of(all_single)))
    ones = list(combinations(single))
    times = bench.ratios(name, ones, 1 if bench.options.model else bench.options.rounds)
    best = ones[min(range(len(ones)), key=lambda i: times[i])]
    found = bench.tune(name, 1, noise=1 + neighbours)
    mine = (found['best'] or {'variables': {}})['variables']
    _, whole, more = bench.ratios(name, [best, mine, {}], 1 if bench.options.model else PAIRS)
    row = {'program': name, 'neighbours': neighbours, 'combinations': every, 'tried': len(ones), 'best': text_of(best),
           'best_gain': more, 'tune_runs': found['runs'], 'found': text_of(mine), 'longer': whole, 'ok': whole <= NEAR,
           'quarter': found['runs'] <= every / 4, 'other_programs': found['other_programs']}
    print(f"{name:10} {neighbours:3} {every:6} {len(ones):4} {row['best'][:40]:40} {more:6.2f} "
          f"{found['runs']:5} {row['found'][:40]:40} {whole:6.2f} "
          f"{'ok' if row['ok'] else 'no':3} {'quarter' if row['quarter'] else ''}", flush=True)
    return row


def search_nothing(bench, name, groups, neighbours):
    bench.build(name)
    busy = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(0 if bench.options.model else neighbours)]
    runs, reported, false, others = 0, [], 0, []
    try:
        for seed in range(bench.options.tries):
            found = bench.tune(name, seed, f'--only={groups}', noise=1 + bool(neighbours))
            runs += found['runs']
            others.append(found['other_programs'] or 0)
            if found['best']:
                again = 1 / bench.ratios(name, [{}, found['best']['variables']], 1 if bench.options.model else PAIRS)[1]
                reported.append(f"{text_of(found['best']['variables'])} ({found['best'].get('gain') or 0:.2f}, again {again:.2f})")
                false += again < SAME
    finally:
        for one in busy:
            one.kill()
            one.wait()
    row = {'program': name, 'neighbours': neighbours, 'tries': bench.options.tries, 'runs': runs, 'reported': reported, 'false': false,
           'other_programs': statistics.mean(others)}
    print(f"{name:10} {neighbours:3} {bench.options.tries:5} {runs:6} {len(reported):6} {false:6}   {'; '.join(reported)[:110]}", flush=True)
    return row


def main():
    options = parse()
    chosen = options.program or [*BETTER, *NONE]
    random.seed(1)
    rows = []
    with tempfile.TemporaryDirectory(prefix='bench-tune-') as folder:
        bench = Bench(options, folder)
        print(f"{'program':10} nbr  combs tried {'best (exhaustive)':39} faster  runs {'found by tune':40} longer")
        for name in [name for name in BETTER if name in chosen]:
            for neighbours in options.neighbours if options.model else [0]:
                rows.append(search_better(bench, name, BETTER[name], neighbours))
        print('program    neighbours tries runs gains  false')
        for name in [name for name in NONE if name in chosen]:
            for neighbours in options.neighbours:
                rows.append(search_nothing(bench, name, NONE[name], neighbours))
    better = [row for row in rows if 'ok' in row]
    none = [row for row in rows if 'tries' in row]
    print(f"{sum(row['ok'] for row in better)} of {len(better)} within 3 % of the best, {sum(row['quarter'] for row in better)} with a quarter of "
          f"the runs; {sum(row['false'] for row in none)} false gains in {sum(row['tries'] for row in none)} tries. Other programs used "
          f"{statistics.mean([row['other_programs'] or 0 for row in rows]):.1f} processors meanwhile.")
    results.write_results(options.json, rows)


if __name__ == '__main__':
    main()
