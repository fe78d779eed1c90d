#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompreport critical-path` against a critical path that is looked for here, in the events that OTF2's Python
bindings read and by the rules of doc/reports.md: every time, count and name of every row, to the nanosecond.

Here a wait is kept with what can have ended it, and who did is asked when all events are known.

Usage: as compare-otf2.py. Exit status 77 where the bindings are not installed.
"""
import json
import subprocess
import sys
from bisect import bisect_left
from collections import defaultdict
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
compare_otf2 = import_module("compare-otf2")
Messages = import_module("mpi_replay").Messages
COLUMNS = {"work": "work_ns", "task": "work_ns", "serial": "work_ns", "barrier": "barrier_ns", "lock": "lock_ns",
           "task_wait": "task_wait_ns", "team": "team_ns", "mpi": "mpi_ns", "none": "idle_ns",
           "delayed": "delayed_ns", "blocked": "blocked_ns", "delayed outside": "delayed_ns",
           "blocked outside": "blocked_ns"}


class Meeting:
    """The n-th execution of a barrier by a team: who arrived, who completed tasks until the first one left."""

    def __init__(self):
        self.happened, self.is_over = [], False

    def ended_by(self):
        return max(self.happened, key=lambda what: what[0])


class Path_(Messages):
    def __init__(self, path):
        self.lanes = defaultdict(list)  # by thread: [end, activity, construct, ended_by()]
        self.meetings, self.arrivals = {}, defaultdict(int)
        self.meeting_of = {}            # the barrier that a team's threads are in
        self.created, self.suspended, self.completed = {}, {}, {}
        self.released = {}
        self.ends_in_barrier = set()
        self.last_event = {}
        super().__init__(path)

    def spent(self, thread, activity, construct, begin, end):
        self.last_event[thread] = end
        lane = self.lanes[thread]
        if lane and end <= lane[-1][0]:
            return
        if lane and lane[-1][1:3] == [activity, construct] and lane[-1][3] is None:
            lane[-1][0] = end
        else:
            lane.append([end, activity, construct, None])

    def ends_wait(self, thread, activities, time, ended_by):
        lane = self.lanes[thread]
        if lane and lane[-1][0] == time and lane[-1][1] in activities and lane[-1][3] is None:
            lane[-1][3] = ended_by

    def entered(self, thread, frame, time):
        if frame.wait() != "barrier" or not thread.stays:
            return
        team = thread.team()
        self.arrivals[team, frame.region, thread] += 1
        key = team, frame.region, self.arrivals[team, frame.region, thread]
        frame.meeting = self.meetings.setdefault(key, Meeting())
        frame.meeting.happened.append(((time, self.count), thread))
        self.meeting_of[team] = frame.meeting
        if frame.construct is team.construct:
            self.ends_in_barrier.add(team)

    def left(self, thread, frame, outer, time):
        team = thread.team()
        if frame.wait() == "barrier" and frame.meeting:
            self.ends_wait(thread, ["barrier"], time, frame.meeting.ended_by)
            if self.meeting_of.get(team) is frame.meeting:
                del self.meeting_of[team]
        elif frame.wait() == "task_wait" and team in self.completed:
            completed = self.completed[team]
            self.ends_wait(thread, ["task_wait"], time, lambda: completed)
        elif frame.part == "body" and frame.construct:
            frame.construct.left_by, frame.construct.left_at = thread, (time, self.count)

    def enters_body(self, thread, outer, time):
        construct = outer.construct
        if outer.enter_wait is None and construct.left_by and construct.left_by.process is thread.process:
            what = construct.left_at, construct.left_by
            self.ends_wait(thread, ["lock"], time, lambda: what)

    def acquires(self, thread, event, frame, time):
        key = thread.process, event.lock_id
        holder, depth, released = self.released.get(key, (None, 0, None))
        if depth and holder is not thread:
            depth, released = 0, ((time, self.count), holder)
        if frame and released:
            self.ends_wait(thread, ["lock"], time, lambda: released)
        self.released[key] = thread, depth + 1, released

    def releases(self, thread, event, time):
        key = thread.process, event.lock_id
        holder, depth, released = self.released.get(key, (None, 0, None))
        if depth and holder is thread:
            self.released[key] = holder, depth - 1, released if depth > 1 else ((time, self.count), thread)

    def begun(self, thread, team, fork, time):
        if fork:
            team.forker = (fork.time, 0), thread
        self.ends_wait(thread, ["none"], time, lambda: (*getattr(team, "forker", (None, None)), team))

    def joined(self, thread, fork, time):
        team = fork.team
        if not team:
            return
        who = [thread] if team in self.ends_in_barrier else team.members
        ends = [((team.ended[member], place), member) for place, member in enumerate(team.members)
                if member in who and member in team.ended]
        last = max(ends, default=(None, None), key=lambda end: end[0])
        self.ends_wait(thread, ["none"], time, lambda: (*last, team))

    def leaves_mpi(self, thread, visit, time):
        self.ends_wait(thread, ["mpi"], time, lambda: self.late(visit))

    def late(self, visit):
        reason = visit.reason()
        return reason and ((visit.enter + reason[0], 0), self.threads[reason[2]])

    def creates(self, thread, event, time):
        self.created[self.key_of(event)] = (time, self.count), thread

    def switches(self, thread, event, time):
        key = self.key_of(event)
        ready = self.created.pop(key, None) or self.suspended.get(self.tasks.get(key))
        if ready:
            self.ends_wait(thread, [thread.does] if thread.does in ("barrier", "task_wait") else [], time, lambda: ready)
        if thread.current.explicit:
            self.suspended[thread.current] = (time, self.count), thread

    def completes(self, thread, event, time):
        team = thread.team()
        if team:
            self.completed[team] = (time, self.count), thread
            if team in self.meeting_of:
                self.meeting_of[team].happened.append(self.completed[team])


def walk(replay):
    """From the end back; yields begin, end, thread, activity, construct, who ended the wait, how long it was."""
    time = replay.end
    thread = max(replay.threads, key=lambda thread: (replay.last_event.get(thread, -1), -thread.index))
    jumps = 0
    while time > replay.first:
        lane = replay.lanes[thread]
        place = bisect_left(lane, time, key=lambda piece: piece[0])
        begin = max(replay.first, lane[place - 1][0]) if place else replay.first
        end, activity, construct, ended_by = lane[place] if place < len(lane) else (None, "none", None, None)
        cause = ended_by() if ended_by and end == time else None
        if cause and (cause[1] is None or cause[0][0] > time):
            cause = None
        if cause and activity == "none" and len(cause) == 3 and cause[2].construct:
            activity, construct = "team", cause[2].construct
        if cause and cause[1] is not thread and cause[0][0] > begin and jumps <= len(replay.threads):
            yield cause[0][0], time, thread, activity, construct, cause[1], cause[0][0] - begin
            begin, thread = cause[0][0], cause[1]
        else:
            yield begin, time, thread, activity, construct, None, 0
        jumps = jumps + 1 if begin == time else 0
        time = begin


def most_of(replay, times):
    """The name of who has most, of equals the first."""
    found = max(replay.threads, key=lambda thread: (times[thread], -thread.index))
    return found.label if times[found] else ""


def rows_of(replay):
    rows = defaultdict(lambda: (defaultdict(int), defaultdict(int), defaultdict(int)))
    for begin, end, thread, activity, construct, other, waited in walk(replay):
        row, mine, ended = rows[construct]
        for key in ("path_ns", COLUMNS[activity]):
            row[key] += end - begin
        mine[thread] += end - begin
        if other:
            row["cuts"] += 1
            row["cut_ns"] += waited
            ended[other] += waited
    for construct, (row, mine, ended) in rows.items():
        found = {key: replay.nanoseconds(row[key]) for key in {*COLUMNS.values(), "path_ns", "cut_ns"}}
        found |= {"cuts": row["cuts"], "mostly_by": most_of(replay, mine), "ended_by": most_of(replay, ended)}
        yield construct.title() if construct else "(outside of all regions)", found


def compare(ompreport, path):
    replay, wrong = Path_(path), []
    done = subprocess.run([ompreport, "critical-path", "--format=json", path], check=True, stdout=subprocess.PIPE)
    data = json.loads(done.stdout)
    its = sorted((row.pop("region"), sorted((key, value) for key, value in row.items() if key != "share"))
                 for row in data["critical-path"])
    mine = sorted((title, sorted(row.items())) for title, row in rows_of(replay))
    for one, other in zip(mine, its):
        if one != other:
            wrong.append(f"{path}: computed here {one}, ompreport says {other}")
    if len(mine) != len(its) or data["wall_ns"] != replay.nanoseconds(replay.end - replay.first):
        wrong.append(f"{path}: {len(mine)} regions computed here, {len(its)} in the report; wall {data['wall_ns']}")
    cuts = sum(dict(row)["cuts"] for _, row in mine)
    if cuts != data["cuts"]:
        wrong.append(f"{path}: {cuts} cuts computed here, {data['cuts']} in the report")
    print(f"{path}: {len(mine)} regions, {cuts} cuts compared")
    return wrong


if __name__ == "__main__":
    sys.exit(compare_otf2.main(compare))
