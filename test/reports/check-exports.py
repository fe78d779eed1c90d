# SPDX-License-Identifier: BSD-3-Clause
"""Exports, the text timeline, and what score proposes, against archives whose every time is known.

Usage: check-exports.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import io
import json

from tables import MS, expect, expect_values, finish, make, rows, run


def slices_of(path, *options):
    found = list(csv.DictReader(io.StringIO(run("export", "--csv", path, *options), newline="")))
    return [(int(row["number"]), row["region"], int(row["begin_ns"]) // MS, int(row["end_ns"]) // MS) for row in found]


def check_export(folder):
    path = make(folder, "uneven")
    loops = sorted(piece for piece in slices_of(path) if piece[1].startswith("for"))
    expect(loops == [(t, "for @solver.c:12", b, b + 40) for t in range(4) for b in (21, 63)], f"csv: {loops}")
    found = slices_of(path, "--from=30ms", "--to=63ms", "--thread=1", "--region=for")
    expect(found == [(1, "for @solver.c:12", 30, 61)], f"window: {found}")
    found = slices_of(path, "--min-duration=0.04", "-r", "for @*")
    expect(len(found) == 8 and not slices_of(path, "--min-duration=41ms", "-r", "for"), f"min-duration: {found}")
    # What --csv says, --chrome says in microseconds; a track for every thread.
    for scenario in ("uneven", "mixed", "tasks", "ranks", "names"):
        path = make(folder, scenario, 2)
        events = json.loads(run("export", "--chrome", path))["traceEvents"]
        pieces = sorted((e["tid"], e["name"], round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000))
                        for e in events if e["ph"] == "X")
        wanted = sorted((int(row["number"]), row["region"], int(row["begin_ns"]), int(row["end_ns"])) for row in
                        csv.DictReader(io.StringIO(run("export", "--csv", path), newline="")))
        expect(len(pieces) > 20 or scenario in ("tasks", "ranks"), f"{scenario}: {len(pieces)} slices")
        if scenario != "names":  # invalid UTF-8 is replaced in JSON
            expect(pieces == wanted, f"{scenario}: --chrome and --csv differ")
        check_nesting(scenario, pieces)
        stacks = run("export", "--flamegraph", path).splitlines()
        expect(len(stacks) == len({line.rsplit(" ", 1)[0] for line in stacks}), f"{scenario}: a stack comes twice")
        check_tree(scenario, json.loads(run("export", "--hatchet", path)), stacks)
    stacks = dict(line.rsplit(" ", 1) for line in run("export", "--flamegraph", make(folder, "tasks", 3)).splitlines())
    barrier = "parallel @solver.c:10;single @solver.c:20;implicit barrier @solver.c:22"
    expect(stacks[barrier] == str(37 * MS) and stacks[barrier + ";task @solver.c:37"] == str(18 * MS), f"{stacks}")
    stacks = run("export", "--flamegraph", folder / "ranks-2").splitlines()
    expect(sorted(stacks) == sorted(line for process in (0, 1) for line in (
        f"process {process} (Process);time step {10 * MS}",
        f"process {process} (Process);time step;parallel @solver.c:10 {10 * MS}",
        f"process {process} (Process);time step;parallel @solver.c:10;implicit barrier @solver.c:40 {10 * MS}",
        f"process {process} (Process);parallel @solver.c:10 {20 * MS}")), f"{stacks}")
    text = run("export", "--flamegraph", "--from=30ms", "--to=32ms", "--thread=0", folder / "uneven-1")
    expect(text == f"parallel @solver.c:10;for @solver.c:12 {1 * MS}\n"
                   f"parallel @solver.c:10;for @solver.c:12;implicit barrier @solver.c:15 {1 * MS}\n", text)
    for options in ((), ("--flamegraph", "--region=x"), ("--hatchet", "--region=x"), ("--cube", "--region=x"), ("--csv", "--from=x"), ("--csv", "--to=-1s"), ("--csv", "--to=3m")):
        run("export", *options, path, status=2, error="ompreport export")
    for command in (("export", "--csv"), ("hot",), ("timeline",)):
        run(*command, "--from=2s", "--to=1s", path, status=2, error="--from is 2 s and --to 1 s: expected an end")
    expect(run("export", "--csv", "--output=-", path) == run("export", "--csv", path), "-o - is standard output")
    run("export", "--csv", folder / "nowhere", status=1, error="No such file")


def check_tree(scenario, roots, stacks):
    """Hatchet's tree has the times of the folded stacks, and times of whole subtrees."""
    times = {}

    def visit(node, names):
        metrics, children = node["metrics"], node.get("children", [])
        names = (*names, node["frame"]["name"])
        times[names] = times.get(names, 0) + metrics["time"]
        inner = sum(child["metrics"]["time (inc)"] for child in children)
        expect(abs(metrics["time (inc)"] - metrics["time"] - inner) < 1e-8, f"{scenario}: {names}: {metrics}")
        for child in children:
            visit(child, names)

    for root in roots:
        visit(root, ())
    total = sum(int(line.rsplit(" ", 1)[1]) for line in stacks) / 1e9
    expect(abs(sum(times.values()) - total) < 1e-6 and sum(map(bool, times.values())) == len(stacks),
           f"{scenario}: {times}; expected {stacks}")


def check_nesting(scenario, pieces):
    """On one thread two slices are either apart or one within the other."""
    for thread in {piece[0] for piece in pieces}:
        open_ends = []
        for begin, end in sorted(((p[2], p[3]) for p in pieces if p[0] == thread), key=lambda p: (p[0], -p[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            expect(not open_ends or end <= open_ends[-1], f"{scenario}: thread {thread}: slices cross at {begin}")
            open_ends.append(end)


def check_timeline(folder):
    """124 ms, of which each of the 62 columns stands for 2: 10 of serial part, 21 of each loop's stretch."""
    path = make(folder, "uneven")
    lines = run("timeline", "--width", 62 + len("Master thread") + 4, path).splitlines()
    expect(lines[0].split() == ["0", "124ms"], f"timeline axis: {lines[0]!r}")
    drawn = {line.split("|")[0].strip(): line.split("|")[1] for line in lines if "|" in line}
    expect(all(len(lane) == 62 for lane in drawn.values()) and len(drawn) == 4, f"timeline: {drawn}")
    # A thread works (t + 1) x 10 ms of 40 ms in each of two loops, then waits.
    for t, lane in enumerate(drawn.values()):
        expect(abs(lane.count("#") - (t + 1) * 10) <= 2 and abs(lane.count(".") - (3 - t) * 10) <= 2, f"lane {t}: {lane}")
        expect(abs(lane.count("-" if t == 0 else " ") - 20) <= 3, f"lane {t}: {lane}")
    # However many columns there are for the ticks of the clock: 60 of a millisecond.
    coarse = make(folder, "coarse")
    for columns in (43, 47, 58, 60, 61, 90, 133):
        lines = run("timeline", "--width", columns + len("Master thread") + 4, coarse).splitlines()
        expect(lines[0].split() == ["0", "60.0ms"], f"coarse axis of {columns}: {lines[0]!r}")
        for t, lane in enumerate(line.split("|")[1] for line in lines[1:5]):
            share = {mark: lane.count(mark) * 60 / columns for mark in "#. -"}
            expect(len(lane) == columns and abs(share["#"] - (t + 1) * 10) <= 3 and abs(share["."] - (3 - t) * 10) <= 3
                   and abs(share[" " if t else "-"] - 20) <= 3, f"coarse lane {t} of {columns}: {lane}")
    times = json.loads(run("timeline", "--format=json", "--width=80", coarse))["timeline"]
    expect(max(row["end_ns"] for row in times) == 60 * MS and abs(sum(row["work_ns"] for row in times) - 100 * MS) < 1000,
           f"coarse: {max(row['end_ns'] for row in times)}, {sum(row['work_ns'] for row in times)}")
    lines = run("timeline", "--from=25ms", "--to=30ms", "-t", "3", path).splitlines()
    expect(lines[0].split()[0] == "25.0ms" and set(lines[1].split("|")[1]) == {"#"}, f"window: {lines}")
    data = json.loads(run("timeline", "--format=json", "--from=21ms", "--to=61ms", path))["timeline"]
    work = sum(row["work_ns"] for row in data if row["thread"] == "OMP thread 2")
    expect(abs(work - 30 * MS) < 20000, f"timeline: {work} ns of work between 21 and 61 ms")
    expect({row["region"] for row in data} == {"solver.c:12 for"}, "timeline: regions")
    # Of several processes each is a heading; the reports' rows name it.
    lines = run("timeline", "--width=80", make(folder, "ranks", 2)).splitlines()
    expect([line.split("|")[0].strip() for line in lines[1:7]] ==
           ["process 0 (Process)", "Master thread", "OMP thread 1", "process 1 (Process)", "OMP thread 2", "OMP thread 3"],
           f"timeline of processes: {lines}")
    data = json.loads(run("timeline", "--format=json", folder / "ranks-2"))["timeline"]
    expect({row["process"] for row in data if row["thread"] == "OMP thread 3"} == {"process 1 (Process)"}, "process")
    for scenario in ("wide", "names", "nothing"):
        path = make(folder, scenario, 2)
        for width in (60, 80, 150):
            for line in run("timeline", f"--width={width}", path).splitlines():
                expect(len(line) <= width and line.isprintable(), f"timeline {scenario} {width}: {line!r}")
    expect("... and 1160 more threads" in run("timeline", folder / "wide-2"), "timeline: threads left out")
    run("timeline", "-t", "77", path, status=2, error="--thread='77': there is no such thread")
    run("timeline", "--from=later", path, status=2, error="expected a time")
    run("timeline", folder / "nowhere", status=1, error="No such file")


def check_score(folder):
    """Events by construct add up; what is shorter than its measuring is left out, parallel regions never are."""
    path = make(folder, "large", 50)
    found, data = rows("score", path)
    expect_values("score", found["solver.c:28 critical(sum)"], {"filter": "yes", "events": 8 * 50 * 6, "visits": 400})
    expect_values("score", found["solver.c:12 for"], {"filter": "", "events": 8 * 50 * 4, "visits": 400})
    expect_values("score", data, {"events": 50 * 8 * 16 + 50 * 2 + 2, "cost_ns": None, "cost_filtered_ns": None})
    files = sum(file.stat().st_size for file in (path / "traces").glob("*.evt"))
    expect_values("score", data, {"bytes": files, "events_filtered": data["events"] - 2400,
                                  "bytes_filtered": round(files * (1 - 2400 / data["events"]))})
    expect(run("score", "--filter", path) == "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE !$omp\\ critical(sum)\\ @solver.c:28\n"
           "SCOREP_REGION_NAMES_END\n", "score --filter")
    found, data = rows("score", make(folder, "accounted"))
    expect_values("score with a cost", data, {"cost_ns": 4_960_000, "cost_filtered_ns": 4_960_000})
    expect(sum(row["cost_ns"] for row in found.values()) <= 4_960_000, "score: more than all")


finish(check_export, check_timeline, check_score)
