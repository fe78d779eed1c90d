#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst race`: what it compiles with, how it runs a program, what it makes of the logs, and what it
says of programs in which no races can be found.

Logs that a program cannot be made to leave at will come from a small library of this file's in the place
of the preloaded one.
"""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_all_gone, check_equal, check_in, check_not_in, is_running, need, skip, wait_for  # noqa: E402

BUILD = os.path.join(bench.BIN, '..')

RACY = r'''#include <stdio.h>
int sum, x[101];
int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		sum += i;
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		x[i + 1] = x[i] + 1;
	puts("done");
	return 0;
}
'''
SOUND = RACY.replace('parallel for\n', 'parallel for reduction(+ : sum)\n', 1).replace('x[i + 1]', 'x[i]')
SUM = 7     # the lines of RACY
STENCIL = 10


def run_race(place, *words, code, **rest):
    done = place.run('ompinst', 'race', 'run', *words, code=code, **rest)
    if 'FATAL: ThreadSanitizer' in done.stderr:
        skip('ThreadSanitizer does not run here')
    return done


def build(place, text=RACY, name='prog', compiler='gcc', flags=('-fopenmp',), source='prog.c'):
    if bench.is_emulated():
        skip('needs ThreadSanitizer, which does not run in an emulator')
    need(compiler)
    place.write(source, text)
    place.run('ompinst', 'race', compiler, *flags, source, '-o', name)
    return './' + name


def flags_of(place, *words):
    """What the compiler is given by `ompinst race`: a compiler of this name prints its words."""
    place.write('bin/gcc', '#!/bin/sh\nfor word; do case $word in -dM | --help=*) exec /usr/bin/gcc "$@" ;; esac; done\n'
                'printf "%s\\n" "$@"\n', 0o755)
    return place.run('ompinst', 'race', place.path('bin/gcc'), *words).stdout.split('\n')[:-1]


def test_a_race_is_found_in_its_lines(place):
    done = run_race(place, build(place), code=1)
    check_equal(done.stdout, 'done\n')
    check_in(f'prog.c:{SUM}', done.stderr)
    check_in(f'prog.c:{STENCIL}', done.stderr)
    check_in('2 races', done.stderr)
    check_in('x[', done.stderr)
    for ours in ('libgomp', 'libtsan', 'libompinst'):
        check_not_in(ours, done.stderr)


def test_a_sound_program_is_silent(place):
    done = run_race(place, build(place, SOUND), code=0)
    check_in('no races', done.stderr)
    check_equal(done.stdout, 'done\n')


def test_optimized_code_keeps_its_accesses(place):
    program = build(place, flags=('-fopenmp', '-O3', '-march=native'))
    done = run_race(place, program, code=1)
    check_in(f'prog.c:{SUM}', done.stderr)


def test_an_update_that_was_moved_out_of_the_loop_is_still_one(place):
    program = build(place, flags=('-fopenmp', '-O2'))
    said = run_race(place, program, code=1).stderr
    check_in(f"reduction(+: sum) on 'parallel for' at prog.c:{SUM - 2}", said)
    check_not_in('private(sum)', said)


def test_a_configure_script(place):
    need('autoconf', 'make')
    place.write('configure.ac', 'AC_INIT([tiny], [1])\nAC_PROG_CC\nAC_OPENMP\nAC_CHECK_HEADERS([omp.h])\n'
                'AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n')
    place.write('Makefile.in', 'prog: prog.c\n\t@CC@ @CFLAGS@ @OPENMP_CFLAGS@ -o prog prog.c\n')
    build(place)
    os.remove(place.path('prog'))
    place.run('autoconf')
    said = place.run('./configure', 'CC=ompinst race gcc')
    check_in('option to support OpenMP... -fopenmp', said.stdout)
    check_in('omp.h... yes', said.stdout)
    check_equal(said.stderr, '')
    place.run('make')
    check_in(f'prog.c:{SUM}', run_race(place, './prog', code=1).stderr)


def test_a_plain_binary_is_run_on_the_bundled_runtime(place):
    need('gcc')
    place.write('prog.c', SOUND)
    place.run('gcc', '-fopenmp', '-g', '-fsanitize=thread', 'prog.c', '-o', 'prog')
    if bench.is_emulated():
        skip('needs ThreadSanitizer')
    run_race(place, './prog', code=0)


def test_every_language_is_compiled(place):
    need('g++', 'gfortran')
    build(place, RACY, 'cxx', 'g++', source='prog.cc')
    run_race(place, './cxx', code=1)
    build(place, 'program p\n integer :: s = 0, i\n!$omp parallel do\n do i = 1, 100\n  s = s + i\n end do\n'
          ' print *, "done"\nend program\n', 'fortran', 'gfortran', source='prog.f90')
    done = run_race(place, './fortran', code=1)
    check_in('prog.f90:5', done.stderr)


def test_steps_compile_and_link(place):
    place.write('one.c', RACY.replace('main', 'work'))
    place.write('two.c', 'int work(void);\nint main(void) { return work(); }\n')
    if bench.is_emulated():
        skip('needs ThreadSanitizer')
    for name in ('one', 'two'):
        place.run('ompinst', 'race', 'gcc', '-fopenmp', '-c', name + '.c')
    place.run('ompinst', 'race', 'gcc', '-fopenmp', 'one.o', 'two.o', '-o', 'prog')
    check_in('runtime', place.libraries('prog')['libgomp.so.1'])
    check_in(f'one.c:{SUM}', run_race(place, './prog', code=1).stderr)


def test_flags_stand_behind_the_users_own(place):
    words = flags_of(place, '-O3', '-fopenmp', '-c', 'x.c')
    check_equal(words[:4], ['-O3', '-fopenmp', '-c', 'x.c'])
    for word in ('-fsanitize=thread', '-g', '-fno-tree-fre', '-fno-tree-dce', '-fno-builtin-memcpy'):
        assert words.index(word) > 3, words
    check_equal([word for word in words if word.startswith('-O')], ['-O3'])
    check_in('-fno-tree-dse', flags_of(place, '-Og', '-c', 'x.c'))
    # A function can be optimized by its own attribute.
    for unoptimized in (('-c', 'x.c'), ('-O2', '-O0', '-c', 'x.c')):
        check_in('-fno-tree-fre', flags_of(place, *unoptimized))
    check_not_in('-fno-builtin-memcpy', flags_of(place, '-O2', '-c', 'x.f90'))
    check_not_in('-g', flags_of(place, '-fopenmp', 'x.o'))
    check_in('-fsanitize=thread', flags_of(place, '-fopenmp', 'x.o'))
    check_equal(flags_of(place, '-E', 'x.c'), ['-E', 'x.c'])
    check_equal(flags_of(place, '--version'), ['--version'])


def test_cxx_is_optimized_a_little(place):
    for words, level in (((), ['-O1']), (('-O2', '-O0'), ['-O2', '-O0', '-O1']), (('-O0', '-Os'), ['-O0', '-Os'])):
        given = flags_of(place, *words, '-c', 'x.cc')
        check_equal([word for word in given if word.startswith('-O')], level)
        check_not_in('-Wno-error', given)
    check_not_in('-O1', flags_of(place, '-c', 'x.c'))
    # The compiler then warns of more.
    warns = 'int f(int given) { int value; if (given) value = 1; return value; }\n'
    build(place, warns + 'int main() { return f(1) - 1; }\n', compiler='g++', flags=('-fopenmp', '-Wall', '-Werror'), source='x.cc')
    check_in("-Wno-error", flags_of(place, '-Werror', '-c', 'x.cc'))
    check_not_in('-Wno-error', flags_of(place, '-Werror', '-O2', '-c', 'x.cc'))


CLONES = '''#include <stdio.h>
#pragma omp declare simd
__attribute__((noinline)) static int twice(int value)
{
	return 2 * value;
}
int main(void)
{
	int sum = 0;
#pragma omp simd reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += twice(i);
	printf("%d\\n", sum);
}
'''


def test_declare_simd_has_no_clones(place):
    run_race(place, build(place, CLONES, flags=('-fopenmp', '-O3')), code=0)
    place.write('x.f90', 'subroutine x\n!$omp Declare SIMD\nend\n')
    place.write('plain.c', 'int declared, simd;\n')
    for name, wanted in (('prog.c', True), ('x.f90', True), ('plain.c', False), ('missing.c', False)):
        check_equal('-fdisable-ipa-simdclone' in flags_of(place, '-O3', '-c', name), wanted)
    place.write('bin/gcc', '#!/bin/sh\nfor word; do [ "$word" = -E ] && exit 1; done\nprintf "%s\\n" "$@"\n', 0o755)
    check_not_in('simdclone', place.run('ompinst', 'race', place.path('bin/gcc'), '-c', 'x.f90').stdout)


def test_clang_does_not_optimize(place):
    place.write('bin/clang', '#!/bin/sh\nprintf "%s\\n" "$@"\n', 0o755)
    words = place.run('ompinst', 'race', place.path('bin/clang'), '-O3', '-c', 'x.c').stdout.split('\n')
    check_equal([word for word in words if word.startswith('-O')], ['-O3', '-O0'])
    check_not_in('-fno-tree-fre', words)


def test_a_compiler_gets_only_switches_that_it_knows(place):
    need('gcc')
    place.write('x.c', 'int x;\n')
    for new in ('ipa-reference-addressable', 'code-hoisting', 'ipa-icf'):
        place.write('bin/gcc', f'''#!/bin/sh
for word; do
    case $word in
    --help=*) /usr/bin/gcc "$@" | grep -v -- "-f{new} "; exit ;;
    -fno-{new}) echo "gcc: error: unrecognized command line option '$word'" >&2; exit 1 ;;
    esac
done
printf "%s\\n" "$@" > words
exec /usr/bin/gcc "$@"
''', 0o755)
        place.run('ompinst', 'race', place.path('bin/gcc'), '-O2', '-c', 'x.c')
        words = place.read('words').split('\n')
        check_not_in('-fno-' + new, words)
        check_in('-fno-tree-fre', words)
    # One that prints no list is run without switches.
    place.write('bin/gcc', '#!/bin/sh\nfor word; do case $word in --help=*) exit 1 ;; esac; done\nprintf "%s\\n" "$@"\n', 0o755)
    said = place.run('ompinst', 'race', place.path('bin/gcc'), '-O2', '-c', 'x.c').stdout
    check_not_in('-fno-tree', said)
    check_in('-fsanitize=thread', said)


LANES = '''#ifdef __SANITIZE_THREAD__
int x[101], sum;
#endif
void lanes(void)
{
#pragma omp simd
	for (int i = 0; i < 100; i++)
		x[i + 1] = x[i] + 1;
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		sum += i;
	int first = 1;
#pragma omp parallel private(first)
	first++;
}
'''


def test_races_in_the_text_are_warnings(place):
    need('gcc')
    place.write('lanes.c', LANES)
    place.write('lanes.cc', LANES)

    def compile_it(*words, code=0, file='lanes.c', **rest):
        return place.run('ompinst', 'race', 'gcc', *words, '-c', file, code=code, **rest).stderr
    said = compile_it('-fopenmp')
    check_in('lanes.c:8:3: warning: x[i+1] of one iteration is x[i] of the next one [-Wopenmp-simd-dependence]\n', said)
    check_in('lanes.c:11:3: warning: ', said)
    check_in('[-Wopenmp-reduction]', said)
    check_not_in('private', said)       # wrong, but no race
    assert place.exists('lanes.o')
    check_in('lanes.cc:8:3: warning: ', compile_it('-fopenmp', '-Werror', file='lanes.cc'))
    said = compile_it('-fopenmp', '-Wno-openmp-simd-dependence', '-Wopenmp-firstprivate')
    check_not_in('simd', said)
    check_in('[-Wopenmp-reduction]', said)
    check_in('[-Wopenmp-firstprivate]', said)
    for words in (('-fopenmp', '-Wno-openmp'), ()):
        check_equal(compile_it(*words), '')
    check_not_in('-Wno-openmp-simd-dependence', flags_of(place, '-Wno-openmp-simd-dependence', '-c', 'lanes.c'))


def test_warnings_never_fail_a_build(place):
    need('gcc')
    place.write('bad.c', '#include "missing.h"\n' + LANES)
    said = place.run('ompinst', 'race', 'gcc', '-fopenmp', '-c', 'bad.c', code=1).stderr
    check_equal(said.count('missing.h: No such file'), 1)
    check_not_in('ompinst', said)
    # A test of the compiler by configure, which reads what is printed.
    place.write('conftest.c', LANES)
    check_equal(place.run('ompinst', 'race', 'gcc', '-fopenmp', '-c', 'conftest.c').stderr, '')


def test_flags_that_cannot_be(place):
    place.write('x.c', 'int x;\n')
    for flag in ('-fsanitize=address', '-static', '-m32'):
        done = place.run('ompinst', 'race', 'gcc', flag, '-c', 'x.c', code=2)
        check_in(f"'{flag}' cannot be among the flags", done.stderr)
        assert not place.exists('x.o')
    place.run('ompinst', 'race', 'gcc', '-static-libgcc', '-c', 'x.c')


def test_mistakes_on_the_command_line(place):
    for words, said in (
            ((), 'expected a program to run'),
            (('--thread=3', 'x'), "'--threads'"),
            (('--threads=0', 'x'), 'between 1 and 4096'),
            (('--threads=2,x', 'x'), 'between 1 and 4096'),
            (('--runs=0', 'x'), 'between 1 and 1000'),
            (('--format=xml', 'x'), 'sarif'),
            (('./missing',), "cannot run './missing': No such file"),
            (('missing-program',), 'no such program in PATH')):
        check_in(said, place.run('ompinst', 'race', 'run', *words, code=2).stderr)
    check_in("expected a compiler's command, or 'run'", place.run('ompinst', 'race', code=2).stderr)
    check_in("unknown option '--runs=3' for 'ompinst race'",
             place.run('ompinst', 'race', '--runs=3', 'run', 'x', code=2).stderr)
    check_in("options of 'ompinst race' come behind 'race'", place.run('ompinst', '--strict', 'race', 'gcc', code=2).stderr)
    check_in('which is no program', place.run('ompinst', 'race', 'runn', 'x', code=2).stderr)
    place.write('data', 'x', 0o644)
    check_in('Permission denied', place.run('ompinst', 'race', 'run', './data', code=2).stderr)
    place.write('prog', '\x7fELF', 0o755)
    place.run('ompinst', 'race', 'run', './prog', code=2)


def test_programs_in_which_nothing_is_seen(place):
    place.write('prog.c', RACY)
    for flags, said in (
            (('-fopenmp',), 'was not built with -fsanitize=thread'),
            (('-fopenmp', '-static'), 'it is linked statically')):
        if place.run('gcc', *flags, 'prog.c', '-o', 'prog', code=None).returncode != 0:
            continue
        done = run_race(place, './prog', code=2)
        check_in(said, done.stderr)
        check_not_in('done', done.stdout)
    place.write('script', '#!/bin/sh\necho script\n', 0o755)
    done = run_race(place, './script', code=2)
    check_in("neither './script' nor a program that it started was built with -fsanitize=thread", done.stderr)
    check_equal(done.stdout, 'script\n')


def test_a_script_that_starts_the_program(place):
    build(place)
    place.write('script', '#!/bin/sh\n./prog\n', 0o755)
    check_in(f'prog.c:{SUM}', run_race(place, './script', code=1).stderr)


def test_without_debug_information(place):
    build(place)
    place.run('strip', 'prog')
    done = run_race(place, './prog', code=1)
    check_in('prog+0x', done.stderr)
    check_in('without debug information', done.stderr)


def test_input_is_there_for_each_run(place):
    text = RACY.replace('int main(void)\n{', '#include <stdlib.h>\nint main(void)\n{\n'
                        '\tint n = 0; if (scanf("%d", &n) != 1 || n != 42) return 3;')
    build(place, text)
    place.write('input', '42\n')
    with open(place.path('input')) as file:
        check_not_in('exit status', run_race(place, './prog', code=1, stdin=file).stderr)
    check_not_in('exit status', run_race(place, './prog', code=1, input='42\n').stderr)
    done = run_race(place, './prog', code=0, input='1\n')
    check_in('ended with exit status 3 in each run', done.stderr)


def test_the_programs_own_status(place):
    program = build(place, RACY.replace('return 0', 'return 5'))
    run_race(place, program, code=1)
    run_race(place, '--program-status', program, code=5)


def test_a_run_that_crashes(place):
    program = build(place, SOUND.replace('puts("done");', 'fflush(stdout); *(volatile int *)8 = 1;'))
    done = run_race(place, '--runs=2', program, code=0)
    check_in('signal 11', done.stderr)


def test_a_run_that_hangs(place):
    program = build(place, '#include <unistd.h>\n' + SOUND.replace('puts("done");', 'sleep(1000);'))
    begin = time.monotonic()
    done = run_race(place, '--runs=1', '--run-time=2', program, code=0)
    check_in('did not end within 2 s', done.stderr)
    done = run_race(place, '--time=1', program, code=0)
    check_in('the 1 s of --time are over', done.stderr)
    assert time.monotonic() - begin < 1000, 'a run that hangs was waited for'


def test_control_c_reports_what_is_known(place):
    program = build(place, '#include <unistd.h>\n' + RACY.replace('puts("done");', 'puts("done"); fflush(stdout); sleep(100);'))
    child = subprocess.Popen(['ompinst', 'race', 'run', program], cwd=place.folder, env=place.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check_equal(child.stdout.readline(), 'done\n')
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    check_equal(child.returncode, -signal.SIGINT)
    check_in(f'prog.c:{SUM + 1}', said)


# Two programs a run, one of them in a session of its own with its parent gone; each writes its number when it is there.
STAYS = """#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int sum;
int main(int count, char **words)
{
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		sum += i;
	if (count > 1)
		signal(SIGTERM, SIG_IGN);
	FILE *file = fopen("pids", "a");
	fprintf(file, "%d\\n", (int)getpid());
	fclose(file);
	for (;;)
		pause();
}
"""
BOTH_STAY = '#!/bin/sh\n(setsid ./prog deaf &)\n./prog\n'


def descendants_of(number):
    """The processes that came of it, which are its children now or children of these."""
    parents = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{name}/stat') as file:
                parents[int(name)] = int(file.read().rsplit(')', 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found = [number]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def both_programs(place):
    def numbers():
        return [int(line) for line in place.read('pids').split()] if place.exists('pids') else []
    assert wait_for(lambda: len(numbers()) == 2), 'the programs did not start'
    return numbers()


def start_both(place, *command, **rest):
    """ompinst with programs that never end, in a process group of its own; and their numbers."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the tests would inherit that it is ignored
    build(place, STAYS)
    place.write('both', BOTH_STAY, 0o755)
    place.write('pids', '')
    child = subprocess.Popen([*command, 'ompinst', 'race', 'run', './both'], cwd=place.folder, env=place.environment,
                             stderr=subprocess.DEVNULL,
                             **{'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, 'start_new_session': True, **rest})
    return child, both_programs(place)


def test_whatever_kills_it_no_program_is_left(place):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for kill in (os.kill, os.killpg):
            child, programs = start_both(place)
            kill(child.pid, number)
            check_equal(child.wait(), -number)
            check_all_gone(place, programs)


def test_a_limit_of_time_from_outside_leaves_no_program(place):
    """SIGALRM tells timeout(1) that the time is over, as its timer does: here as soon as the programs are there."""
    for words in (['-s', 'KILL', '1000'], ['1000'], ['--foreground', '-k', '1', '1000']):
        child, programs = start_both(place, 'timeout', *words)
        child.send_signal(signal.SIGALRM)
        child.wait()
        check_all_gone(place, programs)


def test_a_terminal_that_is_closed_leaves_no_program(place):
    master, slave = os.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    child, programs = start_both(place, stdin=slave, stdout=slave, start_new_session=False, preexec_fn=take_terminal)
    os.close(slave)
    os.close(master)
    check_equal(child.wait(), -signal.SIGHUP)
    check_all_gone(place, programs)


def test_the_second_process_is_killed(place):
    """The one that has started the programs, by which nothing can be reported any more."""
    child, programs = start_both(place)
    second = [number for number in descendants_of(child.pid) if number not in programs and
              os.readlink(f'/proc/{number}/exe').endswith('/ompinst')]
    check_equal(len(second), 1, 'processes of ompinst besides the first')
    os.kill(second[0], signal.SIGKILL)
    check_equal(child.wait(), 2)
    for number in programs:
        assert wait_for(lambda: not is_running(number)), 'a program was left behind'


def test_both_processes_are_killed(place):
    """The program that was started ends with them; what it has started in turn cannot be known by anyone."""
    child, programs = start_both(place)
    shell = [number for number in descendants_of(child.pid) if os.readlink(f'/proc/{number}/exe').endswith('sh')]
    own = [number for number in descendants_of(child.pid) if os.readlink(f'/proc/{number}/exe').endswith('/ompinst')]
    for number in [child.pid, *own]:
        os.kill(number, signal.SIGSTOP)
    for number in [child.pid, *own]:
        os.kill(number, signal.SIGKILL)
    child.wait()
    ended = wait_for(lambda: not any(map(is_running, shell)))
    for number in programs:
        if is_running(number):
            os.kill(number, signal.SIGKILL)
    assert ended, 'the program was left behind'
    shutil.rmtree(place.temporary)
    os.mkdir(place.temporary)


def test_the_terminal_is_the_first_runs(place):
    """It reads what is typed, and Control-C ends it and is reported."""
    program = build(place, RACY.replace('puts("done")', 'char word[9]; if (scanf("%8s", word) == 1) puts(word);'
                                        ' fflush(stdout); for (;;) if (getchar() == EOF) break'))
    master, slave = os.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    child = subprocess.Popen(['ompinst', 'race', 'run', '--runs=2', program], cwd=place.folder, env=place.environment,
                             stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=take_terminal)
    os.write(master, b'typed\n')
    check_equal(child.stdout.readline(), 'typed\n')
    os.write(master, b'\x03')
    said = child.communicate()[1]
    check_equal(child.returncode, -signal.SIGINT)
    check_in(f'prog.c:{SUM}', said)
    os.close(slave)
    os.close(master)


def test_runs_and_numbers_of_threads(place):
    text = SOUND.replace('puts("done")', 'fprintf(stderr, "%s %s\\n", getenv("OMP_NUM_THREADS"), getenv("OMPINST_RACE"))')
    program = build(place, '#include <stdlib.h>\n' + text.replace('return 0', 'FILE *f = fopen("seen", "a"); '
                    'fprintf(f, "%s %s\\n", getenv("OMP_NUM_THREADS"), getenv("OMPINST_RACE")); return 0'))
    run_race(place, '--runs=4', '--threads=7,6', program, code=0, env={'OMP_NUM_THREADS': '3,2'})
    lines = place.read('seen').splitlines()
    check_equal([line.split()[0] for line in lines], ['7,2', '6,2', '7,2', '6,2'])
    check_in('seed=0,strands=1,chunk=0,asks=1,log=/', lines[0])
    check_in('strands=0,chunk=1,', lines[1])
    check_equal(len(set(re.findall('seed=[0-9]+', '\n'.join(lines)))), 4)


def test_the_table_of_runs(place):
    program = build(place, '#include <stdlib.h>\n' + SOUND.replace('puts("done")', 'FILE *f = fopen("seen", "a"); '
                    'fprintf(f, "%s %s\\n", getenv("OMP_NUM_THREADS"), getenv("OMP_SCHEDULE"))'))
    run_race(place, program, code=0, env={'OMP_SCHEDULE': 'static,7'})
    check_equal(place.read('seen').splitlines(), [
        '8 static,7', '3 dynamic,3', '2 dynamic,1', '5 guided', '8 static,7', '16 static,7', '3 static,1', '8 static'])


def test_threads_that_wait_sleep(place):
    program = build(place, '#include <stdlib.h>\n' + SOUND.replace('puts("done")', 'puts(getenv("OMP_WAIT_POLICY"))'))
    check_equal(run_race(place, '--runs=1', program, code=0).stdout, 'passive\n')
    check_equal(run_race(place, '--runs=1', program, code=0, env={'OMP_WAIT_POLICY': 'active'}).stdout, 'active\n')


def test_cancellation_is_on_in_one_run(place):
    program = build(place, '''#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int late;
int main(void)
{
#pragma omp parallel
	if (omp_get_cancellation())
		late = 1;
	FILE *f = fopen("seen", "a");
	const char *value = getenv("OMP_CANCELLATION");
	fprintf(f, "%s\\n", value != NULL ? value : "-");
	return 0;
}
''')

    def seen(*options, code, **rest):
        place.write('seen', '')
        said = run_race(place, *options, program, code=code, **rest).stderr
        return said, ' '.join(place.read('seen').split())
    said, values = seen('--format=json', '--output=r.json', code=1)
    check_equal(values, '- - - true - - - -')
    document = json.loads(place.read('r.json'))
    check_equal([run['cancellation'] for run in document['runs']], [False] * 3 + [True] + [False] * 4)
    check_equal(document['races'][0]['places'][0]['line'], 9)
    check_equal(seen(code=0, env={'OMP_CANCELLATION': 'false'})[1], ' '.join(['false'] * 8))
    check_equal(seen('--results', code=0)[1], ' '.join(['-'] * 11))


def test_stops_at_the_first(place):
    done = run_race(place, '--stop-at-first', build(place), code=1)
    check_in('1 run with 8 threads', done.stderr)


def test_output_goes_to_a_file(place):
    program = build(place)
    done = run_race(place, '--output=report', program, code=1)
    check_not_in('prog.c', done.stderr)
    check_in(f'prog.c:{SUM}', place.read('report'))
    done = run_race(place, '--output=no/folder', program, code=2)
    check_in("cannot write the report to 'no/folder': No such file", done.stderr)


WORDS = r'''#include <stdio.h>
#include <string.h>
int hist[10], a[100], m, flag, data;
static void count_one(int i) { hist[i % 10]++; }
int main(void)
{
	int tmp, local = 0;
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		count_one(i);
#pragma omp parallel for
	for (int i = 0; i < 100; i++) {
		tmp = 100 % (i + 1);
		a[i] = tmp;
		if (a[i] > m) m = a[i];
	}
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < 100; i++)
			a[i] = i;
#pragma omp for
		for (int i = 0; i < 100; i++)
			local += a[99 - i];
#pragma omp master
		data = 7;
		flag = data;
	}
#pragma omp parallel
	{
#pragma omp critical (a)
		local++;
#pragma omp critical (b)
		local--;
#pragma omp atomic
		flag++;
		data = flag;
	}
	return tmp == local;
}
'''


def check_words(place, program, *expected, options=(), code=1):
    """Each of the expected is a rule with parts of its title, sharing and remedies, in one finding."""
    run_race(place, '--format=json', '--output=report', *options, program, code=code)
    report = json.loads(place.read('report'))
    for rule, *parts in expected:
        fitting = [race for race in report['races'] if race['rule'] == rule and
                   all(part in '\n'.join([race['title'], race['shared'] or '', race['memory'] or '', *race['remedies']])
                       for part in parts)]
        assert fitting, f'{rule} {parts}: not among\n{json.dumps(report["races"], indent=1)}'
    return report


def test_races_are_said_in_the_words_of_openmp(place):
    build(place, WORDS)
    check_words(
        place, './prog',
        ('loop-iterations', 'read and write hist[i % 10] at prog.c:4', 'loop at prog.c:8',
         "'#pragma omp atomic' in front of line 4"),
        ('loop-iterations', 'write tmp at prog.c:13', "tmp is shared by default here: no clause of 'parallel for' at prog.c:11",
         "private(tmp) on 'parallel for' at prog.c:11"),
        ('loop-iterations', 'm at prog.c:15', 'reduction(max: m)'),
        ('missing-barrier', 'write a[i] at prog.c:21', 'read as a[99 - i] at prog.c:24', "'for' at prog.c:19 without nowait"),
        ('missing-barrier', "a thread in 'master' at prog.c:25 writes data", "'#pragma omp barrier' behind 'master' at prog.c:25"),
        ('different-critical', 'prog.c:32', 'prog.c:34', 'local', 'same name'),
        ('atomic-and-plain', 'prog.c:37', "'#pragma omp atomic read' in front of line 37"),
        ('loop-iterations', 'local at prog.c:24', "reduction(+: local) on 'for' at prog.c:22"))


CALLED = r'''#include <stdlib.h>
int uses, frees, most, last, hist[10];
struct best { double x; int i; };
static void *get(int size) { uses += size; return malloc(size); }
static void put(void *block, int size) { uses -= size; frees++; free(block); }
static void note(int i)
{
	if (i > most) most = i;
	last = i;
	hist[i % 10]++;
}
static void keep(struct best *best, double x, int i)
{
	if (x > best->x) {
		best->x = x;
		best->i = i;
	}
}
int main(void)
{
	struct best best = {0};
#pragma omp parallel for
	for (int i = 0; i < 400; i++) {
		put(get(i + 1), i + 1);
		note(i);
		keep(&best, i * 7 % 100, i);
	}
	return uses + frees + most + last + best.i == 0;
}
'''


def test_clauses_do_not_reach_functions_that_the_construct_calls(place):
    build(place, CALLED)
    report = check_words(
        place, './prog',
        ('loop-iterations', 'uses at prog.c:4', "'#pragma omp atomic' in front of lines 4 and 5"),
        ('loop-iterations', 'frees at prog.c:5', 'frees has static storage', "'#pragma omp atomic' in front of line 5"),
        ('loop-iterations', 'most at prog.c:8', "'#pragma omp critical' around"),
        ('loop-iterations', 'write last at prog.c:9', 'threadprivate(last), or a local variable in its place'),
        ('loop-iterations', 'hist[i % 10] at prog.c:10', "'#pragma omp atomic' in front of line 10"),
        ('loop-iterations', 'best->x', "'#pragma omp critical' around"))
    for race in report['races']:
        said = ' '.join([race['shared'] or '', *race['remedies']])
        for wrong in ('reduction(', 'private(uses', 'no clause of'):
            check_not_in(wrong, said)


def test_one_line_that_reads_another_element(place):
    build(place)
    check_words(place, './prog',
                ('loop-iterations', 'write x[i + 1] at prog.c:10 that others read as x[i]', 'two loops', 'ordered(1)'),
                ('loop-iterations', 'read and write sum at prog.c:7', "reduction(+: sum) on 'parallel for' at prog.c:5"))


ONE_LINE = r'''int g, other; struct { int a, b; } s;
int main(void)
{
	int tmp, sum = 0, cell[2] = {0};
#pragma omp parallel for
	for (int i = 0; i < 1000; i++) {
		tmp = i; sum += tmp; /* g += 1 */
		g = i; other += g; // sum += 1
		s.a++; s.b = s.a;
		cell[0] += i; cell[1] = "cell[0] += 1"[i % 9];
	}
	return tmp + sum + cell[0] == 7;
}
'''


def test_two_variables_of_one_line_are_two_races(place):
    for flag in ('-O0', '-O2'):
        build(place, ONE_LINE, flags=('-fopenmp', flag))
        report = check_words(
            place, './prog',
            ('loop-iterations', 'sum at prog.c:7', "reduction(+: sum) on 'parallel for' at prog.c:5"),
            ('loop-iterations', 'g at prog.c:8', "private(g) on 'parallel for' at prog.c:5"),
            ('loop-iterations', 'other at prog.c:8', "reduction(+: other) on 'parallel for' at prog.c:5"),
            ('loop-iterations', 's.a at prog.c:9', "'#pragma omp atomic' in front of line 9"),
            ('loop-iterations', 'write s.b at prog.c:9', 'a place of its own'),
            ('loop-iterations', 'cell[0] at prog.c:10', "'#pragma omp atomic' in front of line 10"),
            ('loop-iterations', 'write cell[1] at prog.c:10', 'a place of its own'))
        said = json.dumps(report)
        for wrong in ('reduction(+: tmp)', 'reduction(+: g)', 'that others read as'):
            check_not_in(wrong, said)
        check_equal(len(report['races']), 8, 'races')
        run_race(place, '--format=sarif', '--output=report', './prog', code=1)
        results = json.loads(place.read('report'))['runs'][0]['results']
        check_equal(len({result['partialFingerprints']['race/v2'] for result in results}), 8, 'fingerprints')


AGREED = r'''#include <stdio.h>
int main(void)
{
	int a[1000], tmp = 0, sum = 0, last = 0, hits = 0;
	for (int i = 0; i < 1000; i++)
		a[i] = i % 7;
#pragma omp parallel for
	for (int i = 0; i < 1000; i++) {
		tmp = a[i] * 2;
		sum += tmp;
		last = tmp;
		if (i % 3 == 0)
			hits++;
	}
	printf("%d %d %d\n", sum, last, hits);
	return 0;
}
'''
AGREED_CLAUSES = 'private(tmp)', 'reduction(+: sum)', 'lastprivate(last)', 'reduction(+: hits)'


def test_remedies_are_those_of_lint(place):
    build(place, AGREED)
    report = check_words(place, './prog', *(('loop-iterations', f"{clause} on 'parallel for' at prog.c:7") for clause in AGREED_CLAUSES))
    check_not_in(' private(last)', json.dumps(report).replace('"', ' '))
    said = place.run('ompinst', 'lint', 'prog.c', code=1).stdout
    for clause in AGREED_CLAUSES[:3]:       # of hits, only the run shows that several threads write it
        check_in(f'add {clause} to this directive', said)


def test_fixes(place):
    program = build(place, AGREED)
    command = '--cc=gcc -fopenmp prog.c -o prog'
    done = run_race(place, '--fix', '--verify', '--quiet', command, program, code=1)
    number = re.search(r'(\d+) races (?:at|in)', done.stderr)[1]
    check_in(f'changes for {number} of {number} races, verified', done.stderr)
    found = [' '.join(sorted(re.findall(r'\w+\([^)]*\)', text))) for text in done.stderr.splitlines() if text.startswith('+#pragma')]
    check_equal(found, [' '.join(sorted(AGREED_CLAUSES))], 'clauses')
    check_equal(place.read('prog.c'), AGREED)
    run_race(place, '--fix', '--format=json', '--output=report', program, code=1)
    edits = [race['fix'] for race in json.loads(place.read('report'))['races']]
    assert all(len(edit) == 1 and edit[0]['line'] == 7 and edit[0]['column'] == 25 for edit in edits), edits
    run_race(place, '--fix', '--format=sarif', '--output=report', program, code=1)
    for result in json.loads(place.read('report'))['runs'][0]['results']:
        replacement = result['fixes'][0]['artifactChanges'][0]['replacements'][0]
        check_equal(replacement['deletedRegion'], {'startLine': 7, 'startColumn': 25, 'endLine': 7, 'endColumn': 25}, 'region')
    run_race(place, '--apply', '--verify', '--quiet', command, program, code=0)
    place.run('ompinst', 'race', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    run_race(place, program, code=0)


def test_a_waiting_loop_has_the_remedy_of_lint(place):
    """Not `private` or a barrier, with which the loop would not end."""
    program = build(place, r'''#include <omp.h>
int main(void)
{
	int ready = 0;
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		ready = 1;
	} else {
		while (!ready)
			;
	}
	return !ready;
}
''')
    said = run_race(place, '--fix', '--quiet', program, code=1).stderr
    check_in('fix: read ready into a private variable by atomic read in the loop, and write it by atomic write', said)
    check_in('+#pragma omp atomic write release', said)
    check_not_in('   or:', said)


def test_changes_at_one_place_are_not_offered(place):
    """A barrier before a statement for one variable, and an atomic for another."""
    program = build(place, r'''#include <omp.h>
int main(void)
{
	int step = 0, sum = 0;
#pragma omp parallel num_threads(4)
	{
#pragma omp atomic write
		sum = 1;
		if (omp_get_thread_num() == 0)
			step = 2;
		sum += step;
	}
	return sum == 0;
}
''')
    said = run_race(place, '--fix', '--quiet', program, code=1).stderr
    check_in('prog.c:10 that others read at prog.c:11', said)
    check_in('changes for 0 of', said)
    check_not_in('+++', said)


def test_a_fix_with_other_results_is_not_offered(place):
    """An atomic counter makes the updates safe, but what a thread then reads is not what one thread reads."""
    text = r'''#include <stdio.h>
int main(void)
{
	int count = 0, odd = 0;
#pragma omp parallel
	{
		count += 2;
#pragma omp barrier
#pragma omp atomic
		odd++;
	}
	printf("%d %d\n", count, odd);
	return 0;
}
'''
    program = build(place, text)
    done = run_race(place, '--fix', '--verify', '--quiet', '--cc=gcc -fopenmp prog.c -o prog', program, code=1)
    check_in('note: no change is offered: the changed program has other results than the program with one thread', done.stderr)
    check_in('changes for 0 of 1 race', done.stderr)
    check_not_in('+++', done.stderr)
    done = run_race(place, '--fix', '--verify', '--quiet', '--cc=gcc -fopenmp prog.c -o prog -lnot_there', program, code=1)
    check_in('no change is offered: the changed program does not compile', done.stderr)
    check_in("--verify needs --cc='COMMAND'", run_race(place, '--verify', program, code=2).stderr)


FORTRAN = '''program p
  implicit none
  integer :: total, i, j, grid(100)
  total = 0
  grid = 0
!$omp parallel do default(shared) &
!$omp& private(j)
  do i = 1, 99
    do j = 1, 2
      total = total + j
    end do
    grid(i + 1) = grid(i) + 1
  enddo
!$omp parallel
!$omp do
  do i = 1, 100
    grid(i) = i
  end do
!$omp end do nowait
!$omp do
  do i = 1, 100
    call use_it(grid(101 - i))
  end do
!$omp end do
!$omp end parallel
  print *, total
contains
  subroutine use_it(n)
    integer, intent(in) :: n
    if (n < 0) stop 1
  end subroutine
end program
'''
COMMON = '''program p
  implicit none
  integer :: n, k(10), i
  real :: y
  common /blk/ n, y, k
  n = 0
!$omp parallel do
  do i = 1, 100
    n = i                    ! task = what
    k(mod(i, 3) + 1) = i
    y = 2
  end do
  print *, n
end program
'''


def test_variables_of_common_blocks_have_their_names(place):
    need('gfortran')
    build(place, COMMON, compiler='gfortran', source='prog.f90')
    report = check_words(
        place, './prog',
        ('loop-iterations', 'write n at prog.f90:9', 'n, a variable of the common block /blk/ declared at prog.f90:3',
         "private(n) on 'parallel do' at prog.f90:7"),
        ('loop-iterations', 'write k(mod(i, 3) + 1) at prog.f90:10', 'k, a variable of the common block'),
        ('loop-iterations', 'write y at prog.f90:11', "private(y) on 'parallel do' at prog.f90:7"))
    for race in report['races']:
        for wrong in ('blk_', 'task'):
            check_not_in(wrong, '\n'.join([race['title'], *race['remedies'], *(place['expression'] or '' for place in race['places'])]))


SIMD_INSIDE = '''program p
  implicit none
  integer :: i, j
  real :: a(64), b(64), t
  a = 0; b = 0
!$omp parallel do reduction(+ : a)
  do i = 1, 100
!$omp simd
    do j = 1, 64
      a(j) = a(j) + i
    end do
  end do
!$omp parallel do
  do i = 1, 100
!$omp simd
    do j = 1, 64
      b(j) = b(j) + i
      t = j
    end do
  end do
  print *, a(1), b(1), t
end program
'''


def test_a_race_in_a_simd_loop_is_of_what_is_around_it(place):
    need('gfortran')
    for flag in ('-O0', '-O2'):
        build(place, SIMD_INSIDE, compiler='gfortran', flags=('-fopenmp', flag), source='prog.f90')
        report = check_words(
            place, './prog',
            ('loop-iterations', 'b(j) at prog.f90:17', 'loop at prog.f90:13', 'reduction(+: b) on the loop'),
            ('loop-iterations', 'write t at prog.f90:18', "private(t) on 'parallel do' at prog.f90:13"))
        check_equal(len(report['races']), 2, 'races')


def test_a_thread_that_openmp_does_not_know(place):
    need('g++')
    text = '''#include <thread>
int count;
int main()
{
	std::thread other([] {
		for (int i = 0; i < 1000; i++)
			count++;
	});
#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < 1000; i++)
#pragma omp critical
			count++;
	}
	other.join();
}
'''
    build(place, text, compiler='g++', source='prog.cc')
    report = check_words(
        place, './prog',
        ('threads', 'a thread outside of all parallel regions', 'count at prog.cc:7', 'prog.cc:14', 'a mutex around both accesses',
         "joined before 'for' at prog.cc:11 begins"))
    for race in report['races']:
        for wrong in ('barrier', "'critical' of the same name"):
            check_not_in(wrong, '\n'.join(race['remedies']))


FIXED = '''      program p
      integer total, i
      total = 0
c$omp parallel do
c$omp&shared(total)
      do 10 i = 1, 100
         total = total + i
10    continue
      print *, total
      end
'''


def test_fortran_in_free_and_fixed_form(place):
    need('gfortran')
    build(place, FORTRAN, 'free', 'gfortran', source='free.f90')
    check_words(place, './free',
                ('loop-iterations', 'total at free.f90:10', 'reduction(+: total)', "'!$omp atomic' in front of line 10",
                 "'parallel do' at free.f90:6"),
                ('loop-iterations', 'write grid(i + 1) at free.f90:12 that others read as grid(i)'),
                ('missing-barrier', "'do' at free.f90:15 without nowait"))
    build(place, FIXED, 'fixed', 'gfortran', source='fixed.f')
    check_words(place, './fixed', ('loop-iterations', 'total at fixed.f:7', 'total is shared by a clause of',
                                   "'parallel do' at fixed.f:4"))


def test_without_the_source_there_are_places(place):
    program = build(place)
    os.unlink(place.path('prog.c'))
    done = run_race(place, program, code=1)
    check_in(f'prog.c:{SUM}', done.stderr)
    check_not_in('fix:', done.stderr)


def test_sarif_names_rules_files_and_both_places(place):
    build(place, WORDS)
    done = run_race(place, '--format=sarif', '--output=report', './prog', code=1)
    check_equal(done.stderr, '')
    document = json.loads(place.read('report'))
    check_equal(document['version'], '2.1.0')
    run = document['runs'][0]
    rules = {rule['id'] for rule in run['tool']['driver']['rules']}
    results = run['results']
    assert results and all(result['ruleId'] in rules and result['level'] == 'error' for result in results)
    barrier = [result for result in results if 'write a[i] at prog.c:21' in result['message']['text']][0]
    where = [location['physicalLocation'] for location in barrier['locations'] + barrier['relatedLocations']]
    check_equal([(place['artifactLocation']['uri'], place['region']['startLine']) for place in where],
                [('prog.c', 21), ('prog.c', 24)])
    prints = [result['partialFingerprints']['race/v2'] for result in results]
    check_equal(len(set(prints)), len(prints), 'fingerprints')


def test_the_place_is_where_a_template_is_used(place):
    need('g++')
    text = '''#include <map>
static std::map<int, int> squares;
static int first(std::map<int, int> &of, int i) { return of[i]; }
int main()
{
	int sum = 0;
#pragma omp parallel for reduction(+: sum)
	for (int i = 0; i < 50; i++)
		sum += first(squares, i);
	return sum == 1;
}
'''
    for flag in ('-O0', '-O2'):
        build(place, text, compiler='g++', flags=('-fopenmp', flag), source='prog.cc')
        report = check_words(place, './prog', ('loop-iterations', 'at prog.cc:3', 'loop at prog.cc:7', 'critical'), code=None)
        files = {side['file'] for race in report['races'] for side in race['places']}
        check_equal(files, {place.path('prog.cc')})


TASKS = r'''#include <stdio.h>
struct { int n; } list;
static inline void work(int v) { list.n = v; }
int main(void)
{
	int count = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		work(3);
#pragma omp task
		work(4);
		count = list.n;
	}
	return count == 5;
}
'''


def test_tasks_by_their_constructs(place):
    build(place, TASKS, flags=('-fopenmp', '-O2'))
    check_words(place, './prog',
                ('tasks', 'list.n', 'prog.c:3', 'prog.c:14', "'#pragma omp taskwait' before prog.c:14"),
                options=('--all',), code=None)


def test_results_that_are_the_same(place):
    done = run_race(place, '--results', build(place, SOUND), code=0)
    check_in('the results are the same in all runs', done.stderr)
    check_equal(done.stdout, 'done\n')
    check_in('11 runs', done.stderr)


SUMS = r'''#include <stdio.h>
int main(void)
{
	double sum = 0;
#pragma omp parallel for reduction(+: sum)
	for (int i = 1; i < 10000; i++)
		sum += 1.0 / i / 3.0;
	printf("the sum\n%.17g\n", sum);
	return 0;
}
'''


def test_results_that_differ_by_a_sum(place):
    program = build(place, SUMS)
    done = run_race(place, '--results', program, code=1)
    check_in('the results differ', done.stderr)
    check_in('between numbers of threads', done.stderr)
    check_not_in('with one thread,', done.stderr)
    check_in('differ first in line 2', done.stderr)
    check_in("reduction(sum) of 'parallel for'", done.stderr)
    assert re.search(r'the relative difference is \d(\.\d)?e-1\d', done.stderr), done.stderr
    run_race(place, '--results', '--format=json', '--output=report', program, code=1)
    results = json.loads(place.read('report'))['results']
    assert not results['equal'] and 'threads' in results['vary_by'] and results['relative'] < 1e-10


def test_results_that_differ_alone(place):
    text = SUMS.replace('int main(void)', '#include <unistd.h>\nint main(void)').replace('"the sum\\n%.17g\\n", sum', '"%d\\n", (int)getpid()')
    done = run_race(place, '--results', build(place, text), code=1)
    check_in('it differs with one thread, too', done.stderr)


def test_results_in_a_file(place):
    text = SUMS.replace('printf("', 'fprintf(fopen("out", "w"), "')
    done = run_race(place, '--results=out', build(place, text), code=1)
    check_in('differ first in line 2', done.stderr)


def test_results_by_order_name_what_has_an_order(place):
    text = SUMS.replace('reduction(+: sum)', 'schedule(dynamic)').replace('\t\tsum +=', '#pragma omp critical\n\t\tsum +=')
    done = run_race(place, '--results', build(place, text), code=None)
    if done.returncode == 1:
        check_in("'critical' at", done.stderr)


def test_documents_need_a_file(place):
    build(place)
    done = run_race(place, '--format=json', './prog', code=2)
    check_in('need --output=FILE', done.stderr)
    check_equal(done.stdout, '')


def test_addresses_that_are_randomized_too_far(place):
    """A program that says what ThreadSanitizer says then, until addresses are fixed."""
    build(place, r'''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>
int main(void)
{
	if ((personality(0xffffffff) & ADDR_NO_RANDOMIZE) == 0) {
		char path[4096], *at = strstr(getenv("TSAN_OPTIONS"), "log_path='") + 10;
		snprintf(path, sizeof path, "%.*s.1", (int)strcspn(at, "'"), at);
		FILE *log = fopen(path, "w");
		fputs("FATAL: ThreadSanitizer: unexpected memory mapping 0x1-0x2\n", log);
		fclose(log);
		return 66;
	}
	puts("fixed");
	return 0;
}
''')
    done = run_race(place, './prog', code=None)
    if done.returncode == 2:
        check_in('vm.mmap_rnd_bits=28', done.stderr)
    else:
        check_equal(done.stdout, 'fixed\n')


AGENT = r'''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void leave(void)
{
	const char *race = getenv("OMPINST_RACE"), *folder = race ? strstr(race, "log=") : NULL;
	char path[4096], name[4096] = "";
	if (folder == NULL || readlink("/proc/self/exe", name, sizeof name - 1) < 0 || strstr(name, "prog") == NULL)
		return;
	snprintf(path, sizeof path, "%s/%d", folder + 4, getpid());
	FILE *log = fopen(path, "w");
	fprintf(log, LOG, name, name, name, name);
	fclose(log);
}
'''


def with_log(place, log):
    """A program of no races with this log in the place of the library's own."""
    build(place, SOUND)
    if not place.exists('lib/ompinst'):
        os.makedirs(place.path('lib/ompinst'))
        shutil.copy(os.path.join(BUILD, 'runtime/libgomp.so.1'), place.path('lib/ompinst'))
    place.environment['OMPINST_LIBDIR'] = place.path('lib')
    place.write('agent.c', AGENT)
    text = log.replace('\\', '\\\\').replace('\n', '\\n').replace('\t', '\\t')
    place.run('gcc', '-shared', '-fPIC', f'-DLOG="{text}"', 'agent.c', '-o', 'lib/ompinst/ompinst-race.so')
    return './prog'


def test_what_threadsanitizer_prints_is_read_without_the_library(place):
    """As for programs of clang: the text has the same races."""
    build(place, WORDS)
    os.makedirs(place.path('lib/ompinst'))
    shutil.copy(os.path.join(BUILD, 'runtime/libgomp.so.1'), place.path('lib/ompinst'))
    place.write('nothing.c', 'extern int nothing;\n')
    place.run('gcc', '-shared', '-fPIC', 'nothing.c', '-o', 'lib/ompinst/ompinst-race.so')
    place.environment['OMPINST_LIBDIR'] = place.path('lib')
    check_words(place, './prog',
                ('loop-iterations', 'hist[i % 10] at prog.c:4', 'hist[', 'declared at prog.c:3'),
                ('loop-iterations', 'write tmp at prog.c:13', "on a thread's stack"),
                ('missing-barrier', 'write a[i] at prog.c:21'))


def log_of(place, threads=(0, 1), strands=('task', 'task'), head='ompinst-race 1\n', tail='end\n'):
    """A report between the beginnings of two functions of the program."""
    build(place, SOUND)
    symbols = dict(reversed(line.split()[::2]) for line in place.run('nm', 'prog').stdout.splitlines()
                   if len(line.split()) == 3)
    main = int(symbols['main'], 16) + 5
    return (head + 'program\t%s\nunknown\tline\nrace\n'
            + ''.join(f'access\t{what}\tplain\t4\t601040\t{thread}\t{strand}\nframe\t{main + 4 * i:x}\t%s\n'
                      for i, (what, thread, strand) in enumerate(zip(('write', 'read'), threads, strands)))
            + f'place\tglobal\t601040\t4\t{int(symbols["sum"], 16):x}\t%s\n' + tail)


def test_a_log_is_read(place):
    done = run_race(place, with_log(place, log_of(place)), code=1)
    check_in('1 race in', done.stderr)
    check_in('sum', done.stderr)
    check_in('prog.c:', done.stderr)


def test_tasks_of_one_thread_do_not_count(place):
    program = with_log(place, log_of(place, threads=(2, 2)))
    done = run_race(place, program, code=0)
    check_in('no races', done.stderr)
    check_not_in('prog.c:', done.stderr)
    check_in('prog.c:', run_race(place, '--all', program, code=0).stderr)


def test_a_log_that_is_cut_short(place):
    run_race(place, with_log(place, log_of(place, tail='')), code=0)


def test_a_log_with_wrong_lines(place):
    """They are left out, and what is around them is read."""
    log = log_of(place)
    wrong = ('access\n', 'access\twrite\n', 'access\twrite\tplain\t4\tzz\t0\ttask\n', 'frame\n', 'frame\tzz\tx\n',
             'frame\t12\n', 'place\n', 'place\tglobal\t0\t0\t0\n', 'end\n', 'race\nend\n', '\t\t\t\n', '\n', 'x' * 5000 + '\n',
             'edge\n', 'edge\t0\t2\t3\tx\nend\n', 'edge\t0\t2\t3\t3\nend\n', 'edge\t0\t2\t3\t3\nwait\tlock\t1\t1\nat\t0\n',
             'at\t0\t1\t0\t0\t4\t0\t1\t' + '1.1 ' * 9 + '\n', 'at\t0\t1\t0\t0\t4\t0\t1\tx\n', 'edges\n', 'edges\tfull\n')
    body = log.split('\n', 1)
    check_in('1 race in', run_race(place, with_log(place, body[0] + '\n' + ''.join(wrong) + body[1]), code=1).stderr)
    for line in wrong:
        torn = log.replace('place\t', line + 'place\t', 1)
        run_race(place, '--runs=1', with_log(place, torn), code=None)


def test_a_log_of_another_version(place):
    done = run_race(place, with_log(place, log_of(place, head='ompinst-race 9\n')), code=0)
    check_in("does not begin with 'ompinst-race 1'", done.stderr)


LOCKS = r'''#include <omp.h>
omp_lock_t a;
static omp_lock_t b;
static void both(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	omp_set_lock(second);
	omp_unset_lock(second);
	omp_unset_lock(first);
}
int main(void)
{
	omp_init_lock(&a);
	omp_init_lock(&b);
#pragma omp parallel
	if (omp_get_thread_num() == 0) {
		both(&a, &b);
	} else {
#pragma omp critical(x)
		omp_set_lock(&b);
		omp_unset_lock(&b);
		omp_set_lock(&b);
		omp_set_lock(&a);
		omp_unset_lock(&a);
		omp_unset_lock(&b);
	}
	return 0;
}
'''


def test_locks_in_opposite_orders(place):
    build(place, LOCKS)
    done = run_race(place, './prog', code=1)
    for line in ('deadlock: lock b is set at prog.c:7 while lock a is held, and lock a is set at prog.c:23 while lock b is held: '
                 'two threads can wait for each other',
                 'prog.c:6', 'in both has set lock a', 'in both sets lock b', 'called at prog.c:17 in main',
                 'in main has set lock b', 'in main sets lock a',
                 'lock a, a variable of static storage declared at prog.c:2', 'lock b, a variable of static storage declared at prog.c:3',
                 'fix: one order everywhere: at prog.c:22 first lock a, then lock b, as at prog.c:7',
                 'no races found, but 1 possible deadlock in'):
        check_in(line, done.stderr)
    check_not_in('critical (x)', done.stderr)


def test_deadlocks_in_documents(place):
    build(place, LOCKS)
    run_race(place, '--format=json', '--output=report', './prog', code=1)
    report = json.loads(place.read('report'))
    check_equal(report['races'], [])
    (deadlock,) = report['deadlocks']
    check_equal((deadlock['rule'], deadlock['threads']), ('lock-order', 2))
    check_equal([(step['holds']['lock'], step['holds']['line'], step['wants']['lock'], step['wants']['line']) for step in deadlock['steps']],
                [('lock a', 6, 'lock b', 7), ('lock b', 22, 'lock a', 23)])
    run_race(place, '--format=sarif', '--output=report', './prog', code=1)
    (result,) = json.loads(place.read('report'))['runs'][0]['results']
    check_equal((result['ruleId'], result['level']), ('lock-order', 'error'))
    check_equal([where['physicalLocation']['region']['startLine'] for where in result['locations'] + result['relatedLocations']], [7, 6, 23, 22])


def test_a_run_that_waits_for_itself_is_ended(place):
    """It would never end, and the limit of a run is a minute."""
    build(place, LOCKS.replace('both(&a, &b);', 'both(&a, &a);'))
    done = run_race(place, '--runs=1', '--threads=1', '--run-time=600', './prog', code=1)
    check_in('its threads waited for each other for ever', done.stderr)
    check_in('deadlock: the thread sets lock a at prog.c:7, which it holds since prog.c:6: it waits for itself', done.stderr)
    check_in('fix: unset it before; a nestable lock may be set again by its task', done.stderr)
    check_in('seen in 1 of 1 run, of which 1 ended in it', done.stderr)


def test_threads_that_wait_for_each_other_are_ended(place):
    """Each has its first lock before it wants the other one: no run comes to its end."""
    build(place, r'''#include <omp.h>
int main(void)
{
	omp_lock_t locks[2];
	omp_init_lock(&locks[0]);
	omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
	{
		omp_set_lock(&locks[omp_get_thread_num()]);
#pragma omp barrier
		omp_set_lock(&locks[1 - omp_get_thread_num()]);
	}
	return 0;
}
''')
    done = run_race(place, '--runs=2', '--run-time=600', './prog', code=1)
    check_in('lock locks[1 - omp_get_thread_num()] is set at prog.c:11 while lock locks[omp_get_thread_num()] is held', done.stderr)
    check_in('seen in 2 of 2 runs, of which 2 ended in it', done.stderr)


def test_criticals_of_one_name_in_several_files(place):
    """They are one: the cycle's two places are in different files."""
    place.write('other.c', r'''static int value;
static void inner_x(void)
{
#pragma omp critical(x)
	value++;
}
void outer_y(void)
{
#pragma omp critical(y)
	inner_x();
}
''')
    place.write('main.c', r'''#include <omp.h>
void outer_y(void);
static int value;
int main(void)
{
#pragma omp parallel
	if (omp_get_thread_num() == 0) {
#pragma omp critical(x)
		{
#pragma omp critical(y)
			value++;
		}
	} else {
		outer_y();
	}
	return 0;
}
''')
    place.run('ompinst', 'race', 'gcc', '-fopenmp', '-g', 'main.c', 'other.c', '-o', 'prog')
    done = run_race(place, './prog', code=1)
    check_in('while critical (x) is held', done.stderr)
    check_in('while critical (y) is held', done.stderr)
    for line in ('main.c:8', 'main.c:10', 'other.c:9', 'other.c:4', 'called at main.c:14 in main'):
        check_in(line, done.stderr)


def test_a_forked_child_is_left_alone(place):
    """Its orders are not looked at, and it does not wait for what other threads were about to do."""
    build(place, r'''#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
static omp_lock_t locks[2];
static int failures;
static void both(int first)
{
	omp_set_lock(&locks[first]);
	omp_set_lock(&locks[1 - first]);
	omp_unset_lock(&locks[1 - first]);
	omp_unset_lock(&locks[first]);
}
static void make_child(void)
{
	int status = -1;
	if (fork() == 0) {
		omp_init_lock(&locks[0]);
		omp_init_lock(&locks[1]);
		both(0);
		both(1);
		_exit(0);
	}
	if (wait(&status) < 0 || status != 0)
		failures++;
}
int main(void)
{
	omp_init_lock(&locks[0]);
	omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(3)
	for (int i = 0; i < 20; i++)
		if (omp_get_thread_num() == 0)
			make_child();
		else
			both(0);
	return failures;
}
''')
    done = run_race(place, '--program-status', './prog', code=0)
    check_in("no races found in './prog'", done.stderr)


def cycle_of(place, waits='2\t-', kinds=('lock', 'mutex'), tail='end\n'):
    """A log with two locks between places of the program."""
    log = log_of(place).split('race\n')[0]
    main = int(re.search(r'^(\w+) T main$', place.run('nm', 'prog').stdout, re.M)[1], 16) + 5
    body = ''.join(f'wait\t{kind}\t7f00{i}0\t{i}\nframe\t{main + 8 * i:x}\t%s\nheld\nframe\t{main + 8 * i + 4:x}\t%s\n'
                   f'place\theap\t7f00{i}0\t64\t0\t-\n' for i, kind in enumerate(kinds))
    return f'{log}order\t{waits}\n{body}{tail}'.replace('program\t%s\n', '')


def test_a_log_of_locks_is_read(place):
    done = run_race(place, with_log(place, cycle_of(place)), code=1)
    check_in('1 possible deadlock', done.stderr)
    check_in('memory from the heap', done.stderr)


def test_a_log_of_locks_with_wrong_lines(place):
    """A cycle of which a part is missing or wrong is none."""
    for wrong in (dict(tail=''), dict(waits='3\t-'), dict(waits='1\t-'), dict(waits='x'), dict(waits='0'), dict(waits='-1'),
                  dict(waits='99999999999'), dict(kinds=('lock', 'door'))):
        check_not_in('deadlock', run_race(place, '--runs=1', with_log(place, cycle_of(place, **wrong)), code=0).stderr)


if __name__ == '__main__':
    bench.main(globals())
