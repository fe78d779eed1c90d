#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs with one planted loss each: the first sentence of the advice names its cause, quiet or beside busy programs.

check-truth.py OMPINST COMPILER PLANTED.C CASE [LOOPS [SECONDS]]

LOOPS busy programs run beside it. The cases `pinned` and `crowded` are `even` with both threads on one processor, and
with eight threads for each processor; `competitor` is `even` beside as many busy programs as there are processors,
and `short_loops` runs beside twice as many.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUSY = "The machine was busy"
# What the first sentence must say.
SENTENCES = {
    "serial": r"of the wall time runs on one thread, outside parallel regions",
    "lines": None,
    "reads": r"read\(2\) blocks the first thread",
    "faults": r"Page faults take .* of that in planted\.c:{touched} \(.*freed at planted\.c:{freed}, .*MALLOC_MMAP_THRESHOLD_=",
    "sleeps": r"threads sleep for",
    "sleeper": r"threads sleep for .*Others wait",
    "pinned": r"2 threads on 1 processor: ",
    "crowded": r"threads on \d+ processors?: threads with work waited",
    "competitor": BUSY,
    "short_loops": BUSY,
    "mutex": r"threads wait for a pthread mutex",
    "long_task": r"the longest planted\.c:\d+ task takes|planted\.c:\d+ task takes one thread",
    "tiny_tasks": r"tasks of the same parallel region are small|task: a task runs",
    "uneven": r"its threads take unequal time",
    "critical": r"critical: .*threads queue for it",
}
# Text of the lines that sentences name.
LINES = {"touched": "memory[i] = 1;", "freed": "free(memory);"}
CASE_OF = {"pinned": "even", "crowded": "even", "competitor": "even"}
# Busy programs for each processor.
COMPETITORS = {"competitor": 1, "short_loops": 2}
SPIN = "while True: pass"


def sentence_of(case, source):
    """The expected sentence, with the numbers of the source's lines."""
    lines = enumerate(pathlib.Path(source).read_text("utf-8").splitlines(), 1)
    numbers = {name: number for number, line in lines for name, text in LINES.items() if line.strip() == text}
    return SENTENCES[case] and SENTENCES[case].format(**numbers)


def fail(text):
    sys.exit(f"check-truth: {text}")


def measure(command, folder, case):
    processors = sorted(os.sched_getaffinity(0))
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "MALLOC_"))}
    environment |= {"OMP_NUM_THREADS": str(8 * len(processors) if case == "crowded" else 2),
                    "POMP_SUMMARY": str(folder / "summary.json"), "POMP_SUMMARY_FORMAT": "json"}
    pinned = {processors[0]} if case == "pinned" else set(processors)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False,
                          preexec_fn=lambda: os.sched_setaffinity(0, pinned))
    if done.returncode != 0 or "done" not in done.stdout:
        fail(f"{command}: {done.returncode}: {done.stdout}{done.stderr}")
    return json.loads((folder / "summary.json").read_text())


def compare_shares(what, found, wanted, samples):
    """Shares of samples: within 2 points, and three standard deviations where there are few."""
    for name, share in wanted.items():
        error = max(0.02, 3 * (share * (1 - share) / samples) ** 0.5)
        if abs(found.get(name, 0) - share) > error:
            fail(f"{what}: {name} has {found.get(name, 0):.3f} of {samples} samples, expected {share:.3f} within {error:.3f}")


def check_serial(summary):
    found, total = {}, sum(row["samples"] for row in summary["serial_paths"])
    for row in summary["serial_paths"]:
        for name in ("alpha", "beta", "gamma_part"):
            if f"serial > {name}" in row["path"]:
                found[name] = found.get(name, 0) + row["samples"]
    known = sum(found.values())
    if known < 0.9 * total:
        fail(f"{known} of {total} samples of the serial part are in its functions: {summary['serial_paths']}")
    compare_shares("serial part", {name: count / known for name, count in found.items()},
                   {"alpha": 0.6, "beta": 0.3, "gamma_part": 0.1}, known)


def check_lines(summary):
    """steps() is called in two lines for a third and two thirds of the time."""
    found = {}
    for row in summary["team_paths"]:
        match = re.search(r"(one_third|two_thirds) > steps", row["path"])
        if match:
            found[match[1]] = found.get(match[1], 0) + row["samples"]
    known = sum(found.values())
    if known < 0.8 * summary["samples"]:
        fail(f"{known} of {summary['samples']} samples are in the two lines: {summary['team_paths']}")
    compare_shares("two lines", {name: count / known for name, count in found.items()},
                   {"one_third": 1 / 3, "two_thirds": 2 / 3}, known)


def main():
    ompinst, compiler, source, case = sys.argv[1:5]
    ompinst, source = os.path.abspath(ompinst), os.path.abspath(source)
    loops = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    seconds = sys.argv[6] if len(sys.argv) > 6 else "2" if case in ("serial", "lines") else "0.5"
    if case in COMPETITORS:
        loops = max(loops, COMPETITORS[case] * len(os.sched_getaffinity(0)))
    wanted = sentence_of(case, source)
    busy = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(loops)]
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            flags = ["-g", "-O1", "-fopenmp", "-pthread", source]
            subprocess.run([compiler, *flags, "-o", "plain"], cwd=folder, check=True)
            subprocess.run([ompinst, compiler, *flags, "-o", "instrumented"], cwd=folder, check=True)
            for command in ([ompinst, "run", "./plain"], ["./instrumented"]):
                summary = measure([*command, CASE_OF.get(case, case), seconds], folder, case)
                advice = summary["advice"]
                # Of a busy machine the figures of balance are unsure, so that this may be said first.
                first = advice[1] if case == "uneven" and len(advice) > 1 and advice[0].startswith(BUSY) else advice[0]
                if wanted and not re.search(wanted, first):
                    fail(f"{command}: first is '{first}' of {advice}")
                if case == "serial":
                    check_serial(summary)
                if case == "lines":
                    check_lines(summary)
    finally:
        for process in busy:
            process.kill()
            process.wait()


main()
