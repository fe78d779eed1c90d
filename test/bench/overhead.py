#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What measuring costs real programs: plain and instrumented runs in pairs, on the same runtime.

overhead.py FOLDER [--pairs N] [--mode both|trace|profile|off] [--runtime FOLDER] [PROGRAM...]

FOLDER is build/real, where `tools/real-programs fasttree graphicsmagick` has left both builds. Both halves of
a pair run one after the other, each first in every other pair. Wall time is the whole process's, processor time
that of all its threads. Prints the median of the pairs' ratios with the interval that holds the true median
with 95 %. Mode `both` leaves the event logs for later; `converted` makes the archive at exit, within the time.
"""
import argparse
import math
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GM = ["benchmark", "-iterations", "{count}", "convert", "in.ppm"]

# name: (plain program, instrumented one, arguments, count)
PROGRAMS = {
    "fasttree": ("fasttree/plain", "fasttree/instrumented", ["-nt", "-quiet", "{real}/fasttree/in.fa"], 0),
    "gm-blur": ("graphicsmagick-plain/utilities/gm", "graphicsmagick/utilities/gm",
                GM + ["-blur", "0x2", "null:"], 20),
    "gm-resize": ("graphicsmagick-plain/utilities/gm", "graphicsmagick/utilities/gm",
                  GM + ["-resize", "50%", "null:"], 40),
    "gm-rotate": ("graphicsmagick-plain/utilities/gm", "graphicsmagick/utilities/gm",
                  GM + ["-rotate", "30", "null:"], 15),
}
MODES = {"both": {"POMP_ENABLE_TRACING": "yes", "POMP_CONVERT": "later"},
         "converted": {"POMP_ENABLE_TRACING": "yes"},
         "trace": {"POMP_ENABLE_TRACING": "yes", "POMP_CONVERT": "later", "POMP_ENABLE_PROFILING": "no"},
         "profile": {}, "off": {"POMP_DISABLE": "yes"}}


def write_image(path):
    """A picture of 2 megapixels for GraphicsMagick."""
    width, height = 1600, 1200
    rows = (bytes((x * y // 7 + c * x) & 255 for x in range(width) for c in (1, 2, 3)) for y in range(height))
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + b"".join(rows))


def run(command, environment, folder):
    """Wall and processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"overhead: {' '.join(command)} returned {done.returncode}: {done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interval(values):
    """The order statistics around the median that hold it with 95 % (normal approximation of the binomial)."""
    values = sorted(values)
    reach = 0.98 * math.sqrt(len(values))
    low = max(0, math.floor(len(values) / 2 - reach))
    high = min(len(values) - 1, math.ceil(len(values) / 2 + reach))
    return values[low], values[high]


def measure(name, options, scratch):
    plain, instrumented, arguments, count = PROGRAMS[name]
    real = str(options.folder.resolve())
    arguments = [part.format(real=real, count=count) for part in arguments]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    environment |= {"OMP_NUM_THREADS": str(options.threads),
                    "MAGICK_CONFIGURE_PATH": f"{real}/graphicsmagick-plain/config"}
    if options.runtime:
        environment["LD_LIBRARY_PATH"] = ":".join(str(path.resolve()) for path in options.runtime)
    trace = scratch / "trace"
    measured = environment | MODES[options.mode] | {"POMP_SUMMARY": str(scratch / "summary"),
                                                    "POMP_EXPERIMENT_DIRECTORY": str(trace)}
    halves = [([f"{real}/{plain}", *arguments], environment), ([f"{real}/{instrumented}", *arguments], measured)]
    pairs = []
    for pair in range(-1, options.pairs):  # the first only warms up
        times = [None, None]
        for half in ((0, 1) if pair % 2 else (1, 0)):
            times[half] = run(*halves[half], scratch)
            shutil.rmtree(trace, ignore_errors=True)
        if pair >= 0:
            pairs.append(times)
    for what, index in ("wall", 0), ("processors", 1):
        ratios = [with_us[index] / without[index] for without, with_us in pairs]
        low, high = interval(ratios)
        print(f"{name:10} {options.mode:8} {what:11} {100 * statistics.median(ratios) - 100:+6.2f} %  "
              f"[{100 * low - 100:+.2f}, {100 * high - 100:+.2f}]  of "
              f"{statistics.median(without[index] for without, _ in pairs):.3f} s, {len(pairs)} pairs", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(PROGRAMS))
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mode", choices=MODES, default="both")
    parser.add_argument("--runtime", type=pathlib.Path, action="append",
                        help="folder of a libgomp.so.1 (and libpomp.so.0) that both run on")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as scratch:
        write_image(pathlib.Path(scratch) / "in.ppm")
        for name in options.programs or PROGRAMS:
            measure(name, options, pathlib.Path(scratch))


main()
