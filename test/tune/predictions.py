#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which schedules of loops `ompinst tune` tries by what `ompreport whatif` predicts. The ompreport beside a copy of
ompinst is a script here, whose predictions do not depend on the machine.
"""
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wrapper'))
import bench  # noqa: E402
from bench import BIN, check_equal, check_in, check_not_in, need, skip  # noqa: E402

PROGRAM = r'''#include <stdio.h>
int main(void)
{
	static double sum[512];
	for (int k = 0; k < 3; k++) {
#pragma omp parallel for
		for (int i = 0; i < 512; i++)
			for (int j = 0; j < 30 * i; j++)
				sum[i] += j;
#pragma omp parallel for
		for (int i = 0; i < 512; i++)
			for (int j = 0; j < 10000; j++)
				sum[i] += j;
	}
	printf("%f\n", sum[511]);
	return 0;
}
'''
UNEVEN, EVEN = 6, 10  # lines of the loops
# By line and schedule: gain, from, to; without a gain the limits.
ANSWERS = {(UNEVEN, 'dynamic'): (1.3, 1.2, 1.4), (UNEVEN, 'dynamic,16'): (1.25, 1.1, 1.3), (UNEVEN, 'guided'): (1.2, 1.1, 1.3),
           (UNEVEN, 'dynamic,128'): (1.1, 1.05, 1.2), (UNEVEN, 'static,1'): (None, .8, 1.5),
           (EVEN, 'dynamic'): (1.01, .9, 1.04), (EVEN, 'guided'): (1.0, .9, 1.04), (EVEN, 'static,1'): (.9, .8, 1.02)}
# The script notes its words, and whether they end with a trace.
OMPREPORT = r'''#!/usr/bin/env python3
import json, os, sys
answers = {answers}
with open({log!r}, 'a') as log:
    log.write(json.dumps([sys.argv[1:], os.listdir(sys.argv[-1])]) + '\n')
rows = [dict(change=f'--schedule={{name}}', speedup=gain, speedup_low=low, speedup_high=high)
        for name, gain, low, high in answers]
sys.stdout.write(json.dumps(dict(format='ompinst-changes', changes=rows)){cut})
sys.exit({status})
'''


def prepare(place, status=0, cut='', text=PROGRAM, answers=ANSWERS):
    """The program, and ompinst with such an ompreport beside it."""
    need('gcc')
    if not os.path.exists(os.path.join(BIN, '..', 'reports', 'ompreport')):
        skip('ompreport is not built')
    place.write('loop.c', text)
    place.run('ompinst', '--tunable-loops', 'gcc', '-O1', '-fopenmp', 'loop.c', '-o', 'loop')
    os.mkdir(place.path('bin'))
    shutil.copy(os.path.join(BIN, 'ompinst'), place.path('bin/ompinst'))
    rows = [(f'loop.c:{line} ={schedule}', *gains) for (line, schedule), gains in answers.items()]
    script = place.write('bin/ompreport', OMPREPORT.format(answers=rows, log=place.path('log'), cut=cut, status=status))
    os.chmod(place.path('bin/ompreport'), 0o755)
    return script


def tune(place, *words):
    done = place.run(place.path('bin/ompinst'), 'tune', '--json', '--quiet', '--only=schedule', '--budget=16', *words, './loop', code=None,
                     env={'OMP_NUM_THREADS': '2'})
    return json.loads(done.stdout)


def tried(found):
    return sorted(one['setting'] for one in found['settings'] if ', once more' not in one['setting'] and '...' not in one['setting'])


def test_the_most_promising_are_tried(place):
    prepare(place)
    found = tune(place)
    check_equal(tried(found), sorted([f'loop.c:{UNEVEN}=static,1', f'loop.c:{UNEVEN}=dynamic', f'loop.c:{UNEVEN}=dynamic,16',
                                      # These two have no prediction.
                                      f'loop.c:{EVEN}=dynamic,16', f'loop.c:{EVEN}=dynamic,128', f'loop.c:{EVEN}=dynamic']))
    predicted = {one['setting']: one.get('predicted') for one in found['settings']}
    check_equal(predicted[f'loop.c:{UNEVEN}=static,1'], {'gain': None, 'low': .8, 'high': 1.5})
    check_equal(predicted[f'loop.c:{UNEVEN}=dynamic'], {'gain': 1.3, 'low': 1.2, 'high': 1.4})
    check_equal(predicted[f'loop.c:{EVEN}=dynamic,16'], None)
    check_in('4 schedules of single loops are not tried: by a prediction from one traced run they bring less than 3 %', found['not_tried'][-1])
    with open(place.path('log')) as log:
        (words, trace), = map(json.loads, log)
    check_equal(words[:3], ['whatif', '--format=json', '--each'])
    check_equal(len(words), 4 + 10)
    check_in('traces.otf2', trace)
    check_equal(os.path.exists(words[-1]), False)


def test_loops_that_take_chunks_are_predicted(place):
    """Limits keep a schedule as far as the better one is a gain. Those without a prediction are all tried."""
    limits = {(UNEVEN, 'static'): (None, .9, 8.0), (UNEVEN, 'guided'): (None, .9, 7.0), (UNEVEN, 'dynamic,128'): (None, .9, 6.0),
              (UNEVEN, 'dynamic,16'): (None, .9, 3.0), (UNEVEN, 'static,1'): (None, .3, 1.02)}
    prepare(place, text=PROGRAM.replace('parallel for', 'parallel for schedule(dynamic)', 1), answers=limits)
    settings = tried(tune(place, '--try=POMP_LOOP_SCHEDULES=loop.c:6=static,1'))
    of_loop = [setting for setting in settings if f'loop.c:{UNEVEN}=' in setting]
    check_equal(sorted(of_loop), sorted([f'loop.c:{UNEVEN}={kind}' for kind in ('static', 'guided', 'dynamic,128')] + ['POMP_LOOP_SCHEDULES=loop.c:6=static,1']))


def test_all_are_tried_without_an_answer(place):
    for number, (status, cut) in enumerate(((1, ''), (0, '[:-9]'))):
        prepare(place, status, cut)
        found = tune(place)
        check_equal(len(tried(found)), 10)
        check_not_in('predicted', ' '.join(key for one in found['settings'] for key in one))
        check_equal(os.path.exists(place.path('log')), True)
        shutil.rmtree(place.path('bin'))
    prepare(place)
    os.remove(place.path('bin/ompreport'))
    check_equal(len(tried(tune(place))), 10)


def test_a_metric_of_its_own_is_not_predicted(place):
    prepare(place)
    check_equal(len(tried(tune(place, '--metric=([0-9.]+)'))), 10)
    check_equal(os.path.exists(place.path('log')), False)


if __name__ == '__main__':
    bench.main(globals())
