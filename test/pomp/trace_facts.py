# SPDX-License-Identifier: BSD-3-Clause
"""Reads an OTF2 archive with the OTF2 project's own readers and proves that it is sound.

Sound: otf2-print reads it without a word on stderr; on each location time never goes back, enter and leave
balance and match, teams and forks balance and nest; each lock is held by one location at a time and its
acquisition numbers count up by one; each task is created and completed once and runs between; regions have
the roles that Score-P gives them, teams the parents, and events that belong together stand together.
"""
import collections
import re
import subprocess
import sys

try:
    import otf2
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)


def fail(text):
    sys.exit(f"trace: {text}")


def region_name(name, sub_name, file, line):
    """How the converter names a region."""
    if name == "region":
        return sub_name
    return f"!$omp {name}{'(' + sub_name + ')' if sub_name else ''} @{file}:{line}"


# The first pattern that a region's name fits gives its role; a name that fits none is a user region.
ROLES = [(re.compile(pattern), role) for pattern, role in (
    (r"omp_\w+lock", "WRAPPER"),
    (r"!\$omp implicit barrier @", "IMPLICIT_BARRIER"),
    (r"!\$omp create task", "TASK_CREATE"),
    (r"!\$omp \w+ wait @", "TASK_WAIT"),
    (r"!\$omp critical(\(.*\))? sblock @", "CRITICAL_SBLOCK"),
    (r"!\$omp (single|ordered) sblock @", None),
    (r"!\$omp sections section @", "SECTION"),
    (r"!\$omp for @", "LOOP"),
    (r"!\$omp (taskwait|taskyield) @", "TASK_WAIT"),
    (r"!\$omp (master|masked) @", "MASTER"),
    (r"!\$omp scope @", "WORKSHARE"),
    (r"!\$omp (taskgroup|taskloop|teams|target) @", "CODE"),
    (r"!\$omp target (data|enter data|exit data|update) @", "DATA_TRANSFER"),
    (r"!\$omp (loop|distribute) @", "LOOP"),
    (r"!\$omp (\w+)(\(.*\))? @", None))]


def expected_role(name):
    for pattern, role in ROLES:
        match = pattern.match(name)
        if match and role:
            return role
        if match:
            return match[1].upper() + ("_SBLOCK" if " sblock " in name else "")
    return "CODE"


# What must come directly after an event on its location, values of metrics aside.
FOLLOWERS = {"ThreadTeamBegin": "Enter", "ThreadTaskComplete": "ThreadTaskSwitch"}


# What the kernel counted of a thread, beside the program's events.
USAGE = ["run_delay", "blocked_time", "system_time", "page_faults"]


def is_beside(event):
    """A sample of the executed code, or values of what the kernel counted: how many there are is no property of the
    program."""
    kind = type(event).__name__
    return kind == "CallingContextSample" or (
        kind == "Metric" and [member.name for member in event.metric.members] == USAGE)


class Facts:
    def __init__(self):
        self.visits = collections.Counter()  # by region name
        self.locations = {}  # name: number of events, without what is_beside()
        self.beside = 0
        self.teams = []  # sizes of the communicators
        self.nested = 0  # how many of them have a parent
        self.counts = collections.Counter()  # by event type
        self.waits = collections.Counter()  # ticks in implicit barriers by region name


class Location:
    def __init__(self, name):
        self.name, self.time, self.open, self.teams, self.forks = name, 0, [], [], 0
        self.before = None

    def sequence(self, event, kind):
        """The order that readers of Score-P's traces know."""
        before, name = type(self.before).__name__, event.region.name if kind in ("Enter", "Leave") else ""
        if FOLLOWERS.get(before, kind) != kind:
            fail(f"{self.name}: {event} after {self.before}")
        if before == "ThreadTeamBegin" and not name.startswith("!$omp parallel"):
            fail(f"{self.name}: a team begins with {event}")
        if kind == "ThreadTeamEnd" and (before != "Leave" or self.before.region.region_role != otf2.RegionRole.PARALLEL):
            fail(f"{self.name}: a team ends after {self.before}")
        if kind == "Enter" and event.region.region_role == otf2.RegionRole.CRITICAL_SBLOCK and before != "ThreadAcquireLock":
            fail(f"{self.name}: {event} after {self.before}")
        if kind == "Enter" and event.region.region_role == otf2.RegionRole.TASK and before != "ThreadTaskSwitch":
            fail(f"{self.name}: {event} after {self.before}")
        self.before = event

    def in_order(self, event):
        if event.time < self.time:
            fail(f"{self.name}: time goes back at {event}")
        self.time = event.time

    def event(self, event, facts):
        kind = type(event).__name__
        facts.counts[kind] += 1
        self.in_order(event)
        if kind != "Metric":
            self.sequence(event, kind)
        if kind == "Enter":
            self.open.append((event.region, event.time))
            facts.visits[event.region.name] += 1
        elif kind == "Leave":
            region, enter = self.open.pop() if self.open else (None, 0)
            if region != event.region:
                fail(f"{self.name}: leaves {event.region.name} while in {region and region.name}")
            facts.waits[region.name] += event.time - enter
        elif kind == "ThreadTeamBegin":
            self.teams.append(event.thread_team)
        elif kind == "ThreadTeamEnd":
            if not self.teams or self.teams.pop() != event.thread_team:
                fail(f"{self.name}: ends a team that it is not in: {event}")
        elif kind in ("ThreadFork", "ThreadJoin"):
            self.forks += 1 if kind == "ThreadFork" else -1
            if self.forks < 0:
                fail(f"{self.name}: joins what it did not fork")

    def end(self):
        if self.open or self.teams or self.forks:
            fail(f"{self.name}: still open at the end: {self.open} {self.teams} {self.forks}")


class Locks:
    """Global order: who holds which lock since which acquisition."""

    def __init__(self, lossy):
        self.last = collections.Counter()
        self.holder = {}
        self.lossy = lossy

    def event(self, location, event):
        kind = type(event).__name__
        if kind == "ThreadAcquireLock":
            holder, depth = self.holder.get(event.lock_id, (location, 0))
            if depth and holder != location and not self.lossy:
                fail(f"lock {event.lock_id} acquired by {location} while {holder} holds it")
            last, self.last[event.lock_id] = self.last[event.lock_id], event.acquisition_order
            if event.acquisition_order != last + 1 and not (self.lossy and event.acquisition_order > last):
                fail(f"lock {event.lock_id}: acquisition {event.acquisition_order} after {last}")
            self.holder[event.lock_id] = (location, depth + 1)
        elif kind == "ThreadReleaseLock":
            holder, depth = self.holder.get(event.lock_id, (None, 0))
            if holder != location:
                fail(f"lock {event.lock_id} released by {location}, held by {holder}")
            self.holder[event.lock_id] = (location, depth - 1)


class Tasks:
    def __init__(self):
        self.state = collections.defaultdict(collections.Counter)

    def event(self, event):
        kind = type(event).__name__
        if kind.startswith("ThreadTask") and event.generation_number != 0:
            key = (event.creating_thread, event.generation_number)
            self.state[key][kind] += 1

    def end(self, discarded):
        """discarded: so many tasks were created and, their group being cancelled, never began."""
        left = {key: counts for key, counts in self.state.items() if counts != {"ThreadTaskCreate": 1}}
        if len(self.state) - len(left) != discarded:
            fail(f"{len(self.state) - len(left)} tasks never began, expected {discarded}")
        for key, counts in left.items():
            if counts["ThreadTaskCreate"] != counts["ThreadTaskComplete"] or not counts["ThreadTaskSwitch"]:
                fail(f"task {key}: {dict(counts)}")


def read(archive, lossy=False, discarded=0):
    """All facts of a sound archive; fails on any other. lossy: some threads' events may be missing. discarded: see Tasks."""
    for arguments in ([archive], ["-G", archive]):
        printed = subprocess.run(["otf2-print", *arguments], capture_output=True, text=True)
        if printed.returncode != 0 or printed.stderr:
            fail(f"otf2-print {archive}: {printed.returncode} {printed.stderr}")
    facts, locks, tasks = Facts(), Locks(lossy), Tasks()
    with otf2.reader.open(archive) as trace:
        definitions = trace.definitions
        facts.resolution = trace.timer_resolution
        state = {location: Location(location.name) for location in definitions.locations}
        for region in definitions.regions:
            if region.paradigm == otf2.Paradigm.SAMPLING:
                continue  # a function that was executed at a sample
            if region.region_role != getattr(otf2.RegionRole, expected_role(region.name)):
                fail(f"{region.name} has the role {region.region_role}, expected {expected_role(region.name)}")
        facts.nested = sum(comm.parent is not None for comm in definitions.comms)
        facts.teams = [len(comm.group.members) for comm in definitions.comms]
        seen, beside = collections.Counter(), collections.Counter()
        for location, event in trace.events:
            if is_beside(event):
                state[location].in_order(event)
                beside[location] += 1
                continue
            state[location].event(event, facts)
            locks.event(location.name, event)
            tasks.event(event)
            seen[location] += 1
        for location in definitions.locations:
            state[location].end()
            if location.number_of_events != seen[location] + beside[location]:
                fail(f"{location.name}: {seen[location]} and {beside[location]} events, "
                     f"defined {location.number_of_events}")
            if location.name in facts.locations:
                fail(f"two locations are named {location.name}")
            facts.locations[location.name] = seen[location]
            facts.beside += beside[location]
        if not lossy:
            tasks.end(discarded)
    return facts


if __name__ == "__main__":
    print(dict(read(sys.argv[1]).counts))
