# SPDX-License-Identifier: BSD-3-Clause
"""The page of many ranks in Chromium: groups open by pointer and keys and show their ranks, of which only those in view are in the
document; a chosen rank shows its times, its threads and what it did. Exit status 77 where there is no Chromium.

Usage: browse-ranks.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE
"""
import re
import subprocess
import sys

from browsing import browse
from rank_page import RankPage
from tables import IS_FULL, OMPREPORT, TIME_LIMITS, expect

RANK_ARCHIVE = sys.argv[3]
MANY = 16384 if IS_FULL else 4096
MOST_WORK = MANY * 370  # blocks of its scripts until a page of so many ranks is open: twice as many as now
MOST_ELEMENTS = 12_000  # of a page of so many ranks, whatever is open
ROWS = "[...document.querySelectorAll('.rows [role=option]')]"
SHOWN = f"""{ROWS}.filter(row => {{
    const box = document.querySelector('.rows').getBoundingClientRect(), own = row.getBoundingClientRect();
    return own.top >= box.top - 1 && own.bottom <= box.bottom + 1; }})"""
ORDERED = "sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)"
NAMES = f"{SHOWN}.{ORDERED}.map(row => row.firstChild.textContent.trim())"
CHOSEN = "(box => box && box.firstChild.textContent.trim())(document.querySelector('.details strong'))"
BUTTON = "document.querySelectorAll('.groups > tbody > tr > th > button')[%d]"


def page_of(folder, *sizes):
    path = folder / ("ranks-" + "x".join(map(str, sizes)))
    subprocess.run([RANK_ARCHIVE, path, *map(str, sizes)], check=True, stdout=subprocess.DEVNULL, timeout=120 * TIME_LIMITS)
    subprocess.run([OMPREPORT, "html", path], check=True, stdout=subprocess.DEVNULL, timeout=120 * TIME_LIMITS)
    return path / "report.html"


def press(browser, key, text=""):
    for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, **({"text": text, "windowsVirtualKeyCode": 13} if text else {}))


def click(browser, element):
    """With the pointer, in the element's middle."""
    x, y = browser.evaluate(f"""(element => {{ element.scrollIntoView({{ block: 'center' }}); const box = element.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2]; }})({element})""")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    browser.wait_for_layout()


def members(page, group):
    return [f"rank {page.numbers[rank]}" for rank, of in enumerate(page.groups) if of == group]


def check_groups(browser, path, page):
    """One group is open at a time; its list has its ranks in their order, however far it is scrolled."""
    browser.open(path)
    expect(browser.evaluate("document.querySelectorAll('.opened').length") == 0, "groups: one is open at first")
    for group in (0, 1):
        click(browser, BUTTON % group)
        wanted = members(page, group)
        expect(browser.evaluate("[...document.querySelectorAll('.groups > tbody > tr > th > button')].map(button => button.ariaExpanded)")
               == [str(group == other).lower() for other in range(len(set(page.groups)))], f"groups: {group} is not the only open one")
        expect(browser.evaluate("[...document.querySelectorAll('.opened')].map(row => row.previousElementSibling.dataset.group)") == [str(group)],
               f"groups: the list of {group} is elsewhere")
        names = browser.evaluate(NAMES)
        expect(8 < len(names) < 40 and names == wanted[:len(names)], f"groups: {group} shows {names}")
        expect(browser.evaluate(f"{ROWS}[0].ariaSetSize") == str(len(wanted)), f"groups: the list is not of {len(wanted)}")
        browser.evaluate("(box => box.scrollTop = box.scrollHeight)(document.querySelector('.rows'))")
        browser.wait_for_layout()
        names = browser.evaluate(NAMES)
        expect(names == wanted[-len(names):], f"groups: the end of {group} is {names}")
        expect(browser.evaluate(f"{ROWS}.length") < 60, "groups: more rows than are seen")
    click(browser, BUTTON % 1)
    expect(browser.evaluate("document.querySelectorAll('.opened').length") == 0, "groups: a second click does not close")
    # The picture opens its group, too.
    click(browser, "document.querySelectorAll('tbody .over-time')[2]")
    expect(browser.evaluate(BUTTON % 2 + ".ariaExpanded") == "true", "groups: a click on the picture does not open")


def details(browser):
    """The table of the chosen rank, by part."""
    rows = browser.evaluate("[...document.querySelectorAll('.details tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    return {row[0]: row[1:5] for row in rows}


def time_of(text):
    number, unit = text.split() if text != "0" else ("0", "ns")
    return float(number) * {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}[unit]


def check_details(browser, page, rank):
    found = details(browser)
    expect(list(found) == page.parts, f"rank {rank}: parts {list(found)}")
    group = [other for other, of in enumerate(page.groups) if of == page.groups[rank]]
    for part, (time, share, own, everyone) in found.items():
        exact = page.times[rank][page.parts.index(part)] / page.threads[rank]
        expect(abs(time_of(time) - exact) <= exact * 0.001 + 0.5, f"rank {rank}: {part}: {time}, not {exact} ns")
        for text, ranks in ((share, [rank]), (own, group), (everyone, range(len(page.numbers)))):
            wanted = sum(page.share(other, part) for other in ranks) / len(ranks) * 100
            expect(abs(float(text.rstrip("%")) - wanted) < 0.06, f"rank {rank}: {part}: {text}, not {wanted}")
    threads = browser.evaluate("[...document.querySelectorAll('.threads li')].map(item => item.querySelector('.stack').title)")
    expect(len(threads) == page.threads[rank] and all("computation" in title for title in threads), f"rank {rank}: threads {threads}")
    expect(browser.evaluate("document.querySelector('.details code').textContent").startswith(f"ompreport html --rank={page.numbers[rank]} "),
           f"rank {rank}: its command")


def check_ranks(browser, path, page):
    """A click on a rank, on a group's slowest, and a number that is looked for show the rank in its group."""
    browser.open(path)
    click(browser, BUTTON % 1)
    name = browser.evaluate(NAMES)[3]
    click(browser, f"{SHOWN}.{ORDERED}[3]")
    rank = page.numbers.index(int(name.split()[1]))
    expect(browser.evaluate(CHOSEN) == name, f"ranks: a click on {name} shows {browser.evaluate(CHOSEN)}")
    check_details(browser, page, rank)
    expect(browser.evaluate("location.hash") == f"#rank={page.numbers[rank]}", "ranks: the address")
    click(browser, "document.querySelector('.groups td[data-rank] button')")
    rank = int(browser.evaluate("document.querySelector('.groups td[data-rank]').dataset.rank"))
    expect(browser.evaluate(CHOSEN) == f"rank {page.numbers[rank]}", "ranks: a group's fastest")
    check_details(browser, page, rank)
    browser.evaluate("document.querySelector('.rank-groups > .find input').focus()")
    browser.call("Input.insertText", text="298")
    rank = page.numbers.index(298)
    expect(browser.evaluate(CHOSEN) == "rank 298" and "rank 298" in browser.evaluate(NAMES), f"ranks: found {browser.evaluate(CHOSEN)}")
    expect(browser.evaluate(BUTTON % page.groups[rank] + ".ariaExpanded") == "true", "ranks: its group is closed")
    check_details(browser, page, rank)
    browser.call("Input.insertText", text="7")
    expect(browser.evaluate("document.querySelector('.rank-groups > .find output').value") == "no rank 2987", "ranks: a number that is none")
    browser.evaluate("document.querySelectorAll('.details button')[0].click()")
    before = members(page, page.groups[rank])
    expect(browser.evaluate(CHOSEN) == before[before.index("rank 298") - 1], f"ranks: the previous one is {browser.evaluate(CHOSEN)}")
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=f"file://{path}#rank=17")
    browser.evaluate("new Promise(done => { const wait = () => document.readyState === 'complete' ? done(0) : setTimeout(wait, 10); wait(); })")
    browser.wait_for_layout()
    expect(browser.evaluate(CHOSEN) == "rank 17", f"ranks: by the address: {browser.evaluate(CHOSEN)}")


def check_order(browser, path, page):
    browser.open(path)
    click(browser, BUTTON % 0)
    for part, title in enumerate(page.parts):
        browser.evaluate(f"(select => (select.value = '{part}', select.dispatchEvent(new Event('change'))))(document.querySelector('.members select'))")
        browser.wait_for_layout()
        ranks = sorted((rank for rank, of in enumerate(page.groups) if of == 0), key=lambda rank: (-page.share(rank, title), rank))
        names = browser.evaluate(NAMES)
        expect(names == [f"rank {page.numbers[rank]}" for rank in ranks[:len(names)]], f"order: most {title}: {names}")


def check_keys(browser, path, page):
    """Enter opens a group, the Tab key leads to its list, arrows and others choose a rank, Escape closes."""
    browser.open(path)
    browser.evaluate(BUTTON % 0 + ".focus()")
    press(browser, "Enter", "\r")
    expect(browser.evaluate(BUTTON % 0 + ".ariaExpanded") == "true", "keys: Enter does not open")
    browser.wait_for_layout()
    for _ in range(12):
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        if browser.evaluate("document.activeElement.className") == "rows":
            break
    expect(browser.evaluate("document.activeElement.className") == "rows", "keys: Tab does not lead to the list")
    names = members(page, 0)
    rows = browser.evaluate("Math.max(1, Math.floor(document.querySelector('.rows').clientHeight / rankGroups.list.height) - 1)")
    place = -1
    for key, to in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("PageDown", 1 + rows), ("End", len(names) - 1),
                    ("ArrowDown", len(names) - 1), ("PageUp", len(names) - 1 - rows), ("Home", 0), ("ArrowUp", 0)):
        press(browser, key)
        place = to
        expect(browser.evaluate(CHOSEN) == names[place], f"keys: {key} chooses {browser.evaluate(CHOSEN)}, not {names[place]}")
        active = browser.evaluate("""(id => id && document.getElementById(id).firstChild.textContent.trim())
            (document.querySelector('.rows').getAttribute('aria-activedescendant'))""")
        expect(active == names[place] and active in browser.evaluate(NAMES), f"keys: {key}: {active} is active, seen are {browser.evaluate(NAMES)[:3]}")
    press(browser, "Escape")
    expect(browser.evaluate("document.querySelectorAll('.opened').length") == 0 and browser.evaluate(f"document.activeElement === {BUTTON % 0}"),
           "keys: Escape does not close")
    expect(browser.evaluate("location.hash") == "", "keys: the address still has a rank")


def colours_of(browser, canvas, step, steps):
    """The colours of the canvas at a step of time, from its top to its bottom."""
    return browser.evaluate(f"""(canvas => {{
        const copy = Object.assign(document.createElement('canvas'), {{ width: 1, height: canvas.height }}).getContext('2d', {{ willReadFrequently: true }});
        copy.drawImage(canvas, -Math.floor(canvas.width * ({step} + 0.5) / {steps}), 0);
        const data = copy.getImageData(0, 0, 1, canvas.height).data;
        return [...new Set([...Array(canvas.height).keys()].map(y => [...data.slice(4 * y, 4 * y + 3)].join()))];
    }})({canvas})""")


def named(browser, name):
    return browser.evaluate(f"""(pen => (pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--{name}'),
        pen.fillRect(0, 0, 1, 1), [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].join()))
        (Object.assign(document.createElement('canvas'), {{ width: 1, height: 1 }}).getContext('2d'))""")


def check_pictures(browser, path, page):
    """The rows have the colours of what ranks did, in light and dark, also if that changes while the page is open."""
    rank = page.numbers.index(17)
    seen = set()
    work = page.activities.index("work")
    # A small picture has fewer columns than steps.
    full = next(step for step in range(4, 500) if all(mix[work] == 8 for mix in page.rows[rank][step - 3:step + 4]))
    mixed = next(step for step in range(4, 500) if all(0 < mix[work] < 8 for mix in page.rows[rank][step - 1:step + 2]))
    browser.show(1280, False)
    browser.open(path)
    browser.evaluate(f"rankGroups.show({rank})")
    for dark in (False, True):
        browser.show(1280, dark)
        browser.wait_for_layout()
        for canvas in ("document.querySelector('.details canvas')", f"document.querySelector('#rank-row-{rank} canvas')"):
            for step, several in ((full, False), (mixed, True)):
                found = colours_of(browser, canvas, step, len(page.rows[rank]))
                expect(named(browser, "work") in found and (len(found) > 1) == several, f"pictures: dark {dark}: {canvas}, step {step}: {found}")
        seen.add(named(browser, "work"))
    expect(len(seen) == 2, "pictures: light and dark are the same")


def check_widths(browser, path):
    for width in (1280, 400):
        browser.show(width)
        browser.open(path)
        browser.evaluate("rankGroups.show(17)")
        browser.wait_for_layout()
        wide = browser.evaluate("document.documentElement.scrollWidth")
        expect(wide <= width, f"the page is {wide} wide in a window of {width}")
        right = browser.evaluate("Math.max(...[...document.querySelectorAll('.members, .rows, .details canvas')].map(box => box.getBoundingClientRect().right))")
        expect(right <= width, f"the open group extends to {right} in a window of {width}")
    browser.show(718)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.open(path)
    wide = browser.evaluate("document.documentElement.scrollWidth")
    expect(wide <= 718, f"printed, the page is {wide} wide")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_without_script(browser, path, page):
    """The table is there, with pictures, and members on demand."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    rows = browser.evaluate("[...document.querySelectorAll('.groups tbody tr')].map(row => row.innerText)")
    expect(len(rows) == len(set(page.groups)) and all(re.match(r"\d+ rank", row) for row in rows), f"without script: {rows}")
    expect(browser.evaluate("Math.min(...[...document.querySelectorAll('.groups svg')].map(svg => svg.getBoundingClientRect().width))") > 100,
           "without script: no pictures")
    browser.evaluate("document.querySelector('.groups summary').click()")
    expect(browser.evaluate("document.querySelector('.groups details').innerText").startswith(f"{len(members(page, 0))} ranks\nranks "),
           "without script: no members")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def check_many(browser, path):
    """Many ranks, in tools/test full 16,384: open soon, and few elements even of the largest group at its end."""
    work = browser.work_of_opening(path)
    expect(0 < work < MOST_WORK, f"many: opening takes {work} blocks of scripts, not fewer than {MOST_WORK}")
    browser.open(path)
    click(browser, BUTTON % 0)
    press(browser, "Tab")
    browser.evaluate("document.querySelector('.rows').focus()")
    press(browser, "End")
    browser.wait_for_layout()
    expect(browser.evaluate(f"{ROWS}.length") < 60 and browser.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS, "many: too many elements")
    expect(browser.evaluate("(box => box.scrollTop / box.clientHeight)(document.querySelector('.rows'))") > MANY / 600, "many: not at the end")
    expect(browser.evaluate(CHOSEN) == f"rank {max(n for n, of in zip(browser.evaluate('rankGroups.data.numbers'), browser.evaluate('rankGroups.data.groups')) if of == 0)}",
           f"many: End chooses {browser.evaluate(CHOSEN)}")


def check_all(browser, folder):
    path = page_of(folder, 300, 4, 300)
    page = RankPage(path.read_text("utf-8"))
    checks = [lambda check=check: check(browser, path, page)
              for check in (check_groups, check_ranks, check_order, check_keys, check_pictures, check_without_script)]
    for check in (*checks, lambda: check_widths(browser, path), lambda: check_many(browser, page_of(folder, MANY, 1, 60))):
        check()
        complaints = browser.complaints()
        expect(not complaints, f"{complaints}")


browse(check_all)
