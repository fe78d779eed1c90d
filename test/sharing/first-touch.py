#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst sharing run --first-touch`: what it says, when a finding counts, and machines with several memory nodes.

Of the latter there are none here: a preloaded library answers the calls that ask for nodes.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in, need  # noqa: E402

PROGRAM = r'''#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	const int n = 1 << 16;
	double *u = malloc(n * sizeof *u);
	for (int i = 0; i < n; i++)
		u[i] = i % 7;
	for (int sweep = 0; sweep < 8; sweep++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < n; i++)
			u[i] = 0.5 * u[i] + 1;
	}
	printf("%g\n", u[n / 2]);
	free(u);
	return 0;
}
'''
ALLOCATED, TOUCHED, LOOP, USED = 6, 8, 10, 12  # lines of PROGRAM

NODES = r'''#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Two nodes: the first thread is on node 0, others are on node 1, or all are on node 0; all pages are on node 0. */
long syscall(long number, ...)
{
	static long (*next)(long, long, long, long, long, long, long);
	const char *how = getenv("FAKE_NODES");
	long a[6];
	va_list arguments;
	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (next == NULL)
		next = dlsym(RTLD_NEXT, "syscall");
	if (how != NULL && number == SYS_get_mempolicy) {
		*(unsigned long *)a[1] = 3;
		return 0;
	}
	if (how != NULL && number == SYS_getcpu) {
		*(unsigned *)a[1] = getpid() != gettid() && strcmp(how, "together") != 0;
		return 0;
	}
	if (how != NULL && number == SYS_move_pages) {
		if (strcmp(how, "forbidden") == 0) {
			errno = EPERM;
			return -1;
		}
		if (a[0] != 0 || a[3] != 0)
			abort();
		memset((void *)a[4], 0, (unsigned long)a[1] * sizeof(int));
		return 0;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
'''


def build(place, text=PROGRAM):
    need('gcc')
    place.write('prog.c', text)
    place.run('ompinst', 'sharing', 'gcc', '-O2', '-fopenmp', 'prog.c', '-o', 'prog')
    return './prog'


def run(place, *words, code, **rest):
    return place.run('ompinst', 'sharing', 'run', '--transfer=10', *words, code=code, **rest)


def document(place, *words, code, **rest):
    run(place, '--format=json', '--output=report', *words, code=code, **rest)
    return [finding for finding in json.loads(place.read('report'))['findings'] if finding['kind'] == 'first-touch']


def nodes(place, how):
    """The environment of a program on a machine with two nodes."""
    place.write('nodes.c', NODES)
    place.run('gcc', '-shared', '-fPIC', 'nodes.c', '-o', 'nodes.so', '-ldl')
    return {'LD_PRELOAD': place.path('nodes.so'), 'FAKE_NODES': how}


def test_text(place):
    said = run(place, '--first-touch', build(place), code=1).stderr
    check_in('first touch: u (516 KB): thread 0 touched all of it first, and ', said)
    check_in(f'touched first at prog.c:{TOUCHED} in main, outside of parallel regions: thread 0, 129 of 129 pages\n      u[i] = i % 7;', said)
    check_in('here is one node', said)
    check_in(f"prog.c:{USED}:", said)
    check_in(f"in 'parallel for' at prog.c:{LOOP}: thread 1", said)
    check_in(f'allocated at prog.c:{ALLOCATED}', said)
    check_in(f"fix: initialise u at prog.c:{TOUCHED} in a parallel loop with the schedule of 'parallel for' at prog.c:{LOOP}", said)
    check_not_in('cost:', said)
    check_in('1 array whose pages other threads touched first than use them\n', said)


def test_document(place):
    (finding,) = document(place, '--first-touch', build(place), code=1)
    check_equal([finding[key] for key in ('counts', 'variable', 'memory', 'threads', 'bytes', 'blocks', 'pages', 'serial_pages', 'nodes',
                                          'remote_share')],
                [True, 'u', 'heap', [0, 1], 528368, 1, 129, 129, 1, None])
    check_equal(finding['allocated']['line'], ALLOCATED)
    if not (0.45 <= finding['other_share'] <= 0.55 and finding['common_share'] < 0.02):
        raise AssertionError(f"{finding['other_share']} by others, {finding['common_share']} in common")
    (touched,) = finding['touched']
    check_equal([touched[key] for key in ('line', 'writes', 'threads', 'construct')], [TOUCHED, 129, [0], None])
    check_equal([(used['line'], used['threads'], used['construct']['line']) for used in finding['places']], [(USED, [1], LOOP)])


def test_one_node_is_looked_at_only_if_it_is_asked_for(place):
    program = build(place)
    check_equal(document(place, '--all', program, code=0), [])
    check_not_in('touched first', run(place, program, code=0).stderr)


def test_a_table_of_all_threads_never_counts(place):
    program = build(place, PROGRAM.replace('parallel for', 'parallel').replace('0.5 * u[i] + 1', 'u[i]').replace(
        'u[i] = u[i]', 'if (u[i] > 100) abort()'))
    (finding,) = document(place, '--first-touch', '--all', program, code=0)
    check_equal((finding['variable'], finding['counts']), ('u', False))
    (remedy,) = finding['remedies']
    check_in('numactl --interleave=all', remedy)


def test_no_change_without_a_worksharing_loop(place):
    text = PROGRAM.replace('parallel for num_threads(2)', 'parallel num_threads(2)').replace(
        'for (int i = 0; i < n; i++)\n			u', 'for (int i = n / 2 * omp_get_thread_num(), end = i + n / 2; i < end; i++)\n			u')
    (finding,) = document(place, '--first-touch', build(place, '#include <omp.h>\n' + text), code=1)
    check_equal((finding['variable'], finding['remedies']), ('u', []))


def test_schedules_that_differ(place):
    text = PROGRAM.replace('	for (int i = 0; i < n; i++)\n		u[i] = i',
                           '#pragma omp parallel for num_threads(2) schedule(static, 512)\n	for (int i = 0; i < n; i++)\n		u[i] = i')
    (finding,) = document(place, '--first-touch', build(place, text), code=1)
    check_equal(len(finding['remedies']), 1)
    check_in("one schedule for both 'parallel for' at prog.c:7, which touches u first with schedule(static, 512), and "
             "'parallel for' at prog.c:11, with schedule(static):", finding['remedies'][0])
    # Which thread has which part is the same in each run also with this schedule.
    text = text.replace('num_threads(2)\n		for', 'num_threads(2) schedule(runtime)\n		for').replace(' schedule(static, 512)', '')
    (finding,) = document(place, '--first-touch', build(place, text), code=1, env={'OMP_SCHEDULE': 'static,512'})
    check_in("schedule(static) for both 'parallel for' at prog.c:7, which touches u first with schedule(static), and "
             "'parallel for' at prog.c:11, with schedule(runtime):", finding['remedies'][0])


def test_pages_of_other_nodes(place):
    program = build(place)
    (finding,) = document(place, program, code=1, env=nodes(place, 'apart'))
    check_equal((finding['counts'], finding['nodes']), (True, 2))
    if not 0.45 <= finding['remote_share'] <= 0.55:
        raise AssertionError(f"{finding['remote_share']} remote")
    said = run(place, program, code=1, env=nodes(place, 'apart')).stderr
    check_in("on this machine's 2 memory nodes, ", said)
    check_in(" % of the uses were of another node's memory", said)


def test_threads_of_one_node_use_its_memory(place):
    program = build(place)
    (finding,) = document(place, '--first-touch', '--all', program, code=0, env=nodes(place, 'together'))
    check_equal((finding['counts'], finding['remote_share']), (False, 0))
    said = run(place, program, code=0, env=nodes(place, 'together')).stderr
    check_in('1 array whose pages other threads touched first than use them (--all lists it)', said)
    check_not_in('first touch:', said)


def test_a_static_array_has_its_pages_at_the_end(place):
    program = build(place, PROGRAM.replace('	double *u = malloc(n * sizeof *u);\n', '	static double u[1 << 16];\n').replace('	free(u);\n', ''))
    (finding,) = document(place, program, code=1, env=nodes(place, 'apart'))
    check_equal((finding['memory'], finding['counts'], finding['nodes']), ('static', True, 2))


def test_where_nodes_are_not_told(place):
    program = build(place)
    (finding,) = document(place, '--first-touch', program, code=1, env=nodes(place, 'forbidden'))
    check_equal((finding['counts'], finding['nodes'], finding['remote_share']), (True, 2, None))
    check_in('where the pages are here is not known', run(place, '--first-touch', program, code=1, env=nodes(place, 'forbidden')).stderr)


if __name__ == '__main__':
    bench.main(globals())
