# SPDX-License-Identifier: BSD-3-Clause
"""Samples in page faults: check-faults.py BUILD FAULTS_C

The program's page faults come from one line, and its steps are shorter than the time between samples. The samples in
page faults are all in that line, as many as the time that it takes; the archive has the same.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, SOURCE = sys.argv[1:3]
STEPS = 1200
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def line_of(mark):
    return next(number for number, line in enumerate(pathlib.Path(SOURCE).read_text().splitlines(), 1) if f"/* {mark} */" in line)


def run(folder, *command):
    environment = os.environ | {"OMP_WAIT_POLICY": "passive", "POMP_SUMMARY": "summary.json", "POMP_SUMMARY_FORMAT": "json",
                                "POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "archive"}
    environment.pop("LD_LIBRARY_PATH", None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def check(folder):
    flags = ["-g", "-O1", "-fopenmp", "-D_GNU_SOURCE", SOURCE, "-o", "faults"]
    run(folder, f"{BUILD}/instrumenter/ompinst", "gcc", *flags)
    threads = [list(map(float, line.split())) for line in run(folder, "./faults", str(STEPS)).splitlines()]
    summary = json.loads((folder / "summary.json").read_text())
    share = sum(thread[1] for thread in threads) / sum(thread[0] for thread in threads)
    samples, found = summary["samples"], sum(row["fault_samples"] for row in summary["hot"])
    there = sum(row["fault_samples"] for row in summary["hot"] if row["line"] == line_of("touch line"))
    print(f"{found} of {samples} samples are in page faults, {there} in their line, which takes {share:.3f} of the time")
    expect(samples > 100, f"{samples} samples")
    # The line's own work is a small part of its time.
    error = 0.06 + 3 * (share * (1 - share) / samples) ** 0.5
    expect(abs(found / samples - share) < error, f"{found / samples:.3f} of the samples are in page faults, the line takes {share:.3f}")
    expect(there > 0.97 * found, f"{there} of {found} are in the line: {summary['hot']}")
    paths = sum(row["fault_samples"] for row in summary["team_paths"] if row["path"].endswith("step > touch"))
    expect(paths == there, f"paths: {summary['team_paths']}")
    archive = json.loads(run(folder, f"{BUILD}/reports/ompreport", "hot", "--format=json", "archive"))
    rows = {row["line"]: row["fault_samples"] for row in archive["hot"] if row["fault_samples"]}
    expect(rows.get(line_of("touch line")) == there and sum(rows.values()) == found, f"archive: {rows}")
    expect(abs(archive["fault_share"] - found / samples) < 0.02, f"archive: {archive['fault_share']}")
    text = run(folder, f"{BUILD}/reports/ompreport", "hot", "archive")
    expect("faults" in text and "in page faults" in text, text)


with tempfile.TemporaryDirectory() as name:
    check(pathlib.Path(name))
sys.exit("\n".join(f"check-faults: {failure}" for failure in failures) if failures else 0)
