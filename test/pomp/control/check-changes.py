# SPDX-License-Identifier: BSD-3-Clause
"""Filters and metrics of a running program are changed where regions are open: what is measured stays balanced.

check-changes.py CHANGES OMPREPORT CASE

CHANGES is changes.c. With events at known places the visits are known; with others beside them, whatever is measured must
obey every rule of OTF2, and nothing is lost.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CHANGES, OMPREPORT = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
LEAVES_OUT = "POMP_REGION_NAMES_BEGIN\nEXCLUDE work c critical ordered task\nPOMP_REGION_NAMES_END\n"
BRIEF = "POMP_REGION_NAMES_BEGIN\nEXCLUDE_SHORTER_THAN 1000s work\nPOMP_REGION_NAMES_END\n"


def fail(text):
    sys.exit(f"check-changes: {text}")


def same(what, found, expected):
    if found != expected:
        fail(f"{what}: {found!r}, expected {expected!r}")


def run(folder, *words, **settings):
    """The program's output, its profile and, by line, the visits of its trace, which OTF2's rules allow."""
    (folder / "leaves-out").write_text(LEAVES_OUT)
    (folder / "brief").write_text(BRIEF)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("POMP_")} | {
        "POMP_SUMMARY": "summary", "POMP_SUMMARY_FORMAT": "json", "POMP_EXPERIMENT_DIRECTORY": "trace", "POMP_ENABLE_TRACING": "yes",
        "OMP_WAIT_POLICY": "passive"} | settings
    done = subprocess.run([CHANGES, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        fail(f"{words}: {done.returncode}: {done.stderr}")
    checked = subprocess.run([OMPREPORT, "check", folder / "trace"], capture_output=True, text=True, check=False)
    if checked.returncode != 0:
        fail(f"{words}: {checked.stdout}{checked.stderr}")
    summary = json.loads((folder / "summary").read_text())
    same(f"{words}: lost events", summary["lost_events"], 0)
    traced = json.loads(subprocess.run([OMPREPORT, "summary", "--format=json", folder / "trace"], capture_output=True, text=True,
                                       check=True).stdout)
    return done.stdout, summary, {region["begin_line"]: region["visits"] for region in traced["regions"]}


def visits(summary):
    return {region["begin_line"]: region["visits"] for region in summary["regions"]}


def order(folder):
    """Each place at which a filter can change."""
    _, summary, traced = run(folder, "order", folder / "leaves-out", folder / "brief")
    expected = {20: 7, 30: 2, 40: 2, 50: 2}
    same("the profile", {line: count for line, count in visits(summary).items() if line in expected}, expected)
    same("the trace", {line: count for line, count in traced.items() if line in expected}, expected | {20: 6})
    if "The filter was changed while the program ran" not in summary["note"]:
        fail(f"note: {summary['note']}")
    if subprocess.run(["which", "otf2-print"], capture_output=True, check=False).returncode == 0:
        printed = subprocess.run(["otf2-print", folder / "trace" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
        if "PARAMETER_STRING" not in printed or "filter=off" not in subprocess.run(
                ["otf2-print", "-G", folder / "trace" / "traces.otf2"], capture_output=True, text=True, check=True).stdout:
            fail("the trace does not say when the filter changed")


def beside(folder):
    """Another thread changes the filter."""
    for _ in range(3):
        with tempfile.TemporaryDirectory() as name:
            run(pathlib.Path(name), "beside", pathlib.Path(name) / "leaves-out")


def metrics(folder):
    """What is counted while metrics are off counts nowhere."""
    out, summary, _ = run(folder, "metrics", POMP_METRICS="ru_minflt")
    same("pomp_control()", out, "0\n0\n22 0\n")
    found = next(region["metrics"]["ru_minflt"] for region in summary["regions"] if region["sub_name"] == "work")
    if not 200 <= found < 290:
        fail(f"{found} page faults; expected those of two visits, 200, and a few more")


with tempfile.TemporaryDirectory() as name:
    {"order": order, "beside": beside, "metrics": metrics}[sys.argv[3]](pathlib.Path(name))
