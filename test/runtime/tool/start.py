#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""start.py PROGRAM SELF USED ZERO NULL EMPTY NONE: how a tool is found, started and ended.

PROGRAM uses the runtime; SELF is the same program with a tool of its own. USED is a library with a tool
that is used, ZERO one whose initializer returns 0, NULL one whose ompt_start_tool() returns NULL, EMPTY one
that names no initializer, NONE a library without a tool. The order of the search, each library that cannot be
used, what OMP_TOOL_VERBOSE_INIT reports, and which event comes last are compared with what is expected.
"""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, SELF, USED, ZERO, NULL, EMPTY, NONE = (os.path.abspath(path) for path in sys.argv[1:8])
failures = 0
BEGIN, REGION, END = ['program: begin'], ['program: region of 2'], ['program: end']
PLAIN = BEGIN + REGION + END
USE = ['used: start', 'used: initialize']
LAST = ['used: finalize', 'used: destructor']
WHOLE = BEGIN + USE + ['used: region'] + REGION + END + LAST


def fail(what):
    global failures
    failures += 1
    print(what, file=sys.stderr)


def run(settings, arguments=(), program=PROGRAM, **more):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('OMP_', 'GOMP_'))}
    environment.update(settings)
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, **more)
    if done.returncode != 0:
        fail(f'{settings} {arguments}: exit status {done.returncode}: {done.stderr}')
    return done.stdout.splitlines(), done.stderr


def expect(what, found, expected):
    if found != expected:
        fail(f'{what}: expected\n  ' + '\n  '.join(expected) + '\nfound\n  ' + '\n  '.join(found))


def expect_run(libraries, expected, arguments=(), errors='', program=PROGRAM, **settings):
    if libraries:
        settings['OMP_TOOL_LIBRARIES'] = ':'.join(libraries)
    out, error = run(settings, arguments, program)
    expect(f'{settings} {arguments}', out, expected)
    if not re.fullmatch(errors, error):
        fail(f'{settings} {arguments}: expected stderr {errors!r}, found {error!r}')


def search():
    """Which of several tools is used."""
    expect_run([], PLAIN)
    expect_run([USED], WHOLE)
    expect_run([NULL, USED], BEGIN + ['null: start'] + WHOLE[1:])
    expect_run([EMPTY, USED], BEGIN + ['empty: start'] + WHOLE[1:])
    expect_run([ZERO, USED], BEGIN + ['zero: start', 'zero: initialize'] + REGION + END)
    expect_run(['', USED, ''], WHOLE)
    expect_run([USED], PLAIN, OMP_TOOL='disabled')
    expect_run([USED], PLAIN, OMP_TOOL='Disabled')
    expect_run([USED], WHOLE, OMP_TOOL='enabled')
    expect_run([USED], WHOLE, OMP_TOOL='perhaps',
               errors="runtime: OMP_TOOL='perhaps': expected enabled or disabled; using ENABLED .*\n")


def unusable():
    """Libraries that cannot be used are said, and the search goes on."""
    with tempfile.NamedTemporaryFile('w', suffix='.so') as text:
        text.write('no library\n')
        text.flush()
        for bad, why in (('/nowhere/tool.so', r'expected libraries that can be loaded; going on without one \(.*/nowhere/tool\.so: .*\)'),
                         (text.name, r'expected libraries that can be loaded; going on without one \(.*: (file too short|Exec format error)\)'),
                         (NONE, rf'expected libraries with ompt_start_tool\(\); going on without {re.escape(NONE)}, which has none')):
            error = f"runtime: OMP_TOOL_LIBRARIES='{re.escape(bad)}(:.*)?': {why}\n"
            expect_run([bad], PLAIN, errors=error)
            expect_run([bad, USED], WHOLE, errors=error)


def loaded():
    """Tools that are in the process come before the list."""
    out, _ = run({'LD_PRELOAD': USED, 'OMP_TOOL_LIBRARIES': ZERO})
    expect('preloaded', out, WHOLE)
    own = BEGIN + ['self: start', 'self: initialize', 'self: region'] + REGION + END + ['self: finalize', 'self: destructor']
    expect_run([USED], own, program=SELF)
    out, _ = run({'LD_PRELOAD': NULL, 'OMP_TOOL_LIBRARIES': USED})
    expect('preloaded, and it declines', out, BEGIN + ['null: start'] + WHOLE[1:])
    expect_run([ZERO], BEGIN + ['program: loaded'] + WHOLE[1:], ('load', USED))


def when():
    """At the first use, not before; at the end, before destructors; in processes that fork."""
    expect_run([USED], BEGIN + END, ('nothing',))
    expect_run(['/nowhere/tool.so'], BEGIN + END, ('nothing',), OMP_TOOL_VERBOSE_INIT='stderr')
    expect_run([USED], BEGIN + USE + END + LAST, ('lock',))
    expect_run([USED], BEGIN + USE + ['used: region'] + REGION + ['used: region'] + LAST, ('exit inside',))
    # The handler was there before the tool was, so it comes after the tool's end.
    expect_run([USED], WHOLE[:-2] + LAST[:1] + REGION + LAST[1:], ('handler',))
    other = [line + ' (other)' for line in ['used: region', *LAST]]
    expect_run([USED], WHOLE[:-3] + other[:1] + REGION + other[1:] + ['program: child is well'] + END + LAST, ('fork',))
    child = USE + ['used: region'] + REGION + LAST + ['program: child is well']
    expect_run([USED], BEGIN + child + WHOLE[1:], ('fork first',))


def report():
    """OMP_TOOL_VERBOSE_INIT, to each place that it can name."""
    def lines(text):
        # musl's loader says the same in another order.
        text = re.sub(r'Error loading shared library (\S+): No such', r'\1: cannot open shared object file: No such', text)
        return [re.sub(r'process \d+', 'process N', line.replace(os.path.dirname(USED), 'DIR')) for line in text.splitlines()]

    prefix = 'runtime: tool for process N: '
    expected = [prefix + line for line in (
        'nothing that is loaded has ompt_start_tool()',
        'cannot be loaded: /nowhere/tool.so: cannot open shared object file: No such file or directory',
        f'DIR/{os.path.basename(NONE)}: has no ompt_start_tool()',
        f'DIR/{os.path.basename(NULL)}: ompt_start_tool() returned NULL: this tool does not want to be used',
        f'DIR/{os.path.basename(EMPTY)}: ompt_start_tool() names no initializer; ignored',
        f'DIR/{os.path.basename(USED)}: this tool is used')]
    settings = {'OMP_TOOL_LIBRARIES': ':'.join(['/nowhere/tool.so', NONE, NULL, EMPTY, USED])}
    out, error = run({**settings, 'OMP_TOOL_VERBOSE_INIT': 'stderr'})
    expect('report on stderr', lines(error), expected)
    out, error = run({**settings, 'OMP_TOOL_VERBOSE_INIT': 'STDOUT'})
    expect('report on stdout', [line for line in lines(''.join(line + '\n' for line in out)) if line.startswith('runtime')], expected)
    expect('nothing on stderr', lines(error), [])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'report')
        for _ in range(2):
            run({**settings, 'OMP_TOOL_VERBOSE_INIT': path})
        with open(path, encoding='utf-8') as file:
            expect('report in a file, twice', lines(file.read()), expected + expected)
    out, error = run({**settings, 'OMP_TOOL_VERBOSE_INIT': '/nowhere/report'})
    expect('report in a file that cannot be', lines(error), [
        "runtime: OMP_TOOL_VERBOSE_INIT='/nowhere/report': expected disabled, stdout, stderr or a file that can be written "
        '(No such file or directory); using stderr', *expected])
    _, error = run({'OMP_TOOL_VERBOSE_INIT': 'stderr'})
    expect('report without libraries', lines(error), [expected[0], prefix + 'OMP_TOOL_LIBRARIES names no libraries', prefix + 'no tool is used'])
    _, error = run({'OMP_TOOL_VERBOSE_INIT': 'stderr', 'OMP_TOOL': 'disabled', 'OMP_TOOL_LIBRARIES': USED})
    expect('report with OMP_TOOL=disabled', lines(error), [prefix + 'OMP_TOOL is disabled: no tool is used'])
    _, error = run({'OMP_TOOL_VERBOSE_INIT': 'stderr', 'OMP_TOOL_LIBRARIES': ZERO})
    expect('report of an initializer that returns 0', lines(error), [
        expected[0], prefix + f'DIR/{os.path.basename(ZERO)}: its initializer returned 0: no tool is used'])


def moved():
    """Relative paths are those of the folder in which the process started."""
    expected = BEGIN + ['program: moved'] + WHOLE[1:]
    folder, name = os.path.split(USED)
    for library in (f'./{name}', f'../{os.path.basename(folder)}/{name}'):
        out, error = run({'OMP_TOOL_LIBRARIES': f'./nowhere.so:{library}'}, ('move',), cwd=folder)
        expect(f'{library}, moved', out, expected)
        if f'{folder}/./nowhere.so: cannot open' not in error and f'{folder}/./nowhere.so: No such' not in error:
            fail(f'{library}, moved: {error!r}')
    with tempfile.TemporaryDirectory() as here:
        out, error = run({'OMP_TOOL_LIBRARIES': USED, 'OMP_TOOL_VERBOSE_INIT': 'report'}, ('move',), cwd=here)
        expect('a relative report, moved', [*out, error, *os.listdir(here)], [*expected, '', 'report'])
    # A name without a slash is searched for as any library's, wherever the process is.
    out, error = run({'OMP_TOOL_LIBRARIES': name, 'LD_LIBRARY_PATH': folder + ':' + os.environ.get('LD_LIBRARY_PATH', '')}, ('move',))
    expect('a name, moved', out, expected)


def more_rights():
    """A process with more rights than its user starts no tool. Needs root to make such a process."""
    if os.geteuid() != 0:
        return
    with tempfile.NamedTemporaryFile() as log:
        settings = {'OMP_TOOL_LIBRARIES': USED, 'OMP_TOOL_VERBOSE_INIT': log.name}
        os.chmod(log.name, 0o666)
        out, error = run(settings, preexec_fn=lambda: os.setresuid(65534, 0, 0))
        if error:
            return  # its user may not read the program or the runtime here
        expect('with more rights', out, PLAIN)
        expect('with more rights, the report', log.read().decode().splitlines(), [])


for test in (search, unusable, loaded, when, report, moved, more_rights):
    test()
sys.exit(1 if failures else 0)
