#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plain programs that end badly, under `ompinst run`: the program's own result stays, and the measurement is right.

check-endings.py OMPINST OMPREPORT PROGRAM CASE

PROGRAM is endings.c, compiled plain. It prints how often each construct of it is visited.
"""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

OMPINST, OMPREPORT, PROGRAM = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
THREADS, BATCH = 3, 50  # as in endings.c
CONSTRUCTS = ('parallel', 'critical', 'barrier')
TRACING = {'POMP_ENABLE_TRACING': '1', 'POMP_EXPERIMENT_DIRECTORY': 'trace'}
JSON = {'POMP_SUMMARY': 'summary.json', 'POMP_SUMMARY_FORMAT': 'json'}


def fail(text):
    sys.exit(f'check-endings: {text}')


def environment(settings):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(('POMP_', 'OMP_'))}
    return kept | {'OMP_CANCELLATION': 'true'} | settings


def run(folder, how, limit=None, **settings):
    """Runs the program under ompinst; it must end as alone. Returns what it printed and what stands on stderr."""
    plain = subprocess.run([PROGRAM, how], capture_output=True, text=True, cwd=folder,
                           env=environment({'LD_LIBRARY_PATH': os.environ['BUNDLED_RUNTIME']}))
    before = None
    if limit is not None:
        import resource
        before = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
    done = subprocess.run([OMPINST, 'run', PROGRAM, how], capture_output=True, text=True, cwd=folder,
                          env=environment(settings), preexec_fn=before)
    if (done.returncode, done.stdout) != (plain.returncode, plain.stdout):
        fail(f'{how}: status {done.returncode}, printed {done.stdout!r}; alone {plain.returncode}, {plain.stdout!r}\n'
             f'{done.stderr}')
    return done.stdout, done.stderr


def expected_visits(output, whose=''):
    lines = [line.removeprefix(whose).split() for line in output.splitlines() if line.startswith(whose)]
    return {words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdigit()}


def visits(summary):
    """How often each construct was visited, and that each of them has a place in the program's text."""
    counts = collections.Counter()
    for region in summary['regions']:
        if region['name'] in CONSTRUCTS and not region['sub_name'].startswith('of '):
            counts[region['name']] += region['visits']
            if not (region['file'] or '').endswith('endings.c') or region['begin_line'] <= 0:
                fail(f'a region without a place: {region}')
    return dict(counts)


def report(folder, trace='trace'):
    """The profile by ompreport, of an archive that keeps the rules."""
    for command in ('check', 'summary'):
        form = ['--format=json'] if command == 'summary' else []
        done = subprocess.run([OMPREPORT, command, *form, str(folder / trace)], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f'ompreport {command}: {done.returncode} {done.stdout} {done.stderr}')
    return json.loads(done.stdout)


def demand(what, found, expected):
    if found != expected:
        fail(f'{what}: {found}, expected {expected}')


def ends(folder, how, open_at_end=0):
    """Profile and trace of a run that ends by itself."""
    output, _ = run(folder, how, **JSON, **TRACING)
    expected = expected_visits(output)
    if how == 'cancel':  # the cancelled regions are visited, too
        expected['parallel'] += 4 * THREADS
    summary = json.loads((folder / 'summary.json').read_text())
    found = visits(summary)
    for name in CONSTRUCTS:
        if not expected[name] <= found.get(name, 0) <= expected[name] + (open_at_end if name == 'barrier' else 0):
            fail(f'{how}: {name}: {found} in the profile, expected {expected}')
    demand(f'{how}: lost events', summary['lost_events'], 0)
    demand(f'{how}: visits in the trace', visits(report(folder)), found)


def test_return(folder):
    ends(folder, 'return')


def test_exit(folder):
    """Two threads are in their second barrier when the third ends the process."""
    ends(folder, 'exit', open_at_end=THREADS - 1)


def test_cancel(folder):
    ends(folder, 'cancel')


def test_mainends(folder):
    ends(folder, 'mainends')


def test_closeall(folder):
    ends(folder, 'closeall')


def test_forkinside(folder):
    ends(folder, 'forkinside')


def test_exec(folder):
    """The second program is measured, too; of the first one there are at least the logs."""
    output, _ = run(folder, 'exec', **JSON)
    demand('visits', visits(json.loads((folder / 'summary.json').read_text())), expected_visits(output))


def test_fork(folder):
    output, _ = run(folder, 'fork', **JSON, **TRACING)
    demand('the parent', visits(json.loads((folder / 'summary.json').read_text())),
           {name: count for name, count in expected_visits(output).items() if name != 'child'})
    children = list(folder.glob('summary.json-*'))
    demand('profiles of children', len(children), 1)
    demand('the child', visits(json.loads(children[0].read_text())), expected_visits(output, 'child '))
    traces = sorted(path.name for path in folder.iterdir() if path.is_dir())
    demand('traces', len(traces), 2)
    for trace in traces:
        report(folder, trace)


def test_no_handlers(folder):
    """After _exit() there is no profile, and the trace's logs are those of a killed program."""
    run(folder, '_exit', **JSON, **TRACING)
    recovered(folder, 2)


def recovered(folder, least, most=None):
    """Recovers the trace; `least` to `most` calls of region() are in it, all named."""
    done = subprocess.run([OMPREPORT, 'recover', 'trace'], capture_output=True, text=True, cwd=folder)
    if done.returncode != 0 or '; the program was stopped, and' not in done.stdout:
        fail(f'recover: {done.returncode} {done.stdout} {done.stderr}')
    found = visits(report(folder))
    for name in CONSTRUCTS:
        if found.get(name, 0) < least * THREADS or (most is not None and found[name] > most * THREADS):
            fail(f'{name}: {found.get(name, 0)} visits recovered, expected {least * THREADS} or more')


def test_killed(folder):
    """Whatever signal ends it, all that was complete by then is recovered."""
    seed = random.randrange(1 << 30)
    print('seed', seed)
    chance = random.Random(seed)
    for how in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGTERM):
        place = folder / how.name
        place.mkdir()
        output = place / 'rounds'
        with output.open('wb') as rounds:
            process = subprocess.Popen([OMPINST, 'run', PROGRAM, 'kill'], env=environment(TRACING), stdout=rounds,
                                       stderr=subprocess.DEVNULL, cwd=place)
            while not output.stat().st_size:  # on a busy machine it takes a while to start
                if process.poll() is not None:
                    fail(f'no round was finished; status {process.poll()}')
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(how)  # run becomes the program: it is the same process
            process.wait()
        demand('ended by', process.returncode, -how)
        rounds = int(output.read_text().split()[-1])
        recovered(place, BATCH * rounds, BATCH * (rounds + 2))
        print(how.name, rounds, 'rounds')


def test_full_disk(folder):
    """The trace is short, the profile is whole, and it is said why."""
    disk = folder / 'disk'
    disk.mkdir()
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=24k', 'tmpfs', str(disk)],
                      capture_output=True).returncode != 0:
        print('cannot mount a small tmpfs')
        sys.exit(77)
    try:
        output, error = run(folder, 'return', **JSON, **TRACING | {'POMP_EXPERIMENT_DIRECTORY': str(disk / 'trace')})
    finally:
        subprocess.run(['umount', str(disk)], check=True)
    if 'No space left on device' not in error:
        fail(f'not reported: {error}')
    demand('visits', visits(json.loads((folder / 'summary.json').read_text())), expected_visits(output))


def test_file_limit(folder):
    output, error = run(folder, 'return', limit=16384, **JSON, **TRACING)
    if 'File too large' not in error:
        fail(f'not reported: {error}')
    demand('visits', visits(json.loads((folder / 'summary.json').read_text())), expected_visits(output))


def test_unwritable(folder):
    (folder / 'file').write_text('')
    output, error = run(folder, 'return', **JSON, POMP_ENABLE_TRACING='1', POMP_EXPERIMENT_DIRECTORY='file/below')
    if "pomp: cannot make the experiment folder 'file/below': Not a directory; no trace is written" not in error:
        fail(f'not reported: {error}')
    demand('visits', visits(json.loads((folder / 'summary.json').read_text())), expected_visits(output))


def test_disabled(folder):
    """POMP_DISABLE and OMP_TOOL=disabled: nothing is measured and nothing written."""
    for settings in ({'POMP_DISABLE': 'yes'}, {'OMP_TOOL': 'disabled'}):
        run(folder, 'return', **JSON, **TRACING, **settings)
        demand(f'files with {settings}', [path.name for path in folder.iterdir()], [])


with tempfile.TemporaryDirectory() as name:
    globals()['test_' + sys.argv[4]](pathlib.Path(name))
