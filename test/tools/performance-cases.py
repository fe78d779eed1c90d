# SPDX-License-Identifier: BSD-3-Clause
"""What tools/performance makes of records and pages: performance-cases.py TOP. The records are invented; the rows of each
benchmark have the names that it writes itself, which a run of the shortest one shows."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(sys.argv[1]).resolve()
TOOL = TOP / "tools/performance"
CONSTRUCT = [{"threads": t, "name": name, "unit": "ns", "time": 10.0 * t, "ratios": {"libgomp": 2.0, "libomp": other}}
             for t in (1, 2) for name, other in (("barrier", 4.0), ("single", None))]
COMPARED = {"seconds": 0.5, "ratio": 1.25, "differs": 0.125, "fastest": 1.5, "peer": "gnu"}
ROWS = {
    "constructs": CONSTRUCT, "waiting": [{"way": "passive"} | row for row in CONSTRUCT],
    "clang": [{"threads": 1, "name": name, "unit": "ns", "time": 1, "ratios": {"libomp": ratio}} for name, ratio in (("fast", 8), ("slow", 0.5))],
    "programs": [{"program": "kalign", "threads": 2} | COMPARED, {"runtime": "ompinst", "threads": 2, "ratio": 1.25, "fastest": 1.5}],
    "neighbours": [{"quota": "1.5", "neighbours": "1", "kind": kind, "best": "x", "seconds": 1, "ratios": {"default": ratio, "4": 1}}
                   for kind, ratio in (("tasks", 2), ("locks", 8))],
    "roots": [{"roots": "2", "length": "20", "serial": "0", "seconds": 0.5, "ways": {"ours one": [1.25, 1.0]}}],
    "footprint": [{"threads": "16", "runtime": "ours", "stack": 8192, "beyond": 1024},
                  {"use": "none", "runtime": "ours", "seconds": 0.002, "ratio": 1}],
    "regions": [{"regions": 1000, "threads": 2, "plain": 0.5, "more": {"profile": 0.125}}],
    "messages": [{"mpi": "openmpi", "ranks": 2, "ns": {"bare": 400.0, "POMP_MPI=off": 500.0}}],
    "ranks": [{"ranks": 128, "locations": 2048, "events": 4096, "seconds": 1.5, "processor": 1.25, "memory": 8}],
    "reading": [{"archive": "large", "reader": "summary", "seconds": 0.5, "ratio": 1.5, "processor": 0.75, "memory": 12}],
    "report-processes": [{"ranks": 1024, "events": 5000, "processes": 4, "seconds": 0.5, "processor": 0.75, "ratio": 1.1, "memory": 12},
                         {"each": "ranks", "processes": 4, "wall_ns": 5000, "processor_ns": 7000, "bytes": 100}],
    "report-path": [{"ranks": 2048, "events": 5000, "processes": 4, "seconds": 0.5, "processor": 0.75, "ratio": 1.1, "memory": 12}],
    "predictions": [{"group": "--grain", "cases": 3, "pointed": 2, "median": 1.5, "ninety": 2.5, "largest": 4.5, "paired": None, "inside": 2},
                    {"case": "fib --grain=@task task=4, T=2"}],
    "race": [{"program": "heat", "threads": 2, "seconds": 1, "time": 1.25, "memory": 2}, {"program": "fib", "threads": 2, "seconds": 1, "time": 1, "memory": 1}],
    "race-kernels": [{"group": name, "racy": 8, "found": 6, "either": 7, "pairs": 9, "false_alarms": 0} for name in ("all", "tasks")],
    "growth": [{"machine": "Xeon, 1 x 16", "threads": 16, "barrier": ["0.76", "0.68"]}],
}
NAMES = list(ROWS)
# A line of each table that these rows make.
LINES = {
    "constructs": "| barrier | 10 ns / 0.50 | 20 ns / 0.50 |", "waiting": "| passive | 0.50 | 0.50 |", "clang": "| rows above 1.05 | `slow` 2.00 |",
    "programs": "| kalign | 0.50 s / 1.25 ± 0.12 / 1.50 |", "neighbours": "| 1.5 | 1 | 4.00 | 1.00 |", "roots": "| 2 | 20 µs | 0 | 0.500 s | 1.25 |",
    "footprint": "| resident memory of an idle thread, of 16 | 9.0 KiB |", "regions": "| 1,000 | 2 | 500.0 ms | +125.00 ms (+25.0 %) |",
    "messages": "| Open MPI | 2 | 400 ns | 500 ns |", "ranks": "| 128 | 2,048 | 4,096 | 1.50 s | 1.25 s | 8 MiB |",
    "reading": "| large | summary | 0.50 s | 1.50 | 0.75 s | 12 MiB |",
    "report-processes": "| each of the ranks adds |  | 4 | 5 µs | 7 µs |  | 100 bytes |", "report-path": "| 2,048 | 5,000 | 4 | 0.50 s | 0.75 s | 1.10 | 12 MiB |",
    "predictions": "| --grain | 3 | 2 | 1.5 % | 2.5 % | 4.5 % | - | 2 of 3 |",
    "race": "| geometric mean of 2 |  |  | 1.12 | 1.41 |", "race-kernels": "| all | 8 | 6 | 7 | 9 | 0 |",
    "growth": "| Xeon, 1 x 16 | 16 | 0.76 → 0.68 |",
}
# What no table shows, of rows that count only in a mean, or that single cases and groups are.
HIDDEN = {"clang": "`fast`", "predictions": "fib", "race": "| fib", "race-kernels": "| tasks"}
failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}: found {found!r}, expected {wanted!r}")


def run(folder, *words):
    done = subprocess.run([sys.executable, TOOL, *words, "--records", folder / "records", "--page", folder / "page.md"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def page_with(inside):
    blocks = [f"<!-- table {name}: written by tools/performance -->\n{inside}\n<!-- end of {name} -->\n" for name in NAMES]
    return "# Page\n\nText.\n\n" + "\n".join(blocks)


def check_writing(folder):
    page = folder / "page.md"
    page.write_text(page_with("| a |\n|---|\n| 1 |"), "utf-8")
    status, said = run(folder, "--check")
    expect("tables by hand", (status, "differs from its record" in said), (1, True))
    expect("writing without records", run(folder, "write"), (0, ""))
    for name in NAMES:
        expect(f"{name} without a record", f"\nNot measured yet: `tools/performance measure {name}`\n" in page.read_text("utf-8"), True)
    expect("a page without records", run(folder, "--check"), (0, ""))
    for name in NAMES:
        record = {"command": f"tools/performance measure {name}", "date": "2026-03-04", "commit": "abcdef12", "machine": "2 processors",
                  "rounds": 5, "rows": ROWS[name]}
        (folder / "records" / f"{name}.json").write_text(json.dumps(record), "utf-8")
    status, said = run(folder, "--check")
    expect("a page that is older than its records", (status, "differs from its record" in said), (1, True))
    expect("writing", run(folder, "write"), (0, ""))
    text = page.read_text("utf-8")
    for name in NAMES:
        inside = re.search(rf"<!-- table {name}: .*?<!-- end of {name} -->", text, re.S)[0]
        expect(f"{name}: its line", LINES[name] in inside.splitlines(), True)
        expect(f"{name}: when it was measured", f"`tools/performance measure {name}`: 2026-03-04, commit abcdef12, 5 rounds, 2 processors." in inside, True)
        expect(f"{name}: what was there before", "Not measured yet" in inside, False)
        if name in HIDDEN:
            expect(f"{name}: what it does not show", HIDDEN[name] in inside, False)
    expect("the text around the tables", text.startswith("# Page\n\nText.\n\n<!-- table constructs"), True)
    expect("the page that was written", run(folder, "--check"), (0, ""))
    expect("writing again", (run(folder, "write"), page.read_text("utf-8") == text), ((0, ""), True))


def check_refusals(folder):
    page = folder / "page.md"
    for record in (folder / "records").iterdir():
        record.unlink()
    page.write_text(page_with("") + "\n## Others\n\n| a |\n|---|\n| 1 |\n", "utf-8")
    expect("a table outside", run(folder, "write"), (1, "'## Others' has a table that no tool writes; expected only those of --list\n"))
    page.write_text(page_with("").replace("roots", "rots"), "utf-8")
    status, said = run(folder, "--check")
    expect("an unknown table", (status, "the page's table 'rots': expected one of" in said, "no place for the table 'roots'" in said), (1, True, True))
    done = subprocess.run([sys.executable, TOOL, "measure", "rots"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect("an unknown name", (done.returncode, "table 'rots': expected some of" in done.stdout), (2, True))


def check_builds(folder):
    """Figures of a build that is none, or not a release's, are refused."""
    def said_of(build):
        done = subprocess.run([sys.executable, TOOL, "measure", "race", "--build", build],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    build = folder / "build"
    status, said = said_of(build)
    expect("no build", (status, "is no build folder: expected one made by 'meson setup" in said), (1, True))
    (build / "meson-info").mkdir(parents=True)
    (build / "build.ninja").touch()
    for name, value in (("buildtype", "debug"), ("tests", False), ("benchmarks", False)):
        options = {"buildtype": "release", "tests": True, "benchmarks": True} | {name: value}
        text = json.dumps([{"name": key, "value": found} for key, found in options.items()])
        (build / "meson-info/intro-buildoptions.json").write_text(text, "utf-8")
        status, said = said_of(build)
        expect(f"a build with {name}={value}", (status, f"has {name}={value}: expected a folder made by" in said), (1, True))


def check_measuring(folder):
    """One benchmark runs, here a program that prints two rows: its record is written, and those of others stay."""
    build, program = folder / "release", folder / "release/test/runtime/unit/test-runtime-many-cores"
    program.parent.mkdir(parents=True)
    (build / "meson-info").mkdir()
    options = [{"name": key, "value": value} for key, value in (("buildtype", "release"), ("tests", True), ("benchmarks", True))]
    (build / "meson-info/intro-buildoptions.json").write_text(json.dumps(options), "utf-8")
    targets = [{"filename": [str(build / name)], "build_by_default": True, "defined_in": str(TOP / defined)}
               for name, defined in (("product", "runtime/meson.build"), ("test/no-product", "test/run/meson.build"))]
    (build / "meson-info/intro-targets.json").write_text(json.dumps(targets), "utf-8")
    (build / "build.ninja").write_text(f"rule make\n  command = touch product\nbuild product: make\nbuild {program.relative_to(build)}: phony\n", "utf-8")
    program.write_text("#!/bin/sh\nprintf '| machine | T | fork, one line | in groups |\\n|---|\\n| Xeon | 16 | 0.5 | 0.25 |\\n| EPYC | 32 | 2 | 1 |\\n'\n", "utf-8")
    program.chmod(0o755)
    kept = folder / "records/footprint.json"
    kept.write_text(json.dumps({"command": "kept", "date": "", "commit": "", "machine": "", "rounds": 1, "rows": ROWS["footprint"]}), "utf-8")
    (folder / "page.md").write_text(page_with(""), "utf-8")
    status, said = run(folder, "measure", "growth", "--build", build)
    expect("measuring", status, 0)
    expect("what measuring built", (build / "product").exists(), True)
    text = (folder / "page.md").read_text("utf-8")
    expect(f"what it wrote, after {said}", ("| EPYC | 32 | 2 → 1 |" in text, "`kept`" in text), (True, True))
    expect("a record's rows", len((folder / "records/growth.json").read_text("utf-8").splitlines()), 10)
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    status, said = run(folder, "measure", "growth", "--build", build)
    expect("a benchmark that fails", (status, said.splitlines()[-1:]), (1, ["not measured: growth"]))


def check_rows():
    """The names in the invented rows are those that the benchmarks write."""
    sources = {"constructs": "bench/compare-runtimes.py", "programs": "real/programs/compare.py", "neighbours": "bench/neighbours.py",
               "roots": "bench/roots.py", "footprint": "bench/footprint.py", "regions": "bench/regions.py", "messages": "bench/messages.py",
               "ranks": "bench/ranks.py", "reading": "bench/reading.py", "report-processes": "bench/report-processes.py", "predictions": "bench/whatif/whatif.py", "race": "bench/race.py"}
    for name, source in sources.items():
        text = (TOP / "test" / source).read_text("utf-8")
        for key in {key for row in ROWS[name] for key in row}:
            expect(f"{source} writes '{key}'", bool(re.search(rf"""['"]{key}['"]|\b{key}=|'[^']*\b{key}\b[^']*'""", text)), True)


with tempfile.TemporaryDirectory() as temporary:
    (Path(temporary) / "records").mkdir()
    check_writing(Path(temporary))
    check_refusals(Path(temporary))
    check_builds(Path(temporary))
    check_measuring(Path(temporary))
check_rows()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
