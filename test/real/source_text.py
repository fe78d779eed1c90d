# SPDX-License-Identifier: BSD-3-Clause
"""Instruments a build's files as source text: source_text.py BUILD.LOG FOLDER OMPINST

Takes each compile command with -fopenmp of a build log whose file has directives, has ompinst
write the file's instrumented text beside it, and compiles that with the same flags, with -fopenmp and, for
what stands in `#ifdef _OPENMP`, without. Prints what was not instrumented or does not compile, and the
totals; fails when there is any such.
"""
import json
import subprocess
import sys
from pathlib import Path

from active_directives import PRAGMA, compile_commands, preprocessor_arguments


def compiles(ompinst, compiler, flags, source, folder):
    header = ["-idirafter", Path(ompinst).parent / "include"]  # of pomp.h
    done = subprocess.run([compiler, *flags, *header, "-O0", "-w", "-c", source, "-o", "/dev/null"], cwd=folder,
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        print(f"{source} does not compile:\n{done.stderr[:2000]}")
    return done.returncode == 0


def treat(ompinst, source, words, folder):
    """Returns how many directives were instrumented, and how many things went wrong."""
    compiler, flags = words[0], [word for word in preprocessor_arguments(words[1:]) if word != str(source)]
    path = folder / source
    output = path.with_name(f"{path.stem}.instrumented{path.suffix}")
    command = [ompinst, f"--cc={compiler}"]
    listed = subprocess.run([*command, "--list=json", path, "--", *flags], cwd=folder,
                            capture_output=True, text=True, check=True).stdout
    entries = [json.loads(line) for line in listed.splitlines()]
    skipped = [entry for entry in entries if entry["status"] == "skipped"]
    for entry in skipped:
        print("{file}:{line}: {directive}: {reason}".format(**entry))
    subprocess.run([*command, path, "-o", output, "--", *flags], cwd=folder, check=True)
    serial = [flag for flag in flags if flag != "-fopenmp"]
    wrong = sum(not compiles(ompinst, compiler, these, output, folder) for these in (flags, serial))
    output.unlink()
    done = sum(entry["status"] == "instrumented" for entry in entries)
    return done, len(skipped) + wrong


def main():
    log, folder, ompinst = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    total = wrong = files = 0
    for source, words in compile_commands(log):
        if PRAGMA.search((folder / source).read_text(errors="replace")):
            counts = treat(ompinst, source, words, folder)
            total, wrong, files = total + counts[0], wrong + counts[1], files + 1
    print(f"{files} files: {total} directives instrumented, {wrong} things wrong")
    sys.exit(wrong != 0 or total == 0)


main()
