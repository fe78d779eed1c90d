#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks for passes of GCC that remove or move memory accesses before ThreadSanitizer sees them.

An access is a call of ThreadSanitizer's in the assembly text, known by its line and by whether it reads or
writes. Without optimization each is at the line that the source has it in. With optimization some are lost, so
that a race of that line cannot be found, and some appear at a line that has none, which is then blamed.

    passes.py                        how many are lost and moved in the kernels with what `ompinst race` adds
    passes.py --search               and for each kernel which passes to switch off: as few as do what all of them do
    passes.py --flags=-fno-x --list  which, with these flags too
    passes.py --check FILE           fails if the file loses or moves any
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {".c": "cc", ".cc": "cxx", ".F90": "fc"}
CALL = re.compile(r"__tsan_(?:unaligned_)?(read|write)(?:\d+|_range)\b")
PLACE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)")
END = re.compile(r"^\s*(?:\}|end\b)", re.IGNORECASE)
LOOP = re.compile(r"^\s*(?:#pragma|!\$)\s*omp\b.*\b(?:for|do)\b", re.IGNORECASE)
FILE = re.compile(r'^\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"')


def assembly(path, options, flags):
    """The file's assembly text, by the compiler with `ompinst race` in front."""
    compiler = getattr(options, COMPILERS[os.path.splitext(path)[1]])
    with tempfile.TemporaryDirectory(prefix="race-passes-") as folder:
        command = [*shlex.split(options.build), *shlex.split(compiler), "-fopenmp", "-Wno-openmp", "-w", *flags, "-S", path, "-o", "-"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=folder, check=False)
    return done.stdout if done.returncode == 0 else None


def hidden_lines(path):
    """
    The lines that end a block, where what is passed to a region and taken from it is read and written, and those of loops
    behind a directive, where the bounds of a chunk are read.
    """
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return {number for number, line in enumerate(lines, 1) if END.match(line) or number > 1 and LOOP.match(lines[number - 2])}


def accesses(path, text):
    """The set of (line, "read" or "write") that the text has for the file."""
    names, found, place, without = {}, set(), None, hidden_lines(path)
    for line in text.splitlines():
        if match := FILE.match(line):
            names[match[1]] = os.path.basename(match[2])
        elif match := PLACE.match(line):
            place = int(match[2]) if names.get(match[1]) == os.path.basename(path) else None
        elif (match := CALL.search(line)) and place and place not in without:
            found.add((place, match[1]))
    return found


def compile_all(pool, paths, options, flags):
    """{path: accesses} of those that compile."""
    texts = zip(paths, pool.map(lambda path: assembly(path, options, flags), paths))
    return {path: accesses(path, text) for path, text in texts if text is not None}


def measure(pool, plain, options, flags):
    """{path: (lost, moved)} of those that differ from `plain`, without optimization, and how many compile."""
    optimized = compile_all(pool, plain, options, [options.level, *flags])
    results = {path: (sorted(plain[path] - optimized[path]), sorted(optimized[path] - plain[path])) for path in optimized}
    return {path: both for path, both in results.items() if both[0] or both[1]}, len(results)


def count(found):
    return sum(len(lost) for lost, _ in found.values()), sum(len(moved) for _, moved in found.values())


def passes(options, path):
    """The switches that are on at the level. Many of them are on at -O0, too, where nothing runs that they switch."""
    compiler = shlex.split(getattr(options, COMPILERS[os.path.splitext(path)[1]]))
    said = subprocess.run([*compiler, *options.flags, options.level, "-Q", "--help=optimizers"], stdout=subprocess.PIPE, text=True,
                          check=True)
    return ["-fno-" + name for name in re.findall(r"^\s+-f([^\s=]+)\s+\[enabled\]", said.stdout, re.MULTILINE)]


def fewest(is_enough, needed, candidates, changed=False):
    """As few of the candidates as are enough, beside those that are needed. All of them are (QuickXplain)."""
    if changed and is_enough(needed):
        return []
    if len(candidates) == 1:
        return candidates
    half = len(candidates) // 2
    first, second = candidates[:half], candidates[half:]
    of_second = fewest(is_enough, needed + first, second, True)
    return fewest(is_enough, needed + of_second, first, bool(of_second)) + of_second


def search_file(path, options, plain):
    """What to switch off for the file, and how many accesses are then lost or moved."""
    def wrong(switches):
        text = assembly(path, options, [options.level, *options.flags, *switches])
        return len(plain ^ accesses(path, text)) if text is not None else sys.maxsize

    def is_enough(switches):
        return wrong(switches) <= left
    every = passes(options, path)
    left = wrong(every)
    return (fewest(is_enough, [], every) if left < wrong([]) else []), left


def search(pool, plain, options):
    """Prints what to switch off for each file."""
    results = pool.map(lambda path: search_file(path, options, plain[path]), plain)
    for path, (switches, left) in zip(plain, results):
        print(f"{os.path.relpath(path)}: {' '.join(switches) or 'no switch helps'}: {left} are left", flush=True)


def look(pool, paths, plain, options):
    """Prints what is wrong at the level; whether anything is."""
    found, compiled = measure(pool, plain, options, options.flags)
    lost, moved = count(found)
    print(f"{options.level}: {compiled} of {len(paths)} files compile; in {len(found)} of them, {lost} accesses are lost and "
          f"{moved} moved", flush=True)
    for path, both in found.items():
        for what, several in zip(("lost", "moved"), both):
            for line, kind in several if options.list or options.check else ():
                print(f"{os.path.relpath(path)}:{line}: {what}: {kind}")
    if options.search:
        search(pool, {path: plain[path] for path in found}, options)
    return bool(found) or compiled < len(paths)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="ompinst race", metavar="PREFIX", help="before the compiler (default: %(default)s)")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--fc", default="gfortran")
    parser.add_argument("--levels", default="-O2", type=lambda text: text.split(","),
                        help="of optimization, such as -O1,-Os (default: %(default)s)")
    parser.add_argument("--flags", default=[], type=shlex.split, help="further flags of the compiler")
    parser.add_argument("--search", action="store_true", help="for the passes of each level to switch off, of GCC")
    parser.add_argument("--list", action="store_true", help="list the accesses")
    parser.add_argument("--check", action="store_true", help="fail if there are any, or if a file does not compile")
    parser.add_argument("--jobs", "-j", default=2, type=int)
    parser.add_argument("files", nargs="*", help="default: all kernels")
    return parser.parse_args()


def main():
    options = read_options()
    kernels = os.path.join(HERE, "kernels")
    paths = [os.path.abspath(path) for path in options.files] or \
        [os.path.join(kernels, name) for name in sorted(os.listdir(kernels)) if os.path.splitext(name)[1] in COMPILERS]
    wrong = False
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        plain = compile_all(pool, paths, options, ["-O0"])
        for options.level in options.levels:
            wrong |= look(pool, paths, plain, options)
    return 1 if options.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
