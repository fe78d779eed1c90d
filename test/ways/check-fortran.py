#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A Fortran program is measured by `ompinst run` and, linked by ompinst, in a plain run: the same regions either way.

check-fortran.py OMPINST COMPILER SOURCE FLAG...

Behind a directive in the source stands how often it is visited ("! 3 visits"; "static loop": of a combined directive
only the parallel part calls the runtime). Each must be in the profile at its line, at most one apart, and nothing else
of these kinds may be.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NAMES = {'parallel': ['parallel'], 'parallel do': ['parallel', 'for'], 'do': ['for'], 'task': ['task'],
         'single': ['single'], 'critical': ['critical'], 'barrier': ['barrier'], 'ordered': ['ordered'],
         'sections': ['sections']}


def fail(text):
    sys.exit(f'check-fortran: {text}')


def expected_regions(source):
    """{(construct, line): visits}, by the comments of the source."""
    expected, start = {}, 0
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = re.match(r'\s*!\$omp(&?)\s*(.*)', line, re.I)
        if not found:
            continue
        if not found[1]:
            start, words = number, found[2].lower()
        visits = re.search(r'! (\d+) visits(.*)$', line)
        if visits is None:
            continue
        directive = max((name for name in NAMES if re.match(name + r'\b', words)), key=len)
        for name in NAMES[directive][:1 if 'static loop' in visits[2] else 2]:
            expected[name, start] = int(visits[1])
    return expected


def measured_regions(command, folder, source):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('POMP_', 'OMP_'))}
    environment |= {'POMP_SUMMARY': 'summary.json', 'POMP_SUMMARY_FORMAT': 'json'}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0 or done.stdout != 'done 22, solved T\n':
        fail(f'{command}: status {done.returncode}, {done.stdout!r}\n{done.stderr}')
    summary = pathlib.Path(folder, 'summary.json')
    regions = json.loads(summary.read_text())['regions']
    summary.unlink()
    found = {}
    for region in regions:
        if region['sub_name'].startswith('of '):  # the barrier at the end of another construct
            continue
        if os.path.basename(region['file'] or '') != source.name:
            fail(f'{command}: a region of another file: {region}')
        key = region['name'], region['begin_line']
        found[key] = found.get(key, 0) + region['visits']
    return found


def compare(what, found, expected):
    found = dict(found)
    for (name, line), visits in expected.items():
        place = next(((name, at) for at in (line, line - 1, line + 1) if (name, at) in found), None)
        if place is None:
            fail(f'{what}: no {name} at line {line}; found {sorted(found)}')
        if found.pop(place) != visits:
            fail(f'{what}: {name} at line {line}: not {visits} visits')
    if found:
        fail(f'{what}: unexpected regions {found}')


def main():
    ompinst, compiler, source, *flags = sys.argv[1:]
    ompinst = str(pathlib.Path(ompinst).resolve())
    source = pathlib.Path(source).resolve()
    if shutil.which(compiler) is None:
        print(f'no {compiler} here')
        sys.exit(77)
    expected = expected_regions(source)
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, '-fopenmp', *flags, str(source)]
        subprocess.run([*command, '-o', 'plain'], cwd=folder, check=True)
        subprocess.run([ompinst, *command, '-o', 'linked'], cwd=folder, check=True)
        for what, command in (('linked', ['./linked']), ('run', [ompinst, 'run', './plain']),
                              ('both', [ompinst, 'run', './linked'])):
            compare(f'{what} {" ".join(flags)}', measured_regions(command, folder, source), expected)
    print(f'{len(expected)} constructs, each visited as often as expected')


main()
