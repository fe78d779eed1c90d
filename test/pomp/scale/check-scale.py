# SPDX-License-Identifier: BSD-3-Clause
"""POMP_SCALE makes a program slower where it says, by as much as it says, and nowhere else.

check-scale.py PROGRAM CASE [OMPREPORT]

PROGRAM is pomp-scale: it prints by how much longer than their work pieces of it took. With OMPREPORT the times
in the trace are compared, too.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
OMPREPORT = str(pathlib.Path(sys.argv[3]).resolve()) if len(sys.argv) > 3 else None
PIECES = ("serial", "a", "loop", "team", "alone", "critical", "held", "lock", "task", "last")
IN_PARALLEL = ("loop", "team", "alone", "critical", "held", "lock", "task")
# What two threads do together may be late by how they are scheduled.
OWN, OF_TWO = 0.05, 0.3

# case: (POMP_SCALE, the factors of pieces other than 1)
CASES = {
    "nothing": ("", {}),
    "user_region": ("(a)=3", {"a": 3}),
    "others": ("*=3,hand.c:1 region(a)=1", dict.fromkeys(PIECES, 3) | {"a": 1}),
    "parallel": ("hand.c:10 parallel=3", dict.fromkeys(IN_PARALLEL, 3)),
    "caller": ("region(caller)=3", dict.fromkeys(IN_PARALLEL, 3)),
    "inner": ("parallel=3,hand.c:20=1.5,task=2,*slow*=4",
              dict.fromkeys(IN_PARALLEL, 3) | {"loop": 1.5, "team": 1.5, "task": 2, "critical": 4}),
    "last_rule": ("?and.c:20 for=4,for=2", {"loop": 2, "team": 2}),
    "refused": ("nowhere=2,a=0.5,b,=3,a=1001,a=1e2,(a)=2,", {"a": 2}),
}
DELAYED = "pomp: POMP_SCALE delayed this run: its times are an experiment's, not those of the program"
MESSAGES = {
    "nothing": [],
    "refused": [f"pomp: POMP_SCALE: '{part}': expected REGION=FACTOR with a factor from 1 to 1000; it is ignored"
                for part in ("a=0.5", "b", "=3", "a=1001", "a=1e2")] + [
                    DELAYED, "pomp: POMP_SCALE: 'nowhere': expected a part of a region's name as in 'file.c:12 for'; "
                    "no region has it, and nothing was delayed by it"],
}


def fail(text):
    sys.exit(f"check-scale: {text}")


def run(folder, scale):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    environment |= {"POMP_SUMMARY": "summary.json", "POMP_SUMMARY_FORMAT": "json", "POMP_SCALE": scale,
                    "POMP_OVERWRITE_EXPERIMENT_DIRECTORY": "yes"}
    if OMPREPORT:
        environment |= {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "trace"}
    done = subprocess.run([PROGRAM], env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"the program returned {done.returncode}: {done.stderr}")
    return {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines()}, done.stderr.splitlines()


def compare_times(found, factor, regions, what):
    """The delay lies in the region: its time is the factor times what it worked."""
    row = next(row for row in regions if row["begin_line"] == 1)
    low, high = (1 - OWN) * factor * found["worked-in-a"], (1 + OWN) * found["took-in-a"]
    if not low <= row["time_ns"] <= high:
        fail(f"{what}: {row['time_ns']} ns in region a, expected {low:.0f} to {high:.0f}")


def late(found, factors):
    """The pieces that took longer than they may; not the last one, of which the report is a part, nor one that another thread ends."""
    return [piece for piece in PIECES if piece not in ("lock", "last")
            and found[piece] > factors.get(piece, 1) * (1 + (OF_TWO if piece == "team" else OWN))]


def main():
    case = sys.argv[2]
    scale, factors = CASES[case]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found, messages = run(folder, scale)
        if messages != MESSAGES.get(case, [DELAYED]):
            fail(f"messages {messages}")
        for _ in range(4):
            if not late(found, factors):
                break
            again = run(folder, scale)[0]  # the machine was busy
            found = again | {piece: min(found[piece], again[piece]) for piece in (*PIECES, "wait")}
        for piece in PIECES:
            factor = factors.get(piece, 1)
            if found[piece] < factor * (1 - 0.01) or piece in late(found, factors):
                fail(f"POMP_SCALE='{scale}': {piece} took {found[piece]} times its work, expected {factor}")
        if found["wait"] > OWN:
            fail(f"POMP_SCALE='{scale}': a wait was delayed by {found['wait']} of the work that it was for")
        if OMPREPORT:
            rows = subprocess.run([OMPREPORT, "regions", "--format=json", "trace"], cwd=folder, capture_output=True,
                                  text=True, check=True).stdout
            compare_times(found, factors.get("a", 1), json.loads(rows)["regions"], "trace")
        summary = json.loads((folder / "summary.json").read_text())
        compare_times(found, factors.get("a", 1), summary["regions"], "profile")


main()
