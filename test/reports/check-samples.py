# SPDX-License-Identifier: BSD-3-Clause
"""Exports of samples: --folded, --speedscope by its schema (with python3-jsonschema), --pprof by the fields of its
profile.proto (with python3-protobuf) and by `go tool pprof` (with golang-go). All of them have each sample of the
archive, on its thread, with the constructs in its path, and as a wait if it was one.

Usage: check-samples.py OMPREPORT MAKE_ARCHIVE
"""
import collections
import gzip
import json
import os
import re
import shutil
import subprocess

from tables import expect, finish, make, run

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    from protobuf_schema import message_class
except ImportError:
    message_class = None

PARALLEL, LOOP = "parallel @solver.c:10", "for @solver.c:12"
BARRIER, CRITICAL = "implicit barrier @solver.c:15", "critical(sum) @solver.c:28"
FORKED = ("main", "solve", PARALLEL)
# What scenario_profiled() writes for n = 1: thread, frames, whether it waits, samples.
PROFILED = (
    (0, ("main",), False, 3),
    (0, (*FORKED, "GOMP_parallel", LOOP, "solve", "kernel"), False, 5),
    (0, (*FORKED, LOOP, BARRIER, "GOMP_parallel", "gomp_wait"), True, 1),
    (0, ("?",), False, 1),
    (1, ("start_thread", PARALLEL, LOOP, "solve", "kernel"), False, 4),
    (1, ("start_thread", PARALLEL, "solve", CRITICAL, "gomp_wait"), True, 2),
    (1, ("start_thread", PARALLEL, CRITICAL, "critical(sum) sblock @solver.c:28", "solve"), False, 1),
)
THREADS = ("Master thread", "OMP thread 1")
WAITING = "(waiting)"

# github.com/jlfwong/speedscope, file-format-spec.ts.
NUMBERS = {"type": "array", "items": {"type": "number", "minimum": 0}}
SPEEDSCOPE = {
    "type": "object", "required": ["$schema", "shared", "profiles"], "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "name": {"type": "string"}, "exporter": {"type": "string"}, "activeProfileIndex": {"type": "number"},
        "shared": {"type": "object", "required": ["frames"], "additionalProperties": False, "properties": {
            "frames": {"type": "array", "items": {
                "type": "object", "required": ["name"], "additionalProperties": False, "properties": {
                    "name": {"type": "string"}, "file": {"type": "string"}, "line": {"type": "number"},
                    "col": {"type": "number"}}}}}},
        "profiles": {"type": "array", "items": {
            "type": "object", "additionalProperties": False,
            "required": ["type", "name", "unit", "startValue", "endValue", "samples", "weights"],
            "properties": {
                "type": {"const": "sampled"}, "name": {"type": "string"},
                "unit": {"enum": ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"]},
                "startValue": {"type": "number"}, "endValue": {"type": "number"},
                "samples": {"type": "array", "items": NUMBERS}, "weights": NUMBERS}}}}}

# github.com/google/pprof, proto/profile.proto: message, then (field, number, type); as in protobuf_schema.py.
PPROF = {
    "Profile": (("sample_type", 1, "*ValueType"), ("sample", 2, "*Sample"), ("mapping", 3, "*Mapping"),
                ("location", 4, "*Location"), ("function", 5, "*Function"), ("string_table", 6, "*string"),
                ("time_nanos", 9, "int64"), ("duration_nanos", 10, "int64"), ("period_type", 11, "ValueType"),
                ("period", 12, "int64")),
    "ValueType": (("type", 1, "int64"), ("unit", 2, "int64")),
    "Sample": (("location_id", 1, "*uint64"), ("value", 2, "*int64"), ("label", 3, "*Label")),
    "Label": (("key", 1, "int64"), ("str", 2, "int64"), ("num", 3, "int64"), ("num_unit", 4, "int64")),
    "Mapping": (("id", 1, "uint64"), ("filename", 5, "int64"), ("build_id", 6, "int64"), ("has_functions", 7, "bool"),
                ("has_filenames", 8, "bool"), ("has_line_numbers", 9, "bool"), ("has_inline_frames", 10, "bool")),
    "Location": (("id", 1, "uint64"), ("mapping_id", 2, "uint64"), ("address", 3, "uint64"), ("line", 4, "*Line")),
    "Line": (("function_id", 1, "uint64"), ("line", 2, "int64")),
    "Function": (("id", 1, "uint64"), ("name", 2, "int64"), ("system_name", 3, "int64"), ("filename", 4, "int64"),
                 ("start_line", 5, "int64")),
}


def wanted_folded(rows):
    return sorted(f"{';'.join((*frames, WAITING) if waits else frames)} {count}" for _, frames, waits, count in rows)


def read_speedscope(path, *options):
    """{thread: {(frames with lines, waits): samples}}, and the frames."""
    data = json.loads(run("export", "--speedscope", path, *options))
    if jsonschema:
        jsonschema.validate(data, SPEEDSCOPE)
    frames, threads = data["shared"]["frames"], {}
    expect(len({json.dumps(frame) for frame in frames}) == len(frames), f"speedscope: equal frames: {frames}")
    for profile in data["profiles"]:
        found = threads.setdefault(profile["name"], collections.Counter())
        expect(len(profile["samples"]) == len(profile["weights"]), "speedscope: samples without weight")
        expect(profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"]), "speedscope: end")
        for stack, weight in zip(profile["samples"], profile["weights"]):
            path = tuple((frames[i]["name"], frames[i].get("line", 0)) for i in stack)
            waits = path[-1][0] == WAITING
            found[path[:-1] if waits else path, waits] += weight
    return threads, frames


def read_pprof(path, folder, *options):
    """{thread: {(frames with lines, waits): samples}}."""
    output = folder / "profile.pb.gz"
    run("export", "--pprof", path, "-o", output, *options)
    profile = message_class("Profile", PPROF, "perftools.profiles").FromString(gzip.decompress(output.read_bytes()))
    texts = list(profile.string_table)
    functions = {function.id: function for function in profile.function}
    locations = {location.id: location for location in profile.location}
    types = [(texts[value.type], texts[value.unit]) for value in profile.sample_type]
    expect(texts[0] == "" and len(set(texts)) == len(texts), f"pprof: strings: {texts}")
    expect(len(locations) == len(profile.location) and 0 not in locations, "pprof: numbers of locations")
    expect(len(functions) == len(profile.function) and 0 not in functions, "pprof: numbers of functions")
    expect([mapping.id for mapping in profile.mapping] == [1], "pprof: mappings")
    expect({location.mapping_id for location in profile.location} <= {1}, "pprof: mapping of locations")
    threads = {}
    for sample in profile.sample:
        expect(len(sample.value) == len(types), f"pprof: {len(sample.value)} values")
        expect(types[1:] == [] or sample.value[1] == sample.value[0] * profile.period, f"pprof: {sample.value}")
        lines = [locations[number].line[0] for number in sample.location_id]
        labels = {texts[label.key]: texts[label.str] for label in sample.label}
        path = tuple((texts[functions[line.function_id].name], line.line) for line in reversed(lines))
        thread = " ".join(filter(None, (labels.get("process"), labels["thread"])))
        threads.setdefault(thread, collections.Counter())[path, labels["state"] == "waiting"] += sample.value[0]
    return threads, types, profile


def check_profiled(folder):
    path = make(folder, "profiled")
    found = sorted(run("export", "--folded", path).splitlines())
    expect(found == wanted_folded(PROFILED), f"folded: {found}")
    expect(run("export", "--folded", path, "--thread=1").count("\n") == 3, "folded: --thread")
    found = run("export", "--folded", path, "--region=for").splitlines()
    expect(found == [f"{';'.join(frames)} {count}" for _, frames, _, count in (PROFILED[1], PROFILED[4])], f"region: {found}")
    stacks = run("export", "--folded", make(folder, "profiled", 2)).splitlines()
    expect(sum(int(line.rsplit(" ", 1)[1]) for line in stacks) == 33 and len(stacks) == len(PROFILED), f"hostile: {stacks}")
    # The serial part's samples are 4 ms apart; the window has its bounds.
    expect(run("export", "--folded", path, "--from=5ms", "--to=12ms") == "main 2\n", "folded: window")
    hot = json.loads(run("summary", "--format=json", path))["hot"]
    expect(sum(row["wait_samples"] for row in hot) == sum(count for _, _, waits, count in PROFILED if waits), f"summary: {hot}")
    threads, frames = read_speedscope(path)
    expect_threads("speedscope", threads)
    expect({"name": "kernel", "file": "/src/app/kernel.c", "line": 34} in frames, f"speedscope: {frames}")
    expect(list(threads) == list(THREADS), f"speedscope: {list(threads)}")


def expect_threads(where, threads):
    """The same as PROFILED without lines; kernel.c:33 and :34 are two frames."""
    for number, name in enumerate(THREADS):
        sums = collections.Counter()
        for (path, waits), count in threads[name].items():
            sums[tuple(frame for frame, _ in path), waits] += count
        wanted = {(frames, waits): count for thread, frames, waits, count in PROFILED if thread == number}
        expect(dict(sums) == wanted, f"{where}: {name}: {sums}")
    lines = collections.Counter()
    for (path, _), count in threads[THREADS[0]].items():
        lines[path[-1]] += count
    expect((lines["kernel", 33], lines["kernel", 34], lines["main", 7]) == (3, 2, 3), f"{where}: lines: {lines}")


def check_pprof(folder):
    if not message_class:
        print("python3-protobuf is not installed: no pprof")
        return
    threads, types, profile = read_pprof(make(folder, "profiled"), folder)
    expect_threads("pprof", threads)
    expect(types == [("samples", "count"), ("cpu", "nanoseconds")] and profile.period == 4_000_000, f"pprof: {types}")
    expect(profile.duration_nanos == 44_000_000 and profile.time_nanos == 1700000000000000000,
           f"pprof: {profile.duration_nanos} ns from {profile.time_nanos}")
    # A name that is not UTF-8 is, in the profile.
    threads, _, _ = read_pprof(make(folder, "profiled", 2), folder)
    expect(sum(sum(counts.values()) for counts in threads.values()) == 33, "pprof: hostile names")
    # More than a stored block of gzip takes.
    threads, _, _ = read_pprof(make(folder, "profiled", 3000), folder)
    expect(sum(sum(counts.values()) for counts in threads.values()) == 16 * 3000 + 1, "pprof: many samples")


def check_pprof_tool(folder):
    """What pprof itself reads."""
    go = shutil.which("go") or next((f for f in ("/usr/lib/go-1.19/bin/go", "/usr/lib/go/bin/go") if os.path.exists(f)), None)
    if not go:
        print("golang-go is not installed: no pprof")
        return
    run("export", "--pprof", make(folder, "profiled"), "-o", folder / "p.pb.gz")

    def pprof(*options):
        done = subprocess.run([go, "tool", "pprof", *options, folder / "p.pb.gz"], capture_output=True, text=True, check=False,
                              env={**os.environ, "HOME": str(folder), "PPROF_TMPDIR": str(folder)})
        expect(done.returncode == 0 and not done.stderr.strip(), f"go tool pprof: {done.stderr}")
        return done.stdout

    text = pprof("-raw")
    found = collections.Counter()
    for match in re.finditer(r"^ +(\d+) +\d+: ((?:\d+ )+)$", text, re.M):
        found[int(match[1])] += 1
    expect(sum(count * times for count, times in found.items()) == 17, f"go tool pprof -raw: {text}")
    text = pprof("-top", "-lines", "-sample_index=samples", "-nodefraction=0")
    flat = {match[2].strip(): int(match[1]) for match in re.finditer(r"^ +(\d+) +\S+ +\S+ +\d+ +\S+ +(.*)$", text, re.M)}
    for place, count in {"kernel /src/app/kernel.c:33": 7, "kernel /src/app/kernel.c:34": 2, "main /src/app/main.c:7": 3}.items():
        expect(flat.get(place) == count, f"go tool pprof: {place}: {flat}")
    text = pprof("-top", "-sample_index=samples", "-tagfocus=state=waiting", "-nodefraction=0")
    expect(re.search(r"^ +3 .* gomp_wait$", text, re.M), f"go tool pprof -tagfocus: {text}")


def check_foreign(folder):
    """Score-P's paths have its regions, which are not repeated; its period is that of an interrupt, 1 ms."""
    path = make(folder, "sampled", 20)
    expect(run("export", "--folded", path) == "for @solver.c:12;time step 41\n", "sampled: folded")
    threads, _ = read_speedscope(path)
    counts = [sum(threads[name].values()) for name in THREADS]
    expect(counts == [20, 21], f"sampled: speedscope: {counts}")
    if message_class:
        threads, _, profile = read_pprof(path, folder)
        expect([sum(threads[name].values()) for name in THREADS] == [20, 21] and profile.period == 1_000_000, "sampled: pprof")


def check_without(folder):
    """An archive without samples makes a valid file, and says so; what does not apply is refused."""
    path = make(folder, "uneven")
    for target in ("--folded", "--speedscope", "--pprof"):
        run("export", target, path, "-o", folder / "out", error="there are no samples in this archive")
        run("export", target, path, "--min-duration=1ms", status=2, error="--min-duration does not apply")
        run("export", target, path, "--region=no such", status=2, error="there are no samples")
    run("export", "--folded", make(folder, "profiled"), "--from=3600s", error="no samples in the chosen part")
    run("export", "--folded", folder / "profiled-1", "--region=no such", status=2, error="nothing in this report")
    run("export", "--folded", folder / "profiled-1", "--thread=77", status=2, error="no such thread")


def check_scattered(folder):
    """Frames are in the order of time over all processes, whichever is read first, as in the export that reads them together."""
    path = make(folder, "scattered", 2)
    nodes = json.loads(run("export", "--chrome", path))["stackFrames"]
    wanted = list(dict.fromkeys(nodes[number]["name"] for number in sorted(nodes, key=int)))
    for jobs in "13":
        frames = json.loads(run("export", "--speedscope", f"--jobs={jobs}", path))["shared"]["frames"]
        found = list(dict.fromkeys(frame["name"] for frame in frames))
        expect(found == [*wanted, "(waiting)"], f"{jobs} jobs: {found}, not {wanted}")
    # The times of options count from the first event, which is the last process's, and not where the clock's definition starts.
    found = run("export", "--flamegraph", "--to=4ms", path)
    expect(found == "process 2 (Process);time step 4000000\n", f"the first 4 ms: {found!r}")


finish(check_scattered, check_profiled, check_pprof, check_pprof_tool, check_foreign, check_without)
