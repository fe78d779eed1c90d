# SPDX-License-Identifier: BSD-3-Clause
"""What happens in an archive, read by OTF2's Python bindings and by nothing of ompreport's code: the frames of
every task, the executions of teams, and what each thread does from event to event. The comparisons subclass
Replay and add up what they want to know.

A span between two events of a thread is charged to the innermost frame then, so that own times come from
addition only; ompreport subtracts clocks. Events come in the order of time, those of the same time in the order
of their locations.
"""
import os
import pathlib
import re
import sys
from collections import defaultdict

import otf2
from otf2 import RegionRole

sys.path.append(str(pathlib.Path(__file__).parents[1] / "pomp"))
import trace_facts

ROLES = {
    RegionRole.PARALLEL: ("whole", "parallel"), RegionRole.LOOP: ("whole", "workshare"),
    RegionRole.SECTIONS: ("whole", "workshare"), RegionRole.WORKSHARE: ("whole", "workshare"),
    RegionRole.SINGLE: ("whole", "workshare"), RegionRole.SINGLE_SBLOCK: ("body", None),
    RegionRole.CRITICAL: ("whole", "entry"), RegionRole.CRITICAL_SBLOCK: ("body", None),
    RegionRole.ORDERED: ("whole", "entry"), RegionRole.ORDERED_SBLOCK: ("body", None),
    RegionRole.BARRIER: ("whole", "barrier"), RegionRole.IMPLICIT_BARRIER: ("barrier", None),
    RegionRole.TASK: ("whole", "task"), RegionRole.TASK_UNTIED: ("whole", "task"),
    RegionRole.TASK_CREATE: ("create", "task"), RegionRole.TASK_WAIT: ("whole", "taskwait"),
    RegionRole.ARTIFICIAL: ("none", None),
}
NAMED = {"sections section": ("body", None), "taskgroup": ("whole", "plain"), "taskgroup block": ("body", None),
         "taskgroup wait": ("wait", None), "loop": ("whole", "plain"), "distribute": ("whole", "plain")}
BLOCKS = (RegionRole.SINGLE, RegionRole.CRITICAL, RegionRole.ORDERED)  # a body only within an inner region


class Construct:
    """What a person wrote; the regions of its parts lead here."""

    def __init__(self, name, sub_name, region, kind):
        self.name, self.sub_name, self.kind = name, sub_name, kind
        self.line = region.begin_line_number
        self.file = region.source_file or ""
        self.has_blocks = region.region_role in BLOCKS and region.paradigm == otf2.Paradigm.OPENMP
        self.left_by, self.left_at = None, None  # its body

    def title(self):
        place = f"{os.path.basename(self.file) or '?'}:{self.line} " if self.file or self.line else ""
        return f"{place}{self.name}({self.sub_name})" if self.sub_name else f"{place}{self.name}"


class Part:
    """A region's part in a construct: whole, body, barrier, wait, create, lock, none."""

    def __init__(self, part, construct):
        self.part, self.construct = part, construct


class Frame:
    def __init__(self, part, region, construct, time, thread):
        self.part, self.region, self.construct, self.begin, self.thread = part, region, construct, time, thread
        self.own = self.inner = 0          # charged to it and to the frames within, while its task ran
        self.enter_wait = None             # until the body began
        self.body = self.barriers = 0      # wall time of the parts within, without the waits in it
        self.waited_before = thread.waited # what the thread waited until it entered
        self.meeting = None

    def waits(self, thread):
        """What the thread that leaves waited within, if it is the one that entered."""
        return thread.waited - self.waited_before if thread is self.thread else 0

    def wait(self):
        if self.part in ("barrier", "lock"):
            return self.part
        kind = self.construct.kind if self.part == "whole" else self.part
        if kind == "entry":
            return "lock" if self.enter_wait is None else None
        return {"barrier": "barrier", "taskwait": "task_wait", "wait": "task_wait"}.get(kind)


class Task:
    def __init__(self, explicit):
        self.explicit, self.frames, self.suspended = explicit, [], None


class Team:
    def __init__(self, comm):
        self.comm, self.size = comm, len(comm.group.members) if comm.group is not None else 0
        self.members, self.ended, self.forked, self.joined = [], {}, None, None
        self.outermost = False
        self.construct = None


class Stay:
    def __init__(self, team, base, time):
        self.team, self.base, self.begin, self.useful = team, base, time, 0


class Fork:
    def __init__(self, time, depth, task):
        self.time, self.depth, self.task, self.frames = time, depth, task, len(task.frames)
        self.team = None


class Thread:
    def __init__(self, location, index):
        self.location, self.index, self.name = location, index, location.name
        self.label = location.name  # of several processes, with the rank
        self.process = location.group
        self.base = self.current = Task(False)
        self.stays, self.forks = [], []
        self.last, self.initial = None, False
        self.usage = (0, 0)  # what the kernel counted so far: ticks without a processor, and blocked
        self.waited = 0  # in teams, calls of MPI included
        self.does, self.construct = "none", None  # since `last`

    def team(self):
        return self.stays[-1].team if self.stays else None

    def frame(self):
        return self.current.frames[-1] if self.current.frames else None

    def is_forking(self):
        return bool(self.forks) and self.forks[-1].depth == len(self.stays)


def by_number(locations):
    """Those of a process by the numbers in their names, names of another kind as they stand."""
    groups, kinds = {}, {}
    for i, location in enumerate(locations):
        groups.setdefault(location.group, i)
        kinds.setdefault(re.sub(r"\d+", "0", location.name), i)
    return sorted(locations, key=lambda location: (groups[location.group], kinds[re.sub(r"\d+", "0", location.name)],
                                                   [int(number) for number in re.findall(r"\d+", location.name)]))


class Replay:
    def __init__(self, path):
        self.constructs, self.parts, self.task_constructs = [], {}, {}
        self.tasks, self.teams, self.has_usage = {}, {}, False
        self.outside = defaultdict(int)  # ticks of threads outside of teams, by thread and "blocked" or "delayed"
        self.count, self.first, self.end = 0, None, 0
        with otf2.reader.open(path + "/traces.otf2") as trace:
            self.resolution = trace.timer_resolution
            self.threads = [Thread(location, i) for i, location in enumerate(by_number(list(trace.definitions.locations)))]
            of = {thread.location: thread for thread in self.threads}
            self.number_ranks(trace.definitions)
            for region in trace.definitions.regions:
                self.parts[region] = self.part_of(region)
            by_thread = defaultdict(list)
            for location, event in trace.events:
                by_thread[of[location]].append(event)
            merged = sorted(((event.time, thread.index, place) for thread, found in by_thread.items()
                             for place, event in enumerate(found)))
            for time, index, place in merged:
                thread = self.threads[index]
                self.step(thread, by_thread[thread][place], time)

    def number_ranks(self, definitions):
        groups = [group for group in definitions.location_groups if group.location_group_type == otf2.LocationGroupType.PROCESS]
        self.ranks = next(([location.group for location in group.members] for group in definitions.groups
                           if group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI), [])
        # Ranks come first; in the archives here all processes are ranks, or none.
        self.number = {group: i for i, group in enumerate(self.ranks or groups)}
        for thread in self.threads if len(groups) > 1 else []:
            thread.label = f"{self.number[thread.process]}:{thread.name}"

    def nanoseconds(self, ticks):
        return ticks * 10**9 // self.resolution

    def part_of(self, region):
        match = re.match(r"!\$omp (.*?)(?: @|$)", region.name)
        found = ("whole", "plain")
        if region.paradigm == otf2.Paradigm.OPENMP:
            if region.region_role == RegionRole.WRAPPER:
                found = ("lock", None) if re.match("omp_.*_lock", region.name) else found
            else:
                found = NAMED.get(match and match.group(1)) or ROLES.get(region.region_role, found)
        part, kind = found
        if kind is None:
            return Part(part, None)
        place = (region.source_file, region.begin_line_number)
        if kind == "task" and place in self.task_constructs:
            return Part(part, self.task_constructs[place])
        if match:
            name, sub_name = re.match(r"(.*?)(?:\((.*)\))?$", match.group(1)).groups()
            name = "task" if kind == "task" and "task" in name else name
        else:
            name, sub_name = "region" if region.region_role == RegionRole.CODE else "function", region.name
            name = "mpi" if region.paradigm == otf2.Paradigm.MPI else name
        construct = Construct(name, sub_name or "", region, kind)
        self.constructs.append(construct)
        if kind == "task":
            self.task_constructs[place] = construct
        return Part(part, construct)

    def charge(self, thread, time):
        span = time - thread.last
        frame = thread.frame()
        # From fork to join time is the team's, and not the region's that forked it.
        fork = thread.forks[-1] if thread.forks else None
        if frame and fork and thread.current is fork.task and len(thread.current.frames) <= fork.frames:
            frame.inner += span
        elif frame:
            frame.own += span
        if thread.does in ("barrier", "lock", "task_wait") or thread.does == "mpi" and thread.stays:
            thread.waited += span
        self.spent(thread, thread.does, thread.construct, thread.last, time)
        thread.last = time

    def update(self, thread):
        frame = thread.frame()
        thread.construct = next((f.construct for f in reversed(thread.current.frames) if f.construct), None)
        if thread.is_forking() or not thread.stays and not thread.initial:
            thread.does = "none"
        elif any(frame.region.paradigm == otf2.Paradigm.MPI for frame in thread.current.frames):
            thread.does = "mpi"
        elif not thread.stays:
            thread.does = "serial"
        else:
            thread.does = (frame and frame.wait()) or ("task" if thread.current.explicit else "work")

    def absences(self, thread, event, time):
        """What the kernel counted since the previous values divides the time since the previous event: the thread
        ran first, then it was blocked, then it waited for a processor. Only if it had work: a wait is a wait."""
        sums = [(value * self.resolution + 5 * 10**8) // 10**9 for value in event.values[:2]]
        delayed, blocked = (value - before for value, before in zip(sums, thread.usage))
        thread.usage = sums
        self.has_usage = True
        does = thread.does
        if does not in ("work", "task", "serial"):
            self.charge(thread, time)
            return
        delayed = min(delayed, time - thread.last)
        blocked = min(blocked, time - thread.last - delayed)
        self.charge(thread, time - delayed - blocked)
        frame = thread.frame()
        for activity, span in (("blocked", blocked), ("delayed", delayed)):
            if frame:
                frame.inner += span
            if thread.stays:
                thread.waited += span
            if does == "serial":
                self.outside[thread, activity] += span
            self.spent(thread, activity if does != "serial" else activity + " outside", thread.construct, thread.last,
                       thread.last + span)
            thread.last += span

    def step(self, thread, event, time):
        kind = type(event).__name__
        if trace_facts.is_beside(event):
            if kind != "Metric":
                return
            self.first = time if self.first is None else self.first
            self.end = time
            if thread.last is None:
                thread.last = time
            self.absences(thread, event, time)
            return
        self.count += 1
        self.first = time if self.first is None else self.first
        self.end = time
        if thread.last is None:
            thread.last = time
            thread.initial = kind in ("ProgramBegin", "ThreadFork", "Enter")
        self.charge(thread, time)
        handler = getattr(self, "on_" + kind, None)
        if handler:
            handler(thread, event, time)
        self.update(thread)

    def on_Enter(self, thread, event, time):
        part, outer = self.parts[event.region], thread.frame()
        construct = part.construct
        if part.part in ("body", "barrier", "wait") and outer:
            construct = outer.construct
        if part.part == "body" and outer and outer.part == "whole" and outer.construct.kind == "entry":
            self.enters_body(thread, outer, time)
            if outer.enter_wait is None:
                outer.enter_wait = outer.own
        frame = Frame(part.part, event.region, construct, time, thread)
        thread.current.frames.append(frame)
        if part.part == "whole" and construct.kind == "parallel" and thread.stays:
            thread.team().construct = construct
        self.entered(thread, frame, time)

    def on_Leave(self, thread, event, time):
        frame = thread.current.frames.pop()
        assert frame.region is event.region, f"{event.region.name} is left within {frame.region.name}"
        outer = thread.frame()
        self.left(thread, frame, outer, time)
        if not outer:
            return
        if frame.part == "body":  # the inside of a body is the construct's own time
            outer.own += frame.own
            outer.inner += frame.inner
            outer.body += time - frame.begin - frame.waits(thread)
        else:
            outer.inner += frame.own + frame.inner
        if frame.part in ("barrier", "wait"):
            outer.barriers += time - frame.begin - frame.waits(thread)

    def on_ThreadFork(self, thread, event, time):
        thread.forks.append(Fork(time, len(thread.stays), thread.current))

    def on_ThreadJoin(self, thread, event, time):
        fork = thread.forks.pop()
        if fork.team:
            fork.team.joined = time
        self.joined(thread, fork, time)

    def on_ThreadTeamBegin(self, thread, event, time):
        team = self.teams.get(event.thread_team)
        if team is None or team.joined is not None or (team.size and len(team.members) >= team.size):
            team = self.teams[event.thread_team] = Team(event.thread_team)
        team.members.append(thread)
        fork = thread.forks[-1] if thread.is_forking() and not thread.forks[-1].team else None
        if fork:
            fork.team, team.forked, team.outermost = team, fork.time, fork.depth == 0
        thread.stays.append(Stay(team, thread.current, time))
        self.begun(thread, team, fork, time)

    def on_ThreadTeamEnd(self, thread, event, time):
        stay = thread.stays.pop()
        thread.current = stay.base
        stay.team.ended[thread] = time
        self.ended(thread, stay, time)

    def key_of(self, event):
        return event.thread_team, event.creating_thread, event.generation_number

    def on_ThreadTaskSwitch(self, thread, event, time):
        self.switches(thread, event, time)
        if event.generation_number == 0:
            thread.current = thread.stays[-1].base if thread.stays else thread.base
            return
        if self.key_of(event) not in self.tasks:
            self.tasks[self.key_of(event)] = Task(True)
        thread.current = self.tasks[self.key_of(event)]

    def on_ThreadTaskComplete(self, thread, event, time):
        self.completes(thread, event, time)
        task = self.tasks.pop(self.key_of(event), None)
        if task is thread.current:
            thread.current = thread.stays[-1].base if thread.stays else thread.base

    def on_ThreadAcquireLock(self, thread, event, time):
        frame = thread.frame()
        frame = frame if frame and frame.wait() == "lock" else None
        self.acquires(thread, event, frame, time)
        if frame and frame.part == "whole":
            frame.enter_wait = frame.own

    def on_ThreadReleaseLock(self, thread, event, time):
        self.releases(thread, event, time)

    def on_ThreadTaskCreate(self, thread, event, time):
        self.creates(thread, event, time)

    # What the comparisons take of it.
    def spent(self, thread, activity, construct, begin, end):
        pass

    entered = left = joined = begun = ended = switches = completes = acquires = releases = creates = enters_body = \
        lambda self, *arguments: None
