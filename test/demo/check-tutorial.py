# SPDX-License-Identifier: BSD-3-Clause
"""Whether what the tutorial and the README show is what happens: goes along their blocks, builds pairs.c, runs
it, applies the changes that are shown, asks the reports, and looks for every line that is shown in what comes.
Figures may differ, and so may bars and what the timeline draws; names, columns and sentences may not.

Usage: check-tutorial.py BUILD PAIRS_C DOCUMENT...
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

from shown import Follower
from tutorial import RUNS, blocks_of, changed

BUILD, SOURCE, *DOCUMENTS = map(Path, sys.argv[1:])
follower = Follower(BUILD)


def command_of(line):
    return line[2:] if line.startswith("$ ") else None


def change(source, lines):
    text = changed(source.read_text("utf-8"), lines)
    if text is None:
        follower.failures.append(f"the change is not one of {source.name}'s:\n" + "\n".join(lines))
    else:
        source.write_text(text, "utf-8")


def build_and_run(folder, name):
    follower.execute("ompinst gcc -fopenmp -O2 -g pairs.c -o pairs -lm", folder)
    return follower.execute(f"POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY={name} ./pairs", folder)


def traced(command, folder):
    """The whole summary of the program that `ompinst run` measures."""
    follower.execute(command.replace("ompinst run", "ompinst run --trace=whole"), folder)
    return follower.execute("ompreport summary --width=200 --rows=0 whole", folder)


def follow(document, folder):
    runs, last, checked = list(RUNS), "", 0
    shutil.copy(SOURCE, folder)
    for kind, lines in blocks_of(document):
        commands = [i for i, line in enumerate(lines) if command_of(line)]
        if kind == "diff":
            change(folder / "pairs.c", lines)
            runs.pop(0)
            last = build_and_run(folder, runs[0])
        elif not commands and any("wall time" in line for line in lines):
            follower.compare(f"{document.name}, the run '{runs[0]}'", lines, last, last)
            checked += 1
        for here, following in zip(commands, [*commands[1:], len(lines)]):
            command, shown = command_of(lines[here]), lines[here + 1:following]
            if command.startswith("gcc "):  # the program as it was before all changes
                shutil.copy(SOURCE, folder)
            if command.startswith(("gcc ", "strip ")):
                follower.execute(command, folder)
            if not shown or not re.match(r"(POMP_\S+ )*(ompinst|ompreport|\./pairs)", command):
                continue
            found, trace = follower.execute(command, folder), re.search(r"DIRECTORY=(\S+) ./pairs", command)
            wide = found if command.startswith("ompreport html") else \
                follower.execute(f"{command} --width=200 --rows=0", folder) if command.startswith("ompreport") else \
                follower.execute(f"ompreport summary --width=200 --rows=0 {trace[1]}", folder) if trace else \
                traced(command, folder) if command.startswith("ompinst run") else found
            follower.compare(f"{document.name}, $ {command}", shown, found, wide)
            checked += 1
    print(f"{document.name}: {checked} outputs compared, {len(RUNS) - len(runs)} changes made")


for document in DOCUMENTS:
    with tempfile.TemporaryDirectory() as temporary:
        follow(document, Path(temporary))
for failure in follower.failures:
    print(f"FAIL: {failure}")
sys.exit(1 if follower.failures else 0)
