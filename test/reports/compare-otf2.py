#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""An independent reader of the same archives: OTF2's Python bindings and nothing of ompreport's code.
Computes visits, inclusive and exclusive times, waits, bodies, imbalances, locks, tasks and the efficiencies
from the events and compares them, to the nanosecond, with `ompreport summary --format=json`; and every slice
with `ompreport export --csv`.

Usage: compare-otf2.py OMPREPORT ARCHIVE...   or   compare-otf2.py OMPREPORT --make MAKE_ARCHIVE
or     compare-otf2.py OMPREPORT --run PROGRAM [ARGUMENT...]
Exit status 77 where the bindings are not installed.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

try:
    import otf2
    from trace_replay import Replay
except ImportError:
    print("python3-otf2 is not installed")
    sys.exit(77)

# None with locations without events: at those the bindings may crash.
SCENARIOS = [("uneven", 1), ("latecomers", 1), ("latecomers", 2), ("unordered", 1), ("coarse", 1), ("funneled", 1), ("funneled", 2), ("contention", 1), ("overtaken", 1), ("tasks", 1), ("untied", 1), ("path", 1), ("nested", 1), ("late", 1),
             ("ranks", 1), ("hybrid", 1), ("messages", 1), ("messages", 2)] + [("mixed", n) for n in range(1, 6)]


class Sums:
    def __init__(self):
        self.visits = self.time = self.self = self.imbalance = 0
        self.barrier = self.enter = None
        self.bodies = defaultdict(int)
        self.created = self.undeferred = self.create_time = 0
        self.open, self.since = defaultdict(set), {}  # frames by the thread that entered, and since when any


class Lock:
    def __init__(self):
        self.acquisitions = self.contended = self.wait = self.hold = 0
        self.holder, self.depth, self.since, self.released, self.released_at = None, 0, 0, -1, 0


def plus(one, other):
    return (one or 0) + other


class Summary(Replay):
    def __init__(self, path):
        self.sums = defaultdict(Sums)
        self.locks = defaultdict(Lock)
        self.activities = defaultdict(int)
        self.parallel = defaultdict(int)  # by thread
        self.executions, self.ordinals = defaultdict(list), defaultdict(int)
        self.bodies_of = defaultdict(list)  # of parallel regions, by team
        self.useful = defaultdict(int)
        self.in_mpi = defaultdict(int)  # by thread, and whether in a team
        self.gathered, self.came = defaultdict(list), defaultdict(int)  # barriers: (thread, work)
        self.held = 0
        self.imbalance = defaultdict(int)
        self.outer_teams = defaultdict(list)  # useful time of each member
        self.stays_of = defaultdict(list)  # (waits for threads, MPI) of each member
        self.largest = defaultdict(int)
        self.begins = defaultdict(list)  # of a team's threads
        self.slices, self.open_slices = [], {}
        self.entered_at = {}
        super().__init__(path)
        for (_, construct, _), bodies in self.executions.items():
            self.count_imbalance(construct, bodies)
        for team, bodies in self.bodies_of.items():
            self.count_imbalance(team.construct, bodies)
        for team, useful in self.outer_teams.items():
            if team.outermost:
                self.imbalance[team.members[0].process] += max(useful) - sum(useful) // len(useful)
        for team, members in self.stays_of.items():
            most = max(mpi for _, mpi in members)
            self.held += sum(min(waits, most - mpi) for waits, mpi in members if team.outermost)

    def count_imbalance(self, construct, bodies):
        self.sums[construct].imbalance += max(bodies) * len(bodies) - sum(bodies)

    def spent(self, thread, activity, construct, begin, end):
        if activity == "mpi":
            activity = "mpi in team" if thread.stays else "mpi"
            self.in_mpi[thread, activity] += end - begin
        self.activities[activity] += end - begin
        if activity in ("work", "task"):
            self.useful[thread] += end - begin

    def entered(self, thread, frame, time):
        if frame.part == "whole":
            sums = self.sums[frame.construct]
            sums.open[thread].add(frame)
            sums.since.setdefault(thread, time)
        if frame.wait() == "lock":
            self.entered_at[thread] = self.count
        if frame.wait() == "barrier" and thread.stays and frame.construct:
            self.came[thread.team(), frame.construct, thread] += 1
            self.gathered[thread.team(), frame.construct, self.came[thread.team(), frame.construct, thread]].append(
                (thread, self.useful[thread] - thread.stays[-1].useful_before))

    def left(self, thread, frame, outer, time):
        sums = self.sums[frame.construct]
        if frame.wait() == "barrier" and thread.stays:
            thread.stays[-1].useful_before = self.useful[thread]
        if frame.part == "create":
            sums.created += 1
            sums.create_time += frame.own
        elif frame.part == "barrier" or frame.part == "wait":
            sums.barrier = plus(sums.barrier, frame.own)
        if frame.part != "whole":
            return
        kind, duration, own = frame.construct.kind, time - frame.begin, frame.own
        sums.visits += 1
        sums.open[frame.thread].remove(frame)
        since = time if sums.open[frame.thread] else sums.since.pop(frame.thread)
        sums.time += frame.own + frame.inner if kind == "task" else time - since
        if kind in ("barrier", "taskwait"):
            sums.barrier = plus(sums.barrier, own)
            own = 0
        elif kind == "entry" and frame.enter_wait is not None:
            sums.enter = plus(sums.enter, frame.enter_wait)
            own -= frame.enter_wait
        sums.self += own
        body = frame.own + frame.inner if kind == "task" else \
            frame.body if frame.construct.has_blocks else \
            duration - frame.barriers - (0 if frame.region.paradigm == otf2.Paradigm.MPI else frame.waits(thread))
        if kind not in ("barrier", "taskwait"):
            sums.bodies[thread] += body
        if kind == "workshare" and thread.stays:
            ordinal = self.ordinals[thread.team(), frame.construct, thread]
            self.ordinals[thread.team(), frame.construct, thread] += 1
            self.executions[thread.team(), frame.construct, ordinal].append(body)
        if kind == "parallel" and thread.stays:
            self.bodies_of[thread.team()].append(body)

    def begun(self, thread, team, fork, time):
        stay = thread.stays[-1]
        stay.useful = stay.useful_before = self.useful[thread]
        stay.waited, stay.mpi = thread.waited, self.in_mpi[thread, "mpi in team"]
        self.begins[team].append(time)
        self.largest[thread.process] = max(self.largest[thread.process], len(team.members))
        if team.forked is not None and fork:
            self.activities["team"] += sum(begin - team.forked for begin in self.begins[team])
        elif team.forked is not None:
            self.activities["team"] += time - team.forked

    def ended(self, thread, stay, time):
        self.outer_teams[stay.team].append(self.useful[thread] - stay.useful)
        mpi = self.in_mpi[thread, "mpi in team"] - stay.mpi
        self.stays_of[stay.team].append((thread.waited - stay.waited - mpi, mpi))

    def joined(self, thread, fork, time):
        if fork.depth == 0:
            self.parallel[thread] += time - fork.time
        if fork.team:
            self.activities["team"] += sum(time - end for end in fork.team.ended.values())

    def switches(self, thread, event, time):
        frame = thread.frame()
        if event.generation_number and self.key_of(event) not in self.tasks and frame and frame.part == "create":
            self.sums[frame.construct].undeferred += 1

    def acquires(self, thread, event, frame, time):
        lock = self.locks[thread.process, event.lock_id]
        if lock.depth and lock.holder is not thread:
            self.give_back(lock, time)
        lock.acquisitions += 1
        if frame:
            # Events of equal time have no order.
            lock.contended += lock.released > self.entered_at[thread] and lock.released_at > frame.begin
            lock.wait += time - frame.begin
        if lock.depth == 0:
            lock.since, lock.holder = time, thread
        lock.depth += 1

    def releases(self, thread, event, time):
        lock = self.locks[thread.process, event.lock_id]
        if lock.depth > 1 and lock.holder is thread:
            lock.depth -= 1
        elif lock.depth and lock.holder is thread:
            self.give_back(lock, time)

    def give_back(self, lock, time):
        lock.hold += time - lock.since
        lock.depth, lock.released, lock.released_at = 0, self.count, time


class Slices(Replay):
    """Stays of threads in regions; a task's are cut where it is suspended."""

    def __init__(self, path):
        self.found, self.pieces = [], {}
        super().__init__(path)

    def base_frames(self, thread):
        stays = [stay.base for stay in thread.stays]
        tasks = [thread.base] + [base for base in stays if base is not thread.base]
        if thread.current not in tasks:
            tasks.append(thread.current)
        return [frame for task in tasks for frame in task.frames]

    def step(self, thread, event, time):
        before = self.base_frames(thread)
        super().step(thread, event, time)
        after = self.base_frames(thread)
        for depth, frame in enumerate(before):
            if frame not in after:
                self.found.append((thread.name, frame.region.name.removeprefix("!$omp "),
                                   self.nanoseconds(self.pieces.pop(frame) - self.first),
                                   self.nanoseconds(time - self.first), depth))
        for frame in after:
            if frame not in before:
                self.pieces[frame] = time


def compare_regions(same, reader, data):
    found = {(r["name"], r["sub_name"], r["begin_line"]): r for r in data["regions"]}
    for construct, sums in reader.sums.items():
        if construct is None or sums.visits == 0:
            continue
        row = found.pop((construct.name, construct.sub_name, construct.line), {})
        bodies, imbalance = sums.bodies.values(), sums.imbalance
        if not imbalance and row.get("imbalance_ns") is None:
            imbalance = None
        for name, value in (("visits", sums.visits), ("time_ns", sums.time), ("self_ns", sums.self),
                            ("barrier_wait_ns", sums.barrier), ("enter_wait_ns", sums.enter),
                            ("body_min_ns", min(bodies, default=None)), ("body_max_ns", max(bodies, default=None)),
                            ("body_sum_ns", sum(bodies) if bodies else None),
                            ("imbalance_ns", imbalance)):
            counted = value is None or name == "visits"
            same(f"{construct.title()} {name}", value if counted else reader.nanoseconds(value), row.get(name))
    same("regions too much", [], list(found))


def compare_locks_and_tasks(same, reader, data):
    time = reader.nanoseconds
    mine = sorted((lock.acquisitions, lock.contended, time(lock.wait), time(lock.hold))
                  for lock in reader.locks.values())
    its = sorted((row["acquisitions"], row["contended"], row["wait_ns"], row["hold_ns"]) for row in data["locks"])
    same("locks", mine, its)
    keys = ("begin_line", "created", "executed", "undeferred", "create_ns", "execute_ns")
    mine = sorted((construct.line, sums.created, sums.visits, sums.undeferred, time(sums.create_time), time(sums.time))
                  for construct, sums in reader.sums.items() if construct and construct.kind == "task")
    same("tasks", mine, sorted(tuple(row[key] for key in keys) for row in data["tasks"]))


def share(value):
    """Beside other work, what was measured may add up to more than there is: no share is shown as more than 1 or less than 0."""
    return min(max(value, 0), 1)


def compare_efficiencies(same, reader, data):
    """The definitions of doc/summary.md."""
    for thread in reader.threads:  # a process without teams is one thread
        if thread.last is not None:
            reader.largest[thread.process] = max(reader.largest[thread.process], 1)
    roots, did, threads = {}, reader.activities, sum(reader.largest.values())
    initial = {}  # what else is first in a process is no thread of its team
    for thread in reader.threads:  # of equals in parallel regions, the one with most MPI outside
        time = (reader.parallel[thread], reader.in_mpi[thread, "mpi"])
        if thread.process not in roots or time > roots[thread.process]:
            roots[thread.process], initial[thread.process] = time, thread
    spans = [span for process, (span, _) in roots.items() if reader.largest[process]]
    wall = reader.nanoseconds(reader.end - reader.first)
    parallel = reader.nanoseconds(sum(spans) // len(spans) if spans else 0)
    useful = reader.nanoseconds(did["work"] + did["task"])
    sync = reader.nanoseconds(did["barrier"] + did["lock"] + did["task_wait"])
    team, processes = reader.nanoseconds(did["team"]), len(reader.largest)
    imbalance = reader.nanoseconds(sum(reader.imbalance[process] * largest
                                       for process, largest in reader.largest.items()) // threads)
    for name, value in (("wall_ns", wall), ("parallel_ns", parallel), ("events", reader.count),
                        ("threads", threads), ("imbalance_ns", imbalance)):
        same(name, value, data[name])
    serial, idle = (wall - parallel) * processes, (wall - parallel) * (threads - processes)
    called = any(construct and construct.name == "mpi" and sums.visits for construct, sums in reader.sums.items())
    in_mpi = min(reader.nanoseconds(sum(mpi for _, mpi in roots.values())), serial)
    idle_in_mpi = idle * in_mpi // serial if serial else 0
    mpi = in_mpi + reader.nanoseconds(did["mpi in team"])
    serial, idle = serial - in_mpi, idle - idle_in_mpi
    away = {name: (reader.nanoseconds(did[name]),
                   reader.nanoseconds(sum(reader.outside[thread, name] for thread in initial.values())))
            for name in ("delayed", "blocked")}
    serial -= sum(outside for _, outside in away.values())
    away = {name: sum(parts) for name, parts in away.items()}
    known = useful + sync + team + serial + idle + mpi + idle_in_mpi + sum(away.values())
    capacity = max(wall * threads, known)
    parts = {"useful": useful, "sync": sync, "management": team, "serial": serial, "idle": idle,
             "mpi": mpi if called else None, "mpi_idle": idle_in_mpi if called else None,
             **{name: time if reader.has_usage else None for name, time in away.items()}, "other": capacity - known}
    same("mpi_held", reader.nanoseconds(reader.held) if called else None, data["mpi_held_ns"])
    same("thread time", parts, data["thread_time_ns"])
    same("capacity", capacity, data["capacity_ns"])
    total, serial, mpi = share((serial + useful) / capacity), share(1 - idle / capacity), share(1 - (mpi + idle_in_mpi) / capacity)
    ran = share(1 - sum(away.values()) / capacity)
    openmp = share(1 - ((1 - total) - (1 - serial) - (1 - mpi) - (1 - ran)))
    balance = share(1 - imbalance * threads / capacity)
    if not called:
        same("mpi efficiency", None, data["efficiency"]["mpi"])
    for name, value in (("total", total), ("serial", serial), ("openmp", openmp), ("load_balance", balance),
                        ("waits_and_overhead", share(1 + openmp - balance))) + ((("mpi", mpi),) if called else ()):
        same(f"{name} efficiency", f"{value:.6f}", f"{data['efficiency'][name]:.6f}")


def compare_imbalance(same, reader, rows):
    """Who came last at the barriers, and the work before explicit ones."""
    barriers, last, uneven = Counter(), defaultdict(Counter), Counter()
    for (team, construct, _), came in reader.gathered.items():
        if 1 < len(came) == team.size:
            barriers[construct] += 1
            last[construct][came[-1][0]] += 1
            uneven[construct] += max(work for _, work in came) * len(came) - sum(work for _, work in came)
    rows = {row["region"]: row for row in rows}
    for construct in barriers:
        row = rows.get(construct.title(), {})
        most = max(last[construct].values())
        name = next(thread.label for thread in reader.threads if last[construct][thread] == most)
        same(f"{construct.title()}: last", (name, most, barriers[construct]), (row.get("last"), row.get("last_count"), row.get("barriers")))
        if construct.kind == "barrier":
            same(f"{construct.title()}: work before", reader.nanoseconds(uneven[construct]), row.get("imbalance_ns"))
    same("constructs with barriers", len(barriers), sum(row["barriers"] is not None for row in rows.values()))


def compare(ompreport, path):
    wrong = []

    def same(what, mine, its):
        if mine != its:
            wrong.append(f"{path}: {what}: computed here {mine}, ompreport says {its}")

    def report(*arguments):
        return subprocess.run([ompreport, *arguments, path], check=True, stdout=subprocess.PIPE).stdout

    reader = Summary(path)
    data = json.loads(report("summary", "--format=json"))
    compare_regions(same, reader, data)
    compare_locks_and_tasks(same, reader, data)
    compare_efficiencies(same, reader, data)
    compare_imbalance(same, reader, json.loads(report("imbalance", "--format=json"))["imbalance"])
    rows = csv.DictReader(io.StringIO(report("export", "--csv").decode(), newline=""))
    mine = sorted(Slices(path).found)
    its = sorted((row["thread"], row["region"], int(row["begin_ns"]), int(row["end_ns"]), int(row["depth"]))
                 for row in rows)
    if mine != its:
        wrong.append(f"{path}: export: {len(mine)} slices computed here, {len(its)} exported, not the same")
    print(f"{path}: {len(its)} slices, {reader.count} events, {len(reader.sums)} regions compared")
    return wrong


def archives(folder, mode, command):
    """The paths of archives that are there, that are made, or that a program leaves."""
    if mode == "--make":
        for scenario, number in SCENARIOS:
            path = f"{folder}/{scenario}-{number}"
            subprocess.run([command[0], scenario, path, str(number)], check=True)
            yield path
    elif mode == "--run":
        environment = dict(os.environ, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=folder + "/run", POMP_SUMMARY="off")
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        yield folder + "/run"
    else:
        yield from [mode, *command]


def main(compare_archive):
    ompreport, mode, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        failures = [failure for path in archives(folder, mode, command) for failure in compare_archive(ompreport, path)]
    for failure in failures:
        print(f"FAIL: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(compare))
