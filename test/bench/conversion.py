#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast event logs become an archive, on one processor and on more.

conversion.py BENCH-POMP-LOGS OMPREPORT [--threads N] [--calls N] [--rounds N]

The program makes logs of N threads once; then copies of them are converted by `ompreport recover` bound to
1, 2, ... processors, in turns. Prints the best and the median rate and the speed-up of the medians.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time


def convert(logs, ompreport, processors):
    copy = logs.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(logs, copy)
    start = time.monotonic()
    subprocess.run([ompreport, "recover", str(copy)], check=True, stdout=subprocess.DEVNULL,
                   preexec_fn=lambda: os.sched_setaffinity(0, processors))
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("ompreport")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--calls", type=int, default=1000000, help="of each thread")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    available = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        logs = pathlib.Path(name) / "logs"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
        environment |= {"POMP_ENABLE_TRACING": "yes", "POMP_CONVERT": "later",
                        "POMP_SUMMARY": f"{name}/summary.json", "POMP_SUMMARY_FORMAT": "json",
                        "POMP_EXPERIMENT_DIRECTORY": str(logs)}
        subprocess.run([options.program, str(options.threads), str(options.calls)], env=environment, check=True)
        events = json.loads(pathlib.Path(name, "summary.json").read_text())["events"]
        size = sum(path.stat().st_size for path in logs.glob("thread-*"))
        print(f"{events} events of {options.threads} threads, {size / events:.2f} bytes each in the logs")
        counts = sorted({1, min(2, len(available)), len(available)})
        times = {count: [] for count in counts}
        for _ in range(options.rounds):
            for count in counts:
                times[count].append(convert(logs, options.ompreport, available[:count]))
        archive = sum(path.stat().st_size for path in logs.with_name("copy").rglob("*.evt"))
        print(f"{archive / events:.2f} bytes each in the archive")
        for count in counts:
            median = statistics.median(times[count])
            print(f"{count} processors: best {events / min(times[count]) / 1e6:5.1f}, "
                  f"median {events / median / 1e6:5.1f} million events a second, "
                  f"speed-up {statistics.median(times[1]) / median:.2f}")


main()
