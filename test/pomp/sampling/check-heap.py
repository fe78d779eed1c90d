# SPDX-License-Identifier: BSD-3-Clause
"""Measuring keeps nothing among the program's arrays: check-heap.py BUILD HEAP_C

Memory that malloc() gives back to the kernel in each step goes back in a measured program, too, as page faults show. A
large block that is freed once may let malloc() keep 2 of the 8 MB.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, SOURCE = sys.argv[1:3]
# Of 60 steps with 1,950 pages each.
LEAST = 100000


def faults(folder, *command):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    environment |= {"OMP_WAIT_POLICY": "passive", "POMP_SUMMARY": "summary.txt"}
    environment.pop("LD_LIBRARY_PATH", None)
    return int(subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout)


def main():
    ompinst = f"{BUILD}/instrumenter/ompinst"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flags = ["-g", "-O1", "-fopenmp", SOURCE]
        subprocess.run(["gcc", *flags, "-o", "plain"], cwd=folder, check=True)
        subprocess.run([ompinst, "gcc", *flags, "-o", "instrumented"], cwd=folder, check=True)
        plain = faults(folder, "./plain")
        for command in ([ompinst, "run", "./plain"], ["./instrumented"]):
            measured = faults(folder, *command)
            print(f"{plain} page faults, {measured} measured by {command}")
            if plain < LEAST or measured < 0.7 * plain:
                sys.exit(f"check-heap: {plain} page faults, {measured} by {command}")


main()
