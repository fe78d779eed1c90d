# SPDX-License-Identifier: BSD-3-Clause
"""ompreport hot: lines, functions and call paths of samples whose number is known.

Usage: check-hot.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import io
import json
import math

from tables import MS, expect, expect_values, finish, make, rows, run

PERIOD = 4 * MS
LOOP, PARALLEL, SERIAL = "solver.c:12 for", "solver.c:10 parallel", "serial part"
LINES = {"kernel.c:13 kernel": (45, 0, LOOP), "libgomp.so.1 spin": (20, 20, PARALLEL), "kernel.c:14 kernel": (16, 0, LOOP),
         "solver.c:3 read_input": (10, 0, SERIAL), "solver.c:5 main": (5, 0, SERIAL), "libm.so.6 sin": (4, 0, LOOP)}
# Itself, and with those that it calls. kernel() is called again by sin(), which counts once; main() is around the team of
# thread 0 only.
FUNCTIONS = {"kernel (kernel.c)": (61, 65), "spin (libgomp.so.1)": (20, 20), "read_input (solver.c)": (10, 10),
             "main (solver.c)": (5, 50), "sin (libm.so.6)": (4, 5)}
AROUND = "!$omp parallel @solver.c:10 > !$omp for @solver.c:12 > "
PATHS = {f"main > {AROUND}kernel": 30, "!$omp parallel @solver.c:10 > for at solver.c:12 > kernel": 30, "!$omp parallel @solver.c:10 > spin": 20, "main > read_input": 10, "main": 5,
         f"main > {AROUND}kernel > sin": 4, f"main > {AROUND}kernel > sin > kernel": 1}
THREADS = {0: 50, 1: 50}


def samples_of(path, *options):
    found, data = rows("hot", path, *options)
    return {name: row["samples"] for name, row in found.items()}, data


def check_lines(folder):
    path = make(folder, "hot")
    found, data = rows("hot", path)
    expect(list(found) == sorted(LINES, key=lambda name: -LINES[name][0]), f"lines: {list(found)}")
    expect_values("lines", data, {"samples": 100, "time_ns": 100 * PERIOD, "wait_share": 0.2})
    for name, (samples, waits, construct) in LINES.items():
        expect_values(name, found[name], {"samples": samples, "time_ns": samples * PERIOD, "share": samples / 100, "wait_samples": waits,
                                          "wait_share": waits / samples, "construct": construct, "construct_share": 1.0})
    expect_values("a line", found["kernel.c:13 kernel"], {"function": "kernel", "file": "/src/app/kernel.c", "line": 13})
    expect_values("no line", found["libm.so.6 sin"], {"function": "sin", "file": "libm.so.6", "line": 0})
    expect(run("hot", "--lines", path) == run("hot", path), "--lines is not the default")
    # The same as the summary's.
    summary = json.loads(run("summary", "--format=json", path))
    expect(summary["samples"] == 100, f"summary: {summary['samples']}")
    keys = ("function", "file", "line", "samples", "wait_samples")
    expect([[row[key] for key in keys] for row in summary["hot"]] == [[row[key] for key in keys] for row in data["hot"]],
           f"summary: {summary['hot']}")


def check_functions(folder):
    found, _ = rows("hot", make(folder, "hot"), "--functions")
    expect(list(found) == list(FUNCTIONS), f"functions: {list(found)}")
    for name, (own, inclusive) in FUNCTIONS.items():
        expect_values(name, found[name], {"samples": own, "share": own / 100, "inclusive_samples": inclusive, "inclusive_share": inclusive / 100})
    expect_values("main", found["main (solver.c)"], {"construct": SERIAL, "function": "main", "file": "/src/app/solver.c"})


def check_paths(folder):
    found, _ = samples_of(make(folder, "hot"), "--paths")
    expect(found == PATHS, f"paths: {found}")


def check_parts(folder):
    """Regions, threads and parts of the time add up to the whole, row by row; shares are of the chosen threads."""
    path = make(folder, "hot")
    for kind in ("--lines", "--functions", "--paths"):
        whole, _ = samples_of(path, kind)
        for parts in ([f"--region={name}" for name in (LOOP, PARALLEL, SERIAL)], ["--thread=0", "--thread=1"],
                      ["--to=62ms", "--from=62000001ns"]):
            sums = dict.fromkeys(whole, 0)
            for part in parts:
                for name, samples in samples_of(path, kind, part)[0].items():
                    sums[name] += samples
            expect(sums == whole, f"{kind} {parts}: {sums}, not {whole}")
    for thread, samples in THREADS.items():
        found, data = rows("hot", path, f"--thread={thread}")
        expect_values(f"thread {thread}", data, {"samples": samples})
        expect(abs(sum(row["share"] for row in found.values()) - 1) < 1e-6, f"thread {thread}: {found}")
    found, data = rows("hot", path, f"--region={LOOP}")
    expect_values("the loop", data, {"samples": 100, "wait_share": 0.0})
    expect(abs(sum(row["share"] for row in found.values()) - 0.65) < 1e-6, f"the loop: {found}")


def check_summary(folder):
    """The tables of code of `summary` have what --region and --thread choose; their shares are of all samples of the threads."""
    path = make(folder, "processor", 3)

    def tables(*options):
        data = json.loads(run("summary", "--format=json", *options, path))
        return data, [{(row[key], row.get("line")): row[number] for row in data.get(table, [])} for table, key, number in (
            ("hot", "function", "samples"), ("team_paths", "path", "samples"), ("serial_paths", "path", "samples"), ("blocked", "call", "seen"))]

    _, whole = tables()
    expect(whole[3] == {("read", 70): 3, ("clock_nanosleep", 62): 3, ("futex", 92): 1}, f"summary: {whole}")
    for parts in (LOOP, "task", SERIAL), ("--thread=0", "--thread=1"):
        sums = [dict.fromkeys(table, 0) for table in whole]
        for part in parts:
            data, found = tables(part if part.startswith("--") else f"--region={part}")
            for table, rows_ in zip(sums, found):
                for name, value in rows_.items():
                    table[name] += value
            own = {(row["function"], row["line"]): row["samples"] for row in rows("hot", path, data["chosen"]["options"])[1]["hot"]}
            expect(found[0] == own and {"hot", "blocked"} <= set(data["chosen"]["members"]), f"summary {part}: {found[0]}, not {own}")
        expect(sums == whole, f"summary {parts}: {sums}, not {whole}")
    data, found = tables(f"--region={LOOP}")
    paths = {"main > solve > rt_run_team > solve > kernel": 15, "rt_run_team > solve > kernel": 6, "rt_run_team > solve > rt_run_team": 3}
    expect(data["samples"] == 35 and found[1:] == [{(name, None): n for name, n in paths.items()}, {}, {("clock_nanosleep", 62): 3}],
           f"summary of the loop: {data['samples']} samples, {found}")
    text = run("summary", "--region=serial part", "--rows=0", path)
    expect("no region that was chosen" in text and "read_input" in text and "read(2)" in text and ":60 kernel" not in text, text)
    note = "samples and blocked calls are those of all visits"
    expect(note in " ".join(run("summary", "--min-duration=5ms", path).split()) and note not in run("summary", path), "--min-duration")


def check_notes(folder):
    """Why there is nothing, and what would bring more names, each once."""
    path = make(folder, "hot")
    text = " ".join(run("hot", path).split())
    expect(text.count("24.0% of these samples have no line, most often in spin of libgomp.so.1: compile it with -g") == 1, text)
    expect("compile it with -g" not in run("hot", "--functions", path), "functions all have names")
    expect("compile it with -g" not in run("hot", "--region=serial", path), "the serial part has lines")
    text = " ".join(run("hot", make(folder, "hot", 2)).split())
    expect("3 further samples have no place in the code: the archive does not define their calling contexts." in text, text)
    expect("further samples" not in run("hot", path), "samples that are not there")
    text = " ".join(run("hot", make(folder, "uneven")).split())
    expect("The archive has no samples of calling contexts. Score-P writes them with SCOREP_ENABLE_UNWINDING=true" in text, text)
    text = " ".join(run("hot", "--region=:12", "--to=10ms", path).split())
    expect("No sample was taken in what the options choose." in text, text)
    run("hot", "--region=nowhere", path, status=2, error="--region='nowhere': nothing in this report has such a name")
    run("hot", "--thread=2", path, status=2, error="there is no such thread")


def check_forms(folder):
    path = make(folder, "hot")
    for kind in ("--lines", "--functions", "--paths"):
        _, data = rows("hot", path, kind)
        table = list(csv.DictReader(io.StringIO(run("hot", kind, "--format=csv", path), newline="")))
        expect([list(row.values()) for row in table] ==
               [["" if value is None else text_of(value) for value in row.values()] for row in data["hot"]], f"CSV: {table}")
        for width in (60, 80, 140):
            for line in run("hot", kind, f"--width={width}", path).splitlines():
                expect(len(line) <= width, f"{kind} {width}: wide: {line!r}")
    inclusive = [row["inclusive_samples"] for row in rows("hot", path, "--functions", "--sort=inclusive_samples")[1]["hot"]]
    expect(inclusive == sorted(inclusive, reverse=True), f"--sort: {inclusive}")


def changes_of(*arguments, status=0):
    data = json.loads(run("diff", "--format=json", *arguments, status=status))
    return {row[list(row)[0]]: row for row in data["diff"]}, data


def chance_of(before, after):
    """How likely at least so many of all samples are the second run's if each is as likely the first one's."""
    return sum(math.comb(before + after, k) for k in range(after, before + after + 1)) / 2 ** (before + after)


def check_diff(folder):
    """The second line of kernel() has 16 samples in one run and 26 in the other one; it is judged as regions are."""
    old, new, slow, counted = (make(folder, "hot", n) for n in (1, 11, 41, 999))
    uneven = make(folder, "uneven")
    for kind, changed in (("--lines", {"kernel.c:14 kernel": (16, 26)}), ("--functions", {"kernel (kernel.c)": (61, 71)}),
                          ("--paths", {f"main > {AROUND}kernel": (30, 40)})):
        found, _ = changes_of(kind, old, new)
        whole = samples_of(old, kind)[0]
        expect({name: row["samples_a"] for name, row in found.items()} == {name: count for name, count in whole.items() if count}, f"{kind}: {found}")
        for name, row in found.items():
            before, after = changed.get(name, (row["samples_a"], row["samples_a"]))
            expect_values(f"{kind} {name}", row, {
                "samples_a": before, "samples_b": after, "time_a_ns": before * PERIOD, "time_b_ns": after * PERIOD,
                "change_ns": (after - before) * PERIOD, "ratio": after / before,
                "wait_a_ns": before * PERIOD if "spin" in name else 0})
        columns = next(csv.reader(io.StringIO(run("diff", kind, "--format=csv", old, new))))
        expect(columns == list(next(iter(found.values()))), f"{kind}: CSV has {columns}")
        # 10 samples more may be chance, 40 are not.
        found, data = changes_of(kind, "--threshold=5", old, new)
        for name, row in found.items():
            expect(abs(row["chance"] - chance_of(row["samples_a"], row["samples_b"])) < 1e-6, f"{kind} {name}: chance {row['chance']}")
        expect(not any(row["slower"] for row in found.values()), f"{kind}: {found}")
        found, data = changes_of(kind, "--threshold=5", old, slow, status=3)
        expect([name for name, row in found.items() if row["slower"]] == list(changed), f"{kind}: {found}")
        expect(f"The wall time and 1 {kind[2:]} grew by more than 5%." in data["notes"], f"{kind}: {data['notes']}")
    # Of more than 1,000 samples by the normal approximation; the wall time grew.
    row = changes_of("--lines", "--threshold=5", make(folder, "hot", 600), make(folder, "hot", 650), status=3)[0]["kernel.c:14 kernel"]
    expect((row["samples_a"], row["samples_b"], row["slower"]) == (615, 665, 0) and abs(row["chance"] - chance_of(615, 665)) < 0.001, f"many: {row}")
    found, _ = changes_of("--lines", "--region=serial", old, new)
    expect(set(found) == {"solver.c:3 read_input", "solver.c:5 main"}, f"--region: {found}")
    found, _ = changes_of("--lines", "--thread=1", "--threshold=5", old, new)
    expect(found["kernel.c:14 kernel"]["change_ns"] == 0, f"--thread: {found}")
    # Without an option, one sentence names the line.
    text = " ".join(run("diff", old, new).split())
    expect("Of all lines, kernel.c:14 kernel grew most: from 64.0ms of processor time to 104ms. --lines," in text, f"diff: {text}")
    for others in ((new, old), (old, counted), (old, uneven)):
        expect("Of all lines" not in run("diff", *others), f"diff: a line of {others}")
    run("diff", "--region=serial", old, new, status=2, error="--region='serial': nothing in this report")
    run("diff", "--lines", old, uneven, status=1, error="there are no samples to compare")
    expect(all(row["time_ns"] is None for row in rows("hot", counted)[1]["hot"]), "the time of samples that count cycles")
    run("diff", "--lines", counted, new, status=1, error="its samples stand for an unknown time")
    run("diff", "--lines", "--threshold=5", "--measure=x", old, new, status=2, error="counters are those of regions, not of lines")


def check_diff_of_several(folder):
    """Of three runs on each side the medians count, and the chance; the finding has the line."""
    old, new = ([make(folder, "hot", n) for n in numbers] for numbers in ((1, 3, 4), (11, 12, 17)))
    report = folder / "findings.json"
    found, data = changes_of("--lines", "--threshold=5", f"--code-quality={report}", *old, "vs", *new, status=3)
    expect_values("several", found["kernel.c:14 kernel"], {
        "samples_a": 18, "samples_b": 27, "change_ns": 9 * PERIOD, "ratio": 1.5, "chance": 0.05, "spread_a_ns": 3 * PERIOD,
        "spread_b_ns": 6 * PERIOD, "verdict": "slower"})
    findings = json.loads(report.read_text())
    expect([finding["location"]["path"] for finding in findings if "kernel.c:14 kernel" in finding["description"]] ==
           ["/src/app/kernel.c"], f"findings: {findings}")
    # The other way round nothing grew.
    found, data = changes_of("--lines", "--threshold=5", *new, "vs", *old)
    expect(found["kernel.c:14 kernel"]["slower"] == 0 and found["kernel.c:14 kernel"]["change_ns"] == -9 * PERIOD, f"faster: {found}")


def check_moved(folder):
    """Lines of a function that moved together are the same lines, also where one stands at another's old place."""
    old = make(folder, "hot")
    for moved in (1, 7):
        found, _ = changes_of("--lines", "--threshold=5", old, make(folder, "hot", moved * 1000 + 41), status=3)
        expect({name: row["samples_a"] for name, row in found.items() if "kernel" in name} ==
               {f"kernel.c:{13 + moved} kernel": 45, f"kernel.c:{14 + moved} kernel": 16}, f"moved by {moved}: {found}")
        expect({name for name, row in found.items() if row["slower"]} == {f"kernel.c:{14 + moved} kernel"}, f"moved by {moved}: {found}")


def check_deep(folder):
    """A sample below 300,000 calls: all commands end, and a path has the innermost calls."""
    path = make(folder, "hot", 998)
    for command in (["summary"], ["hot"], ["annotate"], ["check"], ["info"], ["html", "-o", folder / "page.html"]):
        run(*command, path)
    run("diff", "--functions", path, path)
    found = rows("hot", path, "--functions")[0]
    expect_values("deep", found["kernel (kernel.c)"], {"samples": 61 + 997})
    expect_values("deep", found["sin (libm.so.6)"], {"samples": 5})
    paths = [name for name in samples_of(path, "--paths")[0] if len(name) > 1000]
    expect(len(paths) == 1 and paths[0].startswith("... > ") and len(paths[0].split(" > ")) == 1001, f"deep: {len(paths)} paths")


def text_of(value):
    return f"{value:.6f}" if isinstance(value, float) else str(value)


finish(check_summary, check_lines, check_functions, check_paths, check_parts, check_notes, check_forms, check_diff, check_diff_of_several,
       check_moved, check_deep)
