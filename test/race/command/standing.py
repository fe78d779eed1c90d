#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which races of `ompinst race run` count: baselines, comments that allow a race, suppressions, changes since a commit;
races of one cause; and the page.
"""
import html.parser
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from race import RACY, STENCIL, SUM, build, run_race  # noqa: E402
import bench  # noqa: E402
from bench import check_equal, check_in, check_not_in, need  # noqa: E402

THIRD = '''#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		sum -= i;
'''
MOVED = '/* one line */\n\n' + RACY.replace('int main(void)\n', '\nint main(void)\n')
GROWN = MOVED.replace('\tputs(', THIRD + '\tputs(')
RUNS = ('--runs=2', '--quiet')


def races_of(place, *words, code):
    """The races of the document."""
    run_race(place, *RUNS, '--format=json', '--output=report.json', *words, './prog', code=code)
    return json.loads(place.read('report.json'))['races']


def results_of(place, *words, code):
    run_race(place, *RUNS, '--format=sarif', '--output=report.sarif', *words, './prog', code=code)
    return json.loads(place.read('report.sarif'))['runs'][0]['results']


def test_known_races_do_not_count(place):
    build(place)
    check_equal(len({race['fingerprint'] for race in races_of(place, code=1)}), 2)
    os.rename(place.path('report.json'), place.path('base.json'))
    build(place, MOVED)
    said = run_race(place, *RUNS, '--baseline=base.json', './prog', code=0).stderr
    check_equal(said, "ompinst race: no other races in './prog' (2 runs with 8 and 3 threads)\n"
                '2 known races (of base.json): --all lists them\n')
    build(place, GROWN)
    said = run_race(place, *RUNS, '--baseline=base.json', './prog', code=1).stderr
    check_equal(said.count('race: iterations'), 1)
    check_in('at prog.c:16: nothing orders them', said)
    check_in("ompinst race: 1 race in './prog'", said)
    check_in('2 known races (of base.json): --all lists them\n', said)
    said = run_race(place, *RUNS, '--all', '--baseline=base.json', './prog', code=1).stderr
    check_equal(said.count('known: iterations'), 2)
    states = {race['places'][0]['line']: (race['baseline_state'], race['standing'], race['counts'])
              for race in races_of(place, '--baseline=base.json', code=1)}
    check_equal(states, {SUM + 3: ('unchanged', 'known', False), STENCIL + 3: ('unchanged', 'known', False),
                         16: ('new', 'counts', True)})
    # What was written with a baseline is the next one: it has all.
    run_race(place, *RUNS, '--baseline=report.json', './prog', code=0)


def test_sarif_is_a_baseline_too(place):
    build(place)
    check_not_in('baselineState', json.dumps(results_of(place, code=1)))
    os.rename(place.path('report.sarif'), place.path('base.sarif'))
    build(place, GROWN)
    states = {result['locations'][0]['physicalLocation']['region']['startLine']: result['baselineState']
              for result in results_of(place, '--baseline=base.sarif', code=1)}
    check_equal(states, {SUM + 3: 'unchanged', STENCIL + 3: 'unchanged', 16: 'new'})


def test_another_function_or_text_is_new(place):
    build(place)
    races_of(place, code=1)
    os.rename(place.path('report.json'), place.path('base.json'))
    build(place, RACY.replace('sum += i', 'sum += 2 * i'))
    check_equal([race['counts'] for race in races_of(place, '--baseline=base.json', code=1)], [True, False])
    build(place, RACY.replace('int main(void)\n{', 'int main(void)\n{\n\textern void f(void);\n\tf();\n}\nvoid f(void)\n{')
          .replace('\treturn 0;\n', ''))
    check_equal([race['counts'] for race in races_of(place, '--baseline=base.json', code=1)], [True, True])


def test_baselines_that_are_none(place):
    build(place)
    place.write('broken.json', '{"tool": "ompinst race", "races": [')
    place.write('foreign.json', '{"findings": [{"fingerprint": "x"}]}')
    place.write('lint.json', '{"tool": "ompinst lint", "findings": []}')
    place.write('old.json', '{"tool": "ompinst race", "races": [{"rule": "tasks"}]}')
    for file, why in (('missing.json', "cannot read the baseline 'missing.json': No such file or directory"),
                      ('broken.json', "the baseline 'broken.json' is no JSON, or not all of it"),
                      ('foreign.json', "the baseline 'foreign.json' has no findings of this tool"),
                      ('lint.json', "the baseline 'lint.json' has no findings of this tool: expected a report that 'ompinst race'"),
                      ('old.json', "the baseline 'old.json' has findings without fingerprints")):
        done = run_race(place, *RUNS, f'--baseline={file}', './prog', code=2)
        check_in(why, done.stderr)
        check_in('; nothing is run\n', done.stderr)
        check_equal(done.stdout, '')
    place.write('empty.json', '{"tool": "ompinst race", "races": []}')
    check_in('0 known races (of empty.json)\n', run_race(place, *RUNS, '--baseline=empty.json', './prog', code=1).stderr)


ALLOWED = (RACY.replace('\t\tsum += i', '\t\t/* omp race: allow: the sum may be inexact */\n\t\tsum += i')
           .replace('x[i] + 1;', 'x[i] + 1; // omp race: allow')
           .replace('puts("done");', 'puts("done"); // omp race: allow: nothing here'))


def test_comments_allow_races(place):
    build(place, ALLOWED)
    said = run_race(place, *RUNS, './prog', code=0).stderr
    check_equal(said, "ompinst race: no other races in './prog' (2 runs with 8 and 3 threads)\n"
                '2 races allowed by comments: --all lists them\n')
    said = run_race(place, *RUNS, '--all', './prog', code=0).stderr
    check_in('allowed: iterations of the loop', said)
    check_in('  allowed at prog.c:7: the sum may be inexact\n', said)
    check_in('  allowed at prog.c:11\n', said)
    check_in("2 races allowed by comments\nprog.c:12: allows a race, and none was found there: nothing here\n", said)
    check_equal([(race['standing'], race['reason']) for race in races_of(place, code=0)],
                [('allowed', 'prog.c:7: the sum may be inexact'), ('allowed', 'prog.c:11')])
    check_equal([result['suppressions'] for result in results_of(place, code=0)],
                [[{'kind': 'inSource', 'justification': 'prog.c:7: the sum may be inexact'}],
                 [{'kind': 'inSource', 'justification': 'prog.c:11'}]])
    # What a comment allowed is new without the comment.
    os.rename(place.path('report.json'), place.path('base.json'))
    build(place)
    check_equal([race['counts'] for race in races_of(place, '--baseline=base.json', code=1)], [True, True])


def test_comments_allow_races_in_fortran(place):
    need('gfortran')
    for source, comment in (('f.f90', '   ! omp race: allow: all the same'), ('f.f', 'c omp race: allow: all the same')):
        build(place, f'      program p\n      integer :: s = 0, i\n!$omp parallel do\n      do i = 1, 100\n{comment}\n'
              '      s = s + i\n      end do\n      end program\n', 'prog', 'gfortran', source=source)
        check_in(f'  allowed at {source}:5: all the same\n', run_race(place, *RUNS, '--all', './prog', code=0).stderr)


def test_suppressions(place):
    build(place, RACY.replace('int main', 'static void add(int i) { sum += i; }\nint main').replace('\t\tsum += i', '\t\tadd(i)'))
    place.write('list', '# a comment\nrace:^add$\n\nrace_top:pro*.c\n')
    check_in('2 races suppressed: --all lists them\n', run_race(place, *RUNS, '--suppressions=list', './prog', code=0).stderr)
    place.write('list', 'race:^add$\nmutex:x\ndeadlock:x\nthread:x\nsignal:x\ncalled_from_lib:prog\n')
    said = run_race(place, *RUNS, '--suppressions=list', '--all', './prog', code=1).stderr
    check_in('  suppressed at list:1: race:^add$\n', said)
    check_in("ompinst race: 1 race in './prog'", said)
    check_equal([(race['standing'], race['reason']) for race in races_of(place, '--suppressions=list', code=1)],
                [('suppressed', 'list:1: race:^add$'), ('counts', None)])
    check_equal([result.get('suppressions') for result in results_of(place, '--suppressions=list', code=1)],
                [[{'kind': 'external', 'justification': 'list:1: race:^add$'}], None])
    place.write('list', 'race:^x$\n')       # the variable of the other
    check_equal([race['counts'] for race in races_of(place, '--suppressions=list', code=1)], [True, False])


def test_a_library_that_calls_is_suppressed(place):
    build(place, r'''#include <string.h>
static char data[64];
int main(void)
{
#pragma omp parallel
	memcpy(data, (char[]){"some text"}, 10);
	return 0;
}
''')
    for kind, code in (('called_from_lib:prog', 0), ('called_from_lib:libother', 1), ('race_top:memcpy', 0), ('race_top:main', 1)):
        place.write('list', kind + '\n')
        run_race(place, *RUNS, '--suppressions=list', './prog', code=code)


def test_suppressions_that_are_none(place):
    build(place)
    for text, why in (('race:x\nrave:x\n', "list:2: 'rave' is no kind of suppression: expected 'KIND:PATTERN' with race, race_top"),
                      ('main\n', "list:1: 'main' is no kind of suppression"),
                      ('\nrace:\n', "list:2: expected a pattern behind 'race:'")):
        place.write('list', text)
        check_in(why, run_race(place, *RUNS, '--suppressions=list', './prog', code=2).stderr)
    check_in("cannot read the suppressions 'missing': No such file",
             run_race(place, *RUNS, '--suppressions=missing', './prog', code=2).stderr)


def test_one_missing_clause_is_one_race(place):
    build(place, r'''int a[100], b[100];
int main(void)
{
	int last, i;
#pragma omp parallel for
	for (i = 0; i < 100; i++) {
		last = i;
		a[i] = last;
		b[i] = last + 1;
	}
	return 0;
}
''')
    said = run_race(place, *RUNS, './prog', code=1).stderr
    check_equal(said.count('race: iterations'), 1)
    check_in("ompinst race: 1 race at 3 places in './prog'", said)
    check_in('  also: prog.c:7 writes last, prog.c:8 reads last\n', said)
    check_in('  also: prog.c:7 writes last, prog.c:9 reads last\n', said)
    races = races_of(place, code=1)
    check_equal([race['cause'] for race in races], [1] * len(races))
    results = results_of(place, code=1)
    check_equal(len(results), 1)
    check_equal([related['physicalLocation']['region']['startLine'] for related in results[0]['relatedLocations']], [8, 9])
    check_equal(sorted(results[0]['partialFingerprints'].values()), sorted(race['fingerprint'] for race in races))
    # A further place of a known race is known.
    del races[1:]
    place.write('base.json', json.dumps({'tool': 'ompinst race', 'races': races}))
    run_race(place, *RUNS, '--baseline=base.json', './prog', code=0)


def test_the_page_has_both_places(place):
    """One file without scripts or anything from outside, in which texts of the program are no tags."""
    text = RACY.replace('x[i + 1] = x[i] + 1;', 'x[i + 1] = // <b>&\n\t\t\tx[i] + 1;')
    text = text.replace('int main', 'static void add(int i)\n{\n\tsum += i;\n}\nint main').replace('\t\tsum += i', '\t\tadd(i)')
    build(place, text)
    run_race(place, *RUNS, '--format=html', '--output=page.html', './prog', code=1)
    page = place.read('page.html')
    for outside in ('<script', 'http:', 'https:', 'src=', 'url(', '@import', '<b>'):
        check_not_in(outside, page)
    reader = Page(page)
    check_equal(reader.open, [])
    check_equal([tag for tag in reader.tags if tag in ('html', 'main', 'nav', 'h1')], ['html', 'h1', 'main', 'nav'])
    check_equal(sorted(set(reader.links) - reader.ids), [])
    check_equal(len(reader.repeated), 0)
    check_equal(reader.words('h1'), ['./prog'])
    check_equal(len(reader.words('h2')), 3)         # two races, and what the rules mean
    check_equal(reader.words('h3')[0], 'prog.c:5 reads and writes sum')
    check_equal([line.split(None, 1) for line in reader.words('mark')[:1]], [['5', 'sum += i;']])
    check_in('main at prog.c:11', reader.words('li'))
    check_in('// <b>&', ' '.join(reader.words('pre')))
    check_in("2 races in './prog'", reader.words('p')[0])
    check_equal([text for text in reader.words('h3') if ':' not in text], ['loop-iterations'])


def test_the_page_has_the_changes(place):
    build(place)
    run_race(place, *RUNS, '--fix', '--format=html', '--output=page.html', './prog', code=1)
    check_in('+#pragma omp parallel for reduction(+: sum)', ' '.join(Page(place.read('page.html')).words('pre')))


class Page(html.parser.HTMLParser):
    """The elements of a page, which are all closed in order, and the texts in them."""
    ALONE = ('meta',)

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.links, self.texts, self.ids, self.repeated = [], [], [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        if 'id' in found:
            self.repeated += [found['id']] if found['id'] in self.ids else []
            self.ids.add(found['id'])
        if 'href' in found:
            assert found['href'].startswith('#'), found
            self.links.append(found['href'][1:])
        if tag not in self.ALONE:
            self.texts.append([tag, ''])
            self.open.append(len(self.texts) - 1)

    def handle_endtag(self, tag):
        assert self.open and self.texts[self.open[-1]][0] == tag, f'{tag} closes {self.open}'
        self.open.pop()

    def handle_data(self, data):
        for index in self.open:
            self.texts[index][1] += data

    def words(self, tag):
        return [' '.join(text.split()) for name, text in self.texts if name == tag]


def git(place, *words):
    need('git')
    place.run('git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'init.defaultBranch=main', *words,
              env={'GIT_CONFIG_GLOBAL': '/dev/null', 'GIT_CONFIG_SYSTEM': '/dev/null', 'GIT_CEILING_DIRECTORIES': place.path('..')})


def test_only_what_has_changed_since_a_commit(place):
    def counted(text):
        build(place, text)
        return [race['places'][0]['line'] for race in races_of(place, '--since=HEAD', code=None) if race['counts']]
    git(place, 'init', '-q')
    place.write('.gitignore', '*\n!prog.c\n')
    build(place)
    git(place, 'add', '-f', '.gitignore')
    git(place, 'commit', '-q', '-m', 'none')
    check_equal(counted(RACY), [SUM, STENCIL])              # git does not have the file
    git(place, 'add', 'prog.c')
    git(place, 'commit', '-q', '-m', 'one')
    check_equal(counted(RACY), [])
    said = run_race(place, *RUNS, '--since=HEAD', './prog', code=0).stderr
    check_equal(said, "ompinst race: no other races in './prog' (2 runs with 8 and 3 threads)\n"
                '2 races in lines that have not changed since HEAD: --all lists them\n')
    check_equal(counted(MOVED), [])
    check_equal(counted(MOVED.replace('sum += i', 'sum += 2 * i')), [SUM + 3])
    check_equal(counted(RACY.replace('parallel for', 'parallel for schedule(static)', 1)), [SUM])
    place.write('prog.c', RACY.replace('\t\tsum +=', '#pragma omp atomic\n\t\tsum +='))
    git(place, 'commit', '-q', '-a', '-m', 'two')
    check_equal(counted(RACY), [SUM])                       # what stood before the line is gone
    check_equal(counted(GROWN), [SUM + 3, 16])
    os.mkdir(place.path('below'))
    run_race(place, *RUNS, '--since=HEAD', '../prog', code=1, cwd='below')


LOCKS = r'''#include <omp.h>
static omp_lock_t a, b;
static void forth(void)
{
	omp_set_lock(&a);
	omp_set_lock(&b);
	omp_unset_lock(&b);
	omp_unset_lock(&a);
}
static void back(void)
{
	omp_set_lock(&b);
	omp_set_lock(&a);
	omp_unset_lock(&a);
	omp_unset_lock(&b);
}
int main(void)
{
	omp_init_lock(&a);
	omp_init_lock(&b);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			forth();
		else if (omp_get_thread_num() == 1)
			back();
	}
	return 0;
}
'''


def deadlocks_of(place, *words, code):
    run_race(place, *RUNS, '--format=json', '--output=report.json', *words, './prog', code=code)
    return [(deadlock['standing'], deadlock['reason']) for deadlock in json.loads(place.read('report.json'))['deadlocks']]


def test_deadlocks_are_judged_as_races_are(place):
    build(place, LOCKS)
    check_equal(deadlocks_of(place, code=1), [('counts', None)])
    os.rename(place.path('report.json'), place.path('base.json'))
    check_not_in('baselineState', json.dumps(results_of(place, code=1)))
    os.rename(place.path('report.sarif'), place.path('base.sarif'))
    # Functions change places, and with them the cycle's first one.
    begin, end = LOCKS.index('static void forth'), LOCKS.index('static void back')
    build(place, LOCKS[:begin] + LOCKS[end:].replace('int main', LOCKS[begin:end] + 'int main'))
    for base in ('base.json', 'base.sarif'):
        check_equal(deadlocks_of(place, f'--baseline={base}', code=0), [('known', base)])
    said = run_race(place, *RUNS, '--baseline=base.json', './prog', code=0).stderr
    check_equal(said, "ompinst race: no races found in './prog' (2 runs with 8 and 3 threads)\n"
                '1 known deadlock (of base.json): --all lists them\n')
    check_in('known: lock ', run_race(place, *RUNS, '--all', '--baseline=base.json', './prog', code=0).stderr)
    check_equal([result['baselineState'] for result in results_of(place, '--baseline=base.json', code=0)], ['unchanged'])
    place.write('list', 'race:back\n')
    check_equal(deadlocks_of(place, '--suppressions=list', code=1), [('counts', None)])
    place.write('list', 'deadlock:main\n')
    check_equal(deadlocks_of(place, '--suppressions=list', code=0), [('suppressed', 'list:1: deadlock:main')])
    check_equal(results_of(place, '--suppressions=list', code=0)[0]['suppressions'],
                [{'kind': 'external', 'justification': 'list:1: deadlock:main'}])
    check_in('1 deadlock suppressed: --all lists them\n', run_race(place, *RUNS, '--suppressions=list', './prog', code=0).stderr)
    build(place, LOCKS.replace('\tomp_set_lock(&a);\n\tomp_unset', '\tomp_set_lock(&a); // omp race: allow: never at once\n\tomp_unset'))
    check_equal(deadlocks_of(place, code=0), [('allowed', 'prog.c:13: never at once')])
    said = run_race(place, *RUNS, '--all', './prog', code=0).stderr
    check_in('  allowed at prog.c:13: never at once\n', said)
    check_in('1 deadlock allowed by comments\n', said)
    check_not_in('was found there', said)


def test_deadlocks_of_unchanged_lines(place):
    git(place, 'init', '-q')
    build(place, LOCKS)
    git(place, 'add', '-f', 'prog.c')
    git(place, 'commit', '-q', '-m', 'one')
    check_equal(deadlocks_of(place, '--since=HEAD', code=0), [])
    check_equal(deadlocks_of(place, '--since=HEAD', '--all', code=0), [('unchanged', 'HEAD')])
    check_in('1 deadlock in lines that have not changed since HEAD', run_race(place, *RUNS, '--since=HEAD', './prog', code=0).stderr)
    build(place, LOCKS.replace('\tback();', '\tback(); // here'))      # the call
    check_equal(deadlocks_of(place, '--since=HEAD', code=1), [('counts', None)])


def test_the_same_locks_are_one_deadlock(place):
    text = LOCKS.replace('\tomp_unset_lock(&a);\n\tomp_unset_lock(&b);', '\tomp_unset_lock(&a);\n\tomp_set_lock(&a);\n'
                         '\tomp_unset_lock(&a);\n\tomp_unset_lock(&b);')
    # One after the other, by what orders nothing else: a run that ends in the first deadlock does not reach the second.
    text = text.replace('a, b;', 'a, b; static int gone; static void await(void) { while (!__atomic_load_n(&gone, __ATOMIC_RELAXED)); }', 1)
    text = text.replace('\t\tforth();', '\t\tforth(), __atomic_store_n(&gone, 1, __ATOMIC_RELAXED);').replace('\t\tback();', '\t\tawait(), back();')
    build(place, text)
    said = run_race(place, *RUNS, './prog', code=1).stderr
    check_in('but 1 possible deadlock in', said)
    check_equal(said.count('\n  also: prog.c:6 sets lock b while lock a is held, prog.c:15 sets lock a while lock b is held\n'), 1)
    run_race(place, *RUNS, '--format=json', '--output=report.json', './prog', code=1)
    check_equal([deadlock['cause'] for deadlock in json.loads(place.read('report.json'))['deadlocks']], [1, 1])
    check_equal(len(results_of(place, code=1)), 1)


def test_the_page_has_deadlocks(place):
    build(place, LOCKS)
    run_race(place, *RUNS, '--format=html', '--output=page.html', './prog', code=1)
    reader = Page(place.read('page.html'))
    check_equal((reader.open, reader.repeated, sorted(set(reader.links) - reader.ids)), ([], [], []))
    check_equal(reader.words('h3'), ['prog.c:5 has set lock a', 'prog.c:6 sets lock b', 'prog.c:12 has set lock b',
                                     'prog.c:13 sets lock a', 'lock-order'])
    check_equal([line.split()[1] for line in reader.words('mark')],
                ['omp_set_lock(&a);', 'omp_set_lock(&b);', 'omp_set_lock(&b);', 'omp_set_lock(&a);'])
    check_in('main at prog.c:24', reader.words('li'))


def test_no_commit_to_compare_with(place):
    build(place)
    git(place, 'init', '-q')
    check_in('--since=nothing: git says: fatal: ', run_race(place, '--since=nothing', './prog', code=2).stderr)
    check_in('--since=--all: expected a commit', run_race(place, '--since=--all', './prog', code=2).stderr)
    shutil.rmtree(place.path('.git'))
    done = run_race(place, '--since=HEAD', './prog', code=2, env={'GIT_CEILING_DIRECTORIES': place.path('..')})
    check_in('--since=HEAD: git says: fatal: not a git repository', done.stderr)
    os.mkdir(place.path('empty'))
    done = run_race(place, '--since=HEAD', './prog', code=2, env={'PATH': bench.BIN})
    check_in('--since=HEAD: git was not found; nothing is run', done.stderr)


def test_several_inputs_are_one_report(place):
    """A script runs the program with each of them."""
    build(place, RACY.replace('main(void)', 'main(int count, char **words)').replace('\tputs("done");', 'puts(words[count - 1]);')
          .replace('#pragma omp parallel for\n', '#pragma omp parallel for if(words[1][0] == 49)\n', 1)
          .replace('#pragma omp parallel for\n', '#pragma omp parallel for if(words[1][0] == 50)\n', 1))
    done = run_race(place, *RUNS, 'sh', '-c', './prog 1; ./prog 2', code=1)
    check_equal(done.stdout, '1\n2\n')
    check_in("ompinst race: 2 races in 'sh'", done.stderr)


if __name__ == '__main__':
    bench.main(globals())
