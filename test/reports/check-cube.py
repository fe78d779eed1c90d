# SPDX-License-Identifier: BSD-3-Clause
"""Profiles for Cube: every value of every call path and thread is that of the slices and of the tables.

Usage: check-cube.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import io
import os
from collections import Counter

from cubex import Profile
from tables import MS, expect, finish, make, rows, run

WAITS = {"omp_wait_barrier": "barrier_ns", "omp_wait_task": "task_wait_ns", "omp_wait_lock": "lock_ns"}
SCENARIOS = ("uneven", "sections", "masters", "contention", "tasks", "untied", "nested", "mixed", "large", "ranks", "hybrid",
             "funneled", "messages", "foreign", "broken")
TASKS = ("tasks", "untied", "mixed")  # whose slices may continue


def profile_of(folder, path, *options):
    output = folder / "profile.cubex"
    run("export", "--cube", path, "-o", output, *options)
    profile = Profile(output.read_bytes())
    expect(not profile.problems, f"{path.name} {options}: {profile.problems}")
    return profile


def plain(profile, cells):
    """Without the program, and without OpenMP's mark."""
    program = profile.paths[0]
    return {(location, tuple(name.removeprefix("!$omp ") for name in names[1:])): value
            for (location, names), value in cells.items() if names != program}


def slices_of(path):
    """Of the CSV's slices, which nest: time alone and number of slices, by location and call path."""
    times, counts, around = Counter(), Counter(), {}
    # Inner ones come before those around them: backwards, each comes after what it lies in.
    for row in reversed(list(csv.DictReader(io.StringIO(run("export", "--csv", path), newline="")))):
        number, depth, time = int(row["number"]), int(row["depth"]), int(row["end_ns"]) - int(row["begin_ns"])
        names = (*around.get((number, depth - 1), ()), row["region"])
        around[number, depth] = names
        times[number, names] += time
        counts[number, names] += 1
        if depth > 0:
            times[number, names[:-1]] -= time
    return {key: value for key, value in times.items() if value}, dict(counts)


def check_values(folder):
    for scenario in SCENARIOS:
        path = make(folder, scenario, 2)
        profile = profile_of(folder, path)
        times, counts = slices_of(path)
        found = plain(profile, profile.cells("time"))
        expect(found == times, f"{scenario}: time {set(found.items()) ^ set(times.items())}")
        visits = plain(profile, profile.cells("visits"))
        more = scenario in TASKS
        expect(visits.keys() <= counts.keys() and sum(visits.values()) > 0
               and all(visits[key] == counts[key] or more and visits[key] < counts[key] for key in visits)
               and (more or visits.keys() == counts.keys()), f"{scenario}: {visits}; slices {counts}")
        if scenario not in ("foreign", "broken"):  # the table's figures are estimates
            check_threads(scenario, path, profile)
        first = (folder / "profile.cubex").read_bytes()
        profile_of(folder, path)
        expect(first == (folder / "profile.cubex").read_bytes(), f"{scenario}: not the same bytes again")


def check_threads(scenario, path, profile):
    """A thread's times add up to the run, and its waits to those of the table."""
    data = rows("threads", path)[1]
    times, waits = profile.cells("time"), profile.cells("omp_wait")
    for row in data["threads"]:
        number = row["number"]
        expect(profile.locations[number][1] == row["thread"].split(":", 1)[-1], f"{scenario}: location {number}")
        whole = sum(value for (location, _), value in times.items() if location == number)
        expect(abs(whole - data["wall_ns"]) <= len(times), f"{scenario}: thread {number} has {whole} of {data['wall_ns']} ns")
        for metric, column in WAITS.items():
            found = sum(value for (location, _), value in profile.cells(metric).items() if location == number)
            expect(abs(found - row[column]) <= len(times), f"{scenario}: {metric} of {number}: {found}, not {row[column]}")
    together = Counter()
    for metric in WAITS:
        together.update(profile.cells(metric))
    expect(together == waits and all(value <= times[key] for key, value in waits.items()), f"{scenario}: kinds of waits")


def check_definitions(folder):
    profile = profile_of(folder, make(folder, "uneven"))
    expect(list(profile.metrics) == ["visits", "time", "omp_wait", *WAITS], f"metrics: {list(profile.metrics)}")
    expect([metric.findtext("uom") for metric in profile.metrics.values()] == ["occ"] + ["sec"] * 5, "units")
    expect([metric.findtext("uniq_name") for metric in profile.root.find("metrics").findall("metric")] == ["visits", "time"]
           and profile.root.find("metrics/metric/metric/metric/uniq_name").text == "omp_wait_barrier", "tree of metrics")
    found = [(region.findtext("name"), region.get("mod"), region.get("begin"), region.get("end"), region.findtext("paradigm"),
              region.findtext("role")) for region in profile.regions.values()]
    expect(found == [("./solver", "", "-1", "-1", "measurement", "artificial"),
                     ("!$omp parallel @solver.c:10", "/src/app/solver.c", "10", "40", "openmp", "parallel"),
                     ("!$omp for @solver.c:12", "/src/app/solver.c", "12", "15", "openmp", "loop"),
                     ("!$omp implicit barrier @solver.c:15", "/src/app/solver.c", "12", "15", "openmp", "implicit barrier"),
                     ("!$omp implicit barrier @solver.c:40", "/src/app/solver.c", "10", "40", "openmp", "implicit barrier")],
           f"regions: {found}")
    loop = ("./solver", *(f"!$omp {name}" for name in ("parallel @solver.c:10", "for @solver.c:12")))
    expect([profile.cells("time")[i, loop] for i in range(4)] == [20 * MS, 40 * MS, 60 * MS, 80 * MS], "time of the loop")
    found = [profile.cells("omp_wait_barrier").get((i, (*loop, "!$omp implicit barrier @solver.c:15"))) for i in range(4)]
    expect(found == [60 * MS, 40 * MS, 20 * MS, None], f"waits of the loop: {found}")
    expect(not profile.rows["omp_wait_task"] and "4.index" not in profile.files, "a metric without values has files")
    profile = profile_of(folder, make(folder, "ranks", 2))
    expect(list(profile.locations.values()) == [("process 0 (Process)", "Master thread"), ("process 0 (Process)", "OMP thread 1"),
                                                ("process 1 (Process)", "OMP thread 2"), ("process 1 (Process)", "OMP thread 3")],
           f"system: {profile.locations}")
    expect(profile.nodes == [("machine", "machine"), ("machine", "node")], f"nodes: {profile.nodes}")
    profile = profile_of(folder, make(folder, "tasks", 3))
    task = next(names for names in profile.paths if "taskwait" in names[-1])[:-1]
    expect("task @" in task[-1], f"taskwait in {task}")


def check_lock(folder):
    """Time in a lock's call is no wait after the lock is acquired, and outside of parallel regions."""
    profile = profile_of(folder, make(folder, "contention", 9))
    outside, inside = [names for names in profile.paths if names[-1].startswith("omp_set_lock")]
    for where, place in (("alone", (0, outside)), ("acquired", (1, inside))):
        found = [profile.cells(metric).get(place) for metric in ("time", "omp_wait", "omp_wait_lock")]
        expect(found == [1 * MS, None, None], f"lock {where}: {found}")


def check_nodes(folder):
    """Processes of several nodes stand below theirs, and their columns follow."""
    path = make(folder, "nodes", 5)
    profile = profile_of(folder, path)
    times = slices_of(path)[0]
    places = {}
    for row in csv.DictReader(io.StringIO(run("threads", "--format=csv", path))):
        places[row["thread"]] = int(row["number"])
    nodes = [(node.findtext("name"), [int(group.findtext("rank")) for group in node.findall("locationgroup")])
             for node in profile.root.find("system/systemtreenode").findall("systemtreenode")]
    expect(nodes == [("node-001234.cluster.example", [0, 2, 4]), ("node-000001.cluster.example", [1, 3])], f"nodes: {nodes}")
    column_of = {}
    for group in profile.root.iter("locationgroup"):
        for location in group.findall("location"):
            column_of[places[f"{group.findtext('rank')}:{location.findtext('name')}"]] = int(location.get("Id"))
    expect(list(column_of.values()) == list(range(len(column_of))), f"columns: {column_of}")
    wanted = {(column_of[number], names): value for (number, names), value in times.items()}
    expect(plain(profile, profile.cells("time")) == wanted, "nodes: time")


def check_choice(folder):
    path = make(folder, "uneven")
    whole, part = profile_of(folder, path), profile_of(folder, path, "--thread=OMP thread 2")
    expect(list(part.locations.values()) == [("Process", "OMP thread 2")], f"--thread: {part.locations}")
    wanted = {names: value for (location, names), value in whole.cells("time").items() if location == 2}
    expect({names: value for (_, names), value in part.cells("time").items()} == wanted, "--thread: time")
    halves = [profile_of(folder, path, *options) for options in (("--to=40ms",), ("--from=40ms",))]
    for metric in whole.metrics:
        together = Counter()
        for half in halves:
            together.update(half.cells(metric))
        expect(together == whole.cells(metric), f"{metric}: the halves are not the whole")
    for location in range(4):
        total = sum(value for (place, _), value in halves[0].cells("time").items() if place == location)
        expect(total == 40 * MS, f"--to: location {location} has {total} ns")
    run("export", "--cube", "--region=for", path, status=2, error="--cube sums up whole stacks")
    run("export", "--cube", "--min-duration=1ms", path, status=2, error="--min-duration do not apply")


def check_odd(folder):
    """Archives with strange names, without events, and with stacks that are deeper than a profile."""
    for scenario in ("names", "nothing", "accelerated", "absent", "sampled"):
        profile = profile_of(folder, make(folder, scenario))
        expect(len(set(profile.paths)) == len(profile.paths) and profile.metrics, f"{scenario}: {profile.paths}")
    os.environ["MAKE_ARCHIVE_SOURCE"] = "/src/a&b<c>\"d'\uffff\x07&amp;.c"
    profile = profile_of(folder, make(folder, "sourced"))
    del os.environ["MAKE_ARCHIVE_SOURCE"]
    files = {region.get("mod") for region in profile.regions.values()}
    expect(files == {"", "/src/a&b<c>\"d'\ufffd\ufffd&amp;.c"}, f"names of files: {files}")
    profile = profile_of(folder, make(folder, "deep", 20000))
    expect(max(map(len, profile.paths)) == 501 and profile.paths[-1][-1] == "(deeper)", "deep: call paths")
    expect(sum(profile.cells("visits").values()) == 20000, f"deep: {sum(profile.cells('visits').values())} visits")
    types = {location.findtext("type") for location in profile_of(folder, folder / "accelerated-1").root.iter("location")}
    expect(types == {"thread", "accelerator stream", "metric"}, f"types of locations: {types}")


finish(check_values, check_definitions, check_lock, check_nodes, check_choice, check_odd)
