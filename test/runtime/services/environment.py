#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""environment.py PROGRAM: runs show-settings under many environments.

Good values must reach the API, bad ones must leave everything as it was and be reported in one line
that names the variable, its value, what was expected and what is used instead. What OMP_DISPLAY_ENV
prints must be what the system's libgomp prints, as far as that goes.
"""
import itertools
import os
import re
import subprocess
import sys

failures = 0


def fail(what):
    global failures
    failures += 1
    print(what, file=sys.stderr)


def run(settings, library=None, processors=None):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(('OMP_', 'GOMP_', 'ACC_'))}
    environment['OMPINST_RESOURCES'] = 'none'  # a quota would be followed: see resources.py
    environment.update(settings)
    if library:
        environment['LD_LIBRARY_PATH'] = library
        environment['CONFORMANCE_ANY_RUNTIME'] = '1'
    before = (lambda: os.sched_setaffinity(0, processors)) if processors else None
    done = subprocess.run([sys.argv[1]], env=environment, capture_output=True, text=True,
                          preexec_fn=before)
    if done.returncode != 0:
        fail(f'{settings}: exit status {done.returncode}: {done.stderr}')
    return dict(line.split('=', 1) for line in done.stdout.splitlines()), done.stderr


# Settings, and what the API then says; everything else stays as without settings.
GOOD = [
    ({'OMP_NUM_THREADS': '7'}, {'max_threads': '7'}),
    ({'OMP_NUM_THREADS': '+3'}, {'max_threads': '3'}),
    ({'OMP_NUM_THREADS': ' 5 , 3,2 '}, {'max_threads': '5', 'max_active_levels': '255'}),
    ({'OMP_DYNAMIC': 'TRUE'}, {'dynamic': '1'}),
    ({'OMP_SCHEDULE': 'static'}, {'schedule': '80000001,0'}),
    ({'OMP_SCHEDULE': 'guided,4'}, {'schedule': '3,4'}),
    ({'OMP_SCHEDULE': 'monotonic:dynamic,3'}, {'schedule': '80000002,3'}),
    ({'OMP_SCHEDULE': 'nonmonotonic:static,2'}, {'schedule': '1,2'}),
    ({'OMP_SCHEDULE': 'auto'}, {'schedule': '4,1'}),
    ({'OMP_NESTED': 'true'}, {'max_active_levels': '255'}),
    ({'OMP_MAX_ACTIVE_LEVELS': '3'}, {'max_active_levels': '3'}),
    ({'OMP_NESTED': 'true', 'OMP_MAX_ACTIVE_LEVELS': '2'}, {'max_active_levels': '2'}),
    ({'OMP_NUM_THREADS': '2,2', 'OMP_MAX_ACTIVE_LEVELS': '1'}, {'max_threads': '2'}),
    ({'OMP_THREAD_LIMIT': '9'}, {'thread_limit': '9'}),
    ({'OMP_CANCELLATION': 'true'}, {'cancellation': '1'}),
    ({'OMP_DEFAULT_DEVICE': '4'}, {'default_device': '4'}),
    ({'OMP_MAX_TASK_PRIORITY': '12'}, {'max_task_priority': '12'}),
    ({'OMP_NUM_TEAMS': '6'}, {'max_teams': '6'}),
    ({'OMP_TEAMS_THREAD_LIMIT': '3'}, {'teams_thread_limit': '3'}),
    ({'OMP_ALLOCATOR': 'omp_low_lat_mem_alloc'}, {'default_allocator': '5'}),
    ({'OMP_ALLOCATOR': ' omp_large_cap_mem_space '}, {'default_allocator': '2'}),
    ({'OMP_NUM_THREADS_ALL': '7', 'OMP_NUM_THREADS_DEV': '2', 'OMP_NUM_THREADS_DEV_0': '3'}, {'max_threads': '7'}),
    ({'OMP_NUM_THREADS_ALL': '7', 'OMP_NUM_THREADS': '4'}, {'max_threads': '4'}),
    ({'OMP_SCHEDULE_ALL': 'guided,4', 'OMP_DYNAMIC_ALL': 'true', 'OMP_NUM_TEAMS_ALL': '5', 'OMP_THREAD_LIMIT_ALL': '9',
      'OMP_TEAMS_THREAD_LIMIT_ALL': '3', 'OMP_MAX_ACTIVE_LEVELS_ALL': '6', 'OMP_ALLOCATOR_ALL': 'omp_const_mem_alloc',
      'OMP_DEFAULT_DEVICE_ALL': '1'},
     {'schedule': '3,4', 'dynamic': '1', 'max_teams': '5', 'thread_limit': '9', 'teams_thread_limit': '3',
      'max_active_levels': '6', 'default_allocator': '3', 'default_device': '1'}),
    ({'OMP_NUM_THREADS_DEV': '3', 'OMP_CANCELLATION_ALL': 'true'}, {}),
    ({'OMP_ALLOCATOR': 'omp_default_mem_space:alignment=64,fallback=null_fb,pool_size=1024'},
     {'default_allocator': '-1'}),
    ({'OMP_AFFINITY_FORMAT': '%n of %N'}, {'affinity_format': '%n of %N'}),
    ({'OMP_PLACES': '{0}'}, {'proc_bind': '1', 'places': '{0}', 'place_num': '0',
                             'partition': '1'}),
    ({'OMP_PLACES': '{0}', 'OMP_PROC_BIND': 'false'}, {}),
    ({'OMP_PLACES': '{0}', 'OMP_PROC_BIND': 'spread'},
     {'proc_bind': '4', 'places': '{0}', 'place_num': '0', 'partition': '1'}),
    ({'GOMP_CPU_AFFINITY': '0 0'},
     {'proc_bind': '1', 'places': '{0},{0}', 'place_num': '0', 'partition': '2'}),
    ({'GOMP_CPU_AFFINITY': '0 0', 'OMP_PLACES': '{0}'},
     {'proc_bind': '1', 'places': '{0}', 'place_num': '0', 'partition': '1'}),
    ({'GOMP_CPU_AFFINITY': '0', 'OMP_PROC_BIND': 'false'}, {}),
    ({'OMP_STACKSIZE': '512K'}, {}),
    ({'GOMP_STACKSIZE': '512'}, {}),
    ({'GOMP_SPINCOUNT': '10k'}, {}),
    ({'OMP_WAIT_POLICY': 'passive'}, {}),
    # Not for programs of gcc.
    ({'KMP_BLOCKTIME': 'soon', 'KMP_ALL_THREADS': '1', 'KMP_LIBRARY': 'serial', 'KMP_AFFINITY': 'scatter'}, {}),
    ({'OMP_TARGET_OFFLOAD': 'disabled'}, {}),
    ({'OMP_TOOL': 'disabled'}, {}),
    ({'OMP_DEBUG': 'enabled'}, {}),
    ({'ACC_DEVICE_TYPE': 'Host', 'ACC_DEVICE_NUM': ' 0'}, {}),
]

# Name, value, a part of what must be said to be expected, what must be said to be used.
BAD = [
    ('OMP_NUM_THREADS', 'abc', 'a list of positive integers', '{procs} (all available processors)'),
    ('OMP_NUM_THREADS', '4,0', 'a list of positive integers', '{procs} ('),
    ('OMP_NUM_THREADS_ALL', '4,0', 'a list of positive integers', '{procs} ('),
    ('OMP_NUM_THREADS', '', 'a list of positive integers', '{procs} ('),
    ('OMP_DYNAMIC', '1', 'true or false', 'FALSE ('),
    ('OMP_SCHEDULE', 'foo', 'static, dynamic, guided or auto', 'DYNAMIC ('),
    ('OMP_SCHEDULE', 'dynamic,-1', 'static, dynamic, guided or auto', 'DYNAMIC ('),
    ('OMP_PROC_BIND', 'spreadd', 'primary, close and spread', 'FALSE ('),
    ('OMP_PLACES', '{x}', 'list of places', 'none (threads are not bound)'),
    ('OMP_PLACES', '{99999}', 'list of places', 'none ('),
    ('OMP_STACKSIZE', '4 X', 'a size such as 8M', "0 (the system's default)"),
    ('OMP_STACKSIZE', '10B', '16K or more', '0 ('),
    ('GOMP_STACKSIZE', 'x', 'a size such as 8M', '0 ('),
    ('OMP_WAIT_POLICY', 'x', 'active or passive', 'PASSIVE ('),
    ('OMP_THREAD_LIMIT', '0', 'a positive number', '4294967295 (no limit)'),
    ('OMP_MAX_ACTIVE_LEVELS', '-1', 'a number, 0 or more', '1 ('),
    ('OMP_NESTED', 'x', 'true or false', 'FALSE ('),
    ('OMP_NUM_TEAMS', '0', 'a positive number', '0 ('),
    ('OMP_TEAMS_THREAD_LIMIT', 'x', 'a positive number', '0 ('),
    ('OMP_CANCELLATION', 'maybe', 'true or false', 'FALSE ('),
    ('OMP_DEFAULT_DEVICE', '-1', 'a number, 0 or more', '0 ('),
    ('OMP_MAX_TASK_PRIORITY', 'high', 'a number, 0 or more', '0 ('),
    ('OMP_DISPLAY_AFFINITY', '1', 'true or false', 'FALSE ('),
    ('OMP_ALLOCATOR', '3', 'a predefined allocator', 'omp_default_mem_alloc ('),
    ('OMP_ALLOCATOR', 'omp_default_mem_space:alignment=3', 'a predefined allocator',
     'omp_default_mem_alloc ('),
    ('OMP_TARGET_OFFLOAD', 'x', 'mandatory, disabled or default', 'DEFAULT ('),
    ('OMP_TOOL', 'x', 'enabled or disabled', 'ENABLED ('),
    ('OMP_DEBUG', '2', 'enabled, on or disabled', 'DISABLED ('),
    ('OMP_DISPLAY_ENV', 'loud', 'true, false or verbose', 'FALSE ('),
    ('GOMP_SPINCOUNT', '1x', 'a number', ''),
    ('ACC_DEVICE_TYPE', 'nvidia', 'host, the only device', 'HOST (the host)'),
    ('ACC_DEVICE_NUM', '1', '0, the only device', '0 (the host)'),
    ('ACC_DEVICE_NUM', '-1', '0, the only device', '0 (the host)'),
    ('GOMP_CPU_AFFINITY', '0-', 'a list of processors', 'none ('),
]


def check_good(plain):
    for settings, changed in GOOD:
        found, messages = run(settings)
        wanted = dict(plain, **changed)
        for name, value in wanted.items():
            if found.get(name) != value:
                fail(f'{settings}: {name}: expected {value}, found {found.get(name)}')
        if messages:
            fail(f'{settings}: expected no message, found {messages!r}')


def check_bad(plain):
    for name, value, expected, used in BAD:
        found, messages = run({name: value})
        if found != plain:
            fail(f'{name}={value!r}: changed the settings: {found}')
        lines = messages.splitlines()
        pattern = (re.escape(f"runtime: {name}='{value}': expected ") + '.*' + re.escape(expected) +
                   '.*; using ' + re.escape(used.format(procs=plain['num_procs'])))
        if len(lines) != 1 or not re.match(pattern, lines[0]):
            fail(f'{name}={value!r}: expected one line like {pattern}, found {messages!r}')


def check_dropped_places():
    found, messages = run({'GOMP_CPU_AFFINITY': '0 9998-9999'})
    if found['places'] != '{0}' or not re.match('runtime: GOMP_CPU_AFFINITY: 2 of the places', messages):
        fail(f"processors that are not there: {found['places']} {messages!r}")
    found, messages = run({'OMP_PLACES': '{0},{9999}'})
    if found['places'] != '{0}' or not re.match('runtime: OMP_PLACES: 1 of the places', messages):
        fail(f"a place without processors: {found['places']} {messages!r}")


def check_inherited_mask():
    only = {sorted(os.sched_getaffinity(0))[-1]}
    found, messages = run({'OMP_PLACES': 'threads'}, processors=only)
    wanted = '{%d}' % next(iter(only))
    if found['num_procs'] != '1' or found['max_threads'] != '1' or found['places'] != wanted:
        fail(f'with the processors {only}: found {found}')


# OMP_TARGET_OFFLOAD, the target region's device, and whether the program lives.
TARGETS = [('default', [], True), ('disabled', ['7'], True), ('default', ['7'], True),
           ('mandatory', [], False), ('mandatory', ['0'], True), ('mandatory', ['7'], False)]


def check_offload():
    for policy, device, lives in TARGETS:
        done = subprocess.run([sys.argv[1], 'target', *device], capture_output=True, text=True,
                              env=dict(os.environ, OMP_TARGET_OFFLOAD=policy))
        good = (done.returncode == 0 and done.stdout == 'target=host\n' and not done.stderr) if lives \
            else (done.returncode != 0 and not done.stdout and
                  re.fullmatch("runtime: OMP_TARGET_OFFLOAD='mandatory': .*device (7|-4), .*\n", done.stderr))
        if not good:
            fail(f'OMP_TARGET_OFFLOAD={policy}, device {device}: {done}')


def system_runtime():
    """The folder of the compiler's libgomp, None without one."""
    try:
        found = subprocess.run(['gcc', '-print-file-name=libgomp.so.1'], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    if not os.path.isabs(found):
        return None
    folder = os.path.dirname(os.path.realpath(found))
    # It may be for another C library than the program's.
    tried = subprocess.run([sys.argv[1]], env=dict(os.environ, LD_LIBRARY_PATH=folder, CONFORMANCE_ANY_RUNTIME='1'),
                           capture_output=True, check=False)
    return folder if tried.returncode == 0 else None


# Variables that the system's runtime does not know, where the number of threads comes from, and a default that is another.
OURS = re.compile(r"  \[all\] (OMP_TOOL\w*|OMP_DEBUG) = |runtime: ")
OTHER_DEFAULT = re.compile(r"GOMP_SPINCOUNT = '\d+'")
# libgomp names the devices that a variable holds for since GCC 13; the version is that of its compiler.
DEVICES = re.compile(r'^  \[(host|all)\] ')
VERSION = re.compile(r"  _OPENMP = '20\d{4}'")

DISPLAYED = [{}, {'OMP_NUM_THREADS': '4,2'}, {'OMP_SCHEDULE': 'monotonic:dynamic,3'},
             {'OMP_SCHEDULE': 'nonmonotonic:static'}, {'OMP_PROC_BIND': 'spread,close'},
             {'OMP_PROC_BIND': 'primary'}, {'OMP_PLACES': '{0}'}, {'OMP_PLACES': 'sockets'},
             {'GOMP_CPU_AFFINITY': '0'}, {'OMP_STACKSIZE': '4M'}, {'OMP_WAIT_POLICY': 'active'},
             {'OMP_THREAD_LIMIT': '3'}, {'OMP_NESTED': 'true'}, {'OMP_MAX_ACTIVE_LEVELS': '2'},
             {'OMP_ALLOCATOR': 'OMP_CONST_MEM_ALLOC'}, {'OMP_AFFINITY_FORMAT': '%n'},
             {'OMP_TARGET_OFFLOAD': 'disabled'}, {'OMP_NUM_TEAMS': '3', 'OMP_DYNAMIC': 'true'}]


def shorten(line, settings):
    """Without the value of a variable that is not set: libgomp no longer prints what follows from others since GCC 13,
    and OMP_NESTED not at all."""
    name, equals, _ = line.partition(' = ')
    return line if not equals or name.split()[-1] in set(settings) - {'OMP_NESTED'} else name


def check_display(library):
    for form in 'true', 'verbose':
        for settings in DISPLAYED:
            settings = dict(settings, OMP_DISPLAY_ENV=form)
            _, ours = run(settings)
            _, theirs = run(settings, library=library)
            kept, wanted = ([OTHER_DEFAULT.sub('GOMP_SPINCOUNT', VERSION.sub('  _OPENMP', line)) for line in lines.splitlines()
                             if not OURS.match(line)] for lines in (ours, theirs))
            if '[host]' in theirs:
                kept, wanted = ([shorten(line, settings) for line in lines] for lines in (kept, wanted))
            else:
                kept = [DEVICES.sub('  ', line) for line in kept]
            if kept != wanted:
                fail(f'{settings}: expected {theirs}, found {ours}')
            if form == 'true' and 'GOMP_' in ours:
                fail(f'{settings}: extensions are for verbose only: {ours}')


def by_number(lines):
    """Lines of single devices stand as in the environment, which an emulator turns round: those next to each other sorted."""
    groups = itertools.groupby(lines, lambda line: re.match(r'\[\d+\]', line) is not None)
    return [line for are_numbered, group in groups for line in (sorted(group) if are_numbered else group)]


def check_display_of_devices():
    """Values for devices are shown with what they are for, those of a wrong form and what is no number of a device not."""
    settings = {'OMP_NUM_THREADS': '4,3', 'OMP_NUM_THREADS_ALL': '5', 'OMP_NUM_THREADS_DEV': '6,7', 'OMP_NUM_THREADS_DEV_24': '8',
                'OMP_NUM_THREADS_DEV_0': '9', 'OMP_NUM_THREADS_DEV_1': 'x', 'OMP_NUM_THREADS_DEV_01': '2', 'OMP_NUM_THREADS_DEV_': '2',
                'OMP_SCHEDULE_DEV': 'guided,1', 'OMP_SCHEDULE_DEV_7': 'static,2', 'OMP_MAX_ACTIVE_LEVELS_ALL': '6',
                'OMP_ALLOCATOR': ' omp_default_mem_space:alignment=512,access=all ', 'OMP_CANCELLATION': 'true', 'OMP_CANCELLATION_DEV': 'true'}
    wanted = ["[host] OMP_NUM_THREADS = '4,3'", "[all] OMP_NUM_THREADS = '5'", "[device] OMP_NUM_THREADS = '6,7'",
              "[24] OMP_NUM_THREADS = '8'", "[0] OMP_NUM_THREADS = '9'", "[host] OMP_SCHEDULE = 'DYNAMIC'",
              "[device] OMP_SCHEDULE = 'GUIDED'", "[7] OMP_SCHEDULE = 'STATIC,2'", "[host] OMP_MAX_ACTIVE_LEVELS = '6'",
              "[all] OMP_MAX_ACTIVE_LEVELS = '6'", "[all] OMP_CANCELLATION = 'TRUE'",
              "[host] OMP_ALLOCATOR = ' omp_default_mem_space:alignment=512,access=all '"]
    _, shown = run(dict(settings, OMP_DISPLAY_ENV='true'))
    names = {re.sub('_(ALL|DEV(_.*)?)$', '', name) for name in settings}
    found = [line.strip() for line in shown.splitlines() if re.sub(r'^.*\] (\w+) = .*', r'\1', line) in names]
    if by_number(found) != by_number(wanted):
        fail(f'{settings}: expected {wanted}, found {found}')


plain, messages = run({})
if messages:
    fail(f'without settings: {messages!r}')
check_good(plain)
check_bad(plain)
check_dropped_places()
check_inherited_mask()
check_offload()
check_display_of_devices()
runtime = system_runtime()
if runtime:
    check_display(runtime)
sys.exit(failures != 0)
