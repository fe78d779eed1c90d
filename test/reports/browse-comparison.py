# SPDX-License-Identifier: BSD-3-Clause
"""The page about runs of two sides in Chromium: both timelines on one scale, columns sort by signed changes, nothing
is wider than the window, with and without JavaScript, and names stay text. Exit status 77 where there is no
Chromium.

Usage: browse-comparison.py OMPREPORT MAKE_ARCHIVE
"""
import subprocess

from browsing import browse, make
from tables import OMPREPORT, expect


def compare(folder, *words):
    output = folder / "report.html"
    subprocess.run([OMPREPORT, "html", "-o", output, *words], check=True, stderr=subprocess.DEVNULL)
    return output


BOXES = """[...document.querySelectorAll('%s')].map(e => (b => [b.left, b.width, b.height])(e.getBoundingClientRect()))"""
VALUES = """[...document.querySelector('#regions').closest('section').querySelectorAll('tbody tr')]
    .map(row => Number(row.cells[%d].dataset.v))"""
CLICK = """document.querySelector('#regions').closest('section').querySelectorAll('thead button')[%d].click()"""


def check_timelines(browser):
    """The lanes of both begin at the same place, and the shorter run's picture is as wide as it took."""
    (one, *_), (other, *_) = lanes = browser.evaluate(BOXES % ".lanes")
    expect(len(lanes) == 2 and one == other, f"timelines: {lanes}")
    first, second = browser.evaluate(BOXES % ".lanes svg")
    expect(abs(first[1] / second[1] - 0.5) < 0.01 and first[2] > 50, f"timelines: {first}, {second}")
    axis = browser.evaluate(BOXES % ".axis")
    expect(len(axis) == 1 and abs(axis[0][0] - one) < 1, f"timelines: axis {axis}")


def check_sorting(browser):
    """Growth first, then what shrank: by signed numbers."""
    browser.evaluate(CLICK % 4)
    values = browser.evaluate(VALUES % 4)
    expect(values == sorted(values, reverse=True) and min(values) < 0 < max(values), f"sorting: {values}")
    browser.evaluate(CLICK % 4)
    expect(browser.evaluate(VALUES % 4) == values[::-1] or sorted(values) == browser.evaluate(VALUES % 4), "sorting: ascending")


def check_widths(browser, path):
    for width, dark, media in ((1280, False, ""), (390, True, ""), (718, False, "print")):
        browser.show(width, dark)
        browser.call("Emulation.setEmulatedMedia", media=media)
        browser.open(path)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        expect(wide <= width, f"{path.parent.name}: {wide} wide in a window of {width} {media}")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_without_scripts(browser, path):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(browser.evaluate("document.querySelectorAll('thead button').length") == 0, "without scripts: a script ran")
    expect(all(box[2] > 50 for box in browser.evaluate(BOXES % ".lanes svg")), "without scripts: no pictures")
    expect(browser.evaluate("document.querySelectorAll('#regions, #advice, #figures').length") == 3, "without scripts: no tables")


def check_pages(browser, folder):
    path = compare(folder, make(folder, "mixed", 3), make(folder, "mixed", 5))
    browser.open(path)
    check_sorting(browser)
    check_widths(browser, path)
    same = make(folder, "large", 200), make(folder, "large", 400)
    path = compare(folder, *same)
    browser.open(path)
    check_timelines(browser)
    check_without_scripts(browser, path)
    runs = [make(folder, "large", n) for n in (20, 25, 30, 40, 42, 44)]
    path = compare(folder, *runs[:3], "vs", *runs[3:])
    check_widths(browser, path)
    points = browser.evaluate(BOXES % ".strip i")
    expect(len(points) == 6 and [p[0] for p in points] == sorted(p[0] for p in points), f"runs: {points}")
    check_widths(browser, compare(folder, make(folder, "names", 1), make(folder, "names", 2)))
    expect(browser.evaluate("document.title").startswith("./a.out <img"), "names: title")


def check_all(browser, folder):
    check_pages(browser, folder)
    complaints = browser.complaints()
    expect(not complaints, f"{complaints}")


browse(check_all)
