# SPDX-License-Identifier: BSD-3-Clause
"""Whatever goes wrong around a program, its own result stays and one clear line says why.

check-trouble.py PROGRAM CASE

PROGRAM is pomp-constructs: with 2 threads it prints what to expect of itself and returns 0.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import trace_facts
from trace_facts import otf2

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())


def fail(text):
    sys.exit(f"check-trouble: {text}")


def run(folder, *arguments, limit=None, **settings):
    """Runs the program, which must succeed; returns its stderr."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")} | settings
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    done = subprocess.run([PROGRAM, "2", *arguments], env=environment, cwd=folder, capture_output=True, text=True,
                          preexec_fn=before)
    if "this build has no OTF2 library" in done.stderr:
        print("the profile is right; there is no OTF2 library to write a trace")
        sys.exit(77)
    if done.returncode != 0 or "visits region|main|1|1" not in done.stdout:
        fail(f"the program returned {done.returncode}: {done.stderr}")
    return done.stderr


def demand(text, *patterns):
    """The text has exactly these lines, in any order."""
    lines = text.splitlines()
    for pattern in patterns:
        found = [line for line in lines if re.fullmatch(pattern, line)]
        if len(found) != 1:
            fail(f"{len(found)} lines match {pattern!r} in:\n{text}")
        lines.remove(found[0])
    if lines:
        fail(f"unexpected lines: {lines}")


def unwritable(folder):
    """A folder that cannot be made; root may write everywhere, but not below a file."""
    (folder / "file").write_text("")
    error = run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json",
                POMP_EXPERIMENT_DIRECTORY="file/below")
    demand(error, r"pomp: cannot make the experiment folder 'file/below': Not a directory; no trace is written")
    summary = json.loads((folder / "s.json").read_text())
    if not summary["regions"] or summary["trace"] is not None:
        fail("the profile must come, and no trace be claimed")


def existing(folder):
    """An experiment is never overwritten; an empty folder is taken as it is."""
    for name in ("taken", "empty"):
        (folder / name).mkdir()
    (folder / "taken" / "mine").write_text("mine")
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off"}
    for name in ("taken", "taken", "empty"):
        demand(run(folder, **settings, POMP_EXPERIMENT_DIRECTORY=name))
    if sorted(p.name for p in folder.iterdir()) != ["empty", "taken", "taken-2", "taken-3"]:
        fail(f"folders: {sorted(p.name for p in folder.iterdir())}")
    if [p.name for p in (folder / "taken").iterdir()] != ["mine"]:
        fail("something was written into the folder of another program")
    for name in ("taken-2", "taken-3", "empty"):
        trace_facts.read(str(folder / name / "traces.otf2"))


def earlier_run(folder):
    """An archive gives way to the next run's: renamed, or replaced; what other programs wrote stays."""
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off", "POMP_EXPERIMENT_DIRECTORY": "trace"}
    for _ in range(3):
        demand(run(folder, **settings))
    if sorted(p.name for p in folder.iterdir()) != ["trace", "trace-1", "trace-2"]:
        fail(f"folders: {sorted(p.name for p in folder.iterdir())}")
    times = [(folder / name / "traces.otf2").stat().st_mtime_ns for name in ("trace-1", "trace-2", "trace")]
    if times != sorted(times):
        fail("the newest archive is not the one with the name that was asked for")
    demand(run(folder, **settings, POMP_OVERWRITE_EXPERIMENT_DIRECTORY="yes"))
    if len(list(folder.iterdir())) != 3 or (folder / "trace" / "traces.otf2").stat().st_mtime_ns == times[2]:
        fail("the archive was not replaced")
    (folder / "trace" / "notes").write_text("mine")
    demand(run(folder, **settings, POMP_OVERWRITE_EXPERIMENT_DIRECTORY="yes"))
    if (folder / "trace" / "notes").read_text() != "mine" or not (folder / "trace-3" / "traces.otf2").exists():
        fail("a file of another program was touched")
    for name in ("trace-1", "trace-2", "trace-3"):
        trace_facts.read(str(folder / name / "traces.otf2"))
    # With event logs in it, another process may still be writing.
    demand(run(folder, **settings | {"POMP_CONVERT": "later", "POMP_EXPERIMENT_DIRECTORY": "logs"}))
    demand(run(folder, **settings | {"POMP_EXPERIMENT_DIRECTORY": "logs"}))
    if not (folder / "logs" / "definitions.pomplog").exists() or not (folder / "logs-2" / "traces.otf2").exists():
        fail("event logs were touched")


def deep(folder):
    """All of a path is made, and a slash at its end is no part of the name."""
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off", "POMP_EXPERIMENT_DIRECTORY": "a/b/c/trace//"}
    for _ in range(2):
        demand(run(folder, **settings))
    (folder / "a/b/c/trace/mine").write_text("mine")
    demand(run(folder, **settings | {"POMP_CONVERT": "later"}))
    demand(run(folder, **settings))
    names = sorted(p.name for p in (folder / "a/b/c").iterdir())
    if names != ["trace", "trace-1", "trace-2", "trace-3"]:
        fail(f"folders: {names}")


def moved(folder):
    """A program that changes its folder before the first region: paths are those of the start."""
    (folder / "away").mkdir()
    (folder / "filter").write_text("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE_SHORTER_THAN 1000s master\nSCOREP_REGION_NAMES_END\n")
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "s.json", "POMP_SUMMARY_FORMAT": "json",
                "POMP_FILTERING_FILE": "filter"}
    demand(run(folder, str(folder / "away"), **settings, POMP_EXPERIMENT_DIRECTORY="a/trace"))
    demand(run(folder, str(folder / "away"), **settings))
    names = sorted(path.name for path in folder.iterdir())
    if len(names) != 5 or names[:4] != ["a", "away", "filter", "pomp-" + names[3][5:]] or list((folder / "away").iterdir()):
        fail(f"folders: {names}, away: {list((folder / 'away').iterdir())}")
    if any("omp master" in name for name in trace_facts.read(str(folder / "a" / "trace" / "traces.otf2")).visits):
        fail("the filter in the folder of the start was not read")


def words_of(folder):
    """The program's name and arguments, by the trace."""
    with otf2.reader.open(str(folder / "traces.otf2")) as trace:
        return next([event.program_name, *event.program_arguments] for _, event in trace.events
                    if isinstance(event, otf2.events.ProgramBegin))


def left_out_of(folder):
    """How many arguments the trace has no room for, by its properties."""
    done = subprocess.run([os.environ["OMPREPORT"], "info", "--format=json", folder], capture_output=True, text=True)
    return int(json.loads(done.stdout)["properties"].get("POMP::ARGUMENTS_LEFT_OUT", 0))


def arguments(folder):
    """All arguments are in the trace, empty ones, too; more than an event has room for are counted."""
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off", "POMP_EXPERIMENT_DIRECTORY": "trace",
                "POMP_OVERWRITE_EXPERIMENT_DIRECTORY": "yes"}
    for given, left_out in (([".", "one", "", "three", ""], 0), ([".", *map(str, range(300))], 0), ([".", "x" * 100000], 0),
                            (["."] + ["y"] * 49997, 0), (["."] + ["y"] * 49999, 2)):
        demand(run(folder, *given, **settings))
        found = words_of(folder / "trace")
        expected = [PROGRAM, "2", *given][:50000]
        if found != expected:
            fail(f"of {len(expected)} words {len(found)} came, the last ones {found[-3:]}")
        if "OMPREPORT" in os.environ and left_out_of(folder / "trace") != left_out:
            fail(f"{left_out_of(folder / 'trace')} arguments are said to be left out, not {left_out}")


def together(folder):
    """Two processes that found the same folder empty: each has its own trace."""
    for name in ("empty", "signs"):
        (folder / name).mkdir()
    environment = os.environ | {"LD_PRELOAD": os.environ["LOOK_TOGETHER_LIBRARY"], "LOOK_TOGETHER": str(folder / "signs"),
                                "POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off", "POMP_EXPERIMENT_DIRECTORY": "empty"}
    both = [subprocess.Popen([PROGRAM, "2"], env=environment, cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for one in both:
        error = one.communicate()[1]
        if one.returncode != 0 or error:
            fail(f"{one.returncode} {error}")
    if len(list((folder / "signs").iterdir())) != 2:
        fail("the processes did not look at the same time: this test shows nothing")
    for name in ("empty", "empty-2"):
        trace_facts.read(str(folder / name / "traces.otf2"))


def filtered(folder):
    """Rules leave regions out of profile and trace; brief visits only out of the trace."""
    rules = ["SCOREP_REGION_NAMES_BEGIN # a comment", "  EXCLUDE * # nothing but", "  INCLUDE main for \\!?omp\\ critical*",
             "  EXCLUDE_SHORTER_THAN 1000s main", "SCOREP_REGION_NAMES_END", "FORGET it",
             "POMP_FILE_NAMES_BEGIN", "  EXCLUDE other/*.c", "  DROP *", "POMP_FILE_NAMES_END"]
    (folder / "rules").write_text("\n".join(rules))
    done = run_raw(folder, POMP_ENABLE_TRACING="1", POMP_FILTERING_FILE="rules", POMP_EXPERIMENT_DIRECTORY="trace",
                   POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json")
    said = [line for line in done.stderr.splitlines() if line.startswith("pomp: ")]
    demand("\n".join(said),
           r"pomp: rules:6: expected SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN, found 'FORGET'; .*",
           r"pomp: rules:9: expected EXCLUDE, INCLUDE or EXCLUDE_SHORTER_THAN, found 'DROP'; the line is ignored")
    summary = json.loads((folder / "s.json").read_text())
    names = {r["name"] for r in summary["regions"]}
    if names != {"region", "for", "critical", "parallel"} or summary["lost_events"]:
        fail(f"summary: {names}, {summary['lost_events']} events lost")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    if facts.visits["main"] != 1:  # much is logged inside it
        fail("a visit that is not brief inside was left out")
    kinds = {name.split()[1].split("(")[0] for name in facts.visits if name.startswith("!$omp")}
    if kinds != {"for", "critical", "parallel", "implicit"}:
        fail(f"trace: {facts.visits}")


def no_filter(folder):
    """What is no filter at all is named as such, in a few lines, whatever it is, and leaves nothing out."""
    (folder / "folder").mkdir()
    (folder / "rubbish").write_text("".join(f"line {i}\x1b[2J\n" for i in range(1000)))
    (folder / "zeros").write_bytes(bytes(100000))
    (folder / "long").write_bytes(b"SCOREP_REGION_NAMES_BEGIN\nEXCLUDE " + bytes(range(65, 91)) * 10000)
    (folder / "half").write_text("SCOREP_REGION_NAMES_BEGIN\n" + "KEEP *\n" * 10 + "EXCLUDE *\nSCOREP_REGION_NAMES_END\n")
    expected = {
        "folder": [r"pomp: POMP_FILTERING_FILE='folder': Is a directory; nothing is left out"],
        "rubbish": [r"pomp: rubbish:1: expected SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN, found 'line'; .*",
                    r"pomp: rubbish:2: .*", r"pomp: rubbish:3: .*",
                    r"pomp: rubbish: 97 more lines are ignored, and the file is not read any further"],
        "zeros": [r"pomp: zeros:1: expected a line of text; the file is not read any further"],
        "/dev/zero": [r"pomp: /dev/zero:1: expected a line of text; the file is not read any further"],
        "long": [r"pomp: long:2: expected a line of text; the file is not read any further"],
        "none": [r"pomp: POMP_FILTERING_FILE='none': No such file or directory; nothing is left out"],
    }
    for name, lines in expected.items():
        demand(run(folder, POMP_FILTERING_FILE=name, POMP_SUMMARY="off"), *lines)
    error = run_raw(folder, POMP_FILTERING_FILE="half", POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json").stderr
    demand("\n".join(line for line in error.splitlines() if line.startswith("pomp: ")), r"pomp: half:2: .*",
           r"pomp: half:3: .*", r"pomp: half:4: .*", r"pomp: half: 7 more lines are ignored")
    if {r["name"] for r in json.loads((folder / "s.json").read_text())["regions"]} != {"parallel"}:
        fail("the rule behind the wrong lines does not count")


def brief(folder):
    """All of a nest of brief visits goes from the trace, none from the profile."""
    (folder / "rules").write_text("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE_SHORTER_THAN 1000s *\nSCOREP_REGION_NAMES_END\n")
    run(folder, POMP_ENABLE_TRACING="1", POMP_FILTERING_FILE="rules", POMP_EXPERIMENT_DIRECTORY="trace",
        POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    kinds = {name.split()[1].split("(")[0] for name in facts.visits if name.startswith("!$omp")}
    if kinds & {"barrier", "atomic", "flush", "sections", "master"} or not {"parallel", "critical", "ordered"} <= kinds:
        fail(f"trace: {facts.visits}")


def default_name(folder):
    demand(run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off"))
    names = [p.name for p in folder.iterdir()]
    if len(names) != 1 or not re.fullmatch(r"pomp-\d{8}-\d{4}-\d+", names[0]):
        fail(f"folders: {names}")


def bad_settings(folder):
    error = run(folder, POMP_SUMMARY="off", POMP_TIMER="sundial", POMP_TOTAL_MEMORY="much",
                POMP_ENABLE_TRACNIG="1", POMP_QUITE_UNHEARD_OF_SETTING="1", POMP_DISABLE="perhaps")
    demand(error,
           r"pomp: POMP_TIMER='sundial': expected auto\|tsc\|clock_gettime; using auto",
           r"pomp: POMP_TOTAL_MEMORY='much': expected a number of bytes such as 64M; using 256M",
           r"pomp: POMP_DISABLE='perhaps': expected yes or no; using no",
           r"pomp: POMP_ENABLE_TRACNIG is not a setting and is ignored; did you mean POMP_ENABLE_TRACING\?",
           r"pomp: POMP_QUITE_UNHEARD_OF_SETTING is not a setting and is ignored")


def tuned(folder):
    """The environment is compared with a file of settings; nothing is set."""
    (folder / "same").write_text("# comment\n\nTUNED_ONE=1\nGLIBC_TUNABLES=glibc.malloc.check=0\n")
    (folder / "other").write_text("TUNED_ONE=2\nTUNED_TWO=a b\n")
    (folder / "wrong").write_text("TUNED_ONE=1\nsome text\n")
    environment = {"POMP_SUMMARY": "off", "TUNED_ONE": "1", "GLIBC_TUNABLES": "glibc.malloc.perturb=0:glibc.malloc.check=0"}
    demand(run(folder, POMP_TUNED="same", **environment))
    rest = "; the program runs without what was tuned; start it with 'ompinst run --tuned=FILE', or set them before it starts"
    demand(run(folder, POMP_TUNED="other", **environment),
           "pomp: POMP_TUNED='other': the environment does not have TUNED_ONE=2 and others" + rest)
    demand(run(folder, POMP_TUNED="other", TUNED_TWO="a b", **environment | {"TUNED_ONE": "3"}),
           "pomp: POMP_TUNED='other': the environment does not have TUNED_ONE=2" + rest)
    demand(run(folder, POMP_TUNED="same", **environment | {"GLIBC_TUNABLES": "glibc.malloc.check=01"}),
           "pomp: POMP_TUNED='same': the environment does not have GLIBC_TUNABLES=glibc.malloc.check=0" + rest)
    demand(run(folder, POMP_TUNED="wrong", **environment),
           "pomp: POMP_TUNED='wrong': line 2 is 'some text', expected NAME=VALUE; the rest is ignored")
    demand(run(folder, POMP_TUNED="absent", **environment),
           "pomp: POMP_TUNED='absent': No such file or directory; settings are not compared")


def summary_file(folder):
    """A summary that cannot be in its file is printed."""
    for name, reason in (("no/such/folder", "No such file or directory"), ("/dev/full", "No space left on device")):
        lines = run(folder, POMP_SUMMARY=name, POMP_SUMMARY_FORMAT="json").splitlines()
        demand(lines[0], rf"pomp: POMP_SUMMARY='{name}': {reason}; the summary is printed here")
        if not json.loads("\n".join(lines[1:]))["regions"]:
            fail(f"the summary is empty: {lines}")


def small_memory(folder):
    """Little memory for windows costs time, not events."""
    demand(run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_TOTAL_MEMORY="1",
               POMP_EXPERIMENT_DIRECTORY="trace"))
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    if facts.visits["main"] != 1 or facts.counts["ThreadFork"] != 3:
        fail(f"{facts.counts}")


def demand_untraced(path):
    """Events are missing from the trace, are counted, and the profile does not claim to lack them."""
    summary = json.loads(path.read_text())
    if summary["lost_events"] == 0 or summary["untraced_events"] != summary["lost_events"]:
        fail(f"{summary['lost_events']} events lost, {summary['untraced_events']} of them by the trace alone")
    if "the figures here are complete" not in str(summary["advice"]):
        fail(f"the loss is not explained: {summary['advice']}")


def size_limit(folder):
    """One thread gets a window, the other none: its events are counted as lost, the trace stays sound."""
    error = run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json",
                POMP_MAX_TRACE_SIZE="64K", POMP_EXPERIMENT_DIRECTORY="trace")
    demand(error, r"pomp: POMP_MAX_TRACE_SIZE=65536: .*")
    demand_untraced(folder / "s.json")
    trace_facts.read(str(folder / "trace" / "traces.otf2"), lossy=True)


def file_limit(folder):
    """RLIMIT_FSIZE must not become SIGXFSZ: neither in the trace nor in the summary, which is then printed."""
    summary = {"POMP_SUMMARY": "small.json", "POMP_SUMMARY_FORMAT": "json"}
    error = run(folder, limit=4096, **summary)
    said, _, printed = error.partition("\n")
    if said != "pomp: POMP_SUMMARY='small.json': File too large; the summary is printed here":
        fail(f"not said: {error}")
    if not json.loads(printed)["regions"]:
        fail("no profile is printed")
    error = run(folder, limit=16384, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.txt", POMP_EXPERIMENT_DIRECTORY="trace")
    if "event log: File too large" not in error:
        fail(f"not reported: {error}")
    if "REGIONS by" not in (folder / "s.txt").read_text():
        fail("no profile")


def full_disk(folder):
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", str(disk)],
                      capture_output=True).returncode != 0:
        print("cannot mount a small tmpfs")
        sys.exit(77)
    try:
        error = run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json",
                    POMP_EXPERIMENT_DIRECTORY=str(disk / "trace"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    if "No space left on device" not in error:
        fail(f"not reported: {error}")
    demand_untraced(folder / "s.json")


def run_many(folder, limit=None, **settings):
    """Of a run with many events, what it says; that it ends well is all that it has to do."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")} | settings
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    done = subprocess.run([PROGRAM, "2"], env=environment, cwd=folder, capture_output=True, text=True,
                          preexec_fn=before)
    if done.returncode != 0:
        fail(f"the program returned {done.returncode}: {done.stderr}")
    return done.stderr


def sizes(folder, pattern, **settings):
    """How many bytes each of these files has that a run with room leaves: a clock that counts slowly makes them small."""
    run_many(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_EXPERIMENT_DIRECTORY="room", **settings)
    found = [path.stat().st_size for path in (folder / "room").glob(pattern)]
    shutil.rmtree(folder / "room")
    return found


def full_at_end(folder):
    """A disk that fills while the trace is made costs that, and nothing else: there is room for the logs, and they stay."""
    disk = folder / "disk"
    disk.mkdir()
    logs = sum(sizes(folder, "*.pomplog", POMP_CONVERT="later"))
    events = sum(sizes(folder, "traces/*.evt"))
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(disk)], capture_output=True).returncode != 0:
        print("cannot mount a small tmpfs")
        sys.exit(77)
    try:
        for part in (0.15, 0.3, 0.5, 0.75):
            size = int(logs + part * events) // 1024
            subprocess.run(["mount", "-o", f"remount,size={size}k", str(disk)], check=True)
            trace = disk / "trace"
            error = run_many(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_EXPERIMENT_DIRECTORY=str(trace))
            lines = [line for line in error.splitlines() if "ompreport recover" in line]
            if len(lines) != 1 or "No space left on device" not in lines[0]:
                fail(f"{size} KiB, for {logs} B of logs and {events} B of events: {error}")
            names = sorted(p.name for p in trace.iterdir())
            # The initial thread, which waits for the two others, has a log, too.
            if names != ["definitions.pomplog", "pomp.cfg", *(f"thread-{i:06}.pomplog" for i in range(3))]:
                fail(f"{size} KiB: {names}")
            recover_when_there_is_room(disk, trace)
            shutil.rmtree(trace)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def recover_when_there_is_room(disk, trace):
    if "OMPREPORT" not in os.environ:
        return
    logs = {p.name: p.read_bytes() for p in trace.iterdir()}
    command = [os.environ["OMPREPORT"], "recover", str(trace)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 1 or "No space left on device" not in done.stderr:
        fail(f"recover without room: {done.returncode} {done.stdout} {done.stderr}")
    if {p.name: p.read_bytes() for p in trace.iterdir()} != logs:
        fail(f"recover without room changed the folder: {sorted(p.name for p in trace.iterdir())}")
    subprocess.run(["mount", "-o", "remount,size=60m", str(disk)], check=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "stopped" in done.stdout:
        fail(f"recover with room: {done.returncode} {done.stdout} {done.stderr}")


def limit_at_end(folder):
    """RLIMIT_FSIZE has room for each log, but not for the archive."""
    log = max(sizes(folder, "*.pomplog", POMP_CONVERT="later"))
    events = max(sizes(folder, "traces/*.evt"))
    if events < log * 1.1:
        print(f"the largest file of the archive ({events} B) is not larger than the largest log ({log} B) here")
        sys.exit(77)
    error = run_many(folder, limit=int(log * 0.6 + events * 0.4), POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_EXPERIMENT_DIRECTORY="trace")
    if error.count("\n") != 1 or not re.search(r"evt: File too large; `ompreport recover \S+` can try again", error):
        fail(f"not reported: {error}")


def run_raw(folder, **settings):
    return subprocess.run([PROGRAM, "2"], env=os.environ | settings, cwd=folder, capture_output=True, text=True)


def run_uncounted(folder, **settings):
    """Nothing is counted (so the program complains about it) or said, and the program does the same."""
    done = subprocess.run([PROGRAM, "2"], env=os.environ | settings, cwd=folder, capture_output=True, text=True)
    if "pomp:" in done.stderr or "ompinst profile" in done.stderr or "sum:" in done.stderr:
        fail(done.stderr)
    if "parallel: found 0, expected 6" not in done.stderr:
        fail("something was counted")


def disabled(folder):
    for settings in ({"POMP_DISABLE": "1", "POMP_ENABLE_TRACING": "1"}, {"POMP_ENABLE_PROFILING": "no"}):
        run_uncounted(folder, **settings)
        if list(folder.iterdir()):
            fail("a disabled library left something")


def trace_only(folder):
    """The same events as with a profile beside them."""
    counts = []
    for name, profiling in (("only", "no"), ("both", "yes")):
        if profiling == "no":
            run_uncounted(folder, POMP_ENABLE_TRACING="1", POMP_ENABLE_PROFILING="no",
                          POMP_EXPERIMENT_DIRECTORY="only")
        else:
            run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_EXPERIMENT_DIRECTORY="both")
        counts.append(trace_facts.read(str(folder / name / "traces.otf2")).counts)
    if counts[0] != counts[1]:
        fail(f"events: {counts}")


def convert_later(folder):
    demand(run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_CONVERT="later",
               POMP_EXPERIMENT_DIRECTORY="trace"))
    names = sorted(p.name for p in (folder / "trace").iterdir())
    if names != ["definitions.pomplog", "pomp.cfg", "thread-000000.pomplog", "thread-000001.pomplog"]:
        fail(f"folder: {names}")
    if "OMPREPORT" in os.environ:
        recover_ranks(folder)


def recover_ranks(folder):
    """Of ranks, the logs of one that cannot be read stay for another look; the others become the archive."""
    for rank in range(3):
        shutil.copytree(folder / "trace", folder / "ranks" / f"rank-{rank:06}")
    damaged = folder / "ranks" / "rank-000001"
    (damaged / "definitions.pomplog").write_bytes(b"no log")
    done = subprocess.run([os.environ["OMPREPORT"], "recover", folder / "ranks"], capture_output=True, text=True)
    if done.returncode != 0 or not re.search(r"events of 4 threads in 2 ranks; 1 ranks left no logs", done.stdout):
        fail(f"recover: {done.returncode} {done.stdout} {done.stderr}")
    names = sorted(p.name for p in (folder / "ranks").iterdir())
    if names != ["pomp.cfg", "rank-000001", "traces", "traces.def", "traces.otf2"]:
        fail(f"folder of the ranks: {names}")
    left, before = ({p.name for p in path.iterdir()} for path in (damaged, folder / "trace"))
    if left != before:
        fail(f"of the damaged rank there are {left}")


def main():
    case = {f.__name__: f for f in (unwritable, existing, earlier_run, deep, moved, arguments, together, filtered, no_filter, brief, default_name, bad_settings, tuned, summary_file, small_memory,
                                    size_limit, file_limit, full_disk, full_at_end, limit_at_end, disabled, trace_only, convert_later)}[sys.argv[2]]
    with tempfile.TemporaryDirectory() as name:
        case(pathlib.Path(name))


main()
