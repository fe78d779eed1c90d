#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What else a build reads: dependency files, deterministic objects, prefix maps, compile databases."""
import json
import os

import bench
from bench import CLANG, LIBRARY, PROGRAM, check_equal, check_not_in, need


def compare_dependencies(place, *arguments, compiler='gcc'):
    """The .d files of plain and wrapped compiler are the same in name and content."""
    found = []
    for name, command in (('plain', [compiler]), ('wrapped', ['ompinst', compiler])):
        os.makedirs(place.path(f'{name}/src'))
        os.makedirs(place.path(f'{name}/obj'))
        place.write(f'{name}/src/lib.c', '#include "lib.h"\n' + LIBRARY)
        place.write(f'{name}/src/lib.h', '#include <stdio.h>\n')
        place.write(f'{name}/src/prog.c', PROGRAM)
        place.run(*command, '-fopenmp', *arguments, cwd=name)
        files = {}
        for at, _, names in os.walk(place.path(name)):
            for file in names:
                if file.endswith('.d') or file.endswith('.dep'):
                    path = os.path.join(at, file)
                    with open(path) as opened:
                        files[os.path.relpath(path, place.path(name))] = opened.read()
        found.append(files)
        place.run('rm', '-rf', name)
    check_equal(found[1], found[0], f'dependency files of {arguments}')
    assert found[0], f'{compiler} {arguments} made no dependency file'


def test_dependency_files(place):
    for compiler in ('gcc', CLANG):
        if compiler != 'gcc':
            need(compiler)
        for arguments in (
                ['-MD', '-c', 'src/lib.c'],
                ['-MD', '-c', 'src/lib.c', '-o', 'obj/out.o'],
                ['-MMD', '-MP', '-MF', 'obj/x.dep', '-c', 'src/lib.c', '-o', 'obj/out.o'],
                ['-MD', '-MT', 'target$x', '-c', 'src/lib.c', '-o', 'obj/out.o'],
                ['-MD', '-MQ', 'target$x', '-MFobj/x.d', '-c', 'src/lib.c', '-o', 'obj/out.o'],
                ['-MMD', '-S', 'src/lib.c', '-o', 'obj/out.s'],
                ['-Wp,-MD,obj/wp.d', '-c', 'src/lib.c', '-o', 'obj/out.o'],
                ['-MD', '-c', 'src/lib.c', 'src/prog.c'],
                ['-MD', '-c', 'src/lib.c', '-o', 'obj/out'],
                ['-MD', '-c', 'src/lib.c', '-o', 'obj/my$out.o']):
            compare_dependencies(place, *arguments, compiler=compiler)


def test_dependency_file_of_compile_and_link(place):
    compare_dependencies(place, '-MD', 'src/prog.c', '-o', 'prog')
    compare_dependencies(place, '-MD', 'src/prog.c')
    compare_dependencies(place, '-MD', '-MF', 'p.d', 'src/prog.c', '-o', 'prog')


def test_two_builds_give_identical_objects(place):
    place.write('prog.c', PROGRAM)
    for compiler in ('gcc', 'g++', CLANG):
        if compiler == CLANG:
            need(compiler)
        for flags in (['-O2'], ['-g', '-O2'], ['-g3'], ['-S']):
            flags = flags if '-S' in flags else flags + ['-c']
            contents = []
            for temporary in ('one', 'two'):
                os.makedirs(place.path(f'.tmp/{temporary}'), exist_ok=True)
                place.run('ompinst', compiler, '-fopenmp', *flags, 'prog.c', '-o', 'out',
                          env={'TMPDIR': place.path(f'.tmp/{temporary}')})
                contents.append(place.read('out', 'rb'))
            assert contents[0] == contents[1], f'{compiler} {flags}: objects differ'
            assert b'ompinst-' not in contents[0] and b'.tmp' not in contents[0], \
                f'{compiler} {flags}: a temporary name got in'


def test_prefix_map(place):
    place.write('prog.c', PROGRAM + 'const char *where = __FILE__;\n')
    place.run('ompinst', 'gcc', '-g', '-fopenmp', f'-ffile-prefix-map={place.folder}=/mapped',
              '-c', place.path('prog.c'), '-o', 'prog.o')
    content = place.read('prog.o', 'rb')
    assert place.folder.encode() not in content, 'an unmapped name'
    assert b'/mapped/prog.c' in content


def test_the_compilers_folder_is_told_with_debug_information_only(place):
    place.write('prog.c', PROGRAM)
    for flags, told in (['-O1'], False), (['-g'], True), (['-g', f'-fdebug-prefix-map={place.folder}=/mapped'], False):
        place.run('ompinst', 'gcc', '-fopenmp', *flags, '-S', 'prog.c', '-o', 'prog.s')
        text = place.read('prog.s')
        assert (place.folder in text) == told, flags
        assert ('pomp_register_regions_in' in text) == ('-g' in flags), flags


def test_source_date_epoch(place):
    place.write('prog.c', PROGRAM + 'const char *when = __DATE__ __TIME__;\n')
    place.run('ompinst', 'gcc', '-fopenmp', '-c', 'prog.c', '-o', 'prog.o',
              env={'SOURCE_DATE_EPOCH': '0'})
    assert b'Jan  1 1970' in place.read('prog.o', 'rb')


def test_compile_database_has_the_users_commands(place):
    need('bear', 'make')
    place.write('lib.c', LIBRARY)
    place.write('prog.c', PROGRAM)
    place.write('plain.c', 'int nothing;\n')
    place.write('Makefile', 'prog: prog.o lib.o plain.o\n\t$(CC) -fopenmp $^ -o $@\n'
                            '%.o: %.c\n\t$(CC) -fopenmp -Wall -c $< -o $@\n')
    # bear knows compilers by their names, of which `ompinst` is none until it is told.
    place.write('bear.json', json.dumps({'compilation': {'compilers_to_recognize': [
        {'executable': os.path.join(bench.BIN, 'ompinst'), 'flags_to_add': [], 'flags_to_remove': []}]}}))
    for compiler, options in (('ompinst-gcc', []), ('ompinst gcc', ['--config', 'bear.json'])):
        done = place.run('bear', *options, '--', 'make', '-B', f'CC={compiler}', code=None)
        if done.returncode != 0 or not json.loads(place.read('compile_commands.json')):
            bench.skip('bear does not work here')
        place.check_instrumented('lib.o')
        entries = json.loads(place.read('compile_commands.json'))
        check_equal(sorted(entry['file'] for entry in entries),
                    sorted(place.path(name) for name in ('lib.c', 'prog.c', 'plain.c')), compiler)
        for entry in entries:
            words = entry['arguments']
            check_equal([os.path.basename(words[0]), *words[1:len(compiler.split())]], compiler.split())
            assert {'-fopenmp', '-Wall', '-c'} < set(words), words
            check_not_in('cpp-output', ' '.join(words))


bench.main(globals())
