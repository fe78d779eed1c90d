# SPDX-License-Identifier: BSD-3-Clause
"""Counts the OpenMP directives that a build compiles: active_directives.py BUILD.LOG FOLDER

Takes each compile command with -fopenmp of a build log (libtool's, make's or ninja's), runs its
preprocessor part in FOLDER, and counts the pragmas that are left, those of headers and macros among
them: an oracle that knows nothing of the instrumenter. Prints `FILE ACTIVE INACTIVE` for each file that
has any, and `total ACTIVE INACTIVE` at the end; inactive are those that stand in the file itself and
that the preprocessor drops.
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

COMMAND = re.compile(r"(?:libtool: compile:|\[\d+/\d+\])?\s*((?:\S*/)?(?:gcc|mpicc(?:\.\w+)?)\s.* -c .*)")
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


def compile_commands(log):
    """Yields (source, words) for each file that the log compiles with -fopenmp."""
    seen = set()
    for line in log.read_text(errors="replace").splitlines():
        command = COMMAND.match(line)
        if not command or "-fopenmp" not in line or line.endswith("\\"):
            continue
        words = shlex.split(command[1])
        sources = [word for word in words if word.endswith((".c", ".cc", ".cpp"))]
        if len(sources) == 1 and sources[0] not in seen:
            seen.add(sources[0])
            yield sources[0], words


def main():
    log, folder = Path(sys.argv[1]), Path(sys.argv[2])
    total, total_inactive = 0, 0
    for source, words in compile_commands(log):
        mentioned = len(PRAGMA.findall((folder / source).read_text(errors="replace")))
        command = [words[0], "-E", *preprocessor_arguments(words[1:])]
        text = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                              check=True).stdout
        active = len(PRAGMA.findall(text))
        if not active and not mentioned:
            continue
        print(source, active, max(mentioned - active, 0))
        total += active
        total_inactive += max(mentioned - active, 0)
    print("total", total, total_inactive)


if __name__ == "__main__":
    main()
