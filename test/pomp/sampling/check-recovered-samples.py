# SPDX-License-Identifier: BSD-3-Clause
"""Recovered samples have names: check-recovered-samples.py BUILD SOURCE (killed | static)

The program works in two threads until it is killed, or is linked statically and ends; nearly all of its time is in
work(), called by work_in_team().
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

BUILD, SOURCE, WAY = sys.argv[1:]
LIMIT = 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))


def fail(text):
    sys.exit(f"check-recovered-samples: {text}")


def run(*command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=LIMIT).stdout


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def trace_killed(folder, environment):
    with subprocess.Popen(["./program", "endless"], cwd=folder, env=environment) as process:
        while processor_seconds(process) < 1:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)


def trace_static(folder, environment):
    done = subprocess.run(["./program", "plain"], cwd=folder, env=environment, capture_output=True, timeout=LIMIT)
    if done.returncode != 42:
        fail(f"returned {done.returncode}: {done.stderr}")


def check_paths(folder):
    """Of a program without frame pointers, by unwind tables."""
    run(f"{BUILD}/reports/ompreport", "export", "--folded", "-o", "folded", "trace", folder=folder)
    paths = [line.rpartition(" ") for line in (folder / "folded").read_text().splitlines()]
    whole = [int(count) for path, _, count in paths
             if path.startswith("main;plain;work_in_team;") and path.endswith("work_in_team;work")]
    if sum(whole) < sum(int(count) for _, _, count in paths) / 2:
        fail(f"expected most samples in paths from main to work: {paths}")


def main():
    flags = ["-O1", "-g", "-w", "-fopenmp", "-D_GNU_SOURCE"]
    flags += ["-fomit-frame-pointer", "-static"] if WAY == "static" else []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(f"{BUILD}/instrumenter/ompinst", "gcc", *flags, SOURCE, "-o", "program", folder=folder)
        environment = os.environ | {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "trace",
                                    "OMP_WAIT_POLICY": "passive"}
        environment.pop("LD_LIBRARY_PATH", None)
        (trace_static if WAY == "static" else trace_killed)(folder, environment)
        run(f"{BUILD}/reports/ompreport", "recover", "trace", folder=folder)
        run(f"{BUILD}/reports/ompreport", "check", "trace", folder=folder)
        summary = json.loads(run(f"{BUILD}/reports/ompreport", "summary", "--format=json", "trace", folder=folder))
        print(summary.get("samples"), summary.get("hot"))
        if summary.get("samples", 0) < 100:
            fail(f"{summary.get('samples')} samples of a second")
        functions = {}
        for row in summary["hot"]:
            functions[row["function"]] = functions.get(row["function"], 0) + row["samples"]
        if functions.get("work", 0) < summary["samples"] / 2:
            fail(f"expected most samples in work(): {functions}")
        if not any(row["function"] == "work" and row["file"] and row["line"] > 0 for row in summary["hot"]):
            fail(f"no line of work(): {summary['hot']}")
        if WAY == "static":
            check_paths(folder)


main()
