#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long reports take beside a bare reader of OTF2 that does nothing with the events, and how much memory.

reading.py BENCH-READING OMPREPORT MAKE-ARCHIVE [--millions N] [--processes N] [--rounds N]

Makes an archive of so many million events of 8 threads, and one of so many processes of 16 threads, and reads them in turns.
Prints medians of the time and of processor time, and the most memory. "merged" is the library's reader of all locations
in the order of time; "each" reads one location after the other.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile

import processes
import results

EVENTS_A_STEP = 130  # of make-archive's "large"


def compare(path, commands, rounds):
    found = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(processes.usage(command))
    first = statistics.median(wall for wall, *_ in found[next(iter(found))])
    measured = []
    for name, runs in found.items():
        wall, processor = (statistics.median(run[i] for run in runs) for i in (0, 1))
        memory = max(run[2] for run in runs)
        print(f"{path.name:>12} {name:<16} {wall:7.2f} s {wall / first:6.2f} x {processor:7.2f} s processor {memory:7.0f} MiB")
        measured.append({"archive": path.name, "reader": name, "seconds": wall, "ratio": wall / first, "processor": processor, "memory": memory})
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("ompreport")
    parser.add_argument("make_archive")
    parser.add_argument("--millions", type=int, default=10)
    parser.add_argument("--processes", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    results.add_option(parser)
    options = parser.parse_args()
    measured = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sizes = {"large": options.millions * 1000000 // EVENTS_A_STEP, "fleet": options.processes}
        for scenario, size in sizes.items():
            path = folder / scenario
            subprocess.run([options.make_archive, scenario, path, str(size)], check=True)
            reports = {"summary": ["summary"], "summary -j 1": ["summary", "-j", "1"]}
            if scenario == "large":
                reports |= {"critical-path": ["critical-path"], "html": ["html", "-o", "/dev/null"]}
            commands = {f"bare, {way}": [options.reader, way, path / "traces.otf2"] for way in ("merged", "each")}
            commands |= {title: [options.ompreport, *command, path] for title, command in reports.items()}
            measured += compare(path, commands, options.rounds)
    results.write_results(options.json, measured)


if __name__ == "__main__":
    main()
