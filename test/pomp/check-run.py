# SPDX-License-Identifier: BSD-3-Clause
"""Runs a hand-instrumented program and compares what libpomp made of it with what the program prints.

check-run.py PROGRAM [ARGUMENTS...]

The program runs three times: profile only, tracing too, and tracing with a second-best clock and a conversion
by OMPREPORT afterwards, so that the library must know by itself how many events the trace has. Its stdout has
lines of expectations (see regions.h); summary and trace must fulfil each of them, and the trace must be
sound: see trace_facts.py. Where OMPREPORT names that program, what it makes of the trace must fulfil them too:
counts are equal everywhere, planted times within 2 % of what the program itself saw from inside and from outside
of the events that they are measured by.
"""
import collections
import json
import os
import pathlib
import re
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
    done = subprocess.run(program, env=environment, cwd=folder, capture_output=True, text=True)
    if "this build has no OTF2 library" in done.stderr:
        print("the profile is right; there is no OTF2 library to write a trace")
        sys.exit(77)
    if done.returncode != 0 or done.stderr:
        fail(f"{program} returned {done.returncode}: {done.stderr}")
    summary = json.loads((folder / "summary.json").read_text())
    return [line.split(" ", 1) for line in done.stdout.splitlines()], summary


def is_close(found, low, high, rounding=0):
    """Whether found is from low to high, within 2 % for the clocks."""
    return 0.98 * low - rounding <= found <= 1.02 * high + rounding


def compare_locks(expected, summary, where):
    """In a build without the library that finds names, some lock must be like that."""
    unnamed = not any((pathlib.Path(folder) / "libpomp_names.so.0").exists()
                      for folder in os.environ.get("LD_LIBRARY_PATH", "pomp").split(":"))
    left = list(summary["locks"])
    for name, values in expected.items():
        any_name = unnamed and name.startswith("lock ")
        for lock in left:
            if (lock["name"].startswith("lock ") if any_name else lock["name"] == name) and all(
                    is_close(lock[key], low, high) if key.endswith("_ns") else lock[key] == low
                    for key, low, high in values):
                left.remove(lock)
                break
        else:
            fail(f"{where}: no {name} with {values} among {left}")


def untraced_samples(summary):
    """Of which the summary says that they are not in the trace."""
    found = re.search(r"(\d+) samples are not in the trace", summary.get("sample_note") or "")
    return int(found[1]) if found else 0


def compare_summary(expectations, summary, where="summary", untraced=0):
    regions = {(r["name"], r["sub_name"], r["begin_line"]): r for r in summary["regions"]}
    by_line = {r["begin_line"]: r for r in summary["regions"]}
    locks = collections.defaultdict(list)
    for kind, text in expectations:
        if kind == "visits":
            name, sub_name, line, visits = text.split("|")
            found = regions.get((name, sub_name, int(line)), {"visits": 0})["visits"]
            if found != int(visits):
                fail(f"{where}: {name} {sub_name} line {line}: {found} visits, expected {visits}")
        elif kind == "slot":
            name, sub_name, line, time = text.split("|")
            found = regions[name, sub_name, int(line)]["time_ns"]
            # The slots and the summary are one measurement; a trace has each event's ticks rounded by itself.
            if found != int(time) and not (where == "trace" and is_close(found, int(time), int(time), 1000)):
                fail(f"{where}: {name} {sub_name} line {line}: {found} ns, the slot says {time}")
        elif kind == "close":
            line, key, low, high = text.split()
            found = by_line[int(line)][key]
            if not is_close(found, int(low), int(high)):
                fail(f"{where}: line {line}: {key} is {found}, expected {low} to {high} within 2 %")
        elif kind in ("threads", "locations"):
            if summary[kind] != int(text):
                fail(f"{where}: {summary[kind]} {kind}, expected {text}")
        elif kind == "tasks":
            line, count = map(int, text.split())
            task = next(t for t in summary["tasks"] if t["begin_line"] == line)
            if (task["created"], task["executed"]) != (count, count):
                fail(f"{where}: tasks {task}, expected {count}")
        elif kind == "undeferred":
            line, count = map(int, text.split())
            task = next(t for t in summary["tasks"] if t["begin_line"] == line)
            if task["undeferred"] != count:
                fail(f"{where}: tasks {task}, expected {count} undeferred")
        elif kind in ("acquisitions", "contended"):
            name, place, count = text.split("|")
            locks[f"{name} {place}"].append((kind, int(count), int(count)))
        elif kind == "lock_close":
            name, place, key, low, high = text.split("|")
            locks[f"{name} {place}"].append((key, int(low), int(high)))
        elif kind == "samples":
            if (summary["samples"], summary.get("lost_samples", 0)) != (int(text) - untraced, 0):
                fail(f"{where}: {summary['samples']} samples, {summary.get('lost_samples')} lost, expected {text}")
        elif kind == "locks":
            if len(summary["locks"]) != int(text):
                fail(f"{where}: {len(summary['locks'])} locks, expected {text}")
    compare_locks(locks, summary, where)
    if summary["lost_events"]:
        fail(f"{where}: {summary['lost_events']} lost events")


def compare_report(expectations, folder, untraced):
    """What ompreport makes of the trace is what the library summed up."""
    ompreport = os.environ.get("OMPREPORT")
    if not ompreport:
        return
    done = subprocess.run([ompreport, "check", folder / "trace"], capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        fail(f"ompreport check: {done.returncode} {done.stdout} {done.stderr}")
    done = subprocess.run([ompreport, "summary", "--format=json", folder / "trace"], capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        fail(f"ompreport summary: {done.returncode} {done.stderr}")
    summary = json.loads(done.stdout)
    compare_summary(expectations, summary, "trace", untraced)
    return summary["events"]


def compare_trace(expectations, folder):
    for child in folder.glob("trace-*"):  # of forked children, when they traced anything
        trace_facts.read(str(child / "traces.otf2"))
    logs = sorted(str(p) for p in folder.glob("trace/*.pomplog"))
    if logs:
        fail(f"event logs are left behind: {logs}")
    discarded = sum(int(text) for kind, text in expectations if kind == "discarded")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"), discarded=discarded)
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
        elif kind == "nested":
            if (facts.nested > 0) != bool(int(text)):
                fail(f"trace: {facts.nested} teams have a parent, expected {text}")
        elif kind == "locations_from_to":
            least, most = map(int, text.split())
            if not least <= len(facts.locations) <= most:
                fail(f"trace: locations {sorted(facts.locations)}, expected {text}")
    return facts


def main():
    program = [str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:]]
    modes = ({}, {"POMP_ENABLE_TRACING": "1"},
             {"POMP_ENABLE_TRACING": "1", "POMP_TIMER": "clock_gettime"} |
             ({"POMP_CONVERT": "later"} if "OMPREPORT" in os.environ else {}))
    for settings in modes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            expectations, summary = run(program, folder, **settings)
            compare_summary(expectations, summary)
            if settings:
                if "POMP_CONVERT" in settings:
                    for logs in folder.glob("trace*"):  # forked children have their own
                        subprocess.run([os.environ["OMPREPORT"], "recover", logs], check=True,
                                       stdout=subprocess.DEVNULL)
                facts = compare_trace(expectations, folder)
                counts = {"summary": summary["events"], "trace": sum(facts.locations.values()),
                        "ompreport": compare_report(expectations, folder, untraced_samples(summary))}
                if len(set(counts.values()) - {None}) != 1:
                    fail(f"number of events: {counts}")
            elif (folder / "trace").exists():
                fail("a profile-only run left a folder")


main()
