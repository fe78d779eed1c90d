# SPDX-License-Identifier: BSD-3-Clause
"""check-callers.py BUILD LIBRARY_C CALLERS_PY

`ompinst run` names the lines of Python that call a library's region: each line for itself, with and without the global
lock, on threads of Python, and behind an installed library's own lines; in the profile and in the trace.
"""
import json
import os
import subprocess
import sys
import tempfile

VERSIONS = ((3, 11), (3, 12), (3, 13))  # whose frames are known
CALLS = {"first": 30, "alike": 25, "second": 20, "through": 10, "threads": 30}
KERNELS = """\
def run(library, turns):
    return inner(library, turns)


def inner(library, turns):
    return library.compute(turns)
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def line_of(source, mark):
    with open(source, encoding="utf-8") as lines:
        return next(number for number, line in enumerate(lines, 1) if mark in line)


class Runs:
    """Measured runs of the program, and what reports say of them."""

    def __init__(self, build, script, folder):
        self.ompinst = os.path.join(build, "instrumenter/ompinst")
        self.report = os.path.join(build, "reports/ompreport")
        self.script, self.folder = script, folder
        self.library, self.packages = os.path.join(folder, "library.so"), os.path.join(folder, "site-packages")
        self.trace, self.profile = os.path.join(folder, "trace"), os.path.join(folder, "profile")

    def run(self, *ways, words=None, **settings):
        """Returns the profile, which is None if it is a text."""
        settings = {"OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false", "POMP_SUMMARY": self.profile,
                    "POMP_SUMMARY_FORMAT": "json"} | settings
        words = words or [sys.executable, self.script, self.library, self.packages, *ways]
        subprocess.run([self.ompinst, "run", *words], env=dict(os.environ, **settings), check=True, timeout=200)
        with open(self.profile, encoding="utf-8") as file:
            return json.load(file) if settings["POMP_SUMMARY_FORMAT"] == "json" else None

    def said(self, command, *options):
        """Returns what a command says of the trace."""
        done = subprocess.run([self.report, command, "--format=json", *options, self.trace], check=True, capture_output=True,
                              text=True)
        return json.loads(done.stdout)


def check_rows(what, rows, script, library):
    expect(len(rows) == len(CALLS), f"{what}: a row for each line: {rows}")
    for way, calls in CALLS.items():
        line, is_through = line_of(script, f"{{{way}}}"), way == "through"
        row = next((row for row in rows if row["line"] == line), None)
        expect(row is not None, f"{what}: line {line} of {rows}")
        expect((row["function"], row["file"], row["calls"]) == ("work" if way == "threads" else way, script, calls), f"{what}: {row}")
        expect((row["inner_function"], row["inner_line"]) == (("inner", 6) if is_through else (row["function"], line)),
               f"{what}: the innermost line of {row}")
        expect(row["region"].startswith(f"python-library.c:{line_of(library, '{compute}')} parallel"), f"{what}: the region of {row}")
        expect(row["time_ns"] > calls * 10000, f"{what}: the time of {row}")


def check_all(runs, script, library):
    profile = runs.run(POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=runs.trace)
    check_rows("profile", profile["callers"], script, library)
    expect(sum(row["time_ns"] for row in profile["callers"]) <= profile["wall_ns"] * 2, "two threads call at a time")
    rows = runs.said("callers")["callers"]
    check_rows("trace", rows, script, library)
    expect(runs.said("summary")["callers"] == profile["callers"], "the summary of the trace has the profile's rows")
    expect(runs.said("callers", "--region=python-library")["callers"] == rows, "--region takes the region")
    expect("callers" not in runs.said("summary", "--from=1us"), "of a part of the run they are not known")
    text = subprocess.run([runs.report, "callers", "--width=120", runs.trace], check=True, capture_output=True, text=True).stdout
    expect("kernels.py:6 inner" in text, f"the innermost line in the text: {text}")


def check_without_python(runs, library):
    """The same library, called by a program in C."""
    program = os.path.join(runs.folder, "program")
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write("double compute(int turns);\nint main(void)\n{\n\treturn compute(1000000) > 2;\n}\n")
    subprocess.run(["gcc", "-O1", "-g", "-fopenmp", program + ".c", library, "-o", program], check=True)
    profile = runs.run(words=[program])
    expect(len(profile["regions"]) == 1 and "callers" not in profile, f"a program without Python has none: {profile}")


def main():
    build, library, script = sys.argv[1:]
    if sys.version_info[:2] not in VERSIONS or not getattr(sys, "_is_gil_enabled", lambda: True)():
        print(f"libpomp does not know the frames of Python {sys.version}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(build, os.path.realpath(script), folder)
        os.mkdir(runs.packages)
        with open(os.path.join(runs.packages, "kernels.py"), "w", encoding="utf-8") as kernels:
            kernels.write(KERNELS)
        subprocess.run(["gcc", "-O1", "-g", "-fopenmp", "-shared", "-fPIC", library, "-o", runs.library], check=True)
        check_all(runs, os.path.realpath(script), library)
        expect("callers" not in runs.run("first", POMP_SAMPLING="off"), "none without samples")
        check_without_python(runs, library)
        runs.run("first", POMP_SUMMARY_FORMAT="text")
        with open(runs.profile, encoding="utf-8") as file:
            text = file.read()
        expect("CALLED FROM PYTHON" in text and "by way of" not in text, f"no column without a row that has it: {text}")


main()
