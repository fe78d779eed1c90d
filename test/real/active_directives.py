# SPDX-License-Identifier: BSD-3-Clause
"""Counts the OpenMP directives that a build compiles: active_directives.py BUILD.LOG FOLDER

Takes each compile command of a build log (libtool's or make's) whose source mentions OpenMP, runs its
preprocessor part in FOLDER, and counts the pragmas that are left: an oracle that knows nothing of the
instrumenter. Prints `FILE ACTIVE INACTIVE` for each file and `total ACTIVE INACTIVE` at the end.
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b", re.M)


def preprocessor_arguments(words):
    """The command's words without what only a compilation uses."""
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MT", "-MF", "-MQ"):
            skip = True
        elif word not in ("-c", "-S", "-MD", "-MMD", "-MP"):
            kept.append(word)
    return kept


def main():
    log, folder = Path(sys.argv[1]), Path(sys.argv[2])
    seen, total, total_inactive = set(), 0, 0
    for line in log.read_text(errors="replace").splitlines():
        command = re.match(r"(?:libtool: compile:)?\s*((?:ompinst-)?gcc\s.* -c .*)", line)
        if not command or "-fopenmp" not in line or line.endswith("\\"):
            continue
        words = shlex.split(command[1])
        sources = [word for word in words if word.endswith((".c", ".cc", ".cpp"))]
        if len(sources) != 1 or sources[0] in seen:
            continue
        seen.add(sources[0])
        mentioned = len(PRAGMA.findall((folder / sources[0]).read_text(errors="replace")))
        if not mentioned:
            continue
        command = ["gcc", "-E", *preprocessor_arguments(words[1:])]
        text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
        active = len(PRAGMA.findall(text))
        print(sources[0], active, mentioned - active)
        total += active
        total_inactive += mentioned - active
    print("total", total, total_inactive)


main()
