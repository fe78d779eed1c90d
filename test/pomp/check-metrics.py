# SPDX-License-Identifier: BSD-3-Clause
"""Counters against known quantities: data slots, summary and trace say the same.

check-metrics.py PROGRAM OMPREPORT CASE

PROGRAM is pomp-metrics: it compares its data slots with what it did and prints what it found there.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import trace_facts

SYSTEM = "cpu_time,ru_minflt,ru_nvcsw"
PAPI = "perf::PAGE-FAULTS,perf::TASK-CLOCK"


def fail(text):
    sys.exit(f"check-metrics: {text}")


def run(folder, metrics, **settings):
    """Runs with these metrics; returns what the slots had, the summary, and what was said.

    There are no samples, because their memory takes page faults, too.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    environment |= {"POMP_METRICS": metrics, "POMP_SUMMARY": str(folder / "summary.json"),
                    "POMP_SUMMARY_FORMAT": "json", "POMP_SAMPLING": "off", "POMP_EXPERIMENT_DIRECTORY": str(folder / "trace")} | settings
    done = subprocess.run([sys.argv[1]], env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"returned {done.returncode}: {done.stderr}")
    slots = [line.split(" ", 1)[1].split("|") for line in done.stdout.splitlines() if line.startswith("metric ")]
    found = {(int(line), name): int(value) for line, name, value, _ in slots}
    return found, json.loads((folder / "summary.json").read_text()), done.stderr


def compare_summary(found, summary):
    regions = {r["begin_line"]: r for r in summary["regions"]}
    for (line, name), value in found.items():
        if regions[line]["metrics"][name] != value:
            fail(f"summary: line {line} {name}: {regions[line]['metrics']}, expected {value}")


def compare_trace(found, folder, ompreport):
    """Differences of the values at enter and leave, by region, are what the slots say; tasks have their own."""
    archive = str(folder / "trace" / "traces.otf2")
    trace_facts.read(archive)
    done = subprocess.run([ompreport, "check", archive], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"ompreport check: {done.stdout} {done.stderr}")
    sums, latest, opened = collections.Counter(), {}, collections.defaultdict(list)
    with trace_facts.otf2.reader.open(archive) as trace:
        for location, event in trace.events:
            kind = type(event).__name__
            if trace_facts.is_beside(event):
                continue
            if kind == "Metric":
                names = [member.name for member in event.metric.members]
                if any(value < old for value, old in zip(event.values, latest.get(location, ([], ()))[1])):
                    fail(f"a metric goes back: {event}")
                latest[location] = (names, event.values, event.time)
            elif kind in ("Enter", "Leave"):
                names, values, time = latest[location]
                if time != event.time:
                    fail(f"no metrics at {event}")
                if kind == "Enter":
                    opened[location].append(values)
                else:
                    for name, enter, leave in zip(names, opened[location].pop(), values):
                        sums[event.region.begin_line_number, event.region.name, name] += leave - enter
    looks = {10: "touch", 20: "burn", 30: "sleep", 40: "!$omp parallel @hand.c:40", 50: "inner"}
    for (line, name), value in found.items():
        if line in looks and sums[line, looks[line], name] != value:
            fail(f"trace: {looks[line]} {name}: {sums[line, looks[line], name]}, expected {value}")


def known(folder, metrics, ompreport):
    events = set()
    for settings in ({}, {"POMP_ENABLE_TRACING": "1"}):
        found, summary, said = run(folder, metrics, **settings)
        if said:
            fail(said)
        if not found:
            fail("no slot had a value")
        compare_summary(found, summary)
        events.add(summary["events"])
    if len(events) != 1:
        fail(f"number of events without and with a trace: {events}")
    compare_trace(found, folder, ompreport)


def system(folder, ompreport):
    known(folder, SYSTEM, ompreport)


def papi(folder, ompreport):
    _, summary, said = run(folder, PAPI)
    if summary["dropped_metrics"]:
        print("no counters here:", said)
        sys.exit(77)
    known(folder, PAPI + "," + SYSTEM, ompreport)


def at_parallel(folder, ompreport):
    """Only the parallel region has values; the others have none, rather than zeros."""
    _, profile, _ = run(folder, SYSTEM, POMP_METRICS_AT="parallel")
    found, summary, _ = run(folder, SYSTEM, POMP_METRICS_AT="parallel", POMP_ENABLE_TRACING="1")
    regions = {r["begin_line"]: r["metrics"]["ru_minflt"] for r in summary["regions"]}
    if regions[40] != found[40, "ru_minflt"] or any(v is not None for k, v in regions.items() if k != 40):
        fail(f"{regions}")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    if facts.counts["Metric"] != 4:
        fail(f"{facts.counts}")
    if not profile["events"] == summary["events"] == sum(facts.counts.values()):
        fail(f"events: profile {profile['events']}, tracing {summary['events']}, trace {facts.counts}")


def dropped(folder, ompreport):
    """What does not work is named once and dropped alone; strict, the program does not start."""
    wrong = "no_such_event"
    _, summary, said = run(folder, f"{wrong},ru_minflt", POMP_ENABLE_TRACING="1")
    if said.count("\n") != 1 or not said.startswith(f"pomp: metric '{wrong}' is not measured: "):
        fail(said)
    if [m["name"] for m in summary["metrics"]] != ["ru_minflt"] or summary["dropped_metrics"][0]["name"] != wrong:
        fail(f"{summary['metrics']} {summary['dropped_metrics']}")
    if wrong in summary["regions"][0]["metrics"]:
        fail("a dropped metric has a value")
    printed = subprocess.run(["otf2-print", "-A", str(folder / "trace" / "traces.otf2")], capture_output=True, text=True)
    if f"{wrong}: " not in printed.stdout:
        fail(printed.stdout)
    environment = os.environ | {"POMP_METRICS": wrong, "POMP_METRICS_STRICT": "1"}
    done = subprocess.run([sys.argv[1]], env=environment, capture_output=True, text=True)
    if done.returncode == 0 or done.stdout or "POMP_METRICS_STRICT=yes" not in done.stderr:
        fail(f"strict: {done.returncode} {done.stderr}")


def loaded(folder, ompreport):
    """PAPI comes with the first metric of its own; a system without it has the other metrics, and is told so."""
    needed = {line.split()[0]: line.split()[2] for line in subprocess.run(
        ["ldd", sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines() if " => " in line}
    if any(name.startswith("libpapi") for name in needed):
        fail(f"every measured program loads PAPI: {needed}")
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(needed["libpomp.so.0"], alone / "libpomp.so.0")
    # No library, so that none of the system's is found in its place.
    (alone / "libpomp_papi.so.0").write_text("not a library")
    path = {"LD_LIBRARY_PATH": f"{alone}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    found, _, said = run(folder, "ru_minflt", **path)
    if said or not found:
        fail(f"without metrics of PAPI: {said}")
    found, summary, said = run(folder, PAPI + ",ru_minflt", **path)
    reasons = {m["name"]: m["reason"] for m in summary["dropped_metrics"]}
    if list(reasons) != PAPI.split(",") or len(said.splitlines()) != 2:
        fail(f"{summary['dropped_metrics']} {said}")
    for (name, reason), line in zip(reasons.items(), said.splitlines()):
        if "no PAPI library" in reason: # of this build
            sys.exit(77)
        if not line.startswith(f"pomp: metric '{name}' is not measured: ") or "libpomp_papi.so.0: " not in reason \
                or reason not in line:
            fail(f"{reason}: {line}")
    if {name for _, name in found} != {"ru_minflt"}:
        fail(f"{found}")


def main():
    case = {f.__name__: f for f in (system, papi, at_parallel, dropped, loaded)}[sys.argv[3]]
    with tempfile.TemporaryDirectory() as name:
        case(pathlib.Path(name), sys.argv[2])


sys.argv[1:3] = [str(pathlib.Path(path).resolve()) for path in sys.argv[1:3]]
main()
