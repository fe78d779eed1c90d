#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures `ompinst race run --fix --verify` on the kernels of test/race/kernels.

    fixes.py --ompinst build/instrumenter/ompinst          all kernels: which get a verified patch
    fixes.py --ompinst ... --golden FOLDER                 fails unless the kernels with a golden patch get it, the others none, and each
                                                           change that is proposed passes --verify (UPDATE_GOLDEN=1 writes the patches)

Each kernel is taken as it is without FIXED: no #ifdef, and the macros that differ are expanded, so that its directives are
those that a user would have written. A kernel has one right answer by directives if its fixed version differs only in
them, and only by what --fix can write. A patched program must compile and end with status 0, as the fixed one does, with each
of several numbers of threads; if it does not, the patch is harmful.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_HERE = 77
# What --fix writes or removes; words of a differing directive that are none of these have other meanings.
REMEDIES = re.compile(r'\b(?:private|firstprivate|lastprivate|reduction|shared)\s*\([^)]*\)|\batomic(?: update| read| write)?(?! capture)\b|'
                      r'\bcritical\b(?:\s*\(\w+\))?|\bnowait\b|\bbarrier\b|\btaskwait\b')
DIRECTIVE = re.compile(r'\s*(?:#pragma|!\$omp)\b')
# A Fortran kernel is given to compilers as a file without preprocessing.
COMPILERS = {'.c': ('gcc', '.c'), '.cc': ('g++', '.cc'), '.F90': ('gfortran', '.f90'),
             '.f90': ('gfortran', '.f90'), '.f': ('gfortran', '.f')}


def variant(text, fixed):
    """The kernel's text with or without FIXED, without the conditions themselves."""
    lines, keeps, macros = [], [], {}
    for line in text.splitlines():
        if match := re.match(r'\s*#\s*(ifdef|ifndef) FIXED\b', line):
            keeps.append((match[1] == 'ifdef') == fixed)
        elif keeps and re.match(r'\s*#\s*if', line):
            keeps.append(None)
        elif keeps and re.match(r'\s*#\s*else', line) and keeps[-1] is not None:
            keeps[-1] = not keeps[-1]
        elif keeps and re.match(r'\s*#\s*endif', line) and keeps.pop() is not None:
            pass
        elif all(keep is not False for keep in keeps):
            match = re.match(r'#define (\w+)(?: (.*))?$', line)
            if match and keeps and not line.endswith('\\'):
                macros[match[1]] = match[2] or ''
                continue
            if DIRECTIVE.match(line):
                for name, value in macros.items():
                    line = re.sub(rf'\b{name}\b(?!\s*\()', value, line)
                line = line.rstrip()
            lines.append(line)
    return '\n'.join(lines) + '\n', macros


def has_one_answer(racy, fixed):
    """Do the two differ only in directives, by what --fix can write?"""
    def rest(text):
        return [word for line in text.splitlines()
                for word in [re.sub(r'\s+', ' ', REMEDIES.sub('', line) if DIRECTIVE.match(line) else line).strip()]
                if word not in ('', '#pragma omp', '!$omp')]
    return racy != fixed and rest(racy) == rest(fixed)


def run(command, folder, seconds=300, **environment):
    """The exit status and what was printed; None after the time."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=seconds, check=False, text=True, errors='replace',
                              stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ''


def is_harmful(compiler, folder, name):
    """Does the patched program not compile, or not end as it should?"""
    if run([*compiler, name, '-o', 'patched'], folder)[0] != 0:
        return True
    return any(run(['./patched'], folder, 60, OMP_NUM_THREADS=threads)[0] != 0 for threads in '14834238')


VERDICTS = 'fixed', 'by lint', 'partly', 'unchanged', 'silent', 'harmful', 'fails'


def examine(path, ompinst):
    """(name, one answer, verdict, patch, why --verify refuses changes). 'by lint': `ompinst lint --fix --verify` has the patch."""
    stem, ending = os.path.splitext(os.path.basename(path))
    compiler = [COMPILERS[ending][0], '-fopenmp', '-O1']
    with open(path, encoding='utf-8') as file:
        text = file.read()
    racy, macros = variant(text, False)
    fixed, _ = variant(text, True)
    for name in macros:
        if re.search(rf'\b{name}\b', racy):
            racy, fixed = text, text    # a macro of more than a directive
    with tempfile.TemporaryDirectory(prefix='race-fixes-') as folder:
        name = stem + COMPILERS[ending][1]
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(racy)
        if run([ompinst, 'race', *compiler, '-Wno-openmp', name, '-o', 'program', '-lm'], folder)[0] != 0:
            return stem, has_one_answer(racy, fixed), 'fails', '', []
        command = ' '.join([*compiler, name, '-o', 'program', '-lm'])
        status, said = run([ompinst, 'race', 'run', '--quiet', '--fix=patch', '--verify', f'--cc={command}', './program'], folder)
        if 'FATAL: ThreadSanitizer' in said:
            sys.exit(NOT_HERE)
        counts = re.search(r'changes for (\d+) of (\d+) race', said)
        verdict = 'silent' if status == 0 else 'fails' if status != 1 or not counts else \
            'fixed' if counts[1] == counts[2] else 'partly' if counts[1] != '0' else 'unchanged'
        patch = os.path.join(folder, 'patch')
        if verdict == 'silent' and COMPILERS[ending][0] != 'gfortran':    # no run shows it, but the text may
            with open(patch, 'w', encoding='utf-8') as file:
                subprocess.run([ompinst, 'lint', '--fix', '--verify', *compiler, '-c', name], cwd=folder, check=False, timeout=300,
                               stdout=file, stderr=subprocess.DEVNULL)
            verdict = 'by lint' if os.path.getsize(patch) > 0 else verdict
        text = ''
        if os.path.exists(patch):
            with open(patch, encoding='utf-8') as file:
                text = file.read()
        if text:
            run(['patch', '-s', '-p0', '-i', patch], folder)
            if is_harmful(compiler, folder, name):
                verdict = 'harmful'
        notes = re.findall(r'note: no change is offered: the changed program (.*)', said)
        return stem, has_one_answer(racy, fixed), verdict, text, notes


def difference(result, golden):
    """How a kernel's result differs from its golden patch, or from none; '' if it does not."""
    stem, _, verdict, patch, notes = result
    path = os.path.join(golden, stem + '.patch')
    if os.environ.get('UPDATE_GOLDEN') and verdict in VERDICTS[:2]:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(patch)
    wanted = ''
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            wanted = file.read()
    # In another run the same change may be for a part of the races that were seen.
    if (wanted and verdict not in VERDICTS[:3]) or (verdict in VERDICTS[:2] and not wanted) or (wanted and patch != wanted):
        return f'{stem}: {verdict}, expected the patch of {path}, found\n{patch}'
    # Of several races in one place a run may show the one alone that a change mends.
    notes = [note for note in notes if not note.startswith(('still has the race', 'has nothing to be compared with'))]
    return f'{stem}: a change is proposed with which the program {notes}' if notes else ''


def check(results, options):
    """Compares the patches with the golden ones; returns how many differ. Which races runs show depends on their threads'
    order, so a kernel that differs is examined again, twice at most."""
    failures = 0
    for path, result in results:
        again = 0
        while (said := difference(result, options.golden)) and again < 2:
            print(f'{said}\n({os.path.basename(path)} is examined again)')
            result, again = examine(path, os.path.abspath(options.ompinst)), again + 1
        if said:
            print(said)
            failures += 1
    return failures


def main():
    """Measures, or checks with --golden; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ompinst', required=True)
    parser.add_argument('--golden')
    parser.add_argument('--kernels', default=os.path.join(HERE, 'kernels'))
    parser.add_argument('--only', nargs='*', default=[])
    parser.add_argument('--jobs', type=int, default=1)
    options = parser.parse_args()
    ompinst = os.path.abspath(options.ompinst)
    names = [name for name in sorted(os.listdir(options.kernels)) if shutil.which(COMPILERS.get(os.path.splitext(name)[1], ' ')[0])
             and (not options.only or os.path.splitext(name)[0] in options.only)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        paths = [os.path.join(options.kernels, name) for name in names]
        results = list(pool.map(lambda path: examine(path, ompinst), paths))
    if options.golden:
        return 1 if check(zip(paths, results), options) or not results else 0
    for stem, answer, verdict, _, notes in results:
        print(f'{stem:36} {"one answer" if answer else "":10} {verdict:10} {"; ".join(notes)}')
    for language, part in (('C and C++', [result for result in results if not result[0].startswith('fortran')]),
                           ('Fortran', [result for result in results if result[0].startswith('fortran')])):
        for title, answer in (('one right answer', True), ('others', False)):
            chosen = [result[2] for result in part if result[1] == answer]
            print(f'{language}, {title}: {len(chosen)} kernels, ' + ', '.join(f'{chosen.count(verdict)} {verdict}' for verdict in VERDICTS))
    print(f'{sum(len(result[4]) for result in results)} changes did not pass --verify')
    return 0


if __name__ == '__main__':
    sys.exit(main())
