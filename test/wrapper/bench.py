# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the wrapper share: a folder for each test, commands run in it, and looks at
what they left behind.

A test file defines functions test_NAME(place) and ends with bench.main(globals()), which runs all, those named as
arguments, or with 2/3 the second of each three. Each function gets a fresh Place. The folder of the ompinst under test comes from OMPINST_TEST_BIN. A function that needs
something the machine lacks calls skip(); a file of which everything was skipped exits with 77.
"""
import ctypes
import errno
import functools
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'compilers'))
import compilers  # noqa: E402

CLANG, CLANGXX = compilers.find('clang'), compilers.find('clang++')
BIN = os.environ.get('OMPINST_TEST_BIN', '')
TIME_LIMITS = float(os.environ.get('TEST_TIME_LIMITS', '1'))  # how many times slower than usual this machine is
IS_FULL = os.environ.get('TEST_FULL') == 'yes'  # in tools/test full: every row and size, not only some of each kind
HEADER = ['-idirafter', os.path.join(BIN, 'include')]  # of pomp.h, for a compiler without ompinst

PROGRAM = r'''#include <stdio.h>

int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("sum %d\n", sum);
	return 0;
}
'''

LIBRARY = r'''int twice(int n)
{
	int result = 0;
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		result += n;
	}
	return result;
}
'''


# What an emulated system says besides: of a crash, and when a compiler that is not emulated cannot load a library.
OF_EMULATION = re.compile(r'^(qemu: uncaught target signal \d+ \(.*\) - core dumped|'
                          r"ERROR: ld\.so: object '.*' from LD_PRELOAD cannot be preloaded .*: ignored\.)\n", re.M)


class Skip(Exception):
    pass


def skip(reason):
    raise Skip(reason)


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            skip(f'{program} is not installed')


@functools.cache
def is_emulated():
    """Under qemu-user, which has no ptrace(2) at all."""
    attach, nobody = 16, -1
    return ctypes.CDLL(None, use_errno=True).ptrace(attach, nobody, None, None) == -1 and ctypes.get_errno() == errno.ENOSYS


class Place:
    """One test's folder; TMPDIR is a folder of its own, so that what is left there shows."""

    def __init__(self, folder):
        self.folder = folder
        self.temporary = os.path.join(folder, '.tmp')
        os.mkdir(self.temporary)
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(('OMPINST', 'POMP_', 'OMP_', 'CCACHE', 'GOMP_'))
            and name not in ('LD_LIBRARY_PATH', 'CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'MAKEFLAGS')}
        self.environment.update(LC_ALL='C', TMPDIR=self.temporary, POMP_SUMMARY='off',
                                CCACHE_DIR=os.path.join(folder, '.ccache'),
                                PATH=BIN + ':' + os.environ['PATH'])

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def read(self, name, how='r'):
        with open(self.path(name), how) as file:
            return file.read()

    def exists(self, name):
        return os.path.exists(self.path(name))

    def run(self, *command, code=0, cwd='.', timeout=120, env=None, **rest):
        """Runs a command; its exit code must be `code` unless that is None."""
        environment = dict(self.environment, **(env or {}))
        done = subprocess.run(command, cwd=self.path(cwd), env=environment, text=True,
                              errors='replace', stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout * TIME_LIMITS, **rest)
        if is_emulated():
            done.stderr = OF_EMULATION.sub('', done.stderr)
        if code is not None and done.returncode != code:
            raise AssertionError(f'{command}: exit code {done.returncode}, expected {code}\n'
                                 f'{done.stdout}{done.stderr}')
        return done

    def calls(self, name):
        """The calls of pomp.h, by their names there, that an object, archive or program refers to or defines."""
        symbols = self.run('nm', '-A', self.path(name)).stdout
        return {line.split()[-1].split('@')[0][len('__'):] for line in symbols.splitlines()
                if re.match(r'__pomp_[a-z]', line.split()[-1])}

    def check_instrumented(self, name):
        assert 'pomp_parallel_fork' in self.calls(name), f'{name} is not instrumented'

    def check_plain(self, name):
        assert not self.calls(name), f'{name} is instrumented: {self.calls(name)}'

    def check_clean(self):
        left = os.listdir(self.temporary)
        left = [name for name in left if name.startswith('ompinst')]
        assert not left, f'temporary files left: {left}'

    def libraries(self, name):
        """Where the dynamic linker finds the libraries of a program: {soname: path}."""
        found = {}
        for line in self.run('ldd', self.path(name)).stdout.splitlines():
            match = re.match(r'\s*(\S+) => (.+?)( \(0x[0-9a-f]+\))?$', line)
            if match:
                found[match.group(1)] = match.group(2)
        return found


def check_equal(a, b, what='values'):
    assert a == b, f'{what} differ:\n--- one\n{a}\n--- other\n{b}'


def check_in(part, whole):
    assert part in whole, f'{part!r} is not in:\n{whole}'


def check_not_in(part, whole):
    assert part not in whole, f'{part!r} is in:\n{whole}'


@functools.cache
def installed_once():
    """The folder that ompinst is installed below, for all tests of a file."""
    root = tempfile.TemporaryDirectory(prefix='wrapper-test-')  # the cache keeps it until the file ends
    meson = os.environ.get('MESON', 'meson').split()
    done = subprocess.run([*meson, 'install', '-C', os.path.dirname(BIN), '--no-rebuild', '--quiet', '--destdir', root.name],
                          capture_output=True, text=True)
    return root, done


def install(place):
    """A copy of what is installed, in the test's folder; returns the folder that takes the prefix's place."""
    root, done = installed_once()
    if 'generated with an old version of meson' in done.stdout + done.stderr:
        skip('the meson here is not the one that has configured the build')
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    found = [os.path.dirname(os.path.dirname(path)) for path in
             glob.glob(root.name + '/**/bin/ompinst', recursive=True)]
    check_equal(len(found), 1, 'number of installed ompinst')
    moved = place.path('a moved tree')
    subprocess.run(['cp', '-a', found[0], moved], check=True)
    place.environment['PATH'] = moved + '/bin:' + os.environ['PATH']
    return moved


def wait_for(what):
    """Looks until something holds, which on a busy machine takes a while."""
    end = time.monotonic() + 60 * TIME_LIMITS
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


def is_running(number):
    try:
        with open(f'/proc/{number}/stat') as file:
            return file.read().rsplit(')', 1)[1].split()[0] not in 'ZX'
    except (FileNotFoundError, ProcessLookupError):
        return False


def check_all_gone(place, numbers):
    ended = wait_for(lambda: not any(map(is_running, numbers)))
    left = [number for number in numbers if is_running(number)]
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert ended, f'of the programs {numbers}, {left} were left behind'
    assert wait_for(lambda: not [name for name in os.listdir(place.temporary) if name.startswith('ompinst')]), \
        f'temporary files left: {os.listdir(place.temporary)}'


def chosen(names):
    """The names of the functions that the arguments ask for."""
    every = [name for name in names if name.startswith('test_')]
    part = re.fullmatch(r'(\d+)/(\d+)', sys.argv[1]) if len(sys.argv) == 2 else None
    if part:
        return every[int(part[1]) - 1::int(part[2])]
    return [name for name in every if len(sys.argv) == 1 or name in sys.argv[1:]]


def main(names):
    failed = skipped = ran = 0
    for name in chosen(names):
        function = names[name]
        folder = tempfile.mkdtemp(prefix='wrapper-test-')
        try:
            place = Place(folder)
            function(place)
            place.check_clean()
            print(f'ok   {name}')
            ran += 1
        except Skip as reason:
            print(f'skip {name}: {reason}')
            skipped += 1
        except Exception:
            print(f'FAIL {name}')
            traceback.print_exc(file=sys.stdout)
            failed += 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 77 if skipped and not ran else 0)
