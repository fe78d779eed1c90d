# SPDX-License-Identifier: BSD-3-Clause
"""ompreport whatif: a replay without a change takes as long as the run, and changes of runs whose times are known
give the wall times that follow from them."""
import json
import random
import subprocess

from tables import MS, OMPREPORT, expect, expect_values, finish, make, run

# Runs that a replay repeats to the tick, by what they have.
REPEATED = ["accelerated", "accounted", "coarse", "contention", "fleet", "funneled", "grove", "hybrid", "large", "late",
            "latecomers", "many", "messages", "moved", "nested", "path", "ranks", "scaled", "uneven", "untied", "wide",
            "wrapped"]


def whatif(path, *options):
    return json.loads(run("whatif", "--format=json", path, *options))


def check_repeated(folder):
    for scenario in REPEATED:
        data = whatif(make(folder, scenario))
        expect(data["wall_ns"] > 0 and data["replayed_ns"] == data["wall_ns"],
               f"{scenario}: {data['wall_ns']} ns, replayed {data['replayed_ns']} ns")
        walls = [row["wall_ns"] for row in data["changes"] if row["wall_ns"] is not None]
        expect(walls == sorted(walls), f"{scenario}: not by wall time: {walls}")
        for row in data["changes"]:
            expect(row["wall_ns"] is None or row["low_ns"] <= row["wall_ns"] <= row["high_ns"], f"{scenario}: {row}")


def predicted(path, *options):
    data = whatif(path, *options)
    expect(data["low_ns"] <= data["predicted_ns"] <= data["high_ns"], f"{options}: {data}")
    expect_values(options, data, {"speedup": data["wall_ns"] / data["predicted_ns"]})
    return data["predicted_ns"]


def check_work(folder):
    """Two executions of a loop by four threads with 10, 20, 30 and 40 ms; the third thread's tasks are no part of it."""
    path = make(folder, "uneven")
    loop = "solver.c:12 for"
    regions = json.loads(run("regions", "--format=json", path))
    wall = whatif(path)["wall_ns"]
    visits = next(row["visits"] for row in regions["regions"] if row["region"] == loop) // 4
    for option in (f"--balance={loop}", f"--schedule={loop}=dynamic,8", f"--schedule={loop}=static,1",
                   "--balance=*:12 for"):
        expect(predicted(path, option) == wall - visits * 15 * MS, f"{option}: {predicted(path, option)}")
    expect(predicted(path, f"--schedule={loop}=static") == wall, "one block for each thread is what it had")
    expect(predicted(path, f"--faster={loop}=2") == wall - visits * 20 * MS, "faster")
    expect(predicted(path, f"--faster={loop}=0.5") == wall + visits * 40 * MS, "slower")
    both = predicted(path, f"--balance={loop}", f"--faster={loop}=5")
    expect(both == wall - visits * 35 * MS, f"two changes: {both}")
    # The first of two threads has what the first two had, the second what the others had.
    expect(predicted(path, "--threads=2") == wall + visits * 30 * MS, "two threads")
    # Fork, join and barrier of one thread cost nothing.
    alone = predicted(path, "--threads=1")
    expect(abs(alone - (wall + visits * 60 * MS)) <= visits * 2 * MS, f"one thread: {alone}")
    more = predicted(path, "--threads=8")
    expect(wall - visits * 20 * MS < more < wall - visits * 15 * MS, f"eight threads: {more}")


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
    balanced = whatif(path, "--balance=solver.c:12 for")
    said = "about %.1f times faster (%.1f to %.1f)" % tuple(balanced[key] for key in ("speedup", "speedup_low", "speedup_high"))
    advice = " ".join(json.loads(run("summary", "--format=json", path))["advice"])
    expect("unequal work" in advice and said in advice, f"not {said!r}: {advice}")
    for part in ("--from=1ms", "--to=100ms"):
        expect("times faster (" not in run("summary", path, part), f"{part}: a part of the run is predicted")
    run("html", path, "-o", folder / "page.html")
    expect(said in (folder / "page.html").read_text(), "the page's advice")
    advice = " ".join(json.loads(run("summary", "--format=json", make(folder, "contention")))["advice"])
    expect("about 1.6 times faster" in advice, f"without the critical's waits: {advice}")


def check_broken(folder):
    """Archives with bytes that chance wrote: a report or a message, and never a fault."""
    chance = random.Random(20)
    changes = [[], ["--threads=3"], ["--balance=*"], ["--schedule=*=dynamic,2"], ["--grain=task=4"], ["--no-wait=*"],
               ["--faster=*=2"]]
    for number in range(60):
        path = make(folder, chance.choice(["mixed", "tasks", "contention", "hybrid", "messages", "nested", "latecomers"]), number + 1)
        events = chance.choice(sorted(path.rglob("*.evt")))
        data = bytearray(events.read_bytes())
        if chance.random() < 0.4:
            del data[chance.randrange(len(data)):]
        else:
            data[chance.randrange(len(data))] = chance.randrange(256)
        events.write_bytes(data)
        done = subprocess.run([OMPREPORT, "whatif", path, *chance.choice(changes)], capture_output=True, timeout=60)
        expect(done.returncode in (0, 1, 2), f"{number}: exit status {done.returncode}: {done.stderr.decode()[:400]}")


def check_errors(folder):
    path = make(folder, "uneven")
    run("whatif", path, "--balance=nothing", status=2, error="has nothing of that name")
    run("whatif", path, "--grain=solver.c:12=4", status=2, error="is of another kind")
    for wrong in ("--threads=0", "--threads=1.5", "--faster=3", "--faster=a=b", "--faster==2", "--schedule=a=often",
                  "--schedule=a=dynamic,0", "--grain=a", "--balance="):
        run("whatif", path, wrong, status=2, error="expected")


finish(check_repeated, check_work, check_waits, check_tasks, check_ranks, check_advice, check_broken, check_errors)
