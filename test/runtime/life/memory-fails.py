#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""memory-fails.py PRELOADED PROGRAM...: each request of the runtime for memory fails once, in a run of its own.

The program then ends as always, or counts fewer threads where the runtime said so, or the runtime
says why it ends the program and aborts: a process that ends in silence, by another signal, or not at
all, is a failure. At most SAMPLES places of a program are tried, spread evenly over all of them.
"""
import os
import re
import signal
import subprocess
import sys

SAMPLES = 120
HAPPENED = 'memory-fails: no memory\n'
REASON = re.compile(r'^runtime: .*no memory.*; the program ends here$', re.M)
FEWER = re.compile(r'^runtime: cannot start thread \d+ of a team: .*; regions use fewer threads$', re.M)


def run(library, program, fail_at):
    environment = dict(os.environ, LD_PRELOAD=library, FAIL_AT=str(fail_at))
    return subprocess.run([program], env=environment, capture_output=True, text=True)


def fault(outcome):
    """What is wrong with the end of a run in which a request failed, or None."""
    if outcome.returncode == 0:
        return None
    if outcome.returncode == -signal.SIGABRT:
        return None if REASON.search(outcome.stderr) else 'aborted without saying why'
    if outcome.returncode == 1 and FEWER.search(outcome.stderr):
        return None  # the program counts its threads
    return f'ended with status {outcome.returncode}: expected 0, or SIGABRT with a reason'


def count_requests(library, program):
    low, high = 0, 1
    while HAPPENED in run(library, program, high).stderr:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if HAPPENED in run(library, program, middle).stderr:
            low = middle
        else:
            high = middle
    return low


def check(library, program):
    plain = run(library, program, 0)
    if plain.returncode != 0:
        print(f'{program}: fails although nothing was withheld:\n{plain.stderr}')
        return 1
    requests = count_requests(library, program)
    places = sorted({1 + i * requests // SAMPLES for i in range(SAMPLES)} | set(range(1, 20)))
    faults = aborted = 0
    for place in (p for p in places if p <= requests):
        outcome = run(library, program, place)
        aborted += outcome.returncode != 0
        wrong = fault(outcome)
        if wrong:
            faults += 1
            print(f'{program}: request {place} of {requests}: {wrong}; stderr:\n{outcome.stderr}')
    print(f'{program}: {requests} requests, {aborted} of {len(places)} runs ended early')
    return faults + (requests == 0)


def main():
    library, *programs = sys.argv[1:]
    return sum(check(library, program) for program in programs) != 0


if __name__ == '__main__':
    sys.exit(main())
