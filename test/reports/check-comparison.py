# SPDX-License-Identifier: BSD-3-Clause
"""The page about runs of two sides: the figures and verdicts of `ompreport diff`, what it says of few runs,
and that names stay text.

Usage: check-comparison.py OMPREPORT MAKE_ARCHIVE
"""
import json
import re

from page_text import Page, check_self_contained
from tables import IS_FULL, expect, finish, make, run

MINUS = "\u2212"


def compare(folder, before, after, *options):
    output = folder / "page.html"
    words = [*before, "vs", *after] if len(before) + len(after) > 2 else [*before, *after]
    run("html", *options, "-o", output, *words)
    text = output.read_text("utf-8")
    page = Page(text)
    check_self_contained(output.name, page)
    return text, page


def regions_of(page):
    """By name: the cells' texts and values by column."""
    head = page.rows["regions"][0]
    return {row[0]: dict(zip(head, zip(row, values))) for row, values in zip(page.rows["regions"][1:], page.values["regions"][1:])}


def runs(folder, name, numbers):
    """Each region takes as long as the number says."""
    (folder / name).mkdir()
    return [make(folder / name, "large", number) for number in numbers]


def verdicts(page):
    """Of the regions that take long; the critical takes hardly any time."""
    return {cells["verdict"][0] for region, cells in regions_of(page).items() if not region.endswith("critical(sum)")}


def check_one_run(folder):
    """The figures of diff; one run a side tells nothing of noise."""
    before, after = make(folder, "mixed", 3), make(folder, "mixed", 5)
    text, page = compare(folder, [before], [after])
    data = json.loads(run("diff", "--format=json", before, after))
    found = regions_of(page)
    expect(len(found) == len(data["diff"]) > 5, f"one run: {len(found)} regions")
    for row in data["diff"]:
        cells = found[row["region"]]
        for column, key in (("change", "change_ns"), ("time before", "time_a_ns"), ("time after", "time_b_ns"),
                            ("wait before", "wait_a_ns"), ("wait after", "wait_b_ns"), ("calls after", "visits_b")):
            wanted = -1 if row[key] is None else row[key]
            expect(float(cells[column][1]) == wanted, f"one run: {row['region']}: {column} {cells[column]}, not {wanted}")
        expect(cells["verdict"][0] == "unknown", f"one run: {cells['verdict']}")
    # 146 ms and 214 ms of all threads.
    expect(found["solver.c:10 parallel"]["change"][0].startswith("+"), "one run: the sign of growth")
    expect(found["solver.c:33 barrier"]["change"][0].startswith(MINUS), "one run: the sign of what shrank")
    said = "".join(page.text)
    expect("With one run on each side a change cannot be distinguished from noise" in said, "one run: not said")
    expect("chance explains" not in said and 'id="strips"' not in text, "one run: judged")
    expect("solver.c:12 for grew most" in said and "solver.c:33 barrier shrank most" in said, "one run: what grew most")
    shares = {row[0]: row[1:] for row in page.rows["figures"]}
    for key, column in (("efficiency_a", 0), ("efficiency_b", 1)):
        expect(shares["efficiency"][column] == f"{data[key] * 100:.1f}%", f"one run: {shares['efficiency']}, {key} {data[key]}")


def check_timelines(folder):
    """The picture of the shorter run is as wide as its part of the longer one, on one axis."""
    text, page = compare(folder, [make(folder, "large", 100)], [make(folder, "large", 400)])
    widths = [float(width) for width in re.findall(r'<svg viewBox[^>]*width:([0-9.]+)%"', text)]
    expect(len(widths) == 2 and widths[1] == 100 and abs(widths[0] - 25) < 1, f"timelines: {widths}")
    expect(text.count('class="axis"') == 1 and text.count('id="hatched-barrier"') == 1, "timelines: axis, patterns")
    expect(len([1 for tag, a in page.elements if tag == "div" and a.get("class") == "labels"]) == 2, "timelines: labels")
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    expect(len(identifiers) == len(set(identifiers)), f"timelines: identifiers {identifiers}")


def check_many_runs(folder):
    """Growth beyond what the runs differ by, the opposite, and none."""
    slow, fast = runs(folder, "slow", (10, 11, 12, 13, 14)), runs(folder, "fast", (20, 21, 22, 23, 24))
    _, page = compare(folder, slow, fast)
    said = "".join(page.text)
    expect("The wall time grew by" in said and ", more than chance explains." in said, "slower: not said")
    found = regions_of(page)
    expect(verdicts(page) == {"slower"}, f"slower: {found}")
    expect(found["solver.c:28 critical(sum)"]["verdict"][0] == "within noise", f"slower: {found}")
    data = json.loads(run("diff", "--threshold=0", "--format=json", *slow, "vs", *fast, status=3))
    for row in data["diff"]:
        expect((row["verdict"] or "within noise") == found[row["region"]]["verdict"][0], f"slower: {row}")
        expect(float(found[row["region"]]["change"][1]) == row["change_ns"], f"medians: {row}")
    expect(len(page.rows["runs"]) == 11, f"runs: {page.rows['runs']}")
    walls = [int(row[1]) for row in page.values["runs"][1:]]
    expect(walls[:5] == sorted(walls[:5]) and walls[2] == data["wall_a_ns"] and walls[7] == data["wall_b_ns"], f"runs: {walls}")

    text, page = compare(folder, fast, slow)
    expect(verdicts(page) == {"faster"}, "faster")
    points = [float(at) for at in re.findall(r'<i style="left:([0-9.]+)%" title="run', text)]
    ordered = walls[5:] + walls[:5]
    wanted = [100 * (wall - min(walls)) / (max(walls) - min(walls)) for wall in ordered]
    expect(len(points) == 10 and all(abs(a - b) < 0.01 for a, b in zip(points, wanted)), f"points: {points}")
    medians = [float(at) for at in re.findall(r'<b style="left:([0-9.]+)%"', text)]
    expect(abs(medians[0] - wanted[2]) < 0.01 and abs(medians[1] - wanted[7]) < 0.01, f"medians: {medians}")
    expect("run 3, the one next to the median" in "".join(page.text), "which run's timeline")

    mixed = runs(folder, "mixed", (11, 12, 10, 14, 13))
    _, page = compare(folder, slow, mixed)
    expect(verdicts(page) == {"within noise"}, "noise")
    _, page = compare(folder, slow[:2], fast[:2])
    expect(verdicts(page) == {"unknown"}, "two and two runs")
    expect("2 and 2 runs cannot show a change that chance explains in less than 1 of 6 cases" in "".join(page.text), "two runs")


def check_pairs(folder):
    """Each run is longer than its partner, and the runs differ by more: only pairs show it."""
    before, after = runs(folder, "before", range(20, 60, 5)), runs(folder, "after", range(24, 64, 5))
    _, page = compare(folder, before, after)
    expect(verdicts(page) == {"within noise"}, "pairs: without --paired")
    _, page = compare(folder, before, after, "--paired")
    expect(verdicts(page) == {"slower"}, f"pairs: {regions_of(page)}")
    run("html", "--paired", *before, "vs", *after[1:], status=2, error="8 runs before 'vs' and 7 after it")
    run("html", "--paired", before[0], status=2, error="one archive")


def check_unmatched(folder):
    """Regions that only one side has."""
    few, more = make(folder, "uneven", 3), make(folder, "mixed", 3)
    _, page = compare(folder, [few], [more])
    found = {name: cells["verdict"][0] for name, cells in regions_of(page).items()}
    expect(found["solver.c:12 for"] == "unknown" and found["solver.c:23 sections"] == "new", f"new: {found}")
    expect("regions are new;" in "".join(page.text), "new: not said")
    expect("The runs have 4 threads before and 5 after" in "".join(page.text), "threads: not said")
    _, page = compare(folder, [more], [few])
    expect(regions_of(page)["solver.c:23 sections"]["verdict"][0] == "gone", "gone")


def check_names(folder):
    path = make(folder, "names", 1)
    text, page = compare(folder, [path], [make(folder, "names", 2)])
    expect("<script>alert" not in text and "<img src=x" not in text and "\x1b" not in text, "names: not escaped")
    expect("./a.out <img src=x onerror=alert(2)> ]]> </style> \"'" in "".join(page.text), "names: the program's name is lost")


def check_sizes(folder):
    """Many regions, many threads: bounded, and nothing to show is no error."""
    for scenario, numbers in (("many", (20000, 19000) if IS_FULL else (2000, 1900)), ("wide", (1, 1)), ("hybrid", (1, 1)), ("nothing", (1, 1))):
        place = folder / scenario
        place.mkdir()
        paths = [make(place, scenario, number) for number in sorted(set(numbers))]
        text, page = compare(place, paths[:1], paths[-1:])
        expect(len(text) < 5_000_000, f"{scenario}: {len(text)} characters")
        if scenario == "many":
            expect(len(page.rows["regions"]) == 1501 and f"and {max(numbers) - 1499} more" in "".join(page.text), "many: rows")
        if scenario == "hybrid":
            expect("MPI" in [row[0] for row in page.rows["figures"]], "hybrid: no MPI")


def check_command_line(folder):
    before, after = make(folder, "uneven", 1), make(folder, "uneven", 2)
    said = run("html", before, after)
    expect(said.strip() == str(after / "comparison.html") and (after / "comparison.html").exists(), f"output: {said}")
    expect(not (after / "report.html").exists(), "output: the page of the archive itself")
    run("html", before, before, after, status=2, error="ompreport html: 3 archives: expected two")
    run("html", before, "vs", status=2, error="expected two")
    run("html", before, folder / "none", status=1, error="none")
    run("html", "-o", folder / "none" / "x", before, after, status=1, error="none/x")
    text, _ = compare(folder, [before], [after], "--from=10ms", "--to=50ms")
    expect(">50.0ms</span></div>" in text, "--to")


finish(check_one_run, check_timelines, check_many_runs, check_pairs, check_unmatched, check_names, check_sizes, check_command_line)
