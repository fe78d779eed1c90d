# SPDX-License-Identifier: BSD-3-Clause
"""Checks what summary_print() makes of the made-up summaries of summary-case.

Usage: check-summary.py SUMMARY_CASE GOLDEN_FOLDER; UPDATE_GOLDEN=1 rewrites the golden files.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

PROGRAM, GOLDEN = sys.argv[1], Path(sys.argv[2])
CASES = ["plain", "empty", "noted", "huge", "odd", "nested", "ranks", "late", "counted"]
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def run(case, form, columns=80, rows=0):
    done = subprocess.run([PROGRAM, case, form, str(columns), str(rows)], stdout=subprocess.PIPE)
    expect(done.returncode == 0, f"{case} {form} {columns}: exit status {done.returncode}")
    return done.stdout


def columns_of(line):
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in line)
    return len(line) + wide - sum(unicodedata.combining(c) != 0 for c in line)


def check_golden(case, columns, rows):
    path = GOLDEN / f"{case}-{columns}.txt"
    got = run(case, "text", columns, rows).decode("utf-8")
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(got, encoding="utf-8")
    wanted = path.read_text(encoding="utf-8")
    expect(got == wanted, f"{path.name} differs; got:\n{got}")


def check_text_widths():
    for case in CASES:
        for columns in (60, 72, 80, 100, 132, 200):
            text = run(case, "text", columns).decode("utf-8")  # must be valid UTF-8 whatever came in
            for line in text.splitlines():
                expect(columns_of(line) <= columns, f"{case} at {columns}: line too wide: {line!r}")
                expect(line.isprintable(), f"{case} at {columns}: control character in {line!r}")


def check_json():
    for case in CASES:
        data = json.loads(run(case, "json").decode("utf-8"))
        known = [v for v in data["thread_time_ns"].values() if v is not None]
        if case != "huge":  # saturated there
            expect(sum(known) == data["capacity_ns"], f"{case}: categories do not add up")
        for share in data["efficiency"].values():
            expect(share is None or 0 <= share <= 1, f"{case}: efficiency {share}")
        expect(1 <= len(data["advice"]) <= 3, f"{case}: {len(data['advice'])} sentences of advice")

    plain = json.loads(run("plain", "json"))
    efficiency = plain["efficiency"]
    # By hand: T=4, W=1, P=0.8, U=2.1: 1 - 0.2*3/4; 1 - (0.8 - 2.1/4); (0.2 + 2.1)/4; 1 - 0.1.
    for key, value in (("serial", 0.85), ("openmp", 0.725), ("total", 0.575), ("load_balance", 0.9),
                       ("waits_and_overhead", 0.825)):
        expect(abs(efficiency[key] - value) < 1e-6, f"plain: {key} is {efficiency[key]}, not {value}")
    gains = [r["gain_ns"] for r in plain["regions"] if r["gain_ns"] is not None]
    expect(gains == sorted(gains, reverse=True), "plain: regions are not ordered by gain")
    expect([r["name"] for r in plain["regions"][:3]] == ["critical", "for", "parallel"], "plain: order")
    expect(any("jacobi.c:52 critical(update)" in line for line in plain["advice"]), "plain: advice")

    counted = json.loads(run("counted", "json"))
    values = {r["name"]: r["metrics"] for r in counted["regions"]}
    expect(values["for"]["PAPI_TOT_INS"] == 1 << 40 and values["for"]["perf::TASK-CLOCK"] == 0, f"counted: {values}")
    expect(values["barrier"]["PAPI_TOT_INS"] is None, "counted: what was not measured is not null")
    expect([m["name"] for m in counted["dropped_metrics"]] == ["PAPI_L3_TCM"], "counted: dropped")
    expect("metrics" not in plain and "metrics" not in plain["regions"][0], "plain: metrics")

    odd = json.loads(run("odd", "json"))
    names = {r["sub_name"] for r in odd["regions"]}
    expect('größe "a\\b"\n\x1b[31m' in names, f"odd: sub_name escaped wrongly: {names}")
    expect(any("測試🚀.c" in (r["file"] or "") for r in odd["regions"]), "odd: UTF-8 file name")
    bad = [r["file"] for r in odd["regions"] if r["file"] and "bad" in r["file"]]
    expect(bad == ["/x/bad" + "\ufffd" * 6 + "name.c"], f"odd: invalid UTF-8 became {bad!r}")
    expect(odd["regions"][-1]["file"] is None and odd["event_cost_ns"] is None, "odd: null")
    expect(json.loads(run("huge", "json"))["events"] == 2**64 - 2, "huge: 64-bit counts")


def check_csv():
    for case in CASES:
        text = run(case, "csv").decode("utf-8", "surrogateescape")
        rows = list(csv.reader(io.StringIO(text, newline="")))
        expect(len({len(row) for row in rows}) == 1, f"{case}: CSV rows of different length")
    rows = list(csv.DictReader(io.StringIO(run("plain", "csv").decode())))
    regions = [row for row in rows if row["kind"] == "region"]
    expect(len(regions) == 6 and regions[0]["gain_ns"] == "450000000", f"plain: CSV regions {regions}")
    rows = list(csv.DictReader(io.StringIO(run("counted", "csv").decode())))
    metrics = [(row["name"], row["begin_line"], row["count"]) for row in rows if row["kind"] == "metric"]
    expect(len(metrics) == 8 and ("PAPI_TOT_INS", "3", str(1 << 40)) in metrics, f"counted: CSV {metrics}")
    rows = list(csv.DictReader(io.StringIO(run("plain", "csv").decode())))
    wall = [row["time_ns"] for row in rows if row["kind"] == "total" and row["name"] == "wall"]
    expect(wall == ["1000000000"], f"plain: CSV wall {wall}")


def read_metrics(text, case):
    """{family: {labels: value}}, by the rules of OpenMetrics 1.0 that the printer has to keep."""
    families, current, seen = {}, None, set()
    lines = text.split("\n")
    expect(lines[-2:] == ["# EOF", ""], f"{case}: metrics end with {lines[-2:]}")
    for line in lines[:-2]:
        if line.startswith("# "):
            _, what, name, value = line.split(" ", 3)
            if what == "TYPE":
                expect(name not in families, f"{case}: the family {name} comes twice")
                current, kind = name, value
                families[name] = {}
            expect(name == current, f"{case}: {line} is in the family {current}")
            expect(what != "UNIT" or name.endswith("_" + value), f"{case}: {line}")
            continue
        sample = re.fullmatch(r'(\w+)(?:\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\d+(?:\.\d+)?)', line)
        expect(sample, f"{case}: no sample: {line!r}")
        if sample:
            suffix = {"counter": "_total", "info": "_info", "gauge": ""}[kind]
            expect(sample[1] == current + suffix, f"{case}: {line} in the family {current}")
            expect((sample[1], sample[2]) not in seen, f"{case}: comes twice: {line}")
            seen.add((sample[1], sample[2]))
            families[current][sample[2] or ""] = sample[3]
    return families


def check_metrics():
    for case in CASES + ["crowd"]:
        text = run(case, "openmetrics").decode("utf-8")
        families = read_metrics(text, case)
        data = json.loads(run(case, "json").decode("utf-8"))
        expect(all(line.isprintable() for line in text.split("\n")), f"{case}: control characters")
        expect(families["ompinst_wall_seconds"][""] == f"{data['wall_ns'] // 10**9}.{data['wall_ns'] % 10**9:09}", f"{case}: wall")
        if case != "huge":
            visits = sum(int(value) for value in families.get("ompinst_region_visits", {}).values())
            expect(visits == sum(row["visits"] or 0 for row in data["regions"]), f"{case}: {visits} visits")
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            continue
        expect(len(list(parser.text_string_to_metric_families(text))) == len(families), f"{case}: families by Prometheus' parser")
    plain = read_metrics(run("plain", "openmetrics").decode(), "plain")
    expect(plain["ompinst_efficiency"]['of="total"'] == "0.575000", f"plain: {plain['ompinst_efficiency']}")
    [loop] = [labels for labels in plain["ompinst_region_visits"] if 'construct="for"' in labels]
    expect('file="' in loop and 'line="' in loop, loop)
    odd = run("odd", "openmetrics").decode()
    expect('größe \\"a\\\\b\\"\\n\ufffd[31m' in odd, "odd: labels are escaped wrongly")


def check_screen():
    """Whatever a program has, the exit summary is 60 lines at most, the tables by what matters."""
    for case in CASES + ["crowd", "locks"]:
        lines = run(case, "text", 80, "screen").decode().splitlines()
        expect(len(lines) <= 60, f"{case}: {len(lines)} lines on a screen of 60")
    text = run("locks", "text", 80, "screen").decode()
    expect("... and 392 more locks" in text, f"locks: not 8 of 400 locks:\n{text}")
    expect("more regions" not in text, "locks: regions left out though there is room")
    rows = text.splitlines()
    first = rows.index(next(row for row in rows if row.startswith("LOCKS"))) + 2
    expect(rows[first].split()[:2] == ["lock", "396"], f"locks: the longest wait is not first: {rows[first]}")
    text = run("crowd", "text", 80, "screen").decode()
    for what in ("regions", "locks", "task constructs"):
        expect(f"more {what}" in text, f"crowd: what is left out of the {what} is not told")
    expect(" t.c:400 task" in text, "crowd: the dearest task construct is missing")
    text = run("crowd", "text", 80, 0).decode()
    expect(text.count("lock ") >= 400 and "more locks" not in text, "crowd: rows=0 does not print all")
    locks = json.loads(run("crowd", "json"))["locks"]
    expect([lock["wait_ns"] for lock in locks] == sorted((lock["wait_ns"] for lock in locks), reverse=True),
           "crowd: JSON locks are not ordered by wait")


def check_rounding():
    """Nanoseconds that rounding adds to the categories say nothing about the number of threads."""
    line = next(line for line in run("rounded", "text").decode().splitlines() if line.startswith("THREAD TIME"))
    expect(line == "THREAD TIME: 4 x 1.00s = 4.00s", line)


def check_full_device():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PROGRAM, "plain", "text", "80", "0"], stdout=full)
    expect(done.returncode == 1, "a full disk is not reported")


for golden in (("plain", 80, 0), ("plain", 60, 3), ("plain", 120, 0), ("huge", 80, 0), ("odd", 80, 0),
               ("nested", 80, 0), ("ranks", 80, 0), ("late", 80, 0), ("counted", 80, 0), ("empty", 80, 0), ("noted", 80, 0)):
    check_golden(*golden)
check_text_widths()
check_json()
check_csv()
check_metrics()
check_screen()
check_rounding()
check_full_device()
for failure in failures:
    print(f"FAIL: {failure}")
sys.exit(1 if failures else 0)
