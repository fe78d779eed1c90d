#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The forms of a compile command: where the output goes, several inputs, mixed ones, -S, -E, PCH, LTO."""
import os
import shutil

import bench
from bench import CLANG, CLANGXX, LIBRARY, PROGRAM, check_equal, check_in, check_not_in, need

USER = 'int twice(int);\nint main(void) { return twice(21) == 42 ? 0 : 1; }\n'


def test_compile_and_link_in_one(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'gcc', '-O2', '-fopenmp', 'prog.c', '-o', 'prog')
    place.check_instrumented('prog')
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    check_in('libpomp.so', ' '.join(place.libraries('prog')))


def test_without_output_name(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'gcc', '-fopenmp', 'prog.c')
    place.check_instrumented('a.out')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', '../prog.c', cwd=mkdir(place, 'sub'))
    place.check_instrumented('sub/prog.o')


def mkdir(place, name):
    os.mkdir(place.path(name))
    return name


def test_compile_then_link(place):
    place.write('lib.c', LIBRARY)
    place.write('main.c', USER)
    place.run('ompinst-gcc', '-fopenmp', '-c', 'lib.c', '-o', 'lib.o')
    place.run('ompinst-gcc', '-c', 'main.c')
    place.check_instrumented('lib.o')
    place.run('ar', 'rc', 'libtwice.a', 'lib.o')
    place.run('ompinst-gcc', '-fopenmp', 'main.o', '-L.', '-ltwice', '-o', 'prog')
    place.run('./prog')


def test_several_inputs_to_objects(place):
    place.write('a.c', LIBRARY)
    place.write('b.c', LIBRARY.replace('twice', 'again'))
    place.write('c.c', 'int plain(void) { return 1; }\n')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'a.c', 'b.c', 'c.c')
    place.check_instrumented('a.o')
    place.check_instrumented('b.o')
    place.check_plain('c.o')


def test_a_failing_input_does_not_stop_the_others(place):
    place.write('a.c', 'int f( {\n')
    place.write('b.c', LIBRARY)
    plain = place.run('gcc', '-fopenmp', '-c', 'a.c', 'b.c', code=None)
    done = place.run('ompinst', 'gcc', '-fopenmp', '-c', 'a.c', 'b.c', code=plain.returncode)
    check_equal(done.stderr, plain.stderr, 'messages')
    place.check_instrumented('b.o')


def test_mixed_inputs(place):
    place.write('main.c', USER + '\n#pragma omp declare simd\nint g(int x) { return x; }\n')
    place.write('lib.c', LIBRARY)
    place.write('zero.S', '.globl zero\nzero: .long 0\n.section .note.GNU-stack,"",@progbits\n')
    place.write('more.c', 'int more;\n')
    place.run('gcc', '-c', 'more.c', '-o', 'more.o')
    place.run('gcc', '-c', 'more.c', '-o', 'more2.o', '-Dmore=more2')
    place.run('ar', 'rc', 'libmore.a', 'more2.o')
    place.run('ompinst', 'gcc', '-fopenmp', 'main.c', 'zero.S', 'lib.c', 'more.o', 'libmore.a',
              '-lm', '-o', 'prog')
    place.check_instrumented('prog')
    place.run('./prog')


def test_language_by_option(place):
    place.write('lib.inc', LIBRARY)
    place.write('main.c', USER)
    place.run('ompinst', 'gcc', '-fopenmp', '-x', 'c', 'lib.inc', '-x', 'none', 'main.c', '-o',
              'prog')
    place.check_instrumented('prog')
    place.run('./prog')
    place.run('ompinst', 'gcc', '-fopenmp', '-xc', 'lib.inc', 'main.c', '-o', 'prog2')
    place.check_instrumented('prog2')
    place.run('./prog2')


def test_cplusplus(place):
    place.write('prog.cpp', '#include <vector>\n#include <cstdio>\nint main() {\n'
                            'std::vector<int> v(100, 1); int sum = 0;\n'
                            '#pragma omp parallel for reduction(+:sum)\n'
                            'for (int i = 0; i < 100; i++) sum += v[i];\n'
                            'std::printf("%d\\n", sum); }\n')
    for compiler in ('g++', CLANGXX, 'clang++'):
        if compiler.startswith('clang'):
            if shutil.which(compiler) is None:
                continue
        plain = place.run(compiler, '-fopenmp', 'prog.cpp', '-o', 'plain', code=None)
        if plain.returncode != 0:
            continue  # a clang without its libomp
        place.run('ompinst', compiler, '-fopenmp', 'prog.cpp', '-o', 'prog')
        place.check_instrumented('prog')
        check_equal(place.run('./prog').stdout, '100\n')


def test_gxx_reads_c_files_as_cplusplus(place):
    place.write('lib.c', LIBRARY + '\nclass thing { int x; };\n')
    place.run('ompinst-g++', '-fopenmp', '-c', 'lib.c')
    place.check_instrumented('lib.o')


def test_assembly(place):
    place.write('lib.c', LIBRARY)
    place.run('ompinst', 'gcc', '-fopenmp', '-S', 'lib.c')
    check_in('pomp_parallel_fork', place.read('lib.s'))
    place.run('ompinst', 'gcc', '-fopenmp', '-S', '-c', 'lib.c', '-o', 'other.s')
    check_in('pomp_parallel_fork', place.read('other.s'))


def test_preprocessing_is_untouched(place):
    place.write('lib.c', LIBRARY)
    plain = place.run('gcc', '-fopenmp', '-E', 'lib.c')
    done = place.run('ompinst', 'gcc', '-fopenmp', '-E', 'lib.c')
    check_equal(done.stdout, plain.stdout)
    plain = place.run('gcc', '-fopenmp', '-M', 'lib.c')
    check_equal(place.run('ompinst', 'gcc', '-fopenmp', '-M', 'lib.c').stdout, plain.stdout)


def test_assembly_to_standard_output(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-S', 'lib.c', '-o', '-')
    check_in('pomp_parallel_fork', done.stdout)
    place.write('out.s', done.stdout)
    place.run('gcc', '-c', 'out.s')


def test_standard_input(place):
    strict = ('ompinst', '--strict', 'gcc', '-fopenmp')
    place.run(*strict, '-x', 'c', '-c', '-', '-o', 'x.o', input=LIBRARY)
    place.check_instrumented('x.o')
    place.run(*strict, '-x', 'c', '-', '-o', 'prog', input=PROGRAM)
    place.check_instrumented('prog')
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    text = place.run('gcc', '-fopenmp', '-E', '-x', 'c', '-', input=LIBRARY).stdout
    place.run(*strict, '-x', 'cpp-output', '-S', '-', input=text)
    check_in('pomp_parallel_fork', place.read('-.s'))
    # Read once, however often it is compiled: warnings of the optimiser, a step that fails.
    source = LIBRARY + '/* fall through */\nint t[4];\nint f(void) { return t[5]; }\n'
    flags = ('-fopenmp', '-O2', '-Wall', '-Wextra', '-x', 'c', '-c', '-', '-o', 'w.o')
    plain = place.run('gcc', *flags, input=source)
    done = place.run('ompinst', 'gcc', *flags, input=source)
    check_equal(done.stderr, plain.stderr, 'messages')
    place.check_instrumented('w.o')
    done = place.run('ompinst', 'gcc', *flags, input=source + 'int f( {\n', code=1)
    check_in('<stdin>', done.stderr)


def test_already_preprocessed(place):
    place.write('lib.c', LIBRARY)
    place.write('text.c', place.run('gcc', '-fopenmp', '-E', 'lib.c').stdout)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-fpreprocessed', '-c', 'text.c')
    place.check_instrumented('text.o')


MODULE = '''module;
#include <cstdio>
export module sums;
export namespace n {
int sum(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
}
export {
int twice(int n)
{
	int s = 0;
#pragma omp parallel reduction(+:s) num_threads(2)
	s += n;
	return s;
}
}
export inline int half(int n)
{
	int s = 0;
#pragma omp parallel reduction(+:s) num_threads(2)
	s += n / 4;
	return s;
}
static int module = 1, import = module;
int hidden()
{
	int s = import;
#pragma omp parallel reduction(+:s)
	s += module;
	return s;
}
'''
USES_MODULE = '''import sums;
#include <cstdio>
int main()
{
	int s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < 10; i++)
		s += n::sum(i);
	std::printf("%d %d %d\\n", s, twice(4), half(8));
}
'''


def test_modules(place):
    ways = [('g++', '.cc', ['-fmodules-ts'], [['-c', 'sums.cc', '-o', 'sums.o']], [])]
    if shutil.which(CLANGXX):
        ways += [(CLANGXX, '.cppm', [],
                  [['--precompile', 'sums.cppm', '-o', 'sums.pcm'], ['-c', 'sums.pcm', '-o', 'sums.o']],
                  ['-fmodule-file=sums=sums.pcm']),
                 (CLANGXX, '.cppm', [],
                  [['-c', 'sums.cppm', '-o', 'sums.o', '-fmodule-output=sums.pcm']],
                  ['-fmodule-file=sums=sums.pcm']),
                 (CLANGXX, '.cppm', [], [['-c', 'sums.cppm', '-fmodule-output']],
                  ['-fmodule-file=sums=sums.pcm'])]
    place.write('use.cc', USES_MODULE)
    for compiler, suffix, flags, steps, more in ways:
        place.write('sums' + suffix, MODULE)
        strict = ['ompinst', '--strict', '--verbose', compiler, '-std=c++20', '-fopenmp', *flags]
        done = place.run(*strict, *steps[0])
        check_in('4 directives instrumented, 0 skipped', done.stderr)
        for step in steps[1:]:
            place.run(*strict, *step)
        place.check_instrumented('sums.o')
        place.run(*strict, *more, 'use.cc', 'sums.o', '-o', 'use')
        check_equal(place.run('./use').stdout, '120 8 4\n')
        for name in ('sums.o', 'sums.pcm', 'use'):
            if place.exists(name):
                os.unlink(place.path(name))


def test_llvm_output(place):
    need(CLANG)
    place.write('lib.c', LIBRARY)
    place.run('ompinst', '--strict', CLANG, '-fopenmp', '-emit-llvm', '-S', 'lib.c')
    check_in('pomp_parallel_fork', place.read('lib.ll'))
    place.run('ompinst', '--strict', CLANG, '-fopenmp', '-emit-llvm', '-c', 'lib.c')
    assert place.exists('lib.bc') and not place.exists('lib.o')


def test_openmp_that_the_words_hide(place):
    place.write('lib.c', LIBRARY)
    commands = [('gcc', '-Xpreprocessor', '-fopenmp'), ('gcc', '-Wp,-fopenmp'), ('./my-cc',)]
    place.write('my-cc', '#!/bin/sh\nexec gcc -fopenmp "$@"\n', 0o755)
    if shutil.which(CLANG):
        place.write('openmp.cfg', '-fopenmp\n')
        commands += [(CLANG, '-Xclang', '-fopenmp'), (CLANG, '--config', './openmp.cfg')]
    for number, command in enumerate(commands):
        place.run('ompinst', '--strict', *command, '-c', 'lib.c', '-o', f'{number}.o')
        place.check_instrumented(f'{number}.o')
        calls = place.run('nm', f'{number}.o').stdout
        assert 'GOMP_' in calls or '__kmpc_' in calls, command
    place.write('main.c', PROGRAM)
    place.run('ompinst', '--strict', './my-cc', 'main.c', '-o', 'prog')
    check_in('libpomp.so', ' '.join(place.libraries('prog')))
    if shutil.which('mpicc.openmpi'):
        place.run('ompinst', '--strict', 'mpicc.openmpi', '-c', 'lib.c', '-o', 'mpi.o',
                  env={'OMPI_CFLAGS': '-fopenmp'})
        place.check_instrumented('mpi.o')


# Compiles that nothing here can take into steps: one line, an error with --strict.
LEFT_ALONE = [
    (['gcc'], ['-fdirectives-only', '-c', 'lib.c'], 'lib.c',
     '-fdirectives-only leaves macros unexpanded'),
    (['gcc'], ['-wrapper', 'env', '-c', 'lib.c'], 'lib.c',
     "-wrapper puts another program before the compiler's parts"),
    ([CLANG], ['-emit-ast', '-c', 'lib.c', '-o', 'lib.ast'], 'lib.c',
     '-emit-ast keeps a syntax tree for a later compilation'),
    (['g++'], ['-fmodules-ts', '-x', 'c++-header', '-c', 'm.h', '-x', 'c++', 'lib.c'], 'lib.c',
     'a header to be precompiled stands among the inputs'),
]


def test_what_is_left_alone_is_said(place):
    for name, text in (('lib.c', LIBRARY), ('m.h', ''),
                       ('m.cppm', 'export module m;\n' + LIBRARY)):
        place.write(name, text)
    before = set(os.listdir(place.folder))
    for compiler, arguments, file, reason in LEFT_ALONE:
        if shutil.which(compiler[0]) is None:
            continue

        def clean():
            made = sorted(set(os.listdir(place.folder)) - before)
            for name in made:
                place.run('rm', '-rf', name)
            return made
        plain = place.run(*compiler, '-fopenmp', *arguments, code=None)
        expected = clean()
        done = place.run('ompinst', *compiler, '-fopenmp', *arguments, code=plain.returncode)
        check_equal(clean(), expected, f'files made by {arguments}')
        if plain.returncode != 0:
            check_equal(done.stderr, plain.stderr, 'messages')
            continue
        check_equal(done.stderr,
                    f'{file}: warning: cannot instrument: {reason}; compiled as it is\n')
        done = place.run('ompinst', '--strict', *compiler, '-fopenmp', *arguments, code=1)
        check_equal(done.stderr, f'{file}: error: cannot instrument: {reason}\n')
        left = [name for name in clean() if name != 'gcm.cache' and name != 'lib.o']
        check_equal(left, [], f'files left by {arguments}')
        # Without OpenMP it is nobody's business, but for directives that then have no effect.
        said = place.run('ompinst', '--strict', *compiler, *arguments).stderr.splitlines()
        check_equal([line for line in said if '-fopenmp is not among the flags' not in line], [])
        clean()


def test_preprocessed_input(place):
    place.write('lib.c', LIBRARY)
    place.run('gcc', '-fopenmp', '-E', 'lib.c', '-o', 'lib.i')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.i')
    place.check_instrumented('lib.o')


def test_precompiled_header(place):
    place.write('all.h', '#include <stdio.h>\n')
    place.write('lib.c', '#include "all.h"\n' + LIBRARY)
    place.run('ompinst', 'gcc', '-fopenmp', 'all.h')
    assert place.exists('all.h.gch')
    place.run('ompinst', 'gcc', '-fopenmp', '-include', 'all.h', '-Winvalid-pch', '-c', 'lib.c')
    place.check_instrumented('lib.o')


def test_link_time_optimisation(place):
    place.write('lib.c', LIBRARY)
    place.write('main.c', USER)
    place.run('ompinst', 'gcc', '-O2', '-flto', '-fopenmp', '-c', 'lib.c', 'main.c')
    place.run('ompinst', 'gcc', '-O2', '-flto', '-fopenmp', 'lib.o', 'main.o', '-o', 'prog')
    place.check_instrumented('prog')
    place.run('./prog')


def test_pipe_and_separate_values(place):
    place.write('lib.c', LIBRARY + 'int v = VALUE;\n')
    place.run('ompinst', 'gcc', '-pipe', '-D', 'VALUE=1', '-I', '.', '-fopenmp', '-c', 'lib.c')
    place.check_instrumented('lib.o')


def test_save_temps(place):
    place.write('prog.c', PROGRAM)
    for arguments in (['-c', 'prog.c'], ['-c', 'prog.c', '-o', 'o/x.o'], ['prog.c', '-o', 'prog'],
                      ['prog.c', '-o', 'other'],
                      ['-c', 'prog.c', '-o', 'o/x.o', '-save-temps=obj'], ['prog.c']):
        found = []
        for name, command in (('plain', ['gcc']), ('wrapped', ['ompinst', 'gcc'])):
            os.makedirs(place.path(f'{name}/o'))
            place.write(f'{name}/prog.c', PROGRAM)
            place.run(*command, '-fopenmp', '-save-temps', *arguments, cwd=name)
            found.append(sorted(os.path.relpath(os.path.join(at, file), place.path(name))
                                for at, _, files in os.walk(place.path(name))
                                for file in files))
            if name == 'wrapped':
                text = [f for f in found[-1] if f.endswith('.i')]
                assert len(text) == 1, found[-1]
            place.run('rm', '-rf', name)
        check_equal(found[1], found[0], f'files after {arguments}')


def test_shared_library(place):
    place.write('lib.c', LIBRARY)
    place.write('main.c', USER)
    place.run('ompinst', 'gcc', '-fPIC', '-fopenmp', '-shared', 'lib.c', '-o', 'libtwice.so')
    place.check_instrumented('libtwice.so')
    place.run('gcc', 'main.c', '-L.', '-ltwice', '-Wl,-rpath,$ORIGIN', '-o', 'prog')
    place.run('./prog')


def test_relocatable_link(place):
    place.write('lib.c', LIBRARY)
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c')
    place.run('ompinst', 'gcc', '-fopenmp', '-r', 'lib.o', '-o', 'all.o')
    place.check_instrumented('all.o')
    for number, flags in enumerate((['-r'], ['-nostdlib', '-no-pie', '-Wl,-r'],
                                  ['-nostdlib', '-no-pie', '-Xlinker', '--relocatable'])):
        place.run('ompinst', '--strict', 'gcc', '-fopenmp', *flags, 'lib.c', '-o', f'{number}.o')
        place.check_instrumented(f'{number}.o')


def test_program_without_openmp_gets_no_library(place):
    place.write('main.c', 'int main(void) { return 0; }\n')
    place.run('ompinst', 'gcc', '-fopenmp', 'main.c', '-o', 'prog')
    check_not_in('libpomp', ' '.join(place.libraries('prog')))
    place.run('gcc', 'main.c', '-o', 'prog1')
    place.run('ompinst', 'gcc', 'main.c', '-o', 'prog2')
    check_equal(place.read('prog1', 'rb'), place.read('prog2', 'rb'), 'programs')


def test_file_without_directives_gives_the_same_object(place):
    place.write('plain.c', '#include <stdio.h>\nint f(void) { return printf("x"); }\n')
    place.run('gcc', '-g', '-O2', '-fopenmp', '-c', 'plain.c', '-o', 'one.o')
    place.run('ompinst', 'gcc', '-g', '-O2', '-fopenmp', '-c', 'plain.c', '-o', 'two.o')
    check_equal(place.read('one.o', 'rb'), place.read('two.o', 'rb'), 'objects')


def test_macro_debug_information(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'gcc', '-g3', '-fopenmp', '-c', 'prog.c')
    place.check_instrumented('prog.o')


def test_stack_usage_file(place):
    place.write('lib.c', LIBRARY)
    place.run('ompinst', 'gcc', '-fopenmp', '-fstack-usage', '-c', 'lib.c', '-o', 'x.o')
    assert place.exists('x.su')


def test_coverage(place):
    """Files that are named after the object: .gcno from compiling, .gcda from running."""
    need('gcov')
    for arguments in (['prog.c', '-o', 'prog'], ['prog.c', '-o', 'other']):
        found = []
        for name, command in (('plain', ['gcc']), ('wrapped', ['ompinst', 'gcc'])):
            place.write(f'{name}/prog.c', PROGRAM)
            place.run(*command, '--coverage', '-fopenmp', *arguments, cwd=name)
            place.run(place.path(f'{name}/{arguments[-1]}'), cwd=name)
            found.append(sorted(os.listdir(place.path(name))))
            data = [file for file in found[-1] if file.endswith('.gcda')]
            report = place.run('gcov', '-n', data[0], cwd=name).stdout
            check_in("File 'prog.c'", report)
            place.run('rm', '-rf', name)
        check_equal(found[1], found[0], f'files after {arguments}')


def test_split_debug_information(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'gcc', '-g', '-gsplit-dwarf', '-fopenmp', 'prog.c', '-o', 'prog')
    assert place.exists('prog.dwo') or place.exists('prog-prog.dwo')
    assert not place.exists('prog.o')


def test_failed_compile_leaves_special_outputs(place):
    import stat
    if os.geteuid() != 0:
        bench.skip('only root can make the file that must survive')
    place.write('w.c', 'int f(void) { int unused; return 1; }\n' + LIBRARY)
    os.mknod(place.path('null'), 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    place.run('ompinst', 'gcc', '-Wall', '-Werror', '-fopenmp', '-c', 'w.c', '-o', 'null', code=1)
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'w.c', '-o', 'null')
    assert stat.S_ISCHR(os.stat(place.path('null')).st_mode)


def test_debug_lines(place):
    """OMPINST_DEBUG shows the commands, with their words and status, the decisions and the files."""
    place.write('it has blanks.c', PROGRAM)
    command = ['ompinst', 'gcc', '-fopenmp', '-c', 'it has blanks.c', '-o', 'prog.o']
    lines = place.run(*command, env={'OMPINST_DEBUG': 'wrapper'}).stderr
    check_in("] decide: the command is instrumented\n", lines)
    check_in('gcc: gcc -fopenmp -idirafter ', lines)
    check_in(" -E 'it has blanks.c'\n", lines)
    check_in('gcc: status 0 after ', lines)
    check_in('] run: the engine ended with status 0\n', lines)
    check_in('] file: removes ', lines)
    only = place.run(*command, env={'OMPINST_DEBUG': 'decide'}).stderr
    assert all(' decide: ' in line for line in only.splitlines()), only
    passed = place.run('ompinst', 'gcc', '-c', 'it has blanks.c', '-o', 'prog.o',
                       env={'OMPINST_DEBUG': 'wrapper'}).stderr
    check_in('] decide: the command passes through: -fopenmp is not among its flags\n', passed)
    check_in('gcc: gcc -c \'it has blanks.c\' -o prog.o\n', passed)
    check_equal(place.run(*command).stderr, '')


BUNDLED = os.path.realpath(os.path.join(bench.BIN, '../runtime/libgomp.so.1'))


def omp_library(place, name):
    """The file that a program finds as LLVM's or Intel's runtime."""
    libraries = place.libraries(name)
    return os.path.realpath(libraries.get('libomp.so.5') or libraries['libiomp5.so'])


def test_clang(place):
    need(CLANG)
    place.write('prog.c', PROGRAM)
    plain = place.run(CLANG, '-fopenmp', 'prog.c', '-o', 'plain', code=None)
    if plain.returncode != 0:
        bench.skip('this clang has no libomp')
    place.run('ompinst', CLANG, '-fopenmp', '-c', 'prog.c', '-lm')
    place.check_instrumented('prog.o')
    place.run('ompinst', CLANG, '-fopenmp', '-Wall', '-Werror', '-I.', 'prog.c', '-o', 'prog')
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    check_equal(omp_library(place, 'prog'), BUNDLED)
    place.run(CLANG, '-fopenmp', '-c', 'prog.c', '-o', 'plain.o')
    for options, flags, expected in (([], ['-fopenmp=libiomp5'], BUNDLED), ([], ['-lomp'], BUNDLED),
                                     (['--runtime=system'], ['-fopenmp'], omp_library(place, 'plain'))):
        place.run('ompinst', *options, CLANG, *flags, 'plain.o', '-o', 'prog')
        check_equal(omp_library(place, 'prog'), expected, ' '.join(options + flags))
        check_equal(place.run('./prog').stdout, 'sum 4950\n')
    # What the compiler makes for libgomp runs on the bundled runtime by that name.
    place.run('ompinst', CLANG, '-fopenmp=libgomp', 'prog.c', '-o', 'prog')
    assert os.path.samefile(place.libraries('prog')['libgomp.so.1'], BUNDLED)


def test_clang_keeps_a_runtime_that_it_needs(place):
    """Scripts stand for a clang with a static runtime, which Debian lacks, and for one with devices."""
    place.write('bin/clang', '#!/bin/sh\necho "$@"\n', 0o755)
    path = {'PATH': place.environment['PATH'] + ':' + place.path('bin')}
    for flag, reason in (('-static-openmp', 'it has the runtime linked into it'),
                         ('--offload-arch=gfx90a', "LLVM's libomptarget, which drives devices, needs it"),
                         ('-fopenmp-targets=x86_64', "LLVM's libomptarget, which drives devices, needs it")):
        done = place.run('ompinst', 'bin/clang', '-fopenmp', flag, 'a.o', '-o', 'prog', env=path)
        check_not_in('/runtime', done.stdout)
        check_in(f"prog: warning: stays with the compiler's own OpenMP runtime: {reason}\n", done.stderr)
        done = place.run('ompinst', '--runtime=system', 'bin/clang', '-fopenmp', flag, 'a.o', '-o', 'prog', env=path)
        check_not_in('runtime', done.stderr)


bench.main(globals())
