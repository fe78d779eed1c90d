#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often libpomp_tool.so reads the clock for an event: at most 2 times, with only the callbacks of parallel regions
and synchronisation set at most 1.5 times.

clock-readings.py COUNTER TOOL RUNTIME PROGRAM [ARGUMENT...]

COUNTER is the library of clock-readings.c, TOOL libpomp_tool.so, RUNTIME the folder of the bundled libgomp.so.1.
"""
import os
import re
import subprocess
import sys

counter, tool, runtime, *command = sys.argv[1:]
# What is set, and how many readings an event may take.
CASES = ((None, 2.0), ('parallel,sync_region', 1.5), ('parallel,implicit_task,sync_region', 1.5))


def readings(counted):
    environment = dict(os.environ, COUNTED_TOOL=tool, OMP_TOOL_LIBRARIES=counter, POMP_SUMMARY='off',
                       POMP_TIMER='clock_gettime', LD_PRELOAD=f'{runtime}/libgomp.so.1 {counter}')
    if counted is not None:
        environment['COUNTED'] = counted
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          timeout=120)
    found = re.search(r'^events (\d+) readings (\d+)$', done.stderr, re.M)
    if done.returncode != 0 or found is None:
        sys.exit(f'clock-readings: {command}: status {done.returncode}, {done.stderr!r}')
    return int(found[1]), int(found[2])


failed = False
for counted, most in CASES:
    events, count = readings(counted)
    # A few of the process's own are no event's.
    wrong = events < 1000 or not 0.1 * events < count <= most * events + 10
    failed |= wrong
    print(f'{counted or "all callbacks"}: {events} events, {count} readings, {count / events:.2f} an event, '
          f'at most {most}{": WRONG" if wrong else ""}')
sys.exit(failed)
