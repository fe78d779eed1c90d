# SPDX-License-Identifier: BSD-3-Clause
"""Traces are written on machines with pages of 64 KiB: check-large-pages.py PROGRAM LIBRARY OMPREPORT

PROGRAM is steady.c, whose threads write logs of several windows; LIBRARY is large-pages.c, preloaded.
"""
import json
import os
import subprocess
import sys
import tempfile

EXIT_STATUS = 3  # of steady.c
PROGRAM, LIBRARY, OMPREPORT = (os.path.abspath(path) for path in sys.argv[1:4])


def main():
    settings = {"LD_PRELOAD": LIBRARY, "POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "trace", "POMP_SUMMARY": "s.json",
                "POMP_SUMMARY_FORMAT": "json"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PROGRAM], cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False)
        if done.returncode != EXIT_STATUS or done.stderr:
            sys.exit(f"the program returned {done.returncode}: {done.stderr}")
        with open(os.path.join(folder, "s.json"), encoding="utf-8") as file:
            summary = json.load(file)
        if summary["lost_events"] != 0 or summary["trace"] is None:
            sys.exit(f"lost events: {summary['lost_events']}, trace: {summary['trace']}")
        checked = subprocess.run([OMPREPORT, "check", "trace"], cwd=folder, capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            sys.exit(checked.stdout + checked.stderr)


main()
