#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""resources.py PROGRAM: the default number of threads follows the affinity mask and the quota of control groups.

Makes control groups for the latter, of version 1 or 2, where this user may: skipped otherwise, when the rest has passed.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from control_group import make_group

PROGRAM = sys.argv[1]
PROCESSORS = len(os.sched_getaffinity(0))
failures = []


def environment(settings):
    """A forked child makes threads, which ThreadSanitizer wants to be told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(('OMP_', 'GOMP_', 'OMPINST_RES'))}
    return {**kept, 'TSAN_OPTIONS': kept.get('TSAN_OPTIONS', '') + ' die_after_fork=0', **settings}


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f'{what}: expected {wanted!r}, found {found!r}')


def run(what, wanted, group=None, mode='', **settings):
    done = subprocess.run([PROGRAM, mode], env=environment(settings), capture_output=True, text=True,
                          preexec_fn=group.enter if group else None)
    expect(what, (done.returncode, [int(word) for word in re.findall(r'\d+', done.stdout)]), (0, wanted))
    return done.stderr


def check_affinity():
    everything = [PROCESSORS] * 3
    run('the mask', everything)
    run('a pinned thread', [1, 1, 1], mode='pinned')
    run('a pinned thread that follows nothing', [PROCESSORS, 1, PROCESSORS], mode='pinned', OMPINST_RESOURCES='none')
    run('a pinned thread, and a number', [3, 1, 3], mode='pinned', OMP_NUM_THREADS='3')
    run('a limit', [1, PROCESSORS, 1], OMP_THREAD_LIMIT='1')
    message = run('a bad word', everything, OMPINST_RESOURCES='quota,disk')
    expect('a bad word', message, "runtime: OMPINST_RESOURCES='quota,disk': expected a list of quota, affinity, changes and "
           "roots, or all or none; using all (all)\n")


def check_roots():
    everything = [PROCESSORS] * 5
    rest = max(PROCESSORS - 1, PROCESSORS // 2, 1)
    run('roots', [PROCESSORS, max(PROCESSORS // 2, 1), rest, PROCESSORS, PROCESSORS], mode='roots', OMP_DYNAMIC='true')
    run('roots that were not asked', everything, mode='roots')
    run('roots that do not share', everything, mode='roots', OMP_DYNAMIC='true', OMPINST_RESOURCES='quota,affinity,changes')


def check_quota(group):
    for hundredths, wanted in (50, 1), (100, 1), (150, 2), (100 * PROCESSORS + 50, PROCESSORS):
        wanted = min(wanted, PROCESSORS)
        group.set(hundredths)
        run(f'a quota of {hundredths} %', [wanted] * 3, group)
        run(f'a quota of {hundredths} % that is not followed', [PROCESSORS] * 3, group, OMPINST_RESOURCES='affinity')
        run(f'a quota of {hundredths} %, and a number', [4, wanted, 4], group, OMP_NUM_THREADS='4')
    group.set(100)
    said = run('verbose', [1, 1, 1], group, OMP_DISPLAY_ENV='verbose')
    expect('verbose', re.findall(r'^runtime: (quota.*) by (/.*)/cpu\.[^/]*$', said, re.M), [('quota of 1.00 processors', group.folder)])


def check_changes(group):
    """A quota that grows while the program runs."""
    group.set(100)
    with subprocess.Popen([PROGRAM, 'changes'], env=environment({'OMP_DYNAMIC': 'true'}), stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, preexec_fn=group.enter) as child:
        before = child.stdout.readline()
        group.set(100 * PROCESSORS)
        child.stdin.write('\n')
        child.stdin.flush()
        after = child.stdout.readline()
    expect('a quota that grows', (child.returncode, before + after),
           (0, f'threads 1 processors 1 team 1\nthreads {PROCESSORS} processors {PROCESSORS} team {PROCESSORS}\n'))


def main():
    check_affinity()
    check_roots()
    group, reason = make_group()
    if group is not None:
        try:
            check_quota(group)
            if PROCESSORS > 1:
                check_changes(group)
        finally:
            group.remove()
    print('\n'.join(failures) or reason, file=sys.stderr)
    sys.exit(1 if failures else 77 if group is None else 0)


main()
