# SPDX-License-Identifier: BSD-3-Clause
"""Archives as other makers write them: definitions in any order, locations that are no threads, metrics of
every class, regions nested without end.

Usage: check-foreign.py OMPREPORT MAKE_ARCHIVE
"""
import json
import re
import struct

from page_text import Page
from tables import MS, expect, expect_values, finish, make, run

# TrackEvent.double_counter_value (44) as a fixed 64-bit field.
DOUBLE_COUNTER = bytes([0xE1, 0x02])


def check_accelerated(folder):
    """Two threads of 13 ms; an accelerator's stream is busy for 500 ms, and a recorder has 10 values."""
    path = make(folder, "accelerated", 1)
    summary = json.loads(run("summary", "--format=json", path))
    expect_values("summary", summary, {"wall_ns": 13 * MS, "threads": 2})
    loops = [region for region in summary["regions"] if region["name"] == "for"]
    expect([(loop["begin_line"], loop["visits"]) for loop in loops] == [(12, 2)], f"regions: {summary['regions']}")
    threads = json.loads(run("threads", "--format=json", path))["threads"]
    expect([row["thread"] for row in threads] == ["Master thread", "OMP thread 1"], f"threads: {threads}")
    lanes = [line.split("|")[0].strip() for line in run("timeline", path).splitlines() if "|" in line]
    expect(lanes == ["Master thread", "OMP thread 1"], f"timeline: {lanes}")
    kinds = {row["name"]: row["kind"] for row in json.loads(run("info", "--format=json", path))["locations"]}
    expect(kinds == {"Master thread": "thread", "OMP thread 1": "thread", "no thread 2": "stream", "no thread 3": "metric"},
           f"info: {kinds}")
    run("html", path)
    page = (path / "report.html").read_text(encoding="utf-8")
    expect("OMP thread 1" in page and not re.search(r"no thread \d", page), "html: a location that is no thread")


def check_left_out(folder):
    """What the archive holds beside its threads' events is counted in each report, and nothing is said where there is none."""
    beside = "Not in this report: 1 accelerator stream (2 events), 5 events of metrics that are about no thread."
    sampled = "Not in this report: 1 event of another kind."
    for path, wanted in ((make(folder, "accelerated"), beside), (make(folder, "sampled", 20), sampled)):
        for command in ("summary", "regions", "threads", "efficiency", "timeline", "critical-path", "imbalance"):
            text = " ".join(run(command, path).split())
            expect(text.count(wanted) == 1, f"{command}: not once {wanted!r}: {text}")
        expect(wanted in str(json.loads(run("summary", "--format=json", path))["note"]), f"summary: no {wanted!r}")
        expect(any(wanted in note for note in json.loads(run("regions", "--format=json", path))["notes"]), f"regions: no {wanted!r}")
        run("html", "-o", folder / "page.html", path)
        expect(wanted in (folder / "page.html").read_text(encoding="utf-8"), f"html: no {wanted!r}")
    for command in ("summary", "regions", "timeline", "critical-path"):
        expect("Not in this report" not in run(command, make(folder / command, "tasks")), f"{command}: nothing is left out")
    # With --region, the summary says both.
    data = json.loads(run("summary", "--format=json", "--region=for", folder / "accelerated-1"))
    expect(data["chosen"]["options"] == "--region=for" and beside in str(data["note"]), f"summary --region: {data}")


def check_sections(folder):
    """Nothing is said of OpenMP's efficiency, nor of MPI, where the program has none of it."""
    path = make(folder, "accelerated", 1)
    run("html", path)
    page = (path / "report.html").read_text(encoding="utf-8")
    text = run("summary", path)
    for word in ("efficiency", "load balance", "serial", "waiting", "MPI", "THREAD TIME"):
        expect(word not in text.split("REGIONS")[0], f"summary: {word!r} of a program without")
    for section in ("efficiency", "categories", "calls", "ranks", "messages", "hybrid"):
        expect(f'id="{section}"' not in page, f"html: a section {section!r}")
    expect("<dt>efficiency</dt>" not in page and "<dt>waiting</dt>" not in page, "html: figures without value")


def page_of(path, folder):
    output = folder / "page.html"
    run("html", "-o", output, path)
    text = output.read_text(encoding="utf-8")
    return text, Page(text)


def check_stream_page(folder):
    """The timeline is of the 13 ms of the threads, not of the 500 ms of the stream beside them; work outside of teams is no
    serial part."""
    text, page = page_of(make(folder, "accelerated", 1), folder)
    axis = re.search(r'<div class="axis">(.*?)</div>', text).group(1)
    expect(re.findall(r">([^<]*)</span>", axis)[-1] == "13.0ms", f"stream: axis {axis}")
    data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', text, re.S).group(1))
    expect(abs(data["units"] * data["unit"] - 0.013) < 1e-4, f"stream: {data['units']} x {data['unit']} s")
    expect(page.rows["threads"][0] == ["thread", "share", "computation", "idle"], f"stream: {page.rows['threads'][0]}")
    expect("serial part" not in text.split("<script>")[0].split("timeline-data")[0], "stream: a serial part")
    run("html", "-o", folder / "both.html", folder / "accelerated-1", folder / "accelerated-1")
    axis = re.search(r'<div class="axis">(.*?)</div>', (folder / "both.html").read_text()).group(1)
    expect(re.findall(r">([^<]*)</span>", axis)[-1] == "13.0ms", f"stream, compared: axis {axis}")


def check_mpi_page(folder):
    """MPI alone: nothing of OpenMP, neither efficiencies nor rows of nothing; what is outside of MPI is computation."""
    path = make(folder, "funneled", 3)
    text, page = page_of(path, folder)
    found = dict(re.findall(r'<div class="meter deep\d"[^>]*><span>([^<]*)</span><span class="figure">([^<]*)<', text))
    expect(found == {"efficiency": "20.0%", "MPI": "20.0%", "MPI parallel": "20.0%", "load balance": "100.0%",
                     "communication": "20.0%", "serialisation": "100.0%", "transfer": "20.0%"}, f"MPI: {found}")
    expect(page.rows["categories"] == [["computation", "80.0ms", "20.0%"], ["MPI", "320ms", "80.0%"]], f"MPI: {page.rows['categories']}")
    for word in ("OpenMP parallel", "serial part", "barrier wait", "useful work", "waiting, of", "serial, of", "starting and ending"):
        expect(word not in text.split('id="timeline-data"')[0], f"MPI: {word!r}")
    expect([row[0] for row in page.rows["threads"][1:]] == [f"rank {n}, {t}" for n, t in enumerate(
        ("Master thread", "OMP thread 2", "OMP thread 4", "OMP thread 6"))], f"MPI: threads without events: {page.rows['threads']}")
    expect(page.rows["ranks"][0] == ["thread", "waits", "computation", "MPI transfer"], f"MPI: {page.rows['ranks'][0]}")
    output = folder / "both.html"
    run("html", "-o", output, path, path)
    both = Page(output.read_text(encoding="utf-8"))
    expect([row[0] for row in both.rows["figures"]] == ["of the thread time", "efficiency", "MPI"], f"MPI: {both.rows['figures']}")
    expect([row[0] for row in both.rows["categories"]] == ["time", "wall time", "thread time", "computation", "MPI", "threads"],
           f"MPI: {both.rows['categories']}")


def check_serial_page(folder):
    """Without OpenMP and MPI there is no efficiency to speak of."""
    text, page = page_of(make(folder, "deep", 50), folder)
    for section in ("efficiency", "categories", "hybrid", "ranks", "path"):
        expect(f'id="{section}"' not in text, f"serial: a section {section!r}")
    expect("<dt>efficiency" not in text and "regions" in page.rows, "serial: figures")


def check_metrics(folder):
    """What another location records about a thread is the thread's; a wider scope's is a counter in exports alone."""
    path = make(folder, "accelerated", 1)
    text = run("summary", path)
    expect("solver.c:12 for" in text.split("METRICS")[1].split("ADVICE")[0], "metrics: no table")
    row = text.split("METRICS")[1].split("solver.c:12 for")[1].split()[0]
    expect(row == "30", f"metrics: {row} uJ in the loop, not 30")
    expect("temperature" not in text, "metrics: the machine's as a thread's")
    output = folder / "trace.perfetto"
    run("export", "--perfetto", path, "-o", output)
    trace = output.read_bytes()
    values = [36.5 + used / 80 for used in (0, 10, 20, 30, 40)]
    found = [value for value in values if DOUBLE_COUNTER + struct.pack("<d", value) in trace]
    expect(found == values, f"perfetto: {found} of {values}")
    expect(b"microjoules" in trace, "perfetto: no counter of the thread's instance")


def check_without_threads(folder):
    path = make(folder, "accelerated", 2)
    for command in ("summary", "regions", "threads", "efficiency", "timeline", "critical-path", "imbalance", "html", "score"):
        run(command, path, status=1, error="none of its 4 locations is a thread")
    for command in ("info", "check"):
        expect(run(command, path), command)


def check_deep(folder):
    """400,000 levels: all commands end soon, and flame graphs end in a frame for what is deeper."""
    path = make(folder, "deep", 400000)
    for command in ("summary", "regions", "threads", "timeline", "critical-path", "imbalance", "score", "info", "html"):
        run(command, path)
    for target in ("--perfetto", "--chrome", "--csv", "--cube"):
        run("export", target, path, "-o", folder / "out")
    for target in ("--pprof", "--speedscope", "--folded"):
        run("export", target, path, "-o", folder / "out", error="there are no samples")
    lines = run("export", "--flamegraph", path).splitlines()
    expect(max(len(line.split(";")) for line in lines) == 500, "flame graph: frames")
    expect(sum(int(line.rsplit(" ", 1)[1]) for line in lines) == 400000 * 1000, "flame graph: time")
    expect(any(line.split(" ")[-2].endswith("(deeper)") for line in lines), "flame graph: no frame for the rest")


finish(check_accelerated, check_left_out, check_sections, check_stream_page, check_mpi_page, check_serial_page, check_metrics, check_without_threads, check_deep)
