#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Threads of single regions: POMP_REGION_THREADS gives them to the regions that it names, and nothing else sees it."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wrapper'))
import bench  # noqa: E402
from bench import CLANG, check_equal, check_in, need  # noqa: E402

SOURCE = os.path.join(HERE, 'regions.c')
PLAIN = {'open': '4, inside 4, behind 4', 'loop': '4, inside 0, behind 4', 'clause': '2, inside 4, behind 4',
         'nested': '16, inside 4, behind 4', 'alone': '1, inside 4, behind 4'}


def line_of(word):
    with open(SOURCE) as file:
        return [number for number, line in enumerate(file, 1) if f'/* {word} */' in line][0]


def build(place, *words, compiler='gcc'):
    need(compiler)
    shutil.copy(SOURCE, place.path('regions.c'))
    place.run('ompinst', *words, compiler, '-O1', '-fopenmp', 'regions.c', '-o', 'regions')


def output(place, threads, **environment):
    """The lines by their names, and what is said on stderr."""
    done = place.run('./regions', env={'POMP_SUMMARY': 'off', 'POMP_REGION_THREADS': threads, **environment})
    lines = {}
    for line in done.stdout.splitlines():
        name, value = line.split(': ')
        check_equal(lines.setdefault(name, value), value)
    return lines, done.stderr


def check_program(place):
    for disable in 'yes', 'no':
        check_equal(output(place, '', POMP_DISABLE=disable), (PLAIN, ''))
        setting = ';'.join(f'regions.c:{line_of(name)}={threads}' for name, threads in (('open', 3), ('loop', 1), ('clause', 7), ('alone', 2)))
        check_equal(output(place, setting, POMP_DISABLE=disable),
                    ({**PLAIN, 'open': '3, inside 4, behind 4', 'loop': '1, inside 0, behind 4'}, ''))
        check_equal(output(place, f'regions.c:{line_of("outer")}=2', POMP_DISABLE=disable), ({**PLAIN, 'nested': '8, inside 4, behind 4'}, ''))
        check_equal(output(place, f'regions.c:{line_of("inner")}=1;regions.c:{line_of("outer")}=3;', POMP_DISABLE=disable),
                    ({**PLAIN, 'nested': '3, inside 4, behind 4'}, ''))


def test_the_bundled_runtime(place):
    build(place)
    check_program(place)


def test_the_compilers_own_runtime(place):
    build(place, '--runtime=system')
    check_program(place)


def test_clang(place):
    need(CLANG)
    build(place, compiler=CLANG)
    check_program(place)


def test_values_of_the_setting(place):
    build(place)
    for value, said in (('regions.c=3', "'regions.c=3': expected FILE:LINE=THREADS; it is ignored"),
                        ('regions.c:4=0', "'regions.c:4=0': expected"),
                        ('regions.c:4=x', "'regions.c:4=x': expected"),
                        ('regions.c:4=', "'regions.c:4=': expected"),
                        (':4=3', "':4=3': expected"),
                        (f'ions.c:{line_of("open")}=3', 'has changed nothing: the program has executed no parallel region there'),
                        ('regions.c:1=3', "'regions.c:1=3' has changed nothing")):
        lines, stderr = output(place, value)
        check_in(f'pomp: POMP_REGION_THREADS: {said}' if said.startswith("'") else said, stderr)
        check_equal((lines, stderr.count('\n')), (PLAIN, 1))
    lines, stderr = output(place, f'regions.c:{line_of("open")}=2;regions.c:{line_of("open")}=1')
    check_equal(lines['open'], '1, inside 4, behind 4')
    check_in(f"'regions.c:{line_of('open')}=2' has changed nothing", stderr)


if __name__ == '__main__':
    bench.main(globals())
