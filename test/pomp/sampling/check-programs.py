# SPDX-License-Identifier: BSD-3-Clause
"""Programs that a sampling handler could break: check-programs.py BUILD COMPILER SOURCE FLAGS CASE...

Each case prints the same and ends alike with and without ompinst, prints nothing else, and its profile has samples
or a sentence why there are none.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, COMPILER, SOURCE, FLAGS = sys.argv[1:5]
REPORT = f"{BUILD}/reports/ompreport"
CASES = sys.argv[5:]
LIMIT = 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
COMMON = ["-O1", "-g", "-w", "-fopenmp", "-D_GNU_SOURCE"]
# What says itself why it has no samples.
WITHOUT = {"filter_first"}
REFUSED = {"filter_refuses", "filter_kills", "filter_first", "filter_all", "filter_late"}  # the kernel's figures


def fail(text):
    sys.exit(f"check-programs: {text}")


def run(program, case, folder, **variables):
    # A sanitizer does not understand GNU's runtime; it is only to be in the program.
    environment = os.environ | {"OMP_WAIT_POLICY": "passive", "ASAN_OPTIONS": "detect_leaks=0",
                                "TSAN_OPTIONS": "report_bugs=0"} | variables
    environment.pop("LD_LIBRARY_PATH", None)
    return subprocess.run([program, case], capture_output=True, text=True, cwd=folder, env=environment, timeout=LIMIT)


def check(folder, case):
    plain = run("./plain", case, folder)
    if plain.returncode != 42 or plain.stderr:
        fail(f"{case}: without ompinst: {plain.returncode} {plain.stdout} {plain.stderr}")
    found = run("./measured", case, folder, POMP_SUMMARY=f"{case}.json", POMP_SUMMARY_FORMAT="json")
    if (found.returncode, found.stdout, found.stderr) != (plain.returncode, plain.stdout, plain.stderr):
        fail(f"{case}: {found.returncode} {found.stdout} {found.stderr}")
    summary = json.loads((folder / f"{case}.json").read_text())
    samples, note = summary.get("samples", 0), summary.get("sample_note")
    print(case, samples, note)
    if samples < 10 and not note or case not in WITHOUT and not samples:
        fail(f"{case}: {samples} samples, and the note is {note}")
    check_figures(case, summary)
    if case in REFUSED and pathlib.Path(REPORT).exists():
        run("./measured", case, folder, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=case)
        told = subprocess.run([REPORT, "summary", "--format=json", case], cwd=folder, check=True, capture_output=True, text=True)
        check_figures(case, json.loads(told.stdout))
        told = subprocess.run([REPORT, "summary", case], cwd=folder, check=True, capture_output=True, text=True).stdout
        if "the kernel refused to say" not in " ".join(told.split()):
            fail(f"{case}: {told}")


def check_figures(case, summary):
    """What the kernel refuses to say is not known: null, never 0."""
    figures = [summary[key] for key in ("processor_time_ns", "system_ns", "faults")]
    figures += [summary["thread_time_ns"][key] for key in ("delayed", "blocked")]
    figures += [row[key] for row in summary["regions"] for key in ("delayed_ns", "blocked_ns", "system_ns", "faults")]
    if any(figure is not None for figure in figures) == (case in REFUSED):
        fail(f"{case}: {figures}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flags = COMMON + FLAGS.split()
        subprocess.run([COMPILER, *flags, SOURCE, "-o", "plain"], cwd=folder, check=True)
        subprocess.run([f"{BUILD}/instrumenter/ompinst", COMPILER, *flags, SOURCE, "-o", "measured"], cwd=folder,
                       check=True)
        for case in CASES:
            check(folder, case)


main()
