# SPDX-License-Identifier: BSD-3-Clause
"""The colours of the report page, as readers with and without colour blindness see them.

Each two activities must differ by LEAST in CAM02-UCS (1 is about what can just be noticed), for normal sight
and for protanopia, deuteranopia and tritanopia (the model of Machado, Oliveira and Fernandes, 2009, at full
severity), by light and by dark. Exit status 77 where python3-colorspacious is missing.

Usage: check-colours.py PAGE_CSS
"""
import itertools
import re
import sys
from pathlib import Path

try:
    from colorspacious import cspace_convert
except ImportError:
    print("skipped: python3-colorspacious is not installed")
    sys.exit(77)

LEAST = 18
ACTIVITIES = ["none", "serial", "work", "task", "mpi", "team", "task-wait", "lock", "barrier", "delayed", "blocked"]
SIGHTS = {"normal": None} | {
    name: {"name": "sRGB1+CVD", "cvd_type": kind, "severity": 100}
    for name, kind in (("protanopia", "protanomaly"), ("deuteranopia", "deuteranomaly"), ("tritanopia", "tritanomaly"))}


def palettes(css):
    """The activities' colours in the two colour schemes."""
    light, dark = css.split("@media (prefers-color-scheme: dark)")[:2]
    for scheme, text in (("light", light), ("dark", dark)):
        found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))
        yield scheme, {name: found[name] for name in ACTIVITIES}


def seen(colour, sight):
    """Where a colour lies in CAM02-UCS for that sight."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    if sight:
        channels = [min(1, max(0, channel)) for channel in cspace_convert(channels, sight, "sRGB1")]
    return cspace_convert(channels, "sRGB1", "CAM02-UCS")


def main():
    failures = pairs = 0
    for scheme, colours in palettes(Path(sys.argv[1]).read_text(encoding="utf-8")):
        for (name, sight), (one, other) in itertools.product(SIGHTS.items(), itertools.combinations(colours, 2)):
            distance = sum((a - b) ** 2 for a, b in zip(seen(colours[one], sight), seen(colours[other], sight))) ** 0.5
            pairs += 1
            if distance < LEAST:
                failures += 1
                print(f"FAIL: {scheme}, {name}: {one} {colours[one]} and {other} {colours[other]}: "
                      f"{distance:.1f} apart, expected {LEAST} at least")
    print(f"{pairs} pairs compared")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
