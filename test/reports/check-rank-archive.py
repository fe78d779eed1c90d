# SPDX-License-Identifier: BSD-3-Clause
"""The waits of rank-archive's programs are those that it says: it knows them from how it made them. The critical path follows from that,
too. And writing takes the same memory for ten times the events.

Usage: check-rank-archive.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE
"""
import json
import os
import subprocess
import sys

from tables import OMPREPORT, TIME_LIMITS, expect, expect_values, finish, run

RANK_ARCHIVE = sys.argv[3]
# Ranks, threads, events of a rank: two, with one thread; an odd number, fewer than kinds of ranks; more than those; many.
SIZES = ((2, 1, 200), (7, 3, 500), (33, 2, 300), (1024, 2, 60))


def write(folder, *sizes):
    """The archive, and what is known of it."""
    path = folder / "x".join(map(str, sizes))
    done = subprocess.run([RANK_ARCHIVE, path, *map(str, sizes)], check=True, stdout=subprocess.PIPE, timeout=60 * TIME_LIMITS)
    return path, json.loads(done.stdout)


def waits(messages, *kinds):
    return sum(row["time_ns"] for row in messages["messages"] if row["kind"] in kinds)


def check_known(folder):
    for sizes in SIZES:
        path, known = write(folder, *sizes)
        where = f"{sizes}"
        run("check", path)
        messages = json.loads(run("messages", "--format=json", path))
        table = json.loads(run("ranks", "--format=json", path))
        rows = table["ranks"]
        expect_values(where, {"late_sender_ns": waits(messages, "late sender"),
                              "collective_ns": waits(messages, "wait at collective", "wait at barrier"),
                              "barrier_ns": sum(row["barrier_ns"] for row in rows), "wall_ns": table["wall_ns"],
                              "events": json.loads(run("info", "--format=json", path))["events"]}, known)
        expect(known["events"] >= sizes[0] * sizes[2] and len(rows) == sizes[0] * sizes[1], f"{where}: {known}, {len(rows)} threads")
        expect_values(where, messages, {"unreceived": 0, "unsent": 0, "incomplete": 0})
        expect(waits(messages, "late receiver") == 0, f"{where}: {messages}")


def work(rank, step, threads):
    """Of the rank's last thread, in ns."""
    return 100000 + (rank * 7 + step * 3 & 15) * 10000 + (60000 if rank % 8 == 3 else 0) + (threads - 1) * (20000 if rank % 8 == 6 else 5000)


def check_path(folder):
    """In each step the path is that of the rank that works longest: it waits for no message, and all wait for it."""
    for sizes in SIZES:
        path, known = write(folder, *sizes)
        ranks, threads, events = sizes
        steps = -(-events // (20 + 8 * (threads - 1)))
        longest = [max(work(rank, step, threads) for rank in range(min(ranks, 16))) for step in range(steps)]
        rows = json.loads(run("critical-path", "--format=json", path))["critical-path"]
        sums = {key: sum(row[key] for row in rows) for key in ("path_ns", "work_ns", "team_ns", "mpi_ns", "idle_ns")}
        expect_values(f"{sizes}: path", sums, {
            "path_ns": known["wall_ns"], "work_ns": sum(longest), "team_ns": steps * 3000,
            "mpi_ns": steps * 3000, "idle_ns": 0})


def memory(folder, events):
    """The largest of a rank-archive with so many events of each of 8 ranks, in MiB."""
    process = subprocess.Popen([RANK_ARCHIVE, folder / f"{events}", "8", "2", str(events)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == 0, f"rank-archive: exit status {process.returncode}")
    return used.ru_maxrss / 1024


def check_memory(folder):
    few, many = memory(folder, 10000), memory(folder, 300000)
    expect(many < 2 * few, f"memory: {few:.1f} MiB for 10,000 events of a rank, {many:.1f} MiB for 300,000")


def check_truncated(folder):
    """One location's events end somewhere: its thread may leave a team that others wait in. What is readable is reported."""
    path, _ = write(folder, 16, 2, 200)
    for location, places in (("2", (777, 778, 779)), ("12", (193,)), ("18", (779, *range(60, 900, 70)))):
        file = path / "traces" / f"{location}.evt"
        whole = file.read_bytes()
        for place in places:
            file.write_bytes(whole[:place])
            done = subprocess.run([OMPREPORT, "summary", path], capture_output=True, text=True, timeout=60 * TIME_LIMITS)
            expect(done.returncode == 0 and "THREAD TIME" in done.stdout, f"{location}, {place} bytes: {done.returncode}, {done.stderr[:300]}")
        file.write_bytes(whole)


def check_arguments(folder):
    for arguments, said in ((("1", "2", "9"), "RANKS '1': expected a number from 2 to 16384"),
                            (("16384", "5", "9"), "THREADS '5': expected a number from 1 to 4"),
                            (("2", "2", "x"), "EVENTS 'x': expected a number from 1 to"), (("2",), "usage:")):
        done = subprocess.run([RANK_ARCHIVE, folder / "none", *arguments], stderr=subprocess.PIPE, text=True)
        expect(done.returncode == 2 and said in done.stderr, f"{arguments}: {done}")
        expect(not (folder / "none").exists(), f"{arguments}: something is written")


finish(check_known, check_path, check_memory, check_truncated, check_arguments)
