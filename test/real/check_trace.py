# SPDX-License-Identifier: BSD-3-Clause
"""Checks an OTF2 archive: check_trace.py ARCHIVE [--threads N]

One location for each of N threads, if given; on each location enter and leave balance and match, and time never
goes back; teams begin as often as they end, forks as often as joins; tasks that began completed.
Prints what it counted, and fails with the place of the first fault.
"""
import argparse
import collections
import sys

import otf2


def fail(text):
    sys.exit(f"check_trace: {text}")


class Location:
    """What one location has open, and how often each kind of event came."""

    def __init__(self, name):
        self.name, self.time = name, 0
        self.stack = []
        self.task = None
        self.stacks = {}
        self.counts = collections.Counter()

    def switch(self, task):
        """Each task has a stack of its own; a thread's implicit task is None."""
        self.stacks[self.task] = self.stack
        self.task = task
        self.stack = self.stacks.pop(task, [])

    def event(self, event):
        kind = type(event).__name__
        self.counts[kind] += 1
        if event.time < self.time:
            fail(f"{self.name}: time goes back from {self.time} to {event.time} at {kind}")
        self.time = event.time
        if kind == "Enter":
            self.stack.append(event.region)
        elif kind == "Leave":
            top = self.stack.pop() if self.stack else None
            if top is not event.region:
                fail(f"{self.name}: leaves {event.region.name!r} while in {top and top.name!r}")

    def closed(self):
        if self.stack:
            fail(f"{self.name}: {len(self.stack)} regions never left, {self.stack[-1].name!r} last")
        for begin, end in (("ThreadTeamBegin", "ThreadTeamEnd"), ("ThreadFork", "ThreadJoin")):
            if self.counts[begin] != self.counts[end]:
                fail(f"{self.name}: {self.counts[begin]} {begin}, {self.counts[end]} {end}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    with otf2.reader.open(options.archive) as archive:
        locations = {}
        for location in archive.definitions.locations:
            locations[location.name, location.group] = Location(location.name)
        if options.threads is not None and len(locations) != options.threads:
            fail(f"{len(locations)} locations, expected {options.threads}")
        for location, event in archive.events:
            locations[location.name, location.group].event(event)
        total = collections.Counter()
        for location in locations.values():
            location.closed()
            total += location.counts
        if not total["Enter"]:
            fail("no region was ever entered")
        print(dict(total))


main()
