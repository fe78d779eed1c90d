# SPDX-License-Identifier: BSD-3-Clause
"""ompreport hot on the archive of a program that ran: lines, functions and paths by debug information have the planted
shares, the construct is the program's, and sentences say how to get more without debug information and without samples.

Usage: check-hot-run.py BUILD HOT_RUN_C
"""
import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "demo"))
from shown import Follower  # noqa: E402

BUILD, SOURCE = map(Path, sys.argv[1:3])
PARTS = 30_000_000
SAMPLES = 100  # of 250 in a second of processor time; the program needs about one second
follower = Follower(BUILD)


def expect(condition, message):
    if not condition:
        follower.failures.append(message)


def hot(folder, run, *options):
    return json.loads(follower.execute(f"ompreport hot --format=json {' '.join(options)} {run}", folder))


def line_of(mark):
    return next(number for number, line in enumerate(SOURCE.read_text("utf-8").splitlines(), 1) if mark in line)


def run_program(folder, name, *flags):
    follower.execute(f"ompinst gcc -fopenmp -O1 {' '.join(flags)} hot-run.c -o {name}", folder)
    follower.execute(f"POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY=of-{name} ./{name} {PARTS}", folder)
    return f"of-{name}"


def check_shares(folder, run):
    lines = hot(folder, run)
    rows = {(row["function"], row["line"]): row for row in lines["hot"]}
    for function, share in (("heavy", 0.75), ("light", 0.25)):
        found = {line: row for (name, line), row in rows.items() if name == function}
        samples = sum(row["samples"] for row in found.values())
        # The loop's line has some of them; with 100 samples a share of 0.75 is known to 0.13 in 999 of 1,000 cases.
        expect(abs(samples / lines["samples"] - share) < 0.15, f"{function}: {samples} of {lines['samples']}")
        main = found.get(line_of(f"/* {function} line */"), {"samples": 0, "construct": ""})
        expect(main["samples"] > samples / 2, f"{function}: by line {found}")
        expect(main["construct"].startswith("hot-run.c:") and main["construct"].endswith(" for"), f"{function}: in {main['construct']}")
    expect(lines["samples"] >= SAMPLES, f"{lines['samples']} samples")
    return lines["samples"]


def check_sums(folder, run, samples):
    threads = [hot(folder, run, f"--thread={number}")["samples"] for number in (0, 1)]
    expect(sum(threads) == samples and min(threads) > 0, f"threads: {threads} of {samples}")
    for kind in ("--lines", "--functions", "--paths"):
        found = hot(folder, run, kind)["hot"]
        expect(sum(row["samples"] for row in found) == samples, f"{kind}: {found}")
    functions = {row["function"]: row for row in hot(folder, run, "--functions")["hot"]}
    for name in ("heavy", "light"):
        expect(functions[name]["inclusive_samples"] == functions[name]["samples"], f"{name}: {functions[name]}")
    paths = [row["path"] for row in hot(folder, run, "--paths")["hot"]]
    expect(any(path.startswith("main > ") and path.endswith("heavy") for path in paths), f"paths: {paths}")


def check_without_lines(folder, run):
    notes = " ".join(hot(folder, run)["notes"])
    expect("have no line, most often in heavy of plain: compile it with -g" in notes, f"without -g: {notes}")


def check_off(folder):
    follower.execute("POMP_SAMPLING=off POMP_ENABLE_TRACING=1 POMP_EXPERIMENT_DIRECTORY=off ./lines 1000", folder)
    found = hot(folder, "off")
    expect(found["samples"] == 0 and found["hot"] == [] and "the run took none (POMP_SAMPLING=off)" in " ".join(found["notes"]), f"off: {found}")


with tempfile.TemporaryDirectory() as temporary:
    shutil.copy(SOURCE, temporary)
    with_lines = run_program(temporary, "lines", "-g")
    check_sums(temporary, with_lines, check_shares(temporary, with_lines))
    check_off(temporary)
    check_without_lines(temporary, run_program(temporary, "plain"))
for failure in follower.failures:
    print(f"FAIL: {failure}")
sys.exit(1 if follower.failures else 0)
