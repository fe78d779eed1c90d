# SPDX-License-Identifier: BSD-3-Clause
"""Whether what the tutorial and the README show is what happens: goes along their blocks, builds pairs.c, runs
it, applies the changes that are shown, asks the reports, and looks for every line that is shown in what comes.
Figures may differ, and so may bars and what the timeline draws; names, columns and sentences may not.

Usage: check-tutorial.py BUILD PAIRS_C DOCUMENT...
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tutorial import RUNS, blocks_of, changed

BUILD, SOURCE, *DOCUMENTS = map(Path, sys.argv[1:])
failures = []


def fold(line):
    """The line without what differs from run to run."""
    line = re.sub(r"\+0x[0-9a-f]+", "+address", re.sub(r"\|.*\|", "|lane|", line))
    line = re.sub(r"(?<![\w.:])[+-]?<?\d[\d,.]*(?:ns|us|ms|s|%|k|M|G)?(?![\w:])|\bn/a\b", "N", re.sub(r"(\.c:)(\d+)", r"\1L\2", line))
    return " ".join(re.sub(r"\s#+(?=\s|$)", " ", line).split())


def command_of(line):
    return line[2:] if line.startswith("$ ") else None


def execute(command, folder):
    environment = dict(os.environ, OMP_NUM_THREADS="2",
                       PATH=f"{BUILD / 'instrumenter'}:{BUILD / 'reports'}:{os.environ['PATH']}")
    done = subprocess.run(command.split("#")[0], shell=True, cwd=folder, env=environment, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        failures.append(f"{command}: status {done.returncode}: {done.stdout}")
    return done.stdout


def words_of(text):
    return set(re.findall(r"[a-z]+", text))


def is_like(line, found, wide):
    """Whether one of the lines found is the same but for its figures. Of a table's row its name is compared, which
    may be cut, and of a table's head the columns: the width of the figures decides how many there is room for."""
    mine, rows = fold(line), [fold(other) for other in found.splitlines()]
    if mine in rows:
        return True
    if mine.startswith(("file:line", "lock acquired")):
        return any(words_of(line) <= words_of(head) for head in wide.splitlines())
    name = re.match(r"(\S+(?:\.c:L\d+|\+address) \S+?|critical\S+ \S+?)(?:~| |$)", mine)
    return bool(name) and any(row.startswith(name[1]) or "~" in row and name[1].startswith(row.split("~")[0]) for row in rows)


def compare(command, shown, found, wide):
    """Each line is there; of the advice, which depends on the figures, the first is."""
    advice = next((i for i, line in enumerate(shown) if line == "ADVICE"), len(shown))
    for line in shown[:advice + 1]:
        if line.strip() not in ("...", "") and not is_like(line, found, wide):
            failures.append(f"{command}: shows {line!r}, which is not in\n{found}")
    sentences = [fold(text) for text in "\n".join(shown[advice + 1:]).split("\n - ")]
    if shown[advice + 1:] and sentences[0].removeprefix("- ") not in fold(" ".join(found.split("ADVICE")[-1].split())):
        failures.append(f"{command}: advises {sentences[0]!r}, which is not in\n{found}")


def change(source, lines):
    text = changed(source.read_text("utf-8"), lines)
    if text is None:
        failures.append(f"the change is not one of {source.name}'s:\n" + "\n".join(lines))
    else:
        source.write_text(text, "utf-8")


def build_and_run(folder, name):
    execute("ompinst gcc -fopenmp -O2 -g pairs.c -o pairs -lm", folder)
    return execute(f"POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY={name} ./pairs", folder)


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
            compare(f"{document.name}, the run '{runs[0]}'", lines, last, last)
            checked += 1
        for here, following in zip(commands, [*commands[1:], len(lines)]):
            command, shown = command_of(lines[here]), lines[here + 1:following]
            if command.startswith("gcc "):  # the program as it was before all changes
                shutil.copy(SOURCE, folder)
            if command.startswith(("gcc ", "strip ")):
                execute(command, folder)
            if not shown or not re.match(r"(POMP_\S+ )*(ompinst|ompreport|\./pairs)", command):
                continue
            found, trace = execute(command, folder), re.search(r"DIRECTORY=(\S+) ./pairs", command)
            wide = found if command.startswith("ompreport html") else \
                execute(f"{command} --width=200", folder) if command.startswith("ompreport") else \
                execute(f"ompreport summary --width=200 {trace[1]}", folder) if trace else found
            compare(f"{document.name}, $ {command}", shown, found, wide)
            checked += 1
    print(f"{document.name}: {checked} outputs compared, {len(RUNS) - len(runs)} changes made")


for document in DOCUMENTS:
    with tempfile.TemporaryDirectory() as temporary:
        follow(document, Path(temporary))
for failure in failures:
    print(f"FAIL: {failure}")
sys.exit(1 if failures else 0)
