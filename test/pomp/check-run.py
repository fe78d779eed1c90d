# SPDX-License-Identifier: BSD-3-Clause
"""Runs a hand-instrumented program and compares what libpomp made of it with what the program tells.

check-run.py PROGRAM [ARGUMENTS...]

The program runs three times: profile only, tracing too, and tracing with a second-best clock. Its stdout has
lines of expectations (see regions.h); summary and trace must meet each of them, and the trace must be
sound: see trace_facts.py.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import trace_facts


def fail(text):
    sys.exit(f"check-run: {text}")


def run(program, folder, **settings):
    """Runs with settings; returns expectations, summary and the archive's path."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    environment |= {"POMP_SUMMARY": str(folder / "summary.json"), "POMP_SUMMARY_FORMAT": "json",
                    "POMP_EXPERIMENT_DIRECTORY": str(folder / "trace")} | settings
    done = subprocess.run(program, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
    if "this build has no OTF2 library" in done.stderr:
        print("the profile is right; there is no OTF2 library to write a trace")
        sys.exit(77)
    if done.returncode != 0 or done.stderr:
        fail(f"{program} returned {done.returncode}: {done.stderr}")
    summary = json.loads((folder / "summary.json").read_text())
    return [line.split(" ", 1) for line in done.stdout.splitlines()], summary


def compare_summary(expectations, summary):
    regions = {(r["name"], r["sub_name"], r["begin_line"]): r for r in summary["regions"]}
    by_line = {r["begin_line"]: r for r in summary["regions"]}
    for kind, text in expectations:
        if kind == "visits":
            name, sub_name, line, visits = text.split("|")
            found = regions.get((name, sub_name, int(line)), {"visits": 0})["visits"]
            if found != int(visits):
                fail(f"summary: {name} {sub_name} line {line}: {found} visits, expected {visits}")
        elif kind == "close":
            line, key, expected = text.split()
            found = by_line[int(line)][key]
            if abs(found - int(expected)) > 0.02 * int(expected):
                fail(f"summary: line {line}: {key} is {found}, expected {expected} within 2 %")
        elif kind in ("threads", "locations"):
            if summary[kind] != int(text):
                fail(f"summary: {summary[kind]} {kind}, expected {text}")
        elif kind == "tasks":
            line, count = map(int, text.split())
            task = next(t for t in summary["tasks"] if t["begin_line"] == line)
            if (task["created"], task["executed"]) != (count, count):
                fail(f"summary: tasks {task}, expected {count}")
        elif kind == "undeferred":
            line, count = map(int, text.split())
            task = next(t for t in summary["tasks"] if t["begin_line"] == line)
            if task["undeferred"] != count:
                fail(f"summary: tasks {task}, expected {count} undeferred")
        elif kind in ("acquisitions", "contended"):
            name, place, count = text.split("|")
            lock = next(lock for lock in summary["locks"] if lock["name"] == f"{name} {place}")
            if lock[kind] != int(count):
                fail(f"summary: {lock}, expected {count} {kind}")
        elif kind == "lock_close":
            name, place, key, expected = text.split("|")
            lock = next(lock for lock in summary["locks"] if lock["name"] == f"{name} {place}")
            if abs(lock[key] - int(expected)) > 0.02 * int(expected):
                fail(f"summary: {lock}, expected {key} {expected} within 2 %")
        elif kind == "locks":
            if len(summary["locks"]) != int(text):
                fail(f"summary: {len(summary['locks'])} locks, expected {text}")
    if summary["lost_events"]:
        fail(f"summary: {summary['lost_events']} lost events")


def compare_trace(expectations, folder):
    for child in folder.glob("trace-*"):  # of forked children, when they traced anything
        trace_facts.read(str(child / "traces.otf2"))
    logs = sorted(str(p) for p in folder.glob("trace/*.pomplog"))
    if logs:
        fail(f"event logs are left behind: {logs}")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    for kind, text in expectations:
        if kind == "visits":
            name, sub_name, line, visits = text.split("|")
            found = facts.visits[trace_facts.region_name(name, sub_name, "hand.c", int(line))]
            if found != int(visits):
                fail(f"trace: {name} {sub_name} line {line}: {found} visits, expected {visits}")
        elif kind == "locations" and len(facts.locations) != int(text):
            fail(f"trace: locations {sorted(facts.locations)}, expected {text}")
        elif kind == "location":
            if text not in facts.locations:
                fail(f"trace: no location {text!r} among {sorted(facts.locations)}")
        elif kind == "teams":
            if sorted(set(facts.teams)) != json.loads(text):
                fail(f"trace: team sizes {sorted(facts.teams)}, expected {text}")
        elif kind == "locations_from_to":
            least, most = map(int, text.split())
            if not least <= len(facts.locations) <= most:
                fail(f"trace: locations {sorted(facts.locations)}, expected {text}")
    return facts


def main():
    program = [str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:]]
    modes = ({}, {"POMP_ENABLE_TRACING": "1"},
             {"POMP_ENABLE_TRACING": "1", "POMP_TIMER": "clock_gettime"})
    for settings in modes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            expectations, summary = run(program, folder, **settings)
            compare_summary(expectations, summary)
            if settings:
                compare_trace(expectations, folder)
            elif (folder / "trace").exists():
                fail("a profile-only run left a folder")


main()
