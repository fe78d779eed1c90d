#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The source door."""
import os

import bench
from bench import LIBRARY, PROGRAM, check_equal, check_in, check_not_in, need


def test_default_name_and_the_result_compiles(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'prog.c')
    text = place.read('prog.mod.c')
    check_in('pomp_parallel_fork', text)
    check_in('#include <stdio.h>', text)
    check_equal(place.read('prog.c'), PROGRAM, 'input')
    place.run('ompinst', 'gcc', '-Wall', '-Werror', '-c', '-fopenmp', 'prog.mod.c', '-o', 'p.o',
              env={'OMPINST': 'off'})
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
                              (['lib.c', '-o'], 2, '-o needs a file name'),
                              (['lib.c', '-DX'], 2, 'after --'),
                              (['lib.f90'], 2, 'expected a C or C++ source file'),
                              (['bad.c'], 1, 'nowhere.h')):
        done = place.run('ompinst', *words, code=code)
        check_in(text, done.stderr)
    check_equal([name for name in os.listdir(place.folder) if 'mod' in name], [], 'outputs')


def test_list(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--list', 'lib.c')
    check_in('lib.c:4:', done.stdout)
    assert not place.exists('lib.mod.c')


bench.main(globals())
