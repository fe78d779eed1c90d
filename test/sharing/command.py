#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst sharing`: what it compiles with, what it reports of a program, and what it says when nothing can be found.

The cost of a transfer is fixed, so that the report does not depend on what else the machine does.
"""
import collections
import html.parser
import json
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in, need  # noqa: E402

PROGRAM = r'''#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static struct { long n; } c[2] __attribute__((aligned(64)));
int main(int argc, char **argv)
{
#pragma omp parallel num_threads(2)
	{
		int t = omp_get_thread_num();
		for (long i = 0; i < 300000; i++)
			if (((i ^ argc) & 3) != 3)
				c[t].n++;
	}
	printf("%ld\n", c[0].n + c[1].n);
	fflush(stdout);
	if (argc > 1)
		pause();
	return 3;
}
'''
ACCESS = 12  # the line of PROGRAM


def build(place, text=PROGRAM, compiler='gcc', name='prog', source='prog.c', flags=()):
    need(compiler)
    place.write(source, text)
    place.run('ompinst', 'sharing', compiler, '-O2', '-fopenmp', *flags, source, '-o', name)
    return './' + name


def run(place, *words, code, **rest):
    return place.run('ompinst', 'sharing', 'run', '--transfer=10', *words, code=code, **rest)


def document(place, *words, code):
    run(place, '--format=json', '--output=report', *words, code=code)
    return json.loads(place.read('report'))


def test_false_sharing_is_found(place):
    done = run(place, build(place), code=1)
    check_equal(done.stdout, '450000\n')
    check_in('false sharing: threads 0, 1 use different bytes of one cache line, such as c[0].n and c[1].n', done.stderr)
    check_in(f'prog.c:{ACCESS}:', done.stderr)
    check_in('c[t].n++;', done.stderr)
    check_in("in 'parallel' at prog.c:7: threads 0, 1", done.stderr)
    check_in('the memory: c, a variable of static storage declared at prog.c:4', done.stderr)
    check_in('1 false and 0 true sharing', done.stderr)


def test_document(place):
    found = document(place, build(place), code=1)
    check_equal((found['run']['end'], found['run']['status'], found['run']['threads']), ('exited', 3, 2))
    (finding,) = found['findings']
    check_equal([finding[key] for key in ('kind', 'counts', 'variable', 'parts', 'memory', 'lines', 'threads', 'allocated')],
                ['false-sharing', True, 'c', ['c[0].n', 'c[1].n'], 'static', 1, [0, 1], None])
    place_of = finding['places'][0]
    check_equal([place_of[key] for key in ('line', 'function', 'access', 'threads')], [ACCESS, 'main', 'read and write', [0, 1]])
    check_equal(place_of['construct']['name'], 'parallel')
    # Each of the threads reads and writes 225000 times, and so the line can change twice for each of these.
    if not 800000 <= finding['transfers'] <= 900000:
        raise AssertionError(f"{finding['transfers']} transfers")
    check_equal(round(finding['cost_seconds'] / finding['transfers'] * 1e9), 10)


def test_sarif_names_kind_place_and_remedies(place):
    run(place, '--format=sarif', '--output=report', build(place), code=1)
    (ran,) = json.loads(place.read('report'))['runs']
    check_in('false-sharing', [rule['id'] for rule in ran['tool']['driver']['rules']])
    (result,) = ran['results']
    check_equal((result['ruleId'], result['level']), ('false-sharing', 'warning'))
    where = result['locations'][0]['physicalLocation']
    check_equal((where['artifactLocation']['uri'], where['region']['startLine']), ('prog.c', ACCESS))
    for text in ('such as c[0].n and c[1].n; the memory: c, a variable of static storage', '; cost: about ', '; fix: elements of c'):
        check_in(text, result['message']['text'])
    run(place, '--format=sarif', '--output=report', '--least=100', '--all', './prog', code=0)
    check_equal(json.loads(place.read('report'))['runs'][0]['results'][0]['level'], 'note')


class Page(html.parser.HTMLParser):
    """What a page has: its elements' ids, the links within it, and the text of each kind of element."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.texts = [], [], [], collections.defaultdict(list)
        self.feed(text)
        self.close()
        check_equal(self.open, [])

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids += [attributes['id']] if 'id' in attributes else []
        self.links += [attributes['href']] if 'href' in attributes else []
        self.texts[tag].append('')
        if tag not in ('meta', 'link', 'br'):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.texts[tag].append('')

    def handle_endtag(self, tag):
        check_equal(self.open.pop(), tag)

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts[tag][-1] += data


def test_the_page_shows_the_line_the_places_and_the_kinds(place):
    program = build(place, PROGRAM.replace('static struct', '/* <b>&amp; */ static struct'))
    run(place, '--format=html', '--output=report', program, code=1)
    page = Page(place.read('report'))
    check_equal(len(page.ids), len(set(page.ids)), 'ids')
    for link in page.links:
        check_in(link.removeprefix('#'), page.ids)
    (caption,) = page.texts['figcaption']
    check_in('thread 0: writes bytes 0 to 7. thread 1: writes bytes 8 to 15.', caption)
    check_equal(len([text for text in page.texts['text'] if text.startswith('thread ')]), 2)
    check_in('c[t].n++;', page.texts['mark'][0])
    check_in('false-sharing', page.texts['h3'])
    check_in('elements of c that fill a line each', ' '.join(page.texts['li']))
    check_not_in('<b>', place.read('report'))


def test_the_page_of_neighbouring_lines(place):
    program = build(place, PROGRAM.replace('long n;', '_Alignas(64) long n;'))
    run(place, '--format=html', '--output=report', '--all', program, code=0)
    captions = Page(place.read('report')).texts['figcaption']
    check_in('thread 0: writes bytes 0 to 7. thread 1, in the second line: writes bytes 0 to 7.', ' '.join(captions))


def test_padding_ends_it(place):
    done = run(place, build(place, PROGRAM.replace('long n;', '_Alignas(64) long n;')), code=0)
    check_in('0 false and 0 true sharing', done.stderr)
    check_not_in('false sharing:', done.stderr)


def test_what_longer_lines_would_share(place):
    program = build(place, PROGRAM.replace('long n;', '_Alignas(64) long n;'))
    check_equal(document(place, program, code=0)['findings'], [])
    found = document(place, '--all', program, code=0)
    (finding,) = [one for one in found['findings'] if one['kind'] == 'possible-false-sharing']
    check_equal([finding[key] for key in ('counts', 'variable', 'parts', 'distance', 'stride', 'threads')],
                [False, 'c', ['c[0].n', 'c[1].n'], 56, 64, [0, 1]])
    check_in('possible: threads 0, 1 use neighbouring lines, such as c[0].n and c[1].n, with 56 bytes between',
             run(place, '--all', program, code=0).stderr)


def possible(place, changes):
    """The title of the one possible false sharing of the program with these changes."""
    text = PROGRAM
    for before, after in changes:
        check_in(before, text)
        text = text.replace(before, after)
    found = document(place, '--all', build(place, text), code=0)['findings']
    titles = [finding['title'] for finding in found if finding['kind'] == 'possible-false-sharing']
    return titles[0] if len(titles) == 1 else f'{len(titles)} findings'


def test_lines_of_128_or_256_bytes(place):
    def title(bytes_apart, first):
        return possible(place, [('static struct { long n; } c[2] __attribute__((aligned(64)));', 'static _Alignas(256) char m[1024];\n#define C(t) '
                                 f'(*(volatile long *)(m + {first} + (t) * {bytes_apart}))'),
                                ('c[t].n++', 'C(t)++'), ('c[0].n + c[1].n', 'C(0) + C(1)')])
    check_in('with lines of 128 bytes, or if the memory began elsewhere', title(64, 0))
    check_in('with lines of 256 bytes, or if the memory began elsewhere', title(64, 64))
    check_in('with 120 bytes between: they would share one with lines of 256 bytes', title(128, 0))
    check_in('they would share one if the memory began elsewhere, with lines of 256 bytes', title(192, 128))
    check_equal(title(256, 0), '0 findings')


def test_elements_that_happen_to_be_in_two_lines(place):
    title = possible(place, [('static struct { long n; } c[2] __attribute__((aligned(64)));', 'static _Alignas(128) struct { long n; } all[9], *c = all + 7;')])
    check_in('with 0 bytes between: they would share one with lines of 128 bytes, or with more threads, whose elements are 8 bytes apart, '
             'or if the memory began elsewhere', title)


def test_parts_of_a_loop_that_more_threads_would_share(place):
    loop = '#pragma omp for nowait\n\t\t\tfor (int t = 0; t < 64; t++)'
    title = possible(place, [('static struct { long n; } c[2] __attribute__((aligned(64)));', 'static _Alignas(64) long c[64];'),
                             ('int t = omp_get_thread_num();', ''), ('300000; i++)', '20000; i++)\n' + loop),
                             ('c[t].n++', 'c[t] += argc'), ('c[0].n + c[1].n', 'c[0]')])
    check_in('with more than 8 threads, whose parts of the loop are shorter than a line', title)


def test_one_thread_after_the_other_shares_nothing(place):
    text = PROGRAM.replace('''		for (long''', '''		for (int turn = 0; turn < 2; turn++) {
#pragma omp barrier
		if (turn == t)
		for (long''').replace('c[t].n++;', 'c[t].n++;\n		}')
    found = document(place, '--all', build(place, text), code=0)
    check_equal([finding['variable'] for finding in found['findings'] if finding['transfers'] > 4], [])


def test_threads_have_their_numbers_in_the_team(place):
    """Also one that uses the line only before another one does, in a program with further threads."""
    text = PROGRAM.replace('int main', r'''#include <pthread.h>
static int is_ready;
static void *other(void *argument)
{
	return (void *)(c[1].n++, argument);
}
int main''').replace('#pragma omp parallel', '''	pthread_t thread;
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
#pragma omp parallel''').replace('''		for (long''', '''		while (t == 0 && !__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
			;
		for (long''').replace('c[t].n++;', '''c[t].n++;
		__atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);''')
    found = document(place, build(place, text, flags=['-pthread']), code=1)
    check_equal([finding['threads'] for finding in found['findings'] if finding['variable'] == 'c'], [[0, 1]])


def test_threads_of_inner_regions_of_one_are_those_of_the_outer_one(place):
    text = r'''#include <stdio.h>
static long steps;
static void step(int i)
{
#pragma omp parallel for
	for (int j = 0; j < 4; j++)
		steps += i > j;
}
int main(void)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 20000; i++)
		step(i);
	printf("%d\n", steps > 0);
}
'''
    found = document(place, build(place, text, flags=['-O1']), code=1)
    check_equal([(finding['variable'], finding['threads']) for finding in found['findings']], [('steps', [0, 1])])


TASKS = r'''#include <sched.h>
enum { ROUNDS = 300 };
static _Alignas(64) volatile double data[8];
static _Alignas(64) volatile int turn;
static void use(int me, int element)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (turn != me)
			sched_yield();
		data[element] = data[element] + 1;
		turn = !me;
	}
}
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int me = 0; me < 2; me++) {
#pragma omp task firstprivate(me)
		{
			use(me, FIRST);
			use(me, SECOND);
		}
	}
	return 0;
}
'''


def transfers_of_tasks(place, first, second):
    """Of two tasks that take turns 600 times, and then use an element each: false and true sharing."""
    program = build(place, TASKS.replace('FIRST', first).replace('SECOND', second))
    counts = {finding['kind']: finding['transfers'] for finding in document(place, '--least=0', program, code=1)['findings']
              if finding['variable'] == 'data'}
    return counts.get('false-sharing', 0), counts.get('true-sharing', 0)


def test_tasks_that_take_turns_with_elements_of_their_own_share_falsely(place):
    false, true = transfers_of_tasks(place, 'me', 'me')
    if false < 1000 or true > 20:
        raise AssertionError(f'{false} false and {true} true transfers')


def test_tasks_that_swap_their_elements_share_falsely(place):
    """Over time both threads use the same bytes, but while one has an element the other one uses another."""
    false, true = transfers_of_tasks(place, 'me', '!me')
    if false < 1000 or true > 20:
        raise AssertionError(f'{false} false and {true} true transfers')


def test_tasks_that_take_turns_with_one_element_share_truly(place):
    false, true = transfers_of_tasks(place, '3', '3')
    if true < 1000 or false > 20:
        raise AssertionError(f'{false} false and {true} true transfers')


REDUCTION = '''int main(void)
{
	long all = 0;
	for (int k = 0; k < 3000; k++) {
		long sum = k;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
		for (int i = 0; i < 100; i++)
			sum += i & k;
		all += sum;
	}
	return all == 0;
}
'''


def test_a_directive_is_no_expression(place):
    run(place, '--all', '--least=0', '--output=report', build(place, REDUCTION), code=1)
    check_in('prog.c:6:9 in main reads and writes, in ', place.read('report'))


OWN_MALLOC = '''#include <omp.h>
#include <stdlib.h>
__attribute__((noinline)) static void *my_malloc(size_t size)
{
	void *block = malloc(size);
	if (block == NULL)
		abort();
	return block;
}
int main(void)
{
	volatile long *apart = my_malloc(4096);
	volatile long *together = my_malloc(4096);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 300000; i++) {
		together[omp_get_thread_num()]++;
		apart[256 * omp_get_thread_num()]++;
	}
	return 0;
}
'''


def test_the_caller_of_the_programs_own_malloc_allocates(place):
    found = document(place, build(place, OWN_MALLOC, flags=['-g']), code=1)['findings']
    check_equal([(finding['variable'], finding['allocated']['line']) for finding in found], [('together', 13)])


def test_more_threads_than_have_a_number(place):
    text = PROGRAM.replace('c[2]', 'c[200]').replace('num_threads(2)', 'num_threads(200)').replace('300000', '3000')
    check_in(' to 63 or more use different bytes of ', run(place, build(place, text), code=1).stderr)


def test_regions_of_templates_have_the_name_of_their_function(place):
    text = PROGRAM.replace('int main(int argc, char **argv)\n', 'template <typename number> static int count(number argc)\n')
    text = text.replace('	if (argc > 1)\n		pause();\n', '') + 'int main(int argc, char **argv)\n{\n	return count(argc);\n}\n'
    found = document(place, build(place, text, compiler='g++', source='prog.cc', flags=['-fno-inline']), code=1)
    check_equal({one['function'].split('<')[0] for one in found['findings'][0]['places']}, {'count'})


def test_what_costs_little_is_left_out(place):
    program = build(place)
    said = run(place, '--least=100', program, code=0).stderr
    check_in('1 shared object that costs less (--all lists them)', said)
    check_not_in('false sharing:', said)
    said = run(place, '--least=100', '--all', program, code=0).stderr
    check_in('false sharing: threads 0, 1', said)


COPIES = r'''#include <omp.h>
#include <string.h>
static _Alignas(64) char line[64];
int main(int argc, char **argv)
{
#pragma omp parallel num_threads(2)
	{
		char *mine = line + omp_get_thread_num() * 32;
		for (long i = 0; i < 30000; i++) {
			CALL;
			__asm__ volatile("" : : "r"(mine) : "memory");
		}
	}
	return 0;
}
'''


def test_a_program_calls_its_own_copy_of_the_access_calls(place):
    need('nm')
    build(place)
    symbols = dict(line.split()[-2:][::-1] for line in place.run('nm', 'prog').stdout.splitlines())
    check_equal(symbols['__tsan_write8'], 't')
    check_equal([name for name, kind in symbols.items() if kind == 'U' and name.startswith('__tsan')], [])
    exported = place.run('nm', '-D', '--defined-only', 'prog').stdout
    check_not_in('__tsan', exported)


def test_accesses_of_a_library_that_something_else_has_linked(place):
    place.write('lib.c', 'long d[2];\nvoid bump(int t)\n{\n\td[t]++;\n}\n')
    place.write('main.c', PROGRAM.replace('static struct', 'void bump(int);\nstatic struct').replace('c[t].n++;', 'c[t].n++, bump(t);'))
    place.run('ompinst', 'sharing', 'gcc', '-O2', '-fPIC', '-c', 'lib.c')
    place.run('gcc', '-shared', 'lib.o', '-o', 'libbump.so')
    place.run('ompinst', 'sharing', 'gcc', '-O2', '-fopenmp', 'main.c', './libbump.so', '-o', 'prog')
    found = document(place, './prog', code=1)
    # Each of the threads reads and writes 225000 times in the program, and as often in the library.
    for finding in found['findings']:
        if not 800000 <= finding['transfers'] <= 900000:
            raise AssertionError(f"{finding['variable']}: {finding['transfers']} transfers")
    check_equal(sorted(finding['variable'] for finding in found['findings']), ['c', 'd'])


def test_copies_are_seen(place):
    for number, call in enumerate(('memcpy(mine, argv[0], (unsigned)argc * 2)', 'memmove(mine, argv[0], argc)', 'memset(mine, 1, argc)')):
        for flags in ((), ('-D_FORTIFY_SOURCE=2',)):
            found = document(place, build(place, COPIES.replace('CALL', call), source=f'copy{number}.c', flags=flags), code=1)
            (finding,) = [one for one in found['findings'] if one['kind'] == 'false-sharing']
            check_equal((finding['variable'], finding['places'][0]['line']), ('line', 10), call)


def test_steps_of_a_build(place):
    need('gcc')
    place.write('prog.c', PROGRAM)
    place.run('ompinst', 'sharing', 'gcc', '-O2', '-fopenmp', '-c', 'prog.c', '-o', 'prog.o')
    place.run('ompinst', 'sharing', 'gcc', '-fopenmp', 'prog.o', '-o', 'prog')
    check_in('c[0].n', run(place, './prog', code=1).stderr)


def test_a_source_in_another_folder_is_found(place):
    """Its path is relative to the folder of the compiler, and the program runs in a third one."""
    os.makedirs(place.path('src'))
    build(place, source='src/prog.c')
    os.makedirs(place.path('work'))
    said = place.run('ompinst', 'sharing', 'run', '--transfer=10', '../prog', cwd='work', code=1).stderr
    check_in('c[t].n++;', said)
    check_in(f"{place.folder}/src/prog.c:{ACCESS}:", said)


def test_without_run_it_is_the_program(place):
    done = place.run(build(place), code=3)
    check_equal((done.stdout, done.stderr), ('450000\n', ''))


def test_the_status_of_the_program(place):
    run(place, '--program-status', build(place), code=3)


def test_a_killed_program_reports_what_it_has(place):
    build(place)
    command = [os.path.join(bench.BIN, 'ompinst'), 'sharing', 'run', '--transfer=10', '--format=json', '--output=report', './prog', 'wait']
    with subprocess.Popen(command, cwd=place.folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        check_equal(process.stdout.readline(), b'450000\n')
        process.send_signal(signal.SIGTERM)
        process.wait()
    found = json.loads(place.read('report'))
    check_equal((found['run']['end'], found['findings'][0]['variable']), ('interrupted', 'c'))


def test_the_time_limit(place):
    found = document(place, '--time=5', build(place), 'wait', code=1)
    check_equal((found['run']['end'], found['findings'][0]['variable']), ('time', 'c'))


def test_proof(place):
    said = run(place, '--prove', build(place), code=1).stderr
    check_in('proof: not tried: only blocks of the heap can be set apart, not variables', said)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'kernels', 'heap-blocks.c'), encoding='utf-8') as file:
        program = build(place, file.read())
    found = document(place, '--prove', program, code=1)
    (finding,) = found['findings']
    check_equal((finding['memory'], finding['unproved']), ('heap', None))
    if min(finding['seconds_before'], finding['seconds_apart']) <= 0:
        raise AssertionError(f'no times: {finding}')


def test_the_cost_is_measured_with_a_plain_build(place):
    program = build(place)
    place.run('gcc', '-O2', '-fopenmp', 'prog.c', '-o', 'plain')
    found = document(place, '--plain=./plain', program, code=1)
    if min(found['run']['plain_seconds'], found['run']['plain_seconds_on_one']) <= 0:
        raise AssertionError(f"no times: {found['run']}")
    check_in("'./plain' takes ", run(place, '--plain=./plain', program, code=1).stderr)
    check_in("'true' ended otherwise, so nothing was measured with it", run(place, '--plain=true', program, code=1).stderr)
    check_in('no-such-program', run(place, '--plain=no-such-program', program, code=2).stderr)


def test_blocks_that_are_set_apart_share_no_lines(place):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'kernels', 'heap-blocks.c'), encoding='utf-8') as file:
        program = build(place, file.read())
    os.mkdir(place.path('logs'))

    def log(more):
        place.run(program, env={'OMPINST_SHARING': f"log={place.path('logs')}{more}"})
        (name,) = os.listdir(place.path('logs'))
        text = place.read(f'logs/{name}')
        os.unlink(place.path(f'logs/{name}'))
        return text

    lines = log('').split('\n')
    frame = next(line for line in lines if line.startswith('frame\t'))
    apart = log(',apart=' + frame.split('\t')[1])
    shared = re.sub(r'\nmoved\t.*?\nend\b', '', apart, flags=re.DOTALL)
    check_not_in('\nframe\t' + frame.split('\t')[1], shared)


def test_a_long_atomic_operation(place):
    """Of 16 bytes, which processors need not have; and a program that knows ThreadSanitizer."""
    text = r'''#include <atomic>
#include <cstdio>
#ifdef __SANITIZE_THREAD__
#error the program is another one for ThreadSanitizer
#endif
extern "C" void __tsan_release(void *);
struct pair { long first, second; };
static std::atomic<pair> both;
int main()
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 20000; i++) {
		pair old = both.load();
		__tsan_release(&both);
		while (!both.compare_exchange_weak(old, pair{old.first + 1, old.second + 2}))
			;
	}
	pair last = both.exchange(pair{0, 0});
	std::printf("%ld %ld\n", last.first, last.second);
}
'''
    build(place, text, compiler='g++', source='prog.cc')
    found = document(place, './prog', code=1)
    check_equal((found['findings'][0]['kind'], found['findings'][0]['variable']), ('true-sharing', 'both'))
    check_equal(place.run('./prog').stdout, '20000 40000\n')


def test_a_program_without_debug_information(place):
    said = run(place, build(place, flags=['-s']), code=1).stderr
    check_in("prog' has no debug information (it was linked with -s, or stripped): places in it are addresses", said)


def test_clang(place):
    need(bench.CLANG)
    said = run(place, build(place, compiler=bench.CLANG), code=1).stderr
    check_in('false sharing: threads 0, 1', said)
    check_in(f'prog.c:{ACCESS}:', said)


def test_a_program_that_was_built_otherwise(place):
    need('gcc')
    place.write('prog.c', PROGRAM)
    place.run('gcc', '-fopenmp', 'prog.c', '-o', 'prog')
    done = run(place, './prog', code=2)
    check_equal(done.stdout, '')
    check_in("'./prog' was not built to have its accesses noted; compile and link it with 'ompinst sharing gcc'", done.stderr)
    done = run(place, 'true', code=2)
    check_in("neither 'true' nor a program that it started was built to have its accesses noted", done.stderr)


def test_mistakes(place):
    place.write('prog.c', PROGRAM)
    for words, said in (
            (['sharing'], "expected a compiler's command, or 'run' and a program, behind 'sharing'"),
            (['sharing', '--all', 'gcc'], "unknown option '--all' for 'ompinst sharing'"),
            (['sharing', 'no-such-compiler'], "expected a compiler or 'run' behind 'sharing', found 'no-such-compiler'"),
            (['sharing', 'gcc', '-fsanitize=address', 'prog.c'], "'-fsanitize=address' cannot be among the flags of 'ompinst sharing'"),
            (['sharing', 'gcc', '-static', 'prog.c'], "'-static' cannot be among the flags of 'ompinst sharing'"),
            (['sharing', 'gcc', '-static-pie', 'prog.c'], "'-static-pie' cannot be among the flags of 'ompinst sharing'"),
            (['sharing', 'run'], "expected a program to run; see 'ompinst sharing run --help'"),
            (['sharing', 'run', '--least=101', 'true'], '--least'),
            (['sharing', 'run', '--format=json', 'true'], '--format=json, --format=sarif and --format=html need --output=FILE'),
            (['sharing', 'run', './missing'], 'missing')):
        check_in(said, place.run('ompinst', *words, code=2).stderr)
    for words in (['sharing', '--help'], ['sharing', 'run', '--help']):
        check_in('usage: ompinst sharing', place.run('ompinst', *words).stdout)


if __name__ == '__main__':
    bench.main(globals())
