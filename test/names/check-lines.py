#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check-lines.py NAME-CODE CASES COMPILER LANGUAGE OPTION...: names have the lines of their directives.

Compiles the programs of CASES for the language with those options, asks the namer about each entry of
an outlined function and each return address of a call that begins a construct, as the machine code has
them, and compares with what a line-by-line reading of the source says: of each construct, the answers'
lines are exactly those of its directives; of loops, those that the runtime hands out must be among
them, and of singles some. A source says what cannot be found in a comment "none: ...".
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

CALLS = {
    'GOMP_critical_start': 'critical', 'GOMP_critical_name_start': 'critical', 'GOMP_barrier': 'barrier',
    'GOMP_sections_start': 'sections', 'GOMP_single_copy_start': 'single',
    'GOMP_ordered_start': 'ordered', 'GOMP_taskwait': 'taskwait', 'GOMP_taskgroup_start': 'taskgroup',
    'GOMP_taskyield': 'taskyield',
    '__kmpc_critical': 'critical', '__kmpc_ordered': 'ordered', '__kmpc_single': 'single',
    '__kmpc_omp_taskwait': 'taskwait', '__kmpc_taskgroup': 'taskgroup', '__kmpc_fork_call': 'parallel',
    '__kmpc_omp_task': 'task', '__kmpc_taskloop': 'taskloop', '__kmpc_dispatch_init_4': 'for',
    '__kmpc_dispatch_init_4u': 'for', '__kmpc_critical_with_hint': 'critical',
    '__kmpc_barrier': 'barrier',
}
# Of flang, what the runtime says is the function that these get and where they return to.
BY_FUNCTION_OF_FLANG = {'__kmpc_fork_call': 'parallel', '__kmpc_omp_task_alloc': 'task'}
TAKES_FUNCTION = {'GOMP_task': 'task', 'GOMP_taskloop': 'taskloop', 'GOMP_taskloop_ull': 'taskloop'}


def construct_of_call(name):
    """The construct that a call of this routine begins, or None."""
    if re.match(r'GOMP_loop_(?!.*(next|end|cancel)).*start$', name):
        return 'for'
    return CALLS.get(name)


def construct_of_function(name):
    """The construct whose function a routine gets, or None."""
    return 'parallel' if name.startswith('GOMP_parallel') else TAKES_FUNCTION.get(name)


def questions(program):
    """(construct, at, offset, caller's offset or 0) of all places of a program."""
    symbols = {}
    for line in subprocess.run(['nm', program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3:
            symbols[words[2]] = int(words[0], 16)
    of_flang = any('..omp_par' in name for name in symbols)
    # Its own runtime is linked into it, behind the program's code.
    end = [f'--stop-address={max(symbols[name] for name in symbols if "..omp_par" in name or name == "main") + 4096}'] if of_flang else []
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', *end, program], capture_output=True, text=True,
                          check=True).stdout
    function = callee = made = None
    found = []
    for line in text.splitlines():
        if not callee and '<' not in line and '$0x' not in line:
            continue
        match = re.match(r'\s+([0-9a-f]+):', line)
        if not match:
            continue
        if callee:
            if made and callee in BY_FUNCTION_OF_FLANG:
                found.append((BY_FUNCTION_OF_FLANG[callee], 'entry', symbols[made], int(match[1], 16)))
                made = None
            elif construct_of_call(callee) and not (callee == '__kmpc_omp_task' and of_flang):
                found.append((construct_of_call(callee), 'return', int(match[1], 16), 0))
            callee = None
        lea = re.search(r'\blea\s.*<(\S*\.\.omp_par[.\d]*)>', line)
        made = lea[1] if lea else made
        passed = re.search(r'[#$].*<(\S*_omp_fn\.\d+)>', line) or re.search(r'\$(0x[0-9a-f]+)', line)
        if passed:
            name = passed[1]
            if name.startswith('0x'):
                name = next((symbol for symbol, value in symbols.items()
                             if value == int(name, 16) and '_omp_fn' in symbol), None)
            function = name or function
        call = re.search(r'\b(?:call|jmp)\s.*<(\w+)@plt>', line)
        if call:
            callee = call[1] if 'call' in line else None
            construct = construct_of_function(call[1])
            if construct and function in symbols:
                found.append((construct, 'entry', symbols[function], 0))
    return sorted(set(found))


def directives(source):
    """
    {construct: lines of its directives} of a source, read line by line; 'handed out': loops whose
    beginning is a call.
    """
    lines = collections.defaultdict(set)
    continued = False
    with open(source, encoding='utf-8') as text:
        for number, line in enumerate(text, 1):
            match = re.match(r'\s*(?:#\s*pragma\s+omp|[!c*]\$omp)(.)\s*(.*)', line.rstrip(), re.IGNORECASE)
            if not match or continued or (match[1] not in ' \t'):
                continued = bool(continued and line.rstrip().endswith(('&', '\\')))
                continue
            continued = line.rstrip().endswith(('&', '\\'))
            words = re.findall(r'[a-z]+', match[2].lower().replace('paralleldo', 'parallel do').split('(')[0])
            if words[0] in ('end', 'threadprivate', 'section', 'declare', 'cancel'):
                continue
            for word in words[:1] if words[0] not in ('parallel', 'do', 'for') else words:
                if word in ('parallel', 'for', 'do', 'task', 'taskloop', 'critical', 'barrier', 'sections',
                            'taskwait', 'taskgroup', 'taskyield', 'single') or words[0] == 'ordered':
                    lines['for' if word == 'do' else word].add(number)
            if words[0] in ('do', 'for') and re.search(r'ordered|schedule\s*\(.*(dynamic|guided|runtime)', match[2], re.I):
                lines['handed out'].add(number)
    return lines


def asked(name_code, program, places):
    """The answers to the places: lists of their fields."""
    build_id = re.search(r'Build ID: (\w+)', subprocess.run(
        ['readelf', '-n', program], capture_output=True, text=True, check=True).stdout)
    lines = ''.join(f'{construct} {at} {offset:x}{f",{caller:x}" if caller else ""} 0 {build_id[1] if build_id else "-"} {program}\n'
                    for construct, at, offset, caller in places)
    result = subprocess.run([name_code], input=lines, capture_output=True, text=True, check=True)
    return [line.split('\t') for line in result.stdout.splitlines()]


def check(name_code, source, program, compiler):
    """Prints what is wrong; returns how much."""
    places = questions(program)
    is_clang = 'clang' in compiler
    expected = directives(source)
    handed_out = expected.pop('handed out', set())
    if is_clang:  # it puts a taskgroup around
        expected['taskgroup'] |= expected['taskloop']
    answers = collections.defaultdict(set)
    wrong = 0
    for place, answer in zip(places, asked(name_code, program, places)):
        construct = place[0]
        if os.environ.get('VERBOSE'):
            print(place[0], place[1], hex(place[2]), answer)
        if answer[5].startswith('of ') or (is_clang and construct == 'barrier' and answer[6][:7] != 'barrier'):
            continue
        if answer[0] != '3':
            print(f'{program}: {construct} {place[1]} {place[2]:x}: no directive: {answer}')
            wrong += 1
            continue
        answers[construct].add(int(answer[3]))
        if not answer[2].endswith(os.path.basename(source)):
            print(f'{program}: {construct} {place[1]} {place[2]:x}: file {answer[2]}')
            wrong += 1
    with open(source, encoding='utf-8') as text:
        hidden = set(re.findall(r'none: (\w+)', text.read()))
    if 'flang' in compiler:  # calls of loops and barriers may have the line of the statement before
        hidden |= {'for', 'barrier'}
    if 'for' not in hidden and not handed_out <= answers['for']:
        print(f'{program}: for: lines {sorted(answers["for"])} lack {sorted(handed_out - answers["for"])}')
        wrong += 1
    for construct in sorted((set(answers) | set(expected)) - hidden):
        calls = {place[0] for place in places}
        if construct in calls and answers[construct] != expected[construct] and not (
                construct in ('for', 'single') and answers[construct] <= expected[construct]):
            print(f'{program}: {construct}: lines {sorted(answers[construct])}, '
                  f'expected {sorted(expected[construct])}')
            wrong += 1
    return wrong


def main():
    """Compiles and checks; the exit status says whether all was right."""
    name_code, cases, compiler, language, *options = sys.argv[1:]
    name_code, cases = os.path.abspath(name_code), os.path.abspath(cases)
    endings = {'c': ('.c',), 'c++': ('.cpp',), 'fortran': ('.f90', '.f')}[language]
    wrong = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(cases)):
            if not name.endswith(endings):
                continue
            source, program = os.path.join(cases, name), os.path.join(folder, name + '.out')
            subprocess.run(compiler.split() + ['-fopenmp', '-g', *options, '-o', program, source, '-lm'],
                           check=True, cwd=folder)
            wrong += check(name_code, source, program, compiler)
            checked += len(questions(program))
    print(f'{checked} places, {wrong} wrong')
    return 1 if wrong or checked == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
