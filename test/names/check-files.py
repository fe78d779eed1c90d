#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check-files.py NAME-CODE CASES: debug information wherever it is, and files that are not what they were.

One place, the entry of main's first outlined function of constructs.c (its directive is the first "omp
parallel" there), is asked for in programs whose debug information is in many forms, and in damaged ones.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

NAME_CODE, CASES = sys.argv[1:3]
SOURCE = os.path.abspath(os.path.join(CASES, 'constructs.c'))
failures = []


def run(*words, **options):
    """Runs a tool that must succeed; its output."""
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def expect(condition, message):
    """Notes what is wrong."""
    if not condition:
        failures.append(message)


def build_id_of(program):
    """As readelf prints it, or "-"."""
    found = re.search(r'Build ID: (\w+)', run('readelf', '-n', program))
    return found[1] if found else '-'


def entry_of(program):
    """The offset of main._omp_fn.0."""
    return next(line.split()[0] for line in run('nm', program).splitlines() if line.endswith(' main._omp_fn.0'))


def ask(path, entry, build_id, *dirs, status=0):
    """The answer's fields for that entry."""
    done = subprocess.run([NAME_CODE, *dirs], input=f'parallel entry {entry} 0 {build_id} {path}\n',
                          capture_output=True, text=True, errors='replace', check=False)
    expect(done.returncode == status, f'{path}: status {done.returncode}: {done.stderr}')
    return done.stdout.rstrip('\n').split('\t') if done.stdout else [''] * 8


def line_of_parallel():
    """Of the first parallel region of main."""
    with open(SOURCE, encoding='utf-8') as text:
        lines = text.read().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.startswith('#pragma omp parallel'))


def expect_line(what, answer):
    """The answer has the directive."""
    expect(answer[:2] == ['3', 'main'] and answer[3] == str(line_of_parallel()), f'{what}: {answer}')


def compiled(folder, name, *options):
    """A program of its own."""
    program = os.path.join(folder, name)
    run('gcc', '-fopenmp', '-g', '-O1', *options, '-o', program, SOURCE, cwd=folder)
    return program


def forms(folder):
    """Every form that compilers and linkers make."""
    for name, options in {
            'five': ['-gdwarf-5'], 'four': ['-gdwarf-4'], 'fixed': ['-no-pie'], 'zlib': ['-gz=zlib'],
            'gnu': ['-gz=zlib-gnu'], 'sections': ['-fdebug-types-section'], 'lto': ['-flto=1'],
            'split': ['-gsplit-dwarf']}.items():
        program = compiled(folder, name, *options)
        expect_line(name, ask(program, entry_of(program), build_id_of(program)))


def separate(folder):
    """Debug files by build id and by name; dwz's supplementary file."""
    program = compiled(folder, 'whole')
    entry, build_id = entry_of(program), build_id_of(program)
    stripped, debug = os.path.join(folder, 'stripped'), os.path.join(folder, 'stripped.debug')
    run('objcopy', '--only-keep-debug', program, debug)
    run('strip', '-o', stripped, program)
    answer = ask(stripped, entry, build_id)
    has_main = re.search(r' T main$', run('nm', '-D', '--defined-only', stripped), re.M)  # as on riscv64
    expect(answer[0] == '0' and ('has no debug information' if has_main else 'neither debug information nor symbols') in answer[7],
           f'stripped: {answer}')
    run('strip', '-g', '-o', stripped, program)
    answer = ask(stripped, entry, build_id)
    expect(answer[0] == '1' and answer[1] == 'main' and 'no debug information' in answer[7], f'symbols: {answer}')
    run('strip', '-o', stripped, program)
    tree = os.path.join(folder, 'tree', '.build-id', build_id[:2])
    os.makedirs(tree)
    shutil.copy(debug, os.path.join(tree, build_id[2:] + '.debug'))
    expect_line('--debug-dir', ask(stripped, entry, build_id, os.path.join(folder, 'tree')))
    expect_line('removed program', ask(stripped + '-gone', entry, build_id, os.path.join(folder, 'tree')))
    run('objcopy', '--add-gnu-debuglink=' + debug, stripped, cwd=folder)
    expect_line('debug link', ask(stripped, entry, build_id))
    os.mkdir(os.path.join(folder, '.debug'))
    shutil.move(debug, os.path.join(folder, '.debug', 'stripped.debug'))
    expect_line('debug link in .debug', ask(stripped, entry, build_id))
    with open(os.path.join(folder, '.debug', 'stripped.debug'), 'wb') as damaged:
        damaged.write(b'\x7fELF')
    expect(ask(stripped, entry, build_id)[0] == '0', 'a damaged debug file is used')
    if shutil.which('dwz'):
        one, other = compiled(folder, 'one'), compiled(folder, 'other', '-DOTHER')
        entry = entry_of(one)
        subprocess.run(['dwz', '-m', os.path.join(folder, 'common.dwz'), one, other], check=True, capture_output=True)
        expect_line('dwz', ask(one, entry, build_id_of(one)))


def replaced(folder):
    """Another file at the path, none, and what is no program."""
    program, other = compiled(folder, 'now'), compiled(folder, 'later', '-O2')
    entry, build_id = entry_of(program), build_id_of(program)
    answer = ask(other, entry, build_id)
    expect(answer[0] == '0' and 'another file' in answer[7] and build_id in answer[7], f'replaced: {answer}')
    for path in (os.path.join(folder, 'none'), folder, '/dev/null', '/dev/zero', SOURCE, '/proc/self/mem', 'relative', ''):
        answer = ask(path, entry, build_id)
        expect(answer[0] == '0' and answer[7] != '-', f'{path}: {answer}')
    for offset in ('0', '1', 'ffffffffffffffff', '7fffffffffffffff'):
        expect(len(ask(program, offset, build_id)) == 8, f'offset {offset}')
    # A source that is newer has its directives elsewhere: the code's own line is what is left.
    source = os.path.join(folder, 'moved.c')
    shutil.copy(SOURCE, source)
    moved = os.path.join(folder, 'moved')
    run('gcc', '-fopenmp', '-g', '-O1', '-o', moved, source)
    with open(source, encoding='utf-8') as text:
        lines = text.read()
    with open(source, 'w', encoding='utf-8') as text:
        text.write('\n' * 20 + lines)
    os.utime(source, (os.path.getmtime(moved) + 10,) * 2)
    answer = ask(moved, entry_of(moved), build_id_of(moved))
    expect(answer[0] == '2' and abs(int(answer[3]) - line_of_parallel()) <= 1, f'newer source: {answer}')


def damaged(folder):
    """Damage anywhere gives less, and no crash; the same bytes each time."""
    program = compiled(folder, 'damaged-five')
    four = compiled(folder, 'damaged-four', '-gdwarf-4', '-gsplit-dwarf')
    for path in (program, four):
        entry = entry_of(path)
        with open(path, 'rb') as file:
            whole = file.read()
        start = whole.find(b'.debug_') % 997
        for number in range(int(os.environ.get('DAMAGES', '60'))):
            damaged_bytes = bytearray(whole)
            for change in range(1 + number % 7):
                place = (start + number * 2654435761 + change * 40503 * (number + 1)) % len(whole)
                damaged_bytes[place] = (number * 37 + change * 101) % 256
            if number % 5 == 4:
                del damaged_bytes[(number * 7919) % len(whole):]
            copy = os.path.join(folder, 'copy')
            with open(copy, 'wb') as file:
                file.write(damaged_bytes)
            found = re.search(r'Build ID: (\w+)', subprocess.run(
                ['readelf', '-n', copy], capture_output=True, text=True, errors='replace', check=False).stdout)
            ask(copy, entry, found[1] if found else '-')


def main():
    """All of it; the exit status says whether it was right."""
    for test in (forms, separate, replaced, damaged):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    for failure in failures:
        print('FAIL:', failure)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
