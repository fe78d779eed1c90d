# SPDX-License-Identifier: BSD-3-Clause
"""The report pages by the rules of axe-core, which knows what keeps people with screen readers, keyboards and weak
sight from using a page: no violation, in light and dark, on a phone and on paper. And all that can be used is
reached by the Tab key. Exit status 77 where there is no Chromium or no axe-core (tools/fetch-axe brings it).

Usage: browse-axe.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE
"""
import os
import subprocess
import sys
from pathlib import Path

from browsing import browse, make
from tables import OMPREPORT, TIME_LIMITS, expect, failures

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
PLACES = [Path(os.environ["AXE_CORE"])] if os.environ.get("AXE_CORE") else [
    CACHE / "ompinst/axe.min.js", Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js",
    *(Path(folder) / "axe-core/axe.min.js" for folder in ("/usr/share/nodejs", "/usr/local/lib/node_modules", "/usr/lib/node_modules"))]
# Width, dark, medium.
VIEWS = {"light": (1280, False, ""), "dark": (1280, True, ""), "phone": (390, False, ""), "dark phone": (390, True, ""),
         "print": (718, False, "print")}
# Of one run with its number, and of two sides.
PAGES = {"mixed": 3, "sourced": 3, "hybrid": 1, "messages": 7, "wide": 1, "fleet": 64, "many": 300, "names": 1, "tasks": 1, "nested": 1,
         "foreign": 1, "accelerated": 1, "processor": 3, "nothing": 1, "counted": 1}
COMPARISONS = {"one run": [("mixed", 3), ("mixed", 5)], "several runs": [("large", n) for n in (20, 25, 30, "vs", 40, 42, 44)],
               "hybrid": [("hybrid", 1), ("hybrid", 1)]}
AUDIT = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(
    rule => `${rule.id}: ${rule.help}: ` + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')))"""
# What the Tab key has to come to: what is shown and takes a click or keys, and what scrolls.
USABLE = """(() => {
    const shown = e => e.checkVisibility() && e.getClientRects().length;
    window.usable = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(shown);
    return usable.length;
})()"""


def page_of(folder, name, words):
    output = folder / f"{name} report.html".replace(" ", "-")
    subprocess.run([OMPREPORT, "html", "-o", output, *words], check=True, stderr=subprocess.DEVNULL, timeout=120 * TIME_LIMITS,
                   env=os.environ | {"XDG_CACHE_HOME": str(folder)})
    return output


def pages(folder):
    for scenario, number in PAGES.items():
        yield scenario, page_of(folder, scenario, [make(folder, scenario, number)])
    for name, runs in COMPARISONS.items():
        words = [number if number == "vs" else make(folder, scenario, number) for scenario, number in runs]
        yield f"compared, {name}", page_of(folder, f"compared {name}", words)
    subprocess.run([sys.argv[3], folder / "ranks", "300", "4", "200"], check=True, stdout=subprocess.DEVNULL, timeout=60 * TIME_LIMITS)
    yield "many ranks", page_of(folder, "many ranks", [folder / "ranks"])
    yield "one rank of many", page_of(folder, "one rank", ["--rank=17", folder / "ranks"])


def check_tab(browser, name):
    """One turn of the Tab key through the page."""
    count = browser.evaluate(USABLE)
    if count > 400:
        return
    browser.wait_for_layout()  # sets what depends on sizes
    browser.evaluate("document.activeElement.blur()")
    for _ in range(count + 2):
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        browser.evaluate("document.activeElement.dataset.reached = 1")
    missed = browser.evaluate("usable.filter(e => !e.dataset.reached && e.tabIndex >= 0).map(e => e.outerHTML.slice(0, 120))")
    expect(not missed, f"{name}: Tab does not reach {missed[:4]}")


def check_page(browser, axe, name, path):
    for view, (width, dark, medium) in VIEWS.items():
        browser.show(width, dark)
        browser.call("Emulation.setEmulatedMedia", media=medium,
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        browser.open(path)
        # Of many ranks, with a group and a rank that are open.
        browser.evaluate("typeof rankGroups === 'undefined' ? 0 : (rankGroups.show(17), 0)")
        if view == "light":
            check_tab(browser, name)
        browser.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        browser.call("Runtime.evaluate", expression=axe + ";0")
        for violation in browser.evaluate(AUDIT):
            failures.append(f"{name}, {view}: {violation}")


def check_all(browser, folder):
    place = next((place for place in PLACES if place.exists()), None)
    if not place:
        return "there is no axe-core: tools/fetch-axe brings it"
    axe = place.read_text(encoding="utf-8")
    (folder / "source.c").write_text("the line\n" * 100)
    # For the roofline of "counted".
    (folder / "ompinst").mkdir()
    (folder / "ompinst/machine.json").write_text('{"format": "ompinst-machine", "processor": "p", "processors": 2, "rows": [{"threads": 2,'
                                                 '"triad_bytes_per_s": 1e10, "chain_step_ns": 1, "peak_flops_per_s": 8e10}]}')
    for name, path in pages(folder):
        check_page(browser, axe, name, path)
    return None


browse(check_all)
