#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Warnings and errors: the user reads exactly what the compiler says about the user's own file."""
import bench
from bench import CLANG, LIBRARY, PROGRAM, check_equal, check_in

# Compilers judge this text differently once it is preprocessed: comments and macros are gone.
NOISY_ONCE_PREPROCESSED = r'''#include <ctype.h>
#include <math.h>
#include <stdio.h>
#define CHECK(x) if (x) return 1; else return 2
#define SAME(a) ((a) == (a))
int switched(int n)
{
	switch (n) {
	case 1:
		n++;
		/* fall through */
	case 2:
		n++;
	}
	CHECK(isnan((float)n) || isalpha(n) || SAME(n));
}
''' + LIBRARY


def same_messages(place, *arguments, compiler='gcc', output='x.o'):
    """The wrapper's messages and exit code equal the compiler's; returns the wrapper's run."""
    plain = place.run(compiler, *arguments, code=None)
    done = place.run('ompinst', compiler, *arguments, code=plain.returncode)
    check_equal(done.stderr, plain.stderr, 'messages')
    check_equal(done.stdout, plain.stdout, 'output')
    return done


def compilers():
    import shutil
    return [name for name in ('gcc', CLANG, 'clang') if shutil.which(name)]


def test_warnings_come_once_and_from_the_original(place):
    place.write('w.c', '#warning "look"\nstatic int unused;\n#define BAD(x) int x; return x\n'
                       'int f(void) { BAD(y); }\n' + LIBRARY)
    for compiler in compilers():
        same_messages(place, '-O2', '-Wall', '-Wextra', '-fopenmp', '-c', 'w.c', '-o', 'x.o',
                      compiler=compiler)
        place.check_instrumented('x.o')


def test_warnings_are_in_a_compile_and_link(place):
    place.write('w.c', 'static int unused;\n' + PROGRAM)
    same_messages(place, '-Wall', '-fopenmp', 'w.c', '-o', 'prog')
    place.check_instrumented('prog')


def test_warnings_far_down_in_a_file(place):
    """The compiler's layout changes with the width of the line number."""
    place.write('bin/gcc', '#!/bin/sh\necho "$*" >>"$RECORD"\nexec gcc "$@"\n', 0o755)
    place.write('w.c', LIBRARY + '\n' * 123456 + 'int f(int a)\n{\n\tint unused;\n\treturn a;\n}\n')
    flags = ['-Wall', '-fopenmp', '-c', 'w.c', '-o', 'x.o']
    plain = place.run('gcc', *flags)
    done = place.run('ompinst', 'bin/gcc', *flags, env={'RECORD': place.path('record')})
    check_in('[-Wunused-variable]', done.stderr)
    check_equal(done.stderr, plain.stderr, 'messages')
    check_equal(len(place.read('record').splitlines()), 2, 'runs of the compiler')


def test_warnings_of_every_stage(place):
    """One warning each from the preprocessor, the parser and the optimiser."""
    for text in ('/* /* */ int f;', '#define UNUSED 1\nint f;', '#if FOO\n#endif\nint f;',
                 '#pragma unknown thing\nint f;',
                 'int f(int a) { switch (a) { case 1: a++; case 2: a--; } return a; }',
                 'int f(int a) { if (a = 1) return 2; return 3; }',
                 'int f(int a) { int b; return a + b; }',
                 '#include <stdio.h>\nvoid f(void) { printf("%d", 1L); }',
                 'int f(void) { int a[2] = {0}; return a[2]; }',
                 'static int g(void) { return 1; }'):
        place.write('w.c', text + '\n' + LIBRARY)
        done = same_messages(place, '-O2', '-Wall', '-Wextra', '-Wunused-macros', '-Wundef',
                             '-fopenmp', '-c', 'w.c', '-o', 'x.o')
        check_in('warning:', done.stderr)
        place.check_instrumented('x.o')


def test_unused_linker_arguments(place):
    place.write('lib.c', LIBRARY)
    for compiler in compilers():
        same_messages(place, '-lm', '-L.', '-shared', '-fopenmp', '-c', 'lib.c', '-o', 'x.o',
                      compiler=compiler)
        place.check_instrumented('x.o')


def test_libraries_of_a_compile_and_link_are_its_links(place):
    """Also where the compiler looks at the original again, and where one input is compiled as it is."""
    place.write('many.c', '#include <stdio.h>\nint plain(void);\nint main(void)\n{\n\tint count = plain();\n' +
                '#pragma omp parallel\n\t{\n#pragma omp masked\n\t\t{ count++; }\n'
                '#pragma omp masked filter(0)\n\t\t{ count++; }\n\t}\n\treturn count - 2;\n}\n')
    place.write('plain.c', 'int plain(void)\n{\n\treturn 0;\n}\n')
    for compiler in compilers():
        if compiler == 'clang':
            continue  # perhaps without its runtime
        place.run('ompinst', '--strict', compiler, '-Wall', '-Wextra', '-Werror', '-pedantic', '-fopenmp',
                  'many.c', 'plain.c', '-o', 'many', '-lm')
        place.run('./many')


def test_werror_does_not_break_clean_code(place):
    place.write('w.c', NOISY_ONCE_PREPROCESSED)
    for compiler in compilers():
        flags = ['-O2', '-Wall', '-Wextra', '-Wconversion', '-Wimplicit-fallthrough',
                 '-Wparentheses', '-Wlogical-op', '-Wduplicated-cond', '-Werror', '-pedantic']
        if compiler != 'gcc':
            flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-Wno-implicit-fallthrough',
                     '-Wno-tautological-compare']
        plain = place.run(compiler, *flags, '-fopenmp', '-c', 'w.c', '-o', 'x.o', code=None)
        done = place.run('ompinst', compiler, *flags, '-fopenmp', '-c', 'w.c', '-o', 'y.o',
                         code=plain.returncode)
        check_equal(done.stderr, plain.stderr, 'messages')
        if plain.returncode == 0:
            place.check_instrumented('y.o')


def test_werror_breaks_what_the_compiler_would_break(place):
    place.write('w.c', 'int f(void) { int unused; return 1; }\n' + LIBRARY)
    for flag in ('-Werror', '-Werror=unused-variable'):
        done = same_messages(place, '-Wall', flag, '-fopenmp', '-c', 'w.c', '-o', 'x.o')
        assert done.returncode != 0
        assert not place.exists('x.o')


def test_errors_are_the_compilers_own(place):
    place.write('e.c', PROGRAM + 'int g(void) { return undeclared; }\n')
    for compiler in compilers():
        done = same_messages(place, '-fopenmp', '-c', 'e.c', '-o', 'x.o', compiler=compiler)
        assert done.returncode != 0
        assert not place.exists('x.o')


def test_missing_header_and_missing_file(place):
    place.write('h.c', '#include "nowhere.h"\n' + LIBRARY)
    same_messages(place, '-fopenmp', '-c', 'h.c', '-o', 'x.o')
    same_messages(place, '-fopenmp', '-c', 'nowhere.c', '-o', 'x.o')
    same_messages(place, '-fopenmp', 'nowhere.o', '-o', 'x')


def test_errors_of_a_link(place):
    place.write('l.c', 'int missing(void);\nint main(void) { return missing(); }\n' + LIBRARY)
    plain = place.run('gcc', '-fopenmp', 'l.c', '-o', 'prog', code=None)
    done = place.run('ompinst', 'gcc', '-fopenmp', 'l.c', '-o', 'prog', code=plain.returncode)
    check_in("undefined reference to `missing'", done.stderr)
    assert 'pomp' not in done.stderr, done.stderr


def test_compilers_own_usage_errors(place):
    place.write('a.c', LIBRARY)
    place.write('b.c', LIBRARY)
    same_messages(place, '-fopenmp', '-c', 'a.c', 'b.c', '-o', 'x.o')
    same_messages(place, '-fopenmp', '-c', 'a.c', '-o')
    same_messages(place, '-fopenmp', '-nonsense', '-c', 'a.c')
    same_messages(place, '-fopenmp', '-c', 'a.c', '-I')
    same_messages(place, '-fopenmp')
    same_messages(place, '-c', '-fopenmp', 'a.c', '-std=c1')


def test_warnings_do_not_disturb_dependency_files(place):
    place.write('w.c', 'static int unused;\n' + LIBRARY)
    for compiler in compilers():
        for flags in (['-Wp,-MD,w.d'], ['-MD', '-MF', 'w.d']):
            texts = []
            for command in ([compiler], ['ompinst', compiler]):
                place.run(*command, '-Wall', *flags, '-fopenmp', '-c', 'w.c', '-o', 'w.o')
                texts.append(place.read('w.d'))
            check_equal(texts[1], texts[0], f'{compiler} {flags}')


def test_our_pragmas_are_no_unknown_ones(place):
    place.write('p.c', 'static int unused;\nint f(void)\n{\n#pragma pomp inst begin(part)\n'
                       'int n = 1;\n#pragma pomp inst end(part)\nreturn n;\n}\n')
    done = place.run('ompinst', 'gcc', '-Wall', '-fopenmp', '-c', 'p.c')
    check_in('unused', done.stderr)
    assert 'unknown-pragmas' not in done.stderr, done.stderr
    assert 'pomp_begin' in place.calls('p.o'), place.calls('p.o')


def test_debug_information_names_the_users_file(place):
    place.write('src/prog.c', PROGRAM)
    for compiler in compilers():
        place.run(compiler, '-g', '-fopenmp', '-c', 'src/prog.c', '-o', 'plain.o')
        place.run('ompinst', compiler, '-g', '-fopenmp', '-c', 'src/prog.c', '-o', 'prog.o')
        place.check_instrumented('prog.o')

        def unit(name):
            dump = place.run('readelf', '--debug-dump=info', name).stdout.splitlines()
            names = [line.split(':')[-1].strip() for line in dump if 'DW_AT_name' in line]
            folders = [line.split(':')[-1].strip() for line in dump if 'DW_AT_comp_dir' in line]
            return names[0], folders[0]
        check_equal(unit('prog.o'), unit('plain.o'))
        check_equal(unit('prog.o')[0], 'src/prog.c')


def test_directives_that_the_compiler_does_not_know_stay_so(place):
    """OpenMP 6.0's names with underscores: nothing makes them active, or says that they were executed."""
    place.write('x.c', '''int f(int x)
{
#pragma omp target_data map(tofrom: x)
	{
#pragma omp target_enter_data map(to: x)
		x++;
#pragma omp target_exit_data map(from: x)
#pragma omp target_update to(x)
		x++;
	}
#pragma omp parallel reduction(+ : x)
	x++;
	return x;
}
''')
    names = ('target_data', 'target_enter_data', 'target_exit_data', 'target_update')
    for compiler in compilers():
        done = same_messages(place, '-fopenmp', '-Wall', '-c', 'x.c', '-o', 'x.o', compiler=compiler)
        if done.returncode == 0 and 'target_data' in done.stderr:
            check_equal({call for call in place.calls('x.o') if 'target' in call}, set(), 'calls')
            place.check_instrumented('x.o')
            listed = place.run('ompinst', '--list', '--strict', compiler, '-fopenmp', '-c', 'x.c').stdout
            for name in names:
                check_in(f'{name}: passed (the compiler ignores a directive of this name)', listed)


bench.main(globals())
