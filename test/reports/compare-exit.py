# SPDX-License-Identifier: BSD-3-Clause
"""The summary that libpomp prints at exit against the one that ompreport makes from the same run's trace:
counts exactly, times closely. (libpomp sums in ticks and rounds at the end, the converter rounds each
event's time to nanoseconds.)

Usage: compare-exit.py OMPREPORT PROGRAM [ARGUMENT...]
"""
import json
import os
import subprocess
import sys
import tempfile

OMPREPORT, COMMAND = sys.argv[1], sys.argv[2:]
failures = []


def same(what, exit_value, trace_value):
    if (exit_value or 0) != (trace_value or 0):
        failures.append(f"{what}: {exit_value} at exit, {trace_value} from the trace")


def close(what, exit_value, trace_value, events):
    """Each of the events may be off by a nanosecond at either end; the clock's rate by some ppm."""
    one, other = exit_value or 0, trace_value or 0
    if abs(one - other) > 2 * events + 1000 + max(one, other) / 1000:
        failures.append(f"{what}: {exit_value} ns at exit, {trace_value} ns from the trace")


def key(region):
    return region["file"], region["begin_line"], region["name"], region["sub_name"]


def expect_known(traced):
    for name in ("lost_events", "event_cost_ns"):
        if traced[name] is None:
            failures.append(f"{name} is not in the archive")


def lock_kind(lock):
    return lock["name"] if lock["name"].startswith("critical") else "lock"


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=folder + "/run",
                           POMP_SUMMARY=folder + "/exit.json", POMP_SUMMARY_FORMAT="json")
        subprocess.run(COMMAND, env=environment, check=True, stdout=subprocess.DEVNULL)
        with open(folder + "/exit.json", encoding="utf-8") as file:
            at_exit = json.load(file)
        done = subprocess.run([OMPREPORT, "summary", "--format=json", folder + "/run"], capture_output=True)
        if done.returncode or done.stderr:
            sys.exit(f"ompreport: status {done.returncode}: {done.stderr.decode()}")
        traced = json.loads(done.stdout)
        page = subprocess.run([OMPREPORT, "html", folder + "/run"], capture_output=True)
        if page.returncode or page.stderr:
            sys.exit(f"ompreport html: status {page.returncode}: {page.stderr.decode()}")
        lint = subprocess.run([OMPREPORT, "check", folder + "/run"], capture_output=True)
        if lint.returncode or lint.stderr:
            sys.exit(f"ompreport check: status {lint.returncode}: {lint.stdout.decode()} {lint.stderr.decode()}")

    events = at_exit["events"]
    regions = {key(region): region for region in traced["regions"]}
    for region in at_exit["regions"]:
        other = regions.pop(key(region), None)
        if other is None:
            failures.append(f"{key(region)} is missing in the trace's summary")
            continue
        for name in ("visits", "threads", "end_line"):
            same(f"{key(region)} {name}", region[name], other[name])
        same(f"{key(region)} metrics", region.get("metrics"), other.get("metrics"))
        for name in region:
            if name.endswith("_ns") and name != "gain_ns":
                close(f"{key(region)} {name}", region[name], other[name], region["visits"])
    for name in ("metrics", "dropped_metrics"):
        same(name, at_exit.get(name), traced.get(name))
    for name in regions:
        failures.append(f"{name} is in the trace's summary only")
    for name in ("threads", "locations"):
        same(name, at_exit[name], traced[name])
    for name in ("lost_events", "event_cost_ns"):
        same(name, at_exit[name], traced[name])
    expect_known(traced)
    for name in ("parallel_ns", "imbalance_ns"):
        close(name, at_exit[name], traced[name], events)
    for name in ("useful", "sync", "management"):
        close(name, at_exit["thread_time_ns"][name], traced["thread_time_ns"][name], events)
    for one, other in zip(sorted(at_exit["tasks"], key=lambda t: t["begin_line"]),
                          sorted(traced["tasks"], key=lambda t: t["begin_line"])):
        for name in ("begin_line", "created", "executed", "undeferred"):
            same(f"task at {one['begin_line']}: {name}", one[name], other[name])
        for name in ("create_ns", "execute_ns", "execute_max_ns"):
            close(f"task at {one['begin_line']}: {name}", one[name], other[name], one["created"])
    same("tasks", len(at_exit["tasks"]), len(traced["tasks"]))
    # Lock variables have addresses there and numbers here: compare them as they rank.
    ranked = [sorted((lock_kind(lock), lock["acquisitions"], lock["contended"], lock["hold_ns"], lock["wait_ns"]) for lock in data["locks"])
              for data in (at_exit, traced)]
    same("locks", len(ranked[0]), len(ranked[1]))
    for one, other in zip(*ranked):
        same("lock", one[:3], other[:3])
        close(f"{one[0]} hold", one[3], other[3], one[1])
        close(f"{one[0]} wait", one[4], other[4], one[1])
    for failure in failures:
        print(f"FAIL: {failure}")
    print(f"{events} events, {len(at_exit['regions'])} regions compared")
    return 1 if failures else 0


sys.exit(main())
