#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The compilers of the tests: their names, and what each version cannot compile (cannot.txt).

  compilers.py names KIND            the names of such a compiler, that of the version which the tests know best first
  compilers.py cannot KIND VERSION   a line FILE|REASON for each program in test/ that this version cannot compile

KIND is gcc, other-gcc, older, g++, gfortran, clang, clang++ or flang. meson.build asks it, and scripts import it.
"""
import functools
import os
import shutil
import subprocess
import sys

CLANG_VERSIONS = ['-19', '-22', '-21', '-20', '-18', '-17', '-16', '-15', '-14', '']
NAMES = {
    'gcc': ['gcc'],
    # Every gcc besides the usual one. gcc 17 is not released; Debian has it as gcc-snapshot.
    'other-gcc': ['gcc-12', 'gcc-13', 'gcc-14', 'gcc-15', 'gcc-16', 'gcc-17', '/usr/lib/gcc-snapshot/bin/gcc'],
    # Whose other ways to optimize finding races must stand.
    'older': ['gcc-11', 'clang'],
    'g++': ['g++'],
    'gfortran': ['gfortran'],
    'clang': ['clang' + version for version in CLANG_VERSIONS],
    'clang++': ['clang++' + version for version in CLANG_VERSIONS],
    'flang': ['flang-new-19', 'flang-19', 'flang-new', 'flang'],
}


@functools.cache
def find(kind):
    """The name of the machine's compiler of this kind; if it has none, or a clang without OpenMP, what it lacks."""
    name = next(filter(shutil.which, NAMES[kind]), None)
    if name and kind.startswith('clang') and subprocess.run(
            [name, '-fopenmp', '-x', 'c', '-', '-shared', '-o', '/dev/null'], input='#include <omp.h>\n', text=True,
            stderr=subprocess.DEVNULL, check=False).returncode:
        return name + ' with omp.h'
    return name or NAMES[kind][0]


def major_version(name):
    """That of a compiler which the machine has."""
    return int(subprocess.run([name, '-dumpversion'], stdout=subprocess.PIPE, text=True, check=True).stdout.split('.')[0])


def is_within(version, versions):
    """Whether the table's `versions` have this one: 14, 14-16, -16, 17- or all."""
    first, dash, last = versions.partition('-')
    if versions == 'all':
        return True
    return int(first or 0) <= version <= int(last or (sys.maxsize if dash else first))


def cannot(kind, version):
    """The files in test/ that this version cannot compile, each with the reason."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cannot.txt'), encoding='utf-8') as file:
        rows = [line.split(None, 3) for line in file if line.strip() and not line.startswith('#')]
    return {name: reason.strip() for of, versions, name, reason in rows if of == kind and is_within(version, versions)}


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ['names'] and len(arguments) == 2 and arguments[1] in NAMES:
        print('\n'.join(NAMES[arguments[1]]))
    elif arguments[:1] == ['cannot'] and len(arguments) == 3:
        print('\n'.join('|'.join(row) for row in cannot(arguments[1], int(arguments[2].split('.')[0])).items()))
    else:
        sys.exit(__doc__.strip())


if __name__ == '__main__':
    main()
