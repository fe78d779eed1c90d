# SPDX-License-Identifier: BSD-3-Clause
"""Measures a program that was compiled as it is, and compares what libpomp made of it with what it printed.

check.py PROGRAM HOW CASE COMPILER TOOL RUNTIME [OMPREPORT]

PROGRAM, which COMPILER made, runs with TOOL (libpomp_tool.so) attached; a program of gcc runs on RUNTIME, the bundled
libgomp.so.1, one of clang on its own libomp. HOW is "plain"; "bundled", a program of clang on the folder of RUNTIME, where
it has libomp's name, too; "gcc17", which emits the calls of GCC 17 by itself and is linked to RUNTIME, so that it shows its
static loops; "instrumented", by ompinst; or "half", which is both in one program: nothing may count twice then. It runs
twice: profile only, and tracing, where OMPREPORT must find the archive valid. The lines of expectations are described in
plain.c; those of two halves are added.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROUNDING = 2000  # nanoseconds a region


def fail(text):
    sys.exit(f"check: {text}")


def run(program, case, settings, folder):
    """Returns the program's expectations by process, and the summaries by process."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "LD_"))}
    environment.update(settings, OMP_CANCELLATION="true", POMP_SUMMARY=str(folder / "summary.json"),
                       POMP_SUMMARY_FORMAT="json")
    result = subprocess.run([program, case], env=environment, capture_output=True, text=True, timeout=100,
                            cwd=folder, check=False)
    if result.returncode != 0 or result.stderr.strip():
        fail(f"status {result.returncode}, stderr: {result.stderr}")
    expected = {"": []}
    process = ""
    for line in result.stdout.splitlines():
        words = line.split()
        if words[:1] == ["child"]:
            process = "-" + words[1]
            expected[process] = []
        elif words[:1] == ["expect"]:
            expected[process].append(words[1:])
            if process and len(words) > 3 and words[2] == "visits":
                process = ""
    summaries = {}
    for process in expected:
        path = pathlib.Path(f"{folder}/summary.json{process}")
        if not path.exists():
            fail(f"there is no {path.name}: the tool was not attached, or did not report")
        summaries[process] = json.loads(path.read_text())
        path.unlink()
    return expected, summaries


def total(summary, construct, key):
    return sum(region[key] or 0 for region in summary["regions"] if region["name"] == construct)


def add_up(expected):
    """One line for each construct and what is expected of it; a time only where each half has one."""
    sums = {}
    times = {construct: 0 for construct, *_ in expected}
    for construct, what, *values in expected:
        times[construct] += {"visits": 1, "time": -1}.get(what, 0)
    for construct, what, *values in expected:
        if what == "acquired" or what == "time" and times[construct] != 0:
            continue
        before = sums.get((construct, what), [0] * len(values))
        sums[construct, what] = [one + int(other) for one, other in zip(before, values)]
    return [(*key, *values) for key, values in sums.items()]


def compare(expected, summary, where, shows_loops):
    acquired = sorted(int(words[2]) for words in expected if words[:2] == ["lock", "acquired"])
    if acquired:
        found = sorted(lock["acquisitions"] for lock in summary["locks"])
        if found != acquired:
            fail(f"{where}: locks were acquired {found} times, expected {acquired}")
    for construct, what, *values in add_up(expected):
        if what == "visits":
            found = total(summary, construct, "visits")
            if found != values[0]:
                fail(f"{where}: {construct} has {found} visits, expected {values[0]}")
        elif what == "time":
            found, (least, most) = total(summary, construct, "time_ns"), values
            slack = ROUNDING + most // 1000
            if not least - slack <= found <= most + slack:
                fail(f"{where}: {construct} took {found} ns, expected {least} to {most}")
        elif what == "created":
            found = sum(task["created"] for task in summary["tasks"])
            if found != values[0]:
                fail(f"{where}: {found} tasks were created, expected {values[0]}")
    marked = [region["name"] for region in summary["regions"] if not region.get("static_loops_visible", True)]
    if shows_loops and marked:
        fail(f"{where}: static loops are said to be invisible in {marked}")
    if summary["lost_events"] != 0:
        fail(f"{where}: {summary['lost_events']} events were lost")


def check_trace(ompreport, archive, where):
    result = subprocess.run([ompreport, "check", archive], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        fail(f"{where}: {result.stdout}{result.stderr}")


def main():
    program, how, case, compiler, *built = sys.argv[1:]
    program, tool, runtime, *ompreport = map(os.path.abspath, [program, *built])
    settings = {"OMP_TOOL_LIBRARIES": tool}
    if how == "bundled":
        settings["LD_LIBRARY_PATH"] = os.path.dirname(runtime)
    elif "clang" not in compiler:
        settings["LD_PRELOAD"] = runtime
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        expected, summaries = run(program, case, settings, folder)
        for process, lines in expected.items():
            compare(lines, summaries[process], f"profile{process}", how in ("bundled", "gcc17"))
        if not ompreport:
            return
        settings.update(POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=str(folder / "trace"))
        expected, summaries = run(program, case, settings, folder)
        for process, lines in expected.items():
            compare(lines, summaries[process], f"trace{process}", how in ("bundled", "gcc17"))
            check_trace(ompreport[0], f"{folder}/trace{process}", f"trace{process}")


main()
