#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst race run`: locks that threads take in opposite orders, of which each run shows one at most."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from race import build, run_race  # noqa: E402
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in  # noqa: E402

# Which thread gets iterations 1 and 2 depends on the run: thread 0 gets both with equal parts, threads 1 and 2 with chunks of 1.
PROGRAM = r'''#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
omp_lock_t left, right, many[640];
int taken;
static void take(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	omp_set_lock(second);
	taken++;
	omp_unset_lock(second);
	omp_unset_lock(first);
}
int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	omp_init_lock(&left);
	omp_init_lock(&right);
	for (int i = 0; i < 640; i++)
		omp_init_lock(&many[i]);
	if (strcmp(word, "twice") == 0 && fork() == 0)
		execl(argv[0], argv[0], (char *)NULL);
	wait(NULL);
	if (strcmp(word, "forth") == 0 || strcmp(word, "back") == 0) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 0 && word[0] == 'f')
			take(&left, &right);
		else if (omp_get_thread_num() == 1 && word[0] == 'b')
			take(&right, &left);
		return 0;
	}
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			take(&left, &right);
		if (i == 1 && omp_get_thread_num() == 1)
			take(&right, &left);
	}
	for (int i = 0; strcmp(word, "many") == 0 && i < 639; i++)
		take(&many[i], &many[i + 1]);
	return 0;
}
'''
FIRST, SECOND = 10, 11  # the lines where the locks are set
RUNS = ('--runs=2', '--quiet')


def document(place, form, *words, code):
    run_race(place, *RUNS, f'--format={form}', '--output=report', *words, code=code)
    text = place.read('report')
    return text if form == 'html' else json.loads(text)


def test_orders_of_different_runs_are_one_deadlock(place):
    build(place, PROGRAM)
    said = run_race(place, *RUNS, './prog', code=1).stderr
    check_in('deadlock: lock right is set at prog.c:11 while lock left is held, and lock left is set at prog.c:11 while lock right '
             'is held: two threads can wait for each other\n', said)
    check_in('    in this order in run 1\n', said)
    check_in('    in this order in run 2\n', said)
    check_in('  no run of 2 has shown all of it\n', said)
    check_in('1 possible deadlock in', said)
    check_in('no races found in', run_race(place, '--runs=1', '--quiet', './prog', code=0).stderr)


def test_documents_have_the_runs_of_each_order(place):
    build(place, PROGRAM)
    (deadlock,) = document(place, 'json', './prog', code=1)['deadlocks']
    check_equal((deadlock['rule'], deadlock['joined'], deadlock['in_runs']), ('lock-order', True, [1, 2]))
    check_equal([(step['in_runs'], step['holds']['lock'], step['holds']['line'], step['wants']['lock'], step['wants']['line'])
                 for step in deadlock['steps']],
                [([1], 'lock left', FIRST, 'lock right', SECOND), ([2], 'lock right', FIRST, 'lock left', SECOND)])
    check_not_in('needs_another_input', json.dumps(deadlock))
    (result,) = document(place, 'sarif', './prog', code=1)['runs'][0]['results']
    check_in('; lock right while lock left is held: run 1; lock left while lock right is held: run 2', result['message']['text'])
    check_equal([where['physicalLocation']['region']['startLine'] for where in result['locations']], [SECOND])
    page = document(place, 'html', './prog', code=1)
    check_in('No run of 2 has shown all of it.', page)
    check_in("<p class='quiet'>in this order in run 2</p>", page)


def test_they_are_judged_as_others_are(place):
    build(place, PROGRAM)
    document(place, 'json', './prog', code=1)
    os.rename(place.path('report'), place.path('base.json'))
    check_in('1 known deadlock', run_race(place, *RUNS, '--baseline=base.json', './prog', code=0).stderr)
    place.write('list', 'deadlock:take\n')
    check_in('1 deadlock suppressed', run_race(place, *RUNS, '--suppressions=list', './prog', code=0).stderr)
    build(place, PROGRAM.replace('(second);\n\ttaken', '(second); // omp race: allow: never at once\n\ttaken'))
    check_in('1 deadlock allowed', run_race(place, *RUNS, './prog', code=0).stderr)


def test_orders_with_different_inputs(place):
    build(place, PROGRAM)
    place.write('lines', 'forth\nback\n')
    said = run_race(place, *RUNS, '--inputs=lines', './prog', code=1).stderr
    check_in("    in this order in runs 1 and 3, with 'forth' (2 of 2 runs)\n", said)
    check_in("    in this order in runs 2 and 4, with 'back' (2 of 2 runs)\n", said)
    check_in('  no run of 4 has shown all of it, nor one of the inputs: it needs one that leads to all of these orders\n', said)
    (deadlock,) = document(place, 'json', '--inputs=lines', './prog', code=1)['deadlocks']
    check_equal((deadlock['needs_another_input'], [step['with_inputs'] for step in deadlock['steps']]), (True, [[1], [2]]))
    # One of them has each order in one of its runs.
    place.write('lines', 'both\nback\n')
    check_not_in('nor one of the inputs', run_race(place, *RUNS, '--inputs=lines', './prog', code=1).stderr)


def test_runs_that_are_not_compared(place):
    """Several processes may be different ranks; of too many orders some are not in the log."""
    build(place, PROGRAM)
    for word in ('twice', 'many'):
        check_in('no races found in', run_race(place, *RUNS, './prog', word, code=0).stderr)


if __name__ == '__main__':
    bench.main(globals())
