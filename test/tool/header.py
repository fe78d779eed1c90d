#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""include/omp-tools.h is a header for other people's tools: it compiles alone in C and C++, with
every compiler that is there, and says the same as LLVM's where both name something: values of
enumerators, types of callbacks and entry points, sizes and members of structures.

header.py HEADER FOLDER: what is compiled goes to FOLDER. Without LLVM's header the last part is
left out, and the test says so."""

import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'compilers'))
import compilers  # noqa: E402

# What OpenMP 5.2 and 6.0 have and LLVM 19's header lacks.
OURS_ONLY = {
    'ompt_target_map_flag_always', 'ompt_target_map_flag_present',
    'ompt_target_map_flag_close', 'ompt_target_map_flag_shared',
    'ompt_record_ompt_t.record.error', 'ompt_target_data_memset', 'ompt_target_data_memset_async',
    'ompd_get_device_from_thread', 'ompd_get_device_thread_id_kinds', 'ompd_icv_undefined',
}


def compiles_alone(header, folder):
    """A list of what does not compile."""
    wrong = []
    for compiler, options, suffix in [
            ('gcc', ['-std=c99'], 'c'), ('gcc', ['-std=gnu11'], 'c'), ('g++', ['-std=c++11'], 'cc'),
            (compilers.find('clang'), ['-std=c11'], 'c'), (compilers.find('clang++'), ['-std=c++17'], 'cc')]:
        if not shutil.which(compiler):
            continue
        source = os.path.join(folder, 'alone.' + suffix)
        with open(source, 'w') as file:
            file.write('#include "%s"\nompt_data_t data = ompt_data_none;\n' % header)
        done = subprocess.run([compiler, *options, '-Wall', '-Wextra', '-Werror', '-fsyntax-only', source],
                              capture_output=True, text=True)
        if done.returncode:
            wrong.append('%s %s: %s' % (compiler, ' '.join(options), done.stderr))
    return wrong


def without_comments(text):
    text = re.sub(r'/\*.*?\*/|//[^\n]*', ' ', text, flags=re.S)
    return re.sub(r'\bDEPRECATED_51\b', ' ', text)


def members_of(body):
    """Names of the members that a structure's or union's body declares; of the inner one's, too."""
    names = []
    inner = re.search(r'union \{(.*?)\} (\w+);', body, re.S)
    if inner:
        names += ['%s.%s' % (inner.group(2), name) for name in members_of(inner.group(1))]
        body = body.replace(inner.group(0), '')
    for declaration in body.split(';'):
        name = re.search(r'(\w+)\s*$', declaration)
        if name:
            names.append(name.group(1))
    return names


def read_names(path):
    """({enumerators and numbers}, {types}, {structure: members}, {functions}) of a header."""
    text = without_comments(open(path).read())
    enumerators, structures = set(), {}
    for body in re.findall(r'typedef enum \w+ \{(.*?)\}', text, re.S):
        enumerators |= set(re.findall(r'\b(omp[td]_\w+)\s*=', body))
    enumerators |= set(re.findall(r'^#define\s+(omp[td]_\w+_none)\s+[^{\s]', text, re.M))
    flat = re.sub(r'\s+', ' ', text)
    for name, body in re.findall(r'typedef (?:struct|union) \w+ \{((?:[^{}]|\{[^{}]*\})*)\} (omp[td]_\w+);', flat):
        structures[body] = members_of(name)
    types = set(structures)
    types |= set(re.findall(r'\btypedef [^;{}]*?\(\s*\*\s*(omp[td]_\w+)\s*\)\s*\(', flat))
    types |= set(re.findall(r'\btypedef [\w ]+?[ *](omp[td]_\w+) ?;', flat))
    types |= set(re.findall(r'\} (omp[td]_\w+) ?;', flat))
    functions = set(re.findall(r'\bompd_rc_t (ompd_\w+) ?\(', flat)) | {'ompt_start_tool'}
    return enumerators, types, structures, functions


INCOMPLETE = re.compile(r'ompd_.*_(handle|context)_t$|ompt_(device|buffer)_t$')


def what_it_says(header, names, folder, label):
    """{name: value, type or layout}, said by a C++ program that was compiled with the header."""
    enumerators, types, structures, functions = names
    lines = ['#include "%s"' % header, '#include <cstdio>', '#include <cstddef>', '#include <typeinfo>', 'int main() {']
    for name in sorted(enumerators):
        lines.append('std::printf("%s %%lld\\n", (long long)%s);' % (name, name))
    for name in sorted(types):
        of = name + ' *' if INCOMPLETE.search(name) else name
        lines.append('std::printf("%s %%s %%zu\\n", typeid(%s).name(), sizeof(%s));' % (name, of, of))
    for name in sorted(structures):
        for member in structures[name]:
            lines.append('std::printf("%s.%s %%s %%zu\\n", typeid(decltype(((%s *)0)->%s)).name(), offsetof(%s, %s));'
                         % (name, member, name, member, name, member))
    for name in sorted(functions):
        lines.append('std::printf("%s %%s\\n", typeid(decltype(%s)).name());' % (name, name))
    source, program = os.path.join(folder, label + '.cc'), os.path.join(folder, label)
    with open(source, 'w') as file:
        file.write('\n'.join(lines + ['}\n']))
    subprocess.run(['g++', '-std=c++11', '-w', source, '-o', program], check=True)
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return dict(line.split(' ', 1) for line in text.splitlines())


def differences(header, theirs, folder):
    ours_names, their_names = read_names(header), read_names(theirs)
    ours = what_it_says(header, ours_names, folder, 'ours')
    other = what_it_says(theirs, their_names, folder, 'theirs')
    wrong = ['%s: only %s has it' % (name, theirs) for name in sorted(set(other) - set(ours))]
    wrong += ['%s: only ours has it, and it is not known as newer' % name
              for name in sorted(set(ours) - set(other) - OURS_ONLY)]
    both = sorted(set(ours) & set(other))
    wrong += ['%s: %s, expected %s as in %s' % (name, ours[name], other[name], theirs)
              for name in both if ours[name] != other[name]]
    return wrong, len(both)


def main():
    header, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    wrong = compiles_alone(header, folder)
    found = sorted(glob.glob('/usr/lib/llvm-*/lib/clang/*/include/omp-tools.h'), key=lambda path: '-19/' not in path)
    if not found or not shutil.which('g++'):
        print("LLVM's omp-tools.h or g++ is missing: the headers were not compared")
    elif not wrong:
        more, both = differences(header, found[0], folder)
        wrong += more
        print('%d names agree with %s' % (both - len(more), found[0]))
        if both < 550:
            wrong.append('only %d names were compared, expected at least 550' % both)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
