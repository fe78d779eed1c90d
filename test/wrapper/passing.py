#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Commands that must go to the compiler untouched, and the names ompinst answers to."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import bench
from bench import LIBRARY, PROGRAM, check_equal, check_in, check_not_in, need


def same(place, *arguments, compiler=('gcc',), wrapped=('ompinst', 'gcc'), **rest):
    """Exit code, stdout and stderr equal the compiler's."""
    plain = place.run(*compiler, *arguments, code=None, **rest)
    done = place.run(*wrapped, *arguments, code=plain.returncode, **rest)
    strip = lambda text: re.sub(r'/cc\w{6}\.', '/ccTEMPORARY.', text)
    check_equal(done.stdout, plain.stdout, f'output of {arguments}')
    check_equal(strip(done.stderr), strip(plain.stderr), f'messages of {arguments}')


def test_the_compilers_own_standard(place):
    """Without -std= the text is read by the standard that the compiler takes by default."""
    place.write('bin/g++', '#!/bin/sh\nexec g++ -std=gnu++20 "$@"\n', 0o755)
    place.write('x.cc', '#include <vector>\nstd::vector<int> values(100);\nvoid fill()\n{\n#pragma omp parallel for\n'
                'for (auto &value : values) value = 1;\n}\n')
    place.run('ompinst', '--strict', 'bin/g++', '-fopenmp', '-c', 'x.cc')
    place.check_instrumented('x.o')
    place.run('ompinst', '--strict', 'x.cc', env={'OMPINST_CC': place.path('bin/g++')})
    check_in('pomp_for_enter', place.read('x.mod.cc'))
    # gcc takes definitions that C23 no longer has.
    place.write('bin/gcc', '#!/bin/sh\nexec gcc -std=gnu2x "$@"\n', 0o755)
    place.write('old.c', 'int a[100];\nint fill(n) int n;\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) a[i] = i;\n'
                'return 0;\n}\n')
    place.run('ompinst', '--strict', 'bin/gcc', '-fopenmp', '-c', 'old.c')
    place.check_instrumented('old.o')


def test_queries(place):
    for arguments in (['-dumpmachine'], ['-dumpversion'], ['-dumpfullversion'], ['--version'],
                      ['-print-search-dirs'], ['-print-file-name=libgomp.so'],
                      ['-print-prog-name=ld'], ['-print-multi-lib'], ['--help=optimizers'],
                      ['-xc', '-E', '-v', '/dev/null'], ['-E', '-dM', '-x', 'c', '/dev/null'],
                      ['-fopenmp', '-E', '-dM', '-x', 'c', '/dev/null'], ['-v'],
                      ['-fopenmp', '-###', '-c', 'x.c'], []):
        same(place, *arguments)


def test_standard_input(place):
    same(place, '-E', '-dM', '-', input='#define ANSWER 42\n')
    same(place, '-fopenmp', '-x', 'c', '-c', '-', '-o', 'y.o', '-Wall', input='int f(void) { int i; }')
    place.run('ompinst', 'gcc', '-fopenmp', '-x', 'c', '-c', '/dev/null', '-o', 'null.o')
    assert place.exists('null.o')


def test_configure_checks(place):
    place.write('conftest.c', PROGRAM)
    place.run('ompinst', 'gcc', '-fopenmp', '-o', 'conftest', 'conftest.c')
    place.check_plain('conftest')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'conftest.c')
    place.check_plain('conftest.o')
    for folder in ('CMakeFiles/CMakeScratch/TryCompile-a', 'CMakeFiles/CMakeTmp',
                   'meson-private/tmpabc'):
        place.write(f'{folder}/testfile.c', PROGRAM)
        place.run('ompinst', 'gcc', '-fopenmp', '-c', 'testfile.c', cwd=folder)
        place.check_plain(f'{folder}/testfile.o')
        source = place.path(f'{folder}/testfile.c')
        place.run('ompinst', 'gcc', '-fopenmp', '-c', source, '-o', 'out.o')
        place.check_plain('out.o')


def test_switched_off(place):
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'off', env={'OMPINST': 'off'})
    place.run('gcc', '-fopenmp', 'prog.c', '-o', 'plain')
    check_equal(place.read('off', 'rb'), place.read('plain', 'rb'), 'programs')


def test_without_openmp(place):
    place.write('lib.c', LIBRARY)
    for flags in ([], ['-fopenmp', '-fno-openmp'], ['-fopenmp-simd']):
        place.run('gcc', *flags, '-c', 'lib.c', '-o', 'one.o')
        place.run('ompinst', 'gcc', *flags, '-c', 'lib.c', '-o', 'two.o')
        check_equal(place.read('one.o', 'rb'), place.read('two.o', 'rb'), 'objects')


def test_forgotten_openmp(place):
    """A file with directives that is compiled without -fopenmp is named once; where the user decided so, it is not."""
    text = "warning: not instrumented: it has OpenMP directives (the first in line {}), and -fopenmp is not among the flags\n"
    place.write('lib.c', LIBRARY)
    place.write('main.c', '/*\n#pragma omp barrier\n*/\nint main(void) { return 0; } // #pragma omp\n')
    place.write('one.f90', 'program one\n  print *, 1\n!$OMP parallel\n!$omp end parallel\nend program\n')
    line = LIBRARY[:LIBRARY.index('#pragma omp')].count('\n') + 1
    for flags in (['-c'], ['-S'], ['-shared', '-fPIC', '-o', 'lib.so']):
        done = place.run('ompinst', 'gcc', *flags, 'lib.c')
        check_equal(done.stderr, 'lib.c: ' + text.format(line), flags)
    for flags in (['-c', '-fopenmp'], ['-c', '-fno-openmp'], ['-c', '-fopenmp-simd'], ['-E'], ['-fsyntax-only']):
        check_equal(place.run('ompinst', 'gcc', *flags, 'lib.c').stderr, '', flags)
    check_equal(place.run('ompinst', 'gcc', 'main.c').stderr, '')
    check_equal(place.run('ompinst', 'gcc', 'lib.c', '-c', env={'OMPINST': 'off'}).stderr, '')
    # One line for a command; with --verbose one for each file.
    place.write('second.c', LIBRARY)
    check_equal(place.run('ompinst', 'gcc', '-c', 'main.c', 'lib.c', 'second.c').stderr, 'lib.c: ' + text.format(line))
    done = place.run('ompinst', '--verbose', 'gcc', '-c', 'main.c', 'lib.c', 'second.c')
    check_equal(done.stderr, 'main.c: note: nothing to instrument: -fopenmp is not among the flags, and the file has no directive\n' +
        'lib.c: ' + text.format(line) + 'second.c: ' + text.format(line))
    if shutil.which('gfortran'):
        check_equal(place.run('ompinst', 'gfortran', '-c', 'one.f90').stderr, 'one.f90: ' + text.format(3))


def test_one_word_names(place):
    place.write('prog.c', PROGRAM)
    for name in ('gcc', 'cc', 'g++', 'c++'):
        place.run(f'ompinst-{name}', '-fopenmp', 'prog.c', '-o', 'prog')
        place.check_instrumented('prog')
        same(place, '--version', compiler=[name], wrapped=[f'ompinst-{name}'])


def test_a_link_of_ones_own_names_any_compiler(place):
    place.write('lib.c', LIBRARY)
    place.write('prefixed-gcc', '#!/bin/sh\nexec gcc "$@"\n', 0o755)
    os.mkdir(place.path('bin'))
    os.symlink(os.path.join(bench.BIN, 'ompinst'), place.path('bin/ompinst-prefixed-gcc'))
    path = f'{place.folder}:{place.environment["PATH"]}'
    place.run('bin/ompinst-prefixed-gcc', '-fopenmp', '-c', 'lib.c', env={'PATH': path})
    place.check_instrumented('lib.o')


def test_second_word_dropped(place):
    place.write('lib.c', LIBRARY)
    place.write('zero.s', 'zero: .long 0\n')
    done = place.run('ompinst', '--version')
    check_in('ompinst', done.stdout)
    check_in('Free Software Foundation', done.stdout)
    place.run('ompinst', '-o', 'zero.o', '-c', 'zero.s')
    assert place.exists('zero.o')
    place.run('ompinst', '-fopenmp', '-c', 'lib.c')
    place.check_instrumented('lib.o')
    place.write('mine', '#!/bin/sh\necho mine "$@"\n', 0o755)
    done = place.run('ompinst', '-c', 'zero.s', env={'OMPINST_CC': place.path('mine')})
    check_equal(done.stdout, 'mine -c zero.s\n')
    done = place.run('ompinst', '-dumpmachine', env={'OMPINST_CC': place.path('mine') + ' gcc'})
    check_equal(done.stdout, 'mine gcc -dumpmachine\n')


def test_recursion_ends(place):
    place.write('lib.c', LIBRARY)
    # ompinst before itself
    for command in (['ompinst', 'ompinst-gcc'], ['ompinst', 'ompinst', 'gcc']):
        place.run(*command, '-fopenmp', '-c', 'lib.c')
        place.check_instrumented('lib.o')
    # a compiler script that calls ompinst again
    place.write('script', '#!/bin/sh\nexec ompinst-gcc "$@"\n', 0o755)
    place.run('ompinst', './script', '-fopenmp', '-c', 'lib.c', '-o', 'script.o')
    place.check_instrumented('script.o')
    # ompinst in PATH under the compiler's name
    os.mkdir(place.path('bin'))
    os.symlink(os.path.join(bench.BIN, 'ompinst'), place.path('bin/gcc'))
    path = f'{place.path("bin")}:{place.environment["PATH"]}'
    place.run('gcc', '-fopenmp', '-c', 'lib.c', '-o', 'link.o', env={'PATH': path})
    place.check_instrumented('link.o')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c', '-o', 'link2.o', env={'PATH': path})
    place.check_instrumented('link2.o')
    # a script that starts ompinst on itself for ever
    place.write('loop', '#!/bin/sh\nexec ompinst ./loop "$@"\n', 0o755)
    done = place.run('ompinst', './loop', '-c', 'lib.c', code=126, timeout=60)
    check_in('again and again', done.stderr)


def test_ccache(place):
    need('ccache')
    place.write('lib.c', LIBRARY)
    place.run('ompinst', 'ccache', 'gcc', '-fopenmp', '-c', 'lib.c', '-o', 'one.o')
    place.check_instrumented('one.o')
    place.run('ompinst', 'ccache', 'gcc', '-fopenmp', '-c', 'lib.c', '-o', 'two.o')
    check_equal(place.read('one.o', 'rb'), place.read('two.o', 'rb'), 'objects')
    os.mkdir(place.path('again'))
    for output in ('three.o', 'four.o'):
        place.run('ccache', 'ompinst-gcc', '-fopenmp', '-c', 'lib.c', '-o', output)
        place.check_instrumented(output)
    hits = place.run('ccache', '--print-stats').stdout
    direct = [line for line in hits.splitlines() if line.startswith('direct_cache_hit')]
    assert direct and int(direct[0].split()[1]) >= 1, hits


def test_distcc(place):
    need('distcc', 'distccd')
    place.write('lib.c', LIBRARY)
    os.mkdir(place.path('.distcc'))
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    daemon = subprocess.Popen(
        ['distccd', '--no-detach', '--daemon', '--allow', '127.0.0.1', '--listen', '127.0.0.1', '--port',
         str(port), '--jobs', '2', '-N', '0', '--enable-tcp-insecure', '--log-stderr', '--log-level=info'],
        # Started by root it is somebody else, who needs a folder that all may write to.
        env=dict(place.environment, TMPDIR='/tmp'), cwd='/', stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=open(place.path('log'), 'w'))
    try:
        deadline = time.monotonic() + 10 * bench.TIME_LIMITS
        while socket.socket().connect_ex(('127.0.0.1', port)) != 0:
            if daemon.poll() is not None or time.monotonic() > deadline:
                bench.skip('distccd does not run here: ' + place.read('log'))
            time.sleep(0.05)
        hosts = {'DISTCC_HOSTS': f'127.0.0.1:{port}', 'DISTCC_FALLBACK': '0',
                 'DISTCC_DIR': place.path('.distcc')}
        # The instrumented text travels, or the user's text and ompinst waits for it over there.
        commands = [['ompinst', 'distcc', 'gcc']]
        if all(os.stat(folder).st_mode & 1 for folder in pathlib.Path(bench.BIN, 'x').resolve().parents):
            commands.append(['distcc', 'ompinst-gcc'])
        for number, command in enumerate(commands):
            place.run(*command, '-fopenmp', '-O1', '-c', 'lib.c', '-o', f'{number}.o', env=hosts)
            place.check_instrumented(f'{number}.o')
            check_equal(place.read('log').count('COMPILE_OK'), number + 1, 'compilations of the server')
    finally:
        daemon.terminate()
        daemon.wait()


# Stands for compilers as ccache, distcc, icecc and colorgcc do, and says that it was there.
STAND_IN = r'''#!/bin/sh
[ -z "$STAND_IN_IS_ACTIVE" ] || { echo "stand-in: called by itself" >&2; exit 9; }
name=${0##*/}
echo "stand-in for $name" >>"$STAND_IN_LOG"
IFS=:
for folder in $PATH; do
	[ "$folder/$name" -ef "$0" ] || [ ! -x "$folder/$name" ] || STAND_IN_IS_ACTIVE=1 exec "$folder/$name" "$@"
done
echo "stand-in: no other $name" >&2
exit 8
'''


def path_of_compilers(place, *folders):
    """PATH with these before the system's; links to the folder of compilers' names, one with another name for it."""
    ours = os.path.join(bench.BIN, 'compilers')
    if not place.exists('again'):
        os.symlink(ours, place.path('again'))
    named = {'ours': ours, 'again': place.path('again'), 'relative': 'again', 'here': ''}
    return ':'.join([named.get(folder, folder) for folder in folders] + [bench.BIN, os.environ['PATH']])


def check_stand_in(place, folder, env, uses):
    """The folder has stand-ins; uses() counts how often they were used by what has run here. Every day the stand-in of this file is in
    all orders, and those of other projects are in the two usual ones; in tools/test full these are in all orders, too."""
    place.write('lib.c', LIBRARY)
    orders = [('ours', folder), (folder, 'ours'), ('ours', folder, 'ours'), ('again', 'ours', folder), (folder, 'again', folder, 'ours'),
              ('relative', folder), (folder, 'relative'), ('ours', '/nowhere', '/dev/null', folder, folder)]
    for number, order in enumerate(orders if bench.IS_FULL or folder.startswith(place.folder) else orders[:2]):
        path = {'PATH': path_of_compilers(place, *order), **env}
        for command in (['gcc'], ['ompinst', 'gcc'], ['ompinst-gcc']):
            before = uses()
            place.write('lib.c', LIBRARY + f'int n{number}_{len(command)}_{len(command[0])};\n')  # a cache has not seen it
            place.run(*command, '-fopenmp', '-c', 'lib.c', '-o', 'lib.o', env=path)
            place.check_instrumented('lib.o')
            assert uses() > before, f'{command} with {order} has not used {folder}'
            os.remove(place.path('lib.o'))


def test_stand_ins_before_and_behind_the_folder_of_compilers(place):
    place.write('log', '')
    place.write('stand-ins/gcc', STAND_IN, 0o755)
    check_stand_in(place, place.path('stand-ins'), {'STAND_IN_LOG': place.path('log')}, lambda: place.read('log').count('\n'))


def test_ccache_before_and_behind_the_folder_of_compilers(place):
    if not os.path.exists('/usr/lib/ccache/gcc'):
        bench.skip('ccache is not installed')

    def uses():
        return sum(int(line.split()[1]) for line in place.run('ccache', '--print-stats').stdout.splitlines()
                   if line.split()[0] in ('cache_miss', 'direct_cache_hit', 'preprocessed_cache_hit'))

    check_stand_in(place, '/usr/lib/ccache', {}, uses)
    # It takes the real compiler for the one that it calls, whose change it would notice.
    path = path_of_compilers(place, 'ours', '/usr/lib/ccache')
    place.run('gcc', '-fopenmp', '-c', 'lib.c', env={'PATH': path, 'CCACHE_LOGFILE': place.path('log')})
    check_in('Executing /usr/bin/', place.read('log'))
    hits = place.run('ccache', '--print-stats').stdout
    place.run('gcc', '-fopenmp', '-c', 'lib.c', env={'PATH': path})
    assert hits != place.run('ccache', '--print-stats').stdout


def test_distcc_before_and_behind_the_folder_of_compilers(place):
    if not os.path.exists('/usr/lib/distcc/gcc'):
        bench.skip('distcc is not installed')
    os.mkdir(place.path('.distcc'))
    log = place.write('log', '')
    env = {'DISTCC_HOSTS': 'localhost', 'DISTCC_DIR': place.path('.distcc'), 'DISTCC_LOG': log, 'DISTCC_VERBOSE': '1'}
    check_stand_in(place, '/usr/lib/distcc', env, lambda: len(place.read('log')))


def test_icecc_before_and_behind_the_folder_of_compilers(place):
    if not os.path.exists('/usr/lib/icecc/bin/gcc'):
        bench.skip('icecc is not installed')
    log = place.write('log', '')
    env = {'ICECC_DEBUG': 'debug', 'ICECC_LOGFILE': log}
    check_stand_in(place, '/usr/lib/icecc/bin', env, lambda: len(place.read('log')))


def test_path_without_another_compiler(place):
    place.write('lib.c', LIBRARY)
    ours = os.path.join(bench.BIN, 'compilers')
    for path in (ours, ours + ':' + ours, ours + ':'):
        done = place.run(os.path.join(ours, 'gcc'), '-fopenmp', '-c', 'lib.c', code=127, env={'PATH': path})
        check_in("cannot run the compiler 'gcc'", done.stderr)
    # A compiler by its path does not get an empty PATH, which would be the current folder.
    place.write('as', '#!/bin/sh\necho found in the current folder\nexit 1\n', 0o755)
    for path in (ours, ours + ':' + ours):
        done = place.run(os.path.join(bench.BIN, 'ompinst'), shutil.which('gcc'), '-fopenmp', '-c', 'lib.c', code=None,
                         env={'PATH': path})
        check_not_in('found in the current folder', done.stdout + done.stderr)


def test_function_of_the_programs_own_with_a_name_of_libpomps(place):
    """In the same file. With pomp.h it would be the call, with a descriptor for its argument."""
    own = 'int pomp_parallel_fork(int *table)\n{\n\treturn table[1 << 20];\n}\n'
    for compiler, name, text in (('gcc', 'own.c', own), ('g++', 'own.cc', 'extern "C" ' + own), ('g++', 'own.cc', own),
                                 ('gcc', 'own.c', 'static inline ' + own)):
        place.write(name, text + PROGRAM)
        place.run('ompinst', '--strict', compiler, '-fopenmp', name, '-o', 'prog')
        check_in('pomp_parallel_begin', place.calls('prog'))
        check_equal(place.run('./prog').stdout, 'sum 4950\n')
        place.run('ompinst', name, '-o', 'out')


def test_response_files(place):
    place.write('lib.c', LIBRARY + 'const char *text = TEXT;\n')
    place.write('outer.rsp', '-fopenmp @inner.rsp -c\n')
    place.write('inner.rsp', "'-DTEXT=\"a b\"' -I\\. \"lib.c\"\n")
    place.run('ompinst', 'gcc', '@outer.rsp', '-o', 'lib.o')
    place.check_instrumented('lib.o')
    assert b'a b' in place.read('lib.o', 'rb')
    many = '\n'.join(f'-DUNUSED_{i}=1' for i in range(4500))
    place.write('long.rsp', f'-fopenmp {many} "-DTEXT=\\"a\\\\\\\\b\\"" -c lib.c -o long.o\n')
    place.run('ompinst', 'gcc', '@long.rsp')
    place.check_instrumented('long.o')
    same(place, '@nowhere.rsp')
    place.write('loop.rsp', '@loop.rsp\n')
    done = place.run('ompinst', 'gcc', '@loop.rsp', code=None)
    assert done.returncode != 0


bench.main(globals())
