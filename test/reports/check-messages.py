# SPDX-License-Identifier: BSD-3-Clause
"""ompreport ranks, messages and efficiency against archives of ranks whose every wait is planted (scenarios-mpi.c),
their pictures, what --rank, --thread, --region and a part of the run choose, and messages that went astray.

Usage: check-messages.py OMPREPORT MAKE_ARCHIVE
"""
import json
import subprocess

from tables import MS, OMPREPORT, expect, expect_values, finish, make, run


def waits_of(path, *options):
    data = json.loads(run("messages", "--format=json", path, *options))
    rows = {(row["region"], row["kind"]) + ((row["caller"],) if row["caller"] else ()): row for row in data["messages"]}
    expect(len(rows) == len(data["messages"]), f"{path}: rows of the same name")
    return rows, data


def check_planted(folder):
    path = make(folder, "hybrid")
    found, data = waits_of(path)
    planted = {("MPI_Recv", "late sender"): (50, 1, "rank 1", "rank 0"),
               ("MPI_Send", "late receiver"): (30, 1, "rank 2", "rank 3"),
               ("MPI_Waitall", "late sender"): (25, 1, "rank 3", "rank 0"),
               ("MPI_Bcast", "late root"): (20, 1, "rank 2", "rank 1"),
               ("MPI_Reduce", "early root"): (10, 1, "rank 2", "rank 0"),
               ("MPI_Barrier", "wait at barrier"): (90 + 90 + 94, 3, "rank 3", "rank 1")}
    expect({key for key in found if key[1] != "transfer"} == set(planted), f"waits: {sorted(found)}")
    for key, (time, count, most_in, late) in planted.items():
        expect_values(f"{key}", found[key], {"time_ns": time * MS, "calls": count, "ranks": count, "most_in": most_in,
                                             "late": late})
    expect_values("transfer", found["MPI_Barrier", "transfer"], {"time_ns": 4 * MS, "calls": 4, "late": ""})
    expect_values("counts", data, {"messages_sent": 4, "bytes_sent": 16 + 24 + 32 + 40, "collectives": 12, "unsent": 0})
    order = [row["kind"] == "transfer" for row in data["messages"]]
    expect(order == sorted(order), "waits do not come first")


def check_threads(folder):
    data = json.loads(run("ranks", "--format=json", make(folder, "hybrid")))
    rows = {row["number"]: row for row in data["ranks"]}
    for row in rows.values():
        parts = ("computation_ns", "delayed_ns", "blocked_ns", "barrier_ns", "critical_ns", "lock_ns", "task_wait_ns", "team_ns", "mpi_ns", "idle_ns")
        expect(sum(row[part] or 0 for part in parts) == row["execution_ns"] == data["wall_ns"] == 174 * MS, f"{row}")
        expect(row["mpi_wait_ns"] + row["mpi_transfer_ns"] == row["mpi_ns"], f"{row}")
    expect_values("rank 1", rows[2], {"thread": "1:OMP thread 2", "rank": 1, "barrier_ns": 100 * MS, "imbalance_ns": 100 * MS,
                                      "computation_ns": 20 * MS, "mpi_wait_ns": 50 * MS})
    expect_values("the busy one", rows[3], {"computation_ns": 120 * MS, "barrier_ns": 0, "imbalance_ns": 0})
    # A thread with work that does not run is not idle.
    absent = {row["rank"]: row for row in json.loads(run("ranks", "--format=json", make(folder, "absent")))["ranks"]}
    expect_values("there", absent[0], {"computation_ns": 20 * MS, "delayed_ns": 0, "blocked_ns": 0, "idle_ns": 0})
    expect_values("absent", absent[1], {"computation_ns": 10 * MS, "delayed_ns": 4 * MS, "blocked_ns": 6 * MS, "idle_ns": 0})
    text = run("ranks", make(folder, "hybrid", 2))
    expect(" rank 0                 5." in text and " rank 1                 9." in text, f"picture: {text}")


def check_shares(folder):
    """What a rank's threads do while one is in MPI is MPI's loss, and named first: neither serial part nor work."""
    data = json.loads(run("summary", "--format=json", make(folder, "funneled")))
    expect_values("outside", data["thread_time_ns"], {
        "useful": 80 * MS, "sync": 0, "serial": 40 * MS, "idle": 40 * MS, "mpi": 320 * MS, "mpi_idle": 320 * MS, "other": 0})
    expect_values("outside", data["efficiency"], {"total": 0.15, "serial": 0.95, "mpi": 0.2, "openmp": 1.0})
    expect(data["advice"][0].startswith("MPI takes 80.0% of the thread time (320ms in its calls, 320ms in threads that idle"),
           f"outside: {data['advice']}")
    expect("10.0% of the wall time runs on one thread of each process, outside parallel regions and MPI" in data["advice"][1],
           f"outside: {data['advice']}")
    text = run("summary", folder / "funneled-1")
    for line in (" serial share         10.0%     MPI ", " in MPI               40.0%     OpenMP ", " MPI, others idle               320ms"):
        expect(line in text, f"outside: no {line!r} in:\n{text}")
    data = json.loads(run("summary", "--format=json", make(folder, "funneled", 2)))
    expect_values("inside", data, {"mpi_held_ns": 320 * MS, "imbalance_ns": 0})
    expect_values("inside", data["thread_time_ns"], {
        "useful": 80 * MS, "sync": 320 * MS, "serial": 40 * MS, "idle": 40 * MS, "mpi": 320 * MS, "mpi_idle": 0, "other": 0})
    expect_values("inside", data["efficiency"], {"serial": 0.95, "mpi": 0.6, "openmp": 0.6, "load_balance": 1.0})
    expect(data["advice"][0].startswith("MPI takes 80.0% of the thread time (320ms in its calls, 320ms in threads that wait")
           and data["advice"][1].endswith("others of their teams are in MPI meanwhile."), f"inside: {data['advice']}")
    # Programs of MPI alone, and ranks without teams: each is one thread, for which no other thread is idle.
    for number, threads, wanted in ((3, 4, {"useful": 0, "serial": 80 * MS, "idle": 0, "mpi": 320 * MS, "mpi_idle": 0, "other": 0}),
                                    (4, 5, {"useful": 20 * MS, "mpi": 320 * MS, "mpi_idle": 80 * MS, "idle": 17.5 * MS, "sync": 0})):
        data = json.loads(run("summary", "--format=json", make(folder, "funneled", number)))
        # The mean rank of the latter is none of them, and its parts are more than the time of five threads.
        expect_values(f"funneled {number}", data, {"threads": threads, "capacity_ns": 400 * MS if number == 3 else 507.5 * MS})
        expect_values(f"funneled {number}", data["thread_time_ns"], wanted)
        expect(data["advice"][0].startswith("MPI takes "), f"funneled {number}: {data['advice']}")
    page = folder / "page.html"
    run("html", "-o", page, folder / "funneled-1")
    expect("in MPI, of the thread time</dt><dd>40.0%" in page.read_text() and "MPI, others idle" in page.read_text(), "html: no MPI")
    for path in (folder / "funneled-1", folder / "funneled-2", make(folder, "hybrid"), make(folder, "messages")):
        data = json.loads(run("summary", "--format=json", path))
        losses = {name: 1 - value for name, value in data["efficiency"].items() if value is not None}
        expect(abs(losses["total"] - losses["serial"] - losses["mpi"] - losses["openmp"]) < 5e-6
               and sum(value or 0 for value in data["thread_time_ns"].values()) == data["capacity_ns"], f"{path}: {data['efficiency']}")
    rows = json.loads(run("efficiency", "--format=json", make(folder, "uneven")))
    expect(rows["mpi"] is None and all("MPI" not in row["factor"] for row in rows["efficiency"]), f"without MPI: {rows}")
    expect("MPI" not in run("efficiency", folder / "uneven-1") + run("summary", folder / "uneven-1"), "MPI that is not there")


def check_efficiency(folder):
    data = json.loads(run("efficiency", "--format=json", make(folder, "hybrid")))
    found = {row["key"]: row["efficiency"] for row in data["efficiency"]}
    # Outside of MPI, of 174 ms: 70, 120, 20 and 50 ms; with their waits 160, 170, 170 and 169.
    outside, useful = (70 + 120 + 20 + 50) / 4, (70 + 20 + 20 + 120 + 20 + 20 + 50 + 20) / 8
    wanted = {"mpi": outside / 174, "mpi_load_balance": outside / 120, "mpi_communication": 120 / 174,
              "mpi_serialisation": 120 / 170, "mpi_transfer": 170 / 174, "parallel": useful / 174,
              "openmp": useful / outside}
    expect_values("efficiency", found, wanted)
    for whole, one, other in (("parallel", "mpi", "openmp"), ("mpi", "mpi_load_balance", "mpi_communication"),
                              ("mpi_communication", "mpi_serialisation", "mpi_transfer"),
                              ("openmp", "openmp_load_balance", "openmp_communication")):
        expect(abs(found[whole] - found[one] * found[other]) < 2e-6, f"{whole} is not {one} x {other}: {found}")
    # Processes without MPI have the tree of losses.
    rows = json.loads(run("efficiency", "--format=json", make(folder, "ranks")))["efficiency"]
    expect([row["factor"].strip() for row in rows][:2] == ["efficiency", "serial part"], f"without MPI: {rows}")


def check_choice(folder):
    path = make(folder, "messages", 3)
    whole, data = waits_of(path)
    times = {key: row["time_ns"] for key, row in whole.items()}
    for moment in ("3ms", "11ms"):
        first, second = (waits_of(path, option)[0] for option in (f"--to={moment}", f"--from={moment}"))
        for key, time in times.items():
            parts = sum(part[key]["time_ns"] for part in (first, second) if key in part)
            expect(parts == time, f"{key} until and from {moment}: {parts}, not {time}")
    parts = [waits_of(path, f"--rank={rank}")[0] for rank in range(4)]
    for key, time in times.items():
        found = sum(part[key]["time_ns"] for part in parts if key in part)
        expect(found == time, f"{key} by rank: {found}, not {time}")
    found, _ = waits_of(path, "--region=MPI_Recv in solver.c:10 parallel")
    expect(found and all(key[0] == "MPI_Recv" and row["caller"] == "solver.c:10 parallel" for key, row in found.items()),
           f"--region: {found}")
    rows = json.loads(run("ranks", "--format=json", "--thread=1:OMP thread 3", path))["ranks"]
    expect([row["number"] for row in rows] == [3], f"--thread: {rows}")
    rows = json.loads(run("threads", "--format=json", "--rank=2", path))["threads"]
    expect([row["number"] for row in rows] == [4, 5], f"--rank: {rows}")
    expect("the matrix is of all regions" in subprocess.run([OMPREPORT, "messages", "--matrix", "--region=x", path],
                                                            capture_output=True, text=True).stderr, "matrix")
    expect("a rank's number" in subprocess.run([OMPREPORT, "ranks", "--rank=x", path], capture_output=True, text=True).stderr, "--rank=x")


def check_pictures(folder):
    """Many ranks are folded; lines keep within the width."""
    path = make(folder, "fleet", 25)
    text = run("ranks", path)
    expect("25 ranks by how much they waited" in text and " 50 %   rank " in text, f"quantiles: {text[-900:]}")
    text = run("ranks", "--rows=0", path)
    expect(text.count("\n rank ") == 25, "--rows=0 does not show all ranks")
    for path in (path, make(folder, "messages", 1)):
        for command in ("ranks", "messages"):
            lines = run(command, "--width=60", path).splitlines()
            expect(max(map(len, lines)) <= 60, f"{command}: wider than 60")
    expect("no calls of MPI" in run("messages", folder / "fleet-25"), "without MPI")


def check_astray(folder):
    path = make(folder, "astray")
    found, data = waits_of(path)
    expect_values("astray", data, {"unreceived": 2, "unsent": 1, "incomplete": 1, "unknown": 2, "messages_sent": 9})
    notes = " ".join(data["notes"])
    expect("2 sends, 1 receives and 1 collectives" in notes and "whose members the archive does not define" in notes, notes)
    expect(set(found) == {("MPI_Waitall", "transfer")}, f"astray: {found}")
    checked = json.loads(run("check", "--format=json", path, status=3))
    broken = {row["rule"]: (row["severity"], row["count"]) for row in checked["check"]}
    expect(broken == {"reference": ("error", 2), "unsent": ("error", 1), "unreceived": ("warning", 2), "length": ("error", 1),
                      "early": ("error", 1), "collective": ("error", 3), "unmet": ("warning", 2), "request": ("error", 2),
                      "pending": ("warning", 1)}, f"astray: {broken}")
    for scenario in ("hybrid", "messages"):
        checked = json.loads(run("check", "--format=json", make(folder, scenario, 7)))
        expect(checked["check"] == [], f"{scenario}: {checked['check']}")


def check_info(folder):
    path = make(folder, "hybrid")
    info = json.loads(run("info", "--format=json", path))
    expect_values("info", info, {"communicators": 3, "messages": 4, "bytes_sent": 112, "collectives": 12, "teams": 13, "skipped": 0})
    expect_values("kinds", info["events_by_kind"], {"MPI send": 2, "MPI nonblocking receive": 2, "MPI collective end": 12})
    text = run("info", path)
    for line in ("communicators  3", "messages       4", "bytes sent     112", "collectives    12"):
        expect(line in text, f"info: no {line!r}")
    expect("communicators" not in run("info", make(folder, "uneven")), "info: communicators without MPI")


finish(check_planted, check_threads, check_shares, check_efficiency, check_choice, check_pictures, check_astray, check_info)
