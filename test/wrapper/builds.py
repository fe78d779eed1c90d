#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whole projects, built by the build systems that people use, with ompinst in the compiler's place."""
import json
import os

import bench
from bench import CLANG, LIBRARY, check_equal, check_in, need

MAIN = 'int twice(int);\nint main(void) { return twice(21) == 42 ? 0 : 1; }\n'


def sources(place):
    place.write('lib.c', LIBRARY)
    place.write('main.c', MAIN)
    place.write('part.S', '.globl part\npart: .long 0\n.section .note.GNU-stack,"",@progbits\n')


def test_make_in_parallel_with_dependencies(place):
    need('make')
    for i in range(12):
        place.write(f'f{i}.c', '#include "all.h"\n' + LIBRARY.replace('twice', f'twice{i}'))
    place.write('all.h', '/* empty */\n')
    place.write('main.c', 'int twice0(int);\nint main(void) { return twice0(21) - 42; }\n')
    place.write('Makefile', 'CFLAGS = -O1 -Wall -Werror -fopenmp -MMD -MP\nLDFLAGS = -fopenmp\n'
                            'objects = main.o $(patsubst %.c,%.o,$(wildcard f*.c))\n'
                            'prog: $(objects)\n\t$(CC) $(LDFLAGS) -o $@ $(objects)\n'
                            '-include $(objects:.o=.d)\n')
    place.run('make', '-j4', 'CC=ompinst gcc')
    place.run('./prog')
    place.check_instrumented('f7.o')
    check_in('all.h', place.read('f7.d'))
    check_in('up to date', place.run('make', 'CC=ompinst gcc').stdout)
    os.utime(place.path('all.h'))
    check_in('f7.c', place.run('make', 'CC=ompinst gcc').stdout)


CMAKE = '''cmake_minimum_required(VERSION 3.13)
project(sample LANGUAGES C ASM)
find_package(OpenMP REQUIRED COMPONENTS C)
add_executable(prog main.c lib.c part.S)
target_link_libraries(prog OpenMP::OpenMP_C)
'''


def cmake(place, *options, env=None, generator='Ninja'):
    need('cmake', 'ninja')
    sources(place)
    place.write('CMakeLists.txt', CMAKE)
    place.run('cmake', '-G', generator, '-S', '.', '-B', 'out', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
              *options, env=env, timeout=300)
    place.run('cmake', '--build', 'out', '--verbose', env=env, timeout=300)
    place.run('out/prog')
    entries = json.loads(place.read('out/compile_commands.json'))
    files = [entry['file'] for entry in entries if entry['file'].endswith('.c')]
    check_equal(sorted(files), sorted({place.path('lib.c'), place.path('main.c')}))


def test_cmake_with_two_words(place):
    cmake(place, env={'CC': 'ompinst gcc'})
    place.check_instrumented('out/prog')


def test_cmake_with_one_word_and_make(place):
    need('make')
    cmake(place, env={'CC': 'ompinst-gcc'}, generator='Unix Makefiles')
    place.check_instrumented('out/prog')
    libraries = place.libraries('out/prog')
    check_in('libpomp.so', ' '.join(libraries))


def test_cmake_replaces_the_runtime_named_by_path(place):
    cmake(place, env={'CC': 'ompinst-gcc'})
    runtime = os.path.join(bench.BIN, '../runtime/libgomp.so.1')
    if not os.path.exists(runtime):
        bench.skip('there is no bundled runtime in this build')
    found = place.libraries('out/prog')['libgomp.so.1']
    assert os.path.samefile(found, runtime), found


def test_cmake_replaces_llvm_s_runtime_named_by_path(place):
    bench.need(CLANG)
    cmake(place, env={'CC': 'ompinst ' + CLANG})
    check_in('/link/libomp.so', place.run('ompinst', '--dry-run', CLANG, '-fopenmp', 'out/a.o', '/usr/lib/llvm-19/lib/libomp.so').stdout)
    found = place.libraries('out/prog')['libomp.so.5']
    assert os.path.samefile(found, os.path.join(bench.BIN, '../runtime/libgomp.so.1')), found


def test_cmake_launcher_compiles(place):
    # A launcher sees only compilations; linking is for the package or pkg-config.
    need('cmake', 'ninja')
    pomp = os.path.join(bench.BIN, '../pomp')
    sources(place)
    place.write('CMakeLists.txt', CMAKE + f'target_link_options(prog PRIVATE -L{pomp} -lpomp '
                                          f'-Wl,-rpath,{pomp} -Wl,--no-as-needed)\n'
                                          f'target_link_libraries(prog {pomp}/libpomp.so)\n')
    place.run('cmake', '-G', 'Ninja', '-S', '.', '-B', 'out', '-DCMAKE_C_COMPILER=gcc',
              '-DCMAKE_C_COMPILER_LAUNCHER=ompinst', timeout=300)
    place.run('cmake', '--build', 'out', timeout=300)
    place.check_instrumented('out/prog')
    place.run('out/prog')


def test_meson(place):
    need('meson', 'ninja')
    sources(place)
    place.write('meson.build', "project('sample', 'c')\nexecutable('prog', 'main.c', 'lib.c', "
                               "dependencies: dependency('openmp'))\n")
    place.run('meson', 'setup', 'out', env={'CC': 'ompinst-gcc'}, timeout=300)
    place.run('ninja', '-C', 'out', timeout=300)
    place.check_instrumented('out/prog')
    place.run('out/prog')
    check_in('no work to do', place.run('ninja', '-C', 'out').stdout)


CONFIGURE = r'''#!/bin/sh
# What autoconf's AC_OPENMP and AC_PROG_CC do, in short.
: ${CC=cc}
cat > conftest.c <<EOT
#ifndef _OPENMP
 choke me
#endif
#include <omp.h>
int main (void) { return omp_get_num_threads (); }
EOT
$CC -o conftest conftest.c 2> config.log && exit 9
$CC -fopenmp -o conftest conftest.c 2>> config.log || exit 1
test -s config.log.more && exit 1
$CC -V > /dev/null 2> version.log
$CC -fopenmp -E conftest.c > conftest.i || exit 1
echo "CC = $CC" > config.mk
rm -f conftest*
'''


def test_configure_and_make(place):
    need('make')
    sources(place)
    place.write('configure', CONFIGURE, 0o755)
    place.write('Makefile', 'include config.mk\nprog: main.o lib.o\n'
                            '\t$(CC) -fopenmp -o prog main.o lib.o\n'
                            '%.o: %.c\n\t$(CC) -fopenmp -c $<\n')
    place.run('./configure', env={'CC': 'ompinst-gcc'})
    place.run('make')
    place.check_instrumented('prog')
    place.run('./prog')


def test_build_that_insists_on_a_compilers_name(place):
    need('make')
    sources(place)
    place.write('configure', '#!/bin/sh\ncase ${CC-gcc} in gcc) echo OMP = -fopenmp;; esac '
                             '> config.mk\n', 0o755)
    place.write('Makefile', 'include config.mk\nprog: main.c lib.c\n'
                            '\tgcc $(OMP) -o prog main.c lib.c\n')
    path = os.path.join(bench.BIN, 'compilers') + ':' + os.environ['PATH']
    place.run('./configure', env={'PATH': path})
    place.run('make', env={'PATH': path})
    place.check_instrumented('prog')
    place.run('./prog')


def test_autotools_with_libtool(place):
    need('autoreconf', 'libtoolize', 'make')
    place.write('configure.ac', 'AC_INIT([sample],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\n'
                                'AM_PROG_AR\nLT_INIT\nAC_OPENMP\nAC_CONFIG_FILES([Makefile])\n'
                                'AC_OUTPUT\n')
    place.write('Makefile.am', 'AM_CFLAGS = $(OPENMP_CFLAGS)\nlib_LTLIBRARIES = libtwice.la\n'
                               'libtwice_la_SOURCES = lib.c\nbin_PROGRAMS = prog\n'
                               'prog_SOURCES = main.c\nprog_LDADD = libtwice.la\n')
    sources(place)
    place.run('autoreconf', '-i', timeout=300)
    place.run('./configure', env={'CC': 'ompinst-gcc'}, timeout=300)
    place.run('make', '-j2', timeout=300)
    place.check_instrumented('.libs/libtwice.so')
    place.run('./prog')


bench.main(globals())
