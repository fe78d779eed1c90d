# SPDX-License-Identifier: BSD-3-Clause
"""The library says what the program says, to programs in C.

check-library.py OMPREPORT MAKE_ARCHIVE LIBRARY_TEST
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

OMPREPORT, MAKE_ARCHIVE, LIBRARY_TEST = sys.argv[1:4]
COMMANDS = ("regions", "threads", "locks", "tasks", "efficiency")
SCENARIOS = ("uneven", "contention", "tasks", "sampled", "hybrid", "processor")


def said(*words):
    return subprocess.run([OMPREPORT, *words], capture_output=True, text=True, check=True).stdout


def is_equal(one, other):
    if one == other:
        return True
    try:
        return abs(float(one) - float(other)) <= 1e-6  # CSV has so many digits of a ratio
    except ValueError:
        return False


def compare(command, lines, archive):
    """The lines of the library for a command with those of the program's CSV; returns the rest."""
    expected = list(csv.reader(io.StringIO(said(command, "--format=csv", archive))))
    found = [line.split(",") for line in lines[:len(expected)]]
    for one, other in zip(found, expected):
        other = ",".join(other).split(",")
        if len(one) != len(other) or not all(map(is_equal, one, other)):
            sys.exit(f"{archive.name}: {command}: {one}; the program has {other}")
    return lines[len(expected):]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for scenario in SCENARIOS:
            archive, out = folder / scenario, folder / "out"
            subprocess.run([MAKE_ARCHIVE, scenario, archive, "1"], check=True)
            done = subprocess.run([LIBRARY_TEST, archive, out], capture_output=True, text=True, check=False)
            if done.returncode != 0 or done.stderr:
                sys.exit(f"{scenario}: {done.returncode}: {done.stdout}{done.stderr}")
            lines = out.read_text().splitlines()
            for command in COMMANDS:
                lines = compare(command, lines, archive)
            if lines != said("summary", "--width=80", archive).splitlines():
                sys.exit(f"{scenario}: another summary")
            if done.stdout != said("--version").replace("ompreport ", ""):
                sys.exit(f"the version: {done.stdout}")


main()
