# SPDX-License-Identifier: BSD-3-Clause
"""ompreport summary and info against archives whose every time is known (make-archive.c), and against
input that is no good.

Usage: check-reports.py OMPREPORT MAKE_ARCHIVE
"""
import json
import os
import pty
import random
import re
import shutil
import subprocess

from tables import MS, OMPREPORT, TIME_LIMITS, expect, finish, make


def expect_values(where, found, wanted):
    for key, value in wanted.items():
        expect(found.get(key) == value, f"{where}: {key} is {found.get(key)!r}, not {value!r}")


def run(*arguments, status=0, errors=()):
    done = subprocess.run([OMPREPORT, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    stderr = done.stderr.decode("utf-8", "replace")
    expect(done.returncode == status, f"{arguments}: exit status {done.returncode}, not {status}: {stderr}")
    for text in errors:
        expect(text in stderr, f"{arguments}: no {text!r} in {stderr!r}")
    if status == 0 and not errors:
        expect(not stderr, f"{arguments}: unexpected on stderr: {stderr!r}")
    return done.stdout


def summary(path, errors=()):
    data = json.loads(run("summary", "--format=json", path, errors=errors))
    known = [v for v in data["thread_time_ns"].values() if v is not None]
    expect(sum(known) == data["capacity_ns"], f"{path.name}: categories do not add up to {data['capacity_ns']}")
    return data, {(r["name"], r["begin_line"]): r for r in data["regions"]}


def check_uneven(folder):
    data, regions = summary(make(folder, "uneven"))
    expect_values("uneven", data, {"program": "./solver", "wall_ns": 124 * MS, "threads": 4, "locations": 4,
                                   "parallel_ns": 84 * MS, "capacity_ns": 496 * MS, "imbalance_ns": 30 * MS,
                                   "events": 86})
    expect_values("uneven", data["thread_time_ns"], {"useful": 200 * MS, "sync": 120 * MS, "management": 16 * MS,
                                                     "serial": 40 * MS, "idle": 120 * MS, "other": 0})
    # T = 4, W = 124, P = 84, U = 200: 1 - 40*3/(4*124), 1 - (84 - 50)/124, 1 - 30/124.
    for key, value in (("serial", 1 - 120 / 496), ("openmp", 1 - 34 / 124), ("total", 240 / 496),
                       ("load_balance", 1 - 30 / 124)):
        expect(abs(data["efficiency"][key] - value) < 1e-6, f"uneven: efficiency {key}: {data['efficiency']}")
    expect_values("uneven for", regions["for", 12], {
        "visits": 8, "time_ns": 320 * MS, "self_ns": 200 * MS, "threads": 4, "body_min_ns": 20 * MS,
        "body_sum_ns": 200 * MS, "body_max_ns": 80 * MS, "barrier_wait_ns": 120 * MS, "imbalance_ns": 120 * MS,
        "file": "/src/app/solver.c", "end_line": 15})
    expect_values("uneven parallel", regions["parallel", 10], {
        "visits": 8, "time_ns": 320 * MS, "self_ns": 0, "imbalance_ns": 120 * MS, "barrier_wait_ns": 0, "gain_ns": 0})
    expect("neither their order nor their placement matters, try schedule(dynamic)" in " ".join(data["advice"]),
           f"uneven: no advice about the schedule: {data['advice']}")


def check_contention(folder):
    data, regions = summary(make(folder, "contention"))
    expect_values("critical", regions["critical", 28], {
        "sub_name": "sum", "visits": 2, "time_ns": 30 * MS, "self_ns": 20 * MS, "enter_wait_ns": 10 * MS,
        "body_min_ns": 10 * MS, "body_max_ns": 10 * MS})
    expect_values("barrier", regions["barrier", 33], {"visits": 2, "barrier_wait_ns": 10 * MS, "self_ns": 0})
    locks = {lock["name"]: lock for lock in data["locks"]}
    expect_values("critical's lock", locks["critical(sum) solver.c:28"],
                  {"acquisitions": 2, "contended": 1, "wait_ns": 10 * MS, "hold_ns": 20 * MS})
    expect_values("lock", locks["lock 9"],
                  {"acquisitions": 2, "contended": 1, "wait_ns": 3 * MS, "hold_ns": 6 * MS})
    expect(len(data["regions"]) == 3, f"contention: lock routines are no regions: {sorted(regions)}")


def check_overtaken(folder):
    """Thread 0 waits 0..4 ms for what thread 1 holds 1..3 ms, thread 1 waits 5..8 ms: both found it held."""
    data, _ = summary(make(folder, "overtaken"))
    expect_values("overtaken", data["locks"][0],
                  {"acquisitions": 3, "contended": 2, "wait_ns": 7 * MS, "hold_ns": 7 * MS})


def check_tasks(folder):
    data, regions = summary(make(folder, "tasks"))
    expect_values("task construct", data["tasks"][0], {
        "created": 3, "executed": 3, "undeferred": 1, "create_ns": 2 * MS, "execute_ns": 21 * MS,
        "execute_max_ns": 16 * MS})
    # Task 1 runs 10 + 1 + 5 ms, its suspension (3 ms of task 2, then the change of thread) is not its own.
    expect_values("task", regions["task", 37], {"visits": 3, "time_ns": 21 * MS, "self_ns": 20 * MS})
    expect_values("taskwait", regions["taskwait", 39], {"visits": 1, "barrier_wait_ns": 1 * MS})
    # Thread 0 waits 20 + 1 ms, thread 1 the 30 ms less 14 in tasks; the tasks are not waiting.
    expect_values("single", regions["single", 20], {"barrier_wait_ns": 37 * MS, "visits": 2})
    expect_values("tasks", data["thread_time_ns"], {"useful": 22 * MS, "sync": 38 * MS})


def check_nested(folder):
    data, regions = summary(make(folder, "nested"))
    expect_values("nested", data, {"threads": 2, "locations": 4, "wall_ns": 40 * MS, "capacity_ns": 140 * MS})
    expect_values("inner", regions["parallel", 50], {
        "visits": 4, "threads": 4, "barrier_wait_ns": 20 * MS, "imbalance_ns": 20 * MS, "body_max_ns": 40 * MS})
    expect_values("outer", regions["parallel", 10], {"visits": 2, "threads": 2, "barrier_wait_ns": 20 * MS})


def check_foreign(folder):
    path = make(folder, "foreign")
    data, regions = summary(path, errors=["2 events contradict each other"])
    expect_values("foreign", data, {"threads": 2, "parallel_ns": None, "events": 24})
    expect(data["efficiency"]["total"] is None, "foreign: an efficiency out of nothing")
    expect_values("foreign user region", regions["region", 1], {"visits": 2, "sub_name": "time step",
                                                                "time_ns": 16 * MS, "self_ns": 10 * MS})
    expect_values("foreign MPI", regions["mpi", 0], {"sub_name": "MPI_Barrier", "barrier_wait_ns": None})
    info = json.loads(run("info", "--format=json", path))
    expect_values("foreign info", info, {"skipped": 4, "events": 24, "regions": 27})
    expect_values("foreign info", info["events_by_kind"], {"enter": 8, "leave": 10, "metric": 2})


def check_ranks(folder):
    data, regions = summary(make(folder, "ranks"))
    expect_values("ranks", data, {"threads": 4, "locations": 4, "wall_ns": 30 * MS, "parallel_ns": 20 * MS})
    expect_values("ranks", data["thread_time_ns"], {"useful": 60 * MS, "sync": 20 * MS, "other": 0, "serial": 20 * MS,
                                                  "idle": 20 * MS, "management": 0})
    expect_values("ranks", data["efficiency"], {"total": 0.666667, "serial": 0.833333, "load_balance": 0.833333,
                                                "waits_and_overhead": 1.0})
    expect("Several processes" in (data["note"] or ""), f"ranks: note {data['note']}")
    expect_values("ranks parallel", regions["parallel", 10], {"visits": 4, "imbalance_ns": 20 * MS})
    expect("serial share         33.3%" in run("summary", folder / "ranks-1").decode(), "ranks: serial share")
    info = json.loads(run("info", "--format=json", folder / "ranks-1"))
    expect(info["processes"] == 2, f"ranks: {info['processes']} processes")


def check_info(folder):
    path = make(folder, "uneven")
    info = json.loads(run("info", "--format=json", path))
    expect_values("info", info, {
        "program": "./solver", "arguments": ["--size=1000"], "creator": "archive-writer", "span_ns": 124 * MS,
        "ticks_per_second": 10**9, "events": 86, "skipped": 0, "started": "2023-11-14 22:13:20 UTC"})
    expect(info["properties"].get("OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE") == "true", "info: properties")
    expect([place["events"] for place in info["locations"]] == [26, 20, 20, 20], "info: events of the locations")
    text = run("info", path / "traces.otf2").decode()
    for part in ("OMP thread 3", "thread fork", "2023-11-14", "./solver", "124ms"):
        expect(part in text, f"info: no {part!r} in the text")


def check_accounted(folder):
    data, _ = summary(make(folder, "accounted", 1))
    expect_values("accounted", data, {"lost_events": 17, "untraced_events": 17, "event_cost_ns": 4_960_000})
    expect("17 events are missing from the trace" in " ".join(data["advice"]), f"accounted: advice {data['advice']}")
    # Of a part of the run nothing is said that is true of the whole alone.
    data = json.loads(run("summary", "--format=json", "--from=25ms", "--to=28ms", folder / "accounted-1"))
    expect_values("a part", data, {"wall_ns": 3 * MS, "event_cost_ns": None})
    said = " ".join(data["advice"])
    expect("The whole run" not in said and "Measuring" not in said, f"a part: advice {said}")
    data = json.loads(run("summary", "--format=json", "--region=nothing.c", folder / "accounted-1", status=2, errors=["--region"]))
    expect(not any("no parallel region" in sentence for sentence in data["advice"]), f"no region: {data['advice']}")
    data, _ = summary(make(folder, "accounted", 2))
    expect_values("accounted badly", data, {"lost_events": None, "event_cost_ns": None})


def check_names(folder):
    text = run("summary", make(folder, "names")).decode("utf-8")
    expect(all(line.isprintable() for line in text.splitlines()), "names: control characters reach the terminal")
    json.loads(run("summary", "--format=json", make(folder, "names", 2)).decode("utf-8"))


def check_output(folder):
    path = make(folder, "uneven", 3)
    out = folder / "out.csv"
    expect(run("summary", "--format=csv", "-o", out, path) == b"", "-o still writes to stdout")
    expect(out.read_text().startswith("kind,name,"), "-o: no CSV in the file")
    for width in (60, 100):
        lines = run("summary", "--width", width, path).decode().splitlines()
        expect(max(map(len, lines)) <= width, f"--width {width}: wider")
    expect(b"... and 1 more regions" in run("summary", "-n1", path), "-n1 does not limit the rows")
    run("summary", "-o", folder / "missing" / "x", path, status=1, errors=["missing/x: No such file"])
    run("summary", "-o", "/dev/full", path, status=1, errors=["/dev/full: No space left", "incomplete"])


def check_usage(_):
    for arguments in ((), ("wrong",), ("summary",), ("summary", "a", "b"), ("summary", "--what", "a"),
                      ("summary", "--format=xml", "a"), ("summary", "--width=5", "a"), ("summary", "--width"),
                      ("info", "--format=xml", "a"), ("summary", "--rows=-1", "a")):
        run(*arguments, status=2, errors=["ompreport"])
    for arguments in (("--help",), ("summary", "--help"), ("info", "-h"), ("html", "--help"), ("--version",)):
        expect(run(*arguments), f"{arguments}: prints nothing")


def check_scale(folder):
    """More threads than a process may have files open, more regions than a page has room for."""
    data, regions = summary(make(folder, "wide"))
    expect_values("wide", data, {"threads": 1200, "locations": 1200, "wall_ns": 1_200_000})
    expect_values("wide for", regions["for", 17], {"visits": 1200, "threads": 1200, "body_max_ns": 1_200_000,
                                                   "body_sum_ns": 1200 * 1201 // 2 * 1000})
    data, regions = summary(make(folder, "many", 20000))
    expect(len(regions) == 20001, f"many: {len(regions)} regions")
    expect_values("many", regions["for", 12345], {"visits": 4, "time_ns": 4000, "imbalance_ns": 0})
    path = make(folder, "many", 20)
    for rows, left in ((None, 6), (7, 14), (0, 0)):
        text = run("summary", *([] if rows is None else [f"--rows={rows}"]), path).decode()
        expect(("more regions" in text) == (left > 0) and (not left or f"... and {left} more regions" in text),
               f"many: --rows={rows}: the rest is not reported, or wrongly")


def check_progress(folder):
    """A bar on a terminal, while millions of events are read; it is gone at the end."""
    path = make(folder, "large", 20000)
    try:
        own_end, other_end = pty.openpty()
    except OSError as error:
        print(f"progress: not looked at, no terminal can be made here: {error}")
        return
    done = subprocess.run([OMPREPORT, "summary", path], stdout=subprocess.PIPE, stderr=other_end)
    os.close(other_end)
    said = b""
    try:
        while part := os.read(own_end, 65536):
            said += part
    except OSError:
        pass  # all is read and the other end is closed
    os.close(own_end)
    said = said.decode()
    shown = re.findall(r"\r \[(#+) *\] (\d+) million events", said)
    expect(done.returncode == 0 and [number for _, number in shown] == ["1", "2"], f"progress: {said!r}")
    expect(abs(len(shown[0][0]) - 40 * 2**20 / 2_600_002) < 2, f"progress: {said!r}")
    expect(said.endswith("\r" + " " * 70 + "\r"), f"progress: {said!r} stays")
    expect(b"solver.c:12 for" in done.stdout, "progress: no report")


def check_bad_input(folder):
    run("summary", folder / "nowhere", status=1, errors=["nowhere: No such file", "nothing was written"])
    (folder / "bare").mkdir()
    run("summary", folder / "bare", status=1, errors=["holds no archive"])
    (folder / "bare" / "a.otf2").write_text("")
    run("summary", folder / "bare", status=1, errors=["not an OTF2 archive"])
    (folder / "bare" / "b.otf2").write_text("hello")
    run("summary", folder / "bare", status=1, errors=["holds 2 archives"])
    run("info", folder / "bare" / "b.otf2", status=1, errors=["not an OTF2 archive"])
    (folder / "text.txt").write_text("hello")
    run("info", folder / "text.txt", status=1, errors=["expected a folder or a file *.otf2"])
    text = run("summary", make(folder, "nothing")).decode()
    expect("the archive holds no events" in text, f"nothing: {text}")
    # What is cut off is not empty.
    cut = make(folder, "uneven", 7)
    for number in range(4):
        os.truncate(cut / "traces" / f"{number}.evt", 2)
    text = run("summary", cut, errors=["truncated in Master thread after 0 events"]).decode()
    expect("the archive's files of events cannot be read" in text, f"cut: {text}")
    os.truncate(cut / "traces.def", os.path.getsize(cut / "traces.def") // 4)
    run("summary", cut, status=1, errors=["global definitions (*.def) are cut off or damaged after", "before the first location"])


def check_machine(folder):
    """Where the anchor does not name the machine, the nodes that the processes ran on do."""
    expect(json.loads(run("info", "--format=json", make(folder, "hybrid")))["machine"] == "machine", "info: no machine")
    expect("machine        machine\n" in run("info", folder / "hybrid-1").decode(), "info: no machine in the text")
    run("html", folder / "hybrid-1", "-o", folder / "page.html")
    expect("unknown machine" not in (folder / "page.html").read_text(), "html: unknown machine")


def check_damage(folder):
    """Files cut short, gone or overwritten: a message and what is left, never a crash."""
    whole = make(folder, "uneven", 4)
    for name, change in (("traces.def", None), ("traces/1.evt", None), ("traces/1.def", None)):
        path = folder / ("without-" + name.replace("/", "-"))
        shutil.copytree(whole, path)
        (path / name).unlink()
        done = subprocess.run([OMPREPORT, "summary", path], capture_output=True)
        expect(done.returncode == (1 if name == "traces.def" else 0), f"without {name}: status {done.returncode}")
        if name != "traces/1.def":
            expect(b"ompreport: " in done.stderr, f"without {name}: no message")
    for name in ("traces/1.evt", "traces.def", "traces.otf2"):
        content = (whole / name).read_bytes()
        for length in range(0, len(content), max(1, len(content) // 60)):
            path = folder / "cut"
            shutil.rmtree(path, ignore_errors=True)
            shutil.copytree(whole, path)
            (path / name).write_bytes(content[:length])
            done = subprocess.run([OMPREPORT, "summary", path], capture_output=True)
            expect(done.returncode in (0, 1), f"{name} cut at {length}: status {done.returncode}")
            expect(done.returncode == 1 or done.stdout, f"{name} cut at {length}: nothing is reported")
            if name == "traces/1.evt" and length < len(content) // 2:
                expect(b"OMP thread 1" in done.stderr, f"{name} cut at {length}: no message: {done.stderr}")


def check_anchor(folder):
    """An anchor file of which a byte is wrong, or the end is missing, is refused or read; what it counts is not believed."""
    whole = make(folder, "uneven", 8)
    content = (whole / "traces.otf2").read_bytes()
    wrong = [content[:at] + b"\xff" + content[at + 1:] for at in range(len(content))] + [content[:at] for at in range(0, len(content), 3)]
    twice = content.replace(b"THREAD_LOCK_EVENT_COMPLETE", b"THREAD_FORK_JOIN_EVENT_COMPLETE")  # two properties called alike
    expect(twice != content, "anchor: no such property")
    refused = 0
    for damaged in [*wrong, twice]:
        (whole / "traces.otf2").write_bytes(damaged)
        done = subprocess.run([OMPREPORT, "info", whole], capture_output=True, timeout=30 * TIME_LIMITS)
        expect(done.returncode in (0, 1), f"anchor {damaged}: status {done.returncode}: {done.stderr}")
        expect(done.returncode == 0 or b"not an OTF2 archive, or a damaged one" in done.stderr, f"anchor {damaged}: {done.stderr}")
        refused += done.returncode
    expect(refused > len(content) // 2 and done.returncode == 1, f"anchor: only {refused} are refused")


def whole_events(content, length):
    """How many events lie in the file's first `length` bytes; it must be a single chunk, and its records short."""
    at, events = 18, 0
    while True:
        at += 9 if content[at] == 5 else 0  # a time
        kind = content[at]
        if kind == 2:
            return events
        size = content[at + 1]
        if kind in (12, 13):  # enter, leave
            size = 0 if size == 255 else size
        at += 2 + size
        if at > length:
            return events
        events += 1


def check_cut_events(folder):
    """Wherever a file of events is cut, those that it holds as a whole are read, and no other ones."""
    whole = make(folder, "uneven", 9)
    path = whole / "traces" / "1.evt"
    content = path.read_bytes()
    for length in range(len(content) - 1):  # behind the mark of the end is one byte more
        path.write_bytes(content[:length])
        wanted = f"truncated in OMP thread 1 after {whole_events(content, length)} events (its file ends before that)"
        run("info", whole, errors=[wanted])


def check_short_record(folder):
    """A region at the end of the definitions with the fewer fields of OTF2's first versions is no damage; one of more bytes than are there is."""
    whole = make(folder, "uneven", 10)
    path = whole / "traces.def"
    content = path.read_bytes()
    for size, warned in ((15, False), (16, True)):
        path.write_bytes(content[:-2] + bytes([15, size, 1, 250, 1, 1, 1, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0]) + content[-2:-1])
        done = subprocess.run([OMPREPORT, "info", whole], capture_output=True, timeout=30 * TIME_LIMITS)
        expect(done.returncode == 0 and (b"the definitions are damaged after" in done.stderr) == warned, f"short record: {size}: {done.stderr}")


def check_cut_chunk(folder):
    """A file that ends with a whole chunk, as on a full disk: OTF2 reads the chunks before again and again."""
    whole = make(folder, "large", 5500)
    chunk = 256 * 1024
    for number in (1, 2):
        path = whole / "traces" / f"{number}.evt"
        expect(path.stat().st_size > 2 * chunk, f"chunks: {path.name} has only {path.stat().st_size} bytes")
        os.truncate(path, 2 * chunk)
        last = int.from_bytes(path.read_bytes()[chunk + 10:chunk + 18], "little")
        for command in ("info", "summary"):
            done = subprocess.run([OMPREPORT, command, whole], capture_output=True, timeout=60 * TIME_LIMITS)
            wanted = f"truncated in OMP thread {number} after {last} events (its file ends before that)"
            expect(done.returncode == 0 and wanted in done.stderr.decode(), f"chunks: {command}: no {wanted!r} in {done.stderr}")


def check_logs(folder):
    """A killed run's folder, whatever names it: every command says what to run first."""
    for logs in ("alone", "ranks/rank-000001"):
        (folder / logs).mkdir(parents=True)
        for name in ("definitions.pomplog", "thread-000000.pomplog", "pomp.cfg"):
            (folder / logs / name).write_bytes(b"pomplog1")
    (folder / "alone" / "traces.new").mkdir()  # a conversion was interrupted, too
    paths = {"alone": "alone", "alone/": "alone", "alone/traces.otf2": "alone", "alone/thread-000000.pomplog": "alone",
             "ranks": "ranks", "ranks/rank-000001": "ranks", "ranks/rank-000001/": "ranks"}
    commands = [line.split()[0] for line in run("--help").decode().splitlines() if re.match(r"  [a-z]", line)]
    expect(len(commands) > 15 and "recover" in commands, f"commands: {commands}")
    for command in set(commands) - {"recover", "help"}:
        for path, wanted in (paths if command == "summary" else {"alone": "alone"}).items():
            target = ["--perfetto"] if command == "export" else []
            archives = [f"{folder}/{path}"] * (2 if command in ("diff", "scaling") else 1)
            output = ["-o", folder / "out"] if command in ("html", "export") else []
            run(command, *target, *archives, *output, status=1,
                errors=[f"run 'ompreport recover {folder}/{wanted}' to make it"])
    expect(not (folder / "out").exists(), "a file was written")
    (folder / "nothing").mkdir()
    run("summary", folder / "nothing", status=1, errors=["the folder holds no archive"])


def check_noise(folder):
    """Bytes overwritten by chance, but not in the anchor (check_anchor)."""
    whole = make(folder, "mixed", 5)
    files = [path.relative_to(whole) for path in sorted(whole.rglob("*")) if path.suffix in (".evt", ".def")]
    for seed in range(30):
        chance = random.Random(seed)
        path = folder / "noise"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(whole, path)
        name = chance.choice(files)
        content = bytearray((path / name).read_bytes())
        for _ in range(chance.choice((1, 3, 10)) if content else 0):
            content[chance.randrange(len(content))] = chance.randrange(256)
        (path / name).write_bytes(content)
        others = chance.sample((["check"], ["threads", "--ompp"], ["timeline"], ["export", "--chrome"],
                                ["export", "--flamegraph"], ["tasks"], ["imbalance"]), 2)
        for command in (["summary"], ["html"], *others):
            done = subprocess.run([OMPREPORT, *command, path], capture_output=True)
            expect(done.returncode in ((0, 1, 3) if command == ["check"] else (0, 1)),
                   f"noise in {name}, seed {seed}: {command}: status {done.returncode}")


finish(check_uneven, check_contention, check_overtaken, check_tasks, check_nested, check_foreign, check_ranks, check_info,
       check_accounted, check_names, check_output, check_scale, check_progress, check_bad_input, check_machine, check_damage, check_anchor, check_cut_events,
       check_short_record, check_cut_chunk, check_logs, check_noise,
       check_usage)
