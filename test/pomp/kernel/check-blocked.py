# SPDX-License-Identifier: BSD-3-Clause
"""For what threads were blocked in the kernel, as the summary says it.

check-blocked.py PROGRAM SOURCE WAY

PROGRAM is pomp-blocked, which blocks in a line of SOURCE that has WAY in its comment. If OMPREPORT is set, a
trace of the run must say the same.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, WAY = sys.argv[1:4]

# What the rows of each way are: system call, what it is there for, function; and the words of the advice.
SLEEP = ("sleep", "the first thread sleeps for")
WAYS = {
    "read": (None, "read(2) blocks the first thread for", "read_input"),
    "output": (None, "read(2) blocks the first thread for", "read_input"),
    "lines": (None, "read(2) blocks the first thread for", "read_lines"),
    "sleep": (*SLEEP, "doze"),
    "mutex": ("a pthread mutex", "the first thread waits for a pthread mutex for", "wait_for_other"),
    "condition": ("a condition variable", "the first thread waits for a condition variable for", "wait_for_other"),
    "semaphore": ("a semaphore", "the first thread waits for a semaphore for", "wait_for_other"),
    "join": ("the end of a thread", "the first thread waits for the end of a thread for", "wait_for_other"),
    "team": ("sleep", "threads sleep for", "doze"),
}
PLANNED = 600000000  # ns


def fail(text):
    sys.exit(f"check-blocked: {text}")


def run(*arguments, **settings):
    """Returns what the program printed, and the summary."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "summary.json"
        environment |= {"POMP_SUMMARY": str(file), "POMP_SUMMARY_FORMAT": "json"} | settings
        done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True)
        if done.returncode == 77:
            sys.exit(77)
        if arguments == ("filtered",):
            # The summary's file cannot be opened either, so it is printed.
            if done.returncode != 0 or done.stdout != "done\n":
                fail(f"returned {done.returncode}: {done.stderr}")
            sys.exit(0)
        if done.returncode != 0 or done.stderr:
            fail(f"{arguments}: returned {done.returncode}: {done.stderr}")
        summary = json.loads(file.read_text())
        return done.stdout, summary


def check_trace():
    """The archive's summary has the same rows; the time of each interval is rounded once more."""
    with tempfile.TemporaryDirectory() as folder:
        trace = str(pathlib.Path(folder) / "trace")
        _, summary = run(WAY, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=trace)
        compare(summary["blocked"], trace)


def compare(profiled, trace):
    report = [os.environ["OMPREPORT"], "summary", "--format=json", trace]
    traced = json.loads(subprocess.run(report, check=True, capture_output=True, text=True).stdout)["blocked"]
    subprocess.run([os.environ["OMPREPORT"], "check", trace], check=True, stdout=subprocess.DEVNULL)
    if len(profiled) != len(traced):
        fail(f"profile {profiled}, trace {traced}")
    for one, other in zip(profiled, traced):
        if one | {"blocked_ns": 0} != other | {"blocked_ns": 0} or abs(one["blocked_ns"] - other["blocked_ns"]) > 200:
            fail(f"profile {one}, trace {other}")


def line_of(word):
    for number, line in enumerate(pathlib.Path(SOURCE).read_text().splitlines(), 1):
        comment = re.search(r"/\* ([a-z, ]+) \*/$", line)
        if comment and word in comment[1].split(", "):
            return number
    return fail(f"no line for '{word}'")


def check_rows(summary):
    what, words, function = WAYS[WAY]
    rows = summary.get("blocked", [])
    first = rows[0] if rows else fail("no call was seen")
    if (first["what"], first["function"], first["line"]) != (what, function, line_of(WAY)):
        fail(f"expected {what} in {function}, line {line_of(WAY)}: {first}")
    planned = PLANNED * (2 if WAY == "team" else 1)
    # The machine may be busy: then a thread that could go on waits, which is not a part of it.
    if not planned * 0.9 <= first["blocked_ns"] <= planned * 1.3:
        fail(f"planned {planned} ns: {first}")
    blocked = sum(row["blocked_ns"] for row in rows)
    known = summary["thread_time_ns"]["blocked"]
    if abs(blocked - known) > known * 0.02 + 1000000:
        fail(f"{blocked} ns in the rows, {known} in all: {rows}")
    sentence = summary["advice"][0]
    if not sentence.startswith(f"blocked.c:{first['line']} ({function}): {words} "):
        fail(f"the first sentence is '{sentence}'")


def check_parts(summary):
    rows = {row["line"]: row for row in summary["blocked"]}
    all_time = sum(row["blocked_ns"] for row in rows.values())
    for word, share in {"six": 0.6, "three": 0.3, "one": 0.1}.items():
        row = rows.get(line_of(word), {"blocked_ns": 0, "seen": 0})
        seen = sum(other["seen"] for other in rows.values())
        # Each sleep takes a little longer than it should, which makes the shortest ones longer. Both threads sleep at
        # the same times, so they are seen in the same calls.
        error = 0.02 + 4 * math.sqrt(share * (1 - share) / (seen / 2))
        if abs(row["blocked_ns"] / all_time - share) > error:
            fail(f"'{word}': {row['blocked_ns'] / all_time:.3f}, expected {share} +- {error:.3f}: {rows}")


def check_threads(printed):
    during, after = map(int, printed.split()[1:3])
    printed, _ = run(WAY, POMP_SAMPLING="off")
    without = int(printed.split()[1])
    if during not in (without, without + 1) or after != without:
        fail(f"{during} threads, {after} after the end, {without} without the observer")


def main():
    printed, summary = run(WAY)
    if WAY == "undisturbed":
        check_threads(printed)
    elif not summary.get("blocked") and not pathlib.Path("/proc/self/syscall").exists():
        sys.exit(77)
    elif WAY == "parts":
        check_parts(summary)
    else:
        check_rows(summary)
    if WAY in ("read", "team") and os.environ.get("OMPREPORT"):
        check_trace()


main()
