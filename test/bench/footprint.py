#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What runtimes cost before they do anything: footprint.py PROGRAM --lib NAME=PLACE --lib NAME=PLACE ...

PROGRAM is footprint.c, compiled; a PLACE is a folder with a libgomp.so.1, or a library to be used as
one (it gets a folder of its own, so that the loader finds all of them the same way). Prints the resident memory of an
idle thread (in its stack's pages, and beyond them), and the time from start to end of a process that
only has the runtime among its libraries, that asks it one thing, and that runs one region of two
threads. Every round starts the process once on each runtime, in turn; times are given as the median,
and as the median over the rounds of the ratio to the first runtime.
"""
import argparse
import contextlib
import os
import statistics
import subprocess
import tempfile

import processes
import results

USES = ("none", "query", "region")


def environment(folder):
    return dict(os.environ, LD_LIBRARY_PATH=folder)


def folder_of(place, stack):
    """The folder to search; made, for the time of the run, for a library that is none."""
    place = os.path.abspath(place)
    if os.path.isdir(place):
        return place
    if not os.path.exists(place):
        raise SystemExit(f"footprint: {place}: no such library or folder")
    made = stack.enter_context(tempfile.TemporaryDirectory())
    os.symlink(place, os.path.join(made, "libgomp.so.1"))
    return made


def memory(program, threads, folder):
    out = subprocess.run([program, "memory", str(threads)], env=environment(folder), check=True,
                         capture_output=True, text=True).stdout
    return [int(word) for word in out.split()]


def print_memory(program, runtimes, counts):
    print("resident bytes of an idle thread: in its stack's pages + beyond")
    print("threads " + "".join(f"{name:>20}" for name, _ in runtimes))
    measured = []
    for threads in counts:
        cells = [memory(program, threads, folder) for _, folder in runtimes]
        measured += [{"threads": threads, "runtime": name, "stack": stack, "beyond": beyond} for (name, _), (stack, beyond) in zip(runtimes, cells)]
        print(f"{threads:>7} " + "".join(f"{f'{stack} + {beyond}':>20}" for stack, beyond in cells))
    return measured


def print_times(program, runtimes, rounds):
    print("\nprocess from start to end, us, and ratio to the first")
    print("use     " + "".join(f"{name:>20}" for name, _ in runtimes))
    measured = []
    for use in USES:
        times = [[] for _ in runtimes]
        for turn in range(rounds):
            order = list(range(len(runtimes)))
            if turn % 2:
                order.reverse()
            for index in order:
                times[index].append(processes.seconds(program, use, environment=environment(runtimes[index][1])))
        row = f"{use:<8}"
        for mine, (name, _) in zip(times, runtimes):
            ratio = statistics.median(a / b for a, b in zip(mine, times[0]))
            row += f"{f'{statistics.median(mine) * 1e6:.0f} ({ratio:.3f})':>20}"
            measured.append({"use": use, "runtime": name, "seconds": statistics.median(mine), "ratio": ratio})
        print(row)
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--lib", action="append", required=True, metavar="NAME=PLACE")
    parser.add_argument("--threads", default="16,64,256,1024")
    parser.add_argument("--rounds", type=int, default=300)
    results.add_option(parser)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        runtimes = [(name, folder_of(place, stack))
                    for name, place in (lib.split("=", 1) for lib in options.lib)]
        program = os.path.abspath(options.program)
        measured = print_memory(program, runtimes, options.threads.split(","))
        measured += print_times(program, runtimes, options.rounds)
    results.write_results(options.json, measured)


if __name__ == "__main__":
    main()
