# SPDX-License-Identifier: BSD-3-Clause
"""`ompreport scaling --growth`: what it says of programs whose work grows for a reason that is known, and of the same
without it. All figures are made up here: profiles, what the machine can do, and what `ompinst sharing run` has found.

Usage: check-growth.py OMPREPORT MAKE_ARCHIVE
"""
import json
import os
import subprocess

from tables import MS, OMPREPORT, expect, expect_values, finish, make, run

LOOP = {"name": "for", "sub_name": "", "file": "/src/app/solver.c", "begin_line": 12, "end_line": 15, "visits": 10, "time_ns": 100 * MS,
        "self_ns": 100 * MS, "threads": 1, "barrier_wait_ns": 0, "enter_wait_ns": 0, "delayed_ns": 0, "system_ns": 0, "faults": 0}


def profile(path, threads, counters=None, number=0, **changes):
    """A run with one loop, whose team executes it ten times."""
    region = LOOP | {"visits": 10 * threads, "threads": threads} | changes
    region["time_ns"] = changes.get("time_ns", region["self_ns"])
    metrics = [{"name": name, "unit": "#"} for name in counters or {}]
    path = path / f"{threads}-{number}.json"
    path.write_text(json.dumps({"format": "ompinst-summary", "version": 1, "program": "p", "wall_ns": 200 * MS, "threads": threads,
                                "capacity_ns": 200 * MS * threads, "thread_time_ns": {"serial": 20 * MS},
                                "efficiency": {"total": 0.5}, "metrics": metrics, "regions": [region | {"metrics": counters or {}}]}))
    return path


def machine(folder, bandwidth=20e9, step=1.0, peak=80e9):
    """What two threads can do where one has 10 GB/s, steps of 1 ns and 40 Gflop/s."""
    (folder / "ompinst").mkdir(exist_ok=True)
    rows = [{"threads": 1, "triad_bytes_per_s": 10e9, "chain_step_ns": 1.0, "peak_flops_per_s": 40e9},
            {"threads": 2, "triad_bytes_per_s": bandwidth, "chain_step_ns": step, "peak_flops_per_s": peak}]
    (folder / "ompinst/machine.json").write_text(json.dumps(
        {"format": "ompinst-machine", "version": 1, "processor": "p", "processors": 2, "rows": rows}))
    os.environ["XDG_CACHE_HOME"] = str(folder)


def sharing(folder, *findings, threads=2):
    """A report with (kind, variable, seconds, line) of each finding, half of which is at another line."""
    def place(line, accesses):
        return {"file": "solver.c", "line": line + 1, "column": 3, "reads": accesses, "writes": accesses,
                "construct": {"name": "parallel for", "file": "src/solver.c", "line": line}}

    path = folder / "sharing.json"
    path.write_text(json.dumps({"tool": "ompinst sharing", "program": "p", "run": {"threads": threads}, "findings": [
        {"kind": kind, "counts": True, "variable": variable, "lines": 1, "cost_seconds": seconds, "places": [place(line, 300), place(99, 100)]}
        for kind, variable, seconds, line in findings]}))
    return path


def grown(*words):
    data = json.loads(run("scaling", "--growth", "--format=json", *words))
    rows = {row["region"]: row for row in data["scaling_growth"]}
    return rows["solver.c:12 for"], " ".join(data["notes"])


def compare(folder, name, cause, few, many, *options, says="", silent="", **values):
    """The cause of the loop's growth from one run with one thread to one with two."""
    place = folder / name.replace(" ", "-").replace(",", "")
    place.mkdir()
    row, notes = grown(*options, profile(place, 1, **few), profile(place, 2, **many))
    expect(row["cause"] == cause, f"{name}: mostly by {row['cause']!r}, not {cause!r}: {notes}")
    expect(says in notes, f"{name}: {says!r} is not in {notes!r}")
    expect(not silent or silent not in notes, f"{name}: {silent!r} is in {notes!r}")
    expect_values(name, row, values)
    return row, notes


def work(ms, **changes):
    return {"self_ns": ms * MS} | changes


def check_measured(folder):
    """What the kernel has counted."""
    machine(folder)
    compare(folder, "processor", "no processor", work(100), work(100, delayed_ns=90 * MS), more_without_processor_ns=90 * MS,
            says="no more work, but threads were ready and had no processor for 90.0ms more")
    compare(folder, "processor mended", "", work(100), work(101, delayed_ns=1 * MS), silent="solver.c:12 for:")
    compare(folder, "faults", "page faults", work(100, system_ns=5 * MS, faults=100), work(180, system_ns=80 * MS, faults=20100),
            more_in_kernel_ns=75 * MS, not_measured_ns=5 * MS, more_faults=20000, growth=1.8,
            says="75.0ms of it in the kernel, with 20,000 more page faults; 5.00ms by memory or something else that was not measured")
    compare(folder, "faults mended", "", work(100, system_ns=5 * MS, faults=100), work(103, system_ns=6 * MS, faults=150))
    compare(folder, "system calls", "kernel", work(100), work(180, system_ns=70 * MS), says="70.0ms of it in the kernel", silent="faults")
    compare(folder, "few faults", "kernel", work(100), work(180, system_ns=70 * MS, faults=7), says="with 7 more page faults")
    compare(folder, "system calls mended", "", work(100, system_ns=60 * MS), work(100, system_ns=60 * MS))
    # Both: the growth is the cause, and the processor is named besides.
    compare(folder, "faults and processor", "page faults", work(100), work(180, system_ns=80 * MS, faults=900, delayed_ns=300 * MS),
            says="; besides, threads were ready and had no processor for 300ms more")


def check_counted(folder):
    """Instructions, or how often a construct or its tasks were executed."""
    machine(folder)
    counters = {"counters": {"PAPI_TOT_INS": 10**9}}
    more = {"counters": {"PAPI_TOT_INS": 19 * 10**8}}
    compare(folder, "instructions", "instructions", work(100, **counters), work(200, **more), instructions_growth=1.9,
            more_by_instructions_ns=90 * MS, not_measured_ns=10 * MS, says="90.0ms by 1.90 times as many instructions")
    compare(folder, "instructions mended", "", work(100, **counters), work(101, **counters), instructions_growth=1.0)
    # The same number of instructions, which take longer: not known.
    compare(folder, "as many instructions", "not known", work(100, **counters), work(200, **counters), more_by_instructions_ns=0,
            silent="PAPI_TOT_INS")
    # Threads that wait execute instructions, too.
    compare(folder, "instructions in waits", "not known", work(100, **counters), work(200, **more, time_ns=300 * MS, barrier_wait_ns=100 * MS),
            more_by_instructions_ns=None)
    row, _ = compare(folder, "executions", "executions", work(100), work(200, visits=40), executions_growth=2.0, more_by_executions_ns=100 * MS,
                     says="up to 100ms because it is executed 2.00 times as often")
    expect(row["tasks_growth"] is None, f"executions: {row}")
    compare(folder, "executions mended", "", work(100), work(100), executions_growth=1.0)
    for name, visits, cause in (("tasks", 1900, "executions"), ("tasks mended", 1000, "")):
        place = folder / name.replace(" ", "-")
        place.mkdir()
        paths = [profile(place, 1, name="task", visits=1000), profile(place, 2, name="task", visits=visits, self_ns=visits * MS // 10)]
        data = json.loads(run("scaling", "--growth", "--format=json", *paths))
        row = next(row for row in data["scaling_growth"] if row["region"] == "solver.c:12 task")
        expect_values(name, row, {"cause": cause, "tasks_growth": visits / 1000})


def check_shared(folder):
    """The findings of `ompinst sharing run`: at this construct, of this kind, with this number of threads."""
    machine(folder)
    found = sharing(folder, ("false-sharing", "counters", 0.2, 12))
    compare(folder, "sharing", "sharing", work(100), work(300), f"--sharing={found}", more_by_sharing_ns=150 * MS, not_measured_ns=50 * MS,
            says="about 150ms by cache lines that threads share, mostly those of counters", silent="was not looked for")
    compare(folder, "sharing not looked for", "not known", work(100), work(300), more_by_sharing_ns=None, says="'ompinst sharing run")
    # No more than the growth; and of two variables the one that costs more is named.
    found = sharing(folder, ("true-sharing", "next", 1.0, 12), ("false-sharing", "sums", 2.0, 12), threads=4)
    compare(folder, "two variables", "sharing", work(100), work(150), f"--sharing={found}", more_by_sharing_ns=50 * MS,
            says="mostly those of sums")
    _, notes = compare(folder, "rest of sharing", "not known", work(100), work(300), f"--sharing={sharing(folder, ('true-sharing', 'x', 0.1, 12), threads=4)}")
    expect("is of a run with 4 threads, not 2" in notes, f"another number of threads: {notes}")
    compare(folder, "sharing mended", "", work(100), work(101), f"--sharing={sharing(folder)}", more_by_sharing_ns=0)
    # Elsewhere, or what only another machine would share.
    for name, finding in (("elsewhere", ("false-sharing", "counters", 0.2, 40)), ("possible", ("possible-false-sharing", "counters", 0.2, 12))):
        compare(folder, name, "not known", work(100), work(300), f"--sharing={sharing(folder, finding)}", more_by_sharing_ns=0,
                silent="counters")


def check_machine(folder):
    """What a machine could explain is a limit; counters make it a cause."""
    machine(folder, bandwidth=10.5e9)
    bandwidth = round(100 * MS * (2 * 10 / 10.5 - 1))
    compare(folder, "bandwidth", "not known", work(100), work(190), most_by_bandwidth_ns=bandwidth, most_by_arithmetic_ns=0, not_measured_ns=90 * MS,
            says="by memory or something else that was not measured")
    # Not sharing, also where others share, and not arithmetic.
    found = sharing(folder, ("false-sharing", "counters", 0.2, 40))
    compare(folder, "bandwidth, others share", "not known", work(100), work(190), f"--sharing={found}", more_by_sharing_ns=0)
    # 190 ms of two threads are 95 ms: 0.9 GB in these are 0.9 of 10.5 GB/s.
    counters = {"counters": {"PAPI_L3_TCM": int(0.9e9 / 64), "PAPI_DP_OPS": 10**6}}
    compare(folder, "bandwidth counted", "bandwidth", work(100, **counters), work(190, **counters), not_measured_ns=0,
            says="by memory, of whose bandwidth it takes 90 %")
    few = {"counters": {"PAPI_L3_TCM": int(0.1e9 / 64), "PAPI_DP_OPS": 10**6}}
    compare(folder, "latency", "not known", work(100, **few), work(170, **few), silent="of whose bandwidth")
    compare(folder, "bandwidth mended", "", work(100, **few), work(101, **few))
    # Processors that share their units.
    machine(folder, peak=42e9)
    counters = {"counters": {"PAPI_DP_OPS": int(0.095 * 0.9 * 42e9), "PAPI_L3_TCM": 0}}
    compare(folder, "units", "arithmetic", work(100, **counters), work(190, **counters), most_by_bandwidth_ns=0,
            says="by arithmetic, of whose peak it reaches 90 %")
    compare(folder, "units not counted", "not known", work(100), work(190), silent="of whose peak", says="alone grows 1.90 times")
    compare(folder, "arithmetic", "", work(100), work(101), silent="solver.c:12 for:")
    machine(folder, step=1.5)
    compare(folder, "clock", "clock", work(100), work(152), more_by_clock_ns=50 * MS, not_measured_ns=2 * MS,
            says="50.0ms by the clock, which this machine has slower with so many threads")
    machine(folder)
    compare(folder, "clock mended", "", work(100), work(102), more_by_clock_ns=0)
    # Figures of earlier versions have no peak.
    (folder / "ompinst/machine.json").write_text((folder / "ompinst/machine.json").read_text().replace("peak_flops_per_s", "other"))
    compare(folder, "without peak", "not known", work(100), work(190), most_by_arithmetic_ns=None, most_by_bandwidth_ns=0)


def check_sure(folder):
    """Several runs tell growth from chance."""
    machine(folder)

    def several(name, few, many):
        place = folder / name
        place.mkdir()
        return grown(*(profile(place, threads, number=i, self_ns=int(ms * MS))
                       for threads, side in ((1, few), (2, many)) for i, ms in enumerate(side)))

    row, notes = several("three", (100, 110, 105), (200, 220, 210))
    expect_values("three runs", row, {"growth": 2.0, "growth_low": 200 / 110, "growth_high": 2.2, "cause": "not known"})
    expect("any of 3 and 3 runs, which have the true one between them in 90 % of cases" in notes, f"three runs: {notes}")
    row, notes = several("overlapping", (100, 130), (120, 150))
    expect_values("overlapping runs", row, {"growth_low": 120 / 130, "cause": ""})
    expect("in 66 % of cases" in notes and "solver.c:12 for:" not in notes, f"overlapping runs: {notes}")
    expect("nothing tells growth from chance" in several("one", (100,), (200,))[1], "one run")
    # Little growth, of the construct or of the run, is worth no sentence.
    for name, ms in (("little", (100, 104)), ("small", (1, 2))):
        expect(several(name, ms[:1], ms[1:])[0]["cause"] == "", f"{name} growth is worth no sentence")


def check_refused(folder):
    """Options and files that have no meaning."""
    paths = [profile(folder, 1), profile(folder, 2)]
    run("scaling", "--growth", "--from=1ms", *paths, status=1, error="--from, --to: a profile has only sums of the whole time; expected archives")
    run("scaling", "--sharing=x", *paths, status=2, error="--sharing is evidence for --growth, which is missing")
    run("scaling", *paths, status=1, error="a profile, which has sums and no events")
    run("scaling", "--growth", "--sharing=/no/such/file", *paths, status=1, error="cannot read '/no/such/file'")
    run("scaling", "--growth", f"--sharing={paths[0]}", *paths, status=1, error="expected what `ompinst sharing run --format=json")
    # A profile and the archive of another run, which has other constructs.
    archive = make(folder, "scaled", 2)
    expect("solver.c:12 for" in run("scaling", "--growth", paths[0], archive), "a profile and an archive")
    text = sharing(folder, ("false-sharing", "counters", 0.2, 12)).read_text()
    for cut in range(0, len(text), 41):
        (folder / "cut.json").write_text(text[:cut] + text[cut + 7:])
        done = subprocess.run([OMPREPORT, "scaling", "--growth", f"--sharing={folder / 'cut.json'}", *paths], capture_output=True, timeout=60)
        expect(done.returncode in (0, 1), f"7 bytes less at {cut}: status {done.returncode}")


finish(check_measured, check_counted, check_shared, check_machine, check_sure, check_refused)
