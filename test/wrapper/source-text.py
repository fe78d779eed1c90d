#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The instrumented source that `ompinst file.c` writes: it reads well, and compilers accept it as it is."""
import csv
import os
import re
import shutil

import bench
from bench import BIN, CLANG, CLANGXX, HEADER, PROGRAM, check_equal, check_in, check_not_in

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'instrumenter', 'cases')
POMP = os.path.join(BIN, '..', 'pomp')
LIBRARY = ['-L' + POMP, '-lpomp', '-lm', '-Wl,-rpath,' + POMP]
WARNINGS = ['-Wall', '-Wextra', '-Werror', '-pedantic', '-fopenmp']
C11 = ['gcc', '-std=c11', *WARNINGS]
CXX14 = ['g++', '-std=c++14', *WARNINGS]


def compilers(name):
    found = ['g++', CLANGXX] if name.endswith('.cc') else ['gcc', CLANG]
    standard = '-std=c++14' if name.endswith('.cc') else '-std=c11'
    return [[found_one, standard, *WARNINGS] for found_one in found if shutil.which(found_one)]


def outputs(place, program):
    """What the program prints, and how often each region ran."""
    done = place.run(program, env={'OMP_NUM_THREADS': '2', 'POMP_SUMMARY': place.path('profile'),
                                   'POMP_SUMMARY_FORMAT': 'csv'})
    with open(place.path('profile')) as file:
        rows = [row for row in csv.DictReader(file) if row['kind'] == 'region']
    assert rows, 'nothing was measured'
    return done.stdout, sorted(
        (os.path.basename(row['file']), int(row['begin_line']), int(row['end_line']), row['name'],
         row['sub_name'], row['count'], row['executed']) for row in rows)


def by_hand(place, source, compiler=None, flags=()):
    """Compiles and links the text as the document says."""
    stem, suffix = os.path.splitext(source)
    place.run('ompinst', '--strict', source, '--', *flags)
    place.run(*(compiler or compilers(source)[0]), *flags, *HEADER, f'{stem}.mod{suffix}', '-o', 'by-hand',
              *LIBRARY)
    return outputs(place, './by-hand')


def by_wrapper(place, source, compiler=None, flags=()):
    place.run('ompinst', '--strict', *(compiler or compilers(source)[0]), *flags, source, '-o', 'wrapped', '-lm')
    return outputs(place, './wrapped')


def test_what_is_written_by_hand_and_by_the_wrapper_does_the_same(place):
    """Everything that compiles with these warnings before does so afterwards."""
    ran = []
    for name in ('blocks.c', 'combined.c', 'conditionals.c', 'default-none.c', 'locks.c', 'loops.c',
                 'macros.c', 'regions.c', 'sections.c', 'spelling.c', 'tasks.c', 'cpp-basics.cc'):
        for extra in os.listdir(CASES):
            if extra == name or extra.endswith('.h'):
                shutil.copy(os.path.join(CASES, extra), place.path(extra))
        text = re.sub(r'/\* SPDX.*\n', '', place.read(name))
        place.write(name, text)
        for compiler in compilers(name)[:2 if name in ('blocks.c', 'combined.c', 'tasks.c') else 1]:
            if place.run(*compiler, '-c', name, '-o', 'plain.o', code=None).returncode != 0:
                continue
            ran.append(name)
            if name in ('conditionals.c', 'macros.c', 'regions.c', 'spelling.c'):  # some of theirs is left alone
                place.run('ompinst', name)
                place.run(*compiler, *HEADER, name.replace('.c', '.mod.c'), '-o', 'by-hand', *LIBRARY)
                place.run(*compiler, name, '-o', 'plain', '-lm')
                check_equal(outputs(place, './by-hand')[0],
                            place.run('./plain', env={'OMP_NUM_THREADS': '2'}).stdout, name)
            else:
                check_equal(by_hand(place, name, compiler), by_wrapper(place, name, compiler), name)
    assert len(set(ran)) > 8, ran


SAXPY = '''/* A program
 * of a person. */
#define _GNU_SOURCE /* for asprintf */
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, float a, float *x, float *y)
{
    #pragma omp parallel for /* all rows */
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i]; /* one row */
}

int main(void)
{
\tfloat x[4] = {0}, y[4] = {1, 2, 3, 4};
\tchar *text = NULL;

\tsaxpy(4, 2, x, y);
#pragma omp parallel num_threads(2)
\t{
#pragma omp single
\t\tif (asprintf(&text, "%g", y[3]) < 0) // the last one
\t\t\texit(1);
#pragma omp barrier
\t}
\tputs(text);
\tfree(text);
\treturn 0;
}
'''

WRITTEN = '''struct ompinst_text; /* written by ompinst: build with -fopenmp, link with -lpomp */
#include <pomp.h>

#ifndef saxpy_c_regions
#define saxpy_c_regions
static OMPRegDescr saxpy_c_9_parallel = {
\t"parallel", "", 0, "saxpy.c", 9, 9, 11, 11, {0}, 0};
static OMPRegDescr saxpy_c_9_for = {
\t"for", "", 0, "saxpy.c", 9, 9, 11, 11, {0}, &saxpy_c_9_parallel};
static OMPRegDescr saxpy_c_20_parallel = {
\t"parallel", "", 0, "saxpy.c", 20, 20, 26, 26, {0}, &saxpy_c_9_for};
static OMPRegDescr saxpy_c_22_single = {
\t"single", "", 0, "saxpy.c", 22, 22, 24, 24, {0}, &saxpy_c_20_parallel};
static OMPRegDescr saxpy_c_25_barrier = {
\t"barrier", "", 0, "saxpy.c", 25, 25, 25, 25, {0}, &saxpy_c_22_single};
POMP_REGISTER(saxpy_c_25_barrier);
#endif

#line 1 "saxpy.c"
/* A program
 * of a person. */
#define _GNU_SOURCE /* for asprintf */
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, float a, float *x, float *y)
{
    { pomp_handle pomp_fork_9 = pomp_parallel_fork(&saxpy_c_9_parallel); /* parallel for */
#line 9
    #pragma omp parallel firstprivate(pomp_fork_9)
    { pomp_parallel_begin(&saxpy_c_9_parallel, pomp_fork_9);
    { pomp_for_enter(&saxpy_c_9_for);
#line 9
    #pragma omp for nowait /* all rows */
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i]; /* one row */
    pomp_for_exit(&saxpy_c_9_for); } /* end of parallel for, line 9 */
    pomp_barrier_enter(&saxpy_c_9_parallel);
    #pragma omp barrier
    pomp_barrier_exit(&saxpy_c_9_parallel);
    pomp_parallel_end(&saxpy_c_9_parallel); }
    pomp_parallel_join(&saxpy_c_9_parallel, pomp_fork_9); }
#line 12
}

int main(void)
{
\tfloat x[4] = {0}, y[4] = {1, 2, 3, 4};
\tchar *text = NULL;

\tsaxpy(4, 2, x, y);
\t{ pomp_handle pomp_fork_20 = pomp_parallel_fork(&saxpy_c_20_parallel); /* parallel */
#line 20
#pragma omp parallel num_threads(2) firstprivate(pomp_fork_20)
\t{ pomp_parallel_begin(&saxpy_c_20_parallel, pomp_fork_20);
#line 21
\t{
\t\t{ pomp_single_enter(&saxpy_c_22_single); /* single */
#line 22
#pragma omp single nowait
\t\t{ pomp_single_begin(&saxpy_c_22_single);
#line 23
\t\tif (asprintf(&text, "%g", y[3]) < 0) // the last one
\t\t\texit(1);
\t\tpomp_single_end(&saxpy_c_22_single); } /* end of single, line 22 */
\t\tpomp_barrier_enter(&saxpy_c_22_single);
#pragma omp barrier
\t\tpomp_barrier_exit(&saxpy_c_22_single);
\t\tpomp_single_exit(&saxpy_c_22_single); }
\t\t{ pomp_barrier_enter(&saxpy_c_25_barrier); /* barrier */
#line 25
#pragma omp barrier
\t\tpomp_barrier_exit(&saxpy_c_25_barrier); }
#line 26
\t}
\tpomp_barrier_enter(&saxpy_c_20_parallel); /* end of parallel, line 20 */
#pragma omp barrier
\tpomp_barrier_exit(&saxpy_c_20_parallel);
\tpomp_parallel_end(&saxpy_c_20_parallel); }
\tpomp_parallel_join(&saxpy_c_20_parallel, pomp_fork_20); }
#line 27
\tputs(text);
\tfree(text);
\treturn 0;
}
'''


def test_the_text_reads_well(place):
    """Also: what the user defines for system headers still works, though pomp.h is in front."""
    place.write('saxpy.c', SAXPY)
    check_equal(by_hand(place, 'saxpy.c'), by_wrapper(place, 'saxpy.c'))
    check_equal(place.read('saxpy.mod.c'), WRITTEN)


def test_line_ends_of_windows(place):
    with open(place.path('saxpy.c'), 'wb') as file:
        file.write(SAXPY.replace('\n', '\r\n').encode())
    check_equal(by_hand(place, 'saxpy.c'), by_wrapper(place, 'saxpy.c'))
    check_equal(place.read('saxpy.mod.c', 'rb').decode(), WRITTEN.replace('\n', '\r\n'))


def test_a_text_without_an_end_of_line(place):
    place.write('a.c', 'int main(void)\n{\n\tint n = 0;\n\t#pragma omp parallel\n\tn = 1; return n - 1; }')
    by_hand(place, 'a.c')
    place.write('b.c', 'void f(int *n)\n{\n#pragma omp parallel\n\t*n = 1; } // end')
    place.run('ompinst', '--strict', 'b.c')
    place.run(*C11, *HEADER, '-c', 'b.mod.c', '-o', 'b.o')
    check_in('} // end', place.read('b.mod.c'))


def test_files_whose_names_are_no_identifiers(place):
    for name, made in (('my-prog 2.c', 'my_prog_2_c_6_for'), ('2mm.c', 'file_2mm_c_6_for'),
                       ('gr\u00f6\u00dfe.c', 'gr_e_c_6_for'), ('\u6570.c', 'c_6_for'), ('_a__b.c', 'a_b_c_6_for'),
                       ('for.cc', 'for_cc_6_for')):
        place.write(name, PROGRAM)
        check_equal(by_hand(place, name), by_wrapper(place, name), name)
        stem, suffix = os.path.splitext(name)
        check_in(f'static OMPRegDescr {made} =', place.read(f'{stem}.mod{suffix}'))


def test_directives_on_one_line(place):
    place.write('p.c', '''#include <stdio.h>
int main(void)
{
	int n = 0, p_c_7_parallel = 0;

	if (n == 0)
	{ _Pragma("omp parallel num_threads(2)") { _Pragma("omp critical") n++; _Pragma("omp critical") n++; } }
	return printf("%d\\n", n + p_c_7_parallel) < 0;
}
''')
    check_equal(by_hand(place, 'p.c'), by_wrapper(place, 'p.c'))
    for name in ('p_c_7_parallel_2', 'p_c_7_critical', 'p_c_7_critical_2'):
        check_in(f'static OMPRegDescr {name} =', place.read('p.mod.c'))


def test_locks_alone(place):
    """The linker leaves out no runtime that nothing else refers to."""
    place.write('l.c', '''#include <omp.h>
int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	return 0;
}
''')
    place.run('ompinst', '--strict', 'l.c')
    place.run(*C11, *HEADER, '-Wl,--as-needed', 'l.mod.c', '-o', 'l', *LIBRARY)
    place.run('./l')
    check_in('\n\tpomp_set_lock(&lock);\n', place.read('l.mod.c'))


def test_names_of_the_program(place):
    """Whatever it uses itself of pomp.h's, the text is right, and says so where it reads worse."""
    for number, (front, flags, word) in enumerate((
            ('typedef unsigned short WORD;\n', [], None),
            ('enum { WORD = 3 };\n', [], None),
            ('#define WORD 5\n', [], None),
            ('', ['-DWORD=int'], None),
            ('#include <pomp.h>\n', HEADER, None),
            ('#define data )(\n#define region )(\n#define task )(\n', [], None),
            ('typedef int OMPRegDescr;\n', [], 'OMPRegDescr'),
            ('struct ompregdescr { int x; };\n', [], 'ompregdescr'),
            ('#define pomp_for_enter(x) )\n', [], 'pomp_for_enter'),
            ('extern int pomp_begin;\n', [], 'pomp_begin'),
            ('#include "own.h"\n', [], 'pomp_handle'),
            ('#include "macros.h"\n', [], 'pomp_for_exit'),
            ('', ['-Ddata=)('], 'data'),
            ('', ['-D', 'region=1'], 'region'),
            ('', ['-include', 'front.h'], 'next'),
            ('static int f(int pomp_register_regions) { return pomp_register_regions; }\n'
             'int (*g)(int) = f;\n', [], 'pomp_register_regions'))):
        place.write('own.h', 'typedef char pomp_handle;\n')
        place.write('macros.h', '#define pomp_for_exit(x)\n')
        place.write('front.h', '#define next previous +\n')
        for suffix in ('.c', '.cc')[:1 if number > 1 else 2]:
            name = f'n{number}{suffix}'
            place.write(name, front + PROGRAM)
            printed, regions = by_hand(place, name, flags=flags)
            check_equal((printed, len(regions)), ('sum 4950\n', 2), name)
            text = place.read(f'n{number}.mod{suffix}')
            if word is None:
                check_in('\n#include <pomp.h>\n', text.replace(front, '', 1) if 'pomp' in front else text)
            else:
                check_in(f'\n/* Without pomp.h: the program uses the name {word} itself. */\n', text)
                check_not_in('<pomp.h>', text)


def test_what_compilers_say_of_directives_names_the_users_lines(place):
    """The first and the second part of a combined directive, one of several lines, one further down."""
    place.write('e.c', '''void f(int n, int *a)
{
	#pragma omp parallel
	a[0] = 1;
	#pragma omp parallel for num_threads(wrong_1)
	for (int i = 0; i < n; i++)
		a[i] = i;
	#pragma omp parallel for \\
		num_threads(2) \\
		schedule(dynamic, wrong_2)
	for (int i = 0; i < n; i++)
		a[i] = wrong_3;
	int unused;
	#pragma omp parallel default(none) shared(a)
	a[n] = 1; /* n: not listed */
	#pragma omp single
	wrong_4 = 1; int after;
}
''')
    def places(compiler, file):
        done = place.run(*compiler, *HEADER, '-c', file, '-o', 'e.o', code=1)
        return re.findall(r'^e\.c:(\d+):(?:\d+:)? (?:error|warning): ', done.stderr, re.M)
    place.run('ompinst', 'e.c')
    for compiler in compilers('e.c'):
        plain = places(compiler, 'e.c')
        assert {'5', '10', '12', '15', '17'} <= set(plain), plain
        check_equal(sorted(places(compiler, 'e.mod.c')), sorted(plain), compiler)


def test_comments_that_compilers_read(place):
    place.write('c.c', '''int f(int n, int *p)
{
	switch (n) {
	case 1:
		#pragma omp critical
		*p = 1; /* FALLTHROUGH */
	case 2:
		#pragma omp critical
		*p += 1; // as above
		break;
	}
	return *p;
}
''')
    place.run('ompinst', '--strict', 'c.c')
    place.run('gcc', '-std=c11', '-fopenmp', *HEADER, '-c', 'c.mod.c', '-o', 'c.o', '-Wextra', '-Werror')
    check_in('\t\t*p += 1; // as above\n', place.read('c.mod.c'))


def test_a_file_that_includes_itself(place):
    place.write('s.c', '''#ifndef SECOND
#define SECOND
#include "s.c"
int main(void)
{
	return second();
}
#else
static int second(void)
{
	int n = 0;
	#pragma omp parallel num_threads(2)
	#pragma omp atomic
	n++;
	return n - 2;
}
#endif
''')
    place.run('ompinst', '--strict', 's.c')
    text = place.read('s.mod.c')
    place.write('s.c', text)  # in the original's place
    place.run(*C11, *HEADER, 's.c', '-o', 's', *LIBRARY)
    regions = outputs(place, './s')[1]
    check_equal([(row[1], row[3], row[5]) for row in regions], [(12, 'parallel', '2'), (13, 'atomic', '2')])


def test_modules(place):
    """Nothing may stand in front of `module;`, and a module does without a header's types."""
    place.write('m.cc', '''module;
#include <cstdlib>
export module m;

export int count(int n)
{
	int s = 0;
	#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += std::abs(-1);
	return s;
}
''')
    flags = ['-std=c++20', '-fmodules-ts', '-fopenmp']
    if place.run('g++', *flags, '-c', 'm.cc', '-o', 'm.o', code=None).returncode != 0:
        bench.skip('this g++ has no modules')
    place.run('ompinst', '--strict', 'm.cc', '--', *flags)
    place.run('g++', *flags, '-Wall', '-Wextra', '-Werror', '-c', 'm.mod.cc', '-o', 'm.o')
    place.check_instrumented('m.o')


def test_functions(place):
    """With --functions; one on a line of its own, one on the line of its brace, one of C++."""
    source = PROGRAM.replace('int main(void)\n', 'static int one(int n) { return n + 1; }\n\nint main(void)\n')
    source = source.replace('sum += i;', 'sum += one(i) - 1;')
    for name in 'f.c', 'f.cc':
        place.write(name, source)
        stem, suffix = os.path.splitext(name)
        compiler = compilers(name)[0]
        place.run('ompinst', '--strict', '--functions', name)
        place.run(*compiler, *HEADER, f'{stem}.mod{suffix}', '-o', 'by-hand', *LIBRARY)
        place.run('ompinst', '--strict', '--functions', *compiler, name, '-o', 'wrapped')
        check_equal(outputs(place, './by-hand'), outputs(place, './wrapped'))
        check_in('\n\tPOMP_FUNCTION(f_c', place.read(f'{stem}.mod{suffix}'))


def test_inline_functions_of_c(place):
    """They may not use a static object; two files of one name have their own."""
    for folder in 'a', 'b':
        os.makedirs(place.path(folder), exist_ok=True)
        place.write(f'{folder}/i.c', f'''inline int {folder}(void)
{{
	int n = 0;
	#pragma omp parallel num_threads(2) default(none) shared(n)
	{{
		#pragma omp atomic
		n++;
	}}
	return n;
}}
extern inline int {folder}(void);
''')
        for compiler in reversed(compilers('i.c')):
            place.run('ompinst', '--strict', f'{folder}/i.c')
            place.run(*compiler, *HEADER, '-c', f'{folder}/i.mod.c', '-o', f'{folder}.o')
    place.write('main.c', 'int a(void), b(void);\nint main(void)\n{\n\treturn a() - b();\n}\n')
    place.run(*C11, 'main.c', 'a.o', 'b.o', '-o', 'main', *LIBRARY)
    check_equal(len(outputs(place, './main')[1]), 4, 'number of regions')


def test_where_pomp_h_is_documented(place):
    """The words that a macro in front may not replace are all that the header has."""
    header = re.sub(r'/\*.*?\*/', '', place.read(os.path.join(BIN, 'include', 'pomp.h')), flags=re.S)
    engine = os.path.join(CASES, '..', '..', '..', 'instrumenter', 'engine', 'tables', 'header-names.c')
    with open(engine) as file:
        known = re.findall(r'^    "(\w+)",$', file.read(), re.M)
    words = set(re.findall(r'\b[A-Za-z_]\w*', re.sub(r'"[^"]*"', '', header)))
    language = set('define defined endif extern GCC ifdef ifndef if elif else int char const void struct typedef '
                   'static pragma routine volatile WORD C'.split())
    left = {word for word in words if not re.match(r'pomp_|POMP_|__', word)} - language - set(known)
    check_equal(left, set())


bench.main(globals())
