#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check-archive.py RUNTIME TOOL OMPREPORT CASES: names in profiles and archives of a plain program.

The same program whole and stripped, ended and killed: names come at the end, from `ompreport recover` and from
`ompreport symbols`, and are the same.
"""
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile

RUNTIME, TOOL, OMPREPORT, CASES = [os.path.abspath(word) for word in sys.argv[1:5]]
SOURCE = os.path.join(CASES, 'loops.c')
failures = []


def expect(condition, message):
    """Notes what is wrong."""
    if not condition:
        failures.append(message)


def run(*words, **options):
    """A command that must succeed; its output."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    expect(done.returncode == 0 and not done.stderr, f'{words}: status {done.returncode}: {done.stderr}')
    return done.stdout


def measure(program, folder, status=0, **settings):
    """Runs the program under the tool; what it printed on stderr."""
    environment = os.environ | {
        'LD_PRELOAD': RUNTIME, 'OMP_TOOL_LIBRARIES': TOOL, 'OMP_NUM_THREADS': '2', 'POMP_SUMMARY_FORMAT': 'json',
        'POMP_ENABLE_TRACING': 'yes', 'POMP_EXPERIMENT_DIRECTORY': folder} | settings
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    expect(done.returncode == status, f'{program}: status {done.returncode}: {done.stderr}')
    return done.stderr


def regions(folder):
    """Rows of `ompreport regions` by their lines or places: {(name, sub_name, file, line): row}."""
    run(OMPREPORT, 'check', folder)
    rows = json.loads(run(OMPREPORT, 'regions', '--format=json', folder))['regions']
    return {(row['name'], row['sub_name'], os.path.basename(row['file'] or ''), row['begin_line']): row for row in rows}


def directive_lines():
    """Lines with "pragma omp" of the source."""
    with open(SOURCE, encoding='utf-8') as text:
        return {number for number, line in enumerate(text, 1) if re.match(r'\s*#\s*pragma\s+omp', line)}


def check_named(folder, wanted, what):
    """All regions have names, and the same ones."""
    found = regions(folder)
    expect(all(row['known_by'] == 'code' for row in found.values()), f'{what}: not known by code')
    expect({key[3] for key in found} <= directive_lines(), f'{what}: {sorted(found)}')
    expect({key[2] for key in found} == {'loops.c'}, f'{what}: files {sorted(found)}')
    expect({row['function'] for row in found.values()} <= {'main', 'inner', 'add'}, f'{what}: functions')
    expect(len(found) > 10 and set(found) == set(wanted), f'{what}: differ: {sorted(set(found) ^ set(wanted))}')


def check(folder):
    """All of it in one folder."""
    program, stripped = os.path.join(folder, 'loops'), os.path.join(folder, 'stripped')
    subprocess.run(['gcc', '-g', '-O1', '-fopenmp', '-o', program, SOURCE], check=True)
    whole = os.path.join(folder, 'whole')
    summary = json.loads(measure(program, whole))
    wanted = regions(whole)
    check_named(whole, wanted, 'whole')
    expect({(row['name'], row['begin_line']) for row in summary['regions']} ==
           {(key[0], key[3]) for key in wanted}, 'profile and trace differ')
    expect(all(row['known_by'] == 'code' and row['function'] for row in summary['regions']), 'profile: functions')
    expect({key[1] for key in wanted if key[0] == 'critical'} == {'adding', ''}, 'names of criticals')

    subprocess.run(['strip', '-o', stripped, program], check=True)
    later = os.path.join(folder, 'later')
    measure(stripped, later)
    unnamed = regions(later)
    expect(all(key[3] == 0 and key[2].startswith('stripped+0x') for key in unnamed), f'stripped: {sorted(unnamed)}')
    text = run(OMPREPORT, 'symbols', later)
    if re.search(r' T main$', run('nm', '-D', '--defined-only', stripped), re.M):  # as on riscv64
        expect(' 0 of ' in text and 'has no debug information' in text, f'symbols of main alone: {text}')
    else:
        expect(' 0 of ' in text and 'neither debug information nor symbols' in text, f'symbols without any: {text}')
        expect(regions(later).keys() == unnamed.keys(), 'symbols without any changed something')
    build_id = re.search(r'Build ID: (\w+)', run('readelf', '-n', program))[1]
    run('objcopy', '--only-keep-debug', program, os.path.join(folder, build_id + '.debug'))
    before = {name: os.stat(os.path.join(later, 'traces', name)).st_mtime_ns
              for name in os.listdir(os.path.join(later, 'traces'))}
    run(OMPREPORT, 'symbols', '--debug-dir', folder, later)
    expect(before == {name: os.stat(os.path.join(later, 'traces', name)).st_mtime_ns
                      for name in os.listdir(os.path.join(later, 'traces'))}, 'events were touched')
    check_named(later, wanted, 'symbols')
    expect(sorted(os.listdir(later)) == ['pomp.cfg', 'traces', 'traces.def', 'traces.otf2'], os.listdir(later))
    expect('nothing is changed' in run(OMPREPORT, 'symbols', later), 'symbols a second time')
    if shutil.which('otf2-print'):
        run('otf2-print', '-G', os.path.join(later, 'traces.otf2'))

    # The logs of a process that could not end: as they are before the names are looked for.
    killed = os.path.join(folder, 'killed')
    killer = os.path.join(folder, 'killer')
    with open(SOURCE, encoding='utf-8') as source, open(killer + '.c', 'w', encoding='utf-8') as copy:
        copy.write(source.read().replace('free(a);', 'fflush(stdout); __builtin_trap();'))
    os.utime(killer + '.c', (1, 1))
    subprocess.run(['gcc', '-g', '-O1', '-fopenmp', '-o', killer, killer + '.c'], check=True)
    # What the compiler makes of a trap is an unknown instruction or a breakpoint.
    measure(killer, killed, status=-(signal.SIGILL if platform.machine() == "x86_64" else signal.SIGTRAP))
    run(OMPREPORT, 'recover', killed)
    expect({(key[0], key[1], key[3]) for key in regions(killed)} == {(key[0], key[1], key[3]) for key in wanted},
           f'recover: {sorted(regions(killed))}')

    # Another program took its place.
    gone = os.path.join(folder, 'gone')
    measure(stripped, gone)
    shutil.copy('/bin/true', stripped)
    text = run(OMPREPORT, 'symbols', gone)
    expect('is another file than the one that ran' in text and build_id in text, f'replaced: {text}')


SAMPLED = '''
static __attribute__((noinline)) double kernel(long n)
{
    double sum = 0;
    for (long i = 1; i < n; i++)
        sum += 1.0 / (double)(i * i);
    return sum;
}

int main(void)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += kernel(100000000);
    return sum < 3;
}
'''


def hot(folder):
    """{(function, line)} of the lines and {path} of the paths with most samples."""
    lines, paths = (json.loads(run(OMPREPORT, 'hot', way, '--format=json', folder))['hot'] for way in ('--lines', '--paths'))
    most = sum(row['samples'] for row in lines) / 20
    return ({(row['function'], row['line']) for row in lines if row['samples'] > most},
            {row['path'] for row in paths if row['samples'] > most})


def check_samples(folder):
    """Code of samples gets function and line afterwards, callers too."""
    source, program, stripped = (os.path.join(folder, name) for name in ('sampled.c', 'sampled', 'bare'))
    with open(source, 'w', encoding='utf-8') as text:
        text.write(SAMPLED)
    subprocess.run(['gcc', '-g', '-O1', '-fopenmp', '-o', program, source], check=True)
    subprocess.run(['strip', '-o', stripped, program], check=True)
    whole, later = os.path.join(folder, 'whole'), os.path.join(folder, 'later')
    measure(program, whole)
    measure(stripped, later)
    wanted, before = hot(whole), hot(later)
    expect({name for name, _ in wanted[0]} == {'kernel'} and any(path.endswith(' > kernel') for path in wanted[1]), f'samples: {wanted}')
    expect(not {name for name, _ in before[0]} & {'kernel'}, f'samples of the stripped program: {before}')
    build_id = re.search(r'Build ID: (\w+)', run('readelf', '-n', program))[1]
    run('objcopy', '--only-keep-debug', program, os.path.join(folder, build_id + '.debug'))
    text = run(OMPREPORT, 'symbols', '--debug-dir', folder, later)
    expect(re.search(r' [1-9]\d* of \d+ places in the code of samples have names now', text), f'samples: {text}')
    found = hot(later)
    expect(found[0] <= wanted[0] | {('kernel', line) for line in range(4, 8)} and found[0] & wanted[0], f'samples: {found}, not {wanted}')
    expect(found[1] == wanted[1], f'samples: {found}, not {wanted}')
    run(OMPREPORT, 'check', later)
    expect('nothing is changed' in run(OMPREPORT, 'symbols', '--debug-dir', folder, later), 'samples: symbols a second time')
    if shutil.which('otf2-print'):
        run('otf2-print', '-G', os.path.join(later, 'traces.otf2'))


def main():
    """The exit status says whether it was right."""
    with tempfile.TemporaryDirectory() as folder:
        check(folder)
    with tempfile.TemporaryDirectory() as folder:
        check_samples(folder)
    for failure in failures:
        print('FAIL:', failure)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
