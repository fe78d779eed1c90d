# SPDX-License-Identifier: BSD-3-Clause
"""Every failure at every place: what the measurement asks of the system fails, and the program does not notice.

check-failures.py STAGE LIBRARY PROGRAM OMPREPORT [--all] [--kind=KIND] [--at=K[-K]] [--mpi=MPI] [--verbose]
                  [--tool=TOOL --runtime=RUNTIME]

LIBRARY is fail-calls.c, PROGRAM steady.c. STAGE `run` makes the k-th call of a kind fail (or, with `from`, the
k-th and all after it) while the program is measured and its trace converted; then, if there is no archive,
what was logged is recovered. STAGE `recover` does so to `ompreport recover`, which must do it when started
again. Of each:

  - the program prints and returns what it does without measurement (the copy of recover: 0 or 1);
  - something is said whenever something is missing from the profile or from the trace: one line, or two where one
    thing missing makes another one impossible, too; four when from some moment on everything fails; the note of a
    profile says it, too;
  - what the archive holds and what the library counted as lost are all events; the archive is sound.

Whose a call is, is decided by its return address: fail-calls.c. By default some k of each kind are tried; --all
tries every one, which takes a quarter of an hour.
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

KINDS = ("open", "write", "truncate", "allocate", "map", "remap", "rename", "memory", "thread")
MOST_LINES = {"single": 2, "from": 4}  # one for each that fails: trace, profile, conversion, summary
RANKS = 2
OURS = "pomp: "
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))  # how many times slower than usual this machine is


class Wrong(Exception):
    pass


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("stage", choices=("run", "recover"))
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("ompreport", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kind", action="append")
    parser.add_argument("--at", type=int)
    parser.add_argument("--step", type=int, default=1, help="with --all: every so many k")
    parser.add_argument("--mode", action="append", choices=("single", "from", "short"))
    parser.add_argument("--mpi")
    parser.add_argument("--tool", type=os.path.abspath, help="libpomp_tool.so: PROGRAM is a plain one")
    parser.add_argument("--runtime", type=os.path.abspath, help="with --tool: the libgomp.so.1 that starts it")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


ARGUMENTS = parse()


def ranks():
    return range(RANKS) if ARGUMENTS.mpi else (None,)


def environment(folder, plan, **settings):
    left = {name: value for name, value in os.environ.items() if not name.startswith(("POMP_", "FAIL_", "OMP_"))}
    return left | {"FAIL_COUNTS": str(folder / "counts"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "^tcp"} | plan | settings


def launch(folder, plan, measured=True):
    """Runs the program, with the library that makes calls fail."""
    settings = {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "trace", "POMP_SUMMARY": "summary.json",
                "POMP_SUMMARY_FORMAT": "json"} if measured else {"POMP_DISABLE": "1"}
    command = ["env", f"LD_PRELOAD={ARGUMENTS.library}", ARGUMENTS.program]
    if ARGUMENTS.tool:
        # The library looks at start whose code lies where, so that the tool is there from then on.
        command[1] += f" {ARGUMENTS.runtime} {ARGUMENTS.tool}"
    if ARGUMENTS.mpi:
        launcher = shutil.which("mpirun." + ARGUMENTS.mpi)
        command = [launcher, *(["--oversubscribe"] if ARGUMENTS.mpi == "openmpi" else []), "-np", str(RANKS), *command]
    return subprocess.run(command, env=environment(folder, plan, **settings), cwd=folder, capture_output=True,
                          text=True, timeout=100 * TIME_LIMITS)


def counts(folder, rank):
    """How many calls of each kind there were, and how many failed."""
    path = folder / ("counts" if rank is None else f"counts-{rank}")
    values = struct.unpack(f"{len(KINDS) + 1}q", path.read_bytes())
    return dict(zip(KINDS, values)), values[-1]


def ompreport(*arguments, **extra):
    return subprocess.run([ARGUMENTS.ompreport, *map(str, arguments)], capture_output=True, text=True, timeout=100 * TIME_LIMITS,
                          **extra)


# What may be wrong where the events of a rank are missing: partners of messages and of collectives, and
# communicators that only this rank had defined.
OF_OTHER_RANKS = {"unsent", "unreceived", "unmet", "reference"}


def events_of(trace):
    """The events of an archive, which must be sound."""
    done = ompreport("check", "--format=json", trace)
    if done.returncode not in (0, 3) or done.stderr:
        raise Wrong(f"ompreport check: {done.returncode} {done.stdout} {done.stderr}")
    broken = {finding["rule"] for finding in json.loads(done.stdout)["check"] if finding["severity"] == "error"}
    if broken - (OF_OTHER_RANKS if ARGUMENTS.mpi else set()):
        raise Wrong(f"ompreport check: {broken}")
    return json.loads(ompreport("summary", "--format=json", trace).stdout)["events"]


def split_said(said):
    """The lines of the library and the summary that was printed among them."""
    lines = said.splitlines()
    own = [line for line in lines if line.startswith(OURS)]
    rest = "\n".join(line for line in lines if not line.startswith(OURS))
    return own, rest


def summary_of(folder, rest):
    path = folder / "summary.json"
    text = path.read_text() if path.exists() else ""
    try:
        return json.loads(rest if rest.startswith("{") else text)
    except json.JSONDecodeError:
        return None


def has_events(trace):
    """Whether some thread has a log that was begun."""
    logs = [path.read_bytes()[:16] for path in trace.glob("**/thread-*.pomplog")]
    return any(log.strip(b"\0") for log in logs)


def recover(trace):
    """Recovers what is there; the events of the archive, or None when nothing was logged."""
    if (trace / "traces.otf2").exists():
        return events_of(trace)
    if not trace.exists() or not has_events(trace):
        return None
    done = ompreport("recover", trace)
    if done.returncode != 0:
        raise Wrong(f"recover: {done.returncode} {done.stderr.strip()}")
    return events_of(trace)


def most_lines(plan):
    return MOST_LINES["from" if "FAIL_FROM" in plan else "single"]


def judge_run(folder, plan, done, plain, whole):
    if (done.stdout, done.returncode) != (plain.stdout, plain.returncode):
        raise Wrong(f"the program printed {done.stdout!r} and returned {done.returncode}")
    said, rest = split_said(done.stderr)
    if len(said) > most_lines(plan):
        raise Wrong(f"{len(said)} lines: {said}")
    summary = summary_of(folder, rest)
    events = recover(folder / "trace")
    if summary is None:
        complete = False
    else:
        complete = summary["events"] == whole["events"] and summary["lost_events"] == 0 and \
            len(summary["regions"]) == len(whole["regions"]) and len(summary["locks"]) == len(whole["locks"])
        if events is not None and events > whole["events"]:
            raise Wrong(f"the archive has {events} events, there were {whole['events']}")
    complete = complete and events == whole["events"]
    if not complete and not said and not (summary and summary["note"]):
        lost = summary and (summary["events"], summary["lost_events"], len(summary["regions"]), len(summary["locks"]))
        raise Wrong(f"nothing is said; profile (events, lost, regions, locks) {lost}, trace {events} of {whole['events']}")
    return events


def judge_recover(folder, plan, done, whole):
    if done.returncode not in (0, 1) or len(done.stderr.splitlines()) > most_lines(plan):
        raise Wrong(f"recover returned {done.returncode} and said {done.stderr}")
    if done.returncode == 1 and not done.stderr:
        raise Wrong("recover failed and said nothing")
    if done.returncode == 0:
        events = events_of(folder / "trace")
        if events != whole["events"] and not done.stderr:
            raise Wrong(f"recover was content with {events} of {whole['events']} events")
        return events
    events = recover(folder / "trace")
    if events != whole["events"]:
        raise Wrong(f"{events} events of {whole['events']} after a second try")
    return events


def chosen(most, mode):
    """The k of a kind of which there are so many."""
    if ARGUMENTS.at:
        return [ARGUMENTS.at]
    if ARGUMENTS.all:
        return range(1, most + 1, ARGUMENTS.step)
    if ARGUMENTS.mpi:  # a run takes half a second
        return [(most + 1) // 2] if mode == "from" else sorted({1, most})
    return sorted({1, most // 2, most} - {0})


def plans(made):
    """One plan for each failure: kind, k, how many fail, rank."""
    for kind in ARGUMENTS.kind or KINDS:
        for rank in ranks():
            for mode in ARGUMENTS.mode or ("single", "from", *(("short",) if kind == "write" else ())):
                for at in chosen(made[rank][kind], mode) if made[rank][kind] else ():
                    plan = {"FAIL_CALL": kind, "FAIL_AT": str(at)}
                    if mode != "single":
                        plan["FAIL_" + mode.upper()] = "1"
                    if rank is not None:
                        plan["FAIL_RANK"] = str(rank)
                    yield plan


def check_runs(base, plain, whole, made):
    def attempt(folder, plan):
        done = launch(folder, plan)
        return done, judge_run(folder, plan, done, plain, whole)
    return check_plans(base, made, attempt)


def check_recoveries(base, whole):
    logs = base / "logs"
    logs.mkdir()
    done = launch(logs, {"POMP_CONVERT": "later"})
    if done.returncode != whole["status"] or not has_events(logs / "trace"):
        sys.exit(f"check-failures: no logs to recover: {done.stderr}")

    def start(folder, plan):
        shutil.copytree(logs / "trace", folder / "trace", dirs_exist_ok=True)
        return ompreport("recover", "trace", cwd=folder, env=environment(
            folder, plan, LD_PRELOAD=ARGUMENTS.library, FAIL_PROGRAM="1"))

    def attempt(folder, plan):
        done = start(folder, plan)
        return done, judge_recover(folder, plan, done, whole)
    counted = base / "counted"
    counted.mkdir()
    done = start(counted, {})
    if done.returncode != 0 or done.stderr or events_of(counted / "trace") != whole["events"]:
        sys.exit(f"check-failures: recover returned {done.returncode}: {done.stderr}")
    return check_plans(base, dict.fromkeys(ranks(), counts(counted, None)[0]), attempt)


def check_plans(base, made, attempt):
    wrong, tried = 0, 0
    for plan in plans(made):
        folder = base / "try"
        folder.mkdir()
        tried += 1
        words = " ".join(f"{name}={value}" for name, value in plan.items())
        done = None
        try:
            done, events = attempt(folder, plan)
            if ARGUMENTS.verbose:
                print(words, "events", events, done.stderr.strip(), flush=True)
        except (Wrong, subprocess.TimeoutExpired) as what:
            wrong += 1
            print(f"{words}: {what}", flush=True)
            if len(what.args) > 0 and ARGUMENTS.verbose and done is not None:
                print(done.stderr)
        shutil.rmtree(folder)
    print(f"{tried} failures tried, {wrong} wrong")
    return wrong == 0


def main():
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        first = base / "first"
        first.mkdir()
        plain = launch(first, {}, measured=False)
        if "this build has no OTF2 library" in plain.stderr:
            sys.exit(77)
        done = launch(first, {})
        if (done.stdout, done.returncode) != (plain.stdout, plain.returncode) or done.stderr:
            sys.exit(f"check-failures: {done.returncode} {done.stdout} {done.stderr}")
        whole = json.loads((first / "summary.json").read_text()) | {"status": plain.returncode}
        made = {rank: counts(first, rank)[0] for rank in ranks()}
        print("calls:", made)
        right = check_runs(base, plain, whole, made) if ARGUMENTS.stage == "run" else check_recoveries(base, whole)
    sys.exit(0 if right else 1)


main()
