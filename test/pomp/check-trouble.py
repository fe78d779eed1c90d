# SPDX-License-Identifier: BSD-3-Clause
"""Whatever goes wrong around a program, its own result stays and one clear line tells.

check-trouble.py PROGRAM CASE

PROGRAM is pomp-constructs: with 2 threads it prints what to expect of itself and returns 0.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import trace_facts

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())


def fail(text):
    sys.exit(f"check-trouble: {text}")


def run(folder, *, limit=None, **settings):
    """Runs the program, which must succeed; returns its stderr."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")} | settings
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    done = subprocess.run([PROGRAM, "2"], env=environment, cwd=folder, capture_output=True, text=True,
                          timeout=120, preexec_fn=before)
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
        fail("something was written into a folder that was not ours")
    for name in ("taken-2", "taken-3", "empty"):
        trace_facts.read(str(folder / name / "traces.otf2"))


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


def summary_file(folder):
    error = run(folder, POMP_SUMMARY="no/such/folder")
    demand(error, r"pomp: POMP_SUMMARY='no/such/folder': No such file or directory; no summary is written")


def small_memory(folder):
    """Little memory for windows costs time, not events."""
    demand(run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="off", POMP_TOTAL_MEMORY="1",
               POMP_EXPERIMENT_DIRECTORY="trace"))
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    if facts.visits["main"] != 1 or facts.counts["ThreadFork"] != 3:
        fail(f"{facts.counts}")


def size_limit(folder):
    """One thread gets a window, the other none: its events are counted as lost, the trace stays sound."""
    error = run(folder, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.json", POMP_SUMMARY_FORMAT="json",
                POMP_MAX_TRACE_SIZE="64K", POMP_EXPERIMENT_DIRECTORY="trace")
    demand(error, r"pomp: POMP_MAX_TRACE_SIZE=65536: .*")
    if json.loads((folder / "s.json").read_text())["lost_events"] == 0:
        fail("lost events are not counted")
    trace_facts.read(str(folder / "trace" / "traces.otf2"), lossy=True)


def file_limit(folder):
    """RLIMIT_FSIZE must not become SIGXFSZ."""
    error = run(folder, limit=16384, POMP_ENABLE_TRACING="1", POMP_SUMMARY="s.json",
                POMP_SUMMARY_FORMAT="json", POMP_EXPERIMENT_DIRECTORY="trace")
    if "File too large" not in error:
        fail(f"not told: {error}")
    if not json.loads((folder / "s.json").read_text())["regions"]:
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
        fail(f"not told: {error}")
    if json.loads((folder / "s.json").read_text())["lost_events"] == 0:
        fail("lost events are not counted")


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


def main():
    case = {f.__name__: f for f in (unwritable, existing, default_name, bad_settings, summary_file, small_memory,
                                    size_limit, file_limit, full_disk, disabled, trace_only, convert_later)}[sys.argv[2]]
    with tempfile.TemporaryDirectory() as name:
        case(pathlib.Path(name))


main()
