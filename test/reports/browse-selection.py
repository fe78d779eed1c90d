# SPDX-License-Identifier: BSD-3-Clause
"""Select and everything follows, in a real browser: figures of the HTML report and of selections in it are those of `ompreport
summary`, the view is in the page's address, and what an address holds injects nothing. Exit status 77 where there is no
Chromium, or the page was built without what computes selections.

Usage: browse-selection.py OMPREPORT MAKE_ARCHIVE [figures | page]: only the figures, or only all else
"""
import csv
import functools
import io
import json
import os
import random
import re
import subprocess
import sys
import time

from browsing import browse, report
from tables import OMPREPORT, TIME_LIMITS, expect

SCENARIOS = {"uneven": "3", "contention": "3", "tasks": "3", "untied": "3", "nested": "3", "late": "3", "overtaken": "3", "mixed": "40",
             "hybrid": "3", "messages": "3", "ranks": "3", "sourced": "3", "unordered": "3", "deep": "3", "foreign": "3", "names": "3",
             "latecomers": "3", "broken": "3", "processor": "3", "many": "60"}
SEED = 7
LATEST_S = 30 * TIME_LIMITS  # what is waited for comes sooner, unless it never comes


def ask(command, archive, options, form="json"):
    done = subprocess.run([OMPREPORT, command, f"--format={form}", *options, archive], check=False, capture_output=True, text=True,
                          timeout=60 * TIME_LIMITS)
    if form == "csv":
        return list(csv.DictReader(io.StringIO(done.stdout)))
    return json.loads(done.stdout) if done.stdout else None


READ = """(() => {
    const table = id => [...document.querySelectorAll(`section[aria-labelledby=${id}] tbody tr`)].map(row =>
        [...row.cells].map(cell => cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)));
    const heads = id => [...document.querySelectorAll(`section[aria-labelledby=${id}] thead th`)].map(head => head.textContent);
    const named = id => (names => table(id).map(row => Object.fromEntries(row.map((value, i) => [names[i], value]))))(heads(id));
    const texts = selector => [...document.querySelectorAll(selector)].map(element => element.textContent);
    return {regions: named('regions'), hot: named('hot'), functions: named('hot-functions'), blocked: named('blocked-calls'), locks: table('locks'), tasks: table('tasks'), threads: named('threads'),
            advice: texts('section[aria-labelledby=advice] li'),
            meters: texts('section[aria-labelledby=efficiency] .figure'),
            facts: Object.fromEntries([...document.querySelectorAll('.facts div')].map(div => [...div.children].map(e => e.textContent)))};
})()"""


def known(value):
    return -1 if value is None else value


def added(one, other):
    return -1 if one is None and other is None else (one or 0) + (other or 0)


# Columns of the page's regions, in the order of region_row().
COLUMNS = ("potential gain", "calls", "thread time", "own time", "mean", "least work", "mean work", "most work", "imbalance", "wait")


def region_row(region):
    bodies = region["body_sum_ns"], region["threads"]
    return (known(region["gain_ns"]), region["visits"], region["time_ns"], region["self_ns"], region["time_ns"] // region["visits"],
            known(region["body_min_ns"]), bodies[0] // bodies[1] if bodies[1] and bodies[0] is not None else -1,
            known(region["body_max_ns"]), known(region["imbalance_ns"]), added(region["barrier_wait_ns"], region["enter_wait_ns"]))


def shown_row(row):
    """The same of the page, where a column that no region has a value of is not there."""
    return tuple(row.get(column, -1) for column in COLUMNS)


ACTIVITIES = {"serial part": "serial_ns", "useful work": "work_ns", "tasks": "tasks_ns", "MPI": "mpi_ns", "barrier wait": "barrier_ns",
              "critical, lock": "lock_ns", "task wait": "task_wait_ns", "team start, end": "team_ns",
              "waiting for a processor": "delayed_ns", "blocked in system calls": "blocked_ns", "idle": "idle_ns"}


PURPOSES = {"read": "read(2)", "futex": "pthread mutex", "clock_nanosleep": "sleep"}


def share(text):
    return float(text.rstrip("%")) / 100


def compare_hot(what, page, archive, options):
    """Lines and functions by samples; a time is rounded."""
    for kind, rows in (("--lines", page["hot"]), ("--functions", page["functions"])):
        data = ask("hot", archive, [kind, *options])
        wanted = [] if data is None else data["hot"]
        found = [(row["function"], row["samples"], row["mostly in"], row.get("with calls", -1)) for row in rows]
        same = [(row["function"], row["samples"], row["construct"], row.get("inclusive_share", -1)) for row in wanted]
        expect(found == same, f"{what}: hot {kind}: {found}, not {same}")
        expect(all(abs(row["processor time"] - other["time_ns"]) <= 1 for row, other in zip(rows, wanted)), f"{what}: hot {kind}: {rows}, not {wanted}")


def compare_blocked(what, page, summary):
    found = [(row["function"], row["for"], row["time"], row["seen"]) for row in page["blocked"]]
    same = [(row["function"], PURPOSES[row["call"]], row["blocked_ns"], row["seen"]) for row in summary.get("blocked", [])]
    expect(found == same, f"{what}: blocked {found}, not {same}")


def compare(what, page, summary, threads):
    """The page's figures with those of the command line."""
    for key in ("regions", "locks", "tasks"):
        expect(len(page[key]) == len(summary[key]), f"{what}: {len(page[key])} {key}, not {len(summary[key])}")
    wanted = sorted(map(region_row, summary["regions"]))
    found = sorted(map(shown_row, page["regions"]))
    expect(found == wanted, f"{what}: regions {found}, not {wanted}")
    wanted = sorted((lock["acquisitions"], lock["contended"], lock["wait_ns"], lock["hold_ns"]) for lock in summary["locks"])
    expect(sorted(tuple(row[1:]) for row in page["locks"]) == wanted, f"{what}: locks {page['locks']}, not {wanted}")
    wanted = sorted((task["created"], task["executed"], task["undeferred"], task["create_ns"], task["execute_ns"]) for task in summary["tasks"])
    expect(sorted(tuple(row[1:6]) for row in page["tasks"]) == wanted, f"{what}: tasks {page['tasks']}, not {wanted}")
    wanted = [re.sub("[\x00-\x1f]", "\ufffd", text) for text in summary["advice"]]
    expect(page["advice"] == wanted, f"{what}: advice {page['advice']}, not {summary['advice']}")
    expect(page["facts"].get("events") == f"{summary['events']:,}", f"{what}: facts {page['facts']}, {summary['events']} events")
    # Without teams there is no serial part, and OpenMP has no efficiency; nor has a run that is without MPI, too.
    without_teams = any("computation" in row for row in page["threads"])
    keys = ("total", "mpi") if without_teams else ("total", "serial", "mpi", "running", "openmp", "load_balance", "waits_and_overhead")
    factors = [summary["efficiency"][key] for key in keys]
    factors = [factor for factor in factors if factor is not None] if not without_teams or summary["efficiency"]["mpi"] is not None else []
    if page["meters"] or factors and summary["efficiency"]["total"] is not None:
        expect(len(page["meters"]) == len(factors) and all(abs(share(text) - factor) < 0.0006 for text, factor in zip(page["meters"], factors)),
               f"{what}: efficiencies {page['meters']}, not {factors}")
    # What no thread did has no column.
    wanted = [{title: int(row[key] or 0) for title, key in ACTIVITIES.items()} for row in threads]
    found = [{title: row.get("computation" if without_teams and title == "serial part" else title, 0) for title in ACTIVITIES}
             for row in page["threads"]]
    expect(found == wanted, f"{what}: threads {page['threads']}, not {wanted}")


def choices(generator, wall, threads, ranks, names):
    """Some selections, each as the page has it."""
    nothing = {"from": None, "to": None, "thread": "", "rank": "", "region": ""}

    def part():
        ends = sorted(generator.sample(range(wall + 1), 2))
        return {"from": ends[0], "to": ends[1]}

    yield nothing | part()
    yield nothing | part()
    yield nothing | {"thread": str(generator.randrange(threads))}
    yield nothing | {"region": generator.choice(names)[:6]}
    yield nothing | part() | {"thread": str(generator.randrange(threads)), "region": "*:*"}
    if ranks > 1:
        yield nothing | part() | {"rank": str(generator.randrange(ranks))}


def options_of(chosen):
    return [f"--{key}={value}" + ("ns" if key in ("from", "to") else "") for key, value in chosen.items() if value not in (None, "")]


def check_figures(browser, path, scenario, generator):
    archive = path.parent
    browser.open(path)
    original = browser.evaluate(READ)
    compare(f"{scenario}", original, ask("summary", archive, []), ask("threads", archive, [], "csv"))
    if scenario == "processor":
        expect(len(original["hot"]) == 5 and len(original["functions"]) == 6, f"{scenario}: hot {original['hot']}, {original['functions']}")
    wall, threads, ranks = browser.evaluate("[Math.round(pageParts.timeline.data.units * pageParts.timeline.data.unit * 1e9),"
                                            "pageParts.timeline.lanes.length, pageParts.selection.run.processes.length]")
    names = [row["region"] for row in original["regions"]]
    for chosen in choices(generator, wall, threads, ranks, names):
        browser.evaluate(f"pageParts.selection.show({json.dumps(chosen)})")
        window = options_of({key: chosen[key] for key in ("from", "to")})
        summary = ask("summary", archive, options_of(chosen))
        if summary is None:
            continue  # of a region that does not occur
        compare(f"{scenario} {chosen}", browser.evaluate(READ), summary, ask("threads", archive, window, "csv"))
        if scenario == "processor":
            compare_hot(f"{scenario} {chosen}", browser.evaluate(READ), archive, options_of(chosen))
            compare_blocked(f"{scenario} {chosen}", browser.evaluate(READ), summary)
    command = browser.evaluate("document.querySelector('.selection code').textContent")
    expect(all(option in command.replace("'", "") for option in options_of(chosen)), f"{scenario}: {command!r} for {chosen}")
    browser.evaluate("pageParts.selection.show(NOTHING)")
    expect(browser.evaluate(READ) == original, f"{scenario}: other figures when all is selected again")


def press(browser, key, **more):
    browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "", **more)
    browser.call("Input.dispatchKeyEvent", type="keyUp", key=key)


def settle(browser, expression, wanted):
    """The selection is computed between two events of the browser."""
    latest = time.monotonic() + LATEST_S
    while True:
        found = browser.evaluate(expression)
        if found == wanted or time.monotonic() > latest:
            return found
        time.sleep(0.02)


WALL = "(document.querySelector('.facts dd') || {}).textContent || ''"


def check_by_hand(browser, path):
    """uneven: 124 ms, loops from 21 to 61 and 83 to 123 ms. Brush, keys, fields; back and forward."""
    browser.open(path)
    box = browser.evaluate("(v => (v.scrollIntoView({block: 'center'}), (b => [b.left, b.top, b.width])(v.getBoundingClientRect())))"
                           "(document.querySelector('.lanes'))")
    for kind, part in (("mouseMoved", 0.25), ("mousePressed", 0.25), ("mouseMoved", 0.4), ("mouseReleased", 0.5)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=box[0] + box[2] * part, y=box[1] + 10, button="left", buttons=1,
                     clickCount=1, modifiers=8)
    found = settle(browser, WALL, "31.0ms")
    expect(found == "31.0ms", f"brush: wall time {found}")
    expect(re.fullmatch(r"#from=3[01]\d{6}&to=6[12]\d{6}", browser.evaluate("location.hash")), f"brush: {browser.evaluate('location.hash')}")
    expect(browser.evaluate("document.querySelectorAll('section.selected').length") > 3, "brush: sections are not marked as selected")
    # Tables of a selection sort, and their rows mark as those of the run do.
    browser.evaluate("document.querySelector('section[aria-labelledby=regions] thead button').click()")
    expect(browser.evaluate("document.querySelector('section[aria-labelledby=regions] th').ariaSort") == "ascending", "brush: sorting")
    # One click is one step, however long the page draws: here the clock advances by half a second each time the page reads it.
    # A browser keeps 50 steps, so history.length does not count them.
    steps = browser.evaluate("""(() => {
        const now = Date.now, push = history.pushState;
        let time = now(), steps = 0;
        Date.now = () => time += 500;
        history.pushState = (...step) => { steps++; push.apply(history, step); };
        document.querySelector('tr.region').click();
        delete history.pushState;
        Date.now = now;
        return steps; })()""")
    expect(steps == 1, f"brush: a click on a row is {steps} steps in the history")
    expect(browser.evaluate("document.querySelectorAll('tr.marked').length") == 1, "brush: marking")
    expect("mark=" in browser.evaluate("location.hash"), "brush: the mark is not in the address")
    # Back: no mark; back: no selection; forward: the selection.
    for step, wanted in (("back", False), ("back", None), ("forward", False)):
        before = browser.evaluate("location.hash")
        browser.evaluate(f"history.{step}()")
        settle(browser, f"location.hash !== {json.dumps(before)}", True)
        hash_ = browser.evaluate("location.hash")
        if wanted is None:
            found = settle(browser, WALL, "124ms")
            expect(found == "124ms" and hash_ == "", f"{step}: {hash_!r}, wall time {found}")
        else:
            found = settle(browser, WALL, "31.0ms")
            marked = settle(browser, "document.querySelectorAll('tr.marked').length", 0)
            expect(found == "31.0ms" and marked == 0 and "from=" in hash_, f"{step}: {hash_!r}, wall time {found}, {marked} marked")
    # Keys: from the cursor at the first change to the end; the part in view; a thread by the field.
    browser.open(path)
    browser.evaluate("document.querySelector('.lanes').focus()")
    for key in ("Home", "ArrowRight", "["):
        press(browser, key)
    found = settle(browser, WALL, "104ms")
    expect(found == "104ms", f"keys: [ at 20 ms: {found}")
    for key in ("+", "s"):
        press(browser, key)
    found = settle(browser, WALL, "62.0ms")
    expect(found == "62.0ms", f"keys: s in half of the time: {found}")
    browser.evaluate("(s => (s.value = '3', s.dispatchEvent(new Event('input', {bubbles: true}))))(document.querySelector('.selection select'))")
    found = settle(browser, "document.querySelector('.selection code').textContent.includes('--thread=3')", True)
    expect(found, "fields: the thread is not in the command")
    browser.evaluate("[...document.querySelectorAll('.selection button')].find(b => b.textContent === 'select all').click()")
    expect(settle(browser, WALL, "124ms") == "124ms", "all: not the whole run again")


def check_place(browser, path):
    """What is above the timeline becomes longer or shorter with a selection; the timeline stays where it is in the window."""
    for width in (1280, 390):
        browser.show(width)
        browser.open(path)
        browser.evaluate("document.querySelector('.lanes').scrollIntoView({block: 'center'})")
        before = browser.evaluate("document.querySelector('.lanes').getBoundingClientRect().top")
        for chosen in ({"from": 1000000, "to": 19000000}, {"thread": "2"}, {"region": "for"}, {}):
            browser.evaluate(f"pageParts.selection.show({{...NOTHING, ...{json.dumps(chosen)}}})")
            after = browser.evaluate("document.querySelector('.lanes').getBoundingClientRect().top")
            expect(abs(after - before) < 2, f"place: {chosen} in a window of {width} moves the timeline by {after - before} px")
    browser.call("Emulation.clearDeviceMetricsOverride")


SECTIONS = """Object.fromEntries([...document.querySelectorAll('main section[aria-labelledby]')].filter(s => s.checkVisibility()).map(section => {
    const remark = (section.querySelector('h2').textContent.match(/\\(.*(all .*)\\)$/) || ['', ''])[1];
    const figures = [...section.children].slice(1).map(e => e.innerHTML).join();
    return [section.getAttribute('aria-labelledby'), [section.classList.contains('selected'), remark, figures]]; }))"""


def check_marks(browser, pages):
    """With a thread, a rank or regions chosen, the sections with the mark of the selection are those with other figures than without; the
    others say that they are of all threads."""
    others = {"thread": "all threads", "rank": "all ranks", "region": "all regions"}
    followed, staying = {}, {}
    for path in pages:
        browser.open(path)
        for time_ in ({}, {"from": 1000, "to": 10 ** 12}):
            browser.evaluate(f"pageParts.selection.show({{...NOTHING, from: 0, to: 10 ** 12, ...{json.dumps(time_)}}})")
            whole = browser.evaluate(SECTIONS)
            expect(all(mark and not remark for key, (mark, remark, _) in whole.items() if key not in ("timeline", "source")),
                   f"marks: of a range of time {[key for key in whole if not whole[key][0]]} have none")
            for chosen in [{"thread": str(i)} for i in range(4)] + [{"rank": "0"}, {"rank": "1"}, {"region": "10"}, {"region": "nothing"}]:
                kind = next(iter(chosen))
                if kind == "rank" and not browser.evaluate("pageParts.selection.run.processes.length > 1"):
                    continue
                browser.evaluate(f"pageParts.selection.show({{...NOTHING, ...{json.dumps({**time_, **chosen})}}})")
                for key, (mark, remark, figures) in browser.evaluate(SECTIONS).items():
                    if key in ("timeline", "source"):
                        expect(not mark and not remark, f"marks: {key} has {mark}, {remark!r}")
                        continue
                    expect(mark == (remark == ""), f"marks: {key} of {chosen} has a mark: {mark}, and a remark: {remark!r}")
                    expect(mark or remark == others[kind], f"marks: {key} of {chosen} says {remark!r}")
                    differs = key not in whole or figures != whole[key][2]
                    expect(mark or not differs, f"marks: {key} follows {chosen}, and has no mark")
                    (followed if mark else staying).setdefault((key, kind), []).append(differs)
    for (key, kind), differs in followed.items():
        expect(any(differs), f"marks: {key} has the mark of the {kind} that is chosen, and shows all")
    expect(("threads", "thread") in staying and ("regions", "thread") in followed and ("advice", "thread") in followed, f"marks: {list(followed)}, {list(staying)}")


def check_groups(browser, folder):
    """304 threads share lanes, equally many in each; a thread is chosen by its number, since a lane is no thread."""
    path = report(folder, "fleet", "19")
    browser.open(path)
    labels = browser.evaluate("pageParts.timeline.data.labels")
    wanted = [f"process {p}, threads {t} to {t + 1}" for p in range(19) for t in range(0, 16, 2)]
    expect(labels == wanted, f"groups: {labels}")
    browser.evaluate("document.querySelector('.selection label input, .selection label select').focus()")
    browser.call("Input.insertText", text="37")
    shown = settle(browser, "(document.querySelector('.selection code') || {}).textContent || ''",
                   f"ompreport summary --thread=37 {path.parent}/traces.otf2")
    expect(" --thread=37 " in shown, f"groups: {shown!r}")
    page, summary = browser.evaluate(READ), ask("summary", path.parent, ["--thread=37"])
    # Calls and times; imbalances are of steps here.
    found, wanted = (sorted(row[1:4] for row in rows) for rows in (map(shown_row, page["regions"]), map(region_row, summary["regions"])))
    expect(found == wanted, f"groups: {found}, not {wanted}")
    browser.evaluate("pageParts.selection.show({...NOTHING, thread: '303'})")
    expect(browser.evaluate("document.querySelector('.selection input').value") == "303", "groups: the field is not of what is chosen")
    browser.evaluate("pageParts.selection.show({...NOTHING, thread: '304'})")
    status = browser.evaluate("document.querySelector('.selection output').textContent")
    expect(status.startswith("No thread"), f"groups: thread 304 of 304 is shown: {status!r}")


def check_address(browser, path):
    """A view can be passed on; what an address holds is never more than numbers and text."""
    browser.open(path)
    count = "[document.querySelectorAll('*').length, document.querySelectorAll('img, script, iframe').length]"
    before = browser.evaluate(count)
    construct = browser.evaluate("document.querySelector('tr.region').dataset.construct")
    browser.call("Page.navigate", url="about:blank")
    browser.open(f"{path}#at=21000000-61000000&mark={construct}&from=21000000&to=61000000&thread=1&find=for")
    found = settle(browser, WALL, "40.0ms")
    view = browser.evaluate("[pageParts.timeline.scale.domain().map(Math.round), pageParts.marks.construct, pageParts.selection.thread.value]")
    expect(found == "40.0ms" and view == [[21000000, 61000000], int(construct), "1"], f"address: {found}, {view}")
    for text in ("<img src=x onerror=alert(1)>", "javascript:alert(1)", "'\"><script>alert(1)</script>", "*" * 3000, "%00", "%", "__proto__",
                 "9" * 400, "-1", "NaN", "1e9", "[[[["):
        for key in ("at", "mark", "find", "from", "thread", "rank", "region"):
            address = f"{key}={text}&to=99999999999"
            browser.evaluate(f"location.hash = {json.dumps(address)}")
            time.sleep(0.02)
    browser.evaluate("location.hash = 'source-0-1'; 0")
    browser.evaluate("location.hash = '' ; 0")
    time.sleep(0.3)
    expect(settle(browser, WALL, "124ms") == "124ms", "address: the page does not come back to all")
    after = browser.evaluate(count)
    expect(after == before, f"address: {before} elements became {after}")


def check_call_paths(browser, path):
    """What is searched for and zoomed in the call paths is part of the view; another selection has its own boxes."""
    browser.open(path)
    shown = "[...document.querySelectorAll('.flame span')].filter(box => box.checkVisibility()).map(box => box.firstChild.data.trim())"
    text = "document.querySelector('section[aria-labelledby=flame] input').value"
    browser.evaluate("document.querySelectorAll('.flame li')[5].firstElementChild.click()")
    expect(browser.evaluate("location.hash") == "#box=0.0.1.0", f"call paths: {browser.evaluate('location.hash')}")
    zoomed = ["main", "solve", "source.c:37 task", "kernel"]
    browser.evaluate("document.querySelector('section[aria-labelledby=flame] input').focus()")
    browser.call("Input.insertText", text="kernel")
    expect(browser.evaluate("location.hash") == "#paths=kernel&box=0.0.1.0", f"call paths: {browser.evaluate('location.hash')}")
    browser.call("Page.navigate", url="about:blank")
    browser.open(f"{path}#paths=kernel&box=0.0.1.0")
    found = settle(browser, shown, zoomed)
    expect(found == zoomed and browser.evaluate(text) == "kernel", f"call paths: an address shows {found}, {browser.evaluate(text)!r}")
    browser.evaluate("pageParts.selection.choose({...NOTHING, thread: '1'})")
    of_thread = ["solve", "source.c:12 for", "kernel", "waits"]
    found = settle(browser, shown, of_thread)
    expect(found == of_thread and browser.evaluate("location.hash") == "#paths=kernel&thread=1" and browser.evaluate(text) == "kernel",
           f"call paths: of a thread {found}, {browser.evaluate('location.hash')}")
    browser.evaluate("history.back()")
    found = settle(browser, shown, zoomed)
    expect(found == zoomed, f"call paths: back shows {found}")
    for address in ("box=9.9.9", "box=0..1", "box=-1", "box=__proto__", "paths=%3Cimg src=x onerror=alert(1)%3E", "box=" + "0." * 500):
        browser.evaluate(f"location.hash = {json.dumps(address)}")
        time.sleep(0.02)
    browser.evaluate("location.hash = ''; 0")
    found = settle(browser, f"{shown}.length", 13)
    expect(found == 13 and browser.evaluate(text) == "", f"call paths: {found} boxes in the end, {browser.evaluate(text)!r}")


def check_steps(browser, folder):
    """A run with too many events for the page: all of it is as ever, a part as the command that is shown prints it, but for what counts where
    it ends: within a step of all threads."""
    path = report(folder, "large", "20000")
    expect(path.stat().st_size < 5000000, f"large: {path.stat().st_size} bytes")
    browser.open(path)
    compare("large", browser.evaluate(READ), ask("summary", path.parent, []), ask("threads", path.parent, [], "csv"))
    steps = browser.evaluate("pageParts.selection.run.steps")
    expect(browser.evaluate("pageParts.barLayer") is None and steps["count"] >= 256, f"large: {steps}")
    slack = steps["ticks"] * 8
    for chosen in ({"from": 100000000, "to": 200000000}, {"from": 1, "to": 30000000, "thread": "3"}, {"region": "critical"},
                   {"from": 390000000, "to": 399000000, "region": "for"}):
        browser.evaluate(f"pageParts.selection.show({{...NOTHING, ...{json.dumps(chosen)}}})")
        status, page = browser.evaluate("document.querySelector('.selection output').textContent"), browser.evaluate(READ)
        found = re.search(r"in steps of ([0-9.]+) us;.* ompreport summary (.*) \S+$", status)
        expect(found and abs(float(found.group(1)) * 1000 - steps["ticks"]) < steps["ticks"] / 100, f"large: {status!r}")
        summary = ask("summary", path.parent, found.group(2).split())
        rows = list(zip(*(sorted(rows, key=lambda row: row[1:]) for rows in (map(shown_row, page["regions"]), map(region_row, summary["regions"])))))
        expect(len(page["regions"]) == len(summary["regions"]) > 0, f"large {chosen}: {page['regions']}")
        for row, wanted in rows:
            exact = [row[i] == wanted[i] for i in range(len(wanted)) if i != 8 and (i, wanted[8]) != (0, wanted[0])]
            expect(all(exact) and ("thread" in chosen or abs(row[8] - wanted[8]) <= slack), f"large {chosen}: {row}, not {wanted}")
        efficiency = summary["efficiency"]
        wanted = [efficiency[key] for key in ("total", "serial", "openmp", "load_balance", "waits_and_overhead")]
        expect(all(abs(share(text) - factor) < 0.01 for text, factor in zip(page["meters"], wanted)), f"large {chosen}: {page['meters']}, not {wanted}")
    expect(not browser.complaints(), f"large: {browser.complaints()}")


def check_sampled_steps(browser, folder):
    """A run with too many events for the page: steps have its samples, too, and selections those of the command that is shown."""
    place = folder / "long"  # the page of the short run is beside it
    place.mkdir()
    path = report(place, "processor", "15000")
    expect(path.stat().st_size < 2000000, f"processor: {path.stat().st_size} bytes")
    browser.open(path)
    expect(browser.evaluate("[pageParts.barLayer, pageParts.selection.run.steps.samples]") == [None, 1], "processor: steps of samples")
    original = browser.evaluate(READ)
    compare_hot("processor", original, path.parent, [])
    compare_blocked("processor", original, ask("summary", path.parent, []))
    for chosen in ({"from": 100000000, "to": 200000000000}, {"from": 1, "to": 30000000000, "thread": "1"}, {"region": "task"}):
        browser.evaluate(f"pageParts.selection.show({{...NOTHING, ...{json.dumps(chosen)}}})")
        status = browser.evaluate("document.querySelector('.selection output').textContent")
        options = re.search(r" ompreport summary (.*) \S+$", status).group(1).split()
        page = browser.evaluate(READ)
        compare_hot(f"processor {chosen}", page, path.parent, options)
        boxes = browser.evaluate("Number(document.querySelector('.flame').dataset.s)")
        expect(boxes == sum(row["samples"] for row in page["hot"]), f"processor {chosen}: {boxes} samples in call paths")
    browser.evaluate("pageParts.selection.show(NOTHING)")
    expect(browser.evaluate(READ) == original, "processor: other figures when all is selected again")
    expect(not browser.complaints(), f"processor: {browser.complaints()}")


def check_search(browser, path):
    """What is looked for in the table of regions is part of the view, of the run's as of a selection's."""
    browser.open(path)
    shown = "[...document.querySelectorAll('section[aria-labelledby=regions] tbody tr:not([hidden])')].map(row => row.cells[0].textContent)"
    browser.evaluate("document.querySelector('p.find input').focus()")
    browser.call("Input.insertText", text=":57")
    expect(browser.evaluate("location.hash") == "#find=%3A57", f"search: {browser.evaluate('location.hash')}")
    found = browser.evaluate(shown)
    expect(len(found) == 1 and ":57" in found[0], f"search: {found}")
    browser.evaluate("history.back()")
    expect(settle(browser, "document.querySelector('p.find input').value", "") == "", "search: back")
    browser.evaluate("pageParts.selection.show({...NOTHING, thread: '2'})")
    browser.evaluate("document.querySelector('p.find input').focus()")
    browser.call("Input.insertText", text=":58")
    found = browser.evaluate(shown)
    expect(len(found) == 1 and ":58" in found[0], f"search: in a selection {found}")


def check_worst(browser, path):
    """A row leads to the worst stretch of what is selected: in the second loop, of thread 2."""
    browser.open(path)
    browser.evaluate("pageParts.selection.show({...NOTHING, from: 62000000, to: 124000000, thread: '2'})")
    browser.evaluate("[...document.querySelectorAll('tr.region')].find(row => row.textContent.startsWith('solver.c:12 for')).click()")
    status = browser.evaluate("document.querySelector('.status').textContent")
    expect("OMP thread 2 for 10.00 ms" in status, f"worst: {status!r}")
    from_, to = browser.evaluate("pageParts.timeline.scale.domain()")
    expect(from_ > 70000000 and to <= 124000000, f"worst: shows {from_} to {to}")


def check_plain(browser, path):
    """Without JavaScript there are all tables and the picture, and nothing that does not work."""
    browser.open(path)
    rows = browser.evaluate("document.querySelectorAll('tbody tr').length")
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    seen = browser.evaluate("[document.querySelectorAll('tbody tr').length, document.querySelectorAll('tr[hidden]').length,"
                            "document.querySelectorAll('.lanes svg').length, document.querySelectorAll('form, button, input, canvas').length]")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(seen == [rows, 0, 1, 0], f"without JavaScript: {seen}, {rows} rows with it")


def check_looks(browser, path):
    """Marks, bars and selected parts have the colours of light and dark; nothing is wider than a phone or paper."""
    marks, inks = set(), set()
    for width, dark in ((1280, False), (400, True), (718, False)):
        browser.show(width, dark)
        browser.open(path)
        browser.evaluate("pageParts.selection.show({...NOTHING, from: 1, to: 90000000, region: 'solver'})")
        browser.evaluate("document.querySelector('tr.region').click()")
        marks.add(browser.evaluate("getComputedStyle(document.querySelector('tr.marked')).backgroundColor"))
        inks.add(browser.evaluate("""(t => {
            const inks = [], pen = t.canvas.getContext('2d'), fill = pen.fillText;
            pen.fillText = function () { inks.push(this.fillStyle); return fill.apply(this, arguments); };
            t.draw(); delete pen.fillText;
            return inks[0];
        })(pageParts.timeline)"""))
        wide = browser.evaluate("document.documentElement.scrollWidth")
        expect(wide <= width, f"looks: {wide} wide of {width}")
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = browser.evaluate("[...document.querySelectorAll('.selection button, .selection select, .controls')].filter(e => e.checkVisibility()).length")
    expect(shown == 0, f"looks: {shown} controls on paper")
    expect(len(marks) == 2 and len(inks) == 2, f"looks: marks {marks}, names {inks}")
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    browser.call("Emulation.clearDeviceMetricsOverride")


def check_hostile_names(browser, path):
    """names: every name holds markup; the sections that the engine writes have it as text, too."""
    browser.open(path)
    before = browser.evaluate("[...document.querySelectorAll('*')].map(e => e.tagName).filter((n, i, all) => all.indexOf(n) === i).sort()")
    browser.evaluate("pageParts.selection.show({...NOTHING, from: 0, to: 1e12})")
    after = browser.evaluate("[...document.querySelectorAll('*')].map(e => e.tagName).filter((n, i, all) => all.indexOf(n) === i).sort()")
    expect(set(after) <= set(before) | {"CODE"}, f"names: elements {after}, before {before}")


def daily_or_all():
    """The scenarios of which figures of selections are compared."""
    if os.environ.get("TEST_FULL") == "yes":
        return SCENARIOS
    return "uneven", "contention", "tasks", "nested", "mixed", "hybrid", "messages", "broken", "processor"


def check_all(browser, folder):
    (folder / "source.c").write_text("the line\n" * 100)
    part = (*sys.argv[3:], "all")[0]
    page = functools.cache(lambda scenario: report(folder, scenario, SCENARIOS[scenario]))
    browser.open(page("uneven"))
    if not browser.evaluate("pageParts.selection !== null"):
        return "the page was built without what computes selections"
    for scenario in () if part == "page" else daily_or_all():
        # Each has selections of its own, whichever others are compared.
        check_figures(browser, page(scenario), scenario, random.Random(f"{SEED} {scenario}"))
        expect(not browser.complaints(), f"{scenario}: {browser.complaints()}")
    if part == "figures":
        return None
    check_steps(browser, folder)
    check_sampled_steps(browser, folder)
    check_groups(browser, folder)
    check_marks(browser, [page(scenario) for scenario in ("uneven", "contention", "tasks", "messages", "ranks")])
    for check, scenario in ((check_by_hand, "uneven"), (check_place, "uneven"), (check_address, "uneven"), (check_search, "many"), (check_worst, "uneven"), (check_call_paths, "processor"),
                            (check_plain, "mixed"), (check_looks, "uneven"), (check_hostile_names, "names")):
        check(browser, page(scenario))
        complaints = [text for text in browser.complaints() if not text.startswith("about:")]
        expect(not [text for text in complaints if "#" not in text], f"{check.__name__}: {complaints}")
    return None


browse(check_all)
