#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `mpirun -np N ompreport COMMAND` costs beside `ompreport COMMAND`, by the events and the ranks of archives.

report-processes.py RANK-ARCHIVE OMPREPORT [--mpi openmpi] [--processes 4] [--command summary] [--millions 1,2,4,8] [--ranks 64,256,1024]
                    [--events 1000] [--rounds 5] [--folder FOLDER]

rank-archive makes the archives, of 2 threads a rank: of 64 ranks with so many million events, and of so many ranks with so many events
each (`--ranks 64,1024,16384` writes 131,000 files). One process and N take turns. Prints medians of the wall time and of the processor
time of all processes, which is that of mpirun and its children less that of an mpirun of `true`, and the largest resident memory of a
process; then by least squares what an event and a rank add to them, and how many times the processor time of one process N take: with the start of MPI, and, by the
ratio of these slopes, without it.
"""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import results

THREADS, RANKS_OF_EVENTS = 2, 64
LARGEST = 1.15  # times one process's processor time, for N processes

# Replaces each process of the job: the largest resident memory of the command, in KiB, goes to a file of its own.
PEAK = ("import os, sys\n"
        "place, command = sys.argv[1], sys.argv[2:]\n"
        "_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, command[0], command), 0)\n"
        "open(os.path.join(place, str(os.getpid())), 'w').write(str(used.ru_maxrss))\n"
        "sys.exit(os.waitstatus_to_exitcode(status))\n")


def launcher(mpi, processes):
    path = shutil.which("mpirun." + mpi)
    if path is None:
        sys.exit(f"report-processes.py: mpirun.{mpi} is missing")
    return [path, *(["--oversubscribe", "--allow-run-as-root"] if mpi == "openmpi" else []), "-np", str(processes)]


def used(command):
    """Wall seconds, and processor seconds of the command and of all that it waited for."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peaks(start, command):
    """MiB of each process of a job; beside the timed runs, because the interpreter between them takes time."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([*start, sys.executable, "-c", PEAK, place, *command], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return [int(file.read_text("utf-8")) / 1024 for file in pathlib.Path(place).iterdir()]


class Measurement:
    """One archive read by one process and by N in turns: medians."""

    def __init__(self, path, options):
        command = [options.ompreport, options.command, path]
        ways = {1: ([], []), options.processes: (options.start, options.start)}
        runs, bare = {number: [] for number in ways}, []
        for _ in range(options.rounds):
            for number, (start, _) in ways.items():
                runs[number].append(used([*start, *command]))
            bare.append(used([*options.start, "true"]))
        self.wall = {number: statistics.median(wall for wall, _ in found) for number, found in runs.items()}
        self.processor = {number: statistics.median(processor for _, processor in found) for number, found in runs.items()}
        self.bare = statistics.median(processor for _, processor in bare)
        self.processor[options.processes] -= self.bare
        self.memory = {number: max(peaks(start, command)) for number, (start, _) in ways.items()}


def slope(points):
    """By least squares, of [(x, y)]; None for fewer than two different x."""
    if len({x for x, _ in points}) < 2:
        return None
    x_mean, y_mean = (statistics.mean(point[i] for point in points) for i in (0, 1))
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)


def measure(options, ranks, events_of_rank, grows):
    """grows: what of the archive is larger than in the ones before, events or ranks."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = pathlib.Path(folder) / "archive"
        made = subprocess.run([options.rank_archive, path, str(ranks), str(THREADS), str(events_of_rank)], check=True, stdout=subprocess.PIPE)
        events = int(made.stdout.split(b'"events": ')[1].split(b",")[0])
        found = Measurement(path, options)
    rows = []
    for number in (1, options.processes):
        ratio = found.processor[number] / found.processor[1]
        print(f"{grows:>6} {ranks:6} {events:9} {number:9} {found.wall[number]:8.2f} {found.processor[number]:9.2f} {ratio:6.2f} "
              f"{found.memory[number]:6.1f}", flush=True)
        rows.append({"grows": grows, "command": options.command, "mpi": options.mpi, "ranks": ranks, "events": events, "processes": number,
                     "seconds": found.wall[number], "processor": found.processor[number], "ratio": ratio, "memory": found.memory[number]})
    return rows


def slopes(rows, number):
    """What an event and a rank more add, one row each: nanoseconds and bytes."""
    found = []
    for grows in ("events", "ranks"):
        points = [row for row in rows if row["grows"] == grows and row["processes"] == number]
        each = {key: slope([(row[grows], row[key]) for row in points]) for key in ("seconds", "processor", "memory")}
        if None in each.values():
            continue
        found.append({"each": grows, "processes": number, "wall_ns": each["seconds"] * 1e9, "processor_ns": each["processor"] * 1e9,
                      "bytes": each["memory"] * 1024 * 1024})
        wall, processor, size = (found[-1][key] for key in ("wall_ns", "processor_ns", "bytes"))
        print(f"{number} processes, for each of the {grows}: {wall:.3g} ns wall, {processor:.3g} ns processor, {size:.3g} bytes of memory")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rank_archive")
    parser.add_argument("ompreport", type=os.path.abspath)
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--command", default="summary")
    parser.add_argument("--millions", default="1,2,4,8")
    parser.add_argument("--ranks", default="64,256,1024")
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="where archives are written; default: the folder of temporary files")
    results.add_option(parser)
    options = parser.parse_args()
    if options.processes < 2:
        parser.error(f"--processes {options.processes}: expected 2 or more")
    options.start = launcher(options.mpi, options.processes)
    measured = []
    print(f"{'grows':>6} {'ranks':>6} {'events':>9} {'processes':>9} {'wall, s':>8} {'processor':>9} {'ratio':>6} {'MiB':>6}", flush=True)
    for millions in filter(None, options.millions.split(",")):
        measured += measure(options, RANKS_OF_EVENTS, int(float(millions) * 1000000) // RANKS_OF_EVENTS, "events")
    for ranks in filter(None, options.ranks.split(",")):
        measured += measure(options, int(ranks), options.events, "ranks")
    found = [row for number in (1, options.processes) for row in slopes(measured, number)]
    for row in found[len(found) // 2:]:
        single = next(other for other in found if (other["each"], other["processes"]) == (row["each"], 1))
        print(f"For each of the {row['each']}, without what starting takes: {row['processor_ns'] / single['processor_ns']:.2f} times")
    above = [row for row in measured if row["ratio"] > LARGEST]
    print(f"The processor time of {options.processes} processes is at most {max(row['ratio'] for row in measured):.2f} times that of one; "
          f"more than {LARGEST} times in {len(above)} of {len(measured) // 2} archives")
    results.write_results(options.json, measured + found)


if __name__ == "__main__":
    main()
