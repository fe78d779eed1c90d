#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check-serial.py BUILD COMPILER SOURCE

`ompinst run` shows where a program without OpenMP spent its time, and says that it has no OpenMP.
Of a short program it says only the latter. An instrumented program shows the same time before its first event."""
import glob
import json
import os
import subprocess
import sys
import tempfile

NO_REGION = "No OpenMP region ran in this program."
NOTHING = "ompinst: nothing was measured: no OpenMP region ran in "


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def check_paths(summary):
    paths = {row["path"]: row["samples"] / summary["samples"] for row in summary["serial_paths"]}
    expect(abs(paths.get("main > read_input > work", 0) - 0.25) < 0.05 and
           abs(paths.get("main > work", 0) - 0.75) < 0.05, f"a quarter and the rest: {paths}")


def main():
    build, compiler, source = sys.argv[1:]
    ompinst = os.path.join(build, "instrumenter/ompinst")
    with tempfile.TemporaryDirectory() as folder:
        program, profile = os.path.join(folder, "serial"), os.path.join(folder, "profile")
        subprocess.run([compiler, "-O1", "-g", source, "-o", program], check=True)

        def run(command, **settings):
            return subprocess.run([ompinst, "run"] + command, env=dict(os.environ, **settings),
                                  check=True, capture_output=True, text=True, cwd=folder)

        text = run([program]).stderr
        expect(text.count(NO_REGION) == 1 and NOTHING not in text, "one sentence:\n" + text)
        expect("HOT CODE" in text and "serial.c" in text, "a table of hot code:\n" + text)
        silent = run([program], POMP_SUMMARY=profile, POMP_SUMMARY_FORMAT="json")
        expect(silent.stderr == "", "nothing else is printed:\n" + silent.stderr)
        summary = json.load(open(profile, encoding="utf-8"))
        check_paths(summary)
        text = run([program], POMP_ENABLE_TRACING="yes").stderr
        expect(text.count(NO_REGION) == 1 and not glob.glob(folder + "/pomp-*"), "no events, no trace:\n" + text)
        for command, name in (["true"], "true"), (["sh", "-c", "true; true"], "sh"):
            text = run(command).stderr
            expect(text.startswith(NOTHING + name) and text.count("\n") == 1, text)
        text = run([program], POMP_SAMPLING="off").stderr
        expect(text == NOTHING + "serial\n", "no samples, no table:\n" + text)

        subprocess.run([ompinst, compiler, "-fopenmp", "-O1", "-g", source, "-o", program], check=True, cwd=folder)
        subprocess.run([program], env=dict(os.environ, POMP_SUMMARY=profile, POMP_SUMMARY_FORMAT="json"), check=True)
        check_paths(json.load(open(profile, encoding="utf-8")))


main()
