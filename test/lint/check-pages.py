#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each check of `ompinst lint` has a page; its two programs compile, run, and are judged as the page says.

Usage: check-pages.py OMPINST COMPILER PAGES
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def run(*command, code=0, **more):
    """The output of a command that ends with the code; a program that hangs is a failure, too."""
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode in (code if isinstance(code, tuple) else (code,)), \
        f'{" ".join(command)}: {done.returncode}\n{done.stdout}{done.stderr}'
    return done.stdout


def programs(page):
    """The text of the wrong and the right program."""
    text = open(page, encoding='utf-8').read()
    blocks = dict(re.findall(r'^## (Wrong|Right)\n.*?^```c\n(.*?)^```$', text, re.M | re.S))
    assert set(blocks) == {'Wrong', 'Right'}, f'{page}: a program is missing'
    return blocks['Wrong'], blocks['Right']


def judge(ompinst, compiler, folder, name, text, proposals):
    """What lint finds in a program that compiles and ends: [(check, line)]."""
    path = os.path.join(folder, name + '.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    run(compiler, '-fopenmp', '-Wall', '-Werror', '-Wno-error=maybe-uninitialized', '-Wno-error=uninitialized',
        path, '-o', path[:-2], '-lm')
    run(path[:-2], env={**os.environ, 'OMP_NUM_THREADS': '4'})
    switches = [f'-W{name.rsplit("-", 1)[0]}'] if proposals else []
    found = json.loads(run(ompinst, 'lint', *switches, '--format=json', path, code=(0, 1)))
    return [(finding['check'], finding['line']) for finding in found['findings']]


def main():
    """Checks all pages; returns the exit status."""
    ompinst, compiler, pages = sys.argv[1:]
    checks = [line.split()[0] for line in run(ompinst, 'lint', '--list').splitlines()]
    proposed = [line.split()[0] for line in run(ompinst, 'lint', '--list').splitlines() if 'off by default' in line]
    failures = []
    listed = sorted(name[:-3] for name in os.listdir(pages))
    if listed != sorted(checks):
        failures.append(f'pages and checks differ: {sorted(set(listed) ^ set(checks))}')
    index = open(os.path.join(pages, '..', 'lint.md'), encoding='utf-8').read()
    failures += [f'doc/lint.md does not name {check}' for check in checks if f'lint/{check}.md' not in index]
    with tempfile.TemporaryDirectory() as folder:
        for check in sorted(set(checks) & set(listed)):
            wrong, right = programs(os.path.join(pages, check + '.md'))
            marked = [(check, number) for number, line in enumerate(wrong.splitlines(), 1) if '/* here */' in line]
            proposals = check in proposed
            found = judge(ompinst, compiler, folder, check + '-wrong', wrong, proposals)
            if not marked or found != marked:
                failures.append(f'{check}, wrong: expected {marked}, found {found}')
            found = judge(ompinst, compiler, folder, check + '-right', right, proposals)
            if found:
                failures.append(f'{check}, right: found {found}')
    print('\n'.join(failures) or f'{len(checks)} checks')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
