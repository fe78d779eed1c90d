#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst file.c`: instrumented source of one file."""
import json
import os
import shutil

import bench
from bench import CLANG, HEADER, LIBRARY, PROGRAM, check_equal, check_in, check_not_in, need


def test_default_name_and_the_result_compiles(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'prog.c')
    text = place.read('prog.mod.c')
    check_in('pomp_parallel_fork', text)
    check_in('#include <stdio.h>', text)
    check_equal(place.read('prog.c'), PROGRAM, 'input')
    place.run('ompinst', 'gcc', '-Wall', '-Werror', *HEADER, '-c', '-fopenmp', 'prog.mod.c',
              '-o', 'p.o', env={'OMPINST': 'off'})
    place.check_instrumented('p.o')


def test_inactive_directives_stay(place):
    one = '#pragma omp critical\n\t\tresult += n;\n'
    two = '#pragma omp atomic\n\t\tresult += n;\n'
    assert one in LIBRARY
    source = LIBRARY.replace(one, f'#ifdef CAREFUL\n{one}#else\n{two}#endif\n')
    place.write('lib.c', source)
    place.run('ompinst', 'lib.c', '-o', 'one.c')
    place.run('ompinst', 'lib.c', '-o', 'two.c', '--', '-DCAREFUL')
    for name, there, absent in (('one.c', 'pomp_atomic_enter', 'pomp_critical_enter'),
                                ('two.c', 'pomp_critical_enter', 'pomp_atomic_enter')):
        check_in(there, place.read(name))
        check_not_in(absent, place.read(name))


def test_what_macros_and_headers_bring_is_listed(place):
    place.write('add.h', 'static inline void add(int *p)\n{\n#pragma omp atomic\n\t*p += 1;\n}\n'
                         '#pragma omp declare reduction(most : int : omp_out += omp_in)\n')
    place.write('lib.c', '#include "add.h"\n#define BOTH _Pragma("omp parallel") _Pragma("omp for")\n'
                         'void f(int *a)\n{\n\tBOTH\n\tfor (int i = 0; i < 9; i++)\n\t\ta[i]++;\n'
                         '#pragma omp parallel\n\tadd(a);\n}\n')
    done = place.run('ompinst', '--list=json', 'lib.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['file'], entry['line'], entry['directive'], entry['status'], entry['reason'])
                 for entry in entries],
                [('lib.c', 5, 'parallel', 'skipped', 'it comes from a macro'),
                 ('lib.c', 5, 'for', 'skipped', 'it comes from a macro'),
                 ('lib.c', 8, 'parallel', 'instrumented', ''),
                 ('add.h', 3, 'atomic', 'skipped', 'it stands in a header'),
                 ('add.h', 6, 'declare reduction', 'passed', 'declarative')])
    done = place.run('ompinst', 'lib.c')
    check_equal(done.stderr, "lib.c:5:2: warning: cannot instrument 'parallel': it comes from a macro; "
                             'left as it is (and 2 more; --verbose lists them)\n')
    place.run('ompinst', '--strict', 'lib.c', '-o', 'strict.c', code=1)
    assert not place.exists('strict.c')
    # All that the file itself shows is as without them, and the text around it is the user's.
    check_in('\tBOTH\n\tfor (int i = 0; i < 9; i++)\n\t\ta[i]++;\n', place.read('lib.mod.c'))
    place.run('gcc', *HEADER, '-Wall', '-Werror', '-fopenmp', '-c', 'lib.mod.c', '-o', 'lib.o')
    place.check_instrumented('lib.o')
    # The expansion has no such limit.
    done = place.run('ompinst', '--preprocessed', '--verbose', 'lib.c')
    check_in('4 directives instrumented, 0 skipped', done.stderr)


def test_functions_are_listed(place):
    place.write('h.h', 'static inline int of_header(int n) { return n; }\n')
    place.write('lib.c', '#include "h.h"\n#define MAKE(name) int name(int n) { return n; }\n'
                         'MAKE(of_macro)\nint own(int n)\n{\n\treturn of_header(of_macro(n));\n}\n')
    done = place.run('ompinst', '--functions', '--strict', '--list=json', 'lib.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['file'], entry['line'], entry['function'], entry['status'], entry['reason'])
                 for entry in entries],
                [('lib.c', 3, 'of_macro', 'passed', 'it comes from a macro'),
                 ('lib.c', 4, 'own', 'instrumented', ''),
                 ('h.h', 1, 'of_header', 'passed', 'it stands in a header')])


def test_macros_in_directives(place):
    place.write('lib.c', '''#ifndef WAIT
#define THREADS num_threads(2)
#define WAIT
#include "lib.c"
#undef WAIT
#define WAIT nowait
#include "lib.c"
#undef WAIT
#else
int lib(int n)
{
#pragma omp parallel THREADS
	{
#pragma omp for WAIT
		for (int i = 0; i < n; i++)
			;
	}
	return n;
}
#endif
''')
    done = place.run('ompinst', '--list=json', 'lib.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    # Twice the same, then two different things.
    check_equal([(entry['line'], entry['directive'], entry['status'], entry['reason'])
                 for entry in entries],
                [(12, 'parallel', 'instrumented', ''),
                 (14, 'for', 'skipped', "'WAIT' may be a macro that hides a clause")])
    place.run('ompinst', '--strict', 'lib.c', '--', '-DWAIT=nowait', '-DTHREADS=')
    check_in('#pragma omp for WAIT\n', place.read('lib.mod.c'))


def test_directives_in_conditionals(place):
    place.write('lib.c', '''#include <stdio.h>
#define SHARED(x) shared(x)
int main(void)
{
	int sum = 0, n = 10;
#if defined(_OPENMP)
#pragma omp parallel for default(none) SHARED(n) reduction(+ : sum)
#endif
	for (int i = 0; i < n; i++) {
#ifdef _OPENMP
#pragma omp critical
#endif
		{ sum += i; }
	}
	return printf("%d\\n", sum) < 0;
}
''')
    done = place.run('ompinst', '--strict', '--verbose', 'lib.c')
    check_in('2 directives instrumented, 0 skipped', done.stderr)
    for flags in (['-fopenmp'], []):
        place.run('gcc', *HEADER, '-Wall', '-Wextra', '-Werror', *flags, '-c', 'lib.mod.c', '-o', 'lib.o')
        place.run('ompinst', 'gcc', '-fopenmp', 'lib.o', '-o', 'lib')
        check_equal(place.run('./lib').stdout, '45\n')


def test_any_name_may_be_a_macro(place):
    place.write('lib.c', '''#include <stddef.h>
int twice(int n)
{
	int result = 0;
#pragma pomp inst begin(all)
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		result += n;
	}
	if (n > 3)
		return result;
#pragma pomp inst end(all)
	return result + 1;
}
''')
    macros = [f'-D{name}=)(' for name in (
        'name sub_name num_sections file_name begin_line1 data next region file line '
        'pomp pomp_begin pomp_end register_regions size_t_ uint64_t handle descriptor OMPRegDescr').split()]
    place.run('ompinst', '--strict', '--functions', 'lib.c', '--', *macros)
    place.run('gcc', *macros, '-Wall', '-Werror', '-fopenmp', '-c', 'lib.mod.c', '-o', 'lib.o')
    place.check_instrumented('lib.o')


def test_messages_and_debugger_see_the_users_lines(place):
    lines = PROGRAM.splitlines()
    lines.insert(lines.index('\treturn 0;'), '\tint unused = 1;')
    place.write('prog.c', '\n'.join(lines) + '\n')
    place.run('ompinst', 'prog.c')
    plain = place.run('gcc', '-g', '-Wall', '-fopenmp', '-c', 'prog.c', '-o', 'plain.o')
    done = place.run('gcc', *HEADER, '-g', '-Wall', '-fopenmp', '-c', 'prog.mod.c', '-o', 'prog.o')
    check_in('prog.c:10:13: warning: unused variable', plain.stderr)
    check_equal(done.stderr, plain.stderr, 'messages')

    def lines_of(name):
        dump = place.run('readelf', '--debug-dump=decodedline', name).stdout.splitlines()
        return {line.split()[1] for line in dump if line.startswith('prog.c ')}
    check_equal(sorted(lines_of('plain.o') - lines_of('prog.o')), [], 'lines that debuggers miss')


def test_what_ompinst_wrote_is_compiled_as_it_is(place):
    """Text written by the wrapper and for a source file, a copy, a preprocessed one, one that another file includes."""
    place.write('prog.c', PROGRAM)
    place.write('lock.c', '#include <omp.h>\nvoid lock(omp_lock_t *l)\n{\n\tomp_set_lock(l);\n}\n')
    place.write('prog.cc', PROGRAM)
    place.run('ompinst', '--keep', 'gcc', '-fopenmp', '-c', 'prog.c')
    os.rename(place.path('prog.mod.i'), place.path('kept.i'))
    for file in ('prog.c', 'lock.c', 'prog.cc'):
        place.run('ompinst', file)
    place.write('copy.c', place.read('prog.mod.c'))
    place.run('gcc', *HEADER, '-fopenmp', '-E', 'prog.mod.c', '-o', 'expanded.i')
    place.run('gcc', *HEADER, '-fopenmp', '-E', '-P', 'prog.mod.c', '-o', 'bare.i')
    for compiler, file in (('gcc', 'prog.mod.c'), ('gcc', 'copy.c'), ('gcc', 'expanded.i'),
                           ('gcc', 'bare.i'), ('gcc', 'kept.i'), ('gcc', 'lock.mod.c'),
                           ('g++', 'prog.mod.cc'), (CLANG, 'prog.mod.c')):
        if shutil.which(compiler) is None:
            continue
        done = place.run('ompinst', '--strict', '--verbose', compiler, '-fopenmp', '-c', file, '-o', 'a.o')
        place.run(compiler, *HEADER, '-fopenmp', '-c', file, '-o', 'plain.o')
        check_equal(place.read('a.o', 'rb'), place.read('plain.o', 'rb'), f'objects of {file}')
        check_in(f'{file}: 0 directives instrumented, 0 skipped', done.stderr)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', 'prog.mod.c', '-o', 'prog')
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    # Only what its own file holds, each time that it is included; the rest is instrumented as ever.
    place.write('prog.mod.c', place.read('prog.mod.c').replace('int main', 'int NAME'))
    place.write('all.c', LIBRARY + '#include "lock.mod.c"\n#define NAME one\n#include "prog.mod.c"\n'
                         '#undef NAME\n#define NAME two\n#include "prog.mod.c"\n' +
                LIBRARY.replace('twice', 'thrice'))
    done = place.run('ompinst', '--list=json', 'gcc', '-fopenmp', '-c', 'all.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['file'], entry['directive']) for entry in entries
                 if entry['status'] == 'instrumented'],
                [('all.c', 'parallel'), ('all.c', 'critical')] * 2)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'all.c')
    # In a source file there is nothing to add.
    done = place.run('ompinst', '--strict', 'copy.c')
    check_equal(done.stderr, 'copy.c: warning: ompinst wrote this text, and its calls are in it; '
                             'copy.mod.c is a copy of it\n')
    check_equal(place.read('copy.mod.c'), place.read('copy.c'), 'texts')


def test_to_standard_output(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', 'lib.c', '-o', '-')
    check_in('pomp_parallel_fork', done.stdout)
    assert not place.exists('lib.mod.c')


def test_preprocessed(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', '--preprocessed', 'prog.c')
    check_in('pomp_parallel_fork', place.read('prog.mod.i'))
    place.run('gcc', '-fopenmp', '-c', 'prog.mod.i', '-o', 'p.o')
    place.check_instrumented('p.o')


def test_never_overwrites_the_input_or_special_files(place):
    place.write('lib.c', LIBRARY)
    os.symlink('lib.c', place.path('link.c'))
    os.link(place.path('lib.c'), place.path('hard.c'))
    os.mkdir(place.path('folder'))
    os.mkfifo(place.path('pipe'))
    os.symlink('elsewhere', place.path('dangling'))
    for output in ('lib.c', './lib.c', 'link.c', 'hard.c', 'folder', 'pipe', 'dangling',
                   '/dev/null', 'missing/x.c'):
        done = place.run('ompinst', 'lib.c', '-o', output, code=1, timeout=30)
        check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
        check_in(output, done.stderr)
        check_equal(place.read('lib.c'), LIBRARY, 'input')
    assert not place.exists('elsewhere')


def test_mistakes(place):
    place.write('lib.c', LIBRARY)
    place.write('bad.c', '#include "nowhere.h"\n')
    for words, code, text in ((['nowhere.c'], 1, 'nowhere.c: error: cannot read: No such file'),
                              (['lib.c', '-o'], 2, "option '-o' needs a file name"),
                              (['lib.c', '-DX'], 2, 'after --'),
                              (['lib.f90'], 2, 'expected a C or C++ source file'),
                              (['bad.c'], 1, 'nowhere.h')):
        done = place.run('ompinst', *words, code=code)
        check_in(text, done.stderr)
    check_equal([name for name in os.listdir(place.folder) if 'mod' in name], [], 'outputs')


# Preloaded: the folders whose names hold $HIDDEN are not there.
HIDE = r'''#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int is_hidden(const char *path)
{
	const char *hidden = getenv("HIDDEN");
	if (hidden == NULL || strstr(path, hidden) == NULL)
		return 0;
	errno = ENOENT;
	return 1;
}
#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
		va_list list; \
		va_start(list, flags); \
		int mode = va_arg(list, int); \
		va_end(list); \
		return is_hidden(path) ? -1 : next(path, flags, mode); \
	}
#define LOOK(name, type) \
	int name(const char *path, type second) \
	{ \
		int (*next)(const char *, type) = dlsym(RTLD_NEXT, #name); \
		return is_hidden(path) ? -1 : next(path, second); \
	}
OPEN(open)
OPEN(open64)
LOOK(stat, void *)
LOOK(stat64, void *)
LOOK(access, int)
'''


def test_headers_of_clang(place):
    """A libclang without clang's own headers takes those of the clang in PATH; without any, size_t is unknown."""
    need('gcc', CLANG)
    headers = place.run(CLANG, '-print-resource-dir').stdout.strip()
    place.write('prog.c', '#include <stddef.h>\nvoid f(size_t n, int *a)\n{\n#pragma omp parallel for\n'
                          '\tfor (size_t i = 0; i < n; i++)\n\t\ta[i]++;\n}\n')
    place.write('hide.c', HIDE)
    place.run('gcc', '-shared', '-fPIC', 'hide.c', '-o', 'hide.so')
    os.mkdir(place.path('bin'))
    os.symlink(headers, place.path('headers'))
    hidden = {'LD_PRELOAD': place.path('hide.so'), 'HIDDEN': '/clang/'}
    path = place.path('bin') + ':' + place.environment['PATH']
    for answer, there in (('/nowhere', False), (place.path('headers'), True)):
        place.write('bin/clang', f'#!/bin/sh\necho {answer}\n')
        os.chmod(place.path('bin/clang'), 0o755)
        place.run('ompinst', 'prog.c', '-o', 'out.c', env={**hidden, 'PATH': path})
        (check_in if there else check_not_in)('pomp_for_enter', place.read('out.c'))
    place.run('ompinst', 'prog.c', '-o', 'out.c')
    check_in('pomp_for_enter', place.read('out.c'))


def test_conditionals_are_read_as_the_compiler_reads_them(place):
    """By its own predefined macros, and its flags'; the text is then instrumented where it compiles."""
    place.write('x.c', '''#include <math.h>
#include <stdio.h>

int main(void)
{
	int sum = 0;
#if defined(__GNUC__) && __GNUC__ >= 9 && !defined(__clang__)
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
#elif defined(__clang__)
#pragma omp parallel sections reduction(+ : sum)
	{
		sum += 4950;
	}
#endif
#ifdef __AVX2__
#pragma omp parallel
#pragma omp master
	sum += 50;
#endif
#if _OPENMP >= 201511
#pragma omp critical(last)
	sum += 0;
#endif
	printf("sum %d\\n", sum);
	return 0;
}
''')
    in_gcc, in_clang, in_avx = 'pomp_for_enter', 'pomp_sections_enter', 'pomp_master_begin'
    for language in ('x.c', 'x.cc'):
        if language == 'x.cc':
            shutil.copy(place.path('x.c'), place.path('x.cc'))
        for compiler, flags, there in (('gcc', [], {in_gcc}), (CLANG, [], {in_clang}), ('ccache gcc', [], {in_gcc}),
                                       ('gcc', ['-mavx2'], {in_gcc, in_avx})):
            words = compiler.split()
            if any(shutil.which(word) is None for word in words) or (flags and os.uname().machine != 'x86_64'):
                continue
            for env, option in (({'OMPINST_CC': compiler}, []), ({}, ['--cc=' + compiler])):
                done = place.run('ompinst', '--verbose', *option, language, '-o', 'out.' + language, '--', *flags, env=env)
                text = place.read('out.' + language)
                check_equal({call for call in (in_gcc, in_clang, in_avx) if call in text}, there, f'{compiler} {flags} {language}')
                check_in('pomp_critical_enter', text)
                check_in(' 0 skipped', done.stderr)
            build = words[-1].replace('gcc', 'g++').replace('clang', 'clang++') if language == 'x.cc' else words[-1]
            if shutil.which(build):
                place.run(build, *HEADER, '-Wall', '-Werror', '-fopenmp', *flags, '-c', 'out.' + language, '-o', 'out.o')


def test_list(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--list', 'lib.c')
    check_in('lib.c:4:', done.stdout)
    assert not place.exists('lib.mod.c')


bench.main(globals())
