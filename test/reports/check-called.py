# SPDX-License-Identifier: BSD-3-Clause
"""check-called.py OMPREPORT MAKE_ARCHIVE: the table of `ompreport callers`, that of the page, and what is said without any."""
import json

from page_text import Page
from tables import MS, expect, expect_values, finish, make, run


def check_table(folder):
    path = make(folder, "called")
    found = json.loads(run("callers", "--format=json", path))["callers"]
    expect([(row["region"], row["line"]) for row in found]
           == [("solver.c:10 parallel", 31), ("solver.c:50 parallel", 31), ("solver.c:10 parallel", 40)], f"the rows: {found}")
    expect_values("a row of two processes", found[0], {
        "place": "analysis.py:31 fit", "function": "fit", "file": "/src/app/analysis.py", "calls": 15, "time_ns": 35 * MS,
        "mean_ns": 35 * MS // 15, "share": 0.35, "inner_place": "kernels.py:7 lloyd", "inner_function": "lloyd",
        "inner_file": "/usr/lib/python3/dist-packages/kernels.py", "inner_line": 7})
    expect_values("the user's own line is the innermost", found[2], {"inner_place": "", "inner_function": "predict", "inner_line": 40})
    chosen = json.loads(run("callers", "--format=json", "--region=:50 ", path))["callers"]
    expect(chosen == found[1:2], f"--region: {chosen}")
    text = run("callers", "--width=120", path)
    expect("by way of" in text and "kernels.py:7 lloyd" in text, f"the text: {text}")
    run("callers", "--region=none", path, status=2, error="nothing in this")


def check_summary(folder):
    path = make(folder, "called")
    told = json.loads(run("summary", "--format=json", path))["callers"]
    expect([row["time_ns"] for row in told] == [35 * MS, 20 * MS, 10 * MS], f"the summary: {told}")
    text = run("summary", "--width=120", path)
    expect("CALLED FROM PYTHON" in text and " analysis.py:31 fit" in text, f"the summary as text: {text}")
    told = json.loads(run("summary", "--format=json", "--region=:50 ", path))["callers"]
    expect([row["region"] for row in told] == ["solver.c:50 parallel"], f"--region: {told}")
    for part in ("--from=1ms", "--thread=1", "--min-duration=1us"):
        expect("callers" not in json.loads(run("summary", "--format=json", part, path)), f"{part}: they are of the whole run")


def check_page(folder):
    path = make(folder, "called")
    for part in (), ("--brief",):
        run("html", *part, "-o", folder / "page.html", path)
        found = Page((folder / "page.html").read_text("utf-8")).columns("called")
        expect(list(found) == ["analysis.py:31 fit", "analysis.py:40 predict"], f"page, lines: {found}")
        expect_values(f"page {part}: of two regions, the last row", found["analysis.py:31 fit"], {
            "share": "20.0%", "time": "20.0ms", "calls": "4", "mean": "5.00ms", "region": "solver.c:50 parallel", "by way of": "kernels.py:7 lloyd"})
        expect_values(f"page {part}: not by way of another line", found["analysis.py:40 predict"], {"time": "10.0ms", "by way of": ""})
    run("html", "--from=90ms", "-o", folder / "page.html", path)
    text = (folder / "page.html").read_text("utf-8")
    expect_values("page of a part", Page(text).columns("called")["analysis.py:40 predict"], {"time": "10.0ms", "calls": "1"})
    expect("Called from Python <small>of the whole run<" in text and "share" not in Page(text).rows["called"][0],
           "page of a part: they are of the whole run, so they are no share of the part")


def check_none(folder):
    path = make(folder, "uneven")
    said = json.loads(run("callers", "--format=json", path))
    expect(said["callers"] == [] and "The archive has no lines of Python" in said["notes"][0], f"none: {said}")
    expect("callers" not in json.loads(run("summary", "--format=json", path)), "the summary has none")


finish(check_table, check_summary, check_page, check_none)
