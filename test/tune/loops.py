#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Schedules of single loops: what loops.c prints with --tunable-loops is what it prints without, and POMP_LOOP_SCHEDULES
changes the loops that it names and nothing else.
"""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wrapper'))
import bench  # noqa: E402
from bench import CLANG, check_equal, check_in, check_not_in, need, skip  # noqa: E402

SOURCE = os.path.join(HERE, 'loops.c')
BLOCKS = '0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3'
IN_TURN = '0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3'
BY_THREES = '0 0 0 1 1 1 2 2 2 3 3 3 0 0 0 1'
# OMP_SCHEDULE makes the program's own loops with schedule(runtime) divide their iterations in one way only.
SURROUNDINGS = {'OMP_SCHEDULE': 'static,5', 'POMP_SUMMARY': 'off'}


def line_of(word):
    with open(SOURCE) as file:
        return [number for number, line in enumerate(file, 1) if f'/* {word} */' in line][0]


def build(place, *words, compiler='gcc', source=SOURCE):
    need(compiler)
    shutil.copy(source, place.path('loops.c'))
    return place.run('ompinst', '--tunable-loops', *words, compiler, '-O1', '-fopenmp', 'loops.c', '-o', 'loops').stderr


def output(place, command='./loops', schedules=None, **environment):
    """The lines by their names, the same name more than once as a list; and what it says on stderr."""
    more = {'POMP_LOOP_SCHEDULES': schedules} if schedules is not None else {}
    done = place.run(command, env={**SURROUNDINGS, **environment, **more})
    lines = {}
    for line in done.stdout.splitlines():
        name, value = line.split(': ')
        lines.setdefault(name, []).append(value)
    return lines, done.stderr


def check_changed(place, plain, changes, **environment):
    """Loops by their comments with what they become and what they then print."""
    setting = ';'.join(f'loops.c:{line_of(name)}={schedule}' for name, schedule, _ in changes)
    lines, said = output(place, schedules=setting, **environment)
    check_equal(said, '')
    check_equal(lines, {**plain, **{name: [shown] * len(plain[name]) for name, _, shown in changes}})


def check_program(place, compiler, *words):
    place.run(compiler, '-O1', '-fopenmp', SOURCE, '-o', 'plain')
    plain, _ = output(place, './plain')
    check_equal([plain['open'][0], plain['chunk'][0], plain['dynamic'][0]],
                [BLOCKS, BY_THREES, '0 by the first thread, 16 in all'])
    build(place, *words, compiler=compiler)
    for disable in 'yes', 'no':
        check_equal(output(place, POMP_DISABLE=disable), (plain, ''))
        check_changed(place, plain, [('open', 'static,1', IN_TURN), ('chunk', 'static', BLOCKS)], POMP_DISABLE=disable)
    check_changed(place, plain, [('open', 'static,3', BY_THREES)])
    return plain


def test_the_bundled_runtime(place):
    need('gcc')
    plain = check_program(place, 'gcc')
    # The nested region, run-sched-var inside the loop, and what the program sets there are its own.
    check_changed(place, plain, [('again', 'static,1', IN_TURN)])
    lines, _ = output(place, schedules=f'loops.c:{line_of("nested")}=dynamic;loops.c:{line_of("empty")}=static,3')
    check_equal({**lines, 'again': plain['again']}, plain)


def test_the_bundled_runtime_with_clang(place):
    need(CLANG)
    check_program(place, CLANG)


def test_the_compilers_own_runtime(place):
    need('gcc')
    check_program(place, 'gcc', '--runtime=system')
    said = build(place, '--runtime=system', '--verbose')
    reason = "stays as written: it may call functions, which would see another schedule; that needs the bundled runtime"
    for name, directive, stays in (('nested', 'parallel for', True), ('dynamic', 'parallel for', True), ('open', 'parallel for', False)):
        note = f"loops.c:{line_of(name)}:1: note: the schedule of '{directive}' {reason}"
        (check_in if stays else check_not_in)(note, said)


def test_llvms_own_runtime_cannot(place):
    need(CLANG)
    if 'linked' in place.run(CLANG, '-fopenmp', SOURCE, '-o', 'plain', code=None).stderr:
        skip("LLVM's runtime is not here")
    plain, _ = output(place, './plain')
    said = build(place, '--runtime=system', compiler=CLANG)
    check_in("warning: --tunable-loops has no effect: LLVM's runtime", said)
    lines, said = output(place, schedules=f'loops.c:{line_of("open")}=static,1')
    check_equal(lines, plain)
    check_in('has changed nothing', said)


def test_values_of_the_setting(place):
    build(place)
    for value, said in (('loops.c=static', "'loops.c=static': expected FILE:LINE=KIND or FILE:LINE=KIND,CHUNK with the kind static"),
                        ('loops.c:x=static', "'loops.c:x=static': expected"),
                        (':3=static', "':3=static': expected"),
                        ('loops.c:3=auto', "'loops.c:3=auto': expected"),
                        ('loops.c:3=static,0', "'loops.c:3=static,0': expected"),
                        ('loops.c:3=static,2x', "'loops.c:3=static,2x': expected"),
                        ('loops.c:3=static,99999999999', 'expected'),
                        (f'other.c:{line_of("open")}=static', 'has changed nothing: the program has executed no loop there'),
                        (f'oops.c:{line_of("open")}=static', 'has changed nothing'),
                        ('loops.c:1=guided,3', "'loops.c:1=guided,3' has changed nothing")):
        lines, stderr = output(place, schedules=value)
        check_in(said, stderr)
        check_equal(stderr.count('\n'), 1)
        check_equal(lines['open'][0], BLOCKS)
    check_equal(output(place, schedules='')[1], '')
    lines, stderr = output(place, schedules=f';loops.c:{line_of("open")}=static,2;;{place.path("x")}:3=static')
    check_equal(lines['open'][0], '0 0 1 1 2 2 3 3 0 0 1 1 2 2 3 3')
    check_equal(stderr.count('\n'), 1)


def test_without_the_option_nothing_changes(place):
    need('gcc')
    shutil.copy(SOURCE, place.path('loops.c'))
    place.run('ompinst', 'gcc', '-O1', '-fopenmp', 'loops.c', '-o', 'loops')
    lines, said = output(place, schedules=f'loops.c:{line_of("open")}=static,1')
    check_equal(lines['open'][0], BLOCKS)
    check_in('was built with --tunable-loops', said)


def test_the_list_says_what_stays(place):
    shutil.copy(SOURCE, place.path('loops.c'))
    listed = place.run('ompinst', '--tunable-loops', '--explain', 'gcc', '-fopenmp', '-c', 'loops.c').stdout
    check_in('        schedule stays: it is not static, dynamic or guided\n', listed)
    listed = place.run('ompinst', '--tunable-loops', '--explain=json', 'gcc', '-fopenmp', '-c', 'loops.c').stdout
    check_in('"schedule_stays"', listed)
    check_not_in('schedule_stays', place.run('ompinst', '--explain=json', 'gcc', '-fopenmp', '-c', 'loops.c').stdout)


if __name__ == '__main__':
    bench.main(globals())
