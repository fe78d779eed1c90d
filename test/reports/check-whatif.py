# SPDX-License-Identifier: BSD-3-Clause
"""ompreport whatif: a replay without a change takes as long as the run, and changes of runs whose times are known
give the wall times that follow from them."""
import json
import random
import subprocess

from tables import MS, OMPREPORT, expect, expect_values, finish, make, run

# Runs that a replay repeats to the tick, by what they have.
REPEATED = ["sections", "accelerated", "accounted", "coarse", "contention", "fleet", "funneled", "grove", "hybrid", "large", "late",
            "latecomers", "many", "messages", "moved", "nested", "path", "ranks", "scaled", "uneven", "untied", "wide",
            "wrapped"]


def whatif(path, *options):
    return json.loads(run("whatif", "--format=json", path, *options))


def check_repeated(folder):
    for scenario in REPEATED:
        data = whatif(make(folder, scenario))
        expect(data["wall_ns"] > 0 and data["replayed_ns"] == data["wall_ns"],
               f"{scenario}: {data['wall_ns']} ns, replayed {data['replayed_ns']} ns")
        walls = [row["low_ns"] for row in data["changes"] if row["low_ns"] is not None]
        expect(walls == sorted(walls), f"{scenario}: not by the least wall time: {walls}")
        for row in data["changes"]:
            expect(row["wall_ns"] is None or row["low_ns"] <= row["wall_ns"] <= row["high_ns"], f"{scenario}: {row}")
            expect_interval(scenario, row, data["wall_ns"])


def expect_interval(where, data, wall):
    """No interval is turned round, and none ends in no time at all, which would be faster than anything."""
    if data["low_ns"] is None:
        return
    expect(0 < data["low_ns"] <= data["high_ns"], f"{where}: {data}")
    for speedup, time in (("speedup_low", "high_ns"), ("speedup_high", "low_ns")):
        expect(abs(data[speedup] * data[time] / wall - 1) < 1e-3, f"{where}: {speedup} of {data}")


def predicted(path, *options):
    data = whatif(path, *options)
    expect(data["low_ns"] <= data["predicted_ns"] <= data["high_ns"], f"{options}: {data}")
    expect_values(options, data, {"speedup": data["wall_ns"] / data["predicted_ns"]})
    expect_interval(options, data, data["wall_ns"])
    return data["predicted_ns"]


def expect_limits(path, option, even, undivided):
    """No wall time, but an interval from what the even division takes to what the largest pieces do, and the error of
    each: 4 to 12 % of itself and 10 to 30 % of what it moves."""
    data = whatif(path, option)
    wall = data["wall_ns"]
    expect(data["predicted_ns"] is None and data["speedup"] is None and abs(data["limit_ns"] - even) <= MS / 10,
           f"{option}: {data}, not between {even} and {undivided}")
    expect_interval(option, data, wall)
    for found, time, sign in ((data["low_ns"], even, -1), (data["high_ns"], undivided, 1)):
        moved, off = abs(time - wall), sign * (found - time)
        expect(0.04 * time + 0.10 * moved - MS / 10 <= off <= 0.12 * time + 0.30 * moved + MS / 10,
               f"{option}: {found} is no end at {time}")


def check_work(folder):
    """Two executions of a loop by four threads with 10, 20, 30 and 40 ms; the third thread's tasks are no part of it."""
    path = make(folder, "uneven")
    loop = "solver.c:12 for"
    regions = json.loads(run("regions", "--format=json", path))
    wall = whatif(path)["wall_ns"]
    visits = next(row["visits"] for row in regions["regions"] if row["region"] == loop) // 4
    even = wall - visits * 15 * MS
    # The 40 ms of the last thread may be one iteration ...
    for option in (f"--balance={loop}", "--balance=*:12 for"):
        expect_limits(path, option, even, wall)
    # ... which begins when four threads have done the 60 ms of the iterations before it.
    for option in (f"--schedule={loop}=dynamic,8", f"--schedule={loop}=static,1"):
        expect_limits(path, option, even, wall + visits * 15 * MS)
    expect(predicted(path, f"--schedule={loop}=static") == wall, "one block for each thread is what it had")
    expect(predicted(path, f"--faster={loop}=2") == wall - visits * 20 * MS, "faster")
    expect(predicted(path, f"--faster={loop}=0.5") == wall + visits * 40 * MS, "slower")
    both = whatif(path, f"--balance={loop}", f"--faster={loop}=5")
    expect(both["limit_ns"] == wall - visits * 35 * MS, f"two changes: {both}")
    # The first of two threads has what the first two had, the second what the others had.
    expect(predicted(path, "--threads=2") == wall + visits * 30 * MS, "two threads")
    # Fork, join and barrier of one thread cost nothing.
    alone = predicted(path, "--threads=1")
    expect(abs(alone - (wall + visits * 60 * MS)) <= visits * 2 * MS, f"one thread: {alone}")
    # Of each share one of two threads has all; the cost grows from share to share, so that halves are unequal.
    more = whatif(path, "--threads=8")["limit_ns"]
    expect(wall - visits * 20 * MS < more < wall - visits * 15 * MS, f"eight threads: {more}")
    expect_limits(path, "--threads=8", more, wall)
    # The last of three threads has all of the last two shares, or with even iterations the last share and a third of 30.
    least = whatif(path, "--threads=3")["limit_ns"]
    expect(wall + visits * 10 * MS <= least <= wall + visits * 15 * MS, f"three threads: {least}")
    expect_limits(path, "--threads=3", least, wall + visits * 30 * MS)


def check_pieces(folder):
    """Sections are known one by one: two of 10 ms can be shared, one of 20 ms only if it can be divided, and of five with
    4 ms one thread has three."""
    expect(predicted(make(folder, "sections", 2), "--balance=sections") == 10 * MS, "two sections")
    expect_limits(make(folder, "sections", 1), "--balance=sections", 10 * MS, 20 * MS)
    expect_limits(make(folder, "sections", 5), "--balance=sections", 10 * MS, 12 * MS)


def check_off(folder):
    """A replay that takes 17 ms of 30 predicts nothing, and says why; neither does the advice."""
    path = make(folder, "tasks")
    for options in ((), ("--faster=task=2",)):
        data = json.loads(run("whatif", "--format=json", path, *options, status=1))
        expect((data["wall_ns"], data["replayed_ns"]) == (30 * MS, 17 * MS), f"{options}: {data}")
        expect(not data.get("changes") and "predicted_ns" not in data, f"{options}: predicted: {data}")
        expect("takes 17.0ms, and it took 30.0ms" in " ".join(data["notes"]), f"{options}: no reason: {data['notes']}")
    expect("faster" not in run("summary", path), "advice predicts from a replay that is off")


def check_waits(folder):
    # One thread holds the critical for 10 ms, then the other one; then a lock, 1 ms of which is waited for.
    path = make(folder, "contention")
    expect(predicted(path, "--unlock=sum") == 16 * MS, "without the critical's waits")
    expect(predicted(path, "--unlock=lock") == 25 * MS, "without the lock's")
    moved = {row["region"]: row for row in whatif(path, "--unlock=sum")["moves"]}
    row = next(row for name, row in moved.items() if "critical(sum)" in name)
    expect(row["wait_ns"] == 10 * MS and row["wait_after_ns"] == 0 and row["change_ns"] == -10 * MS, f"moves: {row}")
    path = make(folder, "path")
    expect(predicted(path, "--no-wait=33 barrier") == 44 * MS, "without the barrier")


def check_delays(folder):
    """A thread without a processor for 4 of its 26 ms in a loop, twice: no work, and another run may lack none."""
    path = make(folder, "processor", 2)
    loop = "solver.c:12 for"
    wall = whatif(path)["wall_ns"]
    expect(predicted(path, f"--faster={loop}=2") == wall - 2 * 11 * MS, "half of 22 ms, twice")
    data = whatif(path, f"--faster={loop}=2")
    expect("made it longer by 8.00ms or more" in " ".join(data["notes"]), f"not said: {data['notes']}")
    around = data["predicted_ns"] - data["low_ns"], data["high_ns"] - data["predicted_ns"]
    expect(min(around) > 8 * MS, f"too narrow: {data}")
    expect("no processor" not in " ".join(whatif(make(folder, "uneven"))["notes"]), "said of a run that lacked none")


def expect_near(found, time, what):
    """Within what a chunk takes, and what taking the chunks costs."""
    expect(abs(found - time) <= MS / 5, f"{what}: {found}, not {time}")


def check_marks(folder):
    """A loop with marks: its 60 ms are 10, 10, 10 and 30 by blocks, evenly within each."""
    loop = "solver.c:12 for"
    path = make(folder, "marked", 1)
    wall = whatif(path)["wall_ns"]
    outside = wall - 2 * 30 * MS
    # Of 50 chunks of the last block two threads have 13, .6 ms each; of the other 150 they have 37, .2 ms each.
    for schedule, time in (("dynamic", 15), ("static,5", 15.2), ("guided", 15)):
        expect_near(predicted(path, f"--schedule={loop}={schedule}"), outside + 2 * time * MS, schedule)
    expect_near(predicted(path, f"--schedule={loop}=static"), wall, "static as it was")
    expect_near(predicted(path, f"--schedule={loop}=static,500"), outside + 2 * 40 * MS, "two chunks")
    expect_near(predicted(path, f"--schedule={loop}=dynamic,500"), outside + 2 * 40 * MS, "two dynamic chunks")
    expect_near(predicted(path, f"--balance={loop}"), outside + 2 * 15 * MS, "balance")
    for threads, most in ((8, 15), (3, 30 + 83 * .04), (2, 40)):
        found = predicted(path, f"--threads={threads}")
        expect(abs(found - outside - 2 * most * MS) < MS, f"{threads} threads: {found - outside}, not {most} ms twice")
    # Pieces have 2.5 iterations, or .8 of the last block: every other iteration may have all of the work of the others.
    data = whatif(path, f"--schedule={loop}=static,1")
    expect(data["predicted_ns"] is None and abs(data["limit_ns"] - outside - 2 * 15 * MS) < MS / 5, f"static,1: {data}")
    expect(data["high_ns"] > outside + 2 * 37.5 * MS, f"static,1: {data}")
    # Without options the report names a schedule that is as good as the best, by 1 %.
    row = next(row for row in whatif(path)["changes"] if row["change"].startswith("--schedule"))
    best = min(predicted(path, f"--schedule={loop}={schedule}") for schedule in ("dynamic", "static,5", "guided", "dynamic,16"))
    named = predicted(path, row["change"].replace("'", ""))
    expect(row["wall_ns"] == named and best <= named <= best * 1.01, f"{row} is not as good as {best}")
    # Each of several alone, named as given and the best first, is predicted as when it is the only one.
    changes = [f"--schedule=solver.c:12 ={schedule}" for schedule in ("static", "static,500", "dynamic", "static,1")]
    rows = whatif(path, "--each", *changes)["changes"]
    lows = [row["low_ns"] for row in rows]
    expect(sorted(row["change"] for row in rows) == sorted(changes) and lows == sorted(lows), f"not each once, the best first: {rows}")
    for row in rows:
        alone = whatif(path, row["change"])
        expect((row["wall_ns"], row["low_ns"], row["high_ns"]) == (alone["predicted_ns"], alone["low_ns"], alone["high_ns"]), f"{row}: {alone}")
    # One iteration takes 20 ms of the 30: nothing divides it, and it is the last one.
    path = make(folder, "marked", 2)
    expect_near(predicted(path, f"--schedule={loop}=dynamic,1"), outside + 2 * 30 * MS, "the last iteration")
    expect_near(predicted(path, f"--balance={loop}"), outside + 2 * 20 * MS, "nothing but the long iteration")
    eight = predicted(path, "--threads=8")
    expect(abs(eight - outside - 2 * 25 * MS) < MS, f"half of a block, and the long iteration: {eight - outside}")
    # How a part of 30 ms is spread is not known.
    path = make(folder, "marked", 3)
    data = whatif(path, f"--schedule={loop}=dynamic")
    expect(data["predicted_ns"] is None, f"no limits: {data}")
    expect(data["low_ns"] < outside + 2 * 15 * MS and data["high_ns"] > outside + 2 * 30 * MS, f"too narrow: {data}")
    # The second execution has no marks: its blocks' work is spread as in the first one, and is 30, 10, 10, 10.
    path = make(folder, "marked", 4)
    expect_near(predicted(path, f"--schedule={loop}=dynamic"), outside + 2 * 15 * MS, "changing sides")
    expect_near(predicted(path, f"--schedule={loop}=static,500"), outside + 2 * 40 * MS, "changing sides, two chunks")
    run("check", path)
    # Both in one region.
    path = make(folder, "marked", 5)
    wall = whatif(path)["wall_ns"]
    expect_near(predicted(path, "--threads=8"), wall - 2 * 15 * MS, "eight threads in one region")
    expect_near(predicted(path, f"--schedule={loop}=dynamic"), wall - 2 * 15 * MS, "dynamic in one region")
    # A dynamic schedule stays one with another number of threads.
    path = make(folder, "marked", 6)
    wall = whatif(path)["wall_ns"]
    for threads, time in ((8, 7.5), (2, 30), (1, 60)):
        found = predicted(path, f"--threads={threads}")
        expect(abs(found - wall - 2 * (time - 15) * MS) <= 4.1 * MS, f"dynamic, {threads} threads: {found - wall}")
    # Whatever a loop with nowait does, a dynamic one after it makes the threads end together.
    path = make(folder, "marked", 7)
    wall = whatif(path)["wall_ns"]
    for schedule in ("dynamic", "static,500"):
        expect_near(predicted(path, f"--schedule=solver.c:17 for={schedule}"), wall, f"{schedule} before a dynamic loop")


def limits_of(path, schedule):
    data = whatif(path, f"--schedule=solver.c:12 for={schedule}")
    expect(data["predicted_ns"] is None and data["speedup"] is None, f"{schedule}: a point: {data}")
    expect_interval(schedule, data, data["wall_ns"])
    return data


def check_chunks(folder):
    """What chunks cost is part of the work, and only its range is known: from nothing to more than an iteration of 60 ns has."""
    # A thousand chunks of 60 us cost nothing that matters.
    path = make(folder, "marked", 6)
    wall = whatif(path)["wall_ns"]
    for schedule in ("static", "guided", "dynamic,2"):
        expect_near(predicted(path, f"--schedule=solver.c:12 for={schedule}"), wall, f"{schedule}, long chunks")
    # A million: without them the loop may take next to nothing, or as long as it did. The other 4 ms are no loop's.
    path = make(folder, "marked", 8)
    wall = whatif(path)["wall_ns"]
    outside = wall - 2 * 15 * MS
    for schedule in ("static", "guided", "dynamic,64"):
        data = limits_of(path, schedule)
        expect(data["low_ns"] <= data["limit_ns"] < outside + 2 * 2 * MS, f"{schedule} takes what the chunks did: {data}")
        expect(wall <= data["high_ns"] < 1.2 * wall, f"{schedule}, and chunks cost nothing: {data}")
    # The same chunks cost the same, and a quarter of them at most a quarter of the loop.
    data = limits_of(path, "dynamic,4")
    expect(outside + 2 * 3 * MS < data["limit_ns"] < wall - 15 * MS and data["high_ns"] >= wall, f"a quarter of the chunks: {data}")
    expect_near(predicted(path, "--balance=solver.c:12 for"), wall, "what is only divided better keeps its chunks")
    # More chunks only add to the work.
    path = make(folder, "marked", 9)
    wall = whatif(path)["wall_ns"]
    most = {}
    for schedule in ("dynamic", "dynamic,4", "static,1"):
        data = limits_of(path, schedule)
        most[schedule] = data["high_ns"]
        expect(abs(data["limit_ns"] - wall) < MS / 5 and data["low_ns"] < wall, f"{schedule}, and chunks cost nothing: {data}")
        expect(data["high_ns"] > 1.5 * wall, f"{schedule}, and they cost much: {data}")
    expect(most["dynamic"] > most["dynamic,4"], f"more chunks cost more: {most}")
    expect_near(predicted(path, "--schedule=solver.c:12 for=static"), wall, "guided has few chunks")


def check_delayed_chunks(folder):
    """Threads took the iterations of one without a processor: the run was no longer for it, but is shorter where none lacks one."""
    path = make(folder, "marked", 10)
    wall = whatif(path)["wall_ns"]
    for schedule in ("static", "guided"):
        data = whatif(path, f"--schedule=solver.c:12 for={schedule}")
        expect(data["low_ns"] < wall - 2 * 6 * MS, f"{schedule}: 24 ms of 30, without delays: {data}")
        expect(data["high_ns"] > wall + 2 * 15 * MS, f"{schedule}: 48 ms with them: {data}")


def check_schedules(folder):
    """Any schedule of loops with marks has an interval."""
    for number in range(1, 11):
        path = make(folder, "marked", number)
        for schedule in ("static", "static,1", "static,7", "static,5000", "dynamic", "dynamic,5000", "guided", "guided,300"):
            data = whatif(path, f"--schedule=*for={schedule}")
            expect(data["low_ns"] is not None, f"{number}, {schedule}: {data}")
            expect_interval(f"{number}, {schedule}", data, data["wall_ns"])


def check_growth(folder):
    """The work of a loop grows to 1.2 times with twice the threads, which other runs show: 72 ms by two, 86.4 by four."""
    one, two, four = (make(folder, "grown", threads) for threads in (1, 2, 4))
    for first, others, threads, time in ((two, [one], 4, 21.6), (two, [one], 1, 60), (one, [two], 4, 21.6), (two, [four], 1, 60),
                                         (four, [two, one], 2, 36)):
        data = json.loads(run("whatif", "--format=json", f"--threads={threads}", first, *others))
        found = data["predicted_ns"] or data["limit_ns"]
        expect(abs(found - time * MS) < MS / 20, f"{threads} threads from {first} with {others}: {found}")
        expect("times as long" in " ".join(data["notes"]), f"not said: {data['notes']}")
    alone = json.loads(run("whatif", "--format=json", "--threads=4", two))
    expect(abs((alone["predicted_ns"] or alone["limit_ns"]) - 18 * MS) < MS / 20 and "times as long" not in " ".join(alone["notes"]), f"{alone}")
    rows = json.loads(run("whatif", "--format=json", two, one))
    expect("With 2 threads instead of 1 the work of solver.c:12 for takes 1.20 times as long" in " ".join(rows["notes"]), f"{rows['notes']}")
    run("whatif", two, make(folder, "uneven"), "--threads=4", status=0)
    run("whatif", two, folder / "grown-2", status=2, error="expected a run with another number of threads")
    run("whatif", two, folder / "nowhere", status=1, error="No such file")


def check_tasks(folder):
    """Eight tasks of 4 ms, each created in 1 ms by the one thread, and executed by both in 21 ms."""
    path = make(folder, "grove")
    wall = whatif(path)["wall_ns"]
    outside = wall - 21 * MS
    # Two of three threads begin the second and third when they are created; the creator executes the seventh.
    expect(predicted(path, "--threads=4") == outside + 13 * MS, "four threads")
    alone = predicted(path, "--threads=1")
    expect(abs(alone - outside - 40 * MS) < MS / 10, f"one thread creates and executes: {alone}")
    expect(predicted(path, "--faster=task=2") == outside + 13 * MS, "tasks of 2 ms")
    # Four tasks of 8 ms, created in 4 ms, of which the first one is taken 1 ms late: from 1 to 9 and 17, from 4 to 12 and 20.
    expect(predicted(path, "--grain=task=2") == outside + 20 * MS, "two tasks to one")
    expect(predicted(path, "--grain=task=8") == outside + 33 * MS, "one task of all")


def check_ranks(folder):
    """Two ranks: one that is faster waits for the messages of the other."""
    path = make(folder, "messages")
    wall = whatif(path)["wall_ns"]
    faster = predicted(path, "--faster=parallel=2")
    expect(faster < wall, f"faster ranks: {faster} of {wall}")


def check_advice(folder):
    """What advice proposes is predicted for whole runs, and the page says the same."""
    path = make(folder, "uneven")
    advice = " ".join(json.loads(run("summary", "--format=json", path))["advice"])
    expect("unequal time" in advice and "times faster (" not in advice, f"a factor that rests on even iterations: {advice}")
    path = make(folder, "contention")
    free = whatif(path, "--unlock=sum")
    said = "about %.1f times faster (%.1f to %.1f)" % tuple(free[key] for key in ("speedup", "speedup_low", "speedup_high"))
    advice = " ".join(json.loads(run("summary", "--format=json", path))["advice"])
    expect(said in advice and "about 1.6 times faster" in said, f"not {said!r}: {advice}")
    for part in ("--from=1ms", "--to=20ms"):
        expect("times faster (" not in run("summary", path, part), f"{part}: a part of the run is predicted")
    run("html", path, "-o", folder / "page.html")
    expect(said in (folder / "page.html").read_text(), "the page's advice")


def check_broken(folder):
    """Archives with bytes that chance wrote: a report or a message, and never a fault."""
    chance = random.Random(20)
    changes = [[], ["--threads=3"], ["--balance=*"], ["--schedule=*=dynamic,2"], ["--grain=task=4"], ["--no-wait=*"],
               ["--faster=*=2"]]
    for number in range(60):
        path = make(folder, chance.choice(["mixed", "marked", "tasks", "contention", "hybrid", "messages", "nested", "latecomers"]), number + 1)
        events = chance.choice(sorted(path.rglob("*.evt")))
        data = bytearray(events.read_bytes())
        if chance.random() < 0.4:
            del data[chance.randrange(len(data)):]
        else:
            data[chance.randrange(len(data))] = chance.randrange(256)
        events.write_bytes(data)
        done = subprocess.run([OMPREPORT, "whatif", path, *chance.choice(changes)], capture_output=True)
        expect(done.returncode in (0, 1, 2), f"{number}: exit status {done.returncode}: {done.stderr.decode()[:400]}")


def check_errors(folder):
    path = make(folder, "uneven")
    run("whatif", path, "--balance=nothing", status=2, error="has nothing of that name")
    run("whatif", path, "--grain=solver.c:12=4", status=2, error="is of another kind")
    for wrong in ("--threads=0", "--threads=1.5", "--faster=3", "--faster=a=b", "--faster==2", "--schedule=a=often",
                  "--schedule=a=dynamic,0", "--grain=a", "--balance="):
        run("whatif", path, wrong, status=2, error="expected")


finish(check_repeated, check_work, check_pieces, check_off, check_waits, check_delays, check_marks, check_chunks, check_delayed_chunks, check_schedules, check_growth, check_tasks, check_ranks, check_advice, check_broken, check_errors)
