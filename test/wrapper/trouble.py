#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong outside the user's text: the compile still happens, or the message says why not."""
import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import time

import bench
from bench import LIBRARY, PROGRAM, check_equal, check_in, check_not_in


def test_mistakes_in_the_command_line(place):
    place.write('notes.txt', '')
    for command, code, text in (
            (['ompinst'], 2, "expected a compiler's command"),
            (['ompinst', '--strickt', 'gcc'], 2, "did you mean '--strict'?"),
            (['ompinst', '--runtime', 'gcc'], 2, 'needs a value: --runtime=bundled|system'),
            (['ompinst', '--runtime=own', 'gcc'], 2, 'expected bundled or system'),
            (['ompinst', '--verbose=1', 'gcc'], 2, 'takes no value'),
            (['ompinst', '--disable=nonsense', 'gcc'], 2,
             "option '--disable=nonsense': 'nonsense' is not a construct; expected parallel, for,"),
            (['ompinst', '--only=for,atomc', 'gcc'], 2, "'atomc' is not a construct (did you mean 'atomic'?)"),
            (['ompinst', '--disable=for,', 'gcc'], 2, "'' is not a construct"),
            (['ompinst', '--functions=nowhere', 'gcc'], 2, 'cannot read the filter file: No such file'),
            (['ompinst', '--functions=/', 'gcc'], 2, 'cannot read the filter file: it is not a regular'),
            (['ompinst', '--foo', 'gcc', '-c', 'x.c'], 2, "unknown option '--foo' for 'ompinst' ("),
            (['ompinst', '-O2', 'gcc', '-c', 'x.c'], 2, "options come after 'gcc'"),
            (['ompinst', '--foo', 'x.c'], 2, "unknown option '--foo' for 'ompinst' ("),
            (['ompinst', '--preprocessed', 'gcc', '-c', 'x.c'], 2,
             "option '--preprocessed' has no effect on a command; expected a C or C++ source file after it"),
            (['ompinst', '--dry-run', 'x.c'], 2,
             "option '--dry-run' has no effect on a source file; expected a compiler's command after it"),
            (['ompinst', 'nice', 'gcc', '-c', 'x.c'], 2,
             "'nice' is not a compiler; write: nice ompinst gcc ..."),
            (['ompinst', 'env', 'A=1', 'gcc', '-c', 'x.c'], 2, 'write: env ompinst gcc'),
            (['ompinst', 'make', '-j2'], 2, "'make' is not a compiler but starts some; run it without ompinst, with CC=ompinst-gcc"),
            (['ompinst', 'sh', 'build.sh'], 2, "'sh' is not a compiler but starts some"),
            (['ompinst', 'rum', './x'], 2, "'rum' is neither a command of ompinst nor a program (did you mean 'run'?); see 'ompinst --help'"),
            (['ompinst', 'help'], 2, "(did you mean '--help'?)"),
            (['ompinst', 'versoin'], 2, "(did you mean '--version'?)"),
            (['ompinst', 'linte', 'x.c'], 2, "(did you mean 'lint'?)"),
            (['ompinst', 'true'], 2, "'true' is not a compiler that ompinst knows, and has no arguments"),
            (['ompinst', 'notes.txt'], 2, "'notes.txt' is neither a compiler nor a C or C++ source"),
            (['ompinst', 'all.h'], 2, 'a header is instrumented where one includes it'),
            (['ompinst', 'x.f90'], 2, 'Fortran is measured through the OpenMP runtime: compile and link it'),
            (['ompinst', 'x.i'], 2, 'the text is preprocessed: compile it with ompinst'),
            (['ompinst', 'x.c', 'y.c'], 2, "unexpected 'y.c' after x.c: expected -o OUT or -- FLAGS"),
            (['ompinst', 'no-such-compiler', '-c', 'x.c'], 127, "'no-such-compiler'"),
            (['ompinst', '.', '-c', 'x.c'], 2, "'.' is neither a compiler nor"),
            (['ompinst', './notes.txt', '-c', 'x.c'], 126, "compiler './notes.txt': Permission denied"),
            (['ompinst-gcc', '-c', 'x.c'], 2, "OMPINST_OPTIONS: unknown option 'fast' for 'ompinst'")):
        env = {'OMPINST_OPTIONS': '--verbose fast'} if command[0] == 'ompinst-gcc' else None
        done = place.run(*command, code=code, env=env)
        check_in(text, done.stderr)
        check_equal(len(done.stderr.splitlines()), 1, 'number of lines')


def test_one_answer_about_a_compiler_and_a_program_that_cannot_be_run(place):
    """What cannot be run is passed over in PATH, as shells do; a file without the right to execute it is remembered."""
    missing, denied = 'No such file or directory', 'Permission denied'
    place.write('x.c', '')
    for folder in ('', 'front', 'last'):
        place.write(os.path.join(folder, 'plain-gcc'), '')
        place.write(os.path.join(folder, 'script-gcc'), '#! /no/such/shell -x\n', 0o755)
        os.mkdir(place.path(os.path.join(folder, 'folder-gcc')))
        os.symlink('nowhere', place.path(os.path.join(folder, 'dangling-gcc')))
        os.symlink('loop-gcc', place.path(os.path.join(folder, 'loop-gcc')))
        os.mkfifo(place.path(os.path.join(folder, 'pipe-gcc')), 0o777)
    # What can be run is in the last folder, behind what cannot; each prints where it was found.
    for name in ('folder-gcc', 'plain-gcc', 'dangling-gcc', 'here-gcc'):
        place.write(os.path.join('found', name), '#!/bin/sh\necho "$0"\n', 0o755)
    place.write('here-gcc', '#!/bin/sh\necho "$0"\n', 0o755)
    rest = os.environ['PATH']
    front, both = (':'.join((*folders, rest)) for folders in (('front', 'last'), ('front', 'found', 'last')))
    for path, name, code, text in (
            (rest, './nothing-gcc', 127, missing), (rest, './folder-gcc', 126, 'Is a directory'),
            (rest, './plain-gcc', 126, denied), (rest, './pipe-gcc', 126, denied), (rest, './dangling-gcc', 127, missing),
            (rest, './loop-gcc', 126, 'Too many levels of symbolic links'), (rest, 'x.c/gcc', 127, 'Not a directory'),
            (rest, './script-gcc', 126, "its interpreter '/no/such/shell' does not exist"),
            (front, 'nothing-gcc', 127, 'no such program in PATH'), (front, 'folder-gcc', 127, 'no such program in PATH'),
            (front, 'dangling-gcc', 127, 'no such program in PATH'), (front, 'plain-gcc', 126, denied),
            (front, 'pipe-gcc', 126, denied),
            (front, 'script-gcc', 126, "its interpreter '/no/such/shell' does not exist"),
            (rest, 'here-gcc', 127, 'no such program in PATH'),
            (':' + rest, 'here-gcc', 0, './here-gcc'), (rest + ':', 'here-gcc', 0, './here-gcc'),
            ('front::' + rest, 'here-gcc', 0, './here-gcc'), (both, 'here-gcc', 0, 'found/here-gcc'),
            (both, 'folder-gcc', 0, 'found/folder-gcc'), (both, 'plain-gcc', 0, 'found/plain-gcc'),
            (both, 'dangling-gcc', 0, 'found/dangling-gcc')):
        for command in (['ompinst', name, '-c', 'x.c'], ['ompinst', 'run', name]):
            command[0] = os.path.join(bench.BIN, 'ompinst')
            done = place.run(*command, code=code, env={'PATH': path})
            said = done.stderr if code != 0 else done.stdout
            check_in(text, said)
            check_equal(len(said.splitlines()), 1, f'lines about {command}')


def test_words_that_only_look_like_mistakes(place):
    """The default compiler's own options, and files with a compiler's name."""
    place.write('x.c', LIBRARY)
    place.run('ompinst', '--coverage', '-c', 'x.c')
    place.run('ompinst', '-fopenmp', '-o', 'gcc', '-c', 'x.c')
    place.check_instrumented('gcc')
    place.run('ompinst', '-fopenmp', '-O2', '-shared', '-fPIC', 'gcc', 'x.c', '-o', 'x.so', code=None)
    place.write('wrap', '#!/bin/sh\nexec gcc "$@"\n', 0o755)
    place.run('ompinst', './wrap', '-fopenmp', '-c', 'x.c')
    place.check_instrumented('x.o')
    check_in('usage:', place.run('ompinst', '-h').stdout)


def test_help_names_every_option(place):
    text = place.run('ompinst', '--help').stdout
    for option in ('--verbose', '--strict', '--list', '--dry-run', '--keep', '--disable',
                   '--runtime', '--help', '--version', 'OMPINST_OPTIONS', 'OMPINST_CC'):
        check_in(option, text)
    assert max(len(line) for line in text.splitlines()) <= 100


def as_nobody():
    os.setgid(65534)
    os.setuid(65534)


def test_read_only_folder(place):
    place.write('lib.c', LIBRARY)
    if os.geteuid() != 0:
        os.chmod(place.folder, 0o555)
        rest = {}
    else:
        os.chmod(place.folder, 0o755)
        os.chmod(place.temporary, 0o777)
        rest = {'preexec_fn': as_nobody}
        try:
            place.run('ompinst', '--help', **rest)
        except (AssertionError, PermissionError):
            bench.skip('another user cannot run ompinst here')
    plain = place.run('gcc', '-fopenmp', '-c', 'lib.c', code=None, **rest)
    done = place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c', code=plain.returncode, **rest)
    assert done.returncode != 0
    strip = lambda text: re.sub(r'/\S*\.(s|o)\b', 'FILE', text)
    check_equal(strip(done.stderr), strip(plain.stderr), 'messages')


# Makes mkdtemp() fail, or only that in the folder whose name holds PART.
NO_FOLDER = '''#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
char *mkdtemp(char *name)
{
	errno = ENOSPC;
	return strstr(name, PART) ? 0 : ((char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp"))(name);
}
'''


def preload_failure(place, part):
    place.write('none.c', NO_FOLDER)
    place.run('gcc', '-shared', '-fPIC', f'-DPART="{part}"', 'none.c', '-o', 'none.so')
    env = {'LD_PRELOAD': place.path('none.so')}
    if 'ASan runtime' in place.run('ompinst', '--help', code=None, env=env).stderr:
        bench.skip('AddressSanitizer wants to be preloaded first')
    return env


def test_no_temporary_folder(place):
    place.write('lib.c', LIBRARY)
    env = preload_failure(place, '')
    done = place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c', env=env)
    check_in('no temporary folder: No space left on device', done.stderr)
    check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
    place.check_plain('lib.o')
    done = place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'lib.c', code=1, env=env)
    check_in('error', done.stderr)
    assert not place.exists('lib.o')


def test_temporary_folders_that_cannot_be_used(place):
    """As gcc does, the next one is taken."""
    place.write('lib.c', LIBRARY)
    place.write('file', '')
    for number, env in enumerate((
            {'TMPDIR': place.path('nowhere')}, {'TMPDIR': place.path('file')}, {'TMPDIR': ''},
            preload_failure(place, place.temporary))):
        place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'lib.c', '-o', f'{number}.o', env=env)
        place.check_instrumented(f'{number}.o')
        place.run('ompinst', '--strict', 'lib.c', env=env)


def filler(count):
    return ''.join(f'int filler_{i}(void) {{ return {i}; }}\n' for i in range(count))


@contextlib.contextmanager
def small_disk(place, size='64k'):
    """A file system of that size at `small`, and a file whose text and object do not fit in 64 KB."""
    if os.geteuid() != 0:
        bench.skip('mounting a small file system needs root')
    os.mkdir(place.path('small'))
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'none',
                              place.path('small')], capture_output=True)
    if mounted.returncode != 0:
        bench.skip('cannot mount a tmpfs here')
    place.write('lib.c', LIBRARY + filler(3000))
    try:
        yield
    finally:
        subprocess.run(['umount', place.path('small')])
        os.rmdir(place.path('small'))


# With warnings that only compiling the user's own file again can give, and with none.
TROUBLED = [('gcc', '-fopenmp', '-c', 'lib.c', '-o', 'x.o'),
            ('gcc', '-fopenmp', '-pipe', '-c', 'lib.c', '-o', 'x.o'),
            ('gcc', '-fopenmp', '-Wall', '-Werror', '-Wno-error=array-bounds', '-DWARN', '-O2', '-c', 'lib.c', '-o', 'x.o'),
            ('gcc', '-fopenmp', 'lib.c', 'more.c', '-o', 'x.o')]
WARNS = '''#ifdef WARN
int table[4];
int beyond(void) { int i, sum = 0; for (i = 0; i < 9; i++) sum += table[i + 4]; return sum; }
#endif
'''


def as_plain(place, left, **rest):
    """Whatever gcc can do in a narrow place, ompinst can. Returns how often it could (of how many)."""
    place.write('lib.c', LIBRARY + WARNS + filler(300))
    place.write('more.c', 'int more;\nint main(void) { return more; }\n')
    done_by_plain = 0
    for command in TROUBLED:
        plain = place.run(*command, code=None, **rest)
        left()
        done = place.run('ompinst', *command, code=None, **rest)
        check_equal(left(), [], f'files left by {command}')
        if plain.returncode == 0:
            done_by_plain += 1
            assert done.returncode == 0, f'{command}: {done.stderr}'
            said = [line for line in done.stderr.splitlines() if 'cannot instrument' in line]
            # What stays without instrumentation is named, and only that; the compiler says what it said.
            calls = place.calls('x.o' if 'x.o' in command else 'lib.o')
            check_equal(len(said), 0 if 'pomp_parallel_fork' in calls else 1, f'lines about {command}')
            check_equal([line for line in done.stderr.splitlines() if line not in said],
                        plain.stderr.splitlines(), 'messages')
        for name in ('x.o', 'lib.o', 'more.o'):
            if place.exists(name):
                os.unlink(place.path(name))
    return done_by_plain


def test_full_disk_for_temporary_files(place):
    """At sizes of the disk that holds ours and gcc's temporary files: for nothing, for some of them, for all."""
    most = 0
    for size in ('4k', '64k', '92k', '112k', '160k', '4m') if bench.IS_FULL else ('4k', '92k', '4m'):
        with small_disk(place, size):
            def left():
                found = os.listdir(place.path('small'))
                for name in found:
                    if not name.startswith('ompinst'):
                        os.unlink(place.path('small/' + name))
                return [name for name in found if name.startswith('ompinst')]
            most = max(most, as_plain(place, left, env={'TMPDIR': place.path('small')}))
    check_equal(most, len(TROUBLED), 'commands that gcc can do with the largest disk')


def test_limits_on_the_size_of_files(place):
    for kilobytes in (8, 24, 40, 92, 4000) if bench.IS_FULL else (8, 40, 4000):
        def limit():
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        as_plain(place, lambda: [name for name in os.listdir(place.temporary) if 'ompinst' in name],
                 preexec_fn=limit)
    # What ompinst writes itself: a response file for a long command line.
    kilobytes = 60
    place.write('lib.c', LIBRARY)
    macros = [f'-DUNUSED_{number:04}=1' for number in range(4500)]
    place.run('ompinst', 'gcc', '-fopenmp', *macros, '-c', 'lib.c', preexec_fn=limit)
    place.check_instrumented('lib.o')


def test_full_disk_for_the_object(place):
    with small_disk(place):
        left = []
        for command in (['gcc'], ['ompinst', 'gcc']):
            done = place.run(*command, '-fopenmp', '-c', 'lib.c', '-o', 'small/lib.o', code=None)
            assert done.returncode != 0, command
            check_in('No space left on device', done.stderr)
            left.append(os.listdir(place.path('small')))
        check_equal(left[1], left[0], 'files left')


def test_full_disk_for_the_source(place):
    with small_disk(place):
        for output in ('small/lib.c', 'small/old.c'):
            if 'old' in output:
                place.write(output, 'the old text')
            done = place.run('ompinst', 'lib.c', '-o', output, code=1)
            check_in(f'{output}: error: cannot write: No space left on device', done.stderr)
            check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
        check_equal(os.listdir(place.path('small')), ['old.c'], 'files left')
        check_equal(place.read('small/old.c'), 'the old text')


# Stands between ompinst and libclang; the engine's child is the only process that calls it.
CRASH = '''#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int clang_parseTranslationUnit2(void) { ACTION; return 1; }
int clang_parseTranslationUnit2FullArgv(void) { ACTION; return 1; }
void *clang_parseTranslationUnit(void) { ACTION; return 0; }
'''


def preload(place, action):
    place.write('crash.c', CRASH)
    place.run('gcc', '-shared', '-fPIC', f'-DACTION={action}', 'crash.c', '-o', 'crash.so')
    env = {'LD_PRELOAD': place.path('crash.so')}
    if 'ASan runtime' in place.run('ompinst', '--help', code=None, env=env).stderr:
        bench.skip('AddressSanitizer wants to be preloaded first')
    return env


def test_a_crash_of_the_engine(place):
    place.write('lib.c', LIBRARY)
    env = preload(place, 'abort()')
    done = place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c', env=env)
    check_in('lib.c: warning: cannot instrument: ', done.stderr)
    check_in('compiled as it is', done.stderr)
    check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
    place.check_plain('lib.o')
    os.unlink(place.path('lib.o'))
    done = place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'lib.c', code=1, env=env)
    check_in('error', done.stderr)
    assert not place.exists('lib.o')
    # The user's own mistakes come before ours.
    place.write('bad.c', LIBRARY + 'int f( {\n')
    plain = place.run('gcc', '-fopenmp', '-c', 'bad.c', code=1)
    done = place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'bad.c', code=1, env=env)
    check_equal(done.stderr, plain.stderr, 'messages')


def test_the_engine_ends_with_ompinst(place):
    """However that ends. The pipe is at its end when no process has the engine's end of it any more."""
    place.write('lib.c', LIBRARY)
    for command in (['gcc', '-fopenmp', '-c', 'lib.c'], ['lib.c', '-o', 'out.c'], ['lint', 'lib.c']):
        ours, engines = os.pipe()
        env = preload(place, f'dprintf({engines}, "%d\\n", (int)getpid()); for (;;) pause()')
        child = subprocess.Popen(['ompinst', *command], cwd=place.folder, env=dict(place.environment, **env),
                                 pass_fds=[engines])
        os.close(engines)
        engine = int(os.read(ours, 16))
        child.kill()
        child.wait()
        ended = select.select([ours], [], [], 60)[0]
        if not ended:
            os.kill(engine, signal.SIGKILL)
        os.close(ours)
        assert ended, f'the engine outlives ompinst {" ".join(command)}'
    for left in os.listdir(place.temporary):  # by SIGKILL
        shutil.rmtree(os.path.join(place.temporary, left))


def test_a_refusal_of_the_engine(place):
    place.write('prog.c', PROGRAM)
    done = place.run('ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog',
                     env=preload(place, '(void)0'))
    check_in('warning: cannot instrument', done.stderr)
    place.check_plain('prog')
    check_equal(place.run('./prog').stdout, 'sum 4950\n')


def test_edited_text_that_does_not_compile(place):
    place.write('lib.c', LIBRARY)
    place.write('picky-gcc', '#!/bin/sh\ncase "$*" in *cpp-output*) echo no >&2; exit 1;; esac\n'
                             'exec gcc "$@"\n', 0o755)
    done = place.run('ompinst', './picky-gcc', '-fopenmp', '-c', 'lib.c')
    check_in('lib.c: warning: cannot instrument: the instrumented text does not compile',
             done.stderr)
    check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
    place.check_plain('lib.o')
    place.run('ompinst', '--strict', './picky-gcc', '-fopenmp', '-c', 'lib.c', code=1)
    assert not place.exists('lib.o')


def test_missing_engine(place):
    place.write('lib.c', LIBRARY)
    os.mkdir(place.path('lonely'))
    place.run('cp', os.path.join(bench.BIN, 'ompinst'), 'lonely/ompinst')
    done = place.run('lonely/ompinst', 'gcc', '-fopenmp', '-c', 'lib.c')
    if 'pomp_parallel_fork' in place.calls('lib.o'):
        bench.skip('ompinst is installed on this machine')
    check_in('lib.c: warning: cannot instrument: ompinst-engine.so was not found; compiled as it is',
             done.stderr)
    place.write('lib/ompinst/ompinst-engine.so', 'no module\n')
    done = place.run('lonely/ompinst', 'gcc', '-fopenmp', '-c', 'lib.c',
                     env={'OMPINST_LIBDIR': place.path('lib')})
    check_in('cannot load the engine', done.stderr)
    check_equal(len(done.stderr.splitlines()), 1, 'number of lines')
    # What instruments nothing needs no libclang.
    loaded = place.run('ldd', os.path.join(bench.BIN, 'ompinst')).stdout
    check_not_in('libclang', loaded)


def test_missing_library(place):
    place.write('prog.c', PROGRAM)
    # Away from the build tree nothing is where it should be.
    os.mkdir(place.path('lonely'))
    place.run('cp', os.path.join(bench.BIN, 'ompinst'), 'lonely/ompinst')
    done = place.run('lonely/ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    if 'libpomp' in place.libraries('prog'):
        bench.skip('libpomp is installed on this machine')
    check_in('libpomp.so was not found', done.stderr)
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    # The user can say where they are.
    os.makedirs(place.path('lib/ompinst'))
    for file, target in (('pomp/libpomp.so', 'libpomp.so'), ('pomp/libpomp.so', 'libpomp.so.0'),
                         ('instrumenter/engine/ompinst-engine.so', 'ompinst/ompinst-engine.so')):
        os.symlink(os.path.join(bench.BIN, '..', file), place.path('lib/' + target))
    place.run('lonely/ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog',
              env={'OMPINST_LIBDIR': place.path('lib')})
    place.check_instrumented('prog')
    check_in(place.path('lib'), ' '.join(place.libraries('prog').values()))


def with_default_signals():
    """nohup has SIGHUP ignored, and a shell in the background SIGINT: what a child begins with is what it keeps."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_nohup_stays_in_force(place):
    place.write('lib.c', LIBRARY)
    place.write('hung-gcc', '#!/bin/sh\nkill -HUP $PPID\nexec gcc "$@"\n', 0o755)
    done = subprocess.run(['nohup', 'ompinst', './hung-gcc', '-fopenmp', '-c', 'lib.c'],
                          cwd=place.folder, env=place.environment, capture_output=True)
    check_equal(done.returncode, 0, done.stderr.decode())
    assert place.exists('lib.o')


def test_signals_leave_nothing_behind(place):
    place.write('lib.c', LIBRARY)
    place.write('slow-gcc', '#!/bin/sh\ncase "$*" in *-E*) touch started; exec sleep 1000;; esac\n'
                            'exec gcc "$@"\n', 0o755)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if place.exists('started'):
            os.unlink(place.path('started'))
        child = subprocess.Popen(['ompinst', './slow-gcc', '-fopenmp', '-c', 'lib.c'],
                                 cwd=place.folder, env=place.environment, preexec_fn=with_default_signals)
        while not place.exists('started') and child.poll() is None:
            time.sleep(0.05)
        child.send_signal(number)
        check_equal(child.wait(), -number, 'way to end')
        assert not place.exists('lib.o')
        place.check_clean()


def test_ignored_child_signal(place):
    place.write('lib.c', LIBRARY)
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c',
              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    place.check_instrumented('lib.o')


def test_odd_names(place):
    for name in ('a b.c', "quote'.c", 'dollar$.c', 'tab\t.c', 'dash--.c', 'semi;colon.c'):
        place.write(name, LIBRARY)
        place.run('ompinst', 'gcc', '-fopenmp', '-c', './' + name, '-o', 'out.o')
        place.check_instrumented('out.o')
        os.unlink(place.path('out.o'))


def test_binary_and_truncated_text(place):
    with open(place.path('binary.c'), 'wb') as file:
        file.write(bytes(range(256)) * 50)
    place.write('cut.c', LIBRARY[:len(LIBRARY) * 2 // 3])
    for name in ('binary.c', 'cut.c'):
        plain = place.run('gcc', '-fopenmp', '-c', name, code=None)
        done = place.run('ompinst', 'gcc', '-fopenmp', '-c', name, code=plain.returncode)
        check_equal(done.stderr, plain.stderr, 'messages')


bench.main(globals())
