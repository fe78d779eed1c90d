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
NAMES = ["constructs", "waiting-passive", "waiting-active", "footprint", "roots", "neighbours", "reading", "race"]
CONSTRUCT = [{"threads": t, "name": name, "unit": "ns", "time": 10.0 * t, "ratios": {"libgomp": 2.0, "libomp": other}}
             for t in (1, 2) for name, other in (("barrier", 4.0), ("single", None))]
ROWS = {
    "constructs": CONSTRUCT, "waiting-passive": CONSTRUCT, "waiting-active": CONSTRUCT,
    "footprint": [{"threads": "16", "runtime": "ours", "stack": 8192, "beyond": 1024},
                  {"use": "none", "runtime": "ours", "seconds": 0.002, "ratio": 1}],
    "roots": [{"roots": "2", "length": "20", "serial": "0", "seconds": 0.5, "ways": {"ours one": [1.25, 1.0]}}],
    "neighbours": [{"quota": "1.5", "neighbours": "1", "kind": kind, "best": "x", "seconds": 1, "ratios": {"default": ratio, "4": 1}}
                   for kind, ratio in (("tasks", 2), ("locks", 8))],
    "reading": [{"archive": "large", "reader": "summary", "seconds": 0.5, "ratio": 1.5, "processor": 0.75, "memory": 12}],
    "race": [{"program": "heat", "threads": 2, "seconds": 1, "time": 1.25, "memory": 2}],
}
# A line of each table that these rows make.
LINES = {
    "constructs": "| barrier | 10 ns / 0.50 | 20 ns / 0.50 |", "waiting-passive": "| single | 0.50 | 0.50 |",
    "waiting-active": "| geometric mean | 0.50 | 0.50 |",
    "footprint": "| resident memory of an idle thread, of 16 | 9.0 KiB |",
    "roots": "| 2 | 20 µs | 0 | 0.500 s | 1.25 |", "neighbours": "| 1.5 | 1 | 4.00 | 1.00 |",
    "reading": "| large | summary | 0.50 s | 1.50 | 0.75 s | 12 MiB |", "race": "| heat | 2 | 1.00 s | 1.25 | 2.00 |",
}
HAND = "Written by hand on 2026-01-02 (commit 12345678)"
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
    page.write_text(page_with(HAND + "\n\n| a |\n|---|"), "utf-8")
    expect("a page by hand", run(folder, "--check"), (0, ""))
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
        expect(f"{name}: what was by hand", HAND in inside, False)
    expect("the text around the tables", text.startswith("# Page\n\nText.\n\n<!-- table constructs"), True)
    expect("the page that was written", run(folder, "--check"), (0, ""))
    expect("writing again", (run(folder, "write"), page.read_text("utf-8") == text), ((0, ""), True))


def check_refusals(folder):
    page = folder / "page.md"
    page.write_text(page_with("| a |\n|---|\n| 1 |"), "utf-8")
    for record in (folder / "records").iterdir():
        record.unlink()
    expect("tables without a date", run(folder, "--check")[1].count("no line that says since when"), len(NAMES))
    page.write_text(page_with(HAND) + "\n## Others\n\n| a |\n|---|\n| 1 |\n", "utf-8")
    expect("a table outside", run(folder, "--check"),
           (1, "'## Others' has a table that no tool writes, and no line that says since when it is there\n"))
    page.write_text(page_with(HAND).replace("roots", "rots"), "utf-8")
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
    (build / "meson-info/intro-buildoptions.json").write_text(json.dumps([{"name": "buildtype", "value": "debug"}, {"name": "tests", "value": True}]), "utf-8")
    status, said = said_of(build)
    expect("a build for debuggers", (status, "has buildtype=debug: expected a folder made by" in said), (1, True))


def check_rows():
    """The names in the invented rows are those that the benchmarks write."""
    sources = {"constructs": "compare-runtimes.py", "footprint": "footprint.py", "roots": "roots.py", "neighbours": "neighbours.py",
               "reading": "reading.py", "race": "race.py"}
    for name, source in sources.items():
        text = (TOP / "test/bench" / source).read_text("utf-8")
        for key in {key for row in ROWS[name] for key in row}:
            expect(f"{source} writes '{key}'", bool(re.search(rf"""['"]{key}['"]|\b{key}=""", text)), True)


with tempfile.TemporaryDirectory() as temporary:
    (Path(temporary) / "records").mkdir()
    check_writing(Path(temporary))
    check_refusals(Path(temporary))
    check_builds(Path(temporary))
check_rows()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
