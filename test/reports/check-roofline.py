# SPDX-License-Identifier: BSD-3-Clause
"""`ompreport roofline` and the page's picture of it: counters of a made-up run against a made-up machine, and what is said
where one of them is missing.

Usage: check-roofline.py OMPREPORT MAKE_ARCHIVE
"""
import json
import os
import re

from page_text import Page, check_self_contained
from tables import MS, expect, expect_values, finish, make, rows, run


def machine(folder, threads=(1, 2), **changes):
    """10 GB/s and 80 Gflop/s of the most threads, half of that of one."""
    (folder / "ompinst").mkdir(exist_ok=True)
    (folder / "ompinst/machine.json").write_text(json.dumps({
        "format": "ompinst-machine", "version": 1, "processor": "a <processor>", "processors": threads[-1], "rows": [
            {"threads": number, "triad_bytes_per_s": 10e9 * (0.5 if number < threads[-1] else 1), "chain_step_ns": 1.0,
             "peak_flops_per_s": 80e9 * (0.5 if number < threads[-1] else 1)} | changes for number in threads]}))
    os.environ["XDG_CACHE_HOME"] = str(folder)


def check_points(folder):
    """The loop: 80 million operations and 128 MB in 40 ms; the master: 400 million in 10 ms and no byte."""
    machine(folder)
    archive = make(folder, "counted")
    found, data = rows("roofline", archive)
    expect(list(found) == ["solver.c:10 parallel", "solver.c:17 for", "solver.c:34 master"], f"order: {list(found)}")
    expect_values("loop", found["solver.c:17 for"], {
        "operations": 80 * 10**6, "bytes": 128 * 10**6, "operations_per_byte": 0.625, "gflops": 2.0, "roof_gflops": 6.25,
        "share_of_roof": 0.32, "limit": "memory", "time_ns": 80 * MS, "loss_ns": 54.4 * MS})
    expect_values("master", found["solver.c:34 master"], {
        "operations_per_byte": None, "gflops": 40.0, "roof_gflops": 80.0, "share_of_roof": 0.5, "limit": "arithmetic", "loss_ns": 10 * MS})
    expect_values("parallel", found["solver.c:10 parallel"], {"operations": 480 * 10**6, "operations_per_byte": 3.75, "gflops": 9.6})
    [note] = data["notes"]
    expect(note.startswith("flop by PAPI_DP_OPS, bytes by PAPI_L3_TCM, 64 for each miss. 2 threads of this machine (a <processor>): 10.0 GB/s and 80.0 Gflop/s"), note)
    # The figures of the next more threads, or of as many as were measured.
    for threads, bandwidth in (((1, 4), "4 threads of"), ((1,), "1 thread of")):
        machine(folder, threads)
        expect(bandwidth in run("roofline", archive), f"rows of {threads} threads")
    # On a machine that can do less than was done, nothing is lost.
    machine(folder, triad_bytes_per_s=1e9, peak_flops_per_s=1e9)
    found, _ = rows("roofline", archive)
    expect([row["loss_ns"] for row in found.values()] == [0, 0, 0], f"above the roof: {found}")


def check_missing(folder):
    """One sentence says what is missing."""
    machine(folder)
    for scenario, number, what in (
            ("uneven", 1, "floating-point operations were not counted; POMP_METRICS=PAPI_DP_OPS,PAPI_L3_TCM counts what it needs"),
            ("counted", 2, "bytes from memory were not counted; POMP_METRICS="),
            ("counted", 4, "bytes from memory were not counted (PAPI_L3_TCM: the processor has no such event); POMP_METRICS=")):
        _, data = rows("roofline", make(folder, scenario, number))
        expect(data["roofline"] == [] and len(data["notes"]) == 1 and data["notes"][0].startswith("No roofline: " + what), f"{what}: {data}")
    machine(folder, peak_flops_per_s=0)
    archive = make(folder, "counted")
    for _ in range(2):
        _, data = rows("roofline", archive)
        expect("'ompinst machine' measures it once" in data["notes"][0], f"no machine: {data}")
        os.environ["XDG_CACHE_HOME"] = str(folder / "nothing")


def page_of(folder, scenario, number=1):
    run("html", "-o", folder / "report.html", make(folder, scenario, number))
    text = (folder / "report.html").read_text("utf-8")
    return text, Page(text)


def check_page(folder):
    """Circles link to the rows that have their figures; their area is the loss, and they are below the roof."""
    machine(folder)
    text, page = page_of(folder, "counted")
    check_self_contained("roofline", page)
    found = page.columns("roofline-points")
    wanted = {"number": "2", "flop/byte": "0.625", "Gflop/s": "2", "roof": "6.25", "of roof": "32.0%", "limit": "memory", "thread time": "80.0ms",
              "below roof": "54.4ms"}
    expect(found["solver.c:17 for"].items() >= wanted.items(), f"page: {found}")
    circles = re.findall(r'<a href="#roofline-(\d)"><title>(.*?)</title><circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', text)
    expect([circle[1] for circle in circles] == [
        "1: solver.c:10 parallel, 9.6 Gflop/s, 25.6% of what memory allows, 74.4ms below",
        "2: solver.c:17 for, 2 Gflop/s, 32.0% of what memory allows, 54.4ms below",
        "3: solver.c:34 master, 40 Gflop/s, 50.0% of what arithmetic allows, 10.0ms below"], f"circles: {circles}")
    expect(all(f'<tr id="roofline-{circle[0]}">' in text for circle in circles), "circles link to rows")
    largest = [float(circle[4]) for circle in circles]
    expect(largest[0] == 18 and abs(largest[1] / 18 - (54.4 / 74.4) ** 0.5) < 0.01, f"areas: {largest}")
    left, bottom, ridge, top, right = map(float, re.search(r'class="roof" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)H([\d.]+)"', text).groups())
    expect(left < ridge < right and top < bottom, "the roof rises to its ridge and is flat behind it")
    for _, title, x, y, _ in circles:
        roof = top + max(0, (ridge - float(x)) * (bottom - top) / (ridge - left))
        expect(float(y) > roof and left <= float(x) <= right, f"{title}: at {x}, {y}, the roof is at {roof}")
    expect("2 threads of a &lt;processor&gt;, where this page was made: 10.0 GB/s and 80.0 Gflop/s" in text, "page: the machine")
    text, page = page_of(folder, "counted", 4)
    expect("the processor has no such event" in text and "<circle" not in text and "roofline-points" not in page.rows, "page: not counted")
    text, _ = page_of(folder, "uneven")
    expect('id="roofline"' not in text, "page: a run that was not to count has no section")


finish(check_points, check_missing, check_page)
