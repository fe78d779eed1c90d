#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst race --memory`: how memory errors are reported, and that they take part in what users say of findings."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in, need, skip  # noqa: E402

# The task waits until the memory has been freed.
FREED = r'''#include <sched.h>
#include <stdlib.h>
static int result, gate;
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		int *values = calloc(100, sizeof *values), is_open;
#pragma omp task firstprivate(values) private(is_open)
		{
			do {
				sched_yield();
#pragma omp atomic read
				is_open = gate;
			} while (!is_open);
			result = values[50];
		}
		free(values);
#pragma omp atomic write
		gate = 1;
	}
	return 0;
}
'''
READ, FREE = 17, 19  # lines of FREED

COPYIN = r'''#include <stdlib.h>
static int *buffer;
#pragma omp threadprivate(buffer)
int main(void)
{
	buffer = calloc(8, sizeof *buffer);
#pragma omp parallel num_threads(2)
	buffer[1] = 1;
	return 0;
}
'''

UNWRITTEN = r'''static int result;
int main(void)
{
	int factor = 3;
#pragma omp parallel num_threads(2) private(factor)
	if (factor > 2)
#pragma omp atomic write
		result = 1;
	return 0;
}
'''


def build(place, text=FREED, words=('--memory', 'gcc')):
    if bench.is_emulated():
        skip('needs AddressSanitizer, which does not run in an emulator')
    need(words[1])
    place.write('prog.c', text)
    place.run('ompinst', 'race', *words, '-fopenmp', '-O1', 'prog.c', '-o', 'prog')
    return './prog'


def run_race(place, *words, code, **rest):
    return place.run('ompinst', 'race', 'run', *words, code=code, **rest)


def test_freed_memory_in_the_words_of_openmp(place):
    done = run_race(place, build(place), code=1)
    check_in(f"memory: a task of 'task' at prog.c:10 reads values[50] at prog.c:{READ}, but the memory was freed at prog.c:{FREE}",
             done.stderr)
    check_in('allocated at prog.c:9', done.stderr)
    check_in("fix: '#pragma omp taskwait' before the memory is freed", done.stderr)
    check_in("1 memory error in './prog' (3 runs", done.stderr)
    for ours in ('libgomp', 'libasan', 'ompinst-memory'):
        check_not_in(ours, done.stderr)


def test_a_right_program_is_silent(place):
    program = build(place, FREED.replace('\t\tfree(values);\n', ''))
    check_in("no memory errors found in './prog'", run_race(place, program, code=0).stderr)


def test_documents(place):
    program = build(place)
    run_race(place, '--format=json', '--output=all.json', program, code=1)
    error, = json.loads(place.read('all.json'))['races']
    check_equal((error['rule'], error['memory_error'], error['counts']), ('freed-memory', 'heap-use-after-free', True))
    check_equal([one['line'] for one in error['places']], [READ, FREE])
    check_equal(error['places'][0]['construct']['name'], 'task')
    run_race(place, '--format=sarif', '--output=all.sarif', program, code=1)
    result, = json.loads(place.read('all.sarif'))['runs'][0]['results']
    check_equal(result['ruleId'], 'freed-memory')
    run_race(place, '--format=html', '--output=all.html', program, code=1)
    check_in("href='#rule-freed-memory'", place.read('all.html'))
    check_in('<title>memory errors', place.read('all.html'))


def test_what_users_say_of_it(place):
    program = build(place)
    run_race(place, '--format=json', '--output=known.json', program, code=1)
    done = run_race(place, '--baseline=known.json', program, code=0)
    check_in('no other memory errors', done.stderr)
    check_in('1 known memory error', done.stderr)
    place.write('own', 'race:main\n')
    check_in('1 memory error suppressed', run_race(place, '--suppressions=own', program, code=0).stderr)
    program = build(place, FREED.replace('\t\tfree(values);', '\t\tfree(values); /* omp race: allow: it is a test */'))
    check_in('1 memory error allowed by comments', run_race(place, program, code=0).stderr)


def test_a_copy_that_was_not_set(place):
    done = run_race(place, build(place, COPYIN), code=1)
    check_in('buffer[1] at prog.c:8 through a null pointer: buffer is threadprivate', done.stderr)
    check_in("fix: copyin(buffer) on 'parallel' at prog.c:7", done.stderr)
    check_in('was ended by signal', done.stderr)


def test_a_script_and_own_options(place):
    build(place)
    place.write('script', '#!/bin/sh\necho "$ASAN_OPTIONS"\n./prog\n', 0o755)
    done = run_race(place, '--memory', './script', code=1, env={'ASAN_OPTIONS': 'redzone=64'})
    check_in('redzone=64:halt_on_error=0', done.stdout)
    check_in(f'prog.c:{FREE}', done.stderr)
    place.write('nothing', '#!/bin/sh\n', 0o755)
    check_in("was built with a sanitizer; build it with 'ompinst race --memory gcc ...'",
             run_race(place, '--memory', './nothing', code=2).stderr)


def test_mistakes(place):
    place.write('x.c', 'int x;\n')
    for words, said in (
            (('--memory',), "expected a compiler's command"),
            (('--memory=x', 'gcc'), "unknown option '--memory=x'"),
            (('--memory', 'gcc', '-fsanitize=thread', '-c', 'x.c'), "'-fsanitize=thread' cannot be among the flags"),
            (('--memory', 'gcc', '-static', '-c', 'x.c'), "'-static' cannot be among the flags"),
            (('--memory=uninitialized', 'gcc', '-c', 'x.c'), 'expected clang')):
        check_in(said, place.run('ompinst', 'race', *words, code=2).stderr)


def test_a_value_that_was_never_written(place):
    done = run_race(place, build(place, UNWRITTEN, ('--memory=uninitialized', 'clang')), code=1)
    check_in("use factor at prog.c:6, which was never written: the private clause of 'parallel' at prog.c:5", done.stderr)
    check_in("fix: firstprivate(factor) on 'parallel' at prog.c:5", done.stderr)
    program = build(place, UNWRITTEN.replace(' private(', ' firstprivate('), ('--memory=uninitialized', 'clang'))
    check_in('no memory errors', run_race(place, program, code=0).stderr)


if __name__ == '__main__':
    bench.main(globals())
