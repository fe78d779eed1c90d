#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Loops whose iterations `ompinst race run` divides otherwise in each run: what is found by that, that nothing else of a
text changes, and what stays as it is.
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from race import build, run_race  # noqa: E402
import bench  # noqa: E402
from bench import check_equal, check_in, need, skip  # noqa: E402

PAIR = '''#include "mark.h"
int	first[1001],   second[1001];	/* a comment */ int main(void)
{
#pragma omp parallel for \\
    /* nothing */ // at all
	for (int i = 0; i < 1000; i++) {
		/* twice */ first[i]   =   i; if (i == MARK)  first[i + 1] = i; /* behind */
	}
	/* what the header has */ loop(second); return 0;
}
'''
PAIR_HEADER = '''#define MARK 57
static void loop(int *at)
{
#define LOOP _Pragma("omp parallel for")
	LOOP for (int i = 0; i < 1000; i++) {
		at[i] = i;
		if (i == MARK) at[i + 1] = i;
	}
}
'''


def test_neighbours_of_one_part_are_found_at_their_columns(place):
    """Also those that compilers always give to one thread, and in headers: nothing but the schedule is another text."""
    place.write('include/mark.h', PAIR_HEADER)
    for compiler in ('gcc', 'g++'):
        build(place, PAIR, compiler=compiler, flags=('-fopenmp', '-O1', '-Iinclude'))
        said = run_race(place, './prog', code=1).stderr
        check_in("iterations of the loop at prog.c:4 write", said)
        check_in("prog.c:7:62 in main writes first[i + 1], in 'parallel for' at prog.c:4", said)
        check_in('include/mark.h:6:', said)
        check_in('include/mark.h:7:', said)
        check_in('2 races', said)


DIVIDED = '''#include <omp.h>
#include <stdio.h>
int main(void)
{
	int of[12], same = 0;
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < 12; i++)
			of[i] = omp_get_thread_num();
#pragma omp for reduction(+ : same)
		for (long long i = 0; i < 12; i++)
			same += of[i] == omp_get_thread_num();
	}
	for (int i = 0; i < 12; i++)
		printf("%d", of[i]);
	printf(" %d\\n", same);
	return 0;
}
'''


def test_the_run_says_how_loops_are_divided(place):
    build(place, DIVIDED)
    for chunk, expected in ((None, '000011112222'), (0, '000011112222'), (1, '012012012012'), (2, '001122001122'), (7, '000000011111')):
        place.environment['OMP_NUM_THREADS'] = '3'
        if chunk is not None:
            place.environment['OMPINST_RACE'] = f'seed=0,strands=0,chunk={chunk},log=.'
        check_equal(place.run('setarch', '-R', './prog').stdout, expected + ' 12\n')


def test_messages_and_files_are_those_of_the_users_text(place):
    need('gcc', 'gfortran')
    place.write('include/mark.h', PAIR_HEADER)
    place.write('prog.c', PAIR.replace('return 0', 'int   unused; return 0'))
    place.write('part.f90', 'program p\n integer :: i, s(9)\n!$omp parallel do\n do i = 1, 9\n  s(i) = i\n end do\n'
                " print '(i0)', s(9)\nend program\n")

    def compile_it(*words, code=0):
        return place.run('ompinst', 'race', 'gcc', '-fopenmp', '-Iinclude', '-Wall', *words, '-c', 'prog.c', code=code).stderr
    said = compile_it('-MD', '-Wno-openmp')
    check_equal(said.count('warning: '), 1)
    check_in("prog.c:9:55: warning: unused variable ‘unused’", said.replace("'unused'", '‘unused’'))
    check_equal([name for name in sorted(place.read('prog.d').replace('\\\n', '').split()) if name[0] != '/'],
                ['include/mark.h', 'prog.c', 'prog.o:'])
    os.remove(place.path('prog.o'))
    check_equal(compile_it('-Werror', '-Wno-openmp', code=1).count('unused'), said.count('unused'))
    assert not place.exists('prog.o')
    compile_it('-g', '-o', 'c.o')
    place.run('ompinst', 'race', 'g++', '-x', 'c++', '-fopenmp', '-Iinclude', '-c', 'prog.c', '-o', 'cxx.o')
    place.run('ompinst', 'race', 'gfortran', '-fopenmp', '-c', 'part.f90')
    for name in ('c.o', 'cxx.o', 'part.o'):
        with open(place.path(name), 'rb') as file:
            assert b'/ompinst-' not in file.read(), f'{name} names a temporary folder'


def test_a_text_that_the_compiler_does_not_take(place):
    need('gcc')
    place.write('prog.c', PAIR.replace('#include "mark.h"', '#define MARK 57\n#define loop(x)'))
    place.write('bin/gcc', '#!/bin/sh\ncase "$* " in *"-E "*) ;; *-fdirectives-only*) echo "error: no" >&2; exit 1 ;; esac\n'
                'exec /usr/bin/gcc "$@"\n', 0o755)
    done = place.run('ompinst', 'race', place.path('bin/gcc'), '-fopenmp', '-Wno-openmp', '-c', 'prog.c')
    check_in('prog.c: warning: loops cannot get another schedule, because the compiler does not take them with it; compiled as they', done.stderr)
    check_equal(done.stderr.count('\n'), 1)
    assert place.exists('prog.o')


def test_ccache_compiles_the_text(place):
    """It drops -fdirectives-only, and what it compiles is then no C."""
    need('gcc')
    place.write('prog.c', 'int x[9];\nint main(void)\n{\n#pragma omp parallel for\n\tfor (int i = 0; i < 9; i++)\n\t\tx[i] = i;\n}\n')
    place.write('bin/gcc', '#!/bin/sh\n[ "$CCACHE_DISABLE" ] && exec /usr/bin/gcc "$@"\ncase "$* " in *"-E "*) ;; *-fdirectives-only*) exit 1 ;; esac\n'
                'exec /usr/bin/gcc "$@"\n', 0o755)
    check_equal(place.run('ompinst', 'race', place.path('bin/gcc'), '-fopenmp', '-Wno-openmp', '-c', 'prog.c').stderr, '')


# What preprocessing in two steps loses, and what the program sees of its directive.
SEEN = ('''#include <stdio.h>
#define VALUE 3
#pragma push_macro("VALUE")
#undef VALUE
#define VALUE 4
#pragma pop_macro("VALUE")
static int x[9];
int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 9; i++)
		x[i] = VALUE;
	printf("%d\\n", x[4]);
}
''', '''#include <stdio.h>
#define PRAGMA(words) _Pragma(#words)
#define SHOWN(words) puts(#words); PRAGMA(words)
int main(void)
{
	int x[9];
	SHOWN(omp parallel for)
	for (int i = 0; i < 9; i++)
		x[i] = i;
	return x[4] != 4;
}
''')


def test_a_text_that_would_mean_something_else(place):
    need('gcc')
    said = 'prog.c: warning: loops cannot get another schedule, because the text would then differ in more than schedules'
    for text, output in zip(SEEN, ('3\n', 'omp parallel for\n')):
        place.write('prog.c', text)
        done = place.run('ompinst', 'race', 'gcc', '-fopenmp', '-Wno-openmp', 'prog.c', '-o', 'prog')
        check_in(said, done.stderr)
        check_equal(done.stderr.count('\n'), 1)
        if not bench.is_emulated():
            check_equal(place.run('setarch', '-R', './prog').stdout, output)


def test_sources_that_stay_as_they_are(place):
    """One sentence says why; where nothing can be divided, there is none."""
    need('gcc', 'gfortran')
    place.write('part.c', 'int part;\n')
    place.write('part.i', 'int part;\n')
    place.write('part.f90', 'subroutine part\nend subroutine\n')
    place.write('src/other.f90', 'subroutine other\nend subroutine\n')
    for words, why in ((('gcc', '-x', 'c', '-'), 'the source is no file'),
                       (('gcc', 'part.c', 'part.f90'), 'sources of several languages are compiled in one command'),
                       (('gfortran', 'part.f90', 'src/other.f90'), 'files of several folders are compiled in one command'),
                       (('gfortran', '-cpp', '-MD', 'part.f90'), 'a dependency file would name a changed copy'),
                       (('gfortran', '-ffree-form', 'part.f90'), "the form is not that of the file's name"),
                       (('gcc', '-fpreprocessed', 'part.c'), None), (('gcc', 'part.i'), None), (('gcc', 'part.c'), None), (('gfortran', 'part.f90'), None)):
        said = place.run('ompinst', 'race', *words, '-fopenmp', '-c', input='int part;\n').stderr
        check_equal(said.count('\n'), why is not None)
        check_in(f'loops cannot get another schedule, because {why}; compiled as they are' if why else '', said)


def test_what_clang_includes_by_flag(place):
    need('clang')
    place.write('first.h', 'enum { FIRST = 3 };\n')
    place.write('prog.c', 'int x[9];\nint main(void)\n{\n#pragma omp parallel for\n\tfor (int i = 0; i < 9; i++)\n\t\tx[i] = FIRST;\n}\n')
    check_equal(place.run('ompinst', 'race', 'clang', '-fopenmp', '-pedantic', '-Wno-openmp', '-include', 'first.h', '-c', 'prog.c').stderr, '')


def test_doacross_of_clang(place):
    """Iterations that are not ordered are not, however near they are to ordered ones."""
    clang = next((name for name in ('clang-19', 'clang-18', 'clang-17', 'clang') if shutil.which(name)), None)
    if bench.is_emulated() or clang is None:
        skip('needs clang, and ThreadSanitizer, which does not run in an emulator')
    kernel = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'kernels', 'iterations-doacross.c')
    for flags, races in ((), 1), (('-DFIXED',), 0):
        if place.run('ompinst', 'race', clang, '-fopenmp', '-Wno-openmp', *flags, kernel, '-o', 'prog', code=None).returncode != 0:
            skip('this clang has no ThreadSanitizer')
        done = run_race(place, './prog', code=None)
        if done.returncode == 2:
            skip('the ThreadSanitizer of this clang does not run here')
        check_equal(done.returncode, races)


def test_loops_of_fortran(place):
    need('gfortran')
    place.write('src/shared.inc', '  integer, parameter :: n = 1000\n')
    place.write('src/mark.h', '#define MARK 57\n')
    place.write('src/free.F90', 'subroutine free_form(a)\n  include "shared.inc"\n#include "mark.h"\n  integer :: a(n + 1), i\n'
                '!$omp parallel do default(none) shared(a) private(i) if(n > 10 .and. n < 100000 .and. n /= 999 .and. n /= 9999) '
                '&\n!$omp num_threads(4)\n  do i = 1, n\n     a(i) = i\n     if (i == MARK) a(i + 1) = i\n  end do\nend subroutine\n')
    place.write('src/fixed.f', '      subroutine fixed_form(b)\n      integer b(1001), i, first, second\n'
                'c$omp parallel do private(i, first, second) shared(b)\n      do 10 i = 1, 1000\n        b(i) = i\n'
                '        if (i .eq. 57) b(i + 1) = i\n 10   continue\n      end\n')
    place.write('src/main.f90', 'program p\n  integer :: a(1001), b(1001)\n  call free_form(a)\n  call fixed_form(b)\nend program\n')
    if bench.is_emulated():
        skip('needs ThreadSanitizer, which does not run in an emulator')
    place.run('ompinst', 'race', 'gfortran', '-fopenmp', '-g', 'src/free.F90', 'src/fixed.f', 'src/main.f90', '-o', 'prog')
    said = run_race(place, './prog', code=1).stderr
    check_in("iterations of the loop at src/free.F90:5 write", said)
    for line in ('src/free.F90:8:', 'src/free.F90:9:', 'src/fixed.f:5:', 'src/fixed.f:6:'):
        check_in(line, said)
    check_in("iterations of the loop at src/fixed.f:3 write", said)


if __name__ == '__main__':
    bench.main(globals())
