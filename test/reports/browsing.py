# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of pages in Chromium share: archives and their pages, expectations, and a browser for the checks. The
command line is: OMPREPORT MAKE_ARCHIVE."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import browser as chromium
import tables
from tables import MAKE_ARCHIVE, OMPREPORT, TIME_LIMITS, failures

SKIPPED = 77


def make(folder, scenario, number):
    """A new archive, or the one that was made before."""
    path = folder / f"{scenario}-{number}"
    return path if path.exists() else tables.make(folder, scenario, number)


def report(folder, scenario, size="3"):
    """The page of a new archive."""
    path = folder / scenario
    subprocess.run([MAKE_ARCHIVE, scenario, path, size], check=True, timeout=120 * TIME_LIMITS)
    subprocess.run([OMPREPORT, "html", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=60 * TIME_LIMITS)
    return path / "report.html"


def browse(check):
    """Calls check(browser, folder), which returns why nothing could be checked, or None; ends the test."""
    if not chromium.PROGRAM:
        print("there is no Chromium")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        os.environ["MAKE_ARCHIVE_SOURCE"] = str(folder / "source.c")
        browser = chromium.Browser(folder)
        try:
            skipped = check(browser, folder)
        finally:
            browser.close()
    if skipped:
        print(skipped)
        sys.exit(SKIPPED)
    for failure in failures:
        print(f"FAIL: {failure[:2000]}")
    sys.exit(1 if failures else 0)
