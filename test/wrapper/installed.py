#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The installed tree, moved to a folder with blanks in its name: all of it is found from where it is then."""
import glob
import os
import re
import shlex
import shutil

import bench
from bench import LIBRARY, PROGRAM, check_equal, check_in, install, need

CMAKE = '''cmake_minimum_required(VERSION 3.13)
project(sample LANGUAGES C)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(ompinst 0.1 REQUIRED)
add_executable(prog prog.c)
target_link_libraries(prog PRIVATE OpenMP::OpenMP_C)
ompinst_instrument(prog OPTIONS --strict)
'''


def test_moved_tree(place):
    prefix = install(place)
    place.write('prog.c', PROGRAM)
    for command in (['ompinst', 'gcc'], ['ompinst-gcc'], ['ompinst-cc']):
        place.run(*command, '-fopenmp', 'prog.c', '-o', 'prog')
        place.check_instrumented('prog')
        libraries = place.libraries('prog')
        pomp = [path for name, path in libraries.items() if name.startswith('libpomp.so')]
        assert pomp and pomp[0].startswith(prefix), libraries
        if glob.glob(prefix + '/lib/**/ompinst/libgomp.so.1', recursive=True):
            assert libraries['libgomp.so.1'].startswith(prefix), libraries
        check_equal(place.run('./prog').stdout, 'sum 4950\n')


def test_running_a_program_from_a_moved_tree(place):
    prefix = install(place)
    place.write('prog.c', PROGRAM)
    place.run('gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    if 'libasan' in place.run('ldd', prefix + '/bin/ompinst').stdout:
        bench.skip('libraries of sanitizers cannot be preloaded')
    place.environment.pop('XDG_RUNTIME_DIR', None)
    done = place.run('ompinst', 'run', '--summary=stderr', './prog')
    check_equal(done.stdout, 'sum 4950\n')
    check_in('ompinst: measuring prog: it runs on the bundled OpenMP runtime', done.stderr)
    check_in(' ompinst profile: ', done.stderr)
    line = place.run('ompinst', 'run', '--dry-run', './prog').stdout
    for library in ('ompinst-run.so', 'libgomp.so.1', 'libpomp_tool.so'):
        files = [os.path.realpath(word) for word in line.replace('=', ':').replace(' ', ':').split(':')
                 if word.endswith('/' + library)]
        assert files and all(file.startswith(prefix) for file in files), line
    shutil.rmtree(os.path.join(place.temporary, f'ompinst-{os.geteuid()}'))


def test_a_program_from_compiler_to_debugger(place):
    """Compiled, run with a trace, reported with the page's timeline, and looked at in gdb, all from the moved tree."""
    prefix = install(place)
    if not os.path.exists(prefix + '/bin/ompreport'):
        bench.skip('built without OTF2')
    shutil.copy(prefix + '/share/doc/ompinst/examples/pairs.c', place.path('pairs.c'))
    place.run('ompinst', 'gcc', '-fopenmp', '-O2', '-g', 'pairs.c', '-o', 'pairs', '-lm')
    if 'libasan' in place.run('ldd', 'pairs').stdout + place.run('ldd', prefix + '/bin/ompinst').stdout:
        bench.skip('libraries of sanitizers cannot be loaded into programs without them')
    trace = {'POMP_ENABLE_TRACING': '1', 'POMP_EXPERIMENT_DIRECTORY': place.path('trace'), 'OMP_NUM_THREADS': '2'}
    check_equal(place.run('./pairs', env=trace).stdout, '53991000 pairs\n')
    check_in('pairs.c:29 for', place.run('ompreport', 'regions', 'trace').stdout)
    place.run('ompreport', 'html', 'trace', '-o', 'report.html')
    place.run(os.path.join(os.path.dirname(bench.BIN), 'reports', 'ompreport'), 'html', 'trace', '-o', 'built.html')
    assert place.read('report.html') == place.read('built.html'), 'the page of the installed ompreport differs'
    need('gdb')
    found = place.run('gdb', '-q', '-batch', '-nx', '-iex', 'set debuginfod enabled off',
                      '-iex', 'add-auto-load-safe-path ' + prefix, '-ex', 'break main', '-ex', 'run', '-ex', 'break 39',
                      '-ex', 'continue', '-ex', 'omp threads', './pairs', code=None)
    if 'Breakpoint 1, ' not in found.stdout:
        bench.skip('gdb cannot run programs here')
    check_in('Breakpoint 2, ', found.stdout)
    if '.debug_gdb_scripts' not in place.run('readelf', '-SW', place.libraries('pairs')['libgomp.so.1']).stdout:
        bench.skip('with prefix=/usr gdb looks for the commands in its own folder')
    check_in('count_pairs', found.stdout.split('  thread ', 1)[-1])


def test_nothing_installed_names_the_folders_of_the_build(place):
    """But for debug information."""
    prefix = install(place)
    build = os.path.dirname(bench.BIN)
    for path, _, files in os.walk(prefix):
        for file in files:
            whole = os.path.join(path, file)
            if os.path.islink(whole) or file.endswith('.a'):
                continue
            with open(whole, 'rb') as text:
                is_program = text.read(4) == b'\x7fELF'
            if is_program:
                place.run('strip', '-o', place.path('stripped'), whole)
                whole = place.path('stripped')
            with open(whole, 'rb') as text:
                assert build.encode() not in text.read(), f'{path}/{file} names {build}'


def test_folder_of_compilers(place):
    prefix = install(place)
    folder = glob.glob(prefix + '/lib/**/ompinst/compilers', recursive=True)[0]
    place.write('lib.c', LIBRARY)
    machine = place.run('gcc', '-dumpmachine').stdout.strip() + '-gcc'
    assert os.path.exists(os.path.join(folder, machine)) == (shutil.which(machine) is not None), machine
    for compiler in ['gcc'] + ([machine] if shutil.which(machine) else []):
        place.run(compiler, '-fopenmp', '-c', 'lib.c', env={'PATH': folder + ':' + os.environ['PATH']})
        place.check_instrumented('lib.o')
        os.remove(place.path('lib.o'))


def test_manual_and_completion(place):
    prefix = install(place)
    options = [line.split()[0].split('=')[0].split('[')[0]
               for line in place.run('ompinst', '--help').stdout.splitlines()
               if line.startswith('  --')]
    assert len(options) > 8, options
    with open(prefix + '/share/man/man1/ompinst.1') as file:
        manual = file.read().replace('\\-', '-')
    script = prefix + '/share/bash-completion/completions/ompinst'
    offered = place.run('bash', '-c', f'source "{script}"; COMP_WORDS=(ompinst --); COMP_CWORD=1; '
                                      '_ompinst; echo "${COMPREPLY[@]}"').stdout
    for option in options:
        check_in(option, manual)
        check_in(option, offered)
    offered = place.run('bash', '-c', f'source "{script}"; COMP_WORDS=(ompinst run --); COMP_CWORD=2; '
                                      '_ompinst; echo "${COMPREPLY[@]}"').stdout
    for option in ('--trace', '--mpi=openmpi', '--runtime=bundled', '--dry-run'):
        check_in(option, offered)
        check_in(option.split('=')[0], manual)


def test_pkg_config(place):
    need('pkg-config')
    prefix = install(place)
    folder = os.path.dirname(glob.glob(prefix + '/**/pomp.pc', recursive=True)[0])
    env = {'PKG_CONFIG_PATH': folder}
    place.write('lib.c', '#include <pomp.h>\nint main(void) { pomp_init(); return 0; }\n')
    flags = place.run('pkg-config', '--cflags', '--libs', 'pomp', env=env)
    place.run('gcc', 'lib.c', *shlex.split(flags.stdout), '-o', 'prog')
    for variable, expected in (('ompinst', '/bin/ompinst'), ('runtimedir', '/ompinst')):
        value = place.run('pkg-config', f'--variable={variable}', 'pomp', env=env).stdout.strip().replace('\\', '')
        path = os.path.realpath(value)
        assert path.startswith(prefix) and path.endswith(expected) and os.path.exists(path), value
    found = place.run('ldd', 'prog', env={'LD_LIBRARY_PATH': os.path.dirname(folder)}).stdout
    check_in(f'libpomp.so.0 => {prefix}', found)
    # As the page on source text builds it: the program runs by itself.
    with open(prefix + '/share/doc/ompinst/doc/compiler-wrapper.md') as page:
        commands = re.findall(r'^cc -fopenmp .*pkg-config.*$', page.read(), re.M)
    check_equal(len(commands), 2, 'commands of the page')
    # A folder with blanks would need quotes there.
    os.rename(prefix, place.path('moved'))
    env['PKG_CONFIG_PATH'] = folder.replace(prefix, place.path('moved'))
    place.write('saxpy.c', PROGRAM)
    place.write('main.c', 'int unused;\n')
    place.run(place.path('moved/bin/ompinst'), 'saxpy.c')
    place.run('sh', '-ec', '\n'.join(commands[:1] + ['cc -c main.c'] + commands[1:]), env=env)
    check_equal(place.run('./a.out').stdout, 'sum 4950\n')
    check_in('libpomp.so.0 => ' + place.path('moved'), place.run('ldd', 'a.out').stdout)


def test_cmake_package(place):
    need('cmake', 'ninja')
    prefix = install(place)
    place.write('prog.c', PROGRAM)
    place.write('CMakeLists.txt', CMAKE)
    place.run('cmake', '-G', 'Ninja', '-S', '.', '-B', 'out', '-DCMAKE_C_COMPILER=gcc',
              f'-DCMAKE_PREFIX_PATH={prefix}', timeout=300)
    place.run('cmake', '--build', 'out', timeout=300)
    place.check_instrumented('out/prog')
    check_equal(place.run('out/prog').stdout, 'sum 4950\n')
    if glob.glob(prefix + '/lib/**/ompinst/libgomp.so.1', recursive=True):
        assert place.libraries('out/prog')['libgomp.so.1'].startswith(prefix)


def test_cmake_package_with_fortran(place):
    """C is instrumented, Fortran has its tool; the program finds both, and measures both."""
    need('cmake', 'ninja', 'gfortran')
    prefix = install(place)
    place.write('main.c', 'void add_(int *);\nint main(void)\n{\n\tint n = 0;\n#pragma omp parallel num_threads(2)\n\t{\n'
                '#pragma omp critical\n\t\tn++;\n\t}\n\tadd_(&n);\n\treturn n - 4;\n}\n')
    place.write('add.f90', 'subroutine add(n)\n  integer :: n\n  !$omp parallel num_threads(2)\n  !$omp critical\n'
                '  n = n + 1\n  !$omp end critical\n  !$omp end parallel\nend subroutine\n')
    place.write('CMakeLists.txt', 'cmake_minimum_required(VERSION 3.13)\nproject(sample LANGUAGES C Fortran)\n'
                'find_package(OpenMP REQUIRED COMPONENTS C Fortran)\nfind_package(ompinst REQUIRED)\n'
                'add_executable(prog main.c add.f90)\n'
                'target_link_libraries(prog PRIVATE OpenMP::OpenMP_C OpenMP::OpenMP_Fortran)\n'
                'ompinst_instrument(prog)\n')
    place.run('cmake', '-G', 'Ninja', '-S', '.', '-B', 'out', '-DCMAKE_C_COMPILER=gcc', '-DCMAKE_Fortran_COMPILER=gfortran',
              '-DCMAKE_C_FLAGS=-g', '-DCMAKE_Fortran_FLAGS=-g', f'-DCMAKE_PREFIX_PATH={prefix}', timeout=300)
    place.run('cmake', '--build', 'out', timeout=300)
    place.check_instrumented('out/prog')
    place.run('out/prog', env={'POMP_SUMMARY': place.path('summary'), 'POMP_SUMMARY_FORMAT': 'csv'})
    text = place.read('summary')
    for place_of_region in ('main.c', 'add.f90'):
        check_in(place_of_region, text)
    assert place.libraries('out/prog')['libgomp.so.1'].startswith(prefix)


bench.main(globals())
