#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst tune --patch --build` writes and measures. Most programs are scripts that print a number by their environment
or by the text that they were made from, so that no result depends on times.
"""
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_all_gone, check_equal, check_in, check_not_in, need, wait_for  # noqa: E402

FOUND, NOTHING = 0, 1
WORDS = ('--seed=1', '--quiet', '--without=threads,binding,wait,schedule,tasks,malloc,arenas,pages', '--metric=time: ([0-9]+)')

FAKE = r'''#!/bin/sh
n=100
[ -n "$POMP_LOOP_SCHEDULES" ] && n=$((n - 20))
[ "$FAST" = 1 ] && n=$((n - 10))
echo "time: $n"
'''
# Makes a program that is faster if the text has a certain schedule.
BUILD = r'''echo "$OMPINST" > seen
n=100
grep -q 'dynamic,4' loop.c && n=$((n - 50))
printf '#!/bin/sh\nn=%d\n[ "$FAST" = 1 ] && n=$((n - 10))\n[ -z "$POMP_LOOP_SCHEDULES" ] && echo "time: $n"\n' $n > fake
chmod +x fake
'''
LOOP = '#include "x.h"\n#pragma omp parallel for\nfor (;;)\n\t;\n'
LINE = 'POMP_LOOP_SCHEDULES=loop.c:2=dynamic,4'


def tune(place, *words, schedules=LINE, code=FOUND, command='./fake', **rest):
    return place.run('ompinst', 'tune', *WORDS, f'--try={schedules}', *words, command, code=code, stdin=subprocess.DEVNULL, **rest)


def prepare(place, text=LOOP, name='loop.c', fake=FAKE):
    place.write('fake', fake, 0o755)
    place.write('build.sh', BUILD)
    with open(place.write(name, ''), 'w', newline='') as file:
        file.write(text)


def changed(place, text, schedule='dynamic,4', line=2, variable='POMP_LOOP_SCHEDULES'):
    """The text after the patch, and what is said."""
    prepare(place, text, fake=FAKE.replace('POMP_LOOP_SCHEDULES', variable))
    done = tune(place, '--patch=out.diff', schedules=f'{variable}=loop.c:{line}={schedule}')
    if not place.exists('out.diff'):
        return text, done.stdout
    place.run('patch', '--binary', '-p1', '-i', 'out.diff')
    os.remove(place.path('out.diff'))
    with open(place.path('loop.c'), newline='') as file:
        return file.read(), done.stdout


def test_only_the_clause_changes(place):
    need('patch')
    for before, after in (
            ('#pragma omp parallel for', '#pragma omp parallel for schedule(dynamic,4)'),
            ('  #  pragma omp for nowait // why', '  #  pragma omp for nowait schedule(dynamic,4) // why'),
            ('#pragma omp for schedule( guided ) private(a, b)', '#pragma omp for schedule( dynamic,4 ) private(a, b)'),
            ('#pragma omp for schedule(nonmonotonic: dynamic, N),nowait', '#pragma omp for schedule(dynamic,4),nowait'),
            ('#pragma omp for \\\n\tschedule(static, \\\n\t8) \\\n\tif (schedule(1))', '#pragma omp for \\\n\tschedule(dynamic,4) \\\n\tif (schedule(1))'),
            ('#pragma omp parallel for reduction(+ : SUM) num_threads(schedule)',
             '#pragma omp parallel for reduction(+ : SUM) num_threads(schedule) schedule(dynamic,4)')):
        for end in '\n', '\r\n':
            old, new = (f'first\n{words}\nfor (;;)\n'.replace('\n', end) for words in (before, after))
            text, said = changed(place, old)
            check_equal(text, new)
            check_in("1 clause of the program's text as a patch: git apply out.diff, or patch -p1.", said)


def test_grains_of_tasks(place):
    need('patch')
    for grain, before, after in (
            ('*4', 'taskloop grainsize(16)', 'taskloop grainsize(64)'),
            ('/4', 'taskloop grainsize( 16 ) nogroup', 'taskloop grainsize( 4 ) nogroup'),
            ('/64', 'parallel master taskloop simd num_tasks(16)', 'parallel master taskloop simd num_tasks(1)'),
            ('9', 'taskloop num_tasks(n / 2) if(n > 3)', 'taskloop num_tasks(9) if(n > 3)'),
            ('*4', 'taskloop grainsize(N - /* one */ 1)', 'taskloop grainsize((N - /* one */ 1) * 4)'),
            ('*1000000000', 'taskloop grainsize(16)', 'taskloop grainsize(2147483647)'),
            ('*2', 'task final(depth >= 8) if(depth < 3)', 'task final(depth >= 16) if(depth < 3)'),
            ('/2', 'task untied if(task: n > \\\n\t21)', 'task untied if(task: n > \\\n\t10)')):
        text, said = changed(place, f'first\n#pragma omp {before}\nlast\n', grain, variable='POMP_TASK_GRAINS')
        check_equal(text, f'first\n#pragma omp {after}\nlast\n')
        check_in("1 clause of the program's text as a patch", said)
    for grain, text, why in (
            ('/4', 'taskloop grainsize(n)', 'the number in its clause is an expression, whose part may be 0'),
            ('*4', 'taskloop grainsize(strict: 4)', 'its clause is not understood'),
            ('*4', 'task final(8 <= depth)', 'its clause does not end in a decimal number'),
            ('*4', 'task final(depth > 010)', 'its clause does not end in a decimal number'),
            ('*4', 'task DEEP final(depth > 8)', 'a word of its directive may be a macro with clauses'),
            ('*4', 'taskloop', 'the file has another directive at this line now'),
            ('*4', 'parallel for', 'the file has another directive at this line now')):
        same, said = changed(place, f'first\n#pragma omp {text}\nlast\n', grain, variable='POMP_TASK_GRAINS')
        check_equal(same, f'first\n#pragma omp {text}\nlast\n')
        check_in(f'The task at loop.c:2 keeps its text: {why}.', said)


def test_what_the_text_does_not_allow_is_said(place):
    for text, why in (
            ('#pragma omp parallel for ALL', 'a word of its directive may be a macro with clauses'),
            ('_Pragma("omp parallel for")', "no '#pragma omp' begins at this line: it is in a macro, or the file has changed"),
            ('[[omp::directive(parallel for)]]', "no '#pragma omp' begins at this line"),
            ('', "no '#pragma omp' begins at this line"),
            ('#pragma omp parallel', 'the file has another directive at this line now'),
            ('#pragma omp for schedule(static', 'its clause is not understood')):
        text, said = changed(place, f'first\n{text}\nlast\n')
        check_in(f'The loop at loop.c:2 keeps its text: {why}', said)
        check_in("that a patch can make: 'out.diff' is not written.", said)
    prepare(place)
    said = tune(place, '--patch=out.diff', schedules='POMP_LOOP_SCHEDULES=absent.c:2=dynamic;loop.c:2=dynamic').stdout
    check_in('The loop at absent.c:2 keeps its text: its file is not found from here.', said)
    check_in('+#pragma omp parallel for schedule(dynamic)\n', place.read('out.diff'))


def test_the_patch_applies(place):
    need('git')
    os.mkdir(place.path('lib'))
    prepare(place, name='lib/loop.c')
    shutil.copy(place.path('lib/loop.c'), place.path('other.c'))
    line = f'{place.path("lib/loop.c")}:2=dynamic;other.c:2=auto;other.c:2=static;lib/../other.c:2=guided'
    place.run('git', 'init', '-q')
    said = tune(place, '--patch=out.diff', schedules=f'POMP_LOOP_SCHEDULES={line}').stdout
    check_in("2 clauses of the program's text as a patch", said)
    check_in('The loop at lib/../other.c:2 keeps its text: two changes of this place exclude each other', said)
    check_in('--- a/lib/loop.c\n+++ b/lib/loop.c\n@@ -1,4 +1,4 @@\n', place.read('out.diff'))
    place.run('git', 'apply', 'out.diff')
    check_in('parallel for schedule(dynamic)\n', place.read('lib/loop.c'))
    check_in('parallel for schedule(static)\n', place.read('other.c'))


def test_threads_of_regions_are_clauses(place):
    text = '#pragma omp parallel for\n#pragma omp parallel num_threads(N) if (x)\n#pragma omp for\n'
    prepare(place, text, fake=FAKE.replace('POMP_LOOP_SCHEDULES', 'POMP_REGION_THREADS'))
    setting = 'POMP_REGION_THREADS=' + ';'.join(f'loop.c:{line}=2' for line in (1, 2, 3))
    said = tune(place, '--patch=out.diff', schedules=f'POMP_LOOP_SCHEDULES=loop.c:1=guided {setting}').stdout
    check_in("3 clauses of the program's text as a patch", said)
    check_in('The region at loop.c:3 keeps its text: the file has another directive at this line now', said)
    check_in('+#pragma omp parallel for schedule(guided) num_threads(2)\n+#pragma omp parallel num_threads(2) if (x)\n',
             place.read('out.diff'))
    said = tune(place, '--patch=none.diff', schedules='POMP_REGION_THREADS=a.c:1=2 POMP_TASK_GRAINS=loop.c:1=*4').stdout
    check_in('The region at a.c:1 keeps its text: its file is not found from here.\n', said)
    check_in("The task at loop.c:1 keeps its text: the file has another directive at this line now.\nNo clause is", said)
    place.write('build.sh', BUILD.replace('dynamic,4', 'num_threads(2)'))
    done = tune(place, '--build=sh build.sh', schedules='POMP_REGION_THREADS=loop.c:1=2')
    check_in('the patched program is 2.00 times better', done.stdout)
    check_not_in('with the other settings', done.stdout)


def test_files_are_found_from_the_programs_folder(place):
    os.makedirs(place.path('build'))
    prepare(place, name='src/loop.c')
    shutil.copy(place.path('fake'), place.path('build/fake'))
    said = tune(place, schedules='POMP_LOOP_SCHEDULES=../src/loop.c:2=dynamic', command='build/fake').stdout
    check_in("--patch=FILE writes 1 clause of the program's text as a patch.", said)


def test_nothing_to_write(place):
    prepare(place, fake='#!/bin/sh\necho "time: 5"\n')
    place.write('out.diff', 'mine')
    said = tune(place, '--patch=out.diff', '--build=exit 9', code=NOTHING).stdout
    check_in("'out.diff' is not written", said)
    check_not_in('--build', said)
    check_equal(place.read('out.diff'), 'mine')


def test_the_patched_program_is_measured(place):
    prepare(place)
    before = sorted(os.listdir(place.folder))
    done = tune(place, '--build=sh build.sh')
    check_in('Both built by the command of --build, the patched program is 2.00 times better than the unchanged one '
             '(2.00 to 2.00), ', done.stdout)
    check_not_in('with the other settings', done.stdout)
    check_equal(sorted(os.listdir(place.folder)), before)
    check_equal((place.read('fake'), place.read('loop.c')), (FAKE, LOOP))
    found = json.loads(tune(place, '--json', '--try=FAST=1', '--build=cat seen; sh build.sh; [ "$(cat seen)" = off ]').stdout)
    check_equal(found['best']['variables'], {'FAST': '1', 'POMP_LOOP_SCHEDULES': 'loop.c:2=dynamic,4'})
    patch = found['patch']
    check_in('+#pragma omp parallel for schedule(dynamic,4)\n', patch['text'])
    check_equal([patch[name] for name in ('changes', 'left_out', 'not_measured', 'gain', 'verdict')], [1, [], None, 2.5, 'gain'])
    patched = found['settings'][-1]
    check_equal([patched[name] for name in ('setting', 'against', 'variables')], ['patched program', 'unchanged', {'FAST': '1'}])
    check_in(', with the other settings.', tune(place, '--try=FAST=1', '--build=sh build.sh').stdout)


def test_a_patched_program_without_a_gain(place):
    prepare(place)
    place.write('build.sh', BUILD.replace('- 50', '+ 1'))
    said = tune(place, '--build=sh build.sh').stdout
    check_in('the patched program has no sure gain over the unchanged one: ', said)
    place.write('build.sh', BUILD.replace('printf', 'grep -q dynamic loop.c && n="5\\necho other"\nprintf').replace('%d', '%b'))
    said = tune(place, '--build=sh build.sh', '--patch=out.diff').stdout
    check_in('no sure gain over the unchanged one: cannot be used.', said)
    check_in('patched program: the program prints other output: there are more lines.', said)
    check_in("'out.diff' is not written.", said)
    check_equal(place.exists('out.diff'), False)


def test_builds_that_fail(place):
    prepare(place)
    outside = place.write('elsewhere/fake', FAKE, 0o755)
    for command, program, said in (
            ('echo one; echo no rule >&2; exit 2', './fake', 'the command of --build, without the patch, failed: no rule.'),
            ('! grep dynamic loop.c', './fake', "the command of --build makes no 'fake'."),
            ('! grep dynamic loop.c && sh build.sh', './fake',
             'the command of --build, with the patch, failed: #pragma omp parallel for schedule(dynamic,4).'),
            ('true', '../elsewhere/fake', "'../elsewhere/fake' is not in the current folder, which is copied."),
            ('true', outside, f"'{outside}' is not in the current folder, which is copied.")):
        os.makedirs(place.path('here'), exist_ok=True)
        for name in 'fake', 'loop.c', 'build.sh':
            shutil.copy(place.path(name), place.path(f'here/{name}'))
        done = tune(place, f'--build={command}', command=program, cwd='here')
        check_in(f'The patched program was not measured: {said}', done.stdout)
    prepare(place)
    shutil.move(place.path('loop.c'), place.path('elsewhere/loop.c'))
    real = os.path.realpath(place.path('elsewhere/loop.c'))
    done = tune(place, '--build=true; cp ../here/fake . || cp fake2 fake', cwd='here', command='./fake',
                schedules='POMP_LOOP_SCHEDULES=../elsewhere/loop.c:2=dynamic')
    check_in('not measured: ', done.stdout)
    place.write('here/fake2', FAKE, 0o755)
    done = tune(place, '--build=cp fake2 fake', cwd='here', schedules='POMP_LOOP_SCHEDULES=../elsewhere/loop.c:2=dynamic')
    check_in(f"not measured: '{real}' is not in the current folder, which is copied.", done.stdout)


def test_when_nothing_more_is_measured(place):
    prepare(place, fake=FAKE + 'echo kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns,threads >> "$POMP_SUMMARY"\n'
            'echo region,for,,a,1,,,$n,,1,x >> "$POMP_SUMMARY"\n')
    said = tune(place, '--metric=region=a:1', '--build=sh build.sh', '--ignore=time').stdout
    check_in('not measured: built without ompinst, it does not measure its regions.', said)
    prepare(place)
    done = tune(place, '--try=FAST=1', '--budget=35', '--build=sh build.sh')
    check_in('The patched program was not measured: the budget is used up.', done.stdout)


def test_a_build_is_interrupted(place):
    prepare(place)
    place.write('pids', '')
    child = subprocess.Popen(['ompinst', 'tune', *WORDS, f'--try={LINE}', f'--build=echo $$ >> {place.path("pids")}; exec sleep 1000',
                              './fake'], cwd=place.folder, env=place.environment, text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert wait_for(lambda: place.read('pids')), 'no build has begun'
    child.send_signal(signal.SIGINT)
    said = child.communicate()[0]
    check_in('The patched program was not measured: it was interrupted.', said)
    check_in('gain', said)
    check_all_gone(place, [int(place.read('pids'))])


PROGRAM = r'''#include <omp.h>
#include <stdio.h>
int main(void)
{
	int second = 0;
	omp_set_dynamic(0);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 16; i++)
		if (i == 1)
			second = omp_get_thread_num();
	printf("time: %d\n", 10 - second);
	return 0;
}
'''


def test_a_real_program(place):
    need('gcc')
    place.write('loop.c', PROGRAM)
    build = 'ompinst --tunable-loops gcc -O1 -fopenmp loop.c -o fake'
    place.run('sh', '-c', build)
    done = tune(place, '--patch=out.diff', f'--build={build}; ! grep -q ompinst fake',
                schedules='POMP_LOOP_SCHEDULES=loop.c:7=static,1')
    check_in('the patched program is 1.11 times better', done.stdout)
    check_in('+#pragma omp parallel for num_threads(2) schedule(static,1)\n', place.read('out.diff'))


if __name__ == '__main__':
    bench.main(globals())
