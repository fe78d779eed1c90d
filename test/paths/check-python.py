# SPDX-License-Identifier: BSD-3-Clause
"""check-python.py BUILD LIBRARY_C WORK_PY

`ompinst run` names Python's functions and lines: in a program that works in Python, and in the paths of the teams that a
library forks, on every thread; in the profile and in the trace.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

THREADS = 2
VERSIONS = ((3, 11), (3, 12), (3, 13))  # whose frames are known


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def line_of(source, mark):
    with open(source, encoding="utf-8") as lines:
        return next(number for number, line in enumerate(lines, 1) if mark in line)


def share(rows, samples, *parts):
    """Of all samples, those in paths that have these parts in this order, one called by the other."""
    text = " > ".join(parts)
    return sum(row["samples"] for row in rows if text in row["path"]) / samples


def check_shares(what, rows, samples, *inner):
    heavy, light = (share(rows, samples, "<module>", "main", "Steps.numbers", name, "main.<locals>.work", *inner)
                    for name in ("heavy", "light"))
    # In 999 of 1,000 cases a share of 0.75 is nearer.
    error = 3.3 * math.sqrt(0.75 * 0.25 / samples) + 0.01
    expect(samples > 100 and heavy + light > 0.85 and abs(heavy / (heavy + light) - 0.75) < error,
           f"{what}: {heavy}, {light} of {rows}")


def check_alone(run, work):
    summary = run(work)
    check_shares("alone", summary["serial_paths"], summary["samples"], "spin")
    hot = summary["hot"][0]
    expect((hot["function"], os.path.basename(hot["file"]), hot["line"])
           == ("spin", os.path.basename(work), line_of(work, "{hot}")), f"the hot line: {hot}")


def check_teams(run, report, work, source, folder):
    library, trace = os.path.join(folder, "library.so"), os.path.join(folder, "trace")
    subprocess.run(["gcc", "-O1", "-g", "-fopenmp", "-shared", "-fPIC", source, "-o", library], check=True)
    run(work, library, POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=trace)
    construct = f"parallel at {os.path.basename(source)}:{line_of(source, '{compute}')}"
    for choice in [[]] + [["--thread", str(number)] for number in range(THREADS)]:
        summary = json.loads(subprocess.run([report, "summary", "--format=json"] + choice + [trace], check=True,
                                            capture_output=True, text=True).stdout)
        rows = [row for row in summary["team_paths"] if row["path"].endswith("kernel")]
        check_shares(f"teams {choice}", rows, sum(row["samples"] for row in rows), "compute", construct, "kernel")


def main():
    build, source, work = sys.argv[1:]
    if sys.version_info[:2] not in VERSIONS or not getattr(sys, "_is_gil_enabled", lambda: True)():
        print(f"libpomp does not know the frames of Python {sys.version}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile")

        def run(*arguments, **settings):
            settings |= {"OMP_NUM_THREADS": str(THREADS), "OMP_DYNAMIC": "false", "POMP_SUMMARY": profile,
                         "POMP_SUMMARY_FORMAT": "json"}
            subprocess.run([os.path.join(build, "instrumenter/ompinst"), "run", sys.executable] + list(arguments),
                           env=dict(os.environ, **settings), check=True)
            with open(profile, encoding="utf-8") as file:
                return json.load(file)

        check_alone(run, work)
        check_teams(run, os.path.join(build, "reports/ompreport"), work, source, folder)


main()
