#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs with a mark on each line where `ompinst lint` must find something, and nowhere else.

A mark is the comment `finds NAME`. Each file is checked as C and as C++: the findings have to be the same.

Usage: check-variants.py OMPINST FILE...
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


def findings(ompinst, path):
    """What lint finds: {(line, check)}."""
    done = subprocess.run([ompinst, 'lint', '-Wopenmp-flag-write', '--format=json', path], capture_output=True,
                          text=True)
    assert done.returncode in (0, 1), f'{path}: {done.returncode}\n{done.stdout}{done.stderr}'
    return {(found['line'], found['check']) for found in json.loads(done.stdout)['findings']}


def marks(path):
    """What the file's comments say: {(line, check)}."""
    with open(path, encoding='utf-8') as file:
        return {(number, check) for number, line in enumerate(file, 1)
                for check in re.findall(r'/\* finds ([a-z-]+) \*/', line)}


def main():
    """Checks all; returns the exit status."""
    ompinst, *files = sys.argv[1:]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            name = os.path.splitext(os.path.basename(path))[0]
            expected = marks(path)
            assert expected, f'{path} has no mark'
            for extension in ('.c', '.cc'):
                copy = shutil.copy(path, os.path.join(folder, name + extension))
                found = findings(ompinst, copy)
                failures += [f'{name}{extension}:{line}: not found: {check}' for line, check in sorted(expected - found)]
                failures += [f'{name}{extension}:{line}: false: {check}' for line, check in sorted(found - expected)]
    print('\n'.join(failures) or f'{len(files)} files')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
