#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check-paths.py BUILD instrumented|plain|system COMPILER SOURCE

Compiles the program with ompinst, or without it to be run by `ompinst run`, on our runtime or on the compiler's, and compares the paths
to kernel() in the profile, in the trace, and in the trace of each thread, with those that the source
names."""
import json
import os
import re
import subprocess
import sys
import tempfile

THREADS = 2


def expected_paths(source):
    text = open(source, encoding="utf-8").read()
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.search(r"[/!]+ \{(\w+)\}$", line)
        if mark:
            lines[mark.group(1)] = f"{os.path.basename(source)}:{number}"
    return {re.sub(r"\{(\w+)\}", lambda mark: lines[mark.group(1)], path)
            for path in re.findall(r"^\W*path: (.*)$", text, re.M)}


def paths_of(summary):
    rows = json.loads(summary)["team_paths"]
    return {row["path"]: row["samples"] for row in rows if row["path"].endswith("kernel")}


def compare(what, found, expected):
    total = sum(found.values())
    # A sample just before the team's first event, or after its last, is not in the team.
    wrong = {path: count for path, count in found.items() if path not in expected}
    if set(found) >= expected and sum(wrong.values()) <= total * 0.01:
        return True
    print(f"{what}: {total} samples")
    for path in sorted(expected - set(found)):
        print("  missing:", path)
    for path, count in sorted(wrong.items()):
        print(f"  wrong, {count}:", path)
    return False


def main():
    build, how, compiler, source = sys.argv[1:]
    ompinst = os.path.join(build, "instrumenter/ompinst")
    report = os.path.join(build, "reports/ompreport")
    expected = expected_paths(source)
    with tempfile.TemporaryDirectory() as folder:
        program, profile, trace = (os.path.join(folder, name) for name in ("p", "profile", "trace"))
        wrapper = [ompinst] if how == "instrumented" else []
        subprocess.run(wrapper + [compiler, "-O1", "-g", "-fno-inline", "-fopenmp", source, "-o", program],
                       check=True, cwd=folder)
        settings = {"OMP_NUM_THREADS": str(THREADS), "OMP_MAX_ACTIVE_LEVELS": "2",
                    "OMP_DYNAMIC": "false", "POMP_SUMMARY": profile, "POMP_SUMMARY_FORMAT": "json",
                    "POMP_ENABLE_TRACING": "yes", "POMP_EXPERIMENT_DIRECTORY": trace}
        run = {"instrumented": [], "plain": [ompinst, "run"], "system": [ompinst, "run", "--runtime=system"]}[how]
        said = subprocess.run(run + [program], env=dict(os.environ, **settings), check=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True).stderr
        if how == "system" and "reports to tools" not in said:
            print(f"the runtime does not report to tools: {said}")
            sys.exit(77)
        right = compare("profile", paths_of(open(profile, encoding="utf-8").read()), expected)
        for choice in [[]] + [["--thread", str(number)] for number in range(THREADS)]:
            summary = subprocess.run([report, "summary", "--format=json"] + choice + [trace],
                                     check=True, capture_output=True, text=True).stdout
            right &= compare("trace " + " ".join(choice), paths_of(summary), expected)
    sys.exit(not right)


main()
