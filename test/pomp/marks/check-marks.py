# SPDX-License-Identifier: BSD-3-Clause
"""Marks of a program's loops in its trace: every iteration lies in one of them, no more of them than that come from one
execution, the executions that have them are those that should, and an iteration that takes long is found.

check-marks.py OMPINST OMPREPORT SOURCE COMPILER
"""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import otf2
    from otf2.events import Enter, Leave, Metric
except ImportError:
    print('python3-otf2 is missing')
    sys.exit(77)

OMPINST, OMPREPORT, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
COMPILER = sys.argv[4]
ITERATIONS, EXECUTIONS, THREADS = 1000, 20, 2
MARKED = [0, 1, 2, 3, 4, 8, 16]
Mark = collections.namedtuple('Mark', 'begin end time grain schedule')


def run(folder, *command, **environment):
    left = {name: value for name, value in os.environ.items() if not name.startswith(('POMP_', 'OMP_'))}
    done = subprocess.run(command, cwd=folder, env=left | environment, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f'check-marks: {command}: {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def expect(condition, text):
    if not condition:
        sys.exit(f'check-marks: {text}')


def line_of(word):
    with open(SOURCE) as file:
        return next(number for number, line in enumerate(file, 1) if f'/* {word} */' in line)


def executions_of(trace):
    """By region: for each thread a list of executions, each a list of marks."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    open_marks, depth = collections.defaultdict(list), collections.defaultdict(list)
    with otf2.reader.open(str(trace / 'traces.otf2')) as reader:
        for location, event in reader.events:
            if isinstance(event, Enter):
                depth[location].append(event.region.name)
            elif isinstance(event, Metric) and event.metric.members[0].name == 'loop_mark_begin':
                expect(depth[location][-1].startswith('!$omp for @'), f'a mark in {depth[location]}')
                open_marks[location].append(Mark(*event.values))
            elif isinstance(event, Leave):
                depth[location].pop()
                if event.region.name.startswith('!$omp for @'):
                    found[event.region.name][location].append(open_marks.pop(location, []))
    return found


def loop(executions, word):
    name = f'!$omp for @{os.path.basename(SOURCE)}:{line_of(word)}'
    expect(name in executions, f'no {name} in {sorted(executions)}')
    return executions[name]


def check_covered(word, threads, number, count):
    """The marks of all threads' execution of that number: each iteration in at least one; in static order in exactly one."""
    seen = [0] * count
    for marks in (executions[number] for executions in threads.values()):
        expect(len(marks) <= 64, f'{word}: {len(marks)} marks')
        for mark in marks:
            expect(mark.begin < mark.end <= count and mark.grain <= mark.time, f'{word}: {mark}')
            for i in range(mark.begin, mark.end):
                seen[i] += 1
    expect(min(seen) >= 1, f'{word}: iteration {seen.index(min(seen))} is in no mark of execution {number}')
    return max(seen)


def check(trace):
    executions = executions_of(trace)
    often = loop(executions, 'often')
    for thread in often.values():
        marked = [number for number, marks in enumerate(thread) if marks]
        expect(len(thread) == EXECUTIONS and marked == MARKED, f'often: {len(thread)} executions, marks in {marked}')
    for number in MARKED:
        expect(check_covered('often', often, number, ITERATIONS) == 1, f'often: twice in {number}')
    check_covered('chunks', loop(executions, 'chunks'), 0, ITERATIONS)
    check_covered('outer', loop(executions, 'outer'), 0, 4)
    inner = [marks for thread in loop(executions, 'inner').values() for marks in thread]
    expect(inner and not any(inner), f'marks of loops within a loop with marks: {inner}')
    nothing = [marks for thread in loop(executions, 'nothing').values() for marks in thread]
    expect(nothing and not any(nothing), f'marks of a loop without iterations: {nothing}')
    heavy = loop(executions, 'heavy')
    expect(check_covered('heavy', heavy, 0, ITERATIONS) == 1, 'heavy: twice')
    long = [mark for thread in heavy.values() for mark in thread[0] if mark.begin <= 300 < mark.end]
    expect(len(long) == 1 and long[0].grain >= 39e6 and long[0].end - long[0].begin <= ITERATIONS // 16, f'heavy: {long}')


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run(folder, OMPINST, '--tunable-loops', COMPILER, '-O2', '-fopenmp', SOURCE, '-o', 'marks')
    plain = run(folder, './marks', POMP_DISABLE='1')
    traced = run(folder, './marks', POMP_ENABLE_TRACING='1', POMP_EXPERIMENT_DIRECTORY='trace', POMP_SUMMARY='off',
                 OMP_NUM_THREADS=str(THREADS), OMP_DYNAMIC='false')
    expect(plain == traced, f'the program printed {traced!r}, not {plain!r}')
    run(folder, OMPREPORT, 'check', 'trace')
    run(folder, OMPREPORT, 'summary', 'trace')
    check(folder / 'trace')
