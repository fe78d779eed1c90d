# SPDX-License-Identifier: BSD-3-Clause
"""Threads that live briefly begin cheaply, and nothing of them is lost silently: check-brief.py BUILD SOURCE

Of thousands of threads that are made for one call each, most begin beyond the budget, without system calls. One that
begins among them lives long and has its samples, with and without events meanwhile. The summary says how much of the
processor time has none.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD, SOURCE = (os.path.abspath(path) for path in sys.argv[1:])
LIMIT = 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
PERIOD_MS = 4
BRIEF = 6000  # as in SOURCE


def fail(text):
    sys.exit(f"check-brief: {text}")


def run(*command, folder, **variables):
    environment = os.environ | variables
    environment.pop("LD_LIBRARY_PATH", None)
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=LIMIT,
                          env=environment).stdout


def check(folder, *arguments):
    own_ms = float(run("./program", *arguments, folder=folder, POMP_SUMMARY="summary", POMP_SUMMARY_FORMAT="json"))
    summary = json.loads((folder / "summary").read_text())
    samples = sum(row["samples"] for row in summary.get("team_paths", []) if "long_work" in row["path"])
    print(arguments, own_ms, samples, summary["sample_note"])
    # The kernel's ticks, which the whole of it depends on, are a period apart.
    if abs(samples * PERIOD_MS - own_ms) > 0.05 * own_ms:
        fail(f"{samples} samples in {own_ms} ms of the thread that lives long")
    note = re.search(r"(\d+) % of the processor time has no samples: (\d+) threads lived too briefly",
                     summary["sample_note"] or "")
    if note is None or not BRIEF / 2 < int(note[2]) < BRIEF:
        fail(f"how much has no samples is not said: {summary['sample_note']}")
    whole = [row for row in summary["team_paths"] if row["path"].startswith("live_long > parallel")]
    if arguments and sum(row["samples"] for row in whole) < samples / 2:
        fail(f"whole paths are missing after the first events: {summary['team_paths']}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(f"{BUILD}/instrumenter/ompinst", "gcc", "-O1", "-g", "-fopenmp", "-I" + str(pathlib.Path(SOURCE).parent.parent),
            SOURCE, "-o", "program", folder=folder)
        check(folder)
        check(folder, "events")


main()
