#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst race run --inputs`: one report of runs with several lists of arguments."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from race import build, run_race  # noqa: E402
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in  # noqa: E402

# The arguments say what is executed, and how the program ends.
PROGRAM = r'''#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int sum, x[101];
omp_lock_t in, out;
static int has(char **words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}
static void add(void)
{
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		sum += i;
}
static void shift(void)
{
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		x[i + 1] = x[i] + 1;
}
static void take(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	omp_set_lock(second);
	omp_unset_lock(second);
	omp_unset_lock(first);
}
static void lock(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		take(&in, &out);
	else
		take(&out, &in);
}
int main(int argc, char **argv)
{
	omp_init_lock(&in);
	omp_init_lock(&out);
	for (int i = 0; i < argc; i++)
		printf("%s|", i == 0 ? "" : argv[i]);
	puts("");
	if (has(argv, "add"))
		add();
	if (has(argv, "shift"))
		shift();
	if (has(argv, "lock"))
		lock();
	if (has(argv, "late") && omp_get_max_threads() == 3)
		return 3;
	if (has(argv, "end"))
		_Exit(atoi(argv[argc - 1]));
	return 0;
}
'''
ADD, SHIFT = 17, 23
QUIET = ('--runs=2', '--quiet', '--inputs=lines')


def document(place, form, *words, code, options=QUIET):
    run_race(place, *options, f'--format={form}', '--output=report', *words, './prog', code=code)
    text = place.read('report')
    return text if form == 'html' else json.loads(text)


def test_each_finding_is_there_once_with_its_inputs(place):
    build(place, PROGRAM)
    place.write('lines', 'add\nshift "two words" \'\'\n\nadd shift\n')
    done = run_race(place, *QUIET, './prog', 'first', code=1)
    check_equal(done.stdout, '|first|add|\n|first|shift|two words||\n|first|\n|first|add|shift|\n')
    check_equal(done.stderr.count('race: iterations'), 2)
    check_in("  seen in 4 of 8 runs, with 'add' (2 of 2 runs), 'add shift' (2 of 2 runs)\n", done.stderr)
    check_in("with 'shift 'two words' ''' (2 of 2 runs), 'add shift' (2 of 2 runs)\n", done.stderr)
    check_in("2 races in './prog' (8 runs with 8 and 3 threads and 4 inputs)\n", done.stderr)


def test_documents_have_the_inputs(place):
    build(place, PROGRAM)
    place.write('lines', 'add\nlock\n')
    found = document(place, 'json', code=1)
    check_equal(found['inputs'], ['add', 'lock'])
    check_equal([(run['input'], run['threads']) for run in found['runs']], [(1, 8), (2, 8), (1, 3), (2, 3)])
    check_equal([(race['with_inputs'], race['first_run'], race['in_runs']) for race in found['races']], [([1], 1, [1, 3])])
    check_equal([(one['with_inputs'], one['first_run'], one['in_runs']) for one in found['deadlocks']], [([2], 2, [2, 4])])
    texts = [result['message']['text'] for result in document(place, 'sarif', code=1)['runs'][0]['results']]
    check_equal([text[text.rindex('; seen with'):] for text in texts],
                ["; seen with 'add' (2 of 2 runs)", "; seen with 'lock' (2 of 2 runs)"])
    check_in("<dt>inputs</dt><dd>'lock' (2 of 2 runs)</dd>", document(place, 'html', code=1).replace('&#39;', "'"))
    # Without the option nothing of it is there.
    check_not_in('input', json.dumps(document(place, 'json', code=0, options=QUIET[:2])))


def test_what_counts_holds_for_all_inputs(place):
    build(place, PROGRAM)
    place.write('lines', 'add\n')
    document(place, 'json', code=1)
    os.rename(place.path('report'), place.path('known'))
    place.write('lines', 'add\nshift\n')
    said = run_race(place, *QUIET, '--baseline=known', './prog', code=1).stderr
    check_in(f'prog.c:{SHIFT}', said)
    check_not_in(f'prog.c:{ADD}', said)
    place.write('lines', '\nadd\nshift\n')
    check_in('(2 runs with 8 threads and 3 inputs)', run_race(place, *QUIET, '--stop-at-first', './prog', code=1).stderr)


def test_ends_are_compared_with_the_same_input(place):
    build(place, PROGRAM)
    place.write('lines', "end 2\nlate\n")
    said = run_race(place, '--runs=2', '--inputs=lines', './prog', code=0).stderr
    check_in("run 4, with input 'late', 3 threads, OMP_SCHEDULE=dynamic,3", said)
    check_in('ended with exit status 3, the first with 0', said)
    check_equal(said.count('the first with'), 1)
    check_in("'./prog' with input 'end 2' ended with exit status 2 in each run", said)
    check_not_in("with input 'late' ended", said)


def test_the_budget_is_for_all_runs(place):
    build(place, PROGRAM)
    place.write('prog.sh', '#!/bin/sh\n./prog; [ "$1" = now ] || sleep 100\n', 0o755)
    place.write('lines', 'now\nlater\n')
    said = run_race(place, '--time=10', '--inputs=lines', './prog.sh', code=0).stderr
    check_in("run 2, with input 'later', 8 threads, seed 0, was ended: the 10 s of --time are over", said)


def test_mistakes(place):
    build(place, PROGRAM)
    for text, said in (
            (None, "cannot read the inputs 'lines': No such file or directory; nothing is run"),
            ('', "'lines' has no line, expected a list of arguments in each; nothing is run"),
            ('add\na "b c\n', "lines:2: a quotation that begins with \" has no end in 'a \"b c': expected another \" in the same "
                              "line, or \\\" for the character itself; nothing is run"),
            ("it's\n", "lines:1: a quotation that begins with '")):
        if text is not None:
            place.write('lines', text)
        done = run_race(place, *QUIET, './prog', code=2)
        check_in(said, done.stderr)
        check_equal(done.stdout, '')
    for word in ('--results', '--verify'):
        said = run_race(place, *QUIET, word, '--cc=gcc', './prog', code=2).stderr
        check_in(f'--inputs=lines and {word} exclude each other', said)


if __name__ == '__main__':
    bench.main(globals())
