#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose work grows for a known reason, and what `ompreport scaling --growth` says of each.

growing.py --build BUILD [--runs N] [--threads N] [CAUSE...]

Of each cause the table has the construct with most growth: its growth, the interval, what it is mostly by, and the
sentence. Times are those of this machine at this moment: nothing is judged here.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CAUSES = ["arithmetic", "processor", "faults", "sharing", "repeated", "tasks", "executions", "bandwidth", "latency"]


def build(options, folder):
    """The program with measurement, and with its accesses noted."""
    for name, words in (("measured", ["gcc"]), ("noted", ["sharing", "gcc"])):
        subprocess.run([options.build / "instrumenter/ompinst", *words, "-fopenmp", "-O2", "-g", HERE / "growing.c", "-o", folder / name],
                       check=True, timeout=300)


def libraries(options):
    return {"LD_LIBRARY_PATH": f"{options.build}/runtime:{options.build}/pomp", "OMP_WAIT_POLICY": "passive"}


def profile(options, folder, words, threads, number):
    path = folder / f"{number}-{threads}.json"
    settings = {"OMP_NUM_THREADS": str(threads), "POMP_SUMMARY": str(path), "POMP_SUMMARY_FORMAT": "json", "POMP_SAMPLING": "off"}
    subprocess.run([folder / "measured", *words], env=os.environ | libraries(options) | settings, check=True, timeout=300)
    return path


def shared_lines(options, folder, words, threads):
    path = folder / "sharing.json"
    command = [options.build / "instrumenter/ompinst", "sharing", "run", "--format=json", f"--output={path}", folder / "noted", *words]
    done = subprocess.run(command, env=os.environ | libraries(options) | {"OMP_NUM_THREADS": str(threads)}, timeout=600, check=False)
    return [f"--sharing={path}"] if done.returncode in (0, 1) else []


def measure(options, folder, cause, side):
    program = "arithmetic" if cause == "processor" else cause
    words = [program, "plain" if cause == "processor" else side]
    many = options.threads * (4 if cause == "processor" and side == "plain" else 1)
    paths = [profile(options, folder, words, threads, number) for number in range(options.runs) for threads in (1, many)]
    evidence = shared_lines(options, folder, words, many) if many <= options.threads else []
    done = subprocess.run([options.build / "reports/ompreport", "scaling", "--growth", "--format=json", *evidence, *paths],
                          stdout=subprocess.PIPE, check=True, timeout=60)
    return json.loads(done.stdout)


def show(cause, side, data):
    rows = [row for row in data["scaling_growth"] if row["region"] != "serial part"]
    row = next((row for row in rows if row["cause"]), rows[0] if rows else None)
    if row is None:
        return
    low, high = (row[key] or 0 for key in ("growth_low", "growth_high"))
    print(f"| {cause} | {side} | {row['region']} | {row['growth'] or 0:.2f} ({low:.2f} to {high:.2f}) | {row['cause'] or '-'} |", flush=True)
    for note in data["notes"]:
        if note.startswith(row["region"]):
            print(f"|  |  | {note} | | |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("causes", nargs="*", metavar="CAUSE", help=", ".join(CAUSES))
    options = parser.parse_args()
    options.build = options.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(options, folder)
        print("| cause | side | construct | growth | mostly by |\n|---|---|---|---|---|")
        for cause in options.causes or CAUSES:
            for side in ("plain", "mended"):
                show(cause, side, measure(options, folder, cause, side))


if __name__ == "__main__":
    main()
