# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands that are one table, against archives whose every time is known (make-archive.c).

Usage: check-tables.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import io
import json
import os
import subprocess
import xml.etree.ElementTree

from tables import MS, expect, expect_values, finish, make, rows, run

TABLES = ("regions", "threads", "efficiency", "locks", "tasks", "imbalance", "critical-path", "hot", "callers")


def check_regions(folder):
    found, _ = rows("regions", make(folder, "uneven"))
    expect_values("regions", found["solver.c:12 for"], {
        "name": "for", "file": "/src/app/solver.c", "begin_line": 12, "end_line": 15, "visits": 8, "threads": 4,
        "time_ns": 320 * MS, "share": 320 / 496, "self_ns": 200 * MS, "mean_ns": 40 * MS, "body_min_ns": 20 * MS,
        "body_max_ns": 80 * MS, "imbalance_ns": 120 * MS, "barrier_wait_ns": 120 * MS, "enter_wait_ns": None,
        "gain_ns": 120 * MS})
    for pattern, names in (("for", ["solver.c:12 for"]), ("*:1? parallel", ["solver.c:10 parallel"]),
                           ("solver", ["solver.c:12 for", "solver.c:10 parallel"])):
        found, data = rows("regions", folder / "uneven-1", "--region", pattern)
        expect(list(found) == names, f"--region={pattern}: {list(found)}")
        expect(not data["notes"], f"--region={pattern}: notes {data['notes']}")
    for pattern in ("nothing", "*for?"):
        run("regions", folder / "uneven-1", "--region", pattern, status=2, error=f"--region='{pattern}': nothing")


def check_source(folder):
    source = folder / "loop.c"
    source.write_text("".join(f"line {n}\n" for n in range(1, 12)) + "\t#pragma omp for \"x\"  \r\nlast")
    os.environ["MAKE_ARCHIVE_SOURCE"] = str(source)
    path = make(folder, "sourced")
    text = run("regions", "--source", path)
    expect("loop.c:10 parallel: line 10" in text and 'loop.c:12 for: #pragma omp for "x"\n' in text, text)
    found, _ = rows("regions", path, "--source")
    expect(found["loop.c:12 for"]["source"] == '#pragma omp for "x"', f"source: {found}")
    found, _ = rows("regions", path)
    expect(found["loop.c:12 for"]["source"] == "", "source: quoted without being asked")
    source.write_text("too short\n")
    expect("None of the source files" in run("regions", "--source", path), "source: too short")
    source.unlink()
    os.mkfifo(source)
    expect("None of the source files" in run("regions", "--source", path), "source: a pipe")


def check_threads(folder):
    found, data = rows("threads", make(folder, "uneven"))
    for number, row in enumerate(found.values()):
        times = [value or 0 for key, value in row.items() if key.endswith("_ns")]
        expect(sum(times) == data["wall_ns"] == 124 * MS, f"threads: row {number} does not add up: {times}")
        expect_values(f"thread {number}", row, {
            "number": number, "work_ns": 20 * (number + 1) * MS, "barrier_ns": 20 * (3 - number) * MS,
            "serial_ns": 0 if number else 40 * MS, "idle_ns": 40 * MS if number else 0, "team_ns": 4 * MS})
    found, _ = rows("threads", make(folder, "wrapped"))
    for number, row in enumerate(found.values()):
        expect_values(f"wrapped thread {number}", row, {
            "serial_ns": 0 if number else 3 * MS, "work_ns": 4 * MS, "team_ns": 3 * MS,
            "idle_ns": 3 * MS if number else 0})
    # By the number in the name, in whatever order they came and were defined; as text is sorted by.
    path, names = make(folder, "unordered"), ["Master thread", "OMP thread 2", "OMP thread 10", "OMP thread 11"]
    for command in ("threads", "info", "timeline", "threads --sort=thread"):
        text = run(*command.split(), path)
        places = [text.index(name + " ") if command != "info" else text.index(name + "\n") for name in names]
        expect(places == sorted(places), f"unordered: {command}: {text}")
    found, _ = rows("threads", path)
    expect(list(found) == names and found["OMP thread 2"]["number"] == 1, f"unordered: {list(found)}")
    expect([row["work_ns"] // MS for row in found.values()] == [20, 60, 80, 40], f"unordered: {found}")
    found, _ = rows("threads", path, "--thread=3")
    expect(list(found) == ["OMP thread 11"], f"unordered: thread 3 is {list(found)}")
    for wanted in ("2", "OMP thread 2"):
        found, _ = rows("threads", folder / "uneven-1", "-t", wanted)
        expect(list(found) == ["OMP thread 2"], f"threads -t {wanted}: {list(found)}")
    expect("No thread fits --thread=9" in run("threads", "--thread=9", folder / "uneven-1", status=2, error="--thread='9': there is no such thread"), "threads: none")
    found, _ = rows("threads", make(folder, "tasks"))
    expect_values("tasks", found["OMP thread 1"], {"tasks_ns": 13 * MS, "barrier_ns": 16 * MS,
                                                   "task_wait_ns": 1 * MS, "work_ns": 0})


def check_ompp(folder):
    data = json.loads(run("threads", "--ompp", "--format=json", make(folder, "uneven")))["threads"]
    found = {(row["region"], row["thread"]): row for row in data}
    expect(len(found) == 8, f"ompp: {len(found)} rows")
    expect_values("ompp for", found["solver.c:12 for", "OMP thread 1"], {
        "execT": 80 * MS, "execC": 2, "bodyT": 40 * MS, "exitBarT": 40 * MS, "enterT": None, "startupT": None})
    expect_values("ompp parallel", found["solver.c:10 parallel", "Master thread"], {
        "execT": 80 * MS, "startupT": 2 * MS, "shutdwnT": 2 * MS, "exitBarT": 0})
    data = json.loads(run("threads", "--ompp", "--format=json", make(folder, "contention")))["threads"]
    enter = {row["thread"]: row["enterT"] for row in data if "critical" in row["region"]}
    expect(enter == {"Master thread": 0, "OMP thread 1": 10 * MS}, f"ompp enterT: {enter}")


def check_efficiency(folder):
    found, data = rows("efficiency", make(folder, "uneven"))
    expect_values("efficiency", data, {"wall_ns": 124 * MS, "threads": 4, "useful": 200 * MS, "idle": 120 * MS})
    lost = {name.strip(): row["loss_ns"] for name, row in found.items()}
    expect(lost == {"efficiency": 256 * MS, "serial part": 120 * MS, "OpenMP": 136 * MS,
                    "load balance": 120 * MS, "waits, overhead": 16 * MS}, f"efficiency: {lost}")
    found, data = rows("efficiency", make(folder, "mixed", 2))
    lost = {name.strip(): row["loss_ns"] for name, row in found.items()}
    expect(abs(lost["efficiency"] - lost["serial part"] - lost["OpenMP"]) <= 2, f"mixed: {lost}")
    expect(abs(lost["OpenMP"] - lost["load balance"] - lost["waits, overhead"]) <= 2, f"mixed: {lost}")


def check_locks_and_tasks(folder):
    found, _ = rows("locks", make(folder, "contention"))
    expect(list(found) == ["critical(sum) solver.c:28", "lock 9"], f"locks: {list(found)}")
    expect_values("critical", found["critical(sum) solver.c:28"], {
        "acquisitions": 2, "contended": 1, "contended_share": 0.5, "wait_ns": 10 * MS, "mean_wait_ns": 5 * MS,
        "hold_ns": 20 * MS, "mean_hold_ns": 10 * MS})
    found, _ = rows("tasks", make(folder, "tasks"))
    expect_values("task", found["solver.c:37 task"], {
        "created": 3, "executed": 3, "undeferred": 1, "create_ns": 2 * MS, "execute_ns": 21 * MS,
        "mean_execute_ns": 7 * MS, "min_ns": 2 * MS, "max_ns": 16 * MS, "mean_create_ns": 2 * MS // 3})


def check_behind(folder):
    """What the last thread at a barrier did meanwhile, and in the summary's advice what takes one thread longest."""
    found, data = rows("imbalance", make(folder, "masters"))
    expect_values("masters", found["solver.c:33 barrier"], {"behind": "solver.c:34 master", "behind_ns": 180 * MS})
    expect("solver.c:33 barrier: the busiest thread had been longer in solver.c:34 master than the others, which cost 180ms "
           "of thread time." in data["notes"], f"masters: {data['notes']}")
    advice = json.loads(run("summary", "--format=json", folder / "masters-1"))["advice"]
    expect("in the same parallel region solver.c:34 master takes one thread 60.0ms, and 15.0ms on average" in advice[0],
           f"masters: {advice}")
    # Until the single's barrier is over one of two threads executes more of its tasks.
    found, data = rows("imbalance", make(folder, "tasks"))
    expect(found["solver.c:20 single"]["behind"] == "solver.c:37 task", f"tasks: {found}")
    expect(any("executed more of solver.c:37 task" in note and note.endswith("its longest task took 16.0ms, the mean one 7.00ms.")
               for note in data["notes"]), f"tasks: {data['notes']}")
    # By whatever number of threads processes are read.
    path = make(folder, "hybrid")
    one, two = (rows("imbalance", path, f"-j{jobs}")[0] for jobs in (1, 2))
    expect(one == two, f"hybrid: {one} {two}")


def check_imbalance(folder):
    found, _ = rows("imbalance", make(folder, "uneven"))
    expect_values("imbalance", found["solver.c:12 for"], {
        "threads": 4, "body_min_ns": 20 * MS, "body_mean_ns": 50 * MS, "body_max_ns": 80 * MS,
        "max_over_mean": 1.6, "slowest": "OMP thread 3", "imbalance_ns": 120 * MS, "share": 120 / 496})
    # A team's executions are its own, also if only some threads had a part in those of the team before.
    found, _ = rows("imbalance", make(folder, "partial"))
    expect_values("partial", found["solver.c:17 for"], {"imbalance_ns": 2 * MS})
    # A thread that waits for others is not slow, however long it stays in the body.
    for number, most, lost in ((1, "OMP thread 2", 200), (2, "OMP thread 3", 140)):
        path = make(folder, "latecomers", number)
        found, data = rows("imbalance", path)
        expect(len(found) == 3, f"latecomers: {list(found)}")
        expect_values(f"latecomers {number}", found["solver.c:33 barrier"], {
            "threads": 4, "body_min_ns": None, "slowest": "", "last": "OMP thread 2", "last_count": 20, "barriers": 20,
            "imbalance_ns": (240 if number == 1 else 180) * MS})
        expect_values(f"latecomers {number}", found["solver.c:12 for"], {
            "last": "OMP thread 1", "last_count": 20, "barriers": 20, "slowest": "OMP thread 1", "imbalance_ns": 120 * MS})
        expect_values(f"latecomers {number}", found["solver.c:10 parallel"], {
            "slowest": most, "barriers": 1, "body_max_ns": (120 if number == 1 else 100) * MS, "imbalance_ns": lost * MS})
        # A region's own code is no construct to be named.
        notes = ["solver.c:33 barrier: OMP thread 2 came last at 20 of 20 barriers."]
        notes += ["solver.c:33 barrier: the busiest thread had been longer in solver.c:28 critical(sum) than the others, which "
                  "cost 180ms of thread time."] if number == 2 else []
        expect(data["notes"] == notes, f"latecomers: {data['notes']}")
        expect("OMP thread 2 at 20 of 20" in run("imbalance", path), "latecomers: who came last is not in the text")
        own = {"behind": "solver.c:10 parallel", "behind_ns": 240 * MS}
        # Thread 2 comes last because it waited for the critical in which thread 3 worked 4 ms, and then 1 ms itself: 4, 1, 1 and 1 ms.
        other = {"behind": "solver.c:28 critical(sum)", "behind_ns": 20 * (4 * 4 - 7) * MS}
        expect_values(f"latecomers {number}", found["solver.c:33 barrier"], own if number == 1 else other)
        expect_values(f"latecomers {number}", found["solver.c:12 for"], {"behind": "solver.c:12 for", "behind_ns": 120 * MS})
    check_behind(folder)
    # The count is that of the region which is named.
    expect("came last at 1 of 1 barriers." in run("imbalance", folder / "latecomers-1", "--region=parallel"), "a region's count")
    # Of a part of the run, the barriers in it: from the middle of the third step to that of the eighth.
    found, _ = rows("imbalance", folder / "latecomers-1", "--from=18ms", "--to=58ms")
    expect_values("latecomers, a part", found["solver.c:33 barrier"], {"last_count": 5, "barriers": 5})
    found, _ = rows("imbalance", make(folder, "nested"))
    expect_values("inner", found["solver.c:50 parallel"], {"imbalance_ns": 20 * MS, "slowest": "OMP thread 3"})


def check_critical_path(folder):
    """The path that make-archive plants, region by region: path, work, waits, cuts, and the threads."""
    found, data = rows("critical-path", make(folder, "path"))
    keys = ("path_ns", "work_ns", "barrier_ns", "lock_ns", "team_ns", "cuts", "cut_ns")
    wanted = {
        "(outside of all regions)": (9, 9, 0, 0, 0, 0, 0, "Master thread", ""),
        "solver.c:10 parallel": (6, 1, 3, 0, 2, 3, 15, "Master thread", "OMP thread 1"),
        "solver.c:12 for": (9, 9, 0, 0, 0, 1, 5, "OMP thread 2", "OMP thread 2"),
        "solver.c:28 critical(sum)": (10, 9, 0, 1, 0, 1, 5, "OMP thread 1", "OMP thread 1"),
        "solver.c:33 barrier": (1, 0, 1, 0, 0, 0, 0, "Master thread", ""),
        "solver.c:37 task": (10, 10, 0, 0, 0, 0, 0, "OMP thread 1", "")}
    expect(set(found) == set(wanted), f"critical path: {list(found)}")
    for region, row in found.items():
        *values, by, ended_by = wanted.get(region, (None,) * 9)
        times = {key: value if key == "cuts" else (value or 0) * MS for key, value in zip(keys, values)}
        expect_values(region, row, {**times, "share": row["path_ns"] / (45 * MS), "idle_ns": 0, "task_wait_ns": 0,
                                    "mostly_by": by, "ended_by": ended_by})
    expect(data["wall_ns"] == 45 * MS and data["cuts"] == 5, f"critical path: {data}")
    found, data = rows("critical-path", folder / "path-1", "--from=20ms", "--to=35ms")
    expect({region: row["path_ns"] // MS for region, row in found.items()} == {
        "solver.c:37 task": 6, "solver.c:28 critical(sum)": 5, "solver.c:10 parallel": 3, "solver.c:33 barrier": 1},
        f"critical path from 20 to 35 ms: {found}")
    # An untied task that is free from 15 ms on, when thread 1 suspends it: thread 0 takes it at 24 ms.
    found, _ = rows("critical-path", make(folder, "tasks"))
    expect_values("task", found["solver.c:37 task"], {"path_ns": 18 * MS, "cuts": 0})
    for scenario, number in (("nested", 1), ("ranks", 1), ("overtaken", 1), ("wide", 1), ("foreign", 1), ("broken", 1),
                             *(("mixed", seed) for seed in range(1, 9))):
        warned = "contradict each other" if scenario in ("foreign", "broken") else None
        path = make(folder, scenario, number)
        for window in ((), ("--from=1ms", "--to=4ms"), ("--from=2ms",)):
            data = json.loads(run("critical-path", "--format=json", *window, path, error=warned))
            total = sum(row["path_ns"] for row in data["critical-path"])
            parts = sum(value for row in data["critical-path"] for key, value in row.items()
                        if key.endswith("_ns") and key not in ("path_ns", "cut_ns"))
            expect(total == parts == data["wall_ns"], f"{scenario} {number} {window}: {total}, {parts}, {data['wall_ns']}")
    expect("of those that --region, --thread and --rank choose" in run("critical-path", "--region=nothing", folder / "path-1", status=2,
        error="--region='nothing': nothing"), "path: none")


def check_check(folder):
    """`broken` breaks each rule as often as it says; a valid archive breaks none."""
    path = make(folder, "broken")
    data = json.loads(run("check", "--format=json", path, status=3))
    counts = {row["rule"]: row["count"] for row in data["check"]}
    expect(counts == {"reference": 2, "leave": 2, "open": 2, "team": 2, "fork": 2, "release": 1, "overlap": 1,
                      "held": 1, "task": 1, "unfinished": 1, "program": 1, "unknown": 1, "order": 1, "member": 1,
                      "metric": 2, "sparse": 1, "incomplete": 3, "promise": 2}, f"broken: {counts}")
    first = {row["rule"]: (row["thread"], row["time_ns"]) for row in data["check"]}
    expect(first["overlap"] == ("OMP thread 1", 2 * MS), f"broken: overlap {first['overlap']}")
    expect(first["leave"] == ("Master thread", 1 * MS), f"broken: leave {first['leave']}")
    for scenario in ("uneven", "contention", "overtaken", "tasks", "nested", "ranks", "large", "nothing"):
        data = json.loads(run("check", "--format=json", make(folder, scenario, 3)))
        expect(data["check"] == [] and "no rule is broken" in data["notes"][0], f"check {scenario}: {data['check']}")
    data = json.loads(run("check", "--format=json", make(folder, "foreign"), status=3))
    counts = {row["rule"]: row["count"] for row in data["check"]}
    expect(counts == {"reference": 4, "leave": 2, "unknown": 4}, f"foreign: {counts}")
    (folder / "uneven-3" / "traces" / "1.def").unlink()
    data = json.loads(run("check", "--format=json", folder / "uneven-3", status=3))
    expect([(row["rule"], row["thread"]) for row in data["check"]] == [("local", "OMP thread 1")], f"local: {data['check']}")
    # Made by chance, its criticals do not exclude each other.
    data = json.loads(run("check", "--format=json", make(folder, "mixed", 3), status=3))
    expect({row["rule"] for row in data["check"]} <= {"overlap", "release", "held"}, f"mixed: {data['check']}")
    events = folder / "mixed-3" / "traces" / "1.evt"
    events.write_bytes(events.read_bytes()[:3000])
    data = json.loads(run("check", "--format=json", folder / "mixed-3", status=3, error="OMP thread 1"))
    expect("missing" in {row["rule"] for row in data["check"]}, f"cut: {data['check']}")


def check_diff(folder):
    """From 4 even threads to one: the loop's time stays, the wall time doubles."""
    one, four = make(folder, "scaled", 1), make(folder, "scaled", 4)
    found, data = rows("diff", four, one)
    expect_values("diff", data, {"wall_a_ns": 120 * MS, "wall_b_ns": 300 * MS, "wall_ratio": 2.5, "threads_a": 4,
                                 "threads_b": 1, "efficiency_a": 300 / 480, "efficiency_b": 1.0})
    expect_values("diff for", found["solver.c:12 for"], {
        "change_ns": 0, "ratio": 1.0, "time_a_ns": 240 * MS, "time_b_ns": 240 * MS, "visits_a": 4, "visits_b": 1})
    expect(any("threads differ" in note for note in data["notes"]), f"diff: {data['notes']}")
    run("diff", "--threshold=149", four, one, status=3)
    run("diff", "--threshold=150", four, one)
    run("diff", "--threshold=0", one, four)
    # Three threads, one of them 60 ms late: the loop and its parallel region grow from 240 to 420 ms.
    three = make(folder, "scaled", 3)
    data = json.loads(run("diff", "--threshold=74%", "--format=json", four, three, status=3))
    expect([(row["change_ns"], row["slower"]) for row in data["diff"]] == [(180 * MS, 1)] * 2, f"diff: {data['diff']}")
    data = json.loads(run("diff", "--threshold=75%", "--format=json", four, three))
    expect("0 regions" in " ".join(data["notes"]), f"diff: {data['notes']}")
    # Regions that only one side has; a moved one is found by its name.
    tasks = make(folder, "tasks")
    found, _ = rows("diff", four, tasks)
    expect_values("new", found["solver.c:37 task"], {"ratio": None, "time_a_ns": None, "change_ns": 21 * MS})
    expect_values("gone", found["solver.c:12 for"], {"ratio": 0.0, "time_b_ns": None, "change_ns": -240 * MS})
    found, _ = rows("diff", make(folder, "many", 3), make(folder, "many", 5))
    expect([found[f"many.c:{n} for"]["visits_a"] for n in range(1, 6)] == [4, 4, 4, None, None], f"many: {found}")
    found, _ = rows("diff", four, make(folder, "moved", 4))
    expect_values("moved", found["solver.c:17 for"], {"time_a_ns": 240 * MS, "time_b_ns": 240 * MS})
    for arguments in (("diff", four), ("diff", four, one, three), ("diff", "--threshold=x", four, one),
                      ("diff", "--threshold=-1", four, one), ("scaling", four)):
        run(*arguments, status=2, error="ompreport")
    run("diff", four, folder / "nowhere", status=1, error="nowhere: No such file")
    run("scaling", four, folder / "nowhere", status=1, error="nowhere: No such file")


def check_diff_of_several(folder):
    """Medians and spreads of several runs; a growth counts when chance does not explain it."""
    def runs(name, numbers):
        """many(n) has n loops; in large(n) each region takes n times as long."""
        return [make(folder, name, n) for n in numbers]

    same = runs("large", (10, 11, 12))
    later = runs("large", (13, 14, 15))
    data = json.loads(run("diff", "--format=json", *same, "vs", *later))
    row = next(row for row in data["diff"] if row["region"] == "solver.c:12 for")
    each = [json.loads(run("regions", "--format=json", path)) for path in same + later]
    times = [next(r for r in one["regions"] if r["region"] == "solver.c:12 for")["time_ns"] for one in each]
    expect_values("several", row, {"time_a_ns": times[1], "time_b_ns": times[4], "change_ns": times[4] - times[1],
                                   "spread_a_ns": times[2] - times[0], "spread_b_ns": times[5] - times[3],
                                   "chance": 0.05})
    expect_values("several", data, {"runs_a": 3, "runs_b": 3})
    # Each of B is slower than each of A: nothing clearer is possible with three. Mixed up it is noise.
    run("diff", "--threshold=5", *same, "vs", *later, status=3)
    mixed = [same[0], later[0], later[1]], [same[1], same[2], later[2]]
    for one, other in (mixed, mixed[::-1]):
        run("diff", "--threshold=1", *one, "vs", *other)
    # What is slower than the threshold by less than --min-change decides nothing.
    change = (times[4] - times[1]) / 1e6
    run("diff", "--threshold=5", "--min-change=99%", *same, "vs", *later)
    run("diff", "--threshold=5", f"--min-change={change * 1.01 + 1000:.3f}ms", *same, "vs", *later)
    run("diff", "--threshold=5", "--min-change=1ns", *same, "vs", *later, status=3)
    # One run against several, and a region that not all runs have.
    run("diff", "--threshold=5", same[0], "vs", *later, status=3)
    three, four, five = runs("many", (3, 4, 5))
    found, _ = rows("diff", three, five, five, "vs", three, three, four)
    expect([(found[f"many.c:{n} for"]["visits_a"], found[f"many.c:{n} for"]["visits_b"]) for n in (1, 4, 5)] ==
           [(4, 4), (4, 0), (4, None)], f"several: {found}")
    for arguments in ((*same, "vs"), ("vs", *same), same, (same[0], "vs", same[1], "vs", same[2]), ("vs", "vs")):
        run("diff", *arguments, status=2, error="expected two, or the runs of both sides with 'vs' in between")
    run("diff", "--min-change=5", *same[:2])
    run("diff", "--min-change=much", *same[:2], status=2, error="a share of the thread time such as 2%")
    run("diff", same[0], "vs", same[1], folder / "nowhere", status=1, error="nowhere: No such file")


def check_diff_of_pairs(folder):
    """Runs that differ by far more than what grew: each pair shows it, the two samples do not."""
    made = {}

    def runs(numbers):
        return [made.get(n) or made.setdefault(n, make(folder, "large", n)) for n in numbers]

    lengths = [8, 12, 16, 20, 24, 28, 32, 36, 40, 44]
    before, grown = runs(lengths), runs(n * 5 // 4 for n in lengths)
    judge = ("diff", "--format=json", "--threshold=5", "--paired")
    data = json.loads(run(*judge, *before, "vs", *grown, status=3))
    row = next(row for row in data["diff"] if row["region"] == "solver.c:12 for")
    expect((row["verdict"], row["chance"], row["slower"]) == ("slower", round(0.5 ** 10, 6), 1), f"pairs: {row}")
    expect(abs(row["ratio"] - 1.25) < 0.02, f"pairs: {row['ratio']}")
    run("diff", "--threshold=5", *before, "vs", *grown)
    run(*judge, *grown, "vs", *before)
    run(*judge, *before, "vs", *before)
    # As many grew as shrank: nothing is sure, and a growth may hide behind it. A large threshold decides it.
    mixed = [b if i % 2 else a for i, (a, b) in enumerate(zip(before, grown))]
    other = [a if i % 2 else b for i, (a, b) in enumerate(zip(before, grown))]
    data = json.loads(run(*judge, *mixed, "vs", *other, status=4))
    found = {row["region"].split()[-1]: row["verdict"] for row in data["diff"]}
    expect(found == {"parallel": "undecided", "for": "undecided", "critical(sum)": ""}, f"pairs: {data['diff']}")
    expect(any("The wall time and 2 regions may have grown" in note and "about 11 more pairs decide it" in note for note in data["notes"]),
           f"pairs: {data['notes']}")
    run(*judge, *mixed * 3, "vs", *other * 3)  # 20 more
    # What grew by just the threshold stays undecided.
    text = " ".join(run("diff", "--threshold=25.1", "--min-change=1ns", "--paired", *before, "vs", *grown, status=4).split())
    expect("100 pairs are not enough to decide it" in text, f"pairs: {text}")
    run("diff", "--threshold=40", "--paired", *mixed, "vs", *other)
    # Three pairs cannot show it, however clear they are, nor ten at such a chance; with so many more as it says they do.
    data = json.loads(run(*judge, *before[:3], "vs", *grown[:3], status=4))
    expect(next(row for row in data["diff"] if row["region"] == "solver.c:12 for").get("more_pairs") == 4, f"more pairs: {data}")
    expect("about 1 more pair decides it" in str(json.loads(run(*judge, *before[:6], "vs", *grown[:6], status=4))["notes"]), "one more pair")
    run(*judge, *before[:7], "vs", *grown[:7], status=3)
    run(*judge, "--chance=0.01", *before, "vs", *grown, status=4)
    run(*judge, "--chance=50", *before[:3], "vs", *grown[:3], status=3)
    # A region that only one side has is named, and not judged.
    data = json.loads(run(*judge, "--threshold=900", *[make(folder, "many", 3)] * 6, "vs", *[make(folder, "many", 4)] * 6))
    found = {row["region"]: row["verdict"] for row in data["diff"]}
    expect(found["many.c:4 for"] == "new" and found["many.c:1 for"] == "", f"new: {found}")
    expect(any("1 regions are new" in note for note in data["notes"]), f"new: {data['notes']}")
    for wrong, message in ((("--chance=0",), "above 0"), (("--chance=51",), "at most 50"), (("--chance=x",), "above 0"),
                           (("--paired", before[0]), "2 runs before 'vs' and 1 after"),
                           (("--junit=",), "a file name"), (("--measure=",), "a counter's name")):
        run("diff", "--threshold=5", *wrong, before[0], "vs", before[0], status=2, error=message)
    for option in ("--paired", "--markdown=/dev/null", "--junit=/dev/null", "--code-quality=/dev/null", "--annotate"):
        run("diff", option, before[0], before[1], status=2, error=option.split("=")[0] + ": expected --threshold as well")
    run("diff", "--measure=cpu_time", before[0], before[1], status=1, error="the run has no counters")


def check_diff_findings(folder):
    """What is slower or undecided as other programs read it; names from an archive have no power there."""
    one, three = make(folder, "scaled", 4), make(folder, "scaled", 3)
    forms = [folder / name for name in ("summary.md", "junit.xml", "quality.json")]
    options = [f"--{name}={path}" for name, path in zip(("markdown", "junit", "code-quality"), forms)]
    text = run("diff", "--threshold=5", "--annotate", *options, one, three, status=3)
    expect("\n::error file=/src/app/solver.c,line=12,title=solver.c%3A12 for::time +75.0%25, median 240ms before and "
           "420ms after\n" in text, f"annotations: {text}")
    markdown = forms[0].read_text()
    expect("### Compared by ompreport diff: 3 slower, 0 undecided, 0 fine" in markdown, f"markdown: {markdown}")
    expect("| slower | solver.c:12 for | time +75.0%, median 240ms before and 420ms after |\n" in markdown, f"markdown: {markdown}")
    suite = xml.etree.ElementTree.fromstring(forms[1].read_text())[0]
    expect((suite.get("tests"), suite.get("failures"), len(suite)) == ("3", "3", 3), f"JUnit: {forms[1].read_text()}")
    quality = json.loads(forms[2].read_text())
    expect([entry["location"]["lines"]["begin"] for entry in quality] == [10, 12, 1], f"code quality: {quality}")
    expect(len({entry["fingerprint"] for entry in quality}) == 3, f"code quality: {quality}")
    run("diff", "--threshold=500", *options, one, three)
    expect(json.loads(forms[2].read_text()) == [] and "3 fine" in forms[0].read_text(), "findings: none")
    run("diff", "--threshold=5", f"--junit={folder}/none/x", one, three, status=1, error="none/x")
    os.environ["MAKE_ARCHIVE_SOURCE"] = "/src/<a&b>|\"%:,\n\x07\xff.c"
    name = make(folder, "sourced", 1)
    del os.environ["MAKE_ARCHIVE_SOURCE"]
    text = run("diff", "--threshold=5", "--annotate", "--paired", *options, name, "vs", name, status=4)
    lines = [line for line in text.splitlines() if line.startswith("::")]
    expect(lines and all(line.startswith(("::notice file=/src/<a&b>|\"%25%3A%2C?", "::notice title=wall")) for line in lines), f"hostile: {lines}")
    suite = xml.etree.ElementTree.fromstring(forms[1].read_text())[0]
    expect(suite[0].get("file").startswith("/src/<a&b>|\"%:,??"), f"hostile: {forms[1].read_text()}")
    json.loads(forms[2].read_text())
    expect("&lt;a&amp;b&gt;\\|" in forms[0].read_text(), f"hostile: {forms[0].read_text()}")


def check_filters(folder):
    """A filter that nothing fits is a mistake in the command line, whatever the report."""
    path = make(folder, "uneven", 2)
    by_region = ("summary", "regions", "threads", "tasks", "imbalance", "critical-path", "score", "timeline", "diff", "locks", "hot")
    for command in by_region:
        archives = (path, path) if command == "diff" else (path,)
        extra = ("--ompp",) if command == "threads" else ()
        run(command, *extra, "--region=no such", *archives, status=2, error="--region='no such': nothing in this report")
    by_thread = tuple(c for c in by_region if c != "score") + ("ranks",)
    for command in by_thread:
        archives = (path, path) if command == "diff" else (path,)
        run(command, "--thread=77", *archives, status=2, error="--thread='77': there is no such thread")
        run(command, "--rank=7", *archives, status=2, error="--rank='7': there is no such thread")
    for target in ("--perfetto", "--chrome", "--csv"):
        run("export", target, "--region=no such", path, "-o", folder / "out", status=2, error="nothing in this report")
        run("export", target, "--thread=77", path, "-o", folder / "out", status=2, error="no such thread")
    run("export", "--cube", "--thread=77", path, "-o", folder / "out", status=2, error="no such thread")
    run("regions", "--region=for", path)
    run("regions", "--thread=1", path)
    run("regions", "--rank=0", path)


def check_scaling(folder):
    paths = [make(folder, "scaled", n) for n in (4, 1, 3, 2)]
    data = json.loads(run("scaling", "--format=json", *paths))["scaling"]
    expect([row["threads"] for row in data] == [1, 2, 3, 4], f"scaling: {data}")
    # 60 ms serial and 240 ms shared by n; with three threads the last takes 140 ms.
    for row, wall, work in zip(data, (300, 180, 200, 120), (300, 300, 360, 300)):
        n = row["threads"]
        expect_values(f"scaling {n}", row, {
            "wall_ns": wall * MS, "speedup": 300 / wall, "scaling_efficiency": 300 / wall / n,
            "work_growth": work / 300, "efficiency": work / wall / n,
            "serial_efficiency": 1 - 60 * (n - 1) / (n * wall),
            "load_balance": 1 - (140 - 100) / 200 if n == 3 else 1.0})
    expect("nothing is scaled" in run("scaling", paths[0], paths[0]), "scaling: equal threads")


def check_scaling_regions(folder):
    """60 ms serial and 240 ms that 1, 2 and 4 threads share evenly: exactly Amdahl's law."""
    (folder / "again").mkdir()
    paths = [make(folder, "scaled", n) for n in (4, 1, 2)] + [make(folder / "again", "scaled", 1)]
    data = json.loads(run("scaling", "--regions", "--format=json", *paths))
    rows = {row["region"]: row for row in data["scaling_regions"]}
    expect(set(rows) == {"serial part", "solver.c:12 for"}, f"scaling --regions: {list(rows)}")
    expect_values("serial part", rows["serial part"], {
        "elapsed_ns": 60 * MS, "serial_share": 1.0, "imbalance_share": 0.0, "sure": "yes"})
    for key in ("at_2x_ns", "at_4x_ns", "at_8x_ns"):
        expect(abs(rows["serial part"][key] - 60 * MS) < 1000, f"serial part: {rows}")
    for factor in (2, 4, 8):
        wanted = 240 * MS / (4 * factor)
        expect(abs(rows["solver.c:12 for"][f"at_{factor}x_ns"] - wanted) < 1000, f"for: {rows}")
    expect(any("On 32 threads serial part limits" in note for note in data["notes"]), f"scaling --regions: {data['notes']}")
    text = run("scaling", "--regions", *paths)
    expect("On 8 threads serial part limits" in text, text)
    # Three threads share unevenly: what even work would have taken is the law's, the rest stands beside it.
    uneven = [paths[1], paths[2], make(folder, "scaled", 3)]
    row = {row["region"]: row for row in json.loads(
        run("scaling", "--regions", "--format=json", *uneven))["scaling_regions"]}["solver.c:12 for"]
    expect(row["sure"] == "cannot tell" and abs(row["imbalance_share"] - 40 / 140) < 1e-6, f"uneven: {row}")
    # The law misses the last point; what it consists of there is no more than all of it.
    missed = [*uneven, make(folder, "uneven")]
    for row in json.loads(run("scaling", "--regions", "--format=json", *missed))["scaling_regions"]:
        shares = [row[f"{part}_share"] for part in ("serial", "contention", "imbalance")]
        expect(sum(share or 0 for share in shares) <= 1 + 1e-9, f"shares of more than all: {row}")
    expect("Cannot tell" in run("scaling", "--regions", *paths[:2]), "scaling --regions: two numbers of threads")
    expect("cannot tell" in run("scaling", "--regions", *paths[:3]), "scaling --regions: three runs")


def check_scaling_growth(folder):
    """Three threads have 300 ms of work in the loop where one has 240."""
    (folder / "again").mkdir(exist_ok=True)
    paths = [make(folder, "scaled", n) for n in (3, 2, 1)]
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")

    def grown(*archives):
        data = json.loads(run("scaling", "--growth", "--format=json", *archives))
        return {row["region"]: row for row in data["scaling_growth"]}, " ".join(data["notes"])

    rows, notes = grown(*paths)
    expect(set(rows) == {"serial part", "solver.c:12 for"}, f"scaling --growth: {list(rows)}")
    expect_values("growth of the loop", rows["solver.c:12 for"], {
        "work_ns": 240 * MS, "grown_work_ns": 300 * MS, "growth": 1.25, "more_ns": 60 * MS,
        "growth_low": None, "more_by_clock_ns": None, "most_by_bandwidth_ns": None, "instructions_growth": None, "tasks_growth": None})
    expect_values("growth of the serial part", rows["serial part"], {"work_ns": 60 * MS, "growth": 1.0, "more_ns": 0})
    expect("is not known" in notes, f"scaling --growth: {notes}")
    # Two runs of each: the smallest and the largest ratio of two of them, which are the same here.
    rows, _ = grown(*paths, make(folder / "again", "scaled", 1), make(folder / "again", "scaled", 3))
    expect_values("growth of several", rows["solver.c:12 for"], {"growth": 1.25, "growth_low": 1.25, "growth_high": 1.25})
    # Three threads have half as much bandwidth each as one alone, and a clock that is a tenth slower.
    (folder / "cache/ompinst").mkdir(parents=True)
    (folder / "cache/ompinst/machine.json").write_text(json.dumps({"format": "ompinst-machine", "version": 1, "processor": "p", "processors": 3,
        "rows": [{"threads": 1, "triad_bytes_per_s": 10e9, "chain_step_ns": 1.0}, {"threads": 3, "triad_bytes_per_s": 15e9, "chain_step_ns": 1.1}]}))
    rows, notes = grown(*paths)
    expect_values("limits", rows["solver.c:12 for"], {"more_by_clock_ns": 24 * MS, "most_by_bandwidth_ns": 240 * MS})
    expect("grow 2.00 times" in notes and "1.10 times" in notes, f"scaling --growth: {notes}")
    (folder / "cache/ompinst/machine.json").write_text('{"format": "ompinst-machine", "rows": [{"threads": 1, "triad_bytes_per_s": -1')
    expect("is not known" in grown(*paths)[1], "scaling --growth: a broken file of the machine")
    del os.environ["XDG_CACHE_HOME"]
    expect("nothing can have grown" in run("scaling", "--growth", paths[0], paths[0]), "scaling --growth: equal threads")


def check_window(folder):
    """The first loop alone: 40 ms, of which thread t works (t + 1) x 10 and waits the rest."""
    path = make(folder, "uneven")
    found, data = rows("threads", path, "--from=21ms", "--to=61ms")
    expect(data["wall_ns"] == 40 * MS, f"window: wall {data['wall_ns']}")
    for t, row in enumerate(found.values()):
        expect_values(f"window {t}", row, {"work_ns": (t + 1) * 10 * MS, "barrier_ns": (3 - t) * 10 * MS,
                                           "serial_ns": 0, "idle_ns": 0, "team_ns": 0})
    # From the middle of the first loop to the middle of the second: 4 ms of teams, no serial part.
    found, data = rows("efficiency", path, "--from=41ms", "--to=83ms")
    expect_values("window", data, {"wall_ns": 42 * MS, "useful": (0 + 0 + 10 + 20 + 10 + 20 + 20 + 20) * MS,
                                   "management": 8 * MS, "serial": 0})
    for window in (("--from=1s",), ("--to=0s",)):
        found, data = rows("threads", path, *window)
        expect(data["wall_ns"] == 0 and all(row["work_ns"] == 0 for row in found.values()), f"{window}: {data}")


def sums_of(command, path, *options):
    """The figures that add up, by row."""
    keys = ("visits", "time_ns", "self_ns", "barrier_wait_ns", "enter_wait_ns", "acquisitions", "contended", "wait_ns",
            "hold_ns", "created", "executed", "undeferred", "create_ns", "execute_ns")
    found, _ = rows(command, path, *options)
    return {name: {key: row[key] or 0 for key in keys if key in row} for name, row in found.items()}


def add_up(parts):
    total = {}
    for part in parts:
        for name, row in part.items():
            known = total.setdefault(name, dict.fromkeys(row, 0))
            for key, value in row.items():
                known[key] += value
    return total


def check_parts(folder):
    """A part alone is right; the parts of the time and of the threads add up to the whole."""
    path = make(folder, "uneven")
    found, _ = rows("regions", path, "--to=62ms")
    expect_values("first half", found["solver.c:12 for"], {"visits": 4, "threads": 4, "time_ns": 160 * MS,
                                                           "body_max_ns": 40 * MS, "imbalance_ns": 60 * MS})
    found, _ = rows("regions", path, "--from=41ms", "--to=83ms", "-r", "for")
    expect_values("middle", found["solver.c:12 for"], {"visits": 8, "time_ns": 160 * MS, "self_ns": 100 * MS})
    found, _ = rows("regions", path, "--thread=3")
    expect_values("thread 3", found["solver.c:12 for"], {"visits": 2, "threads": 1, "time_ns": 80 * MS,
                                                         "body_min_ns": 80 * MS, "barrier_wait_ns": 0})
    for least, names in (("40ms", 2), ("41ms", 0)):
        found, _ = rows("regions", path, f"--min-duration={least}")
        expect(len(found) == names, f"--min-duration={least}: {list(found)}")
    found, _ = rows("imbalance", path, "--thread=1")
    expect_values("slowest", found["solver.c:12 for"], {"slowest": "OMP thread 1", "body_max_ns": 40 * MS})
    found, _ = rows("locks", make(folder, "contention"), "--to=5ms")
    expect_values("locks to 5 ms", found["critical(sum) solver.c:28"],
                  {"acquisitions": 1, "contended": 0, "wait_ns": 5 * MS, "hold_ns": 5 * MS})
    found, _ = rows("tasks", make(folder, "tasks"), "--min-duration=3ms")
    expect_values("long tasks", found["solver.c:37 task"], {"executed": 2, "min_ns": 3 * MS})
    data = json.loads(run("summary", "--format=json", "--from=21ms", "--to=61ms", path))
    expect_values("summary of a part", data, {"wall_ns": 40 * MS, "events": 40})
    for scenario, cuts in (("uneven", ("10ms", "41ms", "62ms", "70500us")), ("mixed", ("3ms", "17ms", "20ms")),
                           ("contention", ("5ms", "12ms", "22ms")), ("tasks", ("4ms", "9ms", "14500us")),
                           ("nested", ("15ms", "25ms"))):
        path = make(folder, scenario, 3)
        bounds = ["0s", *cuts, "1000s"]
        for command in ("regions", "locks", "tasks"):
            whole = sums_of(command, path)
            by_time = add_up(sums_of(command, path, f"--from={a}", f"--to={b}") for a, b in zip(bounds, bounds[1:]))
            for name, row in whole.items():
                for key, value in row.items():
                    if key.endswith("_ns"):
                        expect(by_time[name][key] == value, f"{scenario}: {name} {key}: {by_time[name][key]}, not {value}")
            if command != "locks" or scenario != "tasks":
                threads = json.loads(run("threads", "--format=json", path))["threads"]
                by_thread = add_up(sums_of(command, path, f"--thread={t}") for t in range(len(threads)))
                expect(by_thread == whole, f"{scenario} {command}: by thread {by_thread}, not {whole}")


def check_whole(folder):
    """Whatever is chosen, the summary's figures of all threads stay as they are."""
    choices = [f"--thread={t}" for t in range(8)] + [f"--rank={rank}" for rank in (3, 2, 1, 0)] + ["--min-duration=2ms"]
    for scenario in ("uneven", "hybrid", "funneled", "ranks", "messages", "tasks", "contention"):
        path = make(folder, scenario)
        for window in ((), ("--from=5ms", "--to=40ms")):
            whole = json.loads(run("summary", "--format=json", *window, path))
            threads, ranks = whole["locations"], len(json.loads(run("ranks", "--format=json", path))["ranks"])
            expect(threads == ranks, f"{scenario}: {threads} threads, {ranks} rows")
            for option in choices[:threads] + choices[{"hybrid": 8, "ranks": 10}.get(scenario, 12):]:
                part = json.loads(run("summary", "--format=json", *window, option, path))
                for key, value in whole.items():
                    if key not in ("regions", "locks", "tasks", "advice", "note", "metrics"):
                        expect(part[key] == value, f"{scenario} {window} {option}: {key} of all threads is {part[key]}, not {value}")
                expect(part["chosen"]["options"].startswith(option.split("=")[0]), f"{scenario}: {part['chosen']}")


def check_chosen(folder):
    """Each figure is of the chosen threads, or says that it is of all."""
    path = make(folder, "uneven")
    # Of thread 1: two loops of 40 ms, half of it work, in 124 ms; of all: 2 * (40 * 4 - 100) ms.
    found, data = rows("regions", path, "--thread=1")
    expect_values("thread 1", found["solver.c:12 for"], {
        "visits": 2, "threads": 1, "time_ns": 80 * MS, "share": 80 / 124, "imbalance_ns": None, "barrier_wait_ns": 40 * MS,
        "gain_ns": 40 * MS})
    expect(any("Imbalance is that of whole teams" in note for note in data["notes"]), f"thread 1: {data['notes']}")
    summary = json.loads(run("summary", "--format=json", "--thread=1", path))
    expect(summary["chosen"]["thread_time_ns"] == 124 * MS, f"thread 1: {summary['chosen']}")
    expect(summary["advice"] == ["solver.c:12 for: the chosen threads lose 40.0ms there (32.3% of their time); `ompreport imbalance` "
                                 "compares all threads of the team."], f"thread 1: {summary['advice']}")
    text = run("summary", "--thread=1", path)
    order = [text.find(part) for part in ("wall time            124ms", "THREAD TIME of all threads: 4 x 124ms", "figures above are of all threads",
                                          "REGIONS", "ADVICE")]
    expect(-1 not in order and order == sorted(order), f"thread 1: {order} in {text}")
    expect("all threads: 4" not in run("summary", path) and "chosen" not in run("summary", path), "summary: of all, and says chosen")
    lines = list(csv.DictReader(io.StringIO(run("summary", "--thread=1", "--format=csv", path))))
    expect([(row["sub_name"], row["time_ns"]) for row in lines if row["kind"] == "chosen"] ==
           [("totals are of all threads and regions", str(124 * MS))], f"thread 1: {lines}")
    found, data = rows("imbalance", path, "--thread=1")
    expect_values("imbalance of thread 1", found["solver.c:12 for"], {
        "body_max_ns": 40 * MS, "imbalance_ns": 120 * MS, "share": 120 / 496, "last": "OMP thread 3", "last_count": 2})
    expect(any("imbal and share are of all threads of their teams" in note for note in data["notes"]), f"imbalance: {data['notes']}")
    summary = json.loads(run("summary", "--format=json", "--region=for", path))
    expect(summary["advice"] == ["solver.c:12 for: threads lose 120ms there (24.2% of the thread time); `ompreport imbalance` "
                                 "compares all threads of the team."], f"--region: {summary['advice']}")
    text = run("annotate", "--thread=1", path)
    expect(" 40.0ms   32.3%  80.0ms  solver.c:12 for" in text and "share: of the chosen threads' time;" in text, f"annotate: {text}")
    # Thread 0 of two takes lock 9 once, for 1 ms, after a wait of 3 ms in 26 ms.
    path = make(folder, "contention")
    found, _ = rows("locks", path, "--thread=0")
    expect_values("lock of thread 0", found["lock 9"], {"acquisitions": 1, "contended": 1, "wait_ns": 3 * MS, "hold_ns": 1 * MS, "wait_share": 3 / 26})
    advice = json.loads(run("summary", "--format=json", "--thread=0", path))["advice"]
    expect(any(line.startswith("lock 9: setting it takes 3.00ms (11.5% of their time)") for line in advice), f"thread 0: {advice}")
    # A rank's teams are whole: its threads work 20 and 120 ms, in 174 ms of each.
    path = make(folder, "hybrid")
    found, data = rows("imbalance", path, "--rank=1")
    expect_values("rank 1", found["solver.c:10 parallel"], {
        "imbalance_ns": 100 * MS, "share": 100 / 348, "last": "1:OMP thread 3", "last_count": 1, "barriers": 1, "behind_ns": 100 * MS})
    expect(not any("all threads" in note for note in data["notes"]), f"rank 1: {data['notes']}")
    found, _ = rows("imbalance", path, "--rank=2")
    expect(all(row["imbalance_ns"] == 0 and row["behind"] == "" for row in found.values()), f"rank 2: {found}")
    for command, note in (("threads", "threads seen are those of all"), ("ranks", "number of ranks is that of all"),
                          ("messages", "those of all threads"), ("critical-path", "The path is that of all threads")):
        for option in ("--thread=0", "--rank=0"):
            expect(note in " ".join(run(command, option, path).split()), f"{command} {option}: nothing says what is of all")
        expect(note not in " ".join(run(command, path).split()), f"{command}: of all, and says so")
    expect("Efficiencies and numbers of threads are those of all" in " ".join(run("diff", "--rank=0", path, path).split()), "diff: nothing says so")
    # 17 events of the run are lost, and nobody knows when.
    path = make(folder, "accounted")
    part = json.loads(run("summary", "--format=json", "--to=1ms", path))
    expect(part["lost_events"] is None and any("17 events of the whole run were lost" in line for line in part["advice"]), f"accounted: {part['advice']}")
    # A thread that entered nothing.
    text = run("summary", "--min-duration=1s", make(folder, "uneven", 2))
    expect("no region that was chosen was entered and left" in text, f"nothing chosen: {text}")


def check_formats(folder):
    """All tables in all formats, of usual, odd and empty archives: same rows, no line too wide."""
    for scenario in ("mixed", "names", "foreign", "nothing", "tasks"):
        path = make(folder, scenario)
        warned = "contradict each other" if scenario == "foreign" else None
        for command in TABLES:
            data = json.loads(run(command, "--format=json", path, error=warned))
            expect(data["format"] == f"ompinst-{command}", f"{command}: {data['format']}")
            text = run(command, "--format=csv", path, error=warned)
            table = list(csv.DictReader(io.StringIO(text, newline="")))
            expect(len(table) == len(data[command]), f"{command} {scenario}: {len(table)} rows in CSV")
            expect(all(set(row) == set(other) for row, other in zip(table, data[command])),
                   f"{command} {scenario}: CSV columns")
            for width in (60, 80, 140):
                for line in run(command, "--width", width, path, error=warned).splitlines():
                    expect(line.isprintable(), f"{command} {scenario}: control characters in {line!r}")
                    expect(len(line) <= width, f"{command} {scenario} {width}: wide: {line!r}")


def check_options(folder):
    path = make(folder, "uneven", 5)
    for key, reverse in (("visits", True), ("region", False), ("self_ns", True), ("end_line", True)):
        values = [row[key] for row in json.loads(run("regions", "--sort", key, "--format=json", path))["regions"]]
        expect(values == sorted(values, reverse=reverse), f"--sort={key}: {values}")
    run("regions", "--sort=wrong", path, status=2, error="expected one of the columns region, name")
    expect("... and 1 more" in run("regions", "-n1", path), "-n1")
    run("lokcs", path, status=2, error="unknown command 'lokcs' (did you mean 'locks'?); see 'ompreport --help'")
    for option, error in (("--ompp", ""), ("--matrix=1", ""), ("-z", ""), ("--nothing-like-it", ""), ("--fromat=csv", " (did you mean '--format'?)")):
        run("locks", option, path, status=2,
            error=f"unknown option '{option.split('=')[0]}' for 'ompreport locks'{error}; see 'ompreport locks --help'\n")
    run("locks", "--region", status=2, error="option '--region' needs a value: --region=NAME")
    run("locks", path, path, status=2, error=f"unexpected argument '{path}': 'ompreport locks' takes one archive; see")
    expect(run("help") == run("--help") and "  locks " in run("help"), "ompreport help")
    for command in TABLES:
        expect(run("help", command) == run(command, "--help"), f"ompreport help {command}")
    run("help", "lokcs", status=2, error="unknown command 'lokcs' (did you mean 'locks'?); see 'ompreport --help'")
    run("threads", "--ompp=1", path, status=2, error="option '--ompp=1' takes no value, expected --ompp; see 'ompreport threads --help'")
    out = folder / "out.json"
    run("locks", "--format=json", "-o", out, path)
    expect(json.loads(out.read_text())["locks"] == [], "-o")
    for command in TABLES:
        text = run(command, "--help")
        expect(f"ompreport {command}" in text and "--sort" in text, f"{command} --help: {text}")
        run(command, folder / "nowhere", status=1, error="No such file")
        run(command, status=2, error="archive is named: 'ompreport ")


def setting(title, variables, pairs, *gain, against="unchanged"):
    """A setting as `ompinst tune --json` writes it; without an interval if it was given up."""
    interval = dict(zip(("gain", "low", "high"), (*gain, None, None)))
    return {"setting": title, "variables": variables, "against": against, **interval, "verdict": "gain" if len(gain) > 1 else
            "no gain in sight", "problem": None, "first_ratios": [1.1], "ratios": [gain[0]] * pairs}


def check_tried(folder):
    """Advice has the gains that tuning has shown, and says that the rest was not tried."""
    path, file = make(folder, "uneven"), folder / "tried.json"
    text = " ".join(run("summary", path).split())
    expect(text.endswith("not measured. Not tried; `ompinst tune` tries settings and schedules."), f"not tried: {text}")
    loop = "POMP_LOOP_SCHEDULES"
    both = [setting("solver.c:12 dynamic,4", {loop: "solver.c:12=dynamic,4"}, 12, 1.36, 1.33, 1.39),
            setting("solver.c:12 guided", {loop: "solver.c:12=guided"}, 10, 1.2, 1.1, 1.3),
            setting("other.c:3 static", {loop: "other.c:3=static,1"}, 10, 1.5, 0.9, 2),
            setting("malloc keeps 1G", {"MALLOC_TRIM_THRESHOLD_": "1073741824"}, 13, 2.31, 2.22, 2.4),
            setting("threads", {"OMP_NUM_THREADS": "2"}, 13, 3, 2.9, 3.1, against="malloc keeps 1G"),
            setting("all", {loop: "solver.c:12=guided;other.c:3=static", "A": "b"}, 13, 1.07, 1.05, 1.1)]
    for written in (both, both[::-1]):
        file.write_text(json.dumps({"command": "./solver", "min_gain": 0.03, "settings": written, "best": None}))
        text = " ".join(run("summary", f"--tried={file}", path).split())
        expect("can bring. schedule(dynamic,4) at solver.c:12: 1.36 times faster (1.33 to 1.39), 12 pairs of runs. - Starting" in text and
               "- malloc keeps 1G: 2.31 times faster (2.22 to 2.40), 13 pairs of runs. "
               "- all: 1.07 times faster (1.05 to 1.10), 13 pairs of runs." in text, f"tried: {text}")
        expect("ried; `" not in text and "not tried" not in text and "other.c" not in text and "3.00" not in text, f"tried: {text}")
    advice = json.loads(run("summary", "--format=json", f"--tried={file}", path))["advice"]
    expect(len(advice) == 5 and advice[1].endswith("12 pairs of runs."), f"tried: {advice}")
    run("html", f"--tried={file}", "-o", folder / "tried.html", path)
    page = (folder / "tried.html").read_text()
    expect("1.36 times faster (1.33 to 1.39), 12 pairs of runs." in page and "Not tried" not in page, "tried: the page")
    run("html", "-o", folder / "tried.html", path)
    expect(">Not tried; " in (folder / "tried.html").read_text(), "not tried: the page")
    file.write_text(json.dumps({"min_gain": 0.03, "settings": [setting("x", {loop: "solver.c:12=guided"}, 2, 1.01)]}))
    text = " ".join(run("summary", f"--tried={file}", path).split())
    expect("can bring. 1 schedule was tried there: no sure gain." in text and "Not tried" not in text, f"no gain: {text}")
    file.write_text(json.dumps({"min_gain": 0.03, "settings": both[3:4]}))
    text = " ".join(run("summary", f"--tried={file}", path).split())
    expect("13 pairs of runs. The rest was not tried." in text, f"the rest: {text}")
    for content, error in (("{}", "expected what `ompinst tune --json` prints"), ("{\"min_gain\": 1", "expected what"),
                           (None, "cannot read")):
        file.write_text(content or "") if content else file.unlink()
        run("summary", f"--tried={file}", path, status=1, error=error)
        run("html", f"--tried={file}", path, status=1, error=error)
    run("html", f"--tried={file}", path, path, status=2, error="--tried: 2 archives; expected one")


def check_patch(folder):
    """The winning schedule becomes a clause of the directive; whatever else its line has stays."""
    source, tried, patch = folder / "loop.c", folder / "patch.json", folder / "loop.diff"
    os.environ["MAKE_ARCHIVE_SOURCE"] = str(source)
    schedule = [setting("loop.c:12 dynamic,4", {"POMP_LOOP_SCHEDULES": "loop.c:12=dynamic,4"}, 12, 1.36, 1.33, 1.39),
                setting("loop.c:12 guided", {"POMP_LOOP_SCHEDULES": "loop.c:12=guided"}, 12, 1.3, 1.2, 1.4)]
    tried.write_text(json.dumps({"min_gain": 0.03, "settings": schedule}))
    head, path = "".join(f"line {n}\n" for n in range(1, 12)), None
    for before, after in (
            ("#pragma omp for", "#pragma omp for schedule(dynamic,4)"),
            ("\t# pragma omp parallel for num_threads(4) // all", "\t# pragma omp parallel for num_threads(4) schedule(dynamic,4) // all"),
            ("#pragma omp for schedule ( static ) nowait /* x */", "#pragma omp for schedule (dynamic,4) nowait /* x */"),
            ("#pragma omp for schedule(static, f(1)) private(schedule)", "#pragma omp for schedule(dynamic,4) private(schedule)"),
            ("#pragma omp parallel \\\n\tfor /* a\n b */ \\\n\tif(n > (1))", "#pragma omp parallel \\\n\tfor /* a\n b */ \\\n\tif(n > (1)) schedule(dynamic,4)")):
        for end in "\n", "\r\n":
            old, new = ((head + text + "\nlast\n").replace("\n", end) for text in (before, after))
            source.write_bytes(old.encode())
            path = path or make(folder, "sourced")
            run("annotate", f"--tried={tried}", f"--patch={patch}", path)
            done = subprocess.run(["patch", "--binary", "-s", source, patch], check=False)
            expect(done.returncode == 0 and source.read_bytes() == new.encode(), f"patch of {before!r}: {patch.read_bytes()}")
    for directive, reason in (("#pragma omp for ordered", "a word of its directive"), ("#pragma omp for CLAUSES", "a word of its directive"),
                              ("_Pragma(\"omp for\")", "no '#pragma omp'"), ("#pragma omp parallel", "another directive"),
                              ("#pragma omp for schedule(static) schedule(guided)", "its directive has two schedules"), ("#pragma omp for private(a", "another directive")):
        source.write_text(head + directive + "\nlast\n")
        run("annotate", f"--tried={tried}", f"--patch={patch}", path, error=f"loop.c:12: schedule(dynamic,4) is left out: {reason}")
        expect(patch.read_text() == "", f"a patch of {directive}")
    source.unlink()
    run("annotate", f"--tried={tried}", f"--patch={patch}", path, error="is left out: No such file")
    tried.write_text(json.dumps({"min_gain": 0.03, "settings": [setting("x", {"POMP_LOOP_SCHEDULES": "loop.c:12=guided"}, 12, 1.1, 0.9, 1.3)]}))
    run("annotate", f"--tried={tried}", f"--patch={patch}", path, error="has no change")
    run("annotate", f"--patch={patch}", path, status=2, error="expected --tried=FILE, too")
    run("annotate", f"--tried={tried}", path, status=2, error="expected --patch=FILE, too")


finish(check_patch, check_tried, check_regions, check_source, check_threads, check_ompp, check_efficiency, check_locks_and_tasks,
       check_imbalance, check_critical_path, check_check, check_diff, check_diff_of_several, check_diff_of_pairs, check_diff_findings,
       check_filters, check_scaling, check_scaling_regions, check_scaling_growth, check_window, check_parts, check_whole, check_chosen,
       check_formats, check_options)
