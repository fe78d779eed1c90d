# SPDX-License-Identifier: BSD-3-Clause
"""Logs that stop at different times for want of room make an archive that breaks no rule of `ompreport check`.

check-stopped.py PROGRAM OMPREPORT
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, OMPREPORT = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])


def trace(folder, limit):
    """The archive of a run whose logs may have so many bytes, recovered."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")} | {
        "POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off", "POMP_CONVERT": "later", "POMP_MAX_TRACE_SIZE": limit,
        "POMP_EXPERIMENT_DIRECTORY": limit}
    subprocess.run([PROGRAM], env=environment, cwd=folder, capture_output=True, check=True)
    done = subprocess.run([OMPREPORT, "recover", limit], cwd=folder, capture_output=True, text=True, check=False)
    if "this build has no OTF2 library" in done.stderr:
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"check-stopped: {limit}: recover: {done.stderr}")
    return folder / limit


def main():
    with tempfile.TemporaryDirectory() as name:
        lost = {}
        for size in (300, 400, 500, 600, 800, 1000, 1200, 1400, 1600, 1800, 0):
            limit = f"{size}K"
            archive = trace(pathlib.Path(name), limit)
            done = subprocess.run([OMPREPORT, "check", archive], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"check-stopped: {limit}:\n{done.stdout}{done.stderr}")
            info = subprocess.run([OMPREPORT, "info", "--format=json", archive], capture_output=True, text=True,
                                  check=True)
            lost[size] = int(json.loads(info.stdout)["properties"]["POMP::LOST_EVENTS"])
        if lost.pop(0) != 0 or not all(lost.values()):
            sys.exit(f"check-stopped: events lost by limit: {lost}")


main()
