# SPDX-License-Identifier: BSD-3-Clause
"""The HTML report: what its text must and must not hold.

Usage: check-html.py OMPREPORT MAKE_ARCHIVE
"""
import json
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

OMPREPORT, MAKE_ARCHIVE = sys.argv[1:3]
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


class Page(HTMLParser):
    """Elements with their attributes, the text of table cells, and whether all are closed."""

    VOID = {"meta", "path", "br"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.text, self.rows, self.cell = [], [], [], {}, None
        self.section = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "h2":
            self.section = attributes.get("id")
        if tag == "tr":
            self.rows.setdefault(self.section, []).append([])
        if tag in ("td", "th"):
            self.cell = []

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            failures.append(f"</{tag}> does not match")
        if tag in ("td", "th"):
            self.rows[self.section][-1].append("".join(self.cell))
            self.cell = None

    def handle_data(self, data):
        self.text.append(data)
        if self.cell is not None:
            self.cell.append(data)


def report(folder, scenario, number=1):
    path = folder / f"{scenario}-{number}"
    subprocess.run([MAKE_ARCHIVE, scenario, path, str(number)], check=True, timeout=120)
    done = subprocess.run([OMPREPORT, "html", path], capture_output=True, timeout=120)
    expect(done.returncode == 0, f"{scenario}: exit status {done.returncode}: {done.stderr}")
    expect(done.stdout.decode().strip() == str(path / "report.html"), f"{scenario}: says {done.stdout}")
    text = (path / "report.html").read_text("utf-8")
    expect(len(text) < 5_000_000, f"{scenario}: {len(text)} characters")
    return path, text, Page(text)


def check_self_contained(scenario, page):
    tags = {tag for tag, _ in page.elements}
    expect(not tags & {"link", "img", "iframe", "object", "embed", "base", "a"}, f"{scenario}: {tags}")
    for tag, attributes in page.elements:
        expect(not set(attributes) & {"src", "href", "onerror", "onload", "onclick"}, f"{scenario}: {tag} {attributes}")
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    expect(scripts in ([{"type": "application/json", "id": "timeline-data"}, {}], [{}]), f"{scenario}: scripts {scripts}")
    expect(not page.open, f"{scenario}: never closed: {page.open}")


def check_figures(folder):
    path, _, page = report(folder, "uneven")
    check_self_contained("uneven", page)
    regions = page.rows["regions"]
    expect(regions[1][:4] == ["solver.c:12 for", "120ms", "8", "320ms"], f"uneven: regions {regions}")
    expect(len(regions) == 3, f"uneven: {len(regions)} rows")
    threads = {row[0]: row for row in page.rows["threads"]}
    # thread, share, serial, work, task, barrier, lock, task wait, team, idle
    expect(threads["Master thread"][2:] == ["40.0ms", "20.0ms", "0", "60.0ms", "0", "0", "4.00ms", "0"],
           f"uneven: {threads['Master thread']}")
    expect(threads["OMP thread 3"][2:] == ["0", "80.0ms", "0", "0", "0", "0", "4.00ms", "40.0ms"],
           f"uneven: {threads['OMP thread 3']}")
    expect(["useful work", "200ms", "40.3%"] in page.rows["categories"], "uneven: categories")


def check_timeline(folder):
    """The runs given to the script add up to the threads' times."""
    path, text, page = report(folder, "uneven", 2)
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(data["labels"] == ["Master thread", "OMP thread 1", "OMP thread 2", "OMP thread 3"], str(data["labels"]))
    expect(abs(data["seconds"] - 0.124) < 1e-4, f"timeline: {data['seconds']} s")
    work = data["activities"].index("useful work")
    for thread, runs in enumerate(data["rows"]):
        triples = list(zip(runs[0::3], runs[1::3], runs[2::3]))
        expect(sum(length for length, _, _ in triples) == data["bins"], f"timeline: lane {thread} has a hole")
        seconds = sum(length for length, activity, _ in triples if activity == work) * data["binSeconds"]
        expect(abs(seconds - 0.02 * (thread + 1)) < 0.001, f"timeline: thread {thread} works {seconds} s")
        worked = {data["constructs"][c] for _, activity, c in triples if activity == work}
        expect(worked == {"solver.c:12 for"}, f"timeline: thread {thread} works in {worked}")
    expect(sum(tag == "path" for tag, _ in page.elements) >= 9, "timeline: too few paths")


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
    """A large trace and the traces that are hardly one."""
    for scenario, number in (("large", 20000), ("many", 20000), ("wide", 1), ("mixed", 1), ("tasks", 1), ("nested", 1), ("foreign", 1), ("nothing", 1)):
        _, _, page = report(folder, scenario, number)
        check_self_contained(scenario, page)
        if scenario == "many":
            expect(len(page.rows["regions"]) == 1501 and "and 18501 more" in "".join(page.text), "many: rows")
        if scenario == "wide":
            expect(page.rows["threads"][1][0] == "threads 0 to 3", f"wide: {page.rows['threads'][1]}")
            expect(len(page.rows["threads"]) == 257, f"wide: {len(page.rows['threads'])} rows")
    expect("the archive holds no events" in "".join(page.text), "nothing: not said")


def check_output(folder):
    path, _, _ = report(folder, "tasks", 2)
    done = subprocess.run([OMPREPORT, "html", "-o", folder / "missing" / "x.html", path], capture_output=True, timeout=60)
    expect(done.returncode == 1 and b"missing/x.html" in done.stderr, f"-o: {done.stderr}")
    done = subprocess.run([OMPREPORT, "html", "-o", "/dev/full", path], capture_output=True, timeout=60)
    expect(done.returncode == 1 and b"incomplete" in done.stderr, f"/dev/full: {done.stderr}")


with tempfile.TemporaryDirectory() as temporary:
    for check in (check_figures, check_timeline, check_names, check_many, check_output):
        place = Path(temporary) / check.__name__
        place.mkdir()
        check(place)
for failure in failures:
    print(f"FAIL: {failure}")
sys.exit(1 if failures else 0)
