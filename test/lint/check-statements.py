#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst lint --fix` for changes of statements: locks, waiting loops, barriers, arrays.

Each text is changed as expected, with LF and CRLF, or left as it is where the text does not decide.

Usage: check-statements.py OMPINST COMPILER
"""
import os
import subprocess
import sys
import tempfile

OMPINST, COMPILER = (os.path.abspath(word) if os.path.exists(word) else word for word in sys.argv[1:])
LOCKED = '''#include <omp.h>
static omp_lock_t guard;
static int total;
{before}int add(int value)
{{
	omp_set_lock(&guard);
{body}
	total += value;
	omp_unset_lock(&guard);
	return 0;
}}
'''
ORDER = '''#include <omp.h>
static omp_lock_t a, b;
{before}void one(int *x)
{{
	omp_set_lock(&a);
	omp_set_lock(&b);
	++*x;
	omp_unset_lock(&b);
	omp_unset_lock(&a);
}}
void two(int *x)
{{
{body}
	--*x;
	omp_unset_lock(&a);
	omp_unset_lock(&b);
}}
'''
SPIN = '''{before}int f(int n)
{{
	int ready = 0, value = 0;
#pragma omp parallel num_threads(2) shared(ready, value)
	{{
{body}
	}}
	return value + ready + n;
}}
'''
SECTIONS = '''#pragma omp sections
		{{
			{{
				value = n;
				{write}
			}}
#pragma omp section
			{{
{wait}
			}}
		}}'''
BRANCH = '''#include <omp.h>
{before}int f(int *v, int n)
{{
	int x = 0;
#pragma omp parallel shared(x)
	{{
{body}
	}}
	return x + v[n];
}}
'''
SHARED = '''#include <omp.h>
{before}
int f(const int *v, int n)
{{
	int sum = 0;
{body}
	for (int i = 0; i < 4; i++)
		sum += (int)hits[i];
	return sum;
}}
'''
COUNT = '''#pragma omp parallel num_threads(4)
	{{
		const int me = omp_get_thread_num();
#pragma omp for
		for (int i = 0; i < n; i++)
			{}
	}}'''
# A form, what is before its function, its body, and what that becomes.
CHANGED = [
    ('lock-kept', LOCKED, '', '	if (value < 0) return -1;', '	if (value < 0) { omp_unset_lock(&guard); return -1; }'),
    ('lock-kept', LOCKED, '', '	if (value < 0) { // no\n		return -1;\n	}',
     '	if (value < 0) { // no\n		omp_unset_lock(&guard);\n		return -1;\n	}'),
    ('lock-kept', LOCKED, '#define NONE (-1)\n', '	if (value < 0)	/* none */\n		return NONE; // left\n	else\n		total++;',
     '	if (value < 0) {	/* none */\n		omp_unset_lock(&guard);\n		return NONE; // left\n	}\n	else\n'
     '		total++;'),
    ('lock-kept', LOCKED, '', '	switch (value) {\n	case 1: return 2;\n	default: break;\n	}',
     '	switch (value) {\n	case 1:\n	omp_unset_lock(&guard);\n	return 2;\n	default: break;\n	}'),
    ('lock-kept', LOCKED, '', '	for (int i = 0; i < value; i++)\n		if (i == 7)\n			return i;',
     '	for (int i = 0; i < value; i++)\n		if (i == 7) {\n			omp_unset_lock(&guard);\n			return i;\n'
     '		}'),
    ('lock-order', ORDER, '', '	omp_set_lock( &b ); // outer\n	omp_set_lock(&a);', '	omp_set_lock( &a ); // outer\n	omp_set_lock(&b);'),
    ('lock-order', ORDER, '', '	omp_set_lock(&b); omp_set_lock(&a);', '	omp_set_lock(&a); omp_set_lock(&b);'),
    ('spin', SPIN, '', SECTIONS.format(write='ready = 1;', wait='				while (ready == 0) {\n				}\n				value++;'),
     SECTIONS.format(write='@', wait='''				int seen;
#pragma omp atomic read acquire
				seen = ready;
				while (seen == 0) {
#pragma omp atomic read acquire
					seen = ready;
				}
				value++;''').replace('				@', '#pragma omp atomic write release\n				ready = 1;')),
    ('barrier-branch', BRANCH, '', '''		if (omp_get_thread_num() == 0) {
			x = n;
			#pragma omp barrier
		} else {
			#pragma omp barrier
		} // both
		v[omp_get_thread_num()] = x;''', '''		if (omp_get_thread_num() == 0) {
			x = n;
		} else {
		} // both
		#pragma omp barrier
		v[omp_get_thread_num()] = x;'''),
]
PADDED = [
    # Before and after: declarations, blanks, several elements in a line.
    ('static unsigned long  hits[4] = {0}; // of threads', 'hits[ me ]++;',
     'static struct { _Alignas(64) unsigned long value; }  hits[4] = {0}; // of threads', 'hits[ me ].value++;'),
    ('static int hits[4], *last;', 'hits[me]++;', None, None),
    ('int hits[4];', 'hits[me]++;', None, None),
    ('static int hits[4];', 'hits[me] = hits[hits[me] & 3] + 1;',
     'static struct { _Alignas(64) int value; } hits[4];', 'hits[me].value = hits[hits[me].value & 3].value + 1;'),
    ('#define HIT hits[me]\nstatic int hits[4];', 'HIT++;', None, None),
    ('static int hits[4];\nint other(int *);\nint g(void) { return other(hits); }', 'hits[me]++;', None, None),
    ('static int hits[4];\nint g(void) { return (int)sizeof(hits); }', 'hits[me]++;', None, None),
    ('#ifdef _OPENMP\nstatic int hits[4];\n#endif', 'hits[me]++;', None, None),
    ('static int hits[4];\n#if LOUD\nint g(void) { return hits[0]; }\n#endif', 'hits[me]++;', None, None),
    ('static int hits[4];\n#define FIRST hits[0]', 'hits[me]++;', None, None),
    ('typedef struct { int x; } cell;\nstatic cell cells[4];\nstatic int hits[4];', 'cells[me].x += v[i];', None, None),
]
WAITS = '				while (!ready)\n					;\n				value++;'
# Texts with a finding and no change, and the name's end of the file.
LEFT = [
    # The statement comes from a macro, or may be left out of the program.
    ('lock-kept', LOCKED, '#define LEAVE return -1\n', '	if (value < 0)\n		LEAVE;', '.c'),
    ('lock-kept', LOCKED.replace('omp_set_lock(&guard)', 'SET'), '#define SET omp_set_lock(&guard)\n', '	if (value < 0)\n		return -1;', '.c'),
    ('lock-kept', LOCKED.replace('	omp_set_lock(&guard);', '#ifdef _OPENMP\n	omp_set_lock(&guard);\n#endif'), '',
     '	if (value < 0)\n		return -1;', '.c'),
    # The function keeps the lock on purpose.
    ('lock-kept', LOCKED.replace('	omp_unset_lock(&guard);\n	return 0;', '	return 0;'), '',
     '	if (value < 0) {\n		omp_unset_lock(&guard);\n		return -1;\n	}', '.c'),
    # The value needs the lock.
    ('lock-kept', LOCKED, '', '	if (value < 0)\n		return total;', '.c'),
    ('lock-kept', LOCKED, 'int other(void);\n', '	if (value < 0)\n		return other();', '.c'),
    # A function on the path may unset the lock, or not return.
    ('lock-kept', LOCKED, 'static void leave(void) { omp_unset_lock(&guard); }\n',
     '	if (value < 0) {\n		leave();\n		return -1;\n	}', '.c'),
    ('lock-kept', LOCKED, '#include <setjmp.h>\nextern jmp_buf back;\n', '	if (value < 0) {\n		longjmp(back, 1);\n		return -1;\n	}', '.c'),
    # An exception may come before the lock is set, and a destructor may need it.
    ('lock-kept', LOCKED, 'void check(int);\n', '	try {\n		check(value);\n	} catch (...) {\n		return -1;\n	}', '.cc'),
    ('lock-kept', LOCKED, 'struct log { ~log(); };\n', '	log line;\n	if (value < 0)\n		return -1;', '.cc'),
    # The other order depends on what is between the two.
    ('lock-order', ORDER, '', '	omp_set_lock(&b);\n	++*x;\n	omp_set_lock(&a);', '.c'),
    ('lock-order', ORDER, '#define SET(x) omp_set_lock(&x)\n', '	SET(b);\n	SET(a);', '.c'),
    ('lock-order', ORDER, '', '	omp_set_lock(&b);\n	if (*x)\n		omp_set_lock(&a);', '.c'),
    # Others may write the variable, or read it plainly.
    ('spin', SPIN.replace('ready = 0, value = 0', 'value = 0'), 'int ready;\n', SECTIONS.format(write='ready = 1;', wait=WAITS), '.c'),
    ('spin', SPIN, 'void start(int *);\n', SECTIONS.format(write='start(&ready);', wait=WAITS), '.c'),
    ('spin', SPIN, '', SECTIONS.format(write='ready = 1;', wait=WAITS + '\n				value += ready;'), '.c'),
    ('spin', SPIN, '#define WAIT while (!ready) ;\n', SECTIONS.format(write='ready = 1;', wait='				WAIT'), '.c'),
    ('spin', SPIN, '', SECTIONS.format(write='ready = 1;', wait='				while (!ready || !value)\n					;'), '.c'),
    # More than the order of statements would change.
    ('barrier-branch', BRANCH, '', '		if (omp_get_thread_num() == 0) {\n#pragma omp barrier\n			x = n;\n		}', '.c'),
    ('barrier-branch', BRANCH, '', '		if (omp_get_thread_num() == 0) {\n			x = n;\n#pragma omp barrier\n		} else {\n'
     '			v[1] = n;\n		}', '.c'),
    ('barrier-branch', BRANCH, '', '		for (int i = 0; i < n; i++) {\n			if (omp_get_thread_num() == 0) {\n'
     '				x = n;\n#pragma omp barrier\n			}\n		}', '.c'),
    ('barrier-branch', BRANCH, 'void other(void);\n', '		if (omp_get_thread_num() == 0) {\n			other();\n#pragma omp barrier\n		}', '.c'),
    ('barrier-branch', BRANCH, '#define FIRST if (omp_get_thread_num() == 0)\n', '		FIRST {\n			x = n;\n#pragma omp barrier\n		}', '.c'),
]


def lint(*words, code):
    """The output and the errors of `ompinst lint --fix`, as text."""
    done = subprocess.run([OMPINST, 'lint', f'--cc={COMPILER}', *words], capture_output=True, timeout=120, check=False)
    assert done.returncode == code, f'{words}: {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}'
    return done.stdout.decode(), done.stderr.decode()


def test_changed():
    """Comments, blanks, macros and line ends stay."""
    for check, form, before, body, after in CHANGED:
        for end in '\n', '\r\n':
            with open('changed.c', 'w', encoding='utf-8', newline='') as file:
                file.write(form.format(before=before, body=body).replace('\n', end))
            done = lint('--apply', '--verify', f'--only={check}', 'changed.c', code=0)
            with open('changed.c', encoding='utf-8', newline='') as file:
                found = file.read()
            assert found == form.format(before=before, body=after).replace('\n', end), (found, done)


def test_left():
    """The finding is reported, and nothing is offered."""
    for check, form, before, body, extension in LEFT:
        with open('left' + extension, 'w', encoding='utf-8') as file:
            file.write(form.format(before=before, body=body))
        patch, errors = lint('--fix', f'--only={check}', 'left' + extension, code=1)
        assert patch == '' and f'[-Wopenmp-{check}]' in errors, (body, patch, errors)


def test_padded():
    """The declaration and each element change, in C and C++, or nothing does."""
    for before, body, declaration, element in PADDED:
        for name in 'padded.c', 'padded.cc':
            with open(name, 'w', encoding='utf-8') as file:
                file.write(SHARED.format(before=before, body=COUNT.format(body)))
            done = lint('--apply', '--verify', '--only=false-sharing', name, code=1 if element is None else 0)
            with open(name, encoding='utf-8') as file:
                found = file.read()
            assert '[-Wopenmp-false-sharing]' in done[1], (body, done)
            expected = SHARED.format(before=before, body=COUNT.format(body))
            if element is not None:
                declared = declaration if name.endswith('.c') else declaration.replace('_Alignas', 'alignas')
                expected = SHARED.format(before=declared, body=COUNT.format(element)).replace('hits[i];', 'hits[i].value;')
            assert found == expected, (found, done)


def main():
    """Runs the tests in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        test_changed()
        test_left()
        test_padded()
        os.chdir('/')
    return 0


if __name__ == '__main__':
    sys.exit(main())
