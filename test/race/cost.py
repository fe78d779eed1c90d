#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what one run of `ompinst race run` costs against the same program with plain ThreadSanitizer.

cost.py --ompinst build/instrumenter/ompinst --library build/runtime [--repeats 5] [--runs 1] [--only NAME...]

Each program is compiled by `ompinst race gcc` and by `gcc -fsanitize=thread`, both with the flags. `ompinst race run`, as a whole, with its
start and its report, and as many plain runs with the same numbers of threads on the same runtime take turns; each repeat gives one ratio, and
the median of the ratios counts. Wall time, processor time of all threads (user and system), and the memory of the largest process (resident
at its peak). The programs of test/race/silent take some hundredths of a second, so that the start is most of what is measured; those of
test/race/costs except the stencil take about a second.
"""

import argparse
import glob
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-fopenmp", "-O1", "-g", "-w"]


def timed(commands, environment):
    """Wall and processor time of the commands, one after the other, and the memory of the largest process in MiB."""
    begin, processor, memory = time.monotonic(), 0, 0
    for words, more in commands:
        process = subprocess.Popen(words, env=dict(environment, **more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        processor += used.ru_utime + used.ru_stime
        memory = max(memory, used.ru_maxrss / 1024)
    return time.monotonic() - begin, processor, memory


def measure(path, options, folder):
    """Medians of (wall, processor, memory) of the race run, and of their ratios to the plain one."""
    programs = {}
    for kind, prefix in (("race", [options.ompinst, "race", "gcc"]), ("plain", ["gcc", "-fsanitize=thread"])):
        programs[kind] = os.path.join(folder, kind)
        subprocess.run([*prefix, *FLAGS, path, "-o", programs[kind], "-lm"], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "TSAN_"))}
    run = [options.ompinst, "race", "run", "--quiet", f"--runs={options.runs}", programs["race"]]
    report = os.path.join(folder, "report.json")
    subprocess.run([*run[:-1], "--format=json", f"--output={report}", run[-1]], env=environment, capture_output=True, check=False)
    with open(report, encoding="utf-8") as file:
        threads = [str(run["threads"]) for run in json.load(file)["runs"]]
    plain = [(["setarch", "-R", programs["plain"]], {"OMP_NUM_THREADS": number, "LD_LIBRARY_PATH": options.library,
                                                     "TSAN_OPTIONS": "atexit_sleep_ms=0"}) for number in threads]
    times = [(timed([(run, {})], environment), timed(plain, environment)) for _ in range(options.repeats)]
    own = [statistics.median(race[which] for race, _ in times) for which in range(3)]
    ratios = [statistics.median(race[which] / max(other[which], 1e-3) for race, other in times) for which in range(3)]
    return own, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ompinst", required=True, type=os.path.abspath)
    parser.add_argument("--library", required=True, type=os.path.abspath, help="folder of the bundled runtime")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory(prefix="race-cost-") as folder:
        print(f"{'program':22} {'wall':>7} {'ratio':>6} {'cpu':>7} {'ratio':>6} {'MiB':>7} {'ratio':>6}")
        for path in [path for which in ("costs", "silent") for path in sorted(glob.glob(os.path.join(HERE, which, "*.c")))]:
            name = os.path.splitext(os.path.basename(path))[0]
            if options.only and name not in options.only:
                continue
            own, all_ratios = measure(path, options, folder)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            ratios.append(("of a second" if "about a second" in text else "with tasks" if " task" in text else "without tasks", all_ratios))
            print(f"{name:22} {own[0]:7.3f} {all_ratios[0]:6.2f} {own[1]:7.3f} {all_ratios[1]:6.2f} {own[2]:7.1f} {all_ratios[2]:6.2f}",
                  flush=True)
    for title in ("of a second", "with tasks", "without tasks", "geometric mean"):
        group = [of for kind, of in ratios if title in (kind, "geometric mean")]
        means = [math.exp(statistics.fmean(math.log(of[which]) for of in group)) for which in range(3) if group]
        print(f"{title:22}" + "".join(f" {'':7} {mean:6.2f}" for mean in means))


if __name__ == "__main__":
    main()
