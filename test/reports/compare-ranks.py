# SPDX-License-Identifier: BSD-3-Clause
"""ompreport ranks, messages and efficiency of archives of many ranks, against the same figures computed here from
what OTF2's Python bindings read. Equal to the nanosecond, and factors to the last digit that is printed.

Usage: compare-ranks.py OMPREPORT --make MAKE_ARCHIVE | ARCHIVE...
"""
import json
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
compare_otf2 = import_module("compare-otf2")
mpi_replay = import_module("mpi_replay")
WAITS = mpi_replay.WAITS


class Ranks(mpi_replay.Messages):
    def __init__(self, path):
        self.times = defaultdict(lambda: defaultdict(int))  # by thread and activity
        self.team_useful = defaultdict(int)
        self.outermost = defaultdict(list)  # team: [(thread, useful)]
        self.mpi_in_team = defaultdict(int)
        self.begins = defaultdict(list)  # team: [(thread, time)]
        super().__init__(path)
        self.imbalance = defaultdict(int)
        for team, members in self.outermost.items():
            most = max(useful for _, useful in members)
            for thread, useful in members if team.outermost else []:
                self.imbalance[thread] += most - useful

    def spent(self, thread, activity, construct, begin, end):
        self.times[thread][activity] += end - begin
        if activity == "mpi" and thread.stays:
            self.mpi_in_team[thread] += end - begin
        if activity in ("work", "task"):
            self.team_useful[thread] += end - begin

    def begun(self, thread, team, fork, time):
        thread.stays[-1].useful = self.team_useful[thread]
        self.begins[team].append((thread, time))
        for member, begin in self.begins[team] if fork else self.begins[team][-1:]:
            self.times[member]["team"] += begin - team.forked if team.forked is not None else 0

    def joined(self, thread, fork, time):
        for member, end in fork.team.ended.items() if fork.team else ():
            self.times[member]["team"] += time - end

    def ended(self, thread, stay, time):
        self.outermost[stay.team].append((thread, self.team_useful[thread] - stay.useful))

    def wait_of(self, thread, in_team=None):
        return sum(visit.reason()[0] for visit in self.visits
                   if visit.thread is thread and visit.reason() and in_team in (None, visit.in_team))


def thread_rows(reader):
    wall, time = reader.end - reader.first, reader.nanoseconds
    for thread in reader.threads:
        times, wait = reader.times[thread], reader.wait_of(thread)
        computation = times["serial"] + times["work"] + times["task"]
        known = computation + sum(times[name] for name in ("delayed", "blocked", "barrier", "lock", "task_wait", "team", "mpi"))
        waits = times["barrier"] + times["lock"] + times["task_wait"] + wait
        yield {"thread": thread.label, "rank": reader.number[thread.process], "number": thread.index,
               "execution_ns": time(wall), "computation_ns": time(computation), "delayed_ns": time(times["delayed"]) if reader.has_usage else None,
               "blocked_ns": time(times["blocked"]) if reader.has_usage else None, "barrier_ns": time(times["barrier"]),
               "imbalance_ns": time(min(reader.imbalance[thread], times["barrier"])), "lock_ns": time(times["lock"]),
               "task_wait_ns": time(times["task_wait"]), "team_ns": time(times["team"]), "mpi_ns": time(times["mpi"]),
               "mpi_wait_ns": time(wait), "mpi_transfer_ns": time(times["mpi"] - wait), "idle_ns": time(wall - known),
               "wait_share": waits / wall}


def region_rows(reader):
    """One for each wait of each call in each construct, and one for the rest."""
    sites = defaultdict(list)
    for visit in reader.visits:
        sites[visit.call.sub_name, visit.caller.title() if visit.caller else ""].append(visit)
    for (call, caller), visits in sites.items():
        rest = sum(visit.leave - visit.enter for visit in visits)
        for wait in WAITS:
            waits = [(visit, *visit.reason()) for visit in visits if visit.reason() and visit.reason()[1] == wait]
            if not waits:
                continue
            waiting, late = defaultdict(int), defaultdict(int)
            for visit, time, _, by in waits:
                waiting[reader.number[visit.thread.process]] += time
                late[reader.number[reader.threads[by].process]] += time
            total = sum(waiting.values())
            rest -= total
            yield row_of(reader, call, caller, wait, len(waits), total) | {
                "ranks": len(waiting), "most_in": most_of(waiting), "late": most_of(late)}
        yield row_of(reader, call, caller, "transfer", len(visits), rest) | {"ranks": None, "most_in": "", "late": ""}


def row_of(reader, call, caller, kind, calls, ticks):
    time = reader.nanoseconds(ticks)
    return {"region": call, "kind": kind, "caller": caller, "calls": calls, "time_ns": time, "mean_ns": time // calls}


def most_of(times):
    return f"rank {min(times, key=lambda rank: (-times[rank], rank))}"


def factors(reader):
    """POP's, by the formulae of doc/reports.md."""
    wall, processes = reader.end - reader.first, defaultdict(list)
    for thread in reader.threads:
        processes[thread.process].append(thread)
    outside, ideal = {}, {}
    for process, threads in processes.items():
        inside = sum(reader.times[t]["mpi"] - reader.mpi_in_team[t] + reader.mpi_in_team[t] / len(threads) for t in threads)
        waits = sum(reader.wait_of(t, False) + reader.wait_of(t, True) / len(threads) for t in threads)
        outside[process] = wall - inside
        ideal[process] = min(wall, wall - inside + waits)
    useful = [sum(reader.times[t][name] for name in ("serial", "work", "task")) for t in reader.threads]
    count = len(reader.threads)
    mean = sum(outside[process] * len(threads) for process, threads in processes.items()) / count
    most, whole = max(outside.values()), sum(useful) / count
    found = {"parallel": whole / wall, "mpi": mean / wall, "mpi_load_balance": mean / most,
             "mpi_communication": most / wall, "mpi_serialisation": most / max(ideal.values()),
             "mpi_transfer": max(ideal.values()) / wall, "openmp": whole / mean,
             "openmp_load_balance": whole / max(useful) / (mean / most),
             "openmp_communication": max(useful) / wall / (most / wall)}
    products = {"parallel": ("mpi", "openmp"), "mpi": ("mpi_load_balance", "mpi_communication"),
                "mpi_communication": ("mpi_serialisation", "mpi_transfer"),
                "openmp": ("openmp_load_balance", "openmp_communication")}
    for whole, (one, other) in products.items():
        assert abs(found[whole] - found[one] * found[other]) < 1e-12, whole
    return found


def compare(ompreport, path):
    wrong, reader = [], Ranks(path)

    def report(*arguments):
        return json.loads(subprocess.run([ompreport, *arguments, "--format=json", path], check=True,
                                         stdout=subprocess.PIPE).stdout)

    def same(what, mine, its):
        if mine != its:
            wrong.append(f"{path}: {what}: computed here {mine}, ompreport says {its}")

    its = report("ranks")["ranks"]
    for row in its:
        row["lock_ns"] += row.pop("critical_ns")
    mine = list(thread_rows(reader))
    for one, other in zip(mine, its):
        one["wait_share"], other["wait_share"] = (f"{row['wait_share']:.6f}" for row in (one, other))
        same(f"thread {one['thread']}", one, other)
    same("threads", len(mine), len(its))
    data = report("messages")
    key = lambda row: (row["region"], row["caller"], row["kind"])
    regions = sorted(region_rows(reader), key=key)
    for row in data["messages"]:
        del row["share"]
    its = sorted(data["messages"], key=key)
    for one, other in zip(regions, its):
        same("region", one, other)
    same("regions", len(regions), len(its))
    for name in ("messages_sent", "bytes_sent", "collectives", "unknown", "unreceived", "unsent", "incomplete"):
        same(name, reader.counts[name], data[name])
    pairs = sorted((reader.number[sender], reader.number[receiver], *sums) for (sender, receiver), sums in reader.pairs.items())
    same("matrix", pairs, sorted((row["sender"], row["receiver"], row["messages"], row["bytes"])
                                 for row in report("messages", "--matrix")["messages"]))
    its = {row["key"]: f"{row['efficiency']:.6f}" for row in report("efficiency")["efficiency"]}
    same("efficiency", {name: f"{value:.6f}" for name, value in factors(reader).items()}, its)
    print(f"{path}: {len(reader.visits)} calls of {len(regions)} regions, {len(pairs)} pairs, {len(mine)} threads compared")
    return wrong


if __name__ == "__main__":
    compare_otf2.SCENARIOS = [("hybrid", 1), ("funneled", 1), ("funneled", 2)] + [("messages", n) for n in range(1, 7)]
    sys.exit(compare_otf2.main(compare))
