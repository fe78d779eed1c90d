# SPDX-License-Identifier: BSD-3-Clause
"""`ompreport diff` of profiles in JSON says what it says of the archives from which they are; of snapshots of one
run it says what lies between them; and the other commands say what a profile is good for.

Usage: check-profiles.py OMPREPORT MAKE_ARCHIVE
"""
import json
import subprocess

from tables import MS, OMPREPORT, expect, expect_values, finish, make, rows, run

COMMANDS = ("summary", "regions", "annotate", "hot", "threads", "ranks", "messages", "efficiency", "locks", "tasks", "imbalance",
            "critical-path", "roofline", "score", "check", "timeline", "info", "html", "whatif")


def profile(archive):
    """What `ompreport summary` makes of it has the form of a snapshot."""
    path = archive.parent / (archive.name + ".json")
    run("summary", "--format=json", "-o", path, archive)
    return path


def snapshot(archive, began, is_interval=False, **changes):
    path = profile(archive)
    data = dict(json.loads(path.read_text()), snapshot={"began_ns": began, "is_interval": is_interval}, **changes)
    path = path.with_name(f"{path.stem}-{began}{'-interval' if is_interval else ''}.json")
    path.write_text(json.dumps(data))
    return path


def in_order(table):
    """Equals stand in the order in which the summary has them."""
    return sorted(table, key=lambda row: row["region"])


def figures(data):
    """Efficiencies are in millionths in a profile."""
    kept = {key: value for key, value in data.items() if key not in ("notes", "efficiency_a", "efficiency_b")}
    return dict(kept, diff=in_order(data["diff"]))


def check_same(folder):
    """All figures, columns, verdicts and statuses are those of the archives, also of one beside the other."""
    for before, after in ((make(folder, "scaled", 4), make(folder, "scaled", 1)), (make(folder, "mixed", 3), make(folder, "mixed", 5)),
                          (make(folder, "tasks"), make(folder, "nested")), (make(folder, "contention"), make(folder, "hybrid"))):
        one, other = profile(before), profile(after)
        wanted = json.loads(run("diff", "--format=json", before, after))
        for left, right in ((one, other), (one, after), (before, other)):
            found = json.loads(run("diff", "--format=json", left, right))
            for key in ("efficiency_a", "efficiency_b"):
                expect(abs((found[key] or 0) - (wanted[key] or 0)) < 2e-6, f"{left.name}, {right.name}: {key}")
            expect(figures(found) == figures(wanted), f"{left.name}, {right.name}: {found} is not {wanted}")
        lines = [sorted(run("diff", "--format=csv", *paths).splitlines()) for paths in ((one, other), (before, after))]
        expect(lines[0] == lines[1], f"{one.name}: CSV")
        region = wanted["diff"][0]["region"]
        found = json.loads(run("diff", "--format=json", f"--region={region}", one, other))
        expect([row["region"] for row in found["diff"]] == [region], f"--region={region}: {found['diff']}")


def check_several(folder):
    """Medians, chance and statuses of several runs."""
    archives = [[make(folder, "large", number) for number in side] for side in ((100, 101, 102, 103), (150, 151, 152, 153))]
    profiles = [[profile(archive) for archive in side] for side in archives]
    options = ("--threshold=10", "--format=json")
    wanted = json.loads(run("diff", *options, *archives[0], "vs", *archives[1], status=3))
    found = json.loads(run("diff", *options, *profiles[0], "vs", *profiles[1], status=3))
    expect(figures(found) == figures(wanted) and found["notes"] == wanted["notes"], f"several: {found}")
    run("diff", *options, *profiles[0], "vs", *profiles[0][::-1])
    paired = [json.loads(run("diff", "--paired", *options, *side[0], "vs", *side[1], status=4)) for side in (archives, profiles)]
    expect(figures(paired[1]) == figures(paired[0]), f"pairs: {paired}")
    # Intervals of one run lie beside each other, as runs do.
    sides = [[snapshot(archive, 7, True) for archive in side] for side in archives]
    found = json.loads(run("diff", *options, *sides[0], "vs", *sides[1], status=3))
    expect(figures(found) == figures(wanted), f"intervals: {found}")
    expect("interval_ns" not in found, "intervals are taken for snapshots so far")


def check_members(folder):
    """Counters, of which a region may have none, and code that is known by its address."""
    archive, paths = make(folder, "scaled", 1), []
    for number in (1, 2):
        data = json.loads(profile(archive).read_text())
        data["metrics"] = [{"name": "cpu_time", "unit": "ns"}, {"name": "PAPI_TOT_INS", "unit": "#"}]
        for region in data["regions"]:
            region["metrics"] = {"cpu_time": 5 * number, "PAPI_TOT_INS": 1000 * number if region["name"] == "parallel" else None}
            if region["name"] == "for":
                region.update(known_by="code", static_loops_visible=False, function="kernel", file="libx.so+0x12", begin_line=0, end_line=0)
        paths.append(folder / f"members-{number}.json")
        paths[-1].write_text(json.dumps({key: data[key] for key in ["metrics", *data] if key != "regions"} | {"regions": data["regions"]}))
    found, data = rows("diff", *paths, "--measure=PAPI_TOT_INS")
    expect_values("counters", data, {"counter_a": 1000, "counter_b": 2000, "counter_ratio": 2.0})
    expect_values("counters", found["solver.c:10 parallel"], {"counter_a": 1000, "counter_b": 2000, "counter_ratio": 2.0})
    expect("kernel libx.so+0x12 for" in found, f"code: {list(found)}")
    expect_values("no counter", found.get("kernel libx.so+0x12 for", {}), {"counter_a": 0, "counter_b": 0})
    run("diff", "--measure=none", *paths, status=1, error="--measure='none': the run has only cpu_time, PAPI_TOT_INS; expected")


def check_one_run(folder):
    """From 120 ms to 300 ms of a run on two threads, with 60 ms of useful work, 30 of them serial, meanwhile."""
    archive = make(folder, "scaled", 1)
    earlier = snapshot(archive, 7, wall_ns=120 * MS, threads=2, capacity_ns=240 * MS, thread_time_ns={"useful": 100 * MS, "serial": 20 * MS})
    later = folder / "later.json"
    data = json.loads(earlier.read_text())
    data.update(wall_ns=300 * MS, capacity_ns=600 * MS, thread_time_ns={"useful": 130 * MS, "serial": 50 * MS})
    for region in data["regions"]:
        region.update(time_ns=region["time_ns"] + 40 * MS, visits=region["visits"] + 5)
    later.write_text(json.dumps(data))
    found, data = rows("diff", earlier, later)
    expect_values("one run", data, {"interval_ns": 180 * MS, "wall_a_ns": 120 * MS, "wall_b_ns": 300 * MS, "efficiency_interval": 60 / 360})
    expect({row["change_ns"] for row in found.values()} == {40 * MS}, f"one run: {found}")
    expect({row["visits_b"] - row["visits_a"] for row in found.values()} == {5}, f"one run: {found}")
    expect(data["notes"][0] == "Both are snapshots of one run: change is what the run spent between them.", f"one run: {data['notes']}")
    text = run("diff", earlier, later)
    for part in ("interval from A to B          180ms", "efficiency of the interval    16.7%", "REGIONS by time between the snapshots"):
        expect(" ".join(part.split()) in " ".join(text.split()), f"one run: {part} is not in {text}")
    # Threads that came in between make the whole of the earlier snapshot another one.
    data = json.loads(later.read_text())
    more = folder / "more.json"
    more.write_text(json.dumps(dict(data, threads=4)))
    expect(rows("diff", earlier, more)[1]["efficiency_interval"] is None, "one run: more threads")
    run("diff", later, earlier, status=2, error="later.json, " + str(earlier) + ": snapshots of one run: the first one was taken later; expected the")
    run("diff", "--threshold=5", earlier, later, status=2, error="the second contains the first, so that growth says nothing; expected")
    run("diff", earlier, later, "vs", archive, status=2, error="snapshots of one run: one contains the other; expected one snapshot of each run")
    # Two runs, with the note on what a snapshot lacks.
    other = snapshot(archive, 8)
    data = json.loads(run("diff", "--format=json", earlier, other))
    expect("interval_ns" not in data and data["notes"][0].startswith("Constructs that were open"), f"two runs: {data}")


def check_refused(folder):
    """What profiles do not have is said in one sentence."""
    archive = make(folder, "mixed", 3)
    path = profile(archive)
    for command in COMMANDS:
        run(command, path, status=1, error=f"ompreport: {path}: a profile, which has sums and no events: 'ompreport diff' compares it with")
    run("html", path, "vs", archive, status=1, error="a profile, which has sums and no events")
    run("scaling", path, archive, status=1, error="a profile, which has sums and no events")
    for option in ("--lines", "--functions", "--paths", "--thread=0", "--rank=0", "--from=1ms", "--to=2ms", "--min-duration=1ms"):
        run("diff", option, path, path, status=2,
            error=f"ompreport diff: {path}: {option.split('=')[0]}: a profile has only sums of all threads and the whole time; expected archives\n")
    text = path.read_text()
    damaged = folder / "damaged.json"
    for content, why in ((text[:len(text) // 2], "the JSON is damaged or cut"), (text.replace('"version": 1', '"version": 2'), "of another version"),
                         (text.replace('"wall_ns"', '"wall"'), "no profile with a wall time")):
        damaged.write_text(content)
        run("diff", damaged, path, status=1, error=why)
    # Whatever the file contains, reading it ends.
    for cut in range(0, len(text), 97):
        damaged.write_text(text[:cut] + text[cut + 31:])
        done = run_any("diff", damaged, path)
        expect(done in (0, 1, 2), f"31 bytes less at {cut}: status {done}")


def run_any(*words):
    """The exit status, whatever it is."""
    return subprocess.run([OMPREPORT, *map(str, words)], capture_output=True, timeout=60).returncode


finish(check_same, check_several, check_members, check_one_run, check_refused)
