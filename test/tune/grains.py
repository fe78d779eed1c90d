#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Grain of tasks: POMP_TASK_GRAINS changes how many tasks the taskloops that it names have, and from which depth on tasks are
final, and nothing else."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wrapper'))
import bench  # noqa: E402
from bench import CLANG, check_equal, check_in, need  # noqa: E402

# Each task has a counter of its own, by whose first step it is counted.
PROGRAM = r'''#include <omp.h>
#include <stdio.h>
enum { COUNT = 64 };
#define LOOP                                 \
	for (int i = 0; i < COUNT; i++)      \
		if (first++ == 0)            \
			_Pragma("omp atomic") tasks++
static int finals;
/* A tree of 2^6 leaves. */
static void branch(int depth)
{
	if (omp_in_final())
		_Pragma("omp atomic") finals++;
	for (int i = 0; i < 2 && depth < 6; i++) {
#pragma omp task final(depth >= 4) /* final */
		branch(depth + 1);
	}
#pragma omp taskwait
}
int main(void)
{
	int tasks = 0, first = 0;
	volatile int four = 4;
#pragma omp taskloop grainsize(four) firstprivate(first) shared(tasks) /* grain */
	LOOP;
	printf("grain: %d\n", tasks);
	tasks = 0;
#pragma omp taskloop num_tasks(8) firstprivate(first) shared(tasks) /* number */
	LOOP;
	printf("number: %d\n", tasks);
	tasks = 0;
#pragma omp taskloop grainsize(COUNT) firstprivate(first) shared(tasks) /* other */
	LOOP;
	printf("other: %d\n", tasks);
#pragma omp parallel
#pragma omp single
	branch(0);
	printf("finals: %d\n", finals);
	return 0;
}
'''
# Final are the tasks of a depth of 5 and 6.
PLAIN = {'grain': '16', 'number': '8', 'other': '1', 'finals': str(2**5 + 2**6)}


def line_of(word):
    return [number for number, line in enumerate(PROGRAM.splitlines(), 1) if f'/* {word} */' in line][0]


def build(place, *words, compiler='gcc'):
    need(compiler)
    place.write('grains.c', PROGRAM)
    place.run('ompinst', *words, compiler, '-O1', '-fopenmp', 'grains.c', '-o', 'grains')


def output(place, setting, **environment):
    done = place.run('./grains', env={'POMP_SUMMARY': 'off', 'POMP_TASK_GRAINS': setting, **environment})
    return dict(line.split(': ') for line in done.stdout.splitlines()), done.stderr


def check_program(place):
    for disable in 'yes', 'no':
        check_equal(output(place, '', POMP_DISABLE=disable), (PLAIN, ''))
        for grain, number, expected in (('*4', '/4', ('4', '2')), ('/2', '*2', ('32', '16')), ('8', '1', ('8', '1')), ('/100', '*8', ('64', '64'))):
            setting = f'grains.c:{line_of("grain")}={grain};grains.c:{line_of("number")}={number}'
            check_equal(output(place, setting, POMP_DISABLE=disable), ({**PLAIN, 'grain': expected[0], 'number': expected[1]}, ''))


        for limit, depths in (('*4', ()), ('/2', (3, 4, 5, 6)), ('/4', (2, 3, 4, 5, 6)), ('5', (6,)), ('7', ()), ('*1000000000', ())):
            setting = f'grains.c:{line_of("final")}={limit}'
            check_equal(output(place, setting, POMP_DISABLE=disable), ({**PLAIN, 'finals': str(sum(2**depth for depth in depths))}, ''))


def test_the_bundled_runtime(place):
    build(place, '--tunable-tasks')
    check_program(place)


def test_the_compilers_own_runtime(place):
    build(place, '--tunable-tasks', '--runtime=system')
    check_program(place)


def test_clang(place):
    need(CLANG)
    build(place, '--tunable-tasks', compiler=CLANG)
    check_program(place)


def test_values_of_the_setting(place):
    build(place, '--tunable-tasks')
    for value, said in (('grains.c=3', "'grains.c=3': expected FILE:LINE=N, *N or /N; it is ignored"),
                        ('grains.c:4=0', "'grains.c:4=0': expected"),
                        ('grains.c:4=-2', "'grains.c:4=-2': expected"),
                        ('grains.c:4=*', "'grains.c:4=*': expected"),
                        (f'grains.c:{line_of("grain")}=+2', 'expected'),
                        ('grains.c:1=3', "'grains.c:1=3' has changed nothing: the program has executed no task there")):
        lines, stderr = output(place, value)
        check_in(f'pomp: POMP_TASK_GRAINS: {said}' if said.startswith("'") else said, stderr)
        check_equal((lines, stderr.count('\n')), (PLAIN, 1))


def test_without_the_option_nothing_changes(place):
    build(place)
    lines, said = output(place, f'grains.c:{line_of("grain")}=*4')
    check_equal(lines, PLAIN)
    check_in('built with --tunable-tasks', said)


if __name__ == '__main__':
    bench.main(globals())
