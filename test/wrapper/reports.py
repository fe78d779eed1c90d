#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ompinst's own options: what they print and what they leave."""
import json
import os
import shutil

import bench
from bench import CLANG, LIBRARY, PROGRAM, check_equal, check_in, check_not_in


def test_verbose_ends_with_the_totals(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--verbose', 'gcc', '-fopenmp', '-c', 'lib.c')
    check_in('lib.c: 2 directives instrumented, 0 skipped', done.stderr.splitlines()[-1])
    done = place.run('ompinst-gcc', '-fopenmp', '-c', 'lib.c',
                     env={'OMPINST_OPTIONS': '--verbose'})
    check_in('2 directives instrumented', done.stderr)


def test_silent_otherwise(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', 'gcc', '-fopenmp', '-c', 'lib.c')
    check_equal(done.stderr + done.stdout, '')


def test_list(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--list', 'gcc', '-fopenmp', '-c', 'lib.c')
    lines = done.stdout.splitlines()
    check_equal(len(lines), 2, 'lines')
    check_in('lib.c:4:', lines[0])
    check_in('parallel: instrumented', lines[0])
    check_in('critical', lines[1])
    assert not place.exists('lib.o')
    done = place.run('ompinst', '--list=json', 'gcc', '-fopenmp', 'lib.c', '-o', 'prog')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['file'], entry['line'], entry['directive']) for entry in entries],
                [('lib.c', 4, 'parallel'), ('lib.c', 6, 'critical')])
    assert not place.exists('prog')


def test_list_says_where_the_user_wrote_it(place):
    place.write('lib.c', '''void f(int *a)
{
	#pragma omp parallel
	{
  #  pragma omp critical
		a[0]++;
		_Pragma("omp barrier") _Pragma("omp flush")
	}
#define BOTH _Pragma("omp parallel") _Pragma("omp for")
	BOTH
	for (int i = 0; i < 3; i++) a[i]++;
}
''')
    expected = [(3, 2), (5, 3), (7, 3), (7, 26), (10, 2), (10, 2)]
    for words in (['gcc', '-fopenmp', '-c', 'lib.c'], ['lib.c']):
        done = place.run('ompinst', '--list=json', *words)
        entries = [json.loads(line) for line in done.stdout.splitlines()]
        check_equal([(entry['line'], entry['column']) for entry in entries], expected)


def test_list_without_openmp(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--list', 'gcc', '-c', 'lib.c')
    check_equal(done.stderr, 'lib.c: warning: nothing to list: -fopenmp is not among the flags\n')
    assert not place.exists('lib.o')


COMBINED = r'''void f(int n, double *a, double *sum)
{
	double s = 0, *p = sum;
#pragma omp parallel for simd num_threads(2) schedule(static) reduction(+ : s) if (parallel : n > 3)
	for (int i = 0; i < n; i++)
		s += a[i];
#pragma omp parallel firstprivate(p)
	{
#pragma omp single copyprivate(p)
		*p = s;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			a[i] = 0;
	}
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] += 1;
}
'''


def test_explain(place):
    place.write('lib.c', COMBINED)
    done = place.run('ompinst', '--explain=json', 'gcc', '-fopenmp', '-c', 'lib.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['line'], entry['directive'], entry['status']) for entry in entries],
                [(4, 'parallel for simd', 'instrumented'), (7, 'parallel', 'instrumented'),
                 (9, 'single', 'instrumented'), (11, 'for', 'instrumented'), (15, 'simd', 'passed')])
    outer, inner = entries[0]['parts']
    check_equal((outer['directive'], outer['clauses'], outer['calls']),
                ('parallel', 'num_threads(2) if (parallel : n > 3)',
                 'pomp_parallel_fork pomp_parallel_begin pomp_parallel_end pomp_parallel_join'))
    check_equal((inner['directive'], inner['clauses'], inner['calls']),
                ('for simd', 'schedule(static) reduction(+ : s)', 'pomp_for_enter pomp_for_exit'))
    barriers = [part['barrier'] for entry in entries for part in entry['parts']]
    check_equal(len(set(barriers)), 4, f'kinds of barriers in {barriers}')
    check_equal(entries[4]['parts'], [])
    assert not place.exists('lib.o')
    # What is explained is what is compiled.
    place.run('ompinst', '--keep', 'gcc', '-fopenmp', '-c', 'lib.c')
    check_in('#pragma omp for simd schedule(static) reduction(+ : s) nowait', place.read('lib.mod.i'))
    text = place.run('ompinst', '--explain', 'gcc', '-fopenmp', '-c', 'lib.c').stdout
    check_in('lib.c:4:1: parallel for simd: instrumented\n    parallel\n        calls:   pomp_', text)
    check_in('        clauses: schedule(static) reduction(+ : s)\n', text)
    check_in('lib.c:15:1: simd: passed (a call would stop vectorisation)\n', text)


def test_dry_run(place):
    place.write('lib.c', LIBRARY)
    done = place.run('ompinst', '--dry-run', 'gcc', '-fopenmp', '-DA="b c"', '-c', 'lib.c')
    lines = done.stdout.splitlines()
    check_equal(len(lines), 3, 'lines')
    check_in("-E lib.c", lines[0])
    check_in("'-DA=\"b c\"'", lines[0])
    check_in('cpp-output', lines[2])
    check_not_in('-DA', lines[2])
    check_equal(sorted(os.listdir(place.folder)), ['.tmp', 'lib.c'])


def test_keep(place):
    place.write('lib.c', LIBRARY)
    os.mkdir(place.path('obj'))
    place.run('ompinst', '--keep', 'gcc', '-fopenmp', '-c', 'lib.c', '-o', 'obj/lib.o')
    check_in('pomp_parallel_fork', place.read('obj/lib.mod.i'))
    place.run('ompinst', '--keep', 'g++', '-fopenmp', '-c', 'lib.c', '-o', 'obj/lib.o')
    check_in('pomp_parallel_fork', place.read('obj/lib.mod.ii'))


def test_disable(place):
    place.write('lib.c', LIBRARY)
    place.run('ompinst', '--disable=critical', 'gcc', '-fopenmp', '-c', 'lib.c')
    calls = place.calls('lib.o')
    assert 'pomp_critical_enter' not in calls and 'pomp_parallel_fork' in calls, calls


EVERYTHING = r'''#include <omp.h>
void f(int n, int *a, omp_lock_t *lock)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
#pragma omp atomic
		a[0] += i;
#pragma omp parallel
	{
		omp_set_lock(lock);
		a[1]++;
		omp_unset_lock(lock);
#pragma omp barrier
#pragma omp critical
		a[2]++;
	}
}
'''


def test_only(place):
    place.write('lib.c', EVERYTHING)
    for only, disabled, calls in (
            ('parallel', None, {'parallel_fork', 'parallel_begin', 'barrier_enter', 'barrier_exit',
                                'parallel_end', 'parallel_join'}),
            ('atomic,lock', None, {'atomic_enter', 'atomic_exit', 'set_lock', 'unset_lock'}),
            ('barrier,critical', 'critical', {'barrier_enter', 'barrier_exit'}),
            ('section', None, None), ('', None, set())):
        options = [f'--only={only}', *([f'--disable={disabled}'] if disabled else [])]
        done = place.run('ompinst', *options, 'gcc', '-fopenmp', '-c', 'lib.c',
                         code=0 if calls is not None else 2)
        if calls is None:
            check_in("'section' is not a construct (did you mean 'sections'?); expected parallel, for,", done.stderr)
            continue
        found = {name[len('pomp_'):] for name in place.calls('lib.o')}
        check_equal(sorted(found - {'register_regions', 'unregister_regions'}), sorted(calls),
                    f'calls with {options}')
    done = place.run('ompinst', '--only=for', '--list=json', 'gcc', '-fopenmp', '-c', 'lib.c')
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['directive'], entry['status']) for entry in entries],
                [('parallel for', 'instrumented'), ('atomic', 'disabled'), ('parallel', 'disabled'),
                 ('barrier', 'disabled'), ('critical', 'disabled')])


FUNCTIONS = r'''static inline int chosen(int n)
{
	return n + 1;
}
__attribute__((no_instrument_function)) int refused(int n)
{
	return n;
}
int left_out(int n) { return n; }
#pragma pomp inst noinstrument
void quiet(void) {}
#pragma pomp inst instrument
int main(void)
{
	int n = chosen(0);
#pragma omp parallel
	n = refused(1);
	quiet();
	return left_out(n) - 1;
}
'''


def test_functions_are_listed(place):
    place.write('prog.c', FUNCTIONS)
    place.write('filter', 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE left*\nSCOREP_REGION_NAMES_END\n')
    command = ('--functions=filter', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    done = place.run('ompinst', '--list=json', *command)
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    check_equal([(entry['line'], entry['directive'], entry.get('function'), entry['status'])
                 for entry in entries],
                [(1, 'function', 'chosen', 'instrumented'), (5, 'function', 'refused', 'passed'),
                 (9, 'function', 'left_out', 'disabled'), (10, 'inst noinstrument', None, 'passed'),
                 (11, 'function', 'quiet', 'disabled'), (12, 'inst instrument', None, 'passed'),
                 (13, 'function', 'main', 'instrumented'), (16, 'parallel', None, 'instrumented')])
    check_equal([entries[i]['reason'] for i in (1, 2, 4)],
                ['its attribute no_instrument_function forbids it', 'the filter excludes it',
                 "inside 'noinstrument'"])
    text = place.run('ompinst', '--explain', *command).stdout
    check_in('prog.c:1:1: function chosen: instrumented\n    function\n'
             '        calls:   pomp_begin pomp_end\n', text)
    check_in('prog.c:9:1: function left_out: disabled (the filter excludes it)\n', text)
    # They count apart from the directives.
    done = place.run('ompinst', '--verbose', '--strict', *command)
    check_in('prog.c: 1 directive instrumented, 0 skipped', done.stderr)
    check_in(', 2 functions instrumented\n', done.stderr)
    # What is listed is what is measured.
    place.run('./prog', env={'POMP_SUMMARY': 'summary.txt'})
    summary = place.read('summary.txt')
    check_in('chosen', summary)
    for name in ('refused', 'left_out', 'quiet'):
        check_not_in(name, summary)


def test_choice_of_runtime(place):
    place.write('prog.c', PROGRAM)
    runtime = os.path.join(bench.BIN, '../runtime/libgomp.so.1')
    if not os.path.exists(runtime):
        bench.skip('there is no bundled runtime in this build')
    place.run('ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    assert os.path.samefile(place.libraries('prog')['libgomp.so.1'], runtime)
    check_equal(place.run('./prog').stdout, 'sum 4950\n')
    place.run('ompinst', '--runtime=system', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    assert not os.path.samefile(place.libraries('prog')['libgomp.so.1'], runtime)
    check_equal(place.run('./prog').stdout, 'sum 4950\n')


def test_runtime_follows_the_compiler_behind_a_script(place):
    runtime = os.path.join(bench.BIN, '../runtime/libgomp.so.1')
    if not os.path.exists(runtime):
        bench.skip('there is no bundled runtime in this build')
    place.write('prog.c', PROGRAM)
    place.write('mycc', '#!/bin/sh\nexec ${REAL} "$@"\n', 0o755)
    place.run('ompinst', './mycc', '-fopenmp', 'prog.c', '-o', 'prog', env={'REAL': 'gcc'})
    assert os.path.samefile(place.libraries('prog')['libgomp.so.1'], runtime)
    plain = place.run(CLANG, '-fopenmp', 'prog.c', '-o', 'plain', code=None) \
        if shutil.which(CLANG) else None
    if plain is not None and plain.returncode == 0:
        place.run('ompinst', './mycc', '-fopenmp', 'prog.c', '-o', 'prog',
                  env={'REAL': CLANG})
        place.check_instrumented('prog')
        assert 'libgomp.so.1' not in place.libraries('prog')


def test_runtime_comes_before_the_users_own_folders(place):
    runtime = os.path.join(bench.BIN, '../runtime/libgomp.so.1')
    if not os.path.exists(runtime):
        bench.skip('there is no bundled runtime in this build')
    place.write('prog.c', PROGRAM)
    system = os.path.dirname(place.run('gcc', '-print-file-name=libgomp.so.1').stdout.strip())
    place.run('ompinst', 'gcc', f'-Wl,-rpath,{system}', '-fopenmp', 'prog.c', '-o', 'prog')
    assert os.path.samefile(place.libraries('prog')['libgomp.so.1'], runtime)
    place.run('ompinst', 'gcc', '-fopenmp', 'prog.c', '-o', 'prog', env={'LD_RUN_PATH': '/kept'})
    check_in('/kept', place.run('readelf', '-d', 'prog').stdout)


def test_static_program(place):
    locks = ('#include <omp.h>\n#include <stdio.h>\nomp_lock_t lock;\nint frame_push;\n'
             'int total(void);\nint main(void) { omp_init_lock(&lock); printf("%d\\n", total());'
             ' omp_destroy_lock(&lock); return frame_push; }\n')
    total = ('#include <omp.h>\nextern omp_lock_t lock;\nint total(void)\n{\nint n = 0;\n'
             '#pragma omp parallel num_threads(2)\n{\nomp_set_lock(&lock);\nn++;\n'
             'omp_unset_lock(&lock);\n}\nreturn n;\n}\n')
    place.write('main.c', locks)
    place.write('total.c', total)
    if place.run('gcc', '-fopenmp', '-static', 'main.c', 'total.c', '-o', 'plain', code=None).returncode:
        bench.skip('no static libgomp here')
    for flag in ('-static', '-static-pie'):
        place.run('ompinst', 'gcc', '-fopenmp', '-fPIE', '-c', 'main.c', 'total.c')
        done = place.run('ompinst', 'gcc', '-fopenmp', flag, 'main.o', 'total.o', '-o', 'prog')
        check_not_in('ompinst:', done.stderr)
        place.check_instrumented('prog')
        check_not_in('NEEDED', place.run('readelf', '-d', 'prog').stdout)
        done = place.run('./prog', env={'POMP_SUMMARY': 'summary.txt'})
        check_equal(done.stdout, '2\n')
        check_in('total.c:6', place.read('summary.txt'))
        check_in(' lock 0x', place.read('summary.txt'))
    # Without PAPI, too; what the system counts is there.
    done = place.run('./prog', env={'POMP_SUMMARY': 'off', 'POMP_METRICS': 'PAPI_TOT_INS,cpu_time'})
    check_equal(done.stdout, '2\n')
    check_in("metric 'PAPI_TOT_INS' is not measured: this build has no PAPI library", done.stderr)
    # Without OTF2 the trace stays what the threads wrote, and our tool makes the archive of it.
    place.run('./prog', env={'POMP_ENABLE_TRACING': '1', 'POMP_EXPERIMENT_DIRECTORY': 'trace'})
    report = os.path.join(bench.BIN, '../reports/ompreport')
    if os.path.exists(report):
        place.run(report, 'recover', 'trace')
        place.run(report, 'check', 'trace')


def test_static_link_without_the_archive(place):
    place.write('prog.c', PROGRAM)
    os.makedirs(place.path('lonely'))
    place.run('cp', os.path.join(bench.BIN, 'ompinst'), 'lonely/ompinst')
    if place.run('gcc', '-fopenmp', '-static', 'prog.c', '-o', 'plain', code=None).returncode:
        bench.skip('no static libgomp here')
    done = place.run('lonely/ompinst', 'gcc', '-fopenmp', '-static', 'prog.c', '-o', 'prog')
    check_in('libpomp.a, for -static, was not found', done.stderr)
    check_equal(place.run('./prog').stdout, 'sum 4950\n')


def test_strict_fails_on_what_is_skipped(place):
    # A statement that starts inside a macro's expansion and ends outside it.
    place.write('odd.c', 'void f(int *p)\n{\n#pragma omp parallel\n\t{\n#pragma omp for\n'
                         '\t\tfor (int i = 0; i < 3; i++)\n\t\t\tp[i] = 1;\n\t}\n}\n')
    place.run('ompinst', '--strict', 'gcc', '-fopenmp', '-c', 'odd.c')
    place.check_instrumented('odd.o')


def test_attributes_of_c_where_the_compiler_takes_them(place):
    place.write('attribute.c', 'int f(int x)\n{\n\t[[omp::directive(parallel num_threads(2))]]\n\t{\n'
                '\t\t[[omp::directive(atomic)]] x++;\n\t}\n\treturn x;\n}\n')
    place.write('question.c', '#if __has_c_attribute(omp::directive)\ntaken\n#endif\n')
    for compiler in filter(shutil.which, ['gcc', 'gcc-14', 'gcc-15', CLANG]):
        command = [compiler, '-std=gnu2x', '-fopenmp']
        taken = '\ntaken' in place.run(*command, '-E', 'question.c').stdout
        done = place.run('ompinst', '--list', *command, '-w', '-c', 'attribute.c')
        check_equal([line.split(': ', 1)[1] for line in done.stdout.splitlines()],
                    [f'{name}: instrumented' if taken else
                     f'{name}: skipped (in C, some compilers ignore this attribute)'
                     for name in ('parallel', 'atomic')], compiler)
        place.run('ompinst', *command, '-w', '-c', 'attribute.c')
        done = place.run('nm', 'attribute.o')
        (check_in if taken else check_not_in)('pomp_parallel_fork', done.stdout)


bench.main(globals())
