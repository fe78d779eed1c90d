# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are strict with descriptors and system calls run as they do without ompinst, instrumented and under
`ompinst run`: check-strict.py OMPINST COMPILER STRICT.C
"""
import os
import pathlib
import subprocess
import sys
import tempfile

OMPINST, COMPILER, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
NO_FILTER = 77


def fail(text):
    sys.exit(f"check-strict: {text}")


def run(command, folder, **rest):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    return subprocess.run([*command], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False, **rest)


def check_data(command, folder, expected):
    """Descriptor 2 is a file of the program's, which gets nothing else."""
    done = run([*command, "data"], folder, preexec_fn=lambda: os.close(2))
    found = (folder / "data").read_text()
    if done.returncode != 0 or found != expected:
        fail(f"{command}: {done.returncode}, the data file has {found[:300]!r}, expected {expected!r}")


def check_allowed(command, folder, expected):
    done = run([*command, "allows"], folder, stderr=subprocess.PIPE)
    if (done.returncode, done.stdout) != (0, expected):
        fail(f"{command}: {done.returncode} {done.stdout!r} {done.stderr}")
    if "ompinst profile" not in done.stderr:
        fail(f"{command}: no profile: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flags = ["-O1", "-g", "-fopenmp", "-D_GNU_SOURCE", SOURCE]
        subprocess.run([COMPILER, *flags, "-o", "plain"], cwd=folder, check=True)
        subprocess.run([OMPINST, COMPILER, *flags, "-o", "instrumented"], cwd=folder, check=True)
        ways = [OMPINST, "run", "./plain"], ["./instrumented"]
        run(["./plain", "data"], folder, preexec_fn=lambda: os.close(2))
        data = (folder / "data").read_text()
        for way in ways:
            check_data(way, folder, data)
        plain = run(["./plain", "allows"], folder)
        if plain.returncode == NO_FILTER:
            print("no filters here")
            return
        for way in ways:
            check_allowed(way, folder, plain.stdout)


main()
