# SPDX-License-Identifier: BSD-3-Clause
"""Prints the folder of a shared library that the loader does not find by itself: run-path.py LIBRARY

Nothing where it does. The loader's list is asked for, and where there is none (musl), its usual folders are taken.
"""

import os
import re
import subprocess
import sys

USUAL = ("/lib", "/usr/lib", "/usr/local/lib")


def known_libraries():
    """The paths in the loader's list, or None where there is no list."""
    for program in ("ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"):
        try:
            listed = subprocess.run([program, "-p"], capture_output=True, text=True, check=False, timeout=30).stdout
        except OSError:
            continue
        paths = re.findall(r"=> (.*)", listed)
        if paths:
            return paths
    return None


def run_path(library):
    folder, known = os.path.dirname(os.path.abspath(library)), known_libraries()
    if known is None:
        return "" if folder in USUAL else folder
    stem = re.sub(r"[-.].*", "", os.path.basename(library))
    real = os.path.realpath(library)
    return "" if any(os.path.basename(path).startswith(stem) and os.path.realpath(path) == real for path in known) else folder


if __name__ == "__main__":
    print(run_path(sys.argv[1]))
