#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""abi-diff.py TOOL LIBRARY LIST: by tools/abi-diff the library has all names of each libgomp.so.1 and
libomp.so.5 that this machine has, and those of the list. The machine's are those of the compilers on PATH, of LLVM's packages,
and of the systems in folders that tools/test-on makes (OMPINST_SYSTEMS). And the tool finds what is missing, and says what it cannot compare."""
import glob
import os
import re
import subprocess
import sys
import tempfile

TOOL, LIBRARY, LIST = sys.argv[1:4]
SYSTEMS = os.environ.get('OMPINST_SYSTEMS') or os.path.expanduser('~/.cache/ompinst/systems')
COMPILER = re.compile(r'([\w.]+-)*gcc(-[0-9.]+)?$')
IN_SYSTEM = ['usr/lib/*/libgomp.so.1', 'usr/lib64/libgomp.so.1', 'usr/lib/libgomp.so.1',
             'usr/lib/gcc-snapshot/lib*/libgomp.so.1']

failures = 0


def fail(text):
    global failures
    failures += 1
    print(text, file=sys.stderr)


def run(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)


def compilers():
    for folder in os.get_exec_path():
        try:
            yield from (os.path.join(folder, name) for name in os.listdir(folder) if COMPILER.match(name))
        except OSError:
            continue


def libraries():
    found = set(glob.glob('/usr/lib/llvm-*/lib/libomp.so.5'))
    for compiler in compilers():
        done = subprocess.run([compiler, '-print-file-name=libgomp.so.1'], capture_output=True, text=True,
                              check=False)
        path = done.stdout.strip()
        if done.returncode == 0 and os.path.isabs(path):
            found.add(os.path.realpath(path))
    for pattern in IN_SYSTEM:
        # Their absolute links lead out of the folder.
        found.update(path for path in glob.glob(os.path.join(SYSTEMS, '*', pattern)) if os.path.exists(path))
    return sorted(found)


def check_machine():
    for path in libraries():
        done = run('--ours', LIBRARY, path)
        print(done.stdout, end='')
        if done.returncode != 0:
            fail(f'{path}: status {done.returncode}: {done.stderr}')


def check_list():
    done = run('--ours', LIBRARY, LIST)
    if done.returncode != 0:
        fail(f'{LIST}: status {done.returncode}: {done.stdout}{done.stderr}')


def check_answers():
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            return path

        # The file; status, and words of the output or the message.
        known = 'GOMP_barrier@GOMP_1.0\n'
        cases = [
            (write('same', '# a comment\n\n' + known + 'omp_get_wtime@OMP_2.0 # another\n'), 0, ['2 names', '0 missing']),
            (write('new', known + 'omp_new@OMP_9.9\n'), 1, ['1 missing', '  version OMP_9.9\n', '  omp_new@OMP_9.9\n']),
            (write('moved', 'GOMP_barrier@GOMP_2.0\n'), 1, ['  GOMP_barrier@GOMP_2.0\n']),
            (write('plugin', known + 'GOMP_PLUGIN_x@GOMP_PLUGIN_1.0\n'), 0, ['1 left out on purpose, 0 missing']),
            (write('odd', known + 'GOMP_barrier\n'), 2, [":2: 'GOMP_barrier': expected NAME@VERSION"]),
            (write('llvm', '__kmpc_barrier@VERSION\n__kmpc_new@VERSION\n'), 1, ['1 missing', '  __kmpc_new@VERSION\n']),
            (write('empty', ''), 2, ['expected a libgomp.so.1']),
            (write('other', 'printf@GLIBC_2.2.5\n'), 2, ['expected a libgomp.so.1']),
            (os.path.join(folder, 'none'), 2, ['No such file']),
            (folder, 2, ['Is a directory']),
            (write('broken', '\x7fELF'), 2, ['expected a shared library'])]
        for path, status, words in cases:
            done = run('--ours', LIBRARY, path)
            text = done.stderr if status == 2 else done.stdout
            if done.returncode != status or not all(word in text for word in words):
                fail(f'{os.path.basename(path)}: status {done.returncode}, expected {status} and {words}: {text!r}')
        if run('--ours', os.path.join(folder, 'none'), LIBRARY).returncode != 2 or run().returncode != 2:
            fail('without a library of its own or of others: expected status 2')
        if 'GOMP_PLUGIN_' not in run('--left-out').stdout:
            fail('--left-out does not print the table')


check_machine()
check_list()
check_answers()
sys.exit(failures != 0)
