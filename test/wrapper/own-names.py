#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that have names of pomp.h for something else, in files that do not include it; and measurement libraries and
objects for which these names are the calls."""
import os
import re
import shutil

import bench
from bench import CLANG, CLANGXX, HEADER, check_equal, check_in, need

POMP = os.path.join(bench.BIN, '..', 'pomp')
LIBPOMP = ['-L' + POMP, '-lpomp', '-Wl,-rpath,' + POMP]

# Locks, a user's region, and of each shape of calls one construct.
PROGRAM = r'''#include <omp.h>
#include <stdio.h>

int main(void)
{
	int sum = 0, one = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma pomp inst begin(all)
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp for
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp critical
		one = 1;
#pragma omp single
		{
#pragma omp task shared(sum)
			sum += one;
#pragma omp taskwait
		}
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
#pragma pomp inst end(all)
	printf("sum %d\n", sum);
	return sum != 4951;
}
'''


def calls_of_the_header(place):
    names = re.findall(r'\bPOMP_SYMBOL\((pomp_\w+)\)', place.read(os.path.join(bench.BIN, 'include', 'pomp.h')))
    assert len(names) > 80, names
    return names


def check_measured(place, program):
    done = place.run(program, env={'POMP_SUMMARY': 'stderr'})
    check_equal(done.stdout, 'sum 4951\n')
    for region in ('parallel', 'critical', 'all', 'taskwait'):
        check_in(region, done.stderr)


def own_texts(names):
    """What a program may have by these names: functions that are no calls, variables, both of them in C++."""
    functions = ''.join(f'int {name}(void) {{ abort(); }}\n' for name in names)
    variables = ''.join(f'int {name} = 1;\n' for name in names)
    return {'functions.c': '#include <stdlib.h>\n' + functions, 'variables.c': variables,
            'functions.cc': f'#include <stdlib.h>\nextern "C" {{\n{functions}}}\n',
            'members.cc': f'#include <stdlib.h>\nnamespace {{\n}}\nnamespace own {{\n{functions}}}\n{variables}'}


def test_own_definitions_in_another_file(place):
    place.write('prog.c', PROGRAM)
    compilers = [('gcc', 'g++')]
    if shutil.which(CLANG):
        compilers.append((CLANG, CLANGXX))
    for compiler, cxx in compilers:
        place.run('ompinst', '--strict', compiler, '-fopenmp', '-O1', '-c', 'prog.c')
        for name, text in own_texts(calls_of_the_header(place)).items():
            place.write(name, text)
            place.run('ompinst', '--strict', cxx if name.endswith('cc') else compiler, '-fopenmp', '-c', name, '-o', 'own.o')
            place.run('ompinst', '--strict', cxx, '-fopenmp', 'prog.o', 'own.o', '-o', 'prog')
            check_measured(place, './prog')


def test_own_definitions_in_a_library(place):
    place.write('prog.c', PROGRAM)
    place.write('own.c', own_texts(calls_of_the_header(place))['functions.c'] + 'int used = 1;\n')
    place.write('use.c', 'extern int used;\nint use(void) { return used; }\n')
    place.run('gcc', '-shared', '-fPIC', 'own.c', '-o', 'libown.so')
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', 'prog.c', 'use.c', '-L.', '-lown', '-Wl,-rpath,' + place.folder,
              '-o', 'prog')
    check_in('libown.so', ' '.join(place.libraries('prog')))
    check_measured(place, './prog')
    done = place.run('./prog', env={'LD_PRELOAD': place.path('libown.so')})
    check_equal(done.stdout, 'sum 4951\n')


def test_own_definitions_linked_statically(place):
    place.write('prog.c', PROGRAM)
    for name, text in own_texts(calls_of_the_header(place)).items():
        if not name.endswith('.c'):
            continue
        place.write(name, text)
        place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-static', 'prog.c', name, '-o', 'prog')
        check_measured(place, './prog')


def test_own_definitions_beside_instrumented_source(place):
    place.write('prog.c', PROGRAM)
    place.write('own.c', own_texts(calls_of_the_header(place))['functions.c'])
    # With pomp.h, and without it because the file itself has a name of its.
    for text in (PROGRAM, 'typedef int pomp_handle;\n' + PROGRAM):
        place.write('prog.c', text)
        place.run('ompinst', 'prog.c', '-o', 'out.c')
        place.run('gcc', '-fopenmp', *HEADER, 'out.c', 'own.c', '-o', 'prog', *LIBPOMP)
        check_measured(place, './prog')


def test_own_definition_of_fortran(place):
    need('gfortran')
    place.write('prog.c', PROGRAM)
    place.write('own.f90', "subroutine own() bind(c, name='pomp_parallel_fork')\n  stop 3\nend subroutine\n"
                           'subroutine pomp_begin()\n  stop 3\nend subroutine\n')
    place.run('gfortran', '-c', 'own.f90')
    place.run('ompinst', 'gcc', '-fopenmp', 'prog.c', 'own.o', '-lgfortran', '-o', 'prog')
    check_measured(place, './prog')


# A measurement library of somebody else, of the calls that PROGRAM makes.
LIBRARY = r'''#include <pomp.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int visits;
#define PAIR(one, other) \
	void pomp_##one(OMPRegDescr *r) { __atomic_fetch_add(&visits, 1, 0); (void)r; } \
	void pomp_##other(OMPRegDescr *r) { (void)r; }
PAIR(for_enter, for_exit) PAIR(critical_enter, critical_exit) PAIR(critical_begin, critical_end)
PAIR(single_enter, single_exit) PAIR(single_begin, single_end) PAIR(taskwait_enter, taskwait_exit)
PAIR(barrier_enter, barrier_exit) PAIR(begin, end)
void pomp_leave(OMPRegDescr **r) { (void)r; }
pomp_handle pomp_parallel_fork(OMPRegDescr *r) { (void)r; return 7; }
void pomp_parallel_begin(OMPRegDescr *r, pomp_handle fork) { (void)r; if (fork != 7) abort(); }
void pomp_parallel_end(OMPRegDescr *r) { (void)r; }
void pomp_parallel_join(OMPRegDescr *r, pomp_handle fork) { (void)r; if (fork != 7) abort(); }
pomp_handle pomp_task_create_begin(OMPRegDescr *r) { (void)r; return 9; }
void pomp_task_create_end(OMPRegDescr *r, pomp_handle task) { (void)r; if (task != 9) abort(); }
void pomp_task_begin(OMPRegDescr *r, pomp_handle task) { (void)r; if (task != 9) abort(); }
void pomp_task_end(OMPRegDescr *r, pomp_handle task) { (void)r; if (task != 9) abort(); }
void pomp_init_lock(void *lock) { omp_init_lock((omp_lock_t *)lock); }
void pomp_set_lock(void *lock) { omp_set_lock((omp_lock_t *)lock); }
void pomp_unset_lock(void *lock) { omp_unset_lock((omp_lock_t *)lock); }
void pomp_register_regions(OMPRegDescr *first) { if (first == NULL) abort(); }
void pomp_register_regions_in(OMPRegDescr *first, const char *folder) { (void)folder; pomp_register_regions(first); }
void pomp_unregister_regions(OMPRegDescr *first) { (void)first; printf("own library: %d visits\n", visits); }
'''


def test_a_measurement_library_of_somebody_else(place):
    place.write('prog.c', PROGRAM)
    place.write('own.c', LIBRARY)
    place.write('own.cc', LIBRARY)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'prog.c')
    place.run('ompinst', 'prog.c', '-o', 'out.c')
    place.run('gcc', '-fopenmp', *HEADER, '-c', 'out.c')
    for compiler, source in (('gcc', 'own.c'), ('g++', 'own.cc')):
        place.run(compiler, '-fopenmp', '-shared', '-fPIC', *HEADER, source, '-o', 'libown.so')
        place.run(compiler, '-fopenmp', '-c', *HEADER, source, '-o', 'own.o')
        for command in (['gcc', '-fopenmp', 'prog.o', 'own.o'], ['gcc', '-fopenmp', 'out.o', 'own.o'],
                        ['gcc', '-fopenmp', 'prog.o', '-L.', '-lown', '-Wl,-rpath,' + place.folder],
                        # In front of libpomp, which the wrapper links last.
                        ['ompinst', 'gcc', '-fopenmp', 'prog.o', '-L.', '-lown', '-Wl,-rpath,' + place.folder]):
            place.run(*command, *(['-lstdc++'] if compiler == 'g++' else []), '-o', 'prog')
            check_equal(place.run('./prog').stdout, 'sum 4951\nown library: 17 visits\n', f'output of {command}')
    # In the place of libpomp's calls, in a program that is linked with that.
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', 'prog.o', '-o', 'prog')
    done = place.run('./prog', env={'LD_PRELOAD': place.path('libown.so')})
    check_in('own library: 17 visits\n', done.stdout)


def test_a_measurement_library_that_was_compiled_before_symbols_had_names_of_their_own(place):
    """As the page on measurement has it: a file that passes the calls on."""
    place.write('prog.c', 'int main(void)\n{\n#pragma omp for\n\tfor (int i = 0; i < 9; i++)\n\t\t;\n}\n')
    place.run('ompinst', '--strict', '--disable=barrier', 'gcc', '-fopenmp', '-c', 'prog.c')
    calls = [call for call in calls_of_the_header(place) if '__' + call in place.run('nm', 'prog.o').stdout]
    check_in('pomp_for_enter', calls)
    place.write('theirs.c', '#include <stdio.h>\n' + ''.join(
        f'void {call}(void *region) {{ puts("{call}"); }}\n' for call in calls))
    place.write('pass.c', '#include <pomp.h>\n' + ''.join(
        f'extern void theirs_{call}(OMPRegDescr *region) __asm__("{call}");\n'
        f'void {call}(OMPRegDescr *region) {{ theirs_{call}(region); }}\n'
        for call in calls if not call.endswith('regions_in')))
    place.run('gcc', '-shared', '-fPIC', 'theirs.c', '-o', 'libtheirs.so')
    place.run('gcc', '-fopenmp', *HEADER, 'prog.o', 'pass.c', '-L.', '-ltheirs', '-Wl,-rpath,' + place.folder, '-o', 'prog')
    check_in('pomp_for_enter\n', place.run('./prog').stdout)


def test_a_measurement_library_is_not_instrumented(place):
    place.write('own.c', LIBRARY + 'void run(void)\n{\n#pragma omp parallel\n\tvisits++;\n}\n')
    done = place.run('ompinst', 'gcc', '-fopenmp', *HEADER, '-c', 'own.c')
    check_in("own.c: warning: cannot instrument: it defines '__pomp_", done.stderr)


def test_objects_that_were_instrumented_before_symbols_had_names_of_their_own(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-S', 'prog.c')
    text = place.read('prog.s')
    former = re.sub(r'\b__(pomp_(?:%s)\b)' % '|'.join(name[len('pomp_'):] for name in calls_of_the_header(place)), r'\1', text)
    assert former != text
    place.write('former.s', former)
    for flags in ([], ['-static']):
        place.run('ompinst', 'gcc', '-fopenmp', *flags, 'former.s', '-o', 'prog')
        check_measured(place, './prog')
    # By hand, without the header.
    place.write('hand.c', 'void pomp_init(void), pomp_off(void), pomp_on(void), pomp_finalize(void);\n'
                          'int main(void)\n{\n\tpomp_init();\n\tpomp_off();\n\tpomp_on();\n\tpomp_finalize();\n\treturn 0;\n}\n')
    place.run('gcc', 'hand.c', '-o', 'hand', *LIBPOMP)
    place.run('./hand')


bench.main(globals())
