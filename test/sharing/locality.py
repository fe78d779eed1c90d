#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst sharing run --locality`: what it says of data that another thread had before, and of which reason."""
import json
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in, need  # noqa: E402

LINES = (1 << 16) * 8 // 64  # of the arrays of most kernels
STEPS = 12


def build(place, text, compiler='gcc', source='prog.c', flags=()):
    need(compiler)
    place.write(source, text)
    place.run('ompinst', 'sharing', compiler, '-O2', '-fopenmp', *flags, f'-I{FOLDER}/moved', source, '-o', 'prog')
    return './prog'


def kernel(place, name, **rest):
    with open(os.path.join(FOLDER, 'moved', name), encoding='utf-8') as file:
        return build(place, file.read(), **rest)


def run(place, *words, code=1, **rest):
    return place.run('ompinst', 'sharing', 'run', '--transfer=10', *words, code=code, **rest)


def findings(place, program, code=1):
    run(place, '--locality', '--format=json', '--output=report', program, code=code)
    return [one for one in json.loads(place.read('report'))['findings'] if one['kind'] == 'moved-data']


def line_of(place, text, number=0):
    """The line of the source that contains the text; with a number, the one after that many others."""
    return [i for i, line in enumerate(place.read('prog.c').split('\n'), 1) if text in line][number]


def test_a_dynamic_schedule(place):
    (finding,) = findings(place, kernel(place, 'dynamic-steps.c'))
    check_equal([finding[key] for key in ('counts', 'variable', 'memory', 'cause', 'threads', 'lines_moved', 'tasks')],
                [True, 'u', 'heap', 'chunks', [0, 1], (STEPS - 1) * LINES, 0])
    check_equal(finding['lines_used'] // STEPS, LINES)  # the first and the last are only partly the array's
    check_equal(finding['bytes_moved'], (STEPS - 1) * LINES * 64)
    check_equal(round(finding['share_moved'], 2), round((STEPS - 1) / STEPS, 2))
    loop = line_of(place, '#pragma omp for')
    check_equal((finding['now']['construct'], finding['now']['construct_line']), ('for', loop))
    (before,) = finding['before']
    check_equal((before['construct_line'], before['lines_moved'], before['serial']), (loop, (STEPS - 1) * LINES, False))
    check_equal(finding['allocated']['line'], line_of(place, 'calloc'))


def test_the_text(place):
    program = kernel(place, 'dynamic-steps.c', flags=['-DCHUNKS=schedule(dynamic,HALF)'])
    said = run(place, '--locality', program).stderr
    loop = line_of(place, '#pragma omp for')
    check_in(f"moved data: 92 % of the lines of u that 'for' at prog.c:{loop} uses were another thread's before, in 'for' at prog.c:{loop}", said)
    check_in(f"before: 92 % in 'for' at prog.c:{loop}, at prog.c:{loop + 4}", said)
    check_in(f'moved: {(STEPS - 1) * LINES} lines, 5.8 MB, of 6.3 MB that it uses in all', said)
    check_in(f"why: chunks of 'for' at prog.c:{loop} went to the thread that asked for one", said)
    check_in('fix: schedule(static): then each thread has the same iterations each time', said)
    check_in('1 use of data that another thread had before', said)
    check_not_in('cost: about', said)


def test_without_the_option_it_is_counted_only(place):
    program = kernel(place, 'dynamic-steps.c')
    said = run(place, program, code=0).stderr
    check_in('1 use of data that another thread had before (--locality lists them)', said)
    check_not_in('moved data:', said)
    run(place, '--format=json', '--output=report', program, code=0)
    check_equal(json.loads(place.read('report'))['findings'], [])


def test_the_schedule_of_a_loop_with_schedule_runtime(place):
    text = open(os.path.join(FOLDER, 'moved', 'runtime-schedule.c'), encoding='utf-8').read()
    (finding,) = findings(place, build(place, text))
    check_equal((finding['cause'], finding['now']['schedule']), ('chunks', 'runtime'))
    own = build(place, text.replace('omp_set_schedule(omp_sched_dynamic, HALF);', ''))
    run(place, '--locality', own, env={'OMP_SCHEDULE': 'dynamic,32768'})
    run(place, '--locality', own, env={'OMP_SCHEDULE': 'static'}, code=0)


def test_a_loop_with_which_the_data_stays_is_named(place):
    text = """#include "turns.h"
#include <omp.h>
#include <stdio.h>
enum { N = 1 << 16, HALF = N / 2 };
static double u[N];
int main(void)
{
#pragma omp parallel num_threads(2)
	for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			u[i] += 0.5 * i;
#pragma omp for schedule(static) /* stays */
		for (int i = 0; i < N; i++)
			u[i] *= 0.5;
		wait_for_turn(omp_get_thread_num() == 1, step);
#pragma omp for schedule(dynamic, HALF)
		for (int i = 0; i < N; i++) {
			if (i % HALF == 0)
				begin_part(step);
			u[i] += 1;
		}
	}
	printf("%g\\n", u[N - 1]);
	return 0;
}
"""
    found = findings(place, build(place, text))
    dynamic, first = line_of(place, 'dynamic, HALF'), line_of(place, 'schedule(static)')
    stays = line_of(place, 'stays')
    check_equal(sorted((one['now']['construct_line'], one['before'][0]['construct_line'], one['cause']) for one in found),
                [(first, dynamic, 'chunks'), (dynamic, stays, 'chunks')])
    for finding in found:
        check_in(f"; in 'for' at prog.c:{stays} (schedule(static)) 0 % of the same data's lines were another thread's", finding['why'])


def check_cause(place, name, cause, count, **rest):
    found = findings(place, kernel(place, name, **rest))
    check_equal([finding['cause'] for finding in found], [cause] * count)
    return found


def test_different_schedules(place):
    found = check_cause(place, 'cyclic-then-blocks.c', 'unknown', 2)  # the clause is a macro's
    check_equal(sorted(str(finding['now']['schedule']) for finding in found), ['None', 'static'])
    with open(os.path.join(FOLDER, 'moved', 'cyclic-then-blocks.c'), encoding='utf-8') as file:
        text = file.read()
    found = findings(place, build(place, text.replace('for CHUNKS', 'for schedule(static, 1024)')))
    check_equal([finding['cause'] for finding in found], ['schedules'] * 2)
    check_in('have different schedules', found[0]['why'])


def test_different_bounds(place):
    check_cause(place, 'half-of-the-loop.c', 'bounds', 2)


def test_other_elements(place):
    check_cause(place, 'reversed.c', 'elements', 2)


def test_one_thread_in_between(place):
    found = check_cause(place, 'serial-between.c', 'one-thread', 2)
    check_equal(sorted(finding['now']['serial'] for finding in found), [False, True])
    check_cause(place, 'single-between.c', 'one-thread', 2)


def test_tasks(place):
    (finding,) = check_cause(place, 'stolen-tasks.c', 'tasks', 1)
    check_equal((finding['tasks'], finding['tasks_stolen']), (STEPS, STEPS // 2))
    check_in('6 of 12 tasks were stolen', finding['why'])
    check_in('with an affinity clause', finding['remedies'][1])
    (finding,) = check_cause(place, 'swapped-blocks.c', 'tasks', 1)
    check_equal((finding['tasks'], finding['tasks_stolen']), (2 * STEPS, 0))
    check_in('none was stolen', finding['why'])
    found = check_cause(place, 'tasks-by-one.c', 'tasks', 4)
    check_in('tasks used it before', next(one['why'] for one in found if one['now']['construct'] == 'parallel for'))


def test_tasks_with_an_affinity_clause(place):
    with open(os.path.join(FOLDER, 'moved', 'stolen-tasks.c'), encoding='utf-8') as file:
        text = file.read()
    (finding,) = findings(place, build(place, text.replace('task if (step % 2)', 'task if (step % 2) affinity(u)')))
    check_in('their affinity clause alone has not brought them there', finding['remedies'][1])


def test_a_taskwait_ends_an_interval(place):
    (finding,) = check_cause(place, 'taskwait-steps.c', 'tasks', 1)
    check_equal((finding['tasks'], finding['tasks_stolen']), (STEPS - 1, STEPS // 2))


def test_clang(place):
    found = findings(place, kernel(place, 'dynamic-between.c', compiler=bench.CLANG))
    check_equal([finding['cause'] for finding in found], ['chunks'] * 2)
    check_cause(place, 'reversed.c', 'elements', 2, compiler=bench.CLANG)


if __name__ == '__main__':
    bench.main(globals())
