# SPDX-License-Identifier: BSD-3-Clause
"""Sums of steps of time, which pages of large runs hold, against the analysis of the same part: check-cuts.py CUTS-TEST MAKE_ARCHIVE"""
import subprocess
import sys
import tempfile
from pathlib import Path

CUTS_TEST, MAKE_ARCHIVE = sys.argv[1:3]
SCENARIOS = {"uneven": "3", "contention": "3", "overtaken": "3", "tasks": "3", "nested": "3", "sourced": "3", "mixed": "5",
             "large": "300", "many": "60", "processor": "300"}

with tempfile.TemporaryDirectory() as folder:
    paths = [str(Path(folder) / name) for name in SCENARIOS]
    for path, (name, size) in zip(paths, SCENARIOS.items()):
        subprocess.run([MAKE_ARCHIVE, name, path, size], check=True)
    sys.exit(subprocess.run([CUTS_TEST, *paths], check=False).returncode)
