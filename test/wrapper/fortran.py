#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fortran: compiled as without ompinst, linked so that the OpenMP runtime finds libpomp_tool.so in the program.

A tool of this file's own stands for libpomp_tool.so, so that only the wrapper is tested here; what the real one
measures in such programs is the subject of test/run."""
import os
import shutil

import bench
from bench import LIBRARY, check_equal, check_in, check_not_in, need

TOOL = r"""
#include <stddef.h>
void *ompt_start_tool(unsigned version, const char *runtime) { (void)version; (void)runtime; return NULL; }
"""

FREE = """program sums
  implicit none
  integer :: i, total
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, 100
    total = total + i
  end do
  print '(a,i0)', 'sum ', total
end program
"""

FIXED = """      SUBROUTINE ADDONE(N)
      INTEGER N
C$OMP PARALLEL
C$OMP SINGLE
      N = N + 1
C$OMP END SINGLE
C$OMP END PARALLEL
      END
"""

NOTE = "note: Fortran is measured through the OpenMP runtime, which does not see static loops and 'master'\n"


def prepare(place):
    """Writes the sources and the tool; the environment's OMPINST_LIBDIR names the tool's folder."""
    need('gfortran')
    for name, text in (('a.f90', FREE), ('tool.c', TOOL), ('lib.c', LIBRARY)):
        place.write(name, text)
    os.mkdir(place.path('lib'))
    place.run('gcc', '-shared', '-fPIC', 'tool.c', '-o', 'lib/libpomp_tool.so')
    place.environment['OMPINST_LIBDIR'] = place.path('lib')


def has_tool(place, name):
    """Is the tool among the libraries that the program names, and found?"""
    needed = place.run('readelf', '-d', name).stdout
    found = place.run('ldd', name, code=None).stdout  # fails for a static program
    check_not_in('not found', found)
    check_equal('libpomp_tool.so' in needed, 'libpomp_tool.so' in found, 'tools named and found')
    return 'libpomp_tool.so' in needed


def test_compile_and_link_in_one(place):
    prepare(place)
    done = place.run('ompinst', '--strict', 'gfortran', '-fopenmp', 'a.f90', '-o', 'prog')
    check_equal(done.stderr, 'prog: ' + NOTE)
    assert has_tool(place, 'prog')
    check_in('/runtime/', place.libraries('prog')['libgomp.so.1'])
    check_equal(place.run('./prog').stdout, 'sum 5050\n')
    check_equal(place.run('ompinst-gfortran', '-fopenmp', 'a.f90').stderr, 'a.out: ' + NOTE)
    assert has_tool(place, 'a.out')


def test_objects_are_the_compiler_s_own(place):
    """Of every suffix; in silence, because the link says it once."""
    prepare(place)
    texts = {'.f90': FREE, '.F90': FREE, '.f95': FREE, '.F03': FREE, '.f08': FREE,
             '.f': FIXED, '.F': FIXED, '.for': FIXED, '.FOR': FIXED, '.ftn': FIXED}
    for number, (suffix, text) in enumerate(texts.items()):
        name = f'x{number}{suffix}'
        place.write(name, text)
        place.run('gfortran', '-fopenmp', '-O2', '-c', name, '-o', 'plain.o')
        for strict in ([], ['--strict']):
            done = place.run('ompinst', *strict, 'gfortran', '-fopenmp', '-O2', '-c', name, '-o', 'made.o')
            check_equal(done.stdout + done.stderr, '', f'output for {name}')
            check_equal(place.read('made.o', 'rb'), place.read('plain.o', 'rb'), f'objects of {name}')


def test_link_apart(place):
    prepare(place)
    place.write('b.for', FIXED)
    place.run('ompinst', 'gfortran', '-fopenmp', '-c', 'a.f90', 'b.for')
    place.run('ar', 'rc', 'libb.a', 'b.o')
    done = place.run('ompinst', 'gfortran', '-fopenmp', 'a.o', '-L.', '-lb', '-o', 'prog')
    check_equal(done.stderr, 'prog: ' + NOTE)
    assert has_tool(place, 'prog')
    done = place.run('ompinst', 'gfortran', '-fopenmp', '-shared', '-fPIC', 'b.for', '-o', 'libc.so')
    assert has_tool(place, 'libc.so')


def test_c_and_fortran_in_one(place):
    """C is instrumented all the same, whichever compiler links."""
    prepare(place)
    place.write('half.f90', 'subroutine half(n) bind(c)\n  use iso_c_binding\n  integer(c_int) :: n\n  !$omp parallel\n'
                '  !$omp single\n  n = n / 2\n  !$omp end single\n  !$omp end parallel\nend subroutine\n')
    place.write('main.c', LIBRARY + '#include <stdio.h>\nvoid half(int *);\n'
                'int main(void) { int n = twice(21); half(&n); printf("%d\\n", n); return 0; }\n')
    for link in (['gfortran', 'main.c', 'half.f90'], ['gcc', 'main.c', 'half.f90', '-lgfortran'],
                 ['gcc', 'main.c', 'half.f90', '-l:libgfortran.so.5'], ['gcc', 'main.c', 'half.f90', '-Wl,-lgfortran']):
        done = place.run('ompinst', '--strict', '--verbose', link[0], '-fopenmp', *link[1:], '-o', 'prog')
        check_in('2 directives instrumented, 0 skipped', done.stderr)
        check_in('prog: ' + NOTE, done.stderr)
        place.check_instrumented('prog')
        assert has_tool(place, 'prog')
        check_equal(place.run('./prog').stdout, '21\n')
    place.run('ompinst', 'gfortran', '-fopenmp', '-c', 'half.f90', 'main.c')
    for link in (['gcc', '-lgfortran'], ['gfortran']):
        place.run('ompinst', link[0], '-fopenmp', 'main.o', 'half.o', *link[1:], '-o', 'prog')
        assert has_tool(place, 'prog')
    # A program of C alone needs no tool, and names that only look like Fortran's library are none.
    place.write('c.c', 'int main(void) { return 0; }\n')
    place.run('gcc', '-shared', '-fPIC', 'lib.c', '-o', 'libgfortran-not.so')
    done = place.run('ompinst', 'gcc', '-fopenmp', 'c.c', '-L.', '-lgfortran-not', '-Wl,-rpath,.', '-o', 'prog')
    check_equal(done.stderr, '')
    assert not has_tool(place, 'prog')


def test_without_openmp(place):
    prepare(place)
    for flags in ([], ['-fopenmp', '-fno-openmp']):
        done = place.run('ompinst', '--strict', 'gfortran', *flags, 'a.f90', '-o', 'prog')
        check_equal('-fopenmp is not among the flags' in done.stderr, not flags)
        assert not has_tool(place, 'prog')
        check_equal(list(place.libraries('prog')).count('libgomp.so.1'), 0)


def test_another_tool_is_said_not_to_be_loaded(place):
    """By the library itself: the runtime never looks at what the variable names."""
    need('gfortran')
    place.write('a.f90', FREE)
    place.run('ompinst', 'gfortran', '-fopenmp', 'a.f90', '-o', 'prog')
    for tools, said in (('/other.so', True), ('', False), ('/other.so:/some/libpomp_tool.so', False)):
        done = place.run('./prog', env={'OMP_TOOL_LIBRARIES': tools, 'POMP_SUMMARY': 'off'})
        check_equal("pomp: OMP_TOOL_LIBRARIES='/other.so' is not loaded" in done.stderr, said, tools)


def test_what_cannot_be_measured_is_said(place):
    prepare(place)
    static = 'no tool can attach to the OpenMP runtime of a static program'
    cases = [(['gfortran', '-fopenmp', '-static'], [], static),
             (['gfortran', '-fopenmp', '-static-pie'], [], static),
             (['gfortran', '-fopenmp', '-l:libgomp.a'], [], static),
             (['gfortran', '-fopenmp'], ['--runtime=system'],
              "gcc's own OpenMP runtime has no interface for tools (--runtime=system)")]
    for command, options, reason in cases:
        compiler, *flags = command
        if place.run(compiler, *flags, 'a.f90', '-o', 'plain', code=None).returncode != 0:
            continue
        done = place.run('ompinst', *options, compiler, *flags, 'a.f90', '-o', 'prog')
        check_in(f'prog: warning: cannot measure its Fortran: {reason}\n', done.stderr)
        # Not run: gfortran 12's own static programs of OpenMP end with a signal.
        assert not has_tool(place, 'prog')
        os.unlink(place.path('prog'))
        done = place.run('ompinst', '--strict', *options, compiler, *flags, 'a.f90', '-o', 'prog', code=1)
        check_in(f'prog: error: cannot measure its Fortran: {reason}\n', done.stderr)
        assert not place.exists('prog'), command


def test_a_tool_that_does_not_link(place):
    """The program is then linked as the user wrote it, with one warning."""
    prepare(place)
    place.write('lib/libpomp_tool.so', 'no library')
    done = place.run('ompinst', 'gfortran', '-fopenmp', 'a.f90', '-o', 'prog')
    check_equal(done.stderr, 'prog: warning: cannot instrument: it does not link with libpomp_tool; compiled as it is\n')
    check_equal(place.run('./prog').stdout, 'sum 5050\n')
    place.run('ompinst', '--strict', 'gfortran', '-fopenmp', 'a.f90', '-o', 'prog', code=1)
    assert not place.exists('prog')


def test_messages_are_the_compiler_s(place):
    prepare(place)
    place.write('bad.f90', 'program bad\n  call nothing(\nend program\n')
    place.write('unused.f90', 'program unused\n  integer :: never\nend program\n')
    for flags in (['-c', 'bad.f90'], ['bad.f90', '-o', 'prog'], ['-Wall', 'unused.f90', '-o', 'prog'],
                  ['-Wall', '-Werror', 'unused.f90', '-o', 'prog']):
        plain = place.run('gfortran', '-fopenmp', *flags, code=None)
        done = place.run('ompinst', 'gfortran', '-fopenmp', *flags, code=plain.returncode)
        check_equal(done.stderr.replace('prog: ' + NOTE, ''), plain.stderr, f'messages for {flags}')


def test_more_than_the_runtime_reports(place):
    """Functions, and lists of constructs, need a compiler that reads the text."""
    prepare(place)
    done = place.run('ompinst', '--functions', 'gfortran', '-c', 'a.f90')
    check_equal(done.stderr, 'a.f90: warning: cannot instrument: the functions of Fortran are not read; compiled as it is\n')
    place.run('ompinst', '--strict', '--functions', 'gfortran', '-c', 'a.f90', code=1)
    assert not place.exists('a.o')
    done = place.run('ompinst', '--list', 'gfortran', '-fopenmp', '-c', 'a.f90')
    check_equal(done.stderr, 'a.f90: warning: cannot instrument: Fortran is not read; the OpenMP runtime reports '
                'its constructs\n')
    assert not place.exists('a.o')


def test_mpi(place):
    prepare(place)
    found = 0
    for compiler in ('mpif90.openmpi', 'mpifort.openmpi', 'mpif90.mpich', 'mpifort.mpich'):
        if shutil.which(compiler) is None:
            continue
        place.run('ompinst', compiler, '-fopenmp', '-c', 'a.f90')
        done = place.run('ompinst', compiler, '-fopenmp', 'a.o', '-o', 'prog')
        check_in('prog: ' + NOTE, done.stderr)
        assert has_tool(place, 'prog')
        check_in('libpomp_mpi-', ' '.join(place.libraries('prog')))
        # Without OpenMP the calls of MPI are measured, and nothing else.
        done = place.run('ompinst', compiler, 'a.f90', '-o', 'prog')
        check_in('-fopenmp is not among the flags', done.stderr)
        check_equal(len(done.stderr.splitlines()), 1)
        assert not has_tool(place, 'prog')
        found += 1
    if found == 0:
        bench.skip('no MPI for Fortran')


def test_make(place):
    need('make')
    prepare(place)
    place.write('Makefile', 'FFLAGS = -O2 -fopenmp\nprog: a.o b.o\n\t$(FC) $(FFLAGS) $^ -o $@\n'
                '%.o: %.f90\n\t$(FC) $(FFLAGS) -c $<\n%.o: %.f\n\t$(FC) $(FFLAGS) -c $<\n')
    place.write('b.f', FIXED)
    for compiler in ('ompinst gfortran', 'ompinst-gfortran'):
        done = place.run('make', '-B', 'FC=' + compiler)
        check_equal(done.stderr, 'prog: ' + NOTE)
        assert has_tool(place, 'prog')


def test_cmake(place):
    need('cmake', 'ninja', 'g++')
    prepare(place)
    place.write('CMakeLists.txt', 'cmake_minimum_required(VERSION 3.13)\nproject(sample LANGUAGES CXX Fortran)\n'
                'find_package(OpenMP REQUIRED)\nadd_executable(prog a.f90)\n'
                'target_link_libraries(prog OpenMP::OpenMP_Fortran)\n'
                'add_executable(both main.cc half.f90)\n'
                'target_link_libraries(both OpenMP::OpenMP_CXX OpenMP::OpenMP_Fortran)\n')
    place.write('main.cc', 'extern "C" void half_(int *);\nint main() { int n = 4;\n#pragma omp parallel num_threads(2)\n'
                '{\n#pragma omp master\nhalf_(&n);\n}\nreturn n - 2; }\n')
    place.write('half.f90', 'subroutine half(n)\n  integer :: n\n  !$omp parallel\n'
                '  !$omp single\n  n = n / 2\n  !$omp end single\n  !$omp end parallel\nend subroutine\n')
    place.run('cmake', '-G', 'Ninja', '-S', '.', '-B', 'out', '-DCMAKE_Fortran_COMPILER=ompinst-gfortran',
              '-DCMAKE_CXX_COMPILER=ompinst-g++', timeout=300)
    done = place.run('cmake', '--build', 'out', timeout=300)
    for name in ('prog', 'both'):
        check_in(f'{name}: {NOTE}', done.stdout + done.stderr)
        assert has_tool(place, 'out/' + name)
    place.check_instrumented('out/both')
    check_equal(place.run('out/prog').stdout, 'sum 5050\n')
    place.run('out/both')


def test_flang(place):
    """clang's Fortran is linked with the bundled runtime, too. A script stands for it."""
    prepare(place)
    for name in ('flang', 'flang-new', 'flang-19'):
        place.write('bin/' + name, '#!/bin/sh\necho "$@"\n', 0o755)
        path = {'PATH': place.environment['PATH'] + ':' + place.path('bin')}
        done = place.run('ompinst', 'bin/' + name, '-fopenmp', 'a.o', '-o', 'prog', env=path)
        check_in('libpomp_tool.so', done.stdout)
        check_in('/runtime/link', done.stdout)
        check_equal(done.stderr, 'prog: note: Fortran is measured through the OpenMP runtime\n')


bench.main(globals())
