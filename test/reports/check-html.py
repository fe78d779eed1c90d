# SPDX-License-Identifier: BSD-3-Clause
"""The HTML report: what its text must and must not hold.

Usage: check-html.py OMPREPORT MAKE_ARCHIVE
"""
import base64
import html
import json
import os
import re
import subprocess

from page_text import Page, check_self_contained
from tables import IS_FULL, OMPREPORT, expect, finish, make


def report(folder, scenario, number=1):
    path = make(folder, scenario, number)
    done = subprocess.run([OMPREPORT, "html", path], capture_output=True)
    expect(done.returncode == 0, f"{scenario}: exit status {done.returncode}: {done.stderr}")
    expect(done.stdout.decode().strip() == str(path / "report.html"), f"{scenario}: says {done.stdout}")
    text = (path / "report.html").read_text("utf-8")
    expect(len(text) < 5_000_000, f"{scenario}: {len(text)} characters")
    return path, text, Page(text)


def check_figures(folder):
    path, _, page = report(folder, "uneven")
    check_self_contained("uneven", page)
    regions = page.columns("regions")
    wanted = {"share": "64.5%", "potential gain": "120ms", "calls": "8", "thread time": "320ms", "own time": "200ms"}
    expect(regions["solver.c:12 for"].items() >= wanted.items(), f"uneven: regions {regions}")
    # The loop is within the parallel region, which has no time of its own.
    expect(list(regions) == ["solver.c:10 parallel", "solver.c:12 for"], f"uneven: rows {list(regions)}")
    expect(regions["solver.c:10 parallel"]["share"] == "0.0%", f"uneven: {regions}")
    threads = page.columns("threads")
    # No thread was in a task, a lock or a task wait.
    wanted = ["40.0ms", "20.0ms", "60.0ms", "4.00ms", "0"], ["0", "80.0ms", "0", "4.00ms", "40.0ms"]
    for thread, times in zip(("Master thread", "OMP thread 3"), wanted):
        expect(threads[thread] == dict(zip(("thread", "share", "serial part", "useful work", "barrier wait", "team start, end",
                                            "idle"), [thread, "", *times])), f"uneven: {threads[thread]}")
    expect(["useful work", "200ms", "40.3%"] in page.rows["categories"], "uneven: categories")


def check_path(folder):
    """The same rows as the command's, in its order."""
    for scenario in ("path", "mixed", "nested"):
        path, _, page = report(folder, scenario)
        done = subprocess.run([OMPREPORT, "critical-path", "--format=json", path], capture_output=True, check=True)
        data = json.loads(done.stdout)["critical-path"]
        rows = [(row[0], row[5], int(row[6]), row[8]) for row in page.rows["path"][1:]]
        wanted = [(row["region"], row["mostly_by"], row["cuts"], row["ended_by"]) for row in data]
        expect(rows == wanted and rows, f"{scenario}: critical path {rows}, not {wanted}")
    path, _, page = report(folder, "path", 2)
    # region, on path, share, work, waits
    tasks = [row[1:5] for row in page.rows["path"] if row[0] == "solver.c:37 task"]
    expect(tasks == [["10.0ms", "22.2%", "10.0ms", "0"]], f"path: {page.rows['path']}")
    expect("path" not in report(folder, "foreign")[2].rows, "a critical path without teams")


def runs_of(lane):
    """(units, {activity: sixteenths}, construct), as page_write_stretches() writes them."""
    data, at, runs = base64.b64decode(lane), 0, []

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        length, mix = number(), {}
        while sum(mix.values()) < 16:
            mix[data[at] & 15] = (data[at] >> 4) + 1
            at += 1
        runs.append((length, mix, number() - 1))
    return runs


def check_timeline(folder):
    """The runs given to the script add up to the threads' times: exactly in small traces, in shares in large ones."""
    _, text, page = report(folder, "uneven", 2)
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(data["labels"] == ["Master thread", "OMP thread 1", "OMP thread 2", "OMP thread 3"], str(data["labels"]))
    expect(data["exact"] and data["begin"] == 0 and data["unit"] == 1e-9, f"timeline: {data['unit']}")
    expect(abs(data["units"] - 124e6) < 2e6, f"timeline: {data['units']} ns")
    work = [title for _, title in data["activities"]].index("useful work")
    for thread, lane in enumerate(data["lanes"]):
        runs = runs_of(lane)
        expect(sum(length for length, _, _ in runs) == data["units"], f"timeline: lane {thread} has a hole")
        expect(all(set(mix.values()) == {16} for _, mix, _ in runs), f"timeline: lane {thread} has no whole runs")
        worked = sum(length for length, mix, _ in runs if work in mix)
        expect(worked == 20_000_000 * (thread + 1), f"timeline: thread {thread} works {worked} ns")
        places = {data["constructs"][c] for _, mix, c in runs if work in mix}
        expect(places == {"solver.c:12 for"}, f"timeline: thread {thread} works in {places}")
    expect(sum(tag == "path" for tag, _ in page.elements) >= 9, "timeline: too few paths")
    expect(len([1 for tag, _ in page.elements if tag == "figure"]) == 2, "imbalance: not the loop's and the region's picture")
    expect(any("OMP thread 3 came last at 2 of 2 barriers" in text for text in page.text), "imbalance: who came last")
    expect("OMP thread 3: 80.0ms" in page.text, "imbalance: the slowest thread's bar")
    _, text, page = report(folder, "large", 20000)
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(not data["exact"] and data["units"] >= 20000, f"timeline: large has {data['units']} bins")
    threads = page.columns("threads")
    for label, lane in zip(data["labels"], data["lanes"]):
        runs = runs_of(lane)
        expect(all(sum(mix.values()) == 16 for _, mix, _ in runs), f"timeline: shares of {label}")
        for index, shown in ((2, threads[label]["useful work"]), (4, threads[label]["barrier wait"])):
            seconds = sum(length * mix.get(index, 0) / 16 for length, mix, _ in runs) * data["unit"]
            expect(abs(seconds * 1000 - float(shown.removesuffix("ms"))) < 1, f"timeline: {label}: {seconds} s, not {shown}")


def check_processes(folder):
    """Each process has a heading over its lanes, in the picture a group; lanes never hold parts of two."""
    _, text, page = report(folder, "ranks")
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(data["headings"] == [["process 0 (Process)", 0, 2], ["process 1 (Process)", 2, 2]], f"{data['headings']}")
    expect(data["labels"][3] == "process 1, OMP thread 3", f"processes: {data['labels']}")
    labels = re.search(r'<div class="labels">(.*?)</div>', text, re.S).group(1)
    expect(re.findall(r"<span([^>]*)>([^<]*)<", labels)[2:5] == [
        (' title="process 0, OMP thread 1"', "OMP thread 1"), (' class="heading" title="process 1 (Process)"', "process 1 (Process)"),
        (' title="process 1, OMP thread 2"', "OMP thread 2")], labels)
    expect(len(re.findall(r"<g><title>process . \(Process\)</title>\n<path", text)) == 2, "processes: groups")
    _, text, page = report(folder, "fleet", 50)
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(len(data["lanes"]) == 200 and data["headings"][49][1:] == [196, 4], f"fleet: {len(data['lanes'])} lanes")
    expect(data["labels"][196:] == [f"process 49, threads {a} to {b}" for a, b in ((0, 3), (4, 7), (8, 11), (12, 15))],
           f"fleet: {data['labels'][196:]}")


def members_of(text):
    """"threads 0, 5 to 7" as numbers."""
    numbers = set()
    for part in text.split(" ", 1)[1].split(", "):
        first, _, last = part.partition(" to ")
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def check_groups(folder):
    """Of many threads and processes groups of like ones come first; each is in one of them; all rows are there on demand."""
    wide, fleet = report(folder, "wide"), report(folder, "fleet", 64)
    for scenario, (_, text, page), section, count in (("wide", wide, "like-threads", 1200), ("fleet", fleet, "like-threads", 1024),
                                                      ("fleet", fleet, "like-ranks", 64)):
        rows = page.rows[section]
        body = text[text.index(f'id="{section}"'):]
        members = [members_of(found) for found in re.findall(r"</summary>(.*?)</details></th>", body[:body.index("</section>")])]
        expect(2 < len(members) == len(rows) - 1 <= 12, f"{scenario}: {len(members)} groups, {len(rows)} rows")
        expect(sum(map(len, members)) == count == len(set().union(*members)), f"{scenario}: {section}: not each in one group")
        for row, numbers in zip(rows[1:], members):
            expect(row[0].startswith(f"{len(numbers)} "), f"{scenario}: {row[0][:60]} for {len(numbers)}")
        expect('<details class="rest"><summary>all threads</summary>' in text, f"{scenario}: the rows are not on demand")
        expect(text.index(f'id="{section}"') < text.index('id="threads"'), f"{scenario}: groups come late")
    # 192 threads each work from 0 to 16 %, 16 to 32 % ... of the wall time.
    found = wide[2].rows["like-threads"]
    expect([row[2] for row in found[1:4]] == ["8.0%", "24.0%", "40.0%"], f"wide: {found}")
    expect("like-threads" not in report(folder, "uneven")[2].rows, "groups of four threads")


def check_hybrid(folder):
    """Waits that were planted between ranks, as scenario_hybrid has them, and the same pairs as the command has."""
    path, text, page = report(folder, "hybrid")
    check_self_contained("hybrid", page)
    ranks = page.columns("ranks")
    wanted = {"waits": "150ms", "computation": "20.0ms", "barriers": "100ms", "imbalance": "100ms", "MPI wait": "50.0ms",
              "MPI transfer": "4.00ms"}
    expect(ranks["rank 1, OMP thread 2"].items() >= wanted.items(), f"hybrid: {ranks}")
    # No thread waited for a lock or a task.
    expect(not {"locks", "task wait"} & set(page.rows["ranks"][0]), f"hybrid: {page.rows['ranks'][0]}")
    absent = report(folder, "absent")[2].columns("ranks")
    expect(absent["process 1, OMP thread 1"] == {"thread": "process 1, OMP thread 1", "waits": "0", "computation": "10.0ms", "no processor": "4.00ms",
                                              "blocked": "6.00ms"}, f"absent: {absent}")
    calls = page.rows["calls"]
    expect(calls[0][3:] == ["thread time", "transfer", "late sender", "late receiver", "wait at barrier", "late root", "early root",
                            "waited most", "late"], f"hybrid: {calls[0]}")
    found = {row[0]: row[3:] for row in calls[1:]}
    expect(found["MPI_Recv"] == ["52.0ms", "2.00ms", "50.0ms", "0", "0", "0", "0", "rank 1", "rank 0"], f"hybrid: {found}")
    expect(found["MPI_Send"][3] == "30.0ms" and found["MPI_Reduce"][6] == "10.0ms", f"hybrid: {found}")
    titles = re.findall(r"<rect class=.barrier[^>]*><title>([^<]*)", text)
    expect(len(titles) == 8 and titles[2] == "rank 1, thread 0: 86.2% of the time waiting, barriers 100ms, MPI 50.0ms", f"{titles}")
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    # [sent, received, from lane, to lane] in ns.
    expect(data["arrows"][1] == [50_000_000, 51_000_000, 0, 2] and len(data["arrows"]) == 4, f"hybrid: {data['arrows']}")
    lines = re.findall(r'<path class="arrow" d="([^"]*)"', text)
    expect(len(lines) == 1 and lines[0].count("M") == 4, f"hybrid: lines {lines}")
    # 340 ms of work by 8 threads in 174 ms.
    expect('<span>hybrid parallel</span><span class="figure">24.4%' in text, "hybrid: efficiency")
    path, text, page = report(folder, "messages", 7)
    data = json.loads(subprocess.run([OMPREPORT, "messages", "--matrix", "--format=json", path], capture_output=True,
                                     check=True).stdout)["messages"]
    pairs = sorted((int(row[0][5:]), int(row[1][5:]), row[2], row[3]) for row in page.rows["pairs"][1:])
    expect(pairs == sorted((row["sender"], row["receiver"], str(row["messages"]), f"{row['bytes']:,}") for row in data) and pairs,
           f"messages: {pairs}")
    squares = re.findall(r'class="messages"[^>]*><title>from rank (.), to rank (.): (\d+) messages', text)
    expect(sorted((int(a), int(b), c) for a, b, c in squares) == [pair[:3] for pair in pairs], f"messages: {squares}")
    single = report(folder, "uneven")[2]
    expect(not {"waits", "ranks", "calls", "pairs", "hybrid"} & single.rows.keys(), "one process: sections of ranks")


def paths_of(text):
    """{path: (style, samples)} of the boxes of call paths, the outermost name first."""
    found, path = {}, []
    boxes = r'<li class="(\w+)" style="[^"]*" data-s="(\d+)"><span title="[^"]*">([^<]*) <small>[^<]*</small></span>|</li>'
    for box in re.finditer(boxes, text[text.index('<div class="flame"'):text.index("</div>", text.index('<div class="flame"'))]):
        if box.group(0) == "</li>":
            path.pop()
        else:
            path.append(html.unescape(box.group(3)))
            found[" > ".join(path)] = box.group(1), int(box.group(2))
    return found


def check_paths(folder):
    """Call paths of scenario_processor: without the runtime, each construct within the function that has its lines."""
    _, text, page = report(folder, "processor", 3)
    check_self_contained("processor", page)
    wanted = {
        "main": ("function", 21), "main > solve": ("function", 21),
        "main > solve > solver.c:12 for": ("construct", 15), "main > solve > solver.c:12 for > kernel": ("function", 15),
        "main > solve > solver.c:37 task": ("construct", 6), "main > solve > solver.c:37 task > kernel": ("function", 6),
        "solve": ("function", 9), "solve > solver.c:12 for": ("construct", 9), "solve > solver.c:12 for > kernel": ("function", 6),
        "solve > solver.c:12 for > waits": ("waiting", 3),
        "serial part": ("outside", 5), "serial part > main": ("function", 5), "serial part > main > read_input": ("function", 4)}
    found = paths_of(text)
    expect(found == wanted, f"call paths: {found}")
    expect(list(found) == list(wanted), f"call paths: not in the order of samples: {list(found)}")
    titles = {attributes["title"] for tag, attributes in page.elements if tag == "span" and "title" in attributes}
    expect("main, solver.c: samples 5 (14.3%), its own 1 (2.9%)" in titles, f"call paths: {titles}")
    # Shares of the box around.
    sizes = re.findall(r'style="left:([^%]*)%;width:([^%]*)%;--own:([^"]*)"', text)
    expect(sizes[0] == ("0", "60", "0") and sizes[4] == ("71.43", "28.57", "0"), f"call paths: {sizes}")
    expect('id="flame"' not in report(folder, "uneven")[1], "call paths without samples")


def check_many_paths(folder):
    """Pictures and pages stay small: the boxes with most samples, and whole paths of them, as many levels as are shown."""
    path, text, page = report(folder, "branching", 20000 if IS_FULL else 5000)
    check_self_contained("branching", page)
    expect(len(text) < 3_000_000, f"branching: {len(text)} characters")
    # The functions of samples do not count as constructs, of which a page with events has 2,000 at most.
    run = json.loads(re.search(r'id="run-data">(.*?)</script>', text, re.S).group(1))
    expect("events" in run and sum(name is not None for name in run["names"]) == 1, f"branching: run {list(run)}")
    found = paths_of(text)
    expect(1000 < len(found) <= 2000, f"branching: {len(found)} boxes")
    expect(all(name.rpartition(" > ")[0] in found for name in found if " > " in name), "branching: a box without that around it")
    least = int(re.search(r"Boxes of fewer than ([0-9]+) samples are left out", text).group(1))
    expect(min(samples for _, samples in found.values()) >= least > 1, f"branching: boxes of fewer than {least} samples")
    levels = max(name.count(" > ") for name in found) + 1
    expect(int(re.search(r'class="flame" style="--levels:([0-9]+)"', text).group(1)) == levels, f"branching: {levels} levels")
    expect(len(page.rows["hot-functions"]) == 301 and "more; ompreport hot --functions --format=csv has them all" in text, "branching: rows")
    expect(all("+0x" not in name for name in found) and any(name.endswith(" > libfoo.so") for name in found), "branching: functions without names")
    # The innermost functions of a long chain are shown, and no more levels than there is room for.
    path, text, page = report(folder, "branching", 1)
    found = max(paths_of(text), key=len).split(" > ")
    expect(100 < len(found) <= 128 and found[-1] == "<function> 300", f"branching: {len(found)} levels, {found[-1]}")


def check_hot(folder):
    """The lines and functions of scenario_processor, and the source with the heat of its lines."""
    source = folder / "solver.c"
    os.environ["MAKE_ARCHIVE_SOURCE"] = str(source)
    source.write_text("".join(f"line {n}\n" for n in range(1, 100)))
    _, text, page = report(folder, "processor", 3)
    lines, functions = page.columns("hot"), page.columns("hot-functions")
    expect(lines["solver.c:60"] == {"line": "solver.c:60", "function": "kernel", "share": "68.6%", "samples": "24", "processor time": "96.0ms",
                                    "in waits": "0.0%", "mostly in": "solver.c:12 for"}, f"hot: {lines}")
    expect(lines["team.c:310"]["in waits"] == "8.6%" and lines["solver.c:70"]["mostly in"] == "serial part", f"hot: {lines}")
    expect(functions["kernel"].items() >= {"in": "solver.c", "share": "77.1%", "with calls": "77.1%", "samples": "27"}.items(), f"hot: {functions}")
    # All but the 5 samples of the serial part and the 3 of waits are in functions that solve() calls.
    expect(functions["solve"].items() >= {"share": "0.0%", "with calls": "85.7%", "samples": "0"}.items(), f"hot: {functions}")
    others = report(folder, "uneven")[2].rows
    expect("hot" not in others, "hot code without samples")
    # What the kernel counted; columns of zeros are left out.
    regions = page.columns("regions")
    expect(regions["solver.c:12 for"].items() >= {"no processor": "12.0ms", "blocked": "6.00ms", "page faults": "60"}.items(), f"kernel: {regions}")
    expect(regions["solver.c:37 task"]["no processor"] == "0", f"kernel: {regions}")
    expect("no processor" not in others["regions"][0], "kernel: columns without its figures")
    expect(page.rows["blocked-calls"][1:] == [["solver.c:70", "read_input", "read(2)", "7.50ms", "3", "serial part"],
                                              ["solver.c:62", "kernel", "sleep", "6.00ms", "3", "solver.c:12 for"],
                                              ["solver.c:92", "main", "pthread mutex", "2.50ms", "1", "serial part"]], f"blocked: {page.rows['blocked-calls']}")
    expect("blocked-calls" not in others, "blocked: without system calls")
    legend = text[text.index('<ul class="legend">'):text.index('<div class="timeline"')]
    for css, title in (("delayed", "waiting for a processor"), ("blocked", "blocked in system calls")):
        expect(re.search(f'<li title="[^"]+"><span class="swatch {css}"></span>{title}</li>', legend), f"kernel: the legend lacks {title}")
        expect(f'<pattern id="hatched-{css}"' in text, f"kernel: {title} is not hatched")
    expect('<span>running</span><span class="figure">88.5%' in text, "kernel: the efficiency")
    section = text[text.index('<h2 id="source">'):]
    found = {int(line): (lost, heat) for lost, heat, line in re.findall(
        r"<div[^>]*><span>(.*?)</span><span>[^<]*</span><span>(.*?)</span><span>(\d+)</span>", section)}
    expect(found[60] == ("", "68.6%") and found[61] == ("", "8.6%") and found[70] == ("", "11.4%"), f"source: {found}")
    expect(found[12] == ("12.0ms", "") and found[62] == ("", ""), f"source: {found}")
    expect("72.0ms lost, 91.4% of the samples" in "".join(page.text), "source: the file's sums")
    links = {attributes["href"][1:] for tag, attributes in page.elements if tag == "a"}
    anchors = {attributes["id"] for _, attributes in page.elements if attributes.get("id", "").startswith("source-")}
    expect(links == anchors and {link.split("-")[2] for link in links} == {"10", "12", "37", "60", "61", "70", "90"},
           f"source: links {links}, anchors {anchors}")
    expect(text.index('<h2 id="hot">') < text.index('<h2 id="flame">'), "hot: behind the call paths")
    del os.environ["MAKE_ARCHIVE_SOURCE"]


def check_names(folder):
    _, text, page = report(folder, "names")
    check_self_contained("names", page)
    expect("<script>alert" not in text and "<img src=x" not in text, "names: not escaped")
    shown = "".join(page.text)
    expect("./a.out <img src=x onerror=alert(2)> ]]> </style> \"'" in shown, "names: the program's name is lost")
    titles = {attributes.get("title") for tag, attributes in page.elements if tag == "td"}
    expect(any(t and t.startswith("/src/<script>alert(1)</script>/") for t in titles), f"names: titles {titles}")
    expect("\x1b" not in text, "names: control character")


def check_many(folder):
    """A large trace, in tools/test full ten times as large, and the traces that are hardly one."""
    large = 20000 if IS_FULL else 2000
    for scenario, number in (("large", large), ("many", large), ("wide", 1), ("mixed", 1), ("tasks", 1), ("nested", 1), ("foreign", 1), ("nothing", 1)):
        _, _, page = report(folder, scenario, number)
        check_self_contained(scenario, page)
        if scenario == "many":
            expect(len(page.rows["regions"]) == 1501 and f"and {large - 1499} more" in "".join(page.text), "many: rows")
        if scenario == "wide":
            expect([row[0] for row in page.rows["threads"][1:]] == [f"threads {i} to {i + 4}" for i in range(0, 1200, 5)], f"wide: {[row[0] for row in page.rows['threads']]}")
    expect("the archive holds no events" in "".join(page.text), "nothing: not said")


def check_output(folder):
    path, _, _ = report(folder, "tasks", 2)
    done = subprocess.run([OMPREPORT, "html", "-o", folder / "missing" / "x.html", path], capture_output=True)
    expect(done.returncode == 1 and b"missing/x.html" in done.stderr, f"-o: {done.stderr}")
    done = subprocess.run([OMPREPORT, "html", "-o", "/dev/full", path], capture_output=True)
    expect(done.returncode == 1 and b"incomplete" in done.stderr, f"/dev/full: {done.stderr}")


def source_lines(text):
    """What stands beside each line of the source: (lost, share, line, text)."""
    section = text[text.index('<h2 id="source">'):]
    section = section[:section.index("</section>")]
    return [tuple(html.unescape(re.sub("<.*?>", "", cell)) for cell in re.findall(r"<(?:span|code|em)>(.*?)</(?:span|code|em)>", row))
            for row in re.findall(r'<div(?: class="lost".*?)?>(<span>.*?)</div>', section)]


def check_source(folder):
    """Lines 10 and 12 have regions; what is further away than two lines is there on demand, or not at all."""
    source = folder / "solver.c"
    os.environ["MAKE_ARCHIVE_SOURCE"] = str(source)
    source.write_text("".join(f"\tline {n} < {n + 1};\n" for n in range(1, 100)))
    path, text, page = report(folder, "sourced")
    check_self_contained("sourced", page)
    found = source_lines(text)
    numbers = [int(row[2]) for row in found if row[2]]
    expect(numbers[:7] == list(range(8, 15)) and numbers == sorted(set(numbers)), f"source: lines {numbers}")
    lost = {int(row[2]): row[:2] for row in found if row[0] and row[2]}
    expect(lost[12] == ("120ms", "24.2%") and 10 in lost, f"source: lost {lost}")
    expect(all(row[3] == f"\tline {row[2]} < {int(row[2]) + 1};" for row in found if row[2]), f"source: {found}")
    anchors = {attributes["id"] for _, attributes in page.elements if attributes.get("id", "").startswith("source-")}
    links = {attributes["href"][1:] for tag, attributes in page.elements if tag == "a"}
    expect(anchors == links and len(links) == len(lost), f"source: anchors {anchors}, links {links}")
    expect("changed after the run" not in text, "source: said to be younger")

    # More regions than the page has room for: none of the table's names leads nowhere.
    source.write_text("".join(f"line {n}\n" for n in range(1, 20000)))
    _, text, page = report(folder, "sourced", 6000 if IS_FULL else 4500)
    anchors = {attributes["id"] for _, attributes in page.elements if attributes.get("id", "").startswith("source-")}
    links = {attributes["href"][1:] for tag, attributes in page.elements if tag == "a"}
    expect(links and links <= anchors, f"source: {len(links - anchors)} of {len(links)} links lead nowhere")
    expect(3900 < len(source_lines(text)) <= 4000, f"source: {len(source_lines(text))} lines")
    source.write_text("".join(f"\tline {n} < {n + 1};\n" for n in range(1, 100)))

    def again(*options):
        subprocess.run([OMPREPORT, "html", *options, path], capture_output=True, check=True)
        return (path / "report.html").read_text("utf-8")

    text = again("--no-source")
    expect("line 12" not in text and 'id="source"' not in text and "#source" not in text, "--no-source")
    text = again("--brief")
    parts = re.findall('<h2 id="([a-z-]*)"', text)
    expect(parts[0] == "advice" and {"timeline", "regions"} <= set(parts) and not {"source", "path", "hot", "threads"} & set(parts), f"--brief: {parts}")
    expect(len(text) < len(again()) * 0.7 and '"events":' not in text and '"sums":' not in text, "--brief: what selections need")
    source.write_text(("<script>alert(1)</script>\x1b[31m&amp;\u202e" + "x" * 5000 + "\n") * 99)
    text = again()
    expect("changed after the run" in text, "source: not said to be younger")
    expect("<script>alert" not in text and "\x1b" not in text and "\u202e" not in text, "source: a hostile file")
    expect(len(text) < 600_000, f"source: {len(text)} characters")
    source.unlink()
    text = again()
    expect('id="source"' not in text and "#source" not in text, "source: cannot be read")


finish(check_figures, check_path, check_timeline, check_processes, check_groups, check_hybrid, check_paths, check_many_paths, check_hot, check_names, check_many, check_output, check_source)
