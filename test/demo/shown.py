# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands of a document and compares what it shows with what comes. Figures may differ, and so may bars
and what a timeline draws; names, columns and sentences may not. For the tests that follow a document."""
import os
import re
import subprocess


def fold(line):
    """The line without what differs from run to run."""
    line = re.sub(r"(\+?)0x[0-9a-f]+", r"\1address", re.sub(r"\|.*\|", "|lane|", line))
    line = re.sub(r"(?<![\w.:])[+-]?<?\d[\d,.]*(?:ns|us|ms|s|%|k|M|G)?(?![\w:])|\bn/a\b", "N", re.sub(r"(\.c:)(\d+)", r"\1L\2", line))
    return " ".join(re.sub(r"\s#+(?=\s|$)", " ", line).split())


def without_place(text):
    """A sentence of advice without the place and the construct that it is about."""
    return re.sub(r"^\S+:L\d+ [^:]+:", "PLACE:", text)


def words_of(text):
    return set(re.findall(r"[a-z]+", text))


def counterpart(line, found, wide):
    """The line found that is the same but for its figures, or None. Of a table's row its name is compared, which may be
    cut, and of a table's head the columns: the figures decide how many rows and columns a screen has. `wide` has all."""
    mine, rows = fold(line), found.splitlines()
    for row in rows:
        if fold(row) == mine:
            return row
    if mine.startswith(("file:line", "lock acquired")):
        if any(words_of(line) <= words_of(head) for head in wide.splitlines()):
            return next((row for row in rows if fold(row).startswith(mine.split()[0])), line)
    name = re.match(r"(\S+(?:\.c:L\d+|\+address) \S+?|critical\S+ \S+?)(?:~| |$)", mine)
    for row in [*rows, *wide.splitlines()] if name else []:
        folded = fold(row)
        if folded.startswith(name[1]) or "~" in folded and name[1].startswith(folded.split("~")[0]):
            return row
    return None


class Follower:
    """Executes commands with the programs of a build folder; what is wrong is listed in `failures`."""

    def __init__(self, build, **environment):
        self.failures, self.build = [], build
        self.environment = dict(os.environ, OMP_NUM_THREADS="2", PATH=f"{build / 'instrumenter'}:{build / 'reports'}:{os.environ['PATH']}",
                                **environment)

    def execute(self, command, folder, statuses=(0,)):
        """What the command prints; a status that is not expected is a failure."""
        done = subprocess.run(command.split("#")[0], shell=True, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode not in statuses:
            self.failures.append(f"{command}: status {done.returncode}: {done.stdout}")
        return done.stdout

    def all_advice(self):
        """What ompinst advises on the figures of the test `advice`, which proves for each sentence that they call for it."""
        return [fold(line) for line in self.execute(f"{self.build}/test/summary/advice-case --print", self.build).splitlines()]

    def is_advised(self, sentence, found):
        """Of this run; or of another one, since a busy machine makes other figures, and these another advice."""
        return sentence in found or any(without_place(advice).startswith(without_place(sentence)) for advice in self.all_advice())

    def compare(self, command, shown, found, wide):
        """Each line is there; the first advice that is shown is one that ompinst gives."""
        advice = next((i for i, line in enumerate(shown) if line == "ADVICE"), len(shown))
        for line in shown[:advice + 1]:
            if line.strip() not in ("...", "") and counterpart(line, found, wide) is None:
                self.failures.append(f"{command}: shows {line!r}, which is not in\n{found}")
        sentences = [fold(text) for text in "\n".join(shown[advice + 1:]).split("\n Not tried;")[0].split("\n - ")]
        if shown[advice + 1:] and not self.is_advised(sentences[0].removeprefix("- "), fold(" ".join(found.split("ADVICE")[-1].split()))):
            self.failures.append(f"{command}: advises {sentences[0]!r}, which is not in\n{found}")
