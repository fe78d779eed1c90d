# SPDX-License-Identifier: BSD-3-Clause
"""Shares of a program whose work is in step with the kernel's ticks: check-aligned.py BUILD ALIGNED"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, ALIGNED = sys.argv[1:]
SECONDS = 8


def main():
    with tempfile.TemporaryDirectory() as name:
        summary = pathlib.Path(name) / "summary.json"
        environment = os.environ | {"POMP_SUMMARY": str(summary), "POMP_SUMMARY_FORMAT": "json"}
        command = [f"{BUILD}/instrumenter/ompinst", "run", ALIGNED, str(SECONDS)]
        planted = float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
        rows = json.loads(summary.read_text())["hot"]
    samples = {part: sum(row["samples"] for row in rows if row["function"] == part)
               for part in ("three_parts", "one_part")}
    count = sum(samples.values())
    found = samples["three_parts"] / max(count, 1)
    print(f"planted {planted:.3f}, found {found:.3f} of {count} samples")
    # The first quarter of a second is seen by ticks.
    if count < 50 or abs(found - planted) > 0.04 + 3 * math.sqrt(0.75 * 0.25 / count):
        sys.exit("check-aligned: the shares are wrong")


main()
