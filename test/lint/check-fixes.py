#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst lint --fix`: the patches of the pages' wrong programs, and what edits do with people's layouts.

Usage: check-fixes.py OMPINST COMPILER PAGES GOLDEN

GOLDEN has one patch for each page whose wrong program has one; UPDATE_GOLDEN=1 writes them.
"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

OMPINST, COMPILER, PAGES, GOLDEN = (os.path.abspath(word) if os.path.exists(word) else word for word in sys.argv[1:])
# The wrong program prints other things than the right one, or the right one what differs from run to run.
PRINTS_OTHER = {'openmp-task-wait', 'openmp-shared-write'}


def run(*command, code=0, **more):
    """Runs a command, which must end with the code."""
    done = subprocess.run(command, capture_output=True, timeout=120, check=False, **more)
    assert done.returncode == code, f'{command}: {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}'
    return done


def lint(*words, code):
    """The output and the errors of `ompinst lint`, as text."""
    done = run(OMPINST, 'lint', f'--cc={COMPILER}', *words, code=code)
    return done.stdout.decode(), done.stderr.decode()


def write(name, text):
    """Writes a file of the current folder, byte for byte."""
    with open(name, 'w', encoding='utf-8', newline='') as file:
        file.write(text)


def read(name):
    """A file's text, byte for byte."""
    with open(name, encoding='utf-8', newline='') as file:
        return file.read()


def prints(name):
    """What the program prints with four threads."""
    run(COMPILER, '-fopenmp', '-O1', name, '-o', 'program', '-lm')
    return run('./program', env={**os.environ, 'OMP_NUM_THREADS': '4'}).stdout


def test_pages():
    """Each patch is as the golden one, applies, silences the findings, and the program prints what the right one prints."""
    update, known = os.environ.get('UPDATE_GOLDEN'), set()
    for page in sorted(os.listdir(PAGES)):
        check, text = page[:-3], read(os.path.join(PAGES, page))
        programs = dict(re.findall(r'^## (Wrong|Right)\n.*?^```c\n(.*?)^```$', text, re.M | re.S))
        write(check + '.c', programs['Wrong'])
        write('right.c', programs['Right'])
        switch = f'--only={check}'
        patch = lint('--fix', '--verify', switch, check + '.c', code=1)[0]
        golden = os.path.join(GOLDEN, check + '.patch')
        if update and patch:
            write(golden, patch)
        assert patch == (read(golden) if os.path.exists(golden) else ''), f'{check}: the patch is\n{patch}'
        if not patch:
            continue
        known.add(check + '.patch')
        run('patch', '-p0', '--dry-run', input=patch.encode())
        found = json.loads(lint('--fix', '--format=json', switch, check + '.c', code=1)[0])['findings']
        left = [finding for finding in found if not finding['fix']]
        lint('--apply', switch, check + '.c', code=1 if left else 0)
        assert lint(switch, check + '.c', code=1 if left else 0)[0].count('warning:') == len(left), check
        run('patch', '-p0', '-R', '--dry-run', input=patch.encode())
        if check not in PRINTS_OTHER:
            # The right program prints the result, the wrong one only what holds for any result.
            lines = iter(re.findall('^.*printf.*$', programs['Right'], re.M))
            write(check + '.c', re.sub('^.*printf.*$', lambda _, lines=lines: next(lines), read(check + '.c'), flags=re.M))
            assert prints(check + '.c') == prints('right.c'), f'{check}: the results differ'
    assert known == set(os.listdir(GOLDEN)), f'{GOLDEN}: {known ^ set(os.listdir(GOLDEN))}'


SUM = '''int sum(const int *v, int n)
{{
	int s = 0;
{directive}
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}}
'''
NOWAIT = '''void twice(int *v, int *w, int n)
{{
#pragma omp parallel
	{{
{directive}
		for (int i = 0; i < n; i++)
			v[i] = i;
#pragma omp for
		for (int i = 1; i < n; i++)
			w[i] = v[i - 1];
	}}
}}
'''
SHARED = '''int most(const int *v, int n, int limit)
{{
	int t, u = limit;
{directive}
	for (int i = 0; i < n; i++) {{
		t = v[i] + u;
		if (t > 100)
			__builtin_trap();
	}}
	return u;
}}
'''
# A text, its directive and what that becomes.
DIRECTIVES = [
    (SUM, '#pragma omp parallel for /* of all */', '#pragma omp parallel for reduction(+: s) /* of all */'),
    (SUM, '#  pragma omp parallel for // of all', '#  pragma omp parallel for reduction(+: s) // of all'),
    (SUM, '\t#pragma omp parallel \\\n\t\tfor \\\n\t\tschedule(static)',
     '\t#pragma omp parallel \\\n\t\tfor \\\n\t\tschedule(static) reduction(+: s)'),
    (SUM, '#define MANY 4\n#pragma omp parallel for num_threads(MANY)',
     '#define MANY 4\n#pragma omp parallel for num_threads(MANY) reduction(+: s)'),
    (SUM, '#pragma omp parallel for default(none) shared(s, v, n)',
     '#pragma omp parallel for default(none) shared(v, n) reduction(+: s)'),
    (SUM, '#pragma omp parallel for shared(v,s) num_threads(2)',
     '#pragma omp parallel for shared(v) num_threads(2) reduction(+: s)'),
    (SUM, '#pragma omp parallel for shared ( s ), num_threads(2)',
     '#pragma omp parallel for num_threads(2) reduction(+: s)'),
    (NOWAIT, '#pragma omp for nowait', '#pragma omp for'),
    (NOWAIT, '#pragma omp for schedule(static) nowait // no', '#pragma omp for schedule(static) // no'),
    (NOWAIT, '#pragma omp for nowait, schedule(static)', '#pragma omp for schedule(static)'),
    (NOWAIT, '#pragma omp for schedule(static), nowait', '#pragma omp for schedule(static)'),
    (NOWAIT, '#pragma omp for \\\n\tnowait \\\n\tschedule(static)', '#pragma omp for \\\n\tschedule(static)'),
    (SHARED, '#pragma omp parallel for', '#pragma omp parallel for private(t)'),
]
# Directives at which the text does not decide, or which the file does not have as they are.
LEFT = [
    (SUM, '#define LOOP _Pragma("omp parallel for")\nLOOP'),
    (SUM, '_Pragma("omp parallel for")'),
    (SUM, '#define KIND parallel for\n#pragma omp KIND'),
    (SUM, '#define SHARES shared(s)\n#pragma omp parallel for SHARES'),
    (NOWAIT, '#define GO nowait\n#pragma omp for GO'),
    (SHARED.replace('int t, u', 'static int t; int u'), '#pragma omp parallel for'),
]


def test_directives():
    """Only the clauses change: comments, blanks, continuation lines, macros and line ends stay."""
    for end in '\n', '\r\n':
        for text, before, after in DIRECTIVES:
            write('layout.c', text.format(directive=before).replace('\n', end))
            lint('--apply', '--verify', 'layout.c', code=0)
            assert read('layout.c') == text.format(directive=after).replace('\n', end), read('layout.c')


def test_left():
    """Nothing is offered where the text does not decide."""
    for text, directive in LEFT:
        write('left.c', text.format(directive=directive))
        before = read('left.c')
        assert lint('--fix', 'left.c', code=1)[0] == '', directive
        lint('--apply', 'left.c', code=1)
        assert read('left.c') == before


def test_statements():
    """A directive gets a line of its own, indented as the file's others, before the statement."""
    text = ('void count(int *total, const int *v, int n)\n{{\n\t#pragma omp parallel for\n\tfor (int i = 0; i < n; i++)\n'
            '{body}\n}}\n')
    for before, after in (
            ('\t\ttotal[0] += v[i];', '\t\t#pragma omp atomic\n\t\ttotal[0] += v[i];'),
            ('\t{ total[0] += v[i]; }', '\t{\n\t#pragma omp atomic\n\ttotal[0] += v[i]; }'),
            ('\t\tif (v[i]) total[0] ++;', '\t\tif (v[i])\n\t\t#pragma omp atomic\n\t\ttotal[0] ++;')):
        for end in '\n', '\r\n':
            write('statement.c', text.format(body=before).replace('\n', end))
            lint('--apply', '--verify', 'statement.c', code=0)
            assert read('statement.c') == text.format(body=after).replace('\n', end), read('statement.c')
    for body in ('#define ADD total[0] += v[i]\n\t\tADD;', '\t\ttotal[0] = total[0] * 2 + v[i];', '\t\ttotal[0] += total[1];'):
        write('statement.c', text.format(body=body))
        assert lint('--fix', '--only=same-element', 'statement.c', code=1)[0] == '', body


# Functions with a finding whose remedy depends on what the text does not say.
UNDECIDED = [
    # Another part of the region uses the variable, and no barrier is between.
    ('''#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			v[0] += i;
#pragma omp single
		v[0] *= 2;
	}''', 'same-element'),
    # Each thread of the team executes all iterations.
    ('''#pragma omp parallel
#pragma omp taskloop
	for (int i = 0; i < n; i++)
		v[0] += i;''', 'same-element'),
    # An iteration may execute one ordered region only.
    ('''#pragma omp parallel for
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
#pragma omp ordered
			v[j] += i;''', 'ordered-place'),
    ('''#pragma omp parallel for
	for (int i = 0; i < n; i++) {
#pragma omp ordered
		v[0] += i;
#pragma omp ordered
		v[1] += i;
	}''', 'ordered-place'),
    # Other atomic accesses would not exclude a critical region.
    ('''	int x = 1;
#pragma omp parallel
	{
#pragma omp atomic
		x += x * 2;
#pragma omp atomic
		x += n;
	}
	v[0] = x;''', 'atomic'),
    # A clause inside names a variable, too.
    ('''	int size = n / 4 + 1;
#pragma omp parallel
#pragma omp for schedule(static, size)
	for (int i = 0; i < n; i++)
		v[i] += i;''', 'default-none'),
]


def test_undecided():
    """The finding is reported, and nothing is offered."""
    for body, check in UNDECIDED:
        write('undecided.c', f'void f(int *v, int n)\n{{\n{body}\n}}\n')
        patch, errors = lint('--fix', f'--only={check}', 'undecided.c', code=1)
        assert patch == '' and f'[-Wopenmp-{check}]' in errors, (body, patch, errors)


def test_overlaps():
    """Equal edits of two findings are one; edits that exclude each other are not offered."""
    write('both.c', '''int f(int *v, int *w, int n)
{
	int a = 0, b = 0;
#pragma omp parallel for shared(a, b)
	for (int i = 0; i < n; i++) {
		a += v[i];
		b += w[i];
	}
	return a + b;
}
''')
    lint('--apply', '--verify', 'both.c', code=0)
    assert '#pragma omp parallel for reduction(+: a) reduction(+: b)\n' in read('both.c'), read('both.c')
    write('both.c', read('both.c').replace('reduction(+: a) reduction(+: b)', 'default(none) shared(v,a,w,b,n)'))
    lint('--apply', '--verify', 'both.c', code=0)
    assert 'for default(none) shared(v,w,n) reduction(+: a) reduction(+: b)\n' in read('both.c'), read('both.c')
    write('both.c', '''#define LOOP(x) _Pragma("omp parallel for") for (int i = 0; i < n; i++) x += v[i]
int f(int *v, int n)
{
	int a = 0;
	LOOP(a); LOOP(a);
	return a;
}
''')
    assert lint('--fix', 'both.c', code=1)[0] == ''
    write('both.c', '''void f(int *v, int *w, int *x, int n)
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++) {
			v[i] = i;
			w[i] = i;
		}
#pragma omp for
		for (int i = 1; i < n; i++)
			x[i] = v[i - 1] + w[i - 1];
	}
}
''')
    lint('--apply', '--verify', 'both.c', code=0)
    assert 'nowait' not in read('both.c')


def test_headers():
    """A header's change is offered if all units with the header have the finding."""
    os.makedirs('inner', exist_ok=True)
    header = '\tint s = 0;\n#pragma omp parallel for SHARING\n\tfor (int i = 0; i < n; i++)\n\t\ts += v[i];\n\treturn s;\n'
    write('inner/body.h', header)
    unit = '#define SHARING {}\nint {}(int *v, int n)\n{{\n#include "inner/body.h"\n}}\n'
    write('one.c', unit.format('', 'one'))
    write('two.c', unit.format('reduction(+: s)', 'two'))
    assert lint('--fix', 'one.c', 'two.c', code=1)[0] == ''
    write('two.c', unit.format('num_threads(2)', 'two'))
    patch = lint('--fix', '--verify', 'one.c', 'two.c', code=1)[0]
    assert patch.startswith('--- inner/body.h') and patch.count('\n+#pragma') == 1, patch
    lint('--apply', '--verify', 'one.c', 'two.c', code=0)
    assert read('inner/body.h') == header.replace('SHARING', 'SHARING reduction(+: s)')
    # A copy does not take the place of a header that -I finds.
    write('inner/body.h', header)
    write('one.c', unit.format('', 'one').replace('inner/', ''))
    done = lint('--fix', '--verify', 'one.c', '--', '-Iinner', code=1)
    assert done[0] == '' and 'a copy cannot replace' in done[1], done


def test_verify():
    """A change with which the file does not compile is not offered, and the others are."""
    write('fails.c', SUM.format(directive='#pragma omp parallel for') + '''
int other(const int *v, int n)
{
	int s = 0;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}
''')
    write('cc', f'#!/bin/sh\ncase " $* " in *" -c "*) for word; do case $word in *.c) grep -A3 "int sum" "$word" | grep -q reduction '
          f'&& exit 1;; esac; done;; esac\nexec {COMPILER} "$@"\n')
    os.chmod('cc', 0o700)
    done = run(OMPINST, 'lint', '--fix', '--verify', './cc', '-c', 'fails.c', code=1)
    patch, errors = done.stdout.decode(), done.stderr.decode()
    assert patch.count('+#pragma') == 1 and '@@ -10,7' in patch, patch
    assert 'fails.c:6:3: note: no change is offered for openmp-reduction: the changed file does not compile' in errors, errors


def test_files():
    """The file keeps its mode, and a link stays one; a file that cannot be written is left, and that is said."""
    write('kept.c', SUM.format(directive='#pragma omp parallel for'))
    os.chmod('kept.c', 0o640)
    os.symlink('kept.c', 'link.c')
    lint('--apply', 'link.c', code=0)
    assert os.path.islink('link.c') and stat.S_IMODE(os.stat('kept.c').st_mode) == 0o640
    assert 'reduction' in read('kept.c')
    # The compiler changes the file after it was preprocessed.
    write('moves.c', SUM.format(directive='#pragma omp parallel for'))
    write('cc', f'#!/bin/sh\n{COMPILER} "$@" && case " $* " in *" -c "*) sed -i "s/int s = 0/int s = 1/" moves.c;; esac\n')
    os.chmod('cc', 0o700)
    done = run(OMPINST, 'lint', '--apply', '--verify', './cc', '-c', 'moves.c', code=2)
    assert 'moves.c: error: is left as it is: it has changed since it was checked' in done.stderr.decode(), done.stderr.decode()
    assert 'reduction' not in read('moves.c')


def test_forms():
    """SARIF and JSON have the edit, in the columns of editors."""
    write('forms.c', SUM.format(directive='#pragma omp parallel /* \u00e4\U0001F600 */ for'))
    found = json.loads(lint('--fix', '--format=json', 'forms.c', code=1)[0])['findings'][0]
    assert found['fix'] == [{'file': 'forms.c', 'line': 4, 'column': 35, 'end_line': 4, 'end_column': 35,
                             'text': ' reduction(+: s)'}], found
    result = json.loads(lint('--fix', '--format=sarif', 'forms.c', code=1)[0])['runs'][0]['results'][0]
    change = result['fixes'][0]['artifactChanges'][0]
    assert change['artifactLocation']['uri'] == 'forms.c'
    assert change['replacements'] == [{'deletedRegion': {'startLine': 4, 'startColumn': 35, 'endLine': 4, 'endColumn': 35},
                                       'insertedContent': {'text': ' reduction(+: s)'}}]
    assert 'fixes' not in json.loads(lint('--format=sarif', 'forms.c', code=1)[0])['runs'][0]['results'][0]


def test_build():
    """With -p, files of other folders are changed, and the diff has names from here."""
    os.makedirs('build/object', exist_ok=True)
    write('build/part.c', SUM.format(directive='#pragma omp parallel for'))
    entry = {'directory': os.path.abspath('build/object'), 'file': '../part.c', 'arguments': [COMPILER, '-c', '../part.c']}
    write('build/compile_commands.json', json.dumps([entry]))
    assert lint('--fix', '-p', 'build', code=1)[0].startswith('--- build/part.c\n')
    lint('--apply', '--verify', '-p', 'build', code=0)
    assert 'reduction' in read('build/part.c')


def main():
    """Runs each test in a folder of its own."""
    for name, test in list(globals().items()):
        if name.startswith('test_'):
            folder = tempfile.mkdtemp()
            os.chdir(folder)
            test()
            os.chdir('/')
            shutil.rmtree(folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
