#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What looking at a running program costs it, in its own processor time.

live-cost.py --build BUILD [--seconds S] [--block S] [--other-build BUILD] top|snapshot|written|ring|build ...

A program with one thread, pinned to processor 0, executes blocks of as many short regions; everything else is pinned to
processor 1. Each block's processor time is read inside the program. Blocks with and without what is measured follow each other in
the order without, with, with, without, so that what drifts has no part in it. Printed are the median of the pairs' ratios
and the interval that contains the true one with at least 95 %.

  top       `ompinst top -i 0.1`, which is stopped (SIGSTOP) for the blocks without it: of one process, so that nothing
            else differs; of a program that is not measured, and of a measured one
  snapshot  one `ompinst snapshot` in each block, which is a second long
  written   POMP_SNAPSHOT=1s: what the process takes while it only waits for input
  ring      POMP_TRACE_RING=64M against a trace in /dev/shm that is converted later: two processes, again and again new
            ones, because where their memory lies differs
  build     nothing looks: the libraries of BUILD against those of another one, measured and not, in the same way

What this leaves out: a machine without a processor for what looks; waits of other threads for one that was slowed down;
processors that share their units (hyper-threads) or their clock; samples (POMP_SAMPLING is off, because their signals come
in some blocks and not in others).
"""
import argparse
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
BLOCKS_OF_PROCESS = 8  # of a pair of processes, beside one to warm up
QUIET = {"OMP_WAIT_POLICY": "passive", "POMP_SUMMARY": "off", "POMP_SAMPLING": "off"}


def interval(ratios):
    """The median and the interval of order statistics around it."""
    ratios, count = sorted(ratios), len(ratios)
    tail, outside = 0.5 ** count, 0
    while tail + math.comb(count, outside + 1) * 0.5 ** count <= 0.025:
        outside += 1
        tail += math.comb(count, outside) * 0.5 ** count
    return statistics.median(ratios), ratios[outside], ratios[-1 - outside]


def report(what, ratios):
    median, low, high = (100 * ratio - 100 for ratio in interval(ratios))
    print("%-46s %+.2f %% (%+.2f to %+.2f %%), %d pairs" % (what, median, low, high, len(ratios)), flush=True)


class Blocks:
    """A program that executes blocks on processor 0."""

    def __init__(self, program, libraries, **settings):
        environment = dict(os.environ, LD_LIBRARY_PATH=libraries, **QUIET, **settings)
        self.process = subprocess.Popen([program, "1"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {0}))

    def run(self, regions):
        """Processor time of a block in s."""
        self.process.stdin.write("%d\n" % regions)
        self.process.stdin.flush()
        return int(self.process.stdout.readline()) / 1e9

    def regions_of(self, seconds):
        """How many take so long."""
        regions, took = 1000, 0
        while took < 0.05:
            regions *= 2
            took = self.run(regions)
        return int(regions * seconds / took)

    def end(self):
        self.process.communicate()


def alternate(seconds, without, with_it):
    """Ratios of pairs until so much time has passed; the order changes from pair to pair."""
    ratios, end = [], time.monotonic() + seconds
    while time.monotonic() < end or len(ratios) < 6:
        times = {}
        for run in (without, with_it) if len(ratios) % 2 else (with_it, without):
            times[run] = run()
        ratios.append(times[with_it] / times[without])
    return ratios


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)
        self.ompinst = options.build / "instrumenter" / "ompinst"
        self.programs = {kind: str(self.folder / kind) for kind in ("plain", "measured")}
        for kind, before in (("plain", []), ("measured", [str(self.ompinst)])):
            subprocess.run([*before, "gcc", "-O2", "-fopenmp", str(SOURCE), "-o", self.programs[kind]], check=True)

    @staticmethod
    def libraries(build):
        return ":".join(str(build / part) for part in ("runtime", "pomp"))

    def blocks(self, kind, build=None, **settings):
        return Blocks(self.programs[kind], self.libraries(build or self.options.build), **settings)

    def top(self):
        for kind in self.programs:
            program = self.blocks(kind)
            regions = program.regions_of(self.options.block)
            looking = subprocess.Popen([self.ompinst, "top", "--format=csv", "-i", "0.1", str(program.process.pid)], stdout=subprocess.DEVNULL)
            time.sleep(1)  # it has found names, and is in its intervals

            def stopped():
                looking.send_signal(signal.SIGSTOP)
                return program.run(regions)

            def looks():
                looking.send_signal(signal.SIGCONT)
                return program.run(regions)

            report("beside top -i 0.1, %s program" % kind, alternate(self.options.seconds / 2, stopped, looks))
            looking.send_signal(signal.SIGCONT)
            looking.kill()
            looking.wait()
            program.end()

    def snapshot(self):
        program = self.blocks("measured")
        regions = program.regions_of(1)

        def snapshots():
            looking = subprocess.Popen([self.ompinst, "snapshot", "--format=json", str(program.process.pid)], stdout=subprocess.DEVNULL)
            took = program.run(regions)
            if looking.wait() != 0:
                sys.exit("ompinst snapshot has failed")
            return took

        report("a snapshot each second", alternate(self.options.seconds, lambda: program.run(regions), snapshots))
        program.end()

    def written(self):
        folder = self.folder / "written"
        folder.mkdir()
        here = os.getcwd()
        os.chdir(folder)
        program, plain = self.blocks("measured", POMP_SNAPSHOT="1s"), self.blocks("measured")
        os.chdir(here)
        idle = []
        for blocks in (program, plain):
            blocks.run(1000)
        ticks = [self.ran(blocks.process.pid) for blocks in (program, plain)]
        begin = time.monotonic()
        time.sleep(self.options.seconds)
        length = time.monotonic() - begin
        for blocks, before in zip((program, plain), ticks):
            idle.append((self.ran(blocks.process.pid) - before) / 1e9 / length)
            blocks.end()
        files = len(list(folder.glob("*/*.json")))
        print("%-46s %.3f %% of a processor, %.3f %% without it, %d files" % ("POMP_SNAPSHOT=1s", 100 * idle[0], 100 * idle[1], files), flush=True)

    @staticmethod
    def ran(pid):
        """ns of all threads on a processor, those that have ended with them."""
        return time.clock_gettime_ns(~pid << 3 | 2)

    def pairs(self, what, one, other):
        """Of new processes again and again; the second one's time by the first one's."""
        ratios, end, regions = [], time.monotonic() + self.options.seconds, None
        while time.monotonic() < end or len(ratios) < 6:
            programs = [one(), other()]
            regions = regions or programs[0].regions_of(self.options.block)
            for program in programs:
                program.run(regions)
            sums = [0, 0]
            for block in range(BLOCKS_OF_PROCESS):
                for at in (0, 1) if (block + len(ratios)) % 2 else (1, 0):
                    sums[at] += programs[at].run(regions)
            for program in programs:
                program.end()
            ratios.append(sums[1] / sums[0])
        report(what, ratios)

    def ring(self):
        shared = Path(tempfile.mkdtemp(prefix="live-cost-", dir="/dev/shm"))
        numbers = iter(range(10 ** 9))

        def traced():
            for old in shared.iterdir():
                shutil.rmtree(old, ignore_errors=True)
            return self.blocks("measured", POMP_ENABLE_TRACING="1", POMP_CONVERT="later", POMP_EXPERIMENT_DIRECTORY=str(shared / str(next(numbers))))

        try:
            self.pairs("the ring, against a trace in /dev/shm", traced, lambda: self.blocks("measured", POMP_TRACE_RING="64M"))
            self.pairs("the ring, against a profile alone", lambda: self.blocks("measured"), lambda: self.blocks("measured", POMP_TRACE_RING="64M"))
        finally:
            shutil.rmtree(shared, ignore_errors=True)

    def build(self):
        for kind in self.programs:
            self.pairs("nothing looks, %s, against the other build" % kind, lambda: self.blocks(kind, self.options.other_build), lambda: self.blocks(kind))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--other-build", type=Path, help="of `build`: the one to compare with")
    parser.add_argument("--seconds", type=float, default=60, help="for each comparison (60)")
    parser.add_argument("--block", type=float, default=0.25, help="length of a block in s (0.25)")
    parser.add_argument("what", nargs="+", choices=["top", "snapshot", "written", "ring", "build"])
    options = parser.parse_args()
    if "build" in options.what and not options.other_build:
        parser.error("build: expected --other-build")
    if not {0, 1} <= os.sched_getaffinity(0):
        print("needs processors 0 and 1")
        return 77
    options.build = options.build.resolve()
    os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for what in options.what:
            getattr(bench, what)()
    return 0


sys.exit(main())
