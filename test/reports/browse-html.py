# SPDX-License-Identifier: BSD-3-Clause
"""The HTML report in a real browser: Chromium without a window, driven over its debugging pipe. Tables
sort, the timeline zooms and shows what is under the pointer and by keys, nothing is logged as an error, no request
leaves the page, names stay text. Exit status 77 where there is no Chromium.

Usage: browse-html.py OMPREPORT MAKE_ARCHIVE [PART/PARTS]: the second of each three scenarios with 2/3
"""
import re
import shutil
import sys

from browsing import browse, report
from tables import expect

SIZES = {"large": "20000", "fleet": "64", "cluster": "50", "many": "300"}
MOST_WORK = 20_000_000  # blocks of its scripts until a page is open: twice as many as now, less than a second of a usual processor


def check_work(browser, path, what):
    """A page is open soon, however long the run was."""
    work = browser.work_of_opening(path)
    expect(0 < work < MOST_WORK, f"{what}: opening the page takes {work} blocks of its scripts, not fewer than {MOST_WORK}")


COLUMN = """[...document.querySelectorAll('section')].find(s => s.querySelector('#%s'))
    .querySelectorAll('tbody tr').values().map(r => r.cells[%d].textContent).toArray()"""
CLICK = """[...document.querySelectorAll('section')].find(s => s.querySelector('#%s'))
    .querySelectorAll('thead button')[%d].click()"""


INDENTS = """[...document.querySelectorAll('#regions ~ .scroll tbody td.place')].map(td => parseFloat(getComputedStyle(td).paddingLeft))"""


def check_sorting(browser, path):
    browser.open(path)
    calls = [int(v) for v in browser.evaluate(COLUMN % ("regions", 3))]
    indents = browser.evaluate(INDENTS)
    expect(len(calls) > 5 and calls != sorted(calls), "sorting: the example is sorted already")
    expect(indents[0] == 0 and len(set(indents)) == 4, f"sorting: regions within others are indented by {indents}")
    browser.evaluate(CLICK % ("regions", 3))
    expect([int(v) for v in browser.evaluate(COLUMN % ("regions", 3))] == sorted(calls, reverse=True),
           "sorting: first click is not descending")
    expect(set(browser.evaluate(INDENTS)) == {0}, "sorting: indented without the parents")
    browser.evaluate(CLICK % ("regions", 3))
    expect([int(v) for v in browser.evaluate(COLUMN % ("regions", 3))] == sorted(calls), "sorting: second click")
    browser.evaluate(CLICK % ("regions", 3))
    expect([int(v) for v in browser.evaluate(COLUMN % ("regions", 3))] == calls and browser.evaluate(INDENTS) == indents,
           "sorting: third click does not restore the first order")
    browser.evaluate(CLICK % ("regions", 0))
    names = browser.evaluate(COLUMN % ("regions", 0))
    lines = [int(name.split(":")[1].split()[0]) for name in names]
    expect(lines == sorted(lines), f"sorting: names by number: {names}")
    expect(browser.evaluate("document.querySelectorAll('th[aria-sort]').length") == 1, "sorting: aria-sort")


SHOWN = """[...document.querySelectorAll('section')].find(s => s.querySelector('#regions'))
    .querySelectorAll('tbody tr:not([hidden])').values().map(r => r.cells[0].textContent).toArray()"""
PRESS = "document.querySelector('.find button').click()"


def check_long_table(browser, path):
    """301 regions: the first 20, all by a button, and those that are looked for."""
    browser.open(path)
    names = browser.evaluate(COLUMN % ("regions", 0))
    expect(len(names) == 301, f"long table: {len(names)} rows")
    expect(browser.evaluate(SHOWN) == names[:20], "long table: not the first 20 rows")
    expect(browser.evaluate("document.querySelector('.find button').textContent") == "show all 301", "long table: button")
    for _ in "down", "up":
        browser.evaluate(CLICK % ("regions", 0))
    ordered = browser.evaluate(COLUMN % ("regions", 0))
    expect(ordered != names and browser.evaluate(SHOWN) == ordered[:20], "long table: sorted, but not the first 20 shown")
    browser.evaluate(PRESS)
    expect(browser.evaluate(SHOWN) == ordered, "long table: not all")
    browser.evaluate(PRESS)
    expect(browser.evaluate(SHOWN) == ordered[:20], "long table: not the first 20 again")
    wanted = names[-1]
    browser.evaluate("document.querySelector('.find input').focus()")
    browser.call("Input.insertText", text=wanted.upper())
    found = browser.evaluate(SHOWN)
    expect(wanted in found and len(found) < 20 and all(wanted in name for name in found), f"long table: found {found}")
    expect(browser.evaluate("document.querySelector('.find output').value") == f"{len(found)} of 301", "long table: count")
    browser.call("Input.insertText", text=" nothing like it")
    expect(browser.evaluate(SHOWN) == [], "long table: finds what is not there")


def check_source(browser, path):
    """A click on a region's name leads to its line; what lies between two regions is shown on demand."""
    browser.open(path)
    browser.evaluate("document.querySelector('td.place a').click()")
    target = browser.evaluate("(e => e && [e.id, e.textContent])(document.querySelector(':target'))")
    expect(target and target[0] == browser.evaluate("document.querySelector('td.place a').hash.slice(1)") and
           "the line" in target[1], f"source: a click leads to {target}")
    top = browser.evaluate("document.querySelector(':target').getBoundingClientRect().top")
    expect(-1 < top < browser.evaluate("innerHeight"), f"source: the line is at {top}")
    gap = "document.querySelector('.source details')"
    expect(browser.evaluate(f"{gap}.querySelector('code').checkVisibility()") is False, "source: the gap is open")
    browser.evaluate(f"{gap}.querySelector('summary').click()")
    expect(browser.evaluate(f"{gap}.querySelector('code').checkVisibility()"), "source: the gap does not open")


def check_timeline(browser, path):
    browser.open(path)
    browser.evaluate("document.querySelector('.lanes').scrollIntoView({block: 'center'})")
    browser.evaluate("document.querySelector('.lanes').focus()")
    place = "(b => [b.left, b.top, b.width, b.height])(document.querySelector('.lanes').getBoundingClientRect())"
    box = browser.evaluate(place)

    def tip(milliseconds, thread, begin=0, end=124):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved",
                     x=box[0] + box[2] * (milliseconds - begin) / (end - begin), y=box[1] + box[3] * (thread + 0.4) / 4)
        return browser.evaluate("document.getElementById('tip').textContent")

    # 20 ms serial, fork 1 ms, the loop 40 ms in which thread t works (t + 1) x 10 ms, join 1 ms; again.
    for milliseconds, thread, words in ((10, 0, ["Master thread, 0 to 20", "serial part"]),
                                        (25, 3, ["OMP thread 3, 21", "useful work for 40.00 ms", "solver.c:12 for"]),
                                        (45, 0, ["Master thread, 31.00 ms to 61.00 ms", "barrier wait", "solver.c:12 for"]),
                                        (100, 3, ["OMP thread 3", "useful work"]),
                                        (114, 2, ["OMP thread 2", "idle"])):
        text = tip(milliseconds, thread)
        for word in words:
            expect(word in text, f"timeline at {milliseconds} ms, thread {thread}: no {word!r} in {text!r}")
    tip(10, 0)
    for key, word in (("ArrowRight", "Master thread, 20"), ("ArrowDown", "OMP thread 1"), ("ArrowUp", "Master thread"),
                      ("ArrowRight", "Master thread, 21"), ("ArrowLeft", "Master thread, 20")):
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, code=key)
        text = browser.evaluate("document.getElementById('tip').textContent")
        expect(word in text, f"timeline, {key}: {text!r}")

    browser.evaluate("""window.pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
        .getContext('2d', {willReadFrequently: true}); window.seen = () => pen.getImageData(0, 0, 1, 1).data.join(' '); 0""")

    def shows(name, milliseconds, thread, begin=0, end=124):
        """The canvas has that colour from the lane's bottom to its top; lines cross it where a thread waits."""
        seen = browser.evaluate(f"""(c => {{
            const top = Math.round(c.height * {thread / 4}) + 1, height = pageParts.timeline.laneHeight(devicePixelRatio) - 2;
            const x = Math.round(c.width * {(milliseconds - begin) / (end - begin)});
            return [...Array(height).keys()].map(y => (pen.drawImage(c, x, top + y, 1, 1, 0, 0, 1, 1), seen()));
        }})(document.querySelector('.lanes canvas'))""")
        return named(name) in seen and (len(set(seen)) > 1) == (name == "barrier")

    def named(name):
        """A colour of the style sheet as a canvas gives it."""
        return browser.evaluate(f"""(pen.fillStyle = getComputedStyle(document.documentElement)
            .getPropertyValue('--{name}'), pen.fillRect(0, 0, 1, 1), seen())""")

    places = ((10, 0, "serial"), (25, 3, "work"), (45, 0, "barrier"), (90, 0, "barrier"), (114, 2, "lane"))
    for milliseconds, thread, name in places:
        expect(shows(name, milliseconds, thread), f"the lane of thread {thread} at {milliseconds} ms: no {name}")

    # The wheel alone scrolls the page; with Ctrl it zooms, around the pointer, and drags move what is seen.
    def view():
        found = re.fullmatch(r"([0-9.]+)(?: ms)? to ([0-9.]+) ms", browser.evaluate("document.querySelector('output').value"))
        return [float(text) for text in found.groups()] if found else None

    def wheel(milliseconds, turns, modifiers):
        for _ in range(turns):
            browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=box[0] + box[2] * milliseconds / 124,
                         y=box[1] + 10, deltaX=0, deltaY=-240 if modifiers else 0.001, modifiers=modifiers)

    wheel(31, 1, 0)
    expect(view() is None, "timeline: the wheel alone zooms")
    wheel(31, 5, 2)
    seen = view()
    expect(seen and 0 < seen[0] < 31 < seen[1] < 100 and abs((31 - seen[0]) / (seen[1] - seen[0]) - 0.25) < 0.01,
           f"timeline: the wheel zooms to {seen}")
    box = browser.evaluate(place)  # lanes have bars below them now
    for milliseconds, thread, words in ((30.8, 0, ["useful work", "solver.c:12 for"]), (31.2, 0, ["barrier wait"]),
                                        (31.2, 1, ["useful work"])):
        text = tip(milliseconds, thread, *seen)
        for word in words:
            expect(word in text, f"zoomed timeline at {milliseconds} ms, thread {thread}: no {word!r} in {text!r}")
    expect(shows("work", 30.8, 0, *seen) and shows("barrier", 31.2, 0, *seen), "zoomed lane's colours")
    for kind, x in (("mousePressed", 400), ("mouseMoved", 300), ("mouseReleased", 300)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=box[0] + x, y=box[1] + 10, button="left", buttons=1, clickCount=1)
    moved, by = view(), (seen[1] - seen[0]) * 100 / box[2]
    expect(moved and abs(moved[0] - seen[0] - by) < 0.01 * by, f"timeline: dragged from {seen} to {moved}, not by {by} ms")
    for key, check in (("+", lambda now: now[1] - now[0] < (moved[1] - moved[0]) * 0.51), ("0", lambda now: now is None)):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        expect(check(view()), f"timeline: {key} shows {view()}")
    browser.wait_for_timers()  # until the first one after a drag, D3 swallows clicks
    browser.evaluate("document.querySelectorAll('.controls button')[1].click()")
    expect(view() and abs(view()[1] - view()[0] - 62) < 0.5, f"timeline: the button shows {view()}")
    browser.evaluate("document.querySelectorAll('.controls button')[2].click()")
    expect(view() is None, f"timeline: 'all' shows {view()}")


def check_headings(browser, path):
    """A heading for each process opens and closes its lanes by pointer and keys; many processes begin closed."""
    rows = """[...document.querySelectorAll('.labels > span:not([hidden])')].map(span => span.textContent)"""
    headings = "document.querySelectorAll('.heading button')[%d]%s"
    height = "Math.round(document.querySelector('.lanes').clientHeight / parseFloat(getComputedStyle(document.querySelector('.labels > span')).height))"
    check_work(browser, path, "fleet")
    browser.open(path)
    seen = browser.evaluate(rows)
    expect(len(seen) == 64 and seen[3] == "process 3 (Process)", f"fleet: {len(seen)} rows, {seen[:5]}")
    browser.evaluate(headings % (2, ".click()"))
    expect(browser.evaluate(rows)[2:8] == ["process 2 (Process)", "threads 0 to 3", "threads 4 to 7", "threads 8 to 11",
                                           "threads 12 to 15", "process 3 (Process)"], f"fleet: opened {browser.evaluate(rows)[:9]}")
    expect(browser.evaluate(headings % (2, ".ariaExpanded")) == "true" and browser.evaluate(height) == 68, "fleet: lanes")
    # By keys: what the focused button is, and in the timeline Enter on any row of the process.
    browser.evaluate(headings % (2, ".focus()"))
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
    expect(browser.evaluate(headings % (2, ".ariaExpanded")) == "false", "fleet: Enter on a heading")
    browser.evaluate("document.querySelector('.lanes').focus()")

    def press(*keys):
        for key in keys:
            browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, code=key)
        return browser.evaluate("document.getElementById('tip').textContent")

    text = press("ArrowDown", "ArrowRight")
    # The end of the serial part of the process's first thread, as precise as this many lanes are.
    expect(text.startswith("process 1 (Process), 99") and "% useful work" in text, f"fleet: {text!r}")
    press("Enter", "ArrowDown", "ArrowDown")
    text = press("ArrowDown")
    expect(text.startswith("process 1, threads 8 to 11"), f"fleet: {text!r}")
    text = press("Enter")
    expect(text.startswith("process 1 (Process)") and len(browser.evaluate(rows)) == 64, f"fleet: closed {text!r}")
    check_widths(browser, path)


NAMES = """[...document.querySelectorAll('.labels > span:not([hidden])')].map(span => {
    const range = document.createRange(), text = (span.querySelector('button') || span).firstChild;
    const clipped = edges => {  /* how much of the text the boxes around it cut off on these sides; what scrolls aside */
        let cut = -1000;
        for (let box = text.parentElement; !box.matches('.timeline'); box = box.parentElement) {
            const style = getComputedStyle(box), seen = box.getBoundingClientRect(), drawn = range.getBoundingClientRect();
            for (const edge of edges)
                if (style[edge === 'right' ? 'overflowX' : 'overflowY'] !== 'visible')
                    cut = Math.max(cut, edge === 'top' ? seen.top - drawn.top : drawn[edge] - seen[edge]);
        }
        return cut;
    };
    range.selectNodeContents(text);
    const beside = span.getBoundingClientRect().right - document.querySelector('.lanes').getBoundingClientRect().left;
    const whole = [beside, clipped(['top', 'bottom']), clipped(['right'])];
    range.setEnd(text, text.data.search(/\\d/) + (text.data.match(/\\d+/) || [''])[0].length);
    return [text.data, span.title, ...whole, clipped(['right']) + parseFloat(getComputedStyle(span).fontSize)];
})"""


def check_names(browser, path):
    """No name of a lane is cut where there is room; on a phone its end may be, but not the number. Letters are whole also in low rows."""
    for width in (1280, 390):
        browser.show(width)
        browser.open(path)
        if width == 390:
            browser.evaluate("document.querySelector('.heading button').click()")
        names = browser.evaluate(NAMES)
        expect(names[0][0] == "rank 0 (node-001234.cluster.example)" and len(names) == (50 if width == 1280 else 54), f"names: {names[:5]}, {len(names)}")
        for name, title, over, high, wide, number in names:
            expect(over <= 0, f"names: {name!r} covers {over} px of its lane in a window of {width}")
            expect(high <= 0.5, f"names: {high} px of the height of {name!r} are cut in a window of {width}")
            expect(wide <= 0.5 or width == 390, f"names: {wide} px of {name!r} are cut in a window of {width}")
            expect(number <= 0.5 or wide <= 0.5, f"names: the number in {name!r} is cut in a window of {width}: {number}")
            expect(title.endswith(name), f"names: {name!r} has the title {title!r}")
    browser.call("Emulation.clearDeviceMetricsOverride")
    check_widths(browser, path)


def check_hybrid(browser, path):
    """Light and dark, wide and narrow: the pictures of ranks are seen, and their squares show their figures."""
    colours = set()
    for width, dark in ((1280, False), (400, True)):
        browser.show(width, dark)
        browser.open(path)
        colours.add(browser.evaluate("getComputedStyle(document.querySelector('.heat rect')).fill"))
        wide = browser.evaluate("document.documentElement.scrollWidth")
        seen = browser.evaluate("[...document.querySelectorAll('.heat rect')].filter(r => r.getBoundingClientRect().width > 9).length")
        expect(wide <= width and seen == 8 + 3, f"hybrid: {wide} wide of {width}, {seen} squares")
    expect(len(colours) == 2, f"hybrid: {colours} light and dark")
    # In an open heading's row there is nothing but lines: of the message of 50 ms from row 1 to 4, and none at 20 ms.
    for milliseconds, wanted in ((50.6, True), (20, False)):
        drawn = browser.evaluate(f"""(c => [...c.getContext('2d').getImageData(Math.round(c.width * {milliseconds} / 174) - 3,
            Math.round(c.height * 3.3 / 12), 7, 1).data].some((value, i) => i % 4 === 3 && value > 0))
            (document.querySelector('.lanes canvas'))""")
        expect(drawn == wanted, f"hybrid: a line at {milliseconds} ms: {drawn}")
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.open(path)
    browser.evaluate(CLICK % ("calls", 5))
    expect(browser.evaluate(COLUMN % ("calls", 0))[0] == "MPI_Recv", "hybrid: calls by late sender")
    expect("rank 0" in browser.evaluate("document.querySelector('rect.messages title').textContent"), "hybrid: title")


def check_large(browser, path):
    """What the canvas and the static picture show adds up to the same shares, and it opens soon."""
    check_work(browser, path, "large")
    browser.open(path)
    shares = browser.evaluate("""(() => {
        const data = JSON.parse(document.getElementById('timeline-data').textContent);
        const mixes = new Mixes(data.activities.length), shares = new Float32Array(data.activities.length);
        return data.lanes.map(text => (sharesOf([decodeLane(text, mixes)], 0, data.units, 1, shares), [...shares]));
    })()""")
    rows = browser.evaluate("""[...document.querySelector('#threads').closest('section').querySelectorAll('tbody tr')]
        .map(row => [...row.cells].slice(2).map(cell => Number(cell.dataset.v)))""")
    titles = browser.evaluate("JSON.parse(document.getElementById('timeline-data').textContent).activities.map(a => a[1])")
    columns = browser.evaluate("""[...document.querySelector('#threads').closest('section').querySelectorAll('thead th')]
        .slice(2).map(th => th.textContent)""")
    expect({"serial part", "useful work", "barrier wait", "idle"} <= set(columns), f"large: columns {columns}")
    for lane, row in zip(shares, rows):
        for index, value in zip(map(titles.index, columns), row):
            expect(abs(lane[index] - value / sum(row)) < 0.01, f"large: shares {lane}, times {row}")


def check_call_paths(browser, path):
    """Boxes lie below the one that calls them and nowhere overlap; they zoom and are found by pointer and keys."""
    browser.open(path)
    boxes = """[...document.querySelectorAll('.flame span')].filter(box => box.checkVisibility()).map(box => {
        const {left, width} = box.getBoundingClientRect(), all = document.querySelector('.flame').getBoundingClientRect();
        return [box.firstChild.data.trim(), Math.round(100 * (left - all.left) / all.width), Math.round(100 * width / all.width)]; })"""
    # 35 samples: main 21, solve 9, serial part 5; names repeat on other paths.
    found = browser.evaluate(boxes)
    expect([box for box in found if box[0] in ("main", "serial part", "read_input", "waits")] ==
           [["main", 0, 60], ["waits", 77, 9], ["serial part", 86, 14], ["main", 86, 14], ["read_input", 86, 11]], f"call paths: {found}")
    heights = browser.evaluate("""[...document.querySelectorAll('.flame li li')].map(item =>
        item.firstElementChild.getBoundingClientRect().top - item.parentElement.parentElement.firstElementChild.getBoundingClientRect().top)""")
    expect(len({round(height) for height in heights}) == 1 and heights[0] > 15, f"call paths: boxes lie {heights} below the one above")
    bottom = browser.evaluate("""(picture => Math.max(...[...picture.querySelectorAll('span')].map(box => box.getBoundingClientRect().bottom)) -
        picture.getBoundingClientRect().bottom)(document.querySelector('.flame'))""")
    expect(bottom <= 0, f"call paths: they extend {bottom} px below their picture")
    status = "document.querySelector('section[aria-labelledby=flame] output').value"
    focused = "document.activeElement.firstChild.data.trim()"
    # The Tab key reaches the first box; from there arrows lead to main > solve > the task > kernel.
    browser.evaluate("document.querySelector('section[aria-labelledby=flame] input').focus()")
    browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    for key, name in (("ArrowDown", "solve"), ("ArrowDown", "source.c:12 for"), ("ArrowRight", "source.c:37 task"), ("ArrowDown", "kernel"),
                      ("ArrowUp", "source.c:37 task"), ("ArrowLeft", "source.c:12 for"), ("ArrowRight", "source.c:37 task"),
                      ("Enter", "source.c:37 task")):
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, code=key)
        expect(browser.evaluate(focused) == name, f"call paths: {key} leads to {browser.evaluate(focused)!r}, not {name!r}")
    found = browser.evaluate(boxes)
    expect(found == [[name, 0, 100] for name in ("main", "solve", "source.c:37 task", "kernel")],
           f"call paths: zoomed {found}")
    expect("samples 6 (17.1%)" in browser.evaluate(status), f"call paths: zoomed {browser.evaluate(status)!r}")
    browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Escape", code="Escape")
    expect(len(browser.evaluate(boxes)) == 13, "call paths: Escape does not show all")
    # A click zooms, another one shows all again; so does the button.
    for back in ("document.querySelectorAll('.flame span')[1].click()", "document.querySelector('section[aria-labelledby=flame] button').click()"):
        browser.evaluate("document.querySelectorAll('.flame span')[1].click()")
        expect(len(browser.evaluate(boxes)) == 6, f"call paths: a click shows {browser.evaluate(boxes)}")
        browser.evaluate(back)
        expect(len(browser.evaluate(boxes)) == 13, f"call paths: {back} does not show all")
    # kernel has 27 of 35 samples; what is found within what is found counts once; the same in a selection.
    browser.evaluate("document.querySelector('section[aria-labelledby=flame] input').focus()")
    browser.call("Input.insertText", text="kernel")
    expect(browser.evaluate(status) == "3 of 13 boxes, 77.1% of the samples", f"call paths: found {browser.evaluate(status)!r}")
    browser.evaluate("(box => (box.value = 'SO', box.dispatchEvent(new Event('input'))))(document.querySelector('section[aria-labelledby=flame] input'))")
    expect(browser.evaluate(status) == "5 of 13 boxes, 85.7% of the samples", f"call paths: found {browser.evaluate(status)!r}")
    browser.evaluate("pageParts.selection && pageParts.selection.show({...NOTHING, thread: '1'})")
    if browser.evaluate("pageParts.selection !== null"):
        expect(browser.evaluate(status) == "2 of 4 boxes, 100.0% of the samples", f"call paths: found of a thread {browser.evaluate(status)!r}")
        expect(browser.evaluate("document.querySelector('.flame').closest('section').classList.contains('selected')"), "call paths: not selected")
        browser.evaluate("pageParts.selection.show({...NOTHING, from: 0, to: 20000000})")
        expect(browser.evaluate(boxes)[0] == ["serial part", 0, 100], f"call paths: of a time {browser.evaluate(boxes)}")
    colours = set()
    for dark in (False, True):
        browser.show(1280, dark)
        browser.open(path)
        colours.add(browser.evaluate("getComputedStyle(document.querySelector('.flame span')).backgroundColor"))
    expect(len(colours) == 2, f"call paths: light and dark are {colours}")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_widths(browser, path):
    """Nothing makes the page itself wider than the window."""
    for width in (1280, 400):
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        browser.open(path)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        expect(wide <= width, f"the page is {wide} wide in a window of {width}")
    # A4 less its margins; on paper nothing scrolls.
    browser.show(718)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.open(path)
    wide = browser.evaluate("document.documentElement.scrollWidth")
    expect(wide <= 718, f"printed, the page is {wide} wide")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_all(browser, folder):
    (folder / "source.c").write_text("the line\n" * 100)
    checks = (("mixed", check_sorting), ("uneven", check_timeline), ("mixed", check_widths), ("processor", check_widths),
              ("many", check_long_table), ("sourced", check_source),
              ("processor", check_call_paths), ("hybrid", check_hybrid), ("large", check_large), ("fleet", check_headings), ("cluster", check_names),
              ("names", None), ("nothing", None), ("nested", None))
    part, parts = map(int, (*sys.argv[3:], "1/1")[0].split("/"))
    for scenario, check in checks[part - 1::parts]:
        path = report(folder, scenario, SIZES.get(scenario, "3"))
        if check:
            check(browser, path)
        else:
            browser.open(path)
        complaints = browser.complaints()
        expect(not complaints, f"{scenario}: {complaints}")
        shutil.rmtree(path.parent)


browse(check_all)
