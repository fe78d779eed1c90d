#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where installed programs look for libraries: each project here has a library of its own, is built by a build system with
an installed ompinst, installed, and run in a folder that it was not built in.

Each element of a run path must be an absolute folder. An empty one is the current folder of whoever runs the program, who
would load any library that somebody else has put there.
"""
import os
import re

import bench
from bench import CLANG, LIBRARY, check_equal, check_in, check_not_in, install, need, skip

MAIN = r'''#include <stdio.h>

int twice(int);

int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	printf("%d %d\n", sum, twice(21));
	return 0;
}
'''

CMAKE = '''cmake_minimum_required(VERSION 3.13)
project(sample LANGUAGES C)
find_package(OpenMP REQUIRED COMPONENTS C)
add_library(twice SHARED lib.c)
add_executable(prog main.c)
target_link_libraries(twice PRIVATE OpenMP::OpenMP_C)
target_link_libraries(prog PRIVATE twice OpenMP::OpenMP_C)
install(TARGETS prog twice RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
'''


def run_path(place, file):
    """The elements; None without a run path."""
    found = re.search(r'\((?:RUNPATH|RPATH)\).*\[(.*)\]', place.run('readelf', '-dW', file).stdout)
    return None if found is None else found.group(1).split(':')


def check_run_path(place, file):
    elements = run_path(place, file)
    assert elements is not None, f'{file} has no run path'
    for element in elements:
        assert element.startswith(('/', '$ORIGIN')), f'{file} searches the folder {element!r}: {elements}'
        check_not_in(place.path('out'), element)
    return elements


def check_installed(place, prefix, own_folder=False):
    """The program and the library in place/usr. own_folder: the program was not to get that of the library."""
    for file in ('usr/bin/prog', 'usr/lib/libtwice.so'):
        check_run_path(place, place.path(file))
    os.makedirs(place.path('elsewhere'))
    env = {'LD_LIBRARY_PATH': place.path('usr/lib')} if own_folder else {}
    check_equal(place.run('../usr/bin/prog', cwd='elsewhere', env=env).stdout, '45 42\n')
    found = place.run('ldd', '../usr/bin/prog', cwd='elsewhere', env=env).stdout
    for library in ('libpomp.so.0', 'libgomp.so.1'):
        check_in(f'{library} => {prefix}', found)
    own = re.search(r'libtwice\.so\S* => (\S+)', found).group(1)
    check_equal(os.path.dirname(os.path.realpath(os.path.join(place.path('elsewhere'), own))), place.path('usr/lib'))


def sources(place):
    need('ninja')
    prefix = install(place)
    if not os.path.exists(os.path.join(bench.BIN, '../runtime/libgomp.so.1')):
        skip('there is no bundled runtime in this build')
    place.write('main.c', MAIN)
    place.write('lib.c', LIBRARY)
    return prefix


def cmake(place, text, *options, env=None, generator='Ninja'):
    need('cmake')
    place.write('CMakeLists.txt', text)
    place.run('cmake', '-G', generator, '-S', '.', '-B', 'out', f'-DCMAKE_INSTALL_PREFIX={place.path("usr")}', *options,
              env=env, timeout=300)
    place.run('cmake', '--build', 'out', timeout=300)
    place.run('cmake', '--install', 'out', timeout=300)


def test_cmake_takes_its_own_folder_away(place):
    prefix = sources(place)
    cmake(place, CMAKE, env={'CC': 'ompinst-gcc'})
    place.check_instrumented('usr/bin/prog')
    check_installed(place, prefix, own_folder=True)


def test_cmake_with_make(place):
    need('make')
    prefix = sources(place)
    cmake(place, CMAKE, env={'CC': 'ompinst gcc'}, generator='Unix Makefiles')
    check_installed(place, prefix, own_folder=True)


def test_cmake_puts_another_folder_in_its_place(place):
    """A longer one, and with it what `ompinst gcc` has added."""
    prefix = sources(place)
    cmake(place, CMAKE, '-DCMAKE_INSTALL_RPATH=' + place.path('usr/lib'), env={'CC': 'ompinst-gcc'})
    check_in(place.path('usr/lib'), run_path(place, 'usr/bin/prog'))
    check_installed(place, prefix)


def test_cmake_with_clang(place):
    need(CLANG)
    sources(place)
    cmake(place, CMAKE, env={'CC': 'ompinst ' + CLANG})
    for file in ('usr/bin/prog', 'usr/lib/libtwice.so'):
        check_run_path(place, file)


def test_cmake_with_fortran(place):
    """The tool of Fortran is in one folder with libpomp."""
    need('gfortran')
    sources(place)
    place.write('add.f90', 'program add\n  integer :: n = 0\n  !$omp parallel num_threads(2) reduction(+: n)\n  n = 1\n'
                '  !$omp end parallel\n  call twice(n)\nend program\n')
    place.write('twice.f90', 'subroutine twice(n)\n  integer :: n\n  print *, 2 * n\nend subroutine\n')
    cmake(place, CMAKE.replace('LANGUAGES C', 'LANGUAGES C Fortran').replace('COMPONENTS C', 'COMPONENTS Fortran')
          .replace('OpenMP_C', 'OpenMP_Fortran').replace('lib.c', 'twice.f90').replace('main.c', 'add.f90'),
          env={'CC': 'ompinst-gcc', 'FC': 'ompinst-gfortran'})
    for file in ('usr/bin/prog', 'usr/lib/libtwice.so'):
        check_run_path(place, file)
    done = place.run('usr/bin/prog', env={'LD_LIBRARY_PATH': place.path('usr/lib'), 'POMP_SUMMARY': 'stderr'})
    check_equal(done.stdout.split(), ['4'])
    check_in(' ompinst profile: ', done.stderr)


def test_cmake_for_races(place):
    sources(place)
    for number, compiler in enumerate(('gcc', CLANG)):
        if number > 0:
            need(compiler)
            place.run('rm', '-r', 'out', 'usr')
        cmake(place, CMAKE, env={'CC': 'ompinst race ' + compiler})
        for file in ('usr/bin/prog', 'usr/lib/libtwice.so'):
            check_run_path(place, file)


def test_cmake_package(place):
    """The project's own compiler; the installed program finds libpomp, too."""
    prefix = sources(place)
    cmake(place, CMAKE.replace('add_library', 'find_package(ompinst REQUIRED)\nadd_library') + 'ompinst_instrument(prog twice)\n',
          '-DCMAKE_C_COMPILER=gcc', f'-DCMAKE_PREFIX_PATH={prefix}')
    place.check_instrumented('usr/bin/prog')
    check_installed(place, prefix, own_folder=True)


def test_cmake_package_and_wrapper(place):
    prefix = sources(place)
    cmake(place, CMAKE.replace('add_library', 'find_package(ompinst REQUIRED)\nadd_library') + 'ompinst_instrument(prog twice)\n',
          f'-DCMAKE_PREFIX_PATH={prefix}', '-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib', env={'CC': 'ompinst-gcc'})
    check_installed(place, prefix)


def test_meson(place):
    need('meson')
    prefix = sources(place)
    place.write('meson.build', "project('sample', 'c')\nopenmp = dependency('openmp')\n"
                "twice = shared_library('twice', 'lib.c', dependencies: openmp, install: true)\n"
                "executable('prog', 'main.c', link_with: twice, dependencies: openmp, install: true)\n")
    place.run('meson', 'setup', 'out', '--prefix=' + place.path('usr'), '--libdir=lib', env={'CC': 'ompinst-gcc'}, timeout=300)
    place.run('meson', 'install', '-C', 'out', timeout=300)
    check_installed(place, prefix, own_folder=True)


def test_autotools_with_libtool(place):
    need('autoreconf', 'libtoolize', 'make')
    prefix = sources(place)
    place.write('configure.ac', 'AC_INIT([sample],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\n'
                'AC_OPENMP\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n')
    place.write('Makefile.am', 'AM_CFLAGS = $(OPENMP_CFLAGS)\nlib_LTLIBRARIES = libtwice.la\nlibtwice_la_SOURCES = lib.c\n'
                'bin_PROGRAMS = prog\nprog_SOURCES = main.c\nprog_LDADD = libtwice.la\n')
    place.run('autoreconf', '-i', timeout=300)
    place.run('./configure', '--prefix=' + place.path('usr'), env={'CC': 'ompinst-gcc'}, timeout=300)
    place.run('make', 'install', timeout=300)
    check_installed(place, prefix)


def test_make(place):
    need('make')
    prefix = sources(place)
    place.write('Makefile', 'usr/bin/prog: main.c usr/lib/libtwice.so\n\tmkdir -p usr/bin\n'
                '\t$(CC) -fopenmp -o $@ main.c -Lusr/lib -ltwice $(LDFLAGS)\n'
                'usr/lib/libtwice.so: lib.c\n\tmkdir -p usr/lib\n\t$(CC) -fopenmp -shared -fPIC -o $@ lib.c\n')
    place.run('make', 'CC=ompinst gcc', "LDFLAGS=-Wl,-rpath,'$$ORIGIN/../lib'")
    check_installed(place, prefix)


def test_folders_of_the_environment_are_kept(place):
    """The linker reads LD_RUN_PATH only without -rpath; ours must not change that."""
    sources(place)
    for command in (['ompinst', 'gcc'], ['ompinst', '--runtime=system', 'gcc'], ['ompinst', 'race', 'gcc']):
        for words, kept in (((), True), (('-Wl,-rpath,/b/c',), False)):
            place.run(*command, '-fopenmp', 'main.c', 'lib.c', '-o', 'prog', *words, env={'LD_RUN_PATH': '/b/a'})
            check_equal('/b/a' in check_run_path(place, 'prog'), kept, f'{command} {words}')


def test_a_library_of_the_same_name_beside_libpomp_is_not_taken(place):
    """ompinst may be installed where others are, such as /usr/local; the user's own folder then stays the first."""
    prefix = sources(place)
    folder = os.path.dirname(place.run('find', prefix, '-name', 'libpomp.so.0', '-not', '-path', '*/ompinst/*').stdout.strip())
    place.run('gcc', '-shared', '-fPIC', '-x', 'c', '/dev/null', '-o', folder + '/libtwice.so')
    for command in (['ompinst', 'gcc'], ['ompinst', '--runtime=system', 'gcc']):
        place.run(*command, '-fopenmp', '-shared', '-fPIC', 'lib.c', '-o', 'libtwice.so')
        place.run(*command, '-fopenmp', 'main.c', '-L.', '-ltwice', '-Wl,-rpath,$ORIGIN', '-o', 'prog')
        check_equal(place.run('./prog').stdout, '45 42\n')
        check_in('libpomp.so.0 => ' + prefix, place.run('ldd', 'prog').stdout)


def test_folder_with_a_colon_is_no_run_path(place):
    """It would be divided there, and what stands behind the colon is relative to the current folder."""
    prefix = sources(place)
    os.rename(prefix, place.path('a:b'))
    done = place.run(place.path('a:b/bin/ompinst'), 'gcc', '-fopenmp', 'main.c', 'lib.c', '-o', 'prog')
    check_equal(run_path(place, 'prog'), None)
    check_in("prog: warning: gets no run path to '" + place.path('a:b'), done.stderr)
    check_equal(done.stderr.count('run path'), 1)


def test_what_is_installed_by_ompinst_itself(place):
    prefix = sources(place)
    for folder, _, files in os.walk(prefix):
        for file in files:
            path = os.path.join(folder, file)
            with open(path, 'rb') as text:
                if text.read(4) == b'\x7fELF' and run_path(place, path) is not None:
                    check_run_path(place, path)


bench.main(globals())
