# SPDX-License-Identifier: BSD-3-Clause
"""Functions that were inlined are on the paths of samples: check-inlined.py BUILD INLINED_CC

Summary and archive have the same paths, also the archive of a killed program, with each inlined function between those around it. Hot code has the line and
the function that were executed. Where a short function of a header allocates, frees or waits, the sentences and the
table BLOCKED name its caller's line.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
STEPS = 1500
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def run(folder, *command, ends=True, **settings):
    environment = os.environ | {"OMP_WAIT_POLICY": "passive", "MALLOC_MMAP_THRESHOLD_": "65536", **settings}
    for name in "LD_LIBRARY_PATH", "MALLOC_PERTURB_":  # the latter uses all memory in malloc() and free()
        environment.pop(name, None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=ends)


def check_paths(what, serial, team):
    expect(serial.get("main > step > relax > smooth", 0) > 0.3 * sum(serial.values()), f"{what}: serial {serial}")
    inner = sum(samples for path, samples in team.items() if path.startswith("main > parallel at inlined.cc:")
                and path.endswith(" > relax > smooth"))
    expect(inner > 0.8 * sum(team.values()), f"{what}: team {team}")


def line_of(file, mark):
    return next(number for number, line in enumerate(file.read_text().splitlines(), 1) if f" {mark} line" in line)


def place(mark, wrapper=None):
    by = f" (by inlined.h:{line_of(SOURCE.with_suffix('.h'), wrapper)})" if wrapper else ""
    return f"inlined.cc:{line_of(SOURCE, mark)}{by}"


def check_places(folder, option):
    """Line ends of a summary's text are anywhere. The path of a blocked thread ends where code has a frame pointer."""
    expected = {"memory": (f"The memory is allocated at {place('allocate', 'obtain')} and freed at {place('free', 'drop')}, and",
                           f"% of that in {place('touch')} (churn)"),
                "sleep": (f"{place('sleep')} pause_often sleep ",)}
    for what, sentences in expected.items():
        if (what, option) == ("sleep", "-O0"):
            continue
        archive = what + option
        profile = run(folder, "./inlined", "600", what, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY=archive).stderr
        report = run(folder, f"{BUILD}/reports/ompreport", "summary", archive).stdout
        for name, text in (option, profile), (archive, report):
            text = " ".join(text.split())
            for sentence in sentences:
                expect(sentence in text, f"{name}: not '{sentence}' in {text[text.find('BLOCKED in'):][:300]} {text[text.find('ADVICE'):]}")


def check_summary(folder):
    run(folder, "./inlined", str(STEPS), POMP_SUMMARY="summary.json", POMP_SUMMARY_FORMAT="json", POMP_ENABLE_TRACING="1",
        POMP_EXPERIMENT_DIRECTORY="archive")
    summary = json.loads((folder / "summary.json").read_text())
    print(f"{summary['samples']} samples")
    expect(summary["samples"] > 100, "samples")
    check_paths("summary", *({row["path"]: row["samples"] for row in summary[kind]} for kind in ("serial_paths", "team_paths")))
    lines = sum(row["samples"] for row in summary["hot"] if row["function"] == "smooth" and row["file"].endswith("inlined.h"))
    expect(lines > 0.3 * summary["samples"], f"{summary['hot']}")


def check_archive(folder, archive):
    def rows(*options):
        return json.loads(run(folder, f"{BUILD}/reports/ompreport", "hot", "--format=json", *options, archive).stdout)["hot"]

    paths = {row["path"]: row["samples"] for row in rows("--paths")}
    if archive == "killed":  # the names of its constructs are lost
        expect(paths.get("main > step > relax > smooth", 0) > 50, f"{paths}")
    else:
        team = {path: samples for path, samples in paths.items() if "parallel at" in path}
        check_paths(archive, {path: samples for path, samples in paths.items() if path not in team}, team)
    functions = {row["function"]: row for row in rows("--functions")}
    expect(functions["relax"]["inclusive_samples"] >= functions["smooth"]["samples"] > functions["relax"]["samples"], f"{functions}")
    stacks = run(folder, f"{BUILD}/reports/ompreport", "export", "--folded", archive).stdout
    expect("main;step;relax;smooth " in stacks, stacks)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for option in "-O0", "-O2":
            run(folder, f"{BUILD}/instrumenter/ompinst", "g++", "-g", option, "-fopenmp", SOURCE, "-o", "inlined")
            check_places(folder, option)
        check_summary(folder)
        check_archive(folder, "archive")
        run(folder, "./inlined", str(STEPS), "killed", ends=False, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY="killed")
        run(folder, f"{BUILD}/reports/ompreport", "recover", "killed")
        check_archive(folder, "killed")
    sys.exit("\n".join(f"check-inlined: {failure}" for failure in failures) if failures else 0)


main()
