# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of an HTML report, to be looked at after a change of its layout: light and dark, wide and narrow, and
as it is printed.

Usage: picture-html.py PAGE FOLDER
"""
import sys
import tempfile
from pathlib import Path

import browser as chromium


def main():
    page, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = chromium.Browser(profile)
        try:
            for width in (1280, 400):
                for dark in (False, True):
                    browser.show(width, dark)
                    browser.open(page)
                    browser.picture(folder / f"{page.stem}-{width}-{'dark' if dark else 'light'}.png")
            browser.print(folder / f"{page.stem}.pdf")
        finally:
            browser.close()
    print(*sorted(path.name for path in folder.iterdir()), sep="\n")


if not chromium.PROGRAM:
    sys.exit("there is no Chromium")
main()
