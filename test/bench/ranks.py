#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What many ranks cost `ompreport recover`: ranks.py SIMULATE-RANKS OMPREPORT [--ranks 128,256,512] [--rounds 3]

simulate-ranks writes the logs of ranks that never ran, 16 threads each. Prints the events of their archive, medians of the wall and
processor time of its conversion, and the largest resident memory.
"""
import argparse
import re
import statistics
import subprocess
import sys
import tempfile

import processes
import results

THREADS, STEPS = 16, 25


def recover(ompreport, folder):
    """Events, wall and processor seconds, and MiB."""
    wall, processor, memory, said = processes.usage([ompreport, "recover", folder], stdout=subprocess.PIPE)
    events = re.search(r": (\d+) events", said)
    if events is None:
        sys.exit(f"ranks.py: ompreport recover: expected a number of events: {said}")
    return int(events[1]), wall, processor, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulate_ranks")
    parser.add_argument("ompreport")
    parser.add_argument("--ranks", default="128,256,512")
    parser.add_argument("--rounds", type=int, default=3)
    results.add_option(parser)
    options = parser.parse_args()
    measured = []
    print(f"{'ranks':>6} {'locations':>9} {'events':>9} {'wall, s':>8} {'processor':>9} {'MiB':>6}", flush=True)
    for ranks in map(int, options.ranks.split(",")):
        runs = []
        for _ in range(options.rounds):
            with tempfile.TemporaryDirectory() as name:
                subprocess.run([options.simulate_ranks, f"{name}/logs", str(ranks), str(THREADS), str(STEPS)], check=True)
                runs.append(recover(options.ompreport, f"{name}/logs"))
        events, wall, processor = (statistics.median(run[i] for run in runs) for i in range(3))
        memory = max(run[3] for run in runs)
        print(f"{ranks:6} {ranks * THREADS:9} {events:9.0f} {wall:8.2f} {processor:9.2f} {memory:6.1f}", flush=True)
        measured.append({"ranks": ranks, "locations": ranks * THREADS, "events": events, "seconds": wall, "processor": processor, "memory": memory})
    results.write_results(options.json, measured)


if __name__ == "__main__":
    main()
