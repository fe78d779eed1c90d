# SPDX-License-Identifier: BSD-3-Clause
"""Regions and timeline of the HTML report are one, in a real browser: a row marks its stretches and leads to the worst of
them, a stretch leads to its row, zoomed lanes show nested bars with names, and a wait shows who ended it. Exit
status 77 where there is no Chromium.

Usage: browse-marks.py OMPREPORT MAKE_ARCHIVE
"""
import re

from browsing import browse, report
from tables import expect

STATUS = "document.querySelector('.status').textContent"
TIP = "document.getElementById('tip').textContent"
MARKED = "[...document.querySelectorAll('tr.marked')].map(row => row.cells[0].textContent)"
ROW = "[...document.querySelectorAll('tr.region')].find(row => row.cells[0].textContent.startsWith('%s'))"


def press(browser, key, text=None):
    text = {"Enter": "\r"}.get(key, text)
    browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}))
    browser.call("Input.dispatchKeyEvent", type="keyUp", key=key)


def click(browser, expression):
    """A real click into the middle of the element."""
    x, y = browser.evaluate(f"(e => (e.scrollIntoView({{block: 'center'}}), (b => [b.left + b.width / 2, b.top + b.height / 2])"
                            f"(e.getBoundingClientRect())))({expression})")
    click_at(browser, x, y)


def click_at(browser, x, y):
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


def seen(browser):
    found = re.findall(r"([0-9.]+)", browser.evaluate("document.querySelector('output').value"))
    return [float(text) for text in found]


def place(browser, milliseconds, thread):
    """Where on the screen that is, when all time is shown or a part."""
    return browser.evaluate(f"""(t => {{
        t.view.scrollIntoView({{block: 'center'}});
        const box = t.view.getBoundingClientRect();
        return [box.left + t.scale(({milliseconds} / 1000 - t.data.begin) / t.data.unit), box.top + {thread} * box.height / 4 + 6];
    }})(pageParts.timeline)""")


def check_row(browser, path):
    """20 ms serial, fork 1 ms, the loop 40 ms in which thread t works (t + 1) x 10 ms, join 1 ms; again."""
    browser.open(path)
    click(browser, ROW % "solver.c:12 for")
    expect(browser.evaluate(MARKED) == ["solver.c:12 for"], f"row: marked {browser.evaluate(MARKED)}")
    expect(browser.evaluate(f"{ROW % 'solver.c:12 for'}.getAttribute('aria-current')") == "true", "row: aria-current")
    status = browser.evaluate(STATUS)
    expect("8 stretches" in status and "longest wait: Master thread for 30.00 ms" in status, f"row: {status!r}")
    view = seen(browser)
    expect(view and abs(view[0] - 1) < 0.1 and abs(view[1] - 91) < 0.1, f"row: shows {view}")
    tip = browser.evaluate(TIP)
    for words in ("Master thread, 31.00 ms to 61.00 ms", "barrier wait", "ended by OMP thread 3 at 61.00 ms"):
        expect(words in tip, f"row: no {words!r} in {tip!r}")
    # Below each lane the accent's line, from 21 to 61 ms and not before.
    marks = browser.evaluate("""(t => {
        const pen = t.canvas.getContext('2d');
        const pixels = pen.getImageData(0, t.laneHeight(devicePixelRatio), t.canvas.width, 1).data;
        const x = ms => 4 * Math.round(t.scale((ms / 1000 - t.data.begin) / t.data.unit) * devicePixelRatio);
        return [40, 10].map(ms => [...pixels.slice(x(ms), x(ms) + 4)]);
    })(pageParts.timeline)""")
    expect(marks[0][3] == 255 and marks[0] != marks[1], f"row: marks {marks}")
    # Again takes the mark away.
    click(browser, ROW % "solver.c:12 for")
    expect(browser.evaluate(MARKED) == [] and browser.evaluate(STATUS) == "", "row: the second click")
    # Keys.
    browser.evaluate(f"{ROW % 'solver.c:10 parallel'}.focus()")
    press(browser, "ArrowDown")
    expect(browser.evaluate("document.activeElement.cells[0].textContent") == "solver.c:12 for", "keys: arrow down")
    for key in ("Enter", " "):
        press(browser, key, " ")
        expect(browser.evaluate(MARKED) == (["solver.c:12 for"] if key == "Enter" else []), f"keys: {key!r}")


def check_stretch(browser, path):
    browser.open(path)
    click_at(browser, *place(browser, 45, 0))
    expect(browser.evaluate(MARKED) == ["solver.c:12 for"], f"stretch: marked {browser.evaluate(MARKED)}")
    # The fork is the team's: the parallel region. Idle time belongs to none.
    click_at(browser, *place(browser, 20.5, 2))
    expect(browser.evaluate(MARKED) == ["solver.c:10 parallel"], f"stretch: fork {browser.evaluate(MARKED)}")
    click_at(browser, *place(browser, 5, 2))
    expect(browser.evaluate(MARKED) == [], f"stretch: idle {browser.evaluate(MARKED)}")
    # By keys: the cursor on the first stretch after the fork, and the space bar.
    browser.evaluate("document.querySelector('.lanes').focus()")
    for key in ("Home", "ArrowRight", "ArrowRight", " "):
        press(browser, key)
    expect(browser.evaluate(MARKED) == ["solver.c:12 for"], f"stretch: space {browser.evaluate(MARKED)}")


LANES_TOP = "document.querySelector('.lanes').getBoundingClientRect().top"
IS_SEEN = """(b => b.height > 0 && b.top > -1 && b.left > -1 && b.bottom < innerHeight + 1 && b.right <= innerWidth)
    ((%s).getBoundingClientRect())"""


def check_places(browser, path):
    """A stretch is chosen without moving the page, where the row is out of the window and the status takes several lines, too; a button
    leads to the row. What a row leads to is in the window."""
    marked = "document.querySelector('tr.marked')"
    for width, height in ((1280, 1000), (1280, 500), (390, 700)):
        browser.show(width, height=height)
        browser.open(path)
        for milliseconds, thread, construct in ((45, 0, "solver.c:12 for"), (20.5, 2, "solver.c:10 parallel"), (5, 2, None)):
            x, y = place(browser, milliseconds, thread)
            before = browser.evaluate(LANES_TOP)
            click_at(browser, x, y)
            after = browser.evaluate(LANES_TOP)
            expect(browser.evaluate(MARKED) == ([construct] if construct else []), f"places: {browser.evaluate(MARKED)}, not {construct}")
            expect(abs(after - before) < 1, f"places: a click in a window of {width} x {height} moves the timeline by {after - before} px")
        browser.evaluate("document.querySelector('.lanes').focus()")
        for key in ("Home", "ArrowRight", "ArrowRight"):
            press(browser, key)
        before = browser.evaluate(LANES_TOP)
        press(browser, " ")
        after = browser.evaluate(LANES_TOP)
        expect(abs(after - before) < 1, f"places: the space bar in a window of {width} x {height} moves the timeline by {after - before} px")
        expect(browser.evaluate("document.activeElement.className").startswith("lanes"), "places: the space bar takes the focus away")
        if not browser.evaluate("Boolean(document.querySelector('.status button'))"):
            expect(False, "places: no button leads to the row")
            continue
        click(browser, "document.querySelector('.status button')")
        expect(browser.evaluate(IS_SEEN.replace("b.right <= innerWidth", "true") % marked), "places: the button does not lead to the row")
        expect(browser.evaluate(f"document.activeElement === {marked}"), "places: the button does not lead the keys to the row")
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)  # or it points at the timeline that comes below it
        for _ in "off", "on":
            press(browser, "Enter")
        for part in ("document.querySelector('.cursor')", "document.getElementById('tip')"):
            expect(browser.evaluate(IS_SEEN % part), f"places: {part} is out of a window of {width} x {height}")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_many_lanes(browser, path):
    """The timeline scrolls to the cursor, which the axis does not cover."""
    browser.open(path)
    browser.evaluate("document.querySelector('.lanes').focus()")
    for _ in range(100):
        press(browser, "ArrowDown")
    top, bottom, low, high = browser.evaluate("""[document.querySelector('.cursor'), document.querySelector('.timeline')].flatMap(e =>
        (b => [b.top, b.bottom])(e.getBoundingClientRect()))""")
    axis = browser.evaluate("document.querySelector('.axis').getBoundingClientRect().top")
    expect(low <= top < bottom <= axis < high, f"lanes: the cursor from {top} to {bottom}, the timeline from {low} to {high}, axis {axis}")
    expect(browser.evaluate(IS_SEEN % "document.getElementById('tip')"), "lanes: what is under the cursor is out of the window")


def check_hidden_row(browser, path):
    """A marked row is shown also where it is not among the first 20."""
    browser.open(path)
    construct = browser.evaluate("[...document.querySelectorAll('tr.region')][200].dataset.construct")
    browser.evaluate(f"pageParts.marks.mark({construct})")
    expect(browser.evaluate("document.querySelector('tr.marked').checkVisibility()"), "many: the marked row is hidden")


BARS = """(l => { const found = []; l.bars.forEach(%d, 0, 1e12, (b, e, c, p, d) => found.push([l.bars.nameOf(c, p), d, b, e]));
    return found; })(pageParts.barLayer)"""


def check_bars(browser, path, nested):
    """Depths and names; only where the timeline is zoomed in the lanes have room for them."""
    browser.open(path)
    expect(browser.evaluate("pageParts.timeline.lines") == 0, "bars: in all of the time")
    before = browser.evaluate("pageParts.timeline.view.clientHeight")
    browser.evaluate("document.querySelectorAll('.controls button')[1].click()")
    expect(browser.evaluate("pageParts.timeline.lines") == 3, "bars: not when zoomed in")
    expect(browser.evaluate("pageParts.timeline.view.clientHeight") == before + 4 * 3 * 15, "bars: rows without room")
    bars = browser.evaluate(BARS % 0)
    ms = 1000000
    expect([bar for bar in bars if bar[2] < bar[3] < 62 * ms] ==
           [["solver.c:10 parallel", 0, 21 * ms, 61 * ms], ["solver.c:12 for", 1, 21 * ms, 61 * ms],
            ["barrier at the end of solver.c:12 for", 2, 31 * ms, 61 * ms]], f"bars: {bars}")
    # A name is text in the lane: pixels of the text's colour within the first bar.
    texts = browser.evaluate("""(t => {
        const texts = [], pen = t.canvas.getContext('2d'), fill = pen.fillText;
        pen.fillText = function (text) { texts.push(text); return fill.apply(this, arguments); };
        t.draw(); delete pen.fillText;
        return texts;
    })(pageParts.timeline)""")
    expect("solver.c:12 for" in texts and "solver.c:10 parallel" in texts, f"bars: texts {texts}")
    arrows = browser.evaluate("pageParts.timeline.overlays.find(o => o.drawn).drawn.length")
    expect(arrows > 0, "ends: no arrows")
    browser.evaluate("document.querySelectorAll('.controls button')[2].click()")
    expect(browser.evaluate("pageParts.timeline.view.clientHeight") == before, "bars: room when all is shown again")
    # A parallel region in another one, and what is in a task: deeper than their threads' regions.
    browser.open(nested)
    deepest = browser.evaluate("pageParts.barLayer.bars.depth")
    expect(deepest >= 3, f"nested: {deepest} levels")
    overlaps = browser.evaluate("""pageParts.barLayer.bars.threads.flatMap(({levels}) => levels).some(({begins, ends}) =>
        begins.some((begin, i) => i > 0 && begin < ends[i - 1]))""")
    expect(not overlaps, "nested: bars of one level overlap")


def check_lock(browser, path):
    """mixed: criticals that threads wait for; the holder's release ended the wait."""
    browser.open(path)
    ended = browser.evaluate("""(t => t.lanes.map((_, lane) => [t.overlays.find(o => o.laneOf).laneOf(lane), lane]).map(([ends, lane]) =>
        ends.ends.map((end, i) => [lane, ends.threads[i], end, ends.times[i],
            t.data.activities[[...t.lanes[lane].mixes.tables[t.lanes[lane].numbers[runAt(t.lanes[lane], end - 1)]]]
                .findIndex(share => share > 0)][0]])).flat())(pageParts.timeline)""")
    locks = [row for row in ended if row[4] == "lock"]
    expect(locks, f"lock: no end of a wait for a lock in {ended}")
    for lane, thread, end, at, _ in locks:
        expect(lane != thread and at <= end, f"lock: thread {lane} until {end} by thread {thread} at {at}")


def check_all(browser, folder):
    uneven, many, mixed, tasks, wide = (report(folder, *given) for given in (("uneven",), ("many", "300"), ("mixed",), ("tasks",), ("wide",)))
    for check in (lambda: check_row(browser, uneven), lambda: check_stretch(browser, uneven),
                  lambda: check_places(browser, uneven), lambda: check_many_lanes(browser, wide),
                  lambda: check_hidden_row(browser, many), lambda: check_bars(browser, uneven, tasks),
                  lambda: check_lock(browser, mixed)):
        check()
        expect(not browser.complaints(), f"complaints: {browser.complaints()}")


browse(check_all)
