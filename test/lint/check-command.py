#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst lint` as a command: what it takes for files and flags, its forms of output, its exit status.

Usage: check-command.py OMPINST COMPILER
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

OMPINST, COMPILER = os.path.abspath(sys.argv[1]), sys.argv[2]
RACE = '''double sum(const double *a, int n)
{
\tdouble s = 0;
#pragma omp parallel for
\tfor (int i = 0; i < n; i++)
\t\ts += a[i];
\treturn s;
}
'''
FINDING = ("race.c:6:3: warning: s is shared by the loop's threads, which all combine values into it "
           '[-Wopenmp-reduction]\nrace.c:4:1: note: add reduction(+: s) to this directive\n')


def write(name, text):
    """Writes a file of the current folder."""
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)


def lint(*words, code, **more):
    """Runs `ompinst lint`; the output must be as the arguments say."""
    done = subprocess.run([OMPINST, 'lint', *words], capture_output=True, text=True, **more)
    assert done.returncode == code, f'{words}: {done.returncode}\n{done.stdout}{done.stderr}'
    return done


def test_file_and_command():
    """A file, a file with flags, a compiler's command: the same finding; nothing is compiled."""
    write('race.c', RACE)
    assert lint('race.c', code=1).stdout == FINDING
    assert lint('race.c', '--', '-DX', code=1).stdout == FINDING
    assert lint(COMPILER, '-O2', '-c', 'race.c', '-o', 'race.o', code=1).stdout == FINDING
    assert not os.path.exists('race.o')
    write('flags.c', '#ifdef RACE\n#include "race.c"\n#endif\n')
    assert lint('flags.c', code=0).stdout == ''
    assert './race.c:6:3' in './' + lint('flags.c', '--', '-DRACE', code=1).stdout


def test_forms():
    """JSON and SARIF hold what the text says."""
    write('race.c', RACE)
    finding = json.loads(lint('--format=json', 'race.c', code=1).stdout)['findings'][0]
    assert (finding['check'], finding['line'], finding['column']) == ('openmp-reduction', 6, 3)
    assert finding['note']['line'] == 4
    run = json.loads(lint('--format', 'sarif', 'race.c', code=1).stdout)
    assert run['version'] == '2.1.0'
    result = run['runs'][0]['results'][0]
    assert result['ruleId'] in [rule['id'] for rule in run['runs'][0]['tool']['driver']['rules']]
    place = result['locations'][0]['physicalLocation']
    assert place['artifactLocation']['uri'] == 'race.c' and place['region'] == {'startLine': 6, 'startColumn': 3}
    lint('-o', 'out.txt', 'race.c', code=1)
    assert open('out.txt', encoding='utf-8').read() == FINDING


def test_switches():
    """Checks are switched by name, in the command and in the source."""
    write('race.c', RACE)
    lint('-Wno-openmp-reduction', 'race.c', code=0)
    lint('--only=openmp-private', 'race.c', code=0)
    lint('--only=reduction,private', 'race.c', code=1)
    lint(COMPILER, '-Wno-openmp-reduction', '-c', 'race.c', code=0)
    done = lint('--only=reductoin', 'race.c', code=2)
    assert "did you mean 'reduction'" in done.stderr, done.stderr
    write('race.c', RACE.replace('\t\ts +=', '\t\t/* ompinst: allow openmp-reduction */\n\t\ts +='))
    lint('race.c', code=0)
    write('race.c', RACE.replace('a[i];', 'a[i]; // ompinst: allow private, reduction'))
    lint('race.c', code=0)
    write('race.c', RACE.replace('a[i];', 'a[i]; // ompinst: allow openmp-private'))
    lint('race.c', code=1)


def test_known_findings():
    """Those of an earlier report do not count, wherever their lines are now."""
    write('race.c', RACE)
    for form in ('json', 'sarif'):
        lint(f'--format={form}', '-o', 'base', 'race.c', code=1)
        write('race.c', '/* one line */\n' + RACE)
        assert lint('--baseline=base', 'race.c', code=0).stdout == 'ompinst lint: 1 known finding (of base)\n'
        write('race.c', RACE + RACE.replace('sum', 'other').replace('s +=', 's -='))
        done = lint('--baseline=base', 'race.c', code=1)
        assert 'race.c:14:3: warning' in done.stdout and 'race.c:6:3' not in done.stdout, done.stdout
        found = json.loads(lint('--baseline=base', '--format=json', 'race.c', code=1).stdout)['findings']
        assert [one['baseline_state'] for one in found] == ['unchanged', 'new'], found
        found = json.loads(lint('--baseline=base', '--format=sarif', 'race.c', code=1).stdout)['runs'][0]['results']
        assert [one['baselineState'] for one in found] == ['unchanged', 'new'], found
        assert lint('--baseline=base', '--fix', 'race.c', code=1).stdout.count('+#pragma') == 1
        write('race.c', RACE)
    write('base', '{')
    assert "the baseline 'base' is no JSON, or not all of it" in lint('--baseline=base', 'race.c', code=2).stderr
    assert "cannot read the baseline 'missing'" in lint('--baseline=missing', 'race.c', code=2).stderr


def test_comments_for_races():
    """What `ompinst race` allows, lint allows for checks about races."""
    write('race.c', RACE.replace('\t\ts +=', '\t\t/* omp race: allow: it may be inexact */\n\t\ts +='))
    lint('race.c', code=0)
    write('race.c', 'int f(int i)\n{\n#pragma omp parallel private(i)\n\ti++; /* omp race: allow */\n\treturn i;\n}\n')
    assert 'openmp-firstprivate' in lint('race.c', code=1).stdout


def test_changes_since_a_commit():
    """Only findings in lines that changed."""
    def git(*words):
        subprocess.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', *words], check=True, capture_output=True)
    if shutil.which('git') is None:
        return
    write('race.c', RACE)
    git('init', '-q')
    git('add', 'race.c')
    git('commit', '-q', '-m', 'one')
    assert lint('--since=HEAD', 'race.c', code=0).stdout == 'ompinst lint: 1 finding in lines that have not changed since HEAD\n'
    write('race.c', RACE.replace('parallel for', 'parallel for schedule(static)'))     # the note's line
    assert 'race.c:6:3' in lint('--since=HEAD', 'race.c', code=1).stdout
    assert 'git says: fatal' in lint('--since=nothing', 'race.c', code=2).stderr


def test_broken_input():
    """What cannot be read is said, and the exit status is 2."""
    write('broken.c', 'int f(void)\n{\n\treturn undeclared;\n}\n' + RACE)
    done = lint('broken.c', code=2)
    assert 'broken.c:3:9: error: use of undeclared identifier' in done.stderr, done.stderr
    assert 'broken.c:10:3: warning: s is shared' in done.stdout, done.stdout
    assert 'cannot be preprocessed' in lint('missing.c', code=2).stderr
    write('f.f90', 'end\n')
    assert "; this is Fortran, in whose runs 'ompinst race' finds data races" in lint('f.f90', code=2).stderr
    assert "expected a C or C++ source file or a compiler's command" in lint(code=2).stderr
    assert "unknown option '--form'" in lint('--form', 'race.c', code=2).stderr


def test_cplusplus():
    """C++ is read as C++, with the standard that the compiler takes."""
    write('race.cc', '#include <vector>\n' + RACE.replace('double *a', 'std::vector<double> &a'))
    assert 'race.cc:7:3: warning: s is shared' in lint('race.cc', '--', '-std=c++17', code=1).stdout


def compile_it(*words, code=0):
    """Runs ompinst before the compiler; what is printed on standard error."""
    done = subprocess.run([OMPINST, COMPILER, *words], capture_output=True, text=True,
                          env={**os.environ, 'OMPINST_OPTIONS': ''})
    assert done.returncode == code, f'{words}: {done.returncode}\n{done.stdout}{done.stderr}'
    return done.stderr


def test_warnings_of_the_wrapper():
    """-Wopenmp among the compiler's words: its warnings, and none of the switches for the compiler."""
    write('race.c', RACE)
    assert compile_it('-fopenmp', '-Wall', '-c', 'race.c') == ''
    assert compile_it('-fopenmp', '-Wopenmp', '-c', 'race.c') == FINDING
    assert compile_it('-fopenmp', '-Wopenmp-reduction', '-c', 'race.c') == FINDING
    assert compile_it('-fopenmp', '-Wopenmp', '-Wno-openmp-reduction', '-c', 'race.c') == ''
    assert '-fopenmp is not among the flags' in compile_it('-Wopenmp', '-Wno-openmp-private', '-c', 'race.c')
    os.remove('race.o')
    assert 'no input files' in compile_it('-Wopenmp-private', code=1)


def test_build_folder():
    """-p: the commands of a build, run from their folders."""
    os.makedirs('src/build')
    write('src/race.c', '#ifdef RACE\n' + RACE + '#endif\n')
    entries = [{'directory': os.path.abspath('src/build'), 'file': '../race.c',
                'command': f'{COMPILER} -DRACE "-DTEXT=a b" -c ../race.c -o race.o'},
               {'directory': os.path.abspath('src'), 'file': 'race.c',
                'arguments': [COMPILER, '-c', 'race.c']}]
    write('src/build/compile_commands.json', json.dumps(entries, indent=1))
    assert '../race.c:7:3: warning: s is shared' in lint('-p', 'src/build', code=1).stdout
    assert '../race.c:7:3: warning: s is shared' in lint('-p', 'src/build', 'race.c', code=1).stdout
    assert 'no command of compile_commands.json' in lint('-p', 'src/build', 'other.c', code=2).stderr
    assert 'cannot read' in lint('-p', 'src', code=2).stderr
    write('src/compile_commands.json', '[{"directory": 3}]')
    assert 'expected an array of objects' in lint('-p', 'src', code=2).stderr


def main():
    """Runs all tests in a folder of their own; returns the exit status."""
    for name, test in sorted(globals().items()):
        if name.startswith('test_'):
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                test()
                os.chdir('/')
    return 0


if __name__ == '__main__':
    sys.exit(main())
