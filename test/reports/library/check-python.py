# SPDX-License-Identifier: BSD-3-Clause
"""The package `ompinst`: the figures of the commands, with pandas where it is and without.

check-python.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import gc
import io
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings

import ompinst
import ompinst.tables

OMPREPORT, MAKE_ARCHIVE = sys.argv[1:3]
COMMANDS = ("regions", "threads", "ranks", "efficiency", "locks", "tasks", "imbalance", "critical-path", "hot", "callers")


def fail(text):
    sys.exit(f"check-python.py: {text}")


def make(folder, scenario, number=1):
    path = folder / f"{scenario}-{number}"
    if not path.exists():
        subprocess.run([MAKE_ARCHIVE, scenario, path, str(number)], check=True)
    return path


def said(*words):
    return subprocess.run([OMPREPORT, *map(str, words)], capture_output=True, text=True, check=True).stdout


def is_equal(value, text):
    if value is None:
        return text == ""
    if isinstance(value, float):
        return math.isclose(value, float(text), abs_tol=1e-6)  # CSV has so many digits
    return str(value) == text


def tables(folder):
    """Every value of every table is that of the command."""
    for scenario in ("uneven", "contention", "tasks", "sampled", "hybrid", "processor"):
        path = make(folder, scenario)
        trace = ompinst.open(path)
        for command in COMMANDS:
            expected = list(csv.DictReader(io.StringIO(said(command, "--format=csv", path))))
            found = trace.table(command).records()
            if len(found) != len(expected):
                fail(f"{scenario}: {command}: {len(found)} rows; expected {len(expected)}")
            for row, wanted in zip(found, expected):
                if list(row) != list(wanted) or not all(is_equal(row[key], wanted[key]) for key in row):
                    fail(f"{scenario}: {command}: {row}; expected {wanted}")


def sequences(folder):
    table = ompinst.open(make(folder, "uneven")).table("regions")
    if table["visits"] != [8, 8] or table[0]["region"] != "solver.c:12 for" or len(list(table)) != 2:
        fail(f"a table as a sequence: {table.records()}")
    if table["enter_wait_ns"] != [None, None]:
        fail("what was not measured is None")
    if "Table of 2 rows" not in repr(table):
        fail(repr(table))


def contents(folder):
    """What the trace contains: visits add up to what regions have, events are all events."""
    trace = ompinst.open(make(folder, "uneven"))
    times = {}
    for visit in trace.read("visits"):
        times[visit["region"]] = times.get(visit["region"], 0) + visit["end_ns"] - visit["begin_ns"]
    for region in trace.table("regions"):
        name = "{name} @{place}".format(name=region["name"], place=region["region"].split(" ")[0])
        if times[name] != region["time_ns"]:
            fail(f"visits of {name}: {times[name]} ns; expected {region['time_ns']}")
    if len(trace.read("events")) != trace.info()["events"]:
        fail("another number of events")
    if len(trace.read("visits", thread=1)) * 4 != len(trace.read("visits")):
        fail("the visits of one thread of four")
    samples = ompinst.open(make(folder, "sampled")).read("samples")
    if {sample["stack"] for sample in samples} == {None} or not all(sample["function"] for sample in samples):
        fail(f"samples: {samples.records()}")
    ends = {}
    for message in ompinst.open(make(folder, "messages")).read("messages"):
        ends.setdefault(message["number"], []).append(message["is_sent"])
    if not ends or not any(sorted(sides) == [0, 1] for sides in ends.values()):
        fail(f"messages: {ends}")


def texts(folder):
    trace = ompinst.open(make(folder, "uneven"))
    if trace.summary()["wall_ns"] != 124_000_000 or not trace.advice():
        fail(f"summary: {trace.summary()}")
    if "<html" not in trace.html() or "solver.c:12 for" not in trace.html():
        fail("the page")
    if ompinst.__version__ not in said("--version"):
        fail(ompinst.__version__)
    runs = [make(folder, "scaled", number) for number in (1, 2, 4)]
    if len(ompinst.tables.best(ompinst.Archive(runs[0]).table("regions"))) == 0 or len(ompinst.scaling(*runs)) != 3:
        fail("scaling")
    if len(ompinst.scaling(runs)) != 3 or len(ompinst.scaling(runs[0], runs[1:])) != 3:
        fail("scaling of a list")
    if len(ompinst.diff(runs[0], [runs[1]])) == 0 or len(ompinst.diff((runs[0],), runs[1])) == 0:
        fail("diff")
    if trace.summary(format="text", output=folder / "summary") != trace.summary() or (folder / "summary").exists():
        fail("the form of a summary")
    page = folder / "page.html"
    if trace.html(output=page) != "" or page.read_text() != trace.html():
        fail("the page in a file")
    if not isinstance(trace.text("export", pprof=True, csv=True), str) or not isinstance(trace.text("export", csv=True, perfetto=True), bytes):
        fail("the last of two formats")


def formats(folder):
    """Each format of export is what the program writes: a text, or bytes where it is none."""
    for scenario in ("uneven", "sampled"):
        trace = ompinst.open(make(folder, scenario))
        help_text = said("export", "--help")
        names = re.findall(r"^ +--([a-z]+)  ", help_text[:help_text.index("--columns")], re.MULTILINE)
        if not {"perfetto", "pprof", "cube", "csv", "folded"} <= set(names):
            fail(f"formats of export: {names}")
        for name in names:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about archives without samples
                found = trace.text("export", **{name: True})
            expected = subprocess.run([OMPREPORT, "export", f"--{name}", "--output=-", trace.path], capture_output=True, check=True).stdout
            if found != expected and found != expected.decode():
                fail(f"export --{name}: {len(found)} of {len(expected)}: {found[:50]!r}")
            if isinstance(found, bytes) != (name in ("perfetto", "pprof", "cube")):
                fail(f"export --{name}: {type(found)}")


def refused(folder):
    trace = ompinst.open(make(folder, "uneven"))
    for call, text in ((lambda: ompinst.open(folder / "none"), "No such file"), (lambda: trace.regions(region="xyz"), "nothing in this"),
                       (lambda: trace.regions(regoin="x"), "did you mean '--region'"), (lambda: trace.table("summary"), "has no table; expected regions|"),
                       (lambda: trace.table("html"), "'html' has no table"), (lambda: trace.table("export", csv=True, output=folder / "csv"), "no table"),
                       (lambda: trace.text("export", columns="visits", output="-"), "a folder to make"),
                       (lambda: trace.regions(help=True), "without --help"), 
                       (lambda: trace.read("x"), "expected visits"), (lambda: trace.read("events", from_="1us"), "--from, --to, --thread, --rank"),
                       (lambda: trace.read("events", rank=0), "do not apply"), (lambda: trace.read("events", to="1s"), "do not apply"),
                       (lambda: ompinst.Archive(make(folder, "nothing")).table("nothing"), "unknown command")):
        try:
            call()
        except ompinst.Error as error:
            if text not in str(error):
                fail(f"{error}; expected '{text}'")
        else:
            fail(f"no error: expected '{text}'")
    for call, text in ((lambda: ompinst.open("a\0b"), "expected a text without zero bytes"), (lambda: ompinst.open(5), "5: expected an experiment folder"), (lambda: ompinst.open(""), "'': expected"),
                       (lambda: ompinst.diff([], trace), "expected"), (lambda: ompinst.diff(trace, None), "expected"),
                       (lambda: trace.table("regions")["time"], "'time': expected one of region, name")):
        try:
            call()
        except (TypeError, ValueError, KeyError) as error:
            if text not in str(error):
                fail(f"{error}; expected '{text}'")
        else:
            fail(f"no error: expected '{text}'")
    if (folder / "csv").exists() or (pathlib.Path(trace.path) / "report.html").exists():
        fail("a file of a command that was refused")


def other_libraries(folder):
    """Without the library, and with another one, the package says what it expects."""
    for name, text in ((folder / "none", "cannot load"), ("libc.so.6", "another or an older library")):
        done = subprocess.run([sys.executable, "-c", "import ompinst; ompinst.open('x')"], capture_output=True, text=True, check=False,
                              env={**os.environ, "OMPINST_LIBRARY": str(name)})
        if not done.stderr.splitlines()[-1].startswith("ompinst.Error: ") or text not in done.stderr or "OMPINST_LIBRARY" not in done.stderr:
            fail(f"OMPINST_LIBRARY={name}: {done.stderr}")


def moved(folder):
    """In a tree that was installed, or moved, to whatever place the package finds its library and ompinst."""
    place = folder / "a tree"
    package = place / "lib/python3/dist-packages"
    shutil.copytree(pathlib.Path(ompinst.__file__).parent, package / "ompinst")
    (place / "lib/other-linux-gnu").mkdir()
    (place / "lib/other-linux-gnu/libompreport.so.0").write_text("of another architecture")
    (place / "lib/some-linux-gnu").mkdir()
    (place / "lib/some-linux-gnu/libompreport.so.0").symlink_to(pathlib.Path(ompinst._library.library()._name).resolve())
    (place / "bin").mkdir()
    program = place / "bin/ompinst"
    program.write_text("#!/bin/sh\necho of the tree; exit 3\n")
    program.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key not in ("OMPINST", "OMPINST_LIBRARY", "LD_LIBRARY_PATH")}
    done = subprocess.run([sys.executable, "-c", "import ompinst, sys; print(len(ompinst.open(sys.argv[1]).table('threads')), flush=True); "
                           "ompinst.run(['true'])", str(make(folder, "uneven"))], capture_output=True, text=True, check=False,
                          env={**environment, "PYTHONPATH": str(package)})
    if done.stdout != "4\nof the tree\n":
        fail(f"moved: {done.stdout} {done.stderr}")


def warned(folder):
    """A warning is shown at the caller's line."""
    trace, broken = ompinst.open(make(folder, "uneven")), ompinst.Archive(make(folder, "broken"))
    for call, text in ((lambda: trace.text("export", folded=True), "there are no samples"), (broken.regions, "contradict each other"),
                       (lambda: ompinst.diff(broken, trace), "contradict each other")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        if len(caught) != 1 or caught[0].filename != __file__ or text not in str(caught[0].message):
            fail(f"warnings: {[str(each) for each in caught]}")


def kept(folder):
    """Columns outlive their tables."""
    columns = [ompinst.open(make(folder, "uneven")).table("regions").columns["visits"] for _ in range(50)]
    gc.collect()
    again = [ompinst.open(make(folder, "uneven")).table("threads") for _ in range(50)]
    if any(column.values() != [8, 8] for column in columns) or len(again) != 50:
        fail("a column without its table")


def beside(folder):
    """Several threads at a time."""
    path, wrong = make(folder, "contention"), []

    def call():
        for _ in range(10):
            if len(ompinst.open(path).table("locks")) != len(expected):
                wrong.append(1)

    expected = ompinst.open(path).table("locks")
    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        fail("another table beside other threads")


def frames(folder):
    try:
        import pandas  # pylint: disable=import-outside-toplevel  # it need not be there
    except ImportError:
        print("frames: not tested: there is no pandas")
        return
    trace = ompinst.open(make(folder, "uneven"))
    frame = trace.regions()
    if not isinstance(frame, pandas.DataFrame) or list(frame["visits"]) != [8, 8] or not frame["enter_wait_ns"].isna().all():
        fail(f"a frame: {frame}")
    visits = trace.visits()
    sums = (visits["end_ns"] - visits["begin_ns"]).groupby(visits["region"], observed=True).sum()
    if sums["for @solver.c:12"] != frame.set_index("region")["time_ns"]["solver.c:12 for"] or frame.attrs["units"]["time_ns"] != "ns":
        fail(f"sums of a frame: {sums}")
    values = trace.read("visits").columns["begin_ns"].numpy()
    gc.collect()
    trace.read("events")
    if int(values.max()) != max(trace.read("visits")["begin_ns"]):
        fail("an array without its table")


def files(folder):
    """What `ompreport export --columns` writes, read by NumPy."""
    try:
        import numpy  # pylint: disable=import-outside-toplevel  # it need not be there
    except ImportError:
        print("files: not tested: there is no numpy")
        return
    for scenario, kind in (("uneven", "visits"), ("sampled", "samples"), ("messages", "messages"), ("grown", "counters"), ("uneven", "events"),
                           ("uneven", "messages")):
        path, out = make(folder, scenario), folder / f"{scenario}-{kind}-columns"
        said("export", f"--columns={kind}", f"--output={out}", path)
        table = ompinst.open(path).read(kind)
        if {file.stem for file in out.glob("*.npy")} != set(table.columns):
            fail(f"{kind}: files {list(out.iterdir())}")
        for name, column in table.columns.items():
            found = numpy.load(out / f"{name}.npy")
            if not numpy.array_equal(found, column.numpy()) or found.dtype != column.numpy().dtype:
                fail(f"{kind}: {name}: {found}")
            if column.names and (out / f"{name}.txt").read_text().splitlines() != column.names:
                fail(f"{kind}: names of {name}")
    for words, text in ((["--columns=visits"], "a folder to make"), (["--columns=x", f"--output={folder / 'x'}"], "expected visits|"),
                        (["--columns=visits", f"--output={out}"], "File exists"), (["--columns=visits", "-o-"], "a folder to make"),
                        (["--columns=events", "--to=1s", f"--output={folder / 'y'}"], "--region and --min-duration do not apply"),
                        (["--columns=visits", f"--output={folder / 'none' / 'x'}"], "No such file")):
        done = subprocess.run([OMPREPORT, "export", *words, make(folder, "uneven")], capture_output=True, text=True, check=False)
        if done.returncode == 0 or text not in done.stderr:
            fail(f"{words}: {done.returncode}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        for test in (tables, sequences, contents, texts, formats, refused, other_libraries, moved, warned, kept, beside, frames, files):
            test(pathlib.Path(name))
            print(test.__name__, "ok")


main()
