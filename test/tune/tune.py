#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst tune` as its user sees it. The programs are scripts whose printed number depends on their
environment alone, so that no result depends on times.
"""
import collections
import html.parser
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_all_gone, check_equal, check_in, check_not_in, need, skip, wait_for  # noqa: E402

METRIC = '--metric=time: ([0-9.]+)'
NONE = '--without=threads,binding,wait,schedule,tasks,malloc,arenas,pages'
FAKE = r'''#!/bin/sh
n=100
[ "$FAST" = 1 ] && n=$((n - 20))
[ "$MORE" = 1 ] && n=$((n - 10))
[ "$SLOW" = 1 ] && n=$((n + 30))
[ "$OTHER" = 1 ] && echo other
echo result 42
echo "time: $n s"
[ "$DIES" = 1 ] && kill -KILL $$
[ "$FAILS" = 1 ] && { echo the reason >&2; exit 3; }
[ "$HANGS" = 1 ] && exec sleep 1000
exit 0
'''
FOUND, NOTHING, WRONG = 0, 1, 2


def tune(place, *words, code=FOUND, text=FAKE, command=('./fake',), **rest):
    place.write('fake', text, 0o755)
    return place.run('ompinst', 'tune', '--seed=1', '--quiet', NONE, METRIC, *words, *command, code=code,
                     **{'stdin': subprocess.DEVNULL, **rest})


def tries(*names):
    return [f'--try={name}=1' for name in names]


def report(place, *words, **rest):
    """The JSON document, and its settings by title."""
    found = json.loads(tune(place, '--json', *words, **rest).stdout)
    return found, {one['setting']: one for one in found['settings']}


def row(text, title):
    """The line of the table as its columns."""
    lines = [line for line in text.splitlines() if line.startswith(f' {title} ')]
    check_equal(len(lines), 1)
    return lines[0][len(title) + 1:].split(None, 4)


def test_gains_are_found_and_combined(place):
    done = tune(place, *tries('SLOW', 'MORE', 'NOTHING', 'FAST'), '-o', 'settings')
    check_equal(row(done.stdout, 'FAST=1')[0], '1.25')
    check_equal(row(done.stdout, 'FAST=1')[4], 'gain')
    check_equal(row(done.stdout, 'MORE=1')[4], 'gain')
    check_equal(row(done.stdout, '... and MORE=1')[0], '1.14')
    check_equal(row(done.stdout, 'all of them together')[:3], ['1.43', '1.43', '1.43'])
    check_equal(row(done.stdout, 'SLOW=1')[4], 'seems worse')
    check_equal(row(done.stdout, 'NOTHING=1')[4], 'no gain in sight')
    check_in('1.43 times better (1.43 to 1.43)', done.stdout)
    check_in('  env MORE=1 FAST=1 ./fake\n', done.stdout)
    check_equal([line for line in place.read('settings').splitlines() if not line.startswith('#')], ['MORE=1', 'FAST=1'])
    check_in('seed 1', done.stdout)


def test_nothing_to_gain(place):
    done = tune(place, *tries('SLOW', 'NOTHING'), '-o', 'settings', code=NOTHING)
    check_in('No setting is a sure gain of at least 3 %.', done.stdout)
    check_not_in('env', done.stdout)
    assert all(line.startswith('#') for line in place.read('settings').splitlines()), place.read('settings')
    done = tune(place, *tries('MORE'), '--min-gain=20%', code=NOTHING)
    check_in('at least 20 %', done.stdout)


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order, and counts them by class or name."""

    def __init__(self, text):
        super().__init__()
        self.open, self.counts, self.words = [], collections.Counter(), ''
        self.feed(text)
        check_equal(self.open, [])

    def handle_starttag(self, tag, attributes):
        self.counts[dict(attributes).get('class', tag)] += 1
        for name, value in attributes:
            assert not name.startswith('on') and name not in ('src', 'href'), f'{name}={value}'
        if tag not in ('meta', 'line', 'circle'):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        check_equal(self.open.pop(), tag)

    def handle_data(self, data):
        self.words += data


def test_the_page_shows_each_pair(place):
    tune(place, *tries('FAST', 'SLOW', 'FAILS'), '--try=X=<b>"&', '--page=page.html', text=FAKE.replace('the reason', '"<i>"'))
    page = Page(place.read('page.html'))
    check_equal(page.counts['gain'], 2)         # and once more
    check_equal(page.counts['pair'], 12 + 11)    # of FAST, compared until it was sure, and once more
    check_equal(page.counts['first'], 3 * 2)     # of FAST, SLOW and X
    check_equal(page.counts['range'], 2)
    check_equal(page.counts['svg'], 5)
    check_equal(page.counts['script'] + page.counts['b'] + page.counts['i'], 0)
    for part in '1.25 times better (1.25 to 1.25), 11 pairs', 'X=<b>"&', "printed '<i>' last", 'FAST=1, once more', 'seed 1.':
        check_in(part, page.words)


def test_larger_is_better(place):
    found, by = report(place, *tries('FAST', 'SLOW'), '--larger')
    check_equal(found['best']['variables'], {'SLOW': '1'})
    check_equal(by['SLOW=1']['gain'], 1.3)
    check_equal(by['FAST=1']['verdict'], 'seems worse')


def test_the_document_has_everything(place):
    found, by = report(place, *tries('FAST', 'MORE', 'DIES'), '--min-gain=5', text=FAKE)
    check_equal([found[name] for name in ('command', 'seed', 'min_gain', 'metric', 'ended', 'different_output')],
                ['./fake', 1, 0.05, 'time: ([0-9.]+)', None, None])
    assert found['other_programs'] is None or 0 <= found['other_programs'] <= os.cpu_count() + 1, found['other_programs']
    check_equal(by['FAST=1']['variables'], {'FAST': '1'})
    check_equal(by['FAST=1']['against'], 'unchanged')
    check_equal(by['... and MORE=1']['against'], 'FAST=1')
    check_equal(by['... and MORE=1']['variables'], {'FAST': '1', 'MORE': '1'})
    check_equal(set(by['FAST=1']['ratios']), {1.25})
    check_equal(by['DIES=1']['gain'], None)
    check_equal(found['best'], {'variables': {'FAST': '1', 'MORE': '1'}, 'gain': 1.428571, 'low': 1.428571, 'high': 1.428571})


def test_what_fails_or_prints_other_output_is_out(place):
    done = tune(place, *tries('FAST', 'DIES', 'FAILS', 'OTHER'))
    for name in 'DIES', 'FAILS', 'OTHER':
        check_equal(row(done.stdout, f'{name}=1')[-1], 'cannot be used')
    check_in('DIES=1: the program was ended by signal 9 (Killed).', done.stdout)
    check_in("FAILS=1: the program ended with exit status 3, expected 0 and printed 'the reason' last.", done.stdout)
    check_in("OTHER=1: the program prints other output: line 1 is 'other', unchanged 'result 42'.", done.stdout)
    check_in('  env FAST=1 ./fake', done.stdout)
    done = tune(place, *tries('FAST', 'OTHER'), '--ignore=^other$')
    check_equal(row(done.stdout, 'OTHER=1')[-1], 'no gain in sight')


def test_what_hangs_is_ended(place):
    seconds = int(10 * bench.TIME_LIMITS)
    done = tune(place, *tries('FAST', 'HANGS'), f'--run-time={seconds}')
    check_in(f'HANGS=1: the program did not end within {seconds} s.', done.stdout)
    check_in('env FAST=1', done.stdout)


def test_an_unchanged_run_that_hangs_after_others_is_repeated(place):
    seconds = int(10 * bench.TIME_LIMITS)
    with tempfile.TemporaryDirectory() as folder:
        runs = os.path.join(folder, 'runs')
        hangs = f'[ -n "$FAST" ] || {{ echo run >> {runs}; [ $(grep -c run {runs}) -ne 5 ] || exec sleep 1000; }}'
        done = tune(place, *tries('FAST'), f'--run-time={seconds}', text=FAKE.replace('n=100', f'{hangs}\nn=100'))
    check_in('1 unchanged run did not end in time, and was repeated.', done.stdout)
    check_in('env FAST=1', done.stdout)


def test_an_unchanged_program_that_does_not_work(place):
    for body, words, said in (
            ('exit 3', (), "'./fake', unchanged, ended with exit status 3, expected 0; its standard input is empty unless"),
            ('echo no such file; echo cannot go on >&2; exit 1', (), "expected 0 and printed 'cannot go on' last; its"),
            ('kill -TERM $$', (), "'./fake', unchanged, was ended by signal 15 (Terminated); nothing is tuned"),
            ('exec sleep 1000', ('--run-time=1',), 'did not end within 1 s; --run-time=SECONDS'),
            ('exec sleep 1000', ('--budget=1s',), 'did not end within 1 s; --run-time=SECONDS and --budget=TIME'),
            ('echo hello', (), "printed no line that matches 'time: ([0-9.]+)'; nothing is tuned"),
            ('echo "time: 0"', (), "printed '0' as the metric, expected a number above 0; nothing is tuned"),
            ('[ "$OMP_STACKSIZE" = 256M ] || kill -SEGV $$', (), 'signal 11 (Segmentation fault); nothing is tuned'),
            ('[ "$OMP_STACKSIZE" = 256M ] || kill -SEGV $$; echo "time: 1"', (),
             'signal 11 (Segmentation fault); with OMP_STACKSIZE=256M it does not: set that'),
            ('echo run >> runs; [ $(grep -c run runs) -lt 5 ] || exit 4; echo "time: 1"', (), 'ended with exit status 4')):
        if place.exists('runs'):
            os.remove(place.path('runs'))
        done = tune(place, *tries('FAST'), *words, text=f'#!/bin/sh\n{body}\n', code=None)
        check_in(said, done.stderr + done.stdout)
        check_equal(done.returncode, NOTHING if 'runs' in body else WRONG)


def test_a_status_other_than_0(place):
    text = FAKE.replace('exit 0', 'exit 7')
    check_in('env FAST=1', tune(place, *tries('FAST'), '--status=7', text=text).stdout)


def test_output_that_differs_anyway(place):
    text = FAKE.replace('echo result 42', 'echo run >> runs; echo result $(grep -c run runs)')
    done = tune(place, *tries('FAST', 'OTHER'), text=text)
    check_in("Two unchanged runs print different output (line 1 is 'result 2', unchanged 'result 1')", done.stdout)
    check_equal(row(done.stdout, 'OTHER=1')[-1], 'no gain in sight')
    done = tune(place, *tries('FAST', 'OTHER'), '--ignore=result', text=text)
    check_not_in('different output', done.stdout)
    check_equal(row(done.stdout, 'OTHER=1')[-1], 'cannot be used')


WRITES = FAKE.replace('echo result 42', '''
[ "$CHANGED" = 1 ] && what=other || what=same; [ "$LEAVES" = 1 ] && rm -f out/result || echo "$what" > out/result
date +%N >> log; echo temporary > gone; rm gone; [ "$MORE" = 1 ] && echo more > more''')


def test_files_that_the_program_writes(place):
    os.mkdir(place.path('out'))
    place.write('kept', 'mine')
    os.symlink('kept', place.path('link'))
    done = tune(place, *tries('FAST', 'CHANGED', 'LEAVES', 'MORE'), text=WRITES)
    for name, what in ('CHANGED', "other content in the file 'out/result' than"), ('LEAVES', "no file 'out/result', which"):
        check_equal(row(done.stdout, f'{name}=1')[-1], 'cannot be used')
        check_in(f'{name}=1: the program leaves {what} the unchanged program', done.stdout)
    check_equal(row(done.stdout, 'MORE=1')[-1], 'gain')  # a file that only a changed program writes is not looked for
    check_in("The program writes files ('log', 'out/result'), and each run finds those of the run before; "
             "not compared, because two unchanged runs leave other content: 'log'.\n", done.stdout)
    found, _ = report(place, *tries('FAST', 'CHANGED'), text=WRITES)
    check_equal((found['written_files'], found['different_files']), (['log', 'out/result'], ['log']))
    check_not_in('writes files', tune(place, *tries('FAST')).stdout)


def test_files_that_depend_on_the_input(place):
    place.write('inputs', 'one 1\ntwo 2\n')
    text = FAKE.replace('echo result 42', 'echo "$1 $CHANGED" > out; echo x > "$1.out"; for i in 1 2 3 4; do echo > "$1.$i"; done')
    done = tune(place, *tries('FAST'), '--try=CHANGED=', '--inputs=inputs', text=text)
    check_in("The program writes files ('one.1', 'one.2', 'one.3', 'one.4' and 7 more), and each run finds those of the run before.\n",
             done.stdout)
    done = tune(place, *tries('FAST', 'CHANGED'), '--inputs=inputs', text=text)
    check_in("CHANGED=1: the program leaves other content in the file 'out' than the unchanged program.", done.stdout)


def test_a_folder_with_too_many_files(place):
    os.mkdir(place.path('many'))
    for i in range(20000):
        os.mknod(place.path(f'many/{i}'))
    done = tune(place, *tries('FAST'), '--budget=4', text=WRITES.replace('out/', ''), code=NOTHING)
    check_in('The current folder has more than 20000 files: those that the program writes are not compared.\n', done.stdout)


READS = '#!/bin/sh\nread word; echo "read $word"; [ "$FAST" = 1 ] && echo "time: 8" || echo "time: 10"; exec cat\n'


def test_standard_input(place):
    place.write('input', 'hello\nmore\n')
    text = READS.replace('exec cat', '[ "$word" = "$WANTED" ] || exit 5; [ "$(cat)" = "$REST" ] || exit 6')
    wanted = {'WANTED': 'hello', 'REST': 'more'}
    tune(place, *tries('FAST'), '--stdin=input', text=text, env=wanted)
    with open(place.path('input')) as file:
        tune(place, *tries('FAST'), text=text, env=wanted, stdin=file)
    tune(place, *tries('FAST'), text=text.replace('read word;', 'read word; true;'), env={'WANTED': '', 'REST': ''})
    check_in("cannot read 'absent'", tune(place, *tries('FAST'), '--stdin=absent', code=WRONG).stderr)
    said = place.run('ompinst', 'tune', NONE, METRIC, *tries('FAST'), './fake', input='hello\n', code=None).stderr
    check_in("the program's standard input is empty: --stdin=FILE", said)


def test_inputs_are_all_run(place):
    text = '#!/bin/sh\necho "$*" >> words\n[ "$FAST" = 1 ] && [ "$2" = large ] && echo "time: 5" || echo "time: 10"\n'
    place.write('inputs', 'small 1\nlarge 2\n')
    done = tune(place, *tries('FAST'), '--inputs=inputs', text=text, command=('./fake', 'first'))
    check_equal(row(done.stdout, 'FAST=1')[0], '1.41')  # the geometric mean of 1 and 2
    check_equal(set(place.read('words').splitlines()), {'first small 1', 'first large 2'})
    done = tune(place, *tries('FAST'), '--inputs=inputs', text=text.replace('echo "$*"', '[ "$2" = small ] || exit 9; echo "$*"'),
                command=('./fake', 'first'), code=WRONG)
    check_in("'./fake', unchanged with input 2, ended with exit status 9", done.stderr)
    place.write('inputs', '"small one" \\"2\\"\n')
    tune(place, *tries('FAST'), '--inputs=inputs', text=text.replace('"$*"', '"$1,$2,$3"'), command=('./fake', 'first'), code=1)
    check_in('first,small one,"2"\n', place.read('words'))
    place.write('inputs', "small 1\nit's\n")
    check_in("inputs:2: a quotation that begins with ' has no end in 'it's'", tune(place, *tries('FAST'), '--inputs=inputs', code=WRONG).stderr)
    place.write('inputs', '')
    check_in("'inputs' has no line", tune(place, *tries('FAST'), '--inputs=inputs', code=WRONG).stderr)


REGIONS = r'''#!/bin/sh
n=800; [ "$FAST" = 1 ] && n=600
[ "$FAST" = 1 ] && [ "$UNSEEN" = 1 ] && exit 0
echo "$POMP_DISABLE $POMP_ENABLE_TRACING $POMP_SUMMARY_FORMAT" >> seen
{ echo kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns,threads,body_min_ns
echo total,wall,,,,,,999,,,
echo "region,parallel,,\"src/a \"\"b\"\".c\",7,9,1,$n,0,4,0"
echo "region,for,,\"src/a \"\"b\"\".c\",7,9,1,500,0,4,0"
echo "region,critical,update,src/c.c,8,9,1,$((2 * n)),0,1,0"; } > "$POMP_SUMMARY"
'''


def test_the_time_of_a_region(place):
    def measured(name, code=FOUND, **rest):
        done = tune(place, *tries('FAST'), f'--metric=region={name}', text=REGIONS, code=code, **rest)
        return done if code == WRONG else done.stdout
    for name in 'a "b".c:7', 'src/a "b".c:7', 'a "b".c:7 parallel', 'parallel', 'update', 'c.c:8', 'critical':
        said = measured(name, env={'POMP_DISABLE': 'yes'})
        check_equal(row(said, 'FAST=1')[0], '1.33')
        check_in('1.33 times faster (1.33 to 1.33)', said)
        check_in(f"The gains are those of the time in region '{name}', on average of its threads.", said)
    check_equal(set(place.read('seen').splitlines()), {'no no csv'})
    measured('a "b".c:7 for', code=NOTHING)
    for name in '"b".c:7', 'c:8', 'c.c:80', 'c.c', 'for ', 'a "b".c:7 critical', 'wall':
        check_in(f"'./fake', unchanged, has executed no region '{name}', but src/a \"b\".c:7 parallel, src/a \"b\".c:7 for, src/c.c:8 "
                 'critical; nothing is tuned', measured(name, code=WRONG).stderr)
    said = tune(place, *tries('FAST'), '--metric=region=c.c:8', text=REGIONS, code=NOTHING, env={'UNSEEN': '1'}).stdout
    check_in("FAST=1: the program left no summary, from which the time of region 'c.c:8' would come: it is not built by ompinst, or", said)
    check_in('left no summary', tune(place, *tries('FAST'), '--metric=region=c.c:8', code=WRONG).stderr)
    found, _ = report(place, *tries('FAST'), '--metric=region=c.c:8', text=REGIONS)
    check_equal((found['metric'], found['region']), ('region', 'c.c:8'))


def test_the_time_of_a_region_that_libpomp_measures(place):
    need('gcc')
    place.write('loop.c', LOOP.replace('KIND', 'static'))
    place.run('ompinst', 'gcc', '-fopenmp', 'loop.c', '-o', 'loop')
    words = 'ompinst', 'tune', '--json', '--quiet', NONE, '--try=X=1', '--budget=4'
    found = json.loads(place.run(*words, '--metric=region=loop.c:5', './loop', code=NOTHING).stdout)
    check_equal(found['runs'], 4)
    said = place.run(*words, '--metric=region=loop.c:6', './loop', code=WRONG).stderr
    check_in("has executed no region 'loop.c:6', but loop.c:5 parallel, loop.c:5 for; nothing is tuned", said)


def test_a_launcher_in_front(place):
    done = tune(place, *tries('FAST'), command=('--', 'env', '-u', 'MORE', './fake'))
    check_in('  env FAST=1 env -u MORE ./fake', done.stdout)


def test_several_variables_and_conflicts(place):
    found, by = report(place, '--try=FAST=1 MORE=1', '--try=FAST=2', '--try=FAST=1')
    check_equal(found['best']['variables'], {'FAST': '1', 'MORE': '1'})
    assert not any('...' in title for title in by), by.keys()


def test_tunables_are_added_to_the_users(place):
    text = '#!/bin/sh\necho "$GLIBC_TUNABLES" >> seen\necho "time: 1"\n'
    tune(place, '--try=GLIBC_TUNABLES=glibc.malloc.hugetlb=1', text=text, code=NOTHING,
         env={'GLIBC_TUNABLES': 'glibc.malloc.check=0'})
    check_equal(set(place.read('seen').splitlines()),
                {'glibc.malloc.check=0', 'glibc.malloc.check=0:glibc.malloc.hugetlb=1'})


def test_the_seed_orders_the_runs(place):
    text = FAKE.replace('echo result 42', 'echo "$FAST $MORE $SLOW" >> "$SEEN"')
    orders = []
    for seed in 1, 1, 2:
        place.write('seen', '')
        tune(place, *tries('FAST', 'MORE', 'SLOW'), f'--seed={seed}', text=text, env={'SEEN': 'seen'})
        orders.append(place.read('seen'))
    check_equal(orders[0], orders[1])
    assert orders[0] != orders[2], 'another seed makes the same order'


def test_a_budget_of_runs(place):
    text = FAKE.replace('echo result 42', 'echo run >> runs')
    done = tune(place, *tries('FAST', 'MORE'), '--budget=10', text=text, code=NOTHING)
    check_in('The budget was used up before everything was decided.', done.stdout)
    check_in('10 runs in', done.stdout)
    check_equal(place.read('runs').count('run'), 10)
    check_equal(row(done.stdout, 'FAST=1')[-1], 'not finished')
    done = tune(place, *tries('FAST', 'MORE'), '--budget=70')
    check_in('each added to those before; together they were not compared.\n  env FAST=1 MORE=1 ./fake\n', done.stdout)
    done = tune(place, *tries('FAST'), '--budget=1', code=WRONG)
    check_in('the budget is used up by the first 1 runs', done.stderr)


def settings_of(place, *words, env=None, command=('./fake',), **rest):
    """The variables of the settings that would be tried, each as one text, and what is not tried."""
    place.write('fake', '#!/bin/sh\necho "time: 1"\n', 0o755)
    done = place.run('ompinst', 'tune', '--quiet', '--json', '--budget=2', '--try=X=1', METRIC, *words, *command, env=env,
                     code=None, stdin=subprocess.DEVNULL, **rest)
    check_equal((done.returncode, done.stderr), (NOTHING, ''))
    found = json.loads(done.stdout)
    return {' '.join(f'{name}={value}' for name, value in one['variables'].items()) for one in found['settings']}, found['not_tried']


def test_which_settings_are_tried(place):
    if len(os.sched_getaffinity(0)) < 2:
        skip('needs two processors')
    every, _ = settings_of(place)
    for one in 'OMP_NUM_THREADS=1', 'OMP_WAIT_POLICY=active', 'OMP_PROC_BIND=close OMP_PLACES=cores', 'OMP_SCHEDULE=guided', 'X=1':
        check_in(one, every)
    check_equal(settings_of(place, '--only=wait')[0], {'X=1', 'OMP_WAIT_POLICY=active', 'OMP_WAIT_POLICY=passive'})
    check_equal(settings_of(place, '--only=wait', env={'OMP_WAIT_POLICY': 'active'})[0], {'X=1', 'OMP_WAIT_POLICY=passive'})
    assert not any(one.startswith('OMP_WAIT') for one in settings_of(place, '--without=wait')[0])
    threads = len(os.sched_getaffinity(0))
    check_not_in(f'OMP_NUM_THREADS={threads}', every)
    check_in(f'OMP_NUM_THREADS={threads}', settings_of(place, '--only=threads', env={'OMP_NUM_THREADS': '77'})[0])


LOOP = r'''#include <stdio.h>
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(KIND)
	for (int i = 0; i < 10; i++)
		sum += i;
	printf("time: %d\n", sum);
	return 0;
}
'''


def test_schedules_of_programs_with_such_loops(place):
    need('gcc')
    place.write('loop.c', LOOP)
    for kind, tried in ('runtime', True), ('static', False):
        place.run('gcc', '-fopenmp', f'-DKIND={kind}', 'loop.c', '-o', kind)
        found, left_out = settings_of(place, '--only=schedule', command=(f'./{kind}',))
        check_equal('OMP_SCHEDULE=dynamic' in found, tried)
        check_equal(left_out, [] if tried else ['schedule is not tried: the program has no loop with schedule(runtime)'])
        # Behind another program it cannot be known.
        check_in('OMP_SCHEDULE=dynamic', settings_of(place, '--only=schedule', command=('--', 'env', f'./{kind}'))[0])


# Its number is 100 if thread i % 4 executes iteration i of the first loop and thread i / 15 that of the second.
LOOPS = r'''#include <omp.h>
#include <stdio.h>
enum { COUNT = 60, THREADS = 4 };
int main(void)
{
	int owner[2][COUNT], wrong = 0;
#pragma omp parallel for num_threads(THREADS) /* first */
	for (int i = 0; i < COUNT; i++)
		owner[0][i] = omp_get_thread_num();
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) /* second */
	for (int i = 0; i < COUNT; i++)
		owner[1][i] = omp_get_thread_num();
MORE
	for (int i = 0; i < COUNT; i++)
		wrong += (owner[0][i] != i % THREADS) + (owner[1][i] != i / (COUNT / THREADS));
	printf("time: %d\n", 100 + wrong);
	return 0;
}
'''
MORE_LOOP = '#pragma omp parallel for schedule(KIND)\nfor (int i = 0; i < 2; i++)\nowner[0][i] += 0;\n'


def build_loops(place, more=''):
    need('gcc')
    place.write('loops.c', LOOPS.replace('MORE', more))
    place.run('ompinst', '--tunable-loops', 'gcc', '-fopenmp', 'loops.c', '-o', 'loops')


def line_of(word):
    return [number for number, line in enumerate(LOOPS.splitlines(), 1) if f'/* {word} */' in line][0]


def test_schedules_of_single_loops(place):
    build_loops(place)
    first, second = (f'loops.c:{line_of(word)}' for word in ('first', 'second'))
    done = place.run('ompinst', 'tune', '--seed=1', '--quiet', '--only=schedule', METRIC, '-o', 'settings', './loops',
                     stdin=subprocess.DEVNULL)
    both = f'POMP_LOOP_SCHEDULES={first}=static,1;{second}=static'
    check_equal([line for line in place.read('settings').splitlines() if not line.startswith('#')], [both])
    check_in(f"  env '{both}' ./loops\n", done.stdout)
    check_not_in('OMP_SCHEDULE', done.stdout)
    check_not_in('not tried', done.stdout)
    quiet = {'POMP_SUMMARY': 'off'}
    check_equal(place.run('ompinst', 'run', '--tuned=settings', './loops', env=quiet).stdout, 'time: 100\n')
    check_equal(place.run('sh', '-c', 'env ' + done.stdout.split('  env ')[1].splitlines()[0], env=quiet).stdout, 'time: 100\n')


def test_which_loops_are_tried(place):
    build_loops(place, MORE_LOOP.replace('KIND', 'dynamic, 16') * 6 + MORE_LOOP.replace('KIND', 'runtime'))
    name = 'POMP_LOOP_SCHEDULES=loops.c'
    tried, left_out = settings_of(place, '--only=schedule', command=('./loops',))
    check_in('OMP_SCHEDULE=dynamic', tried)
    check_in(f'{name}:{line_of("first")}=dynamic,16', tried)
    check_not_in(f'{name}:{line_of("first")}=static', tried)
    third = line_of('second') + 3
    check_in(f'{name}:{third}=dynamic', tried)
    check_not_in(f'{name}:{third}=dynamic,16', tried)
    check_equal(sum(one.startswith(name) for one in tried), 6 * 5)
    check_equal(left_out, ['2 further loops are not tried with other schedules: at most 6 are, and --summary=FILE says which take most time'])
    # What the user has holds, too, with the loops that are tried behind it.
    tried, _ = settings_of(place, '--only=schedule', command=('./loops',), env={'POMP_LOOP_SCHEDULES': 'x.c:1=static'})
    check_in(f'POMP_LOOP_SCHEDULES=x.c:1=static;loops.c:{third}=dynamic', tried)
    header = 'kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns\n'
    place.write('times.csv', header + f'region,for,,"loops.c",{third},9,1,5,0\nregion,parallel,,loops.c,{line_of("first")},9,1,9,0\n'
                f'region,for,,loops.c,{line_of("second")},9,1,6,0\nregion,for,,"other "", loops.c",{line_of("first")},9,1,6,0\n')
    found = settings_of(place, '--only=schedule', '--summary=times.csv', command=('./loops',))
    check_equal({one.split('=')[1] for one in found[0] if one.startswith(name)}, {f'loops.c:{third}', f'loops.c:{line_of("second")}'})
    check_equal(found[1], [])
    for file, said in ('absent', "cannot read the summary 'absent': No such file"), ('loops.c', "'loops.c' is no summary in CSV"):
        check_in(said, place.run('ompinst', 'tune', f'--summary={file}', './loops', code=WRONG).stderr)


SUMMARY = ('kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns,threads,body_min_ns,body_sum_ns,body_max_ns,x\n'
           'total,wall,,,,,,1000,,,,,,\n')


def row_of(name, line, time, most, threads=2):
    return f'region,{name},,own.c,{line},9,1,{time},0,{threads},0,0,{most},\n'


# Writes the summary that the environment has, in the place of libpomp's.
SUMMARISES = r'''#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	int sum = 0;
	FILE *out = getenv("POMP_SUMMARY_FORMAT") != NULL ? fopen(getenv("POMP_SUMMARY"), "w") : NULL;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += i;
	if (out != NULL) {
		fputs(getenv("SUMMARY"), out);
		fclose(out);
	}
	printf("time: %d\n", sum);
	fflush(stdout);
	_exit(0);
}
'''


def test_grains_of_taskloops(place):
    need('gcc')
    loop = '#pragma omp taskloop {}\n\tfor (int i = 0; i < 4; i++)\n\t\tputs("x");\n'
    place.write('own.c', '#include <stdio.h>\nint main(void)\n{\n\tputs("time: 1");\n' + loop.format('grainsize(2)') + loop.format('')
                + loop.format('num_tasks(2)') + '\treturn 0;\n}\n')
    place.run('ompinst', '--tunable-tasks', 'gcc', '-fopenmp', 'own.c', '-o', 'own')
    tried, _ = settings_of(place, '--only=tasks', command=('./own',))
    check_equal(tried, {'X=1'} | {f'POMP_TASK_GRAINS=own.c:{line}={grain}' for line in (5, 11) for grain in ('*16', '*4', '/4', '/16')})
    check_equal(settings_of(place, '--without=tasks', '--only=wait', command=('./own',))[0] & tried, {'X=1'})


def test_places_that_are_too_short_are_not_tried(place):
    if len(os.sched_getaffinity(0)) < 2:
        skip('needs two processors')
    need('gcc')
    place.write('own.c', SUMMARISES)
    place.run('ompinst', '--tunable-loops', 'gcc', '-fopenmp', 'own.c', '-o', 'own')
    for rows, loops, regions, left in (
            ([row_of('parallel', 8, 60, 20), row_of('for', 8, 50, 25), row_of('for', 11, 56, 28)], {8}, {8}, 1),
            ([row_of('parallel', 8, 40, 20), row_of('for', 8, 40, 30), row_of('for', 11, 60, 20)], {8, 11}, set(), 1),
            ([row_of('parallel', 8, 30, 20), row_of('for', 8, 30, 20), row_of('parallel', 11, 30, 2, 3)], set(), set(), 3),
            ([row_of('parallel', 8, 60, 0), row_of('parallel', 11, 90, 0)], set(), {8, 11}, 0)):
        summary = SUMMARY + ''.join(rows)
        place.write('times.csv', summary)
        for words, budget, environment in (('--summary=times.csv', '--metric=wall'), 2, {}), (('--metric=wall',), 3, {'SUMMARY': summary}):
            tried, said = settings_of(place, '--only=schedule,threads', f'--budget={budget}', *words, command=('./own',), env=environment)
            check_equal({one.split('=')[1] for one in tried if 'LOOP' in one}, {f'own.c:{line}' for line in loops})
            check_equal({one.split('=')[1] for one in tried if 'REGION' in one}, {f'own.c:{line}' for line in regions})
            check_equal(said, [f'{left} loop{"s or regions are" if left > 1 else " or region is"} too short for a gain of 3 %: not tried'] if left else [])
        # What takes little time may yet decide about another number; and with several inputs one summary does not say it.
        tried, said = settings_of(place, '--only=schedule', '--summary=times.csv', command=('./own',))
        check_equal((len([one for one in tried if 'LOOP' in one]), said), (5 * sum('for' in row for row in rows), []))
    place.write('inputs', '1\n')
    for words, text in (('--inputs=inputs',), summary), ((), 'something else'):
        tried, said = settings_of(place, '--only=schedule', '--budget=3', '--metric=wall', *words, command=('./own',), env={'SUMMARY': text})
        check_equal((len([one for one in tried if 'LOOP' in one]), said), (10, []))


def test_which_regions_are_tried(place):
    if len(os.sched_getaffinity(0)) < 2:
        skip('needs two processors')
    header = 'kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns\n'
    rows = [f'region,parallel,,a.c,{line},9,1,{line},0\n' for line in (11, 15, 0, 13, 12, 14)]
    place.write('times.csv', header + ''.join(rows) + 'region,for,,a.c,99,9,1,99,0\n')
    tried, _ = settings_of(place, '--only=threads', '--summary=times.csv')
    regions = [one for one in tried if 'REGION' in one]
    check_equal({one.split('=')[1] for one in regions}, {f'a.c:{line}' for line in (12, 13, 14, 15)})
    check_in('POMP_REGION_THREADS=a.c:15=1', regions)
    check_not_in(f'POMP_REGION_THREADS=a.c:15={len(os.sched_getaffinity(0))}', regions)
    check_equal([one for one in settings_of(place, '--only=wait', '--summary=times.csv')[0] if 'REGION' in one], [])
    tried, _ = settings_of(place, '--only=threads', '--summary=times.csv', env={'POMP_REGION_THREADS': 'b.c:1=3'})
    check_in('POMP_REGION_THREADS=b.c:1=3;a.c:15=1', tried)


def test_threads_of_regions_are_combined(place):
    if len(os.sched_getaffinity(0)) < 2:
        skip('needs two processors')
    place.write('times.csv', 'kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns\nregion,parallel,,a.c,5,9,1,7,0\n'
                'region,parallel,,a.c,8,9,1,3,0\n')
    text = FAKE.replace('[ "$OTHER"', 'case "$POMP_REGION_THREADS" in *a.c:5=1*) n=$((n - 20));; esac\n'
                        'case "$POMP_REGION_THREADS" in *a.c:8=1*) n=$((n - 10));; esac\n[ "$OTHER"')
    place.write('fake', text, 0o755)
    found = json.loads(place.run('ompinst', 'tune', '--quiet', '--json', '--only=threads', METRIC, '--summary=times.csv', './fake',
                                 stdin=subprocess.DEVNULL).stdout)
    check_equal(found['best']['variables'], {'POMP_REGION_THREADS': 'a.c:5=1;a.c:8=1'})


def test_a_summary_of_the_library_orders_loops(place):
    build_loops(place)
    place.run('./loops', env={'POMP_SUMMARY': 'times.csv', 'POMP_SUMMARY_FORMAT': 'csv'})
    # As if they were the whole program: else they may be too short.
    place.write('times.csv', re.sub('^total,wall,,,,,,[0-9]+,', 'total,wall,,,,,,1,', place.read('times.csv'), flags=re.M))
    tried, _ = settings_of(place, '--only=schedule', '--summary=times.csv', command=('./loops',))
    check_equal(sum(one.startswith('POMP_LOOP_SCHEDULES=') for one in tried), 2 * 5)


# From its run number $LAST on it stays, with another process of a session of its own.
STAYS = FAKE.replace('exit 0', r'''echo run >> runs
[ "$(grep -c run runs)" -lt "$LAST" ] && exit 0
trap '' TERM INT HUP
setsid sh -c 'trap "" TERM INT HUP; echo $$ >> pids; while :; do sleep 1; done' &
echo $$ >> pids
while :; do sleep 1; done''')


def start_staying(place, last):
    need('setsid')
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the tests would inherit that it is ignored
    place.write('fake', STAYS, 0o755)
    place.write('pids', '')
    place.write('runs', '')
    child = subprocess.Popen(['ompinst', 'tune', '--quiet', '--seed=1', '--run-time=1000', NONE, METRIC, *tries('FAST', 'MORE'),
                              './fake'],
                             cwd=place.folder, env={**place.environment, 'LAST': str(last)}, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert wait_for(lambda: len(place.read('pids').split()) == 2), 'the programs did not start'
    return child, [int(word) for word in place.read('pids').split()]


def test_signals_leave_the_best_and_no_process(place):
    for number, last, said in ((signal.SIGINT, 50, 'env FAST=1 ./fake'), (signal.SIGTERM, 50, 'env FAST=1 ./fake'),
                               (signal.SIGINT, 9, 'No setting is a sure gain')):
        child, programs = start_staying(place, last)
        child.send_signal(number)
        printed = child.communicate()[0]
        check_equal(child.returncode, -number)
        check_in('Interrupted before everything was decided.', printed)
        check_in(said, printed)
        check_all_gone(place, programs)


def test_a_signal_before_anything_is_known(place):
    child, programs = start_staying(place, 1)
    child.send_signal(signal.SIGINT)
    check_equal(child.communicate()[0], '')
    check_equal(child.returncode, -signal.SIGINT)
    check_all_gone(place, programs)


def test_killed_it_leaves_no_process(place):
    for kill in os.kill, os.killpg:
        child, programs = start_staying(place, 30)
        kill(child.pid, signal.SIGKILL)
        child.wait()
        check_all_gone(place, programs)


def test_what_a_run_leaves_behind_is_ended(place):
    need('setsid')
    text = FAKE.replace('exit 0', "setsid sh -c 'echo $$ >> pids; while :; do sleep 1; done' >/dev/null &\nexit 0")
    tune(place, *tries('FAST'), '--budget=4', text=text, code=NOTHING)
    check_all_gone(place, [int(word) for word in place.read('pids').split()] if place.exists('pids') else [])


def test_mistakes_in_the_command(place):
    for words, said in (
            ((), "expected a program to run; see 'ompinst tune --help'"),
            (('./absent',), "cannot run './absent'"),
            (('--budget=fast', 'true'), "option '--budget=fast': expected a time such as 90s, 10m or 2h, or a number of runs"),
            (('--budget=0', 'true'), 'expected a time'),
            (('--metric=region=', 'true'), 'expected a region, such as region=solver.c:29'),
            (('--metric=time', 'true'), 'with one group (...) around the number, and this has 0'),
            (('--metric=(', 'true'), 'expected an extended regular expression: '),
            (('--ignore=[', 'true'), 'expected an extended regular expression: '),
            (('--min-gain=0', 'true'), 'expected a percentage between 0.1 and 1000'),
            (('--only=thread', 'true'), "'thread' is not a setting (did you mean 'threads'?); expected threads, binding"),
            (('--try=FAST', 'true'), "expected NAME=VALUE, or several with a blank between them, and 'FAST' is none"),
            (('--try=', 'true'), 'expected NAME=VALUE'),
            (('--seed=-1', 'true'), 'expected a whole number between 0'),
            (('--status=256', 'true'), 'expected an exit status between 0 and 255'),
            (('--run-time=0', 'true'), 'expected seconds between 1'),
            (('--buget=9', 'true'), "unknown option '--buget' for 'ompinst tune' (did you mean '--budget'?)"),
            ((NONE, 'true'), 'no setting is left to try')):
        check_in(said, place.run('ompinst', 'tune', *words, code=WRONG).stderr)
    place.write('fake', FAKE, 0o755)
    done = tune(place, *tries('FAST'), '-o', 'absent/file')
    check_in("cannot write 'absent/file': No such file or directory", done.stderr)


def test_other_programs_are_counted(place):
    """A child of the test's own, not of ompinst's, keeps a processor busy for as long as the one run that takes a while."""
    with subprocess.Popen([sys.executable, '-c', 'while True: pass']) as busy:
        try:
            found, _ = report(place, *tries('FAST'), '--budget=2', text=FAKE.replace('exit 0', 'sleep 2'), code=NOTHING)
        finally:
            busy.kill()
    assert found['other_programs'] is None or found['other_programs'] > 0, found['other_programs']


def test_the_elapsed_time_is_the_metric_by_default(place):
    place.write('fake', FAKE, 0o755)
    done = place.run('ompinst', 'tune', '--budget=6', NONE, *tries('FAST'), './fake', code=NOTHING)
    check_in('how many times faster', done.stdout)
    check_equal(len(re.findall('^ompinst: note: ', done.stderr, re.M)), 1)


if __name__ == '__main__':
    bench.main(globals())
