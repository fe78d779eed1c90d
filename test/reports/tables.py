# SPDX-License-Identifier: BSD-3-Clause
"""Running ompreport on archives of make-archive.c and comparing what it says; `finish` runs the checks. The
command line is: OMPREPORT MAKE_ARCHIVE."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

OMPREPORT, MAKE_ARCHIVE = sys.argv[1:3]
MS = 1_000_000
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))  # how many times slower than usual this machine is
IS_FULL = os.environ.get("TEST_FULL") == "yes"  # tools/test full
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def expect_values(where, found, wanted):
    for key, value in wanted.items():
        other = found.get(key)
        same = abs(other - value) < 1e-6 if isinstance(value, float) and other is not None else other == value
        expect(same, f"{where}: {key} is {other!r}, not {value!r}")


def run(*arguments, status=0, error=None):
    done = subprocess.run([OMPREPORT, *map(str, arguments)], capture_output=True, timeout=60 * TIME_LIMITS)
    stderr = done.stderr.decode("utf-8", "replace")
    expect(done.returncode == status, f"{arguments}: exit status {done.returncode}, not {status}: {stderr}")
    expect(error in stderr if error else not stderr, f"{arguments}: on stderr: {stderr!r}, not {error!r}")
    return done.stdout.decode("utf-8", "replace")


def unique(pairs):
    """For json.loads(), which takes the last of several members that are called alike."""
    members = dict(pairs)
    expect(len(members) == len(pairs), f"JSON: members called alike: {[name for name, _ in pairs]}")
    return members


def rows(command, path, *options, key=None):
    data = json.loads(run(command, "--format=json", path, *options), object_pairs_hook=unique)
    first = key or list(data[command][0])[0] if data[command] else ""
    return {row[first]: row for row in data[command]}, data


def make(folder, scenario, number=1):
    path = folder / f"{scenario}-{number}"
    subprocess.run([MAKE_ARCHIVE, scenario, path, str(number)], check=True, timeout=120 * TIME_LIMITS)
    return path


def finish(*checks):
    """Each with a folder of its own."""
    with tempfile.TemporaryDirectory() as temporary:
        for check in checks:
            place = Path(temporary) / check.__name__
            place.mkdir()
            check(place)
    for failure in failures:
        print(f"FAIL: {failure}")
    sys.exit(1 if failures else 0)
