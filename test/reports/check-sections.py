# SPDX-License-Identifier: BSD-3-Clause
"""The pages of all scenarios, those of foreign archives among them: no section, legend or column that holds nothing,
every figure with its unit, no time counted twice, no link that leads nowhere.

Usage: check-sections.py OMPREPORT MAKE_ARCHIVE
"""
import re
import subprocess

from page_text import Page
from tables import MAKE_ARCHIVE, OMPREPORT, expect, finish, make

SIZES = {"fine": 2, "large": 500, "fleet": 20, "many": 40, "deep": 1000}
# Columns of counts, of factors, and of names: all other cells have a unit.
COUNTS = {"calls", "calls before", "calls after", "acquired", "contended", "created", "executed", "undeferred", "cuts", "messages",
          "bytes", "mean bytes", "after / before", "threads", "samples", "page faults", "seen"}
NAMES = {"region", "line of Python", "by way of", "lock", "task", "thread", "rank", "function", "in", "from", "to", "mostly by", "ended mostly by", "waited most", "late",
         "verdict", "run", "archive", "process", "line", "mostly in", "for"}
FIGURE = re.compile("|0|n/a|[+\u2212-]?[0-9.,]+(ns|us|ms|s|min|h|d)|<?[0-9.]+%|[+-]?[0-9.]+ points")
HEADED = re.compile(r'<section[^>]*>\n?(?:<h2.*?</h2>)?(.*?)</section>', re.S)


def scenarios():
    usage = subprocess.run([MAKE_ARCHIVE], capture_output=True, text=True).stderr
    names = usage.split("scenarios:")[1].split()
    expect(len(names) > 25, f"scenarios: {names}")
    return names


def pages(folder):
    """Of each scenario and of it compared with itself; some archives have no thread."""
    for scenario in scenarios():
        path = make(folder, scenario, SIZES.get(scenario, 3))
        for name, words in ((scenario, [path]), (f"{scenario} compared", [path, path])):
            output = folder / "page.html"
            done = subprocess.run([OMPREPORT, "html", "-o", output, *words], capture_output=True)
            expect(done.returncode == 0, f"{name}: {done.stderr}")
            text = output.read_text("utf-8")
            yield name, text, Page(text)


def check_content(name, text):
    for body in HEADED.findall(text):
        words = re.sub(r"<thead>.*?</thead>|<[^>]*>", "", body, flags=re.S).strip()
        expect(words or "<svg" in body or "class=\"stack" in body, f"{name}: a section without content: {body[:200]!r}")
        tables = re.findall(r"<table.*?</table>", body, re.S)
        expect(all("<tr" in table.split("<tbody>")[1] for table in tables), f"{name}: a table without rows: {body[:200]!r}")
    expect("<small></small>" not in text and "<p></p>" not in text and "<dd></dd>" not in text, f"{name}: an empty remark")
    expect(not re.search(r"<(ol|ul|dl|select)[^>]*>\s*</\1>", text), f"{name}: an empty list")


def check_units(name, page):
    for section, (head, *rows) in page.rows.items():
        for row in rows:
            cells = list(zip(head, row)) if section not in ("categories",) else list(zip(["region", "", ""], row))
            for column, cell in cells:
                wanted = re.compile("|n/a|[+-]?[0-9.,]+") if column in COUNTS or row[0] == "threads" else FIGURE
                expect(column in NAMES or row[0] == cell or wanted.fullmatch(cell), f"{name}: {section}: {column!r} is {cell!r}")


def check_regions(name, page):
    """No column without a value; own shares add up to no more than all the thread time."""
    head, *rows = page.rows.get("regions", [["region"]])
    for index, column in enumerate(head):
        expect(not rows or any(row[index] not in ("n/a", "") for row in rows), f"{name}: nothing in column {column!r}")
    if "share" in head:
        whole = sum(float(row[head.index("share")].strip("<%")) for row in rows if row[head.index("share")] != "n/a")
        expect(whole <= 100 + 0.05 * len(rows), f"{name}: shares of {whole}%")


def check_legend(name, text, page):
    """What the legend names is something that a thread did."""
    legend = re.search(r'<ul class="legend">(.*?)</ul>', text, re.S)
    entries = re.findall(r"</span>([^<]*)</li>", legend.group(1)) if legend else []
    if "threads" in page.rows:
        expect(set(entries) <= set(page.rows["threads"][0]), f"{name}: legend {entries}, threads {page.rows['threads'][0]}")
    for row in page.rows.get("categories", []):
        expect("unknown" not in row[0] or row[-1] not in ("0.0%", "<0.1%", "n/a"), f"{name}: {row}")


def check_links(name, page):
    targets = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    for tag, attributes in page.elements:
        if tag == "a":
            expect(attributes["href"][1:] in targets, f"{name}: {attributes} leads nowhere")
        for key in ("aria-labelledby", "aria-controls", "aria-describedby"):
            expect(attributes.get(key, "") in targets | {""}, f"{name}: {tag} {attributes}")


def unknown_rows(page):
    return [row[0] for row in page.rows.get("categories", []) if "unknown" in row[0]]


def check_all(folder):
    """The page that compares a run with itself has no row of what is unknown that the run's own page leaves out."""
    unknown = {}
    for name, text, page in pages(folder):
        unknown[name] = unknown_rows(page)
        expect(unknown[name] == unknown[name.removesuffix(" compared")], f"{name}: {unknown[name]}")
        check_content(name, text)
        check_units(name, page)
        check_regions(name, page)
        check_legend(name, text, page)
        check_links(name, page)


finish(check_all)
