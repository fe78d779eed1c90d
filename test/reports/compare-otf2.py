#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""An independent reader of the same archives: OTF2's Python bindings and nothing of ompreport's code.
Computes visits, inclusive and exclusive times, waits and the efficiencies from the events and compares
them, to the nanosecond, with `ompreport summary --format=json`.

Usage: compare-otf2.py OMPREPORT ARCHIVE...   or   compare-otf2.py OMPREPORT --make MAKE_ARCHIVE
Exit status 77 where the bindings are not installed.
"""
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

try:
    import otf2
    from otf2 import events, definitions, RegionRole
except ImportError:
    print("python3-otf2 is not installed")
    sys.exit(77)

BODIES = (RegionRole.SINGLE_SBLOCK, RegionRole.CRITICAL_SBLOCK, RegionRole.ORDERED_SBLOCK)
WAITS = (RegionRole.BARRIER, RegionRole.TASK_WAIT)


class Frame:
    def __init__(self, region, begin):
        self.region, self.begin, self.nested, self.wait_end = region, begin, 0, None


class Sums:
    def __init__(self):
        self.visits = self.time = self.self = self.barrier = self.enter = 0
        self.bodies = defaultdict(int)


class Reader:
    """Archives without explicit tasks: frames are a stack per location."""

    def __init__(self, path):
        self.sums = defaultdict(Sums)
        self.stacks = defaultdict(list)
        self.teams = defaultdict(int)  # depth of teams by location
        self.waiting = defaultdict(int)
        self.useful = defaultdict(int)
        self.last = {}
        self.first_time, self.last_time, self.parallel, self.fork = None, 0, 0, {}
        self.events = 0
        self.slices = []
        with otf2.reader.open(path) as trace:
            resolution = trace.timer_resolution
            assert resolution == 10**9, "this comparison is for traces in nanoseconds"
            for location, event in trace.events:
                self.consume(location, event)

    def is_wait(self, frame):
        role = frame.region.region_role
        if frame.region.paradigm != otf2.Paradigm.OPENMP:
            return False
        if role in WAITS or role == RegionRole.IMPLICIT_BARRIER:
            return True
        if role in (RegionRole.CRITICAL, RegionRole.ORDERED):
            return frame.wait_end is None
        return role == RegionRole.WRAPPER and "_lock" in frame.region.name

    def account(self, location, time):
        span = time - self.last.get(location, time)
        self.last[location] = time
        if not self.teams[location] or location in self.fork and self.fork[location][1] == self.teams[location]:
            return
        stack = self.stacks[location]
        if stack and self.is_wait(stack[-1]):
            self.waiting[location] += span
        else:
            self.useful[location] += span

    def consume(self, location, event):
        time = event.time
        self.events += 1
        self.first_time = time if self.first_time is None else min(self.first_time, time)
        self.last_time = max(self.last_time, time)
        self.account(location, time)
        stack = self.stacks[location]
        if isinstance(event, events.Enter):
            if stack and event.region.region_role in BODIES and stack[-1].wait_end is None:
                stack[-1].wait_end = time
            stack.append(Frame(event.region, time))
        elif isinstance(event, events.Leave):
            self.leave(location, stack.pop(), time)
        elif isinstance(event, events.ThreadFork):
            self.fork[location] = (time, self.teams[location], stack[-1].nested if stack else 0)
        elif isinstance(event, events.ThreadJoin):
            begin, depth, nested = self.fork.pop(location)
            if stack:
                stack[-1].nested = nested + time - begin
            if depth == 0:
                self.parallel += time - begin
        elif isinstance(event, events.ThreadTeamBegin):
            self.teams[location] += 1
        elif isinstance(event, events.ThreadTeamEnd):
            self.teams[location] -= 1
        elif isinstance(event, events.ThreadAcquireLock):
            if stack and stack[-1].region.region_role == RegionRole.CRITICAL:
                stack[-1].wait_end = time

    def leave(self, location, frame, time):
        role = frame.region.region_role
        duration = time - frame.begin
        stack = self.stacks[location]
        self.slices.append((location.name, frame.region.name, frame.begin, time, len(stack)))
        outer = stack[-1] if stack else None
        own = duration - frame.nested
        if role in BODIES:
            outer.nested += frame.nested
            return
        if outer:
            outer.nested += duration
        if role == RegionRole.IMPLICIT_BARRIER:
            self.sums[outer.region].barrier += own
            return
        if role == RegionRole.WRAPPER:
            return
        sums = self.sums[frame.region]
        sums.visits += 1
        if not any(other.region is frame.region for other in stack):
            sums.time += duration
        if role in WAITS and frame.region.paradigm == otf2.Paradigm.OPENMP:
            sums.barrier += own
            own = 0
        elif role in (RegionRole.CRITICAL, RegionRole.ORDERED) and frame.wait_end is not None:
            sums.enter += frame.wait_end - frame.begin
            own -= frame.wait_end - frame.begin
        sums.self += own


def key_of(region):
    name = region.name
    match = re.match(r"!\$omp (.*?)(?:\((.*)\))? @", name)
    if match:
        return match.group(1), match.group(2) or "", region.begin_line_number
    return "region", name, region.begin_line_number


def compare(ompreport, path):
    reader = Reader(path + "/traces.otf2")
    data = json.loads(subprocess.run([ompreport, "summary", "--format=json", path], check=True,
                                     stdout=subprocess.PIPE, timeout=300).stdout)
    found = {(r["name"], r["sub_name"], r["begin_line"]): r for r in data["regions"]}
    wrong = []

    def same(what, mine, its):
        if mine != (its or 0):
            wrong.append(f"{path}: {what}: computed here {mine}, ompreport says {its}")

    for region, sums in reader.sums.items():
        if sums.visits == 0:
            continue
        row = found.pop(key_of(region), None)
        if row is None:
            wrong.append(f"{path}: {region.name} is missing")
            continue
        for name, value in (("visits", sums.visits), ("time_ns", sums.time), ("self_ns", sums.self),
                            ("barrier_wait_ns", sums.barrier), ("enter_wait_ns", sums.enter)):
            same(f"{region.name} {name}", value, row[name])
    for key in found:
        wrong.append(f"{path}: {key} is too much")
    wall, threads = reader.last_time - reader.first_time, data["threads"]
    useful = sum(reader.useful.values())
    same("wall", wall, data["wall_ns"])
    same("parallel", reader.parallel, data["parallel_ns"])
    same("useful", useful, data["thread_time_ns"]["useful"])
    same("sync", sum(reader.waiting.values()), data["thread_time_ns"]["sync"])
    same("events", reader.events, data["events"])
    serial = 1 - (wall - reader.parallel) * (threads - 1) / (threads * wall)
    openmp = 1 - (reader.parallel - useful / threads) / wall
    for name, value in (("serial", serial), ("openmp", openmp)):
        same(f"{name} efficiency", round(value, 6), round(data["efficiency"][name], 6))
    exported = subprocess.run([ompreport, "export", "--csv", path], check=True, stdout=subprocess.PIPE, timeout=300)
    rows = csv.DictReader(io.StringIO(exported.stdout.decode(), newline=""))
    mine = sorted((place, name.removeprefix("!$omp "), begin - reader.first_time, end - reader.first_time, depth)
                  for place, name, begin, end, depth in reader.slices)
    its = sorted((row["thread"], row["region"], int(row["begin_ns"]), int(row["end_ns"]), int(row["depth"]))
                 for row in rows)
    if mine != its:
        wrong.append(f"{path}: export: {len(mine)} slices computed here, {len(its)} exported, not the same")
    print(f"{path}: {len(its)} slices, {reader.events} events, {len(reader.sums)} regions compared")
    return wrong


def main():
    ompreport, arguments = sys.argv[1], sys.argv[2:]
    failures = []
    if arguments[0] != "--make":
        for path in arguments:
            failures += compare(ompreport, path)
    else:
        with tempfile.TemporaryDirectory() as folder:
            for scenario, number in [("uneven", 1), ("contention", 1)] + [("mixed", n) for n in range(1, 6)]:
                path = f"{folder}/{scenario}-{number}"
                subprocess.run([arguments[1], scenario, path, str(number)], check=True, timeout=60)
                failures += compare(ompreport, path)
    for failure in failures:
        print(f"FAIL: {failure}")
    sys.exit(1 if failures else 0)


main()
