#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Correct programs in which `ompinst lint` must find nothing, and odd texts that must not crash it.

Usage: check-idioms.py OMPINST COMPILER FILE...
"""
import os
import random
import subprocess
import sys
import tempfile

OMPINST, COMPILER, *FILES = sys.argv[1:]


def lint(path):
    """Exit status and output of a run over one file."""
    done = subprocess.run([OMPINST, 'lint', path], capture_output=True,
                          text=True, errors='replace')
    return done.returncode, done.stdout + done.stderr


def odd_texts(text, count):
    """The text with lines left out, doubled, and cut."""
    chance = random.Random(21)
    lines = text.splitlines()
    for _ in range(count):
        odd = list(lines)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(odd))
            kind = chance.randrange(3)
            if kind == 0:
                del odd[at]
            elif kind == 1:
                odd.insert(chance.randrange(len(odd)), odd[at])
            else:
                odd[at] = odd[at][:chance.randrange(len(odd[at]) + 1)]
        yield '\n'.join(odd) + '\n'


def main():
    """Checks all; returns the exit status."""
    failures = []
    for path in FILES:
        code, said = lint(path)
        if code != 0:
            failures.append(f'{path}: {code}\n{said}')
    with tempfile.TemporaryDirectory() as folder:
        for path in FILES:
            odd = os.path.join(folder, 'odd' + os.path.splitext(path)[1])
            with open(path, encoding='utf-8') as file:
                text = file.read()
            for number, changed in enumerate(odd_texts(text, 6)):
                with open(odd, 'w', encoding='utf-8') as file:
                    file.write(changed)
                code, said = lint(odd)
                if code not in (0, 1, 2) or 'cannot check it' in said:
                    failures.append(f'{path}, odd text {number}: {code}\n{said}')
    print('\n'.join(failures) or f'{len(FILES)} files')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
