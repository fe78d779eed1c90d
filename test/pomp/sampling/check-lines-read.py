# SPDX-License-Identifier: BSD-3-Clause
"""Debug information is read as far as the run's length allows: check-lines-read.py BUILD

A program works in a function of its own, and a little in a library with megabytes of compressed debug information.
At its end the library's code has its function, and lines only in a trace, which takes longer anyway. A run that is too
short for HOT CODE looks up no names.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
LIMIT = 100 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
LIBRARY = """
double library_work(long n) { volatile double x = 1; for (long i = 0; i < n; i++) x *= 1.0000001; return x; }
"""
PROGRAM = """
extern double library_work(long n);
double own_work(long n)
{
	volatile double x = 1;
	for (long i = 0; i < n; i++)
		x *= 1.0000001;
	return x;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < (argc > 1 ? 3 : 100); i++)
#pragma omp parallel num_threads(1)
	{
		own_work(2000000);
		library_work(90000);
	}
	return 0;
}
"""


def fail(text):
    sys.exit(f"check-lines-read: {text}")


def run(*command, folder, **options):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=LIMIT, **options).stdout


def build(folder):
    names = ",".join(f"one_of_very_many_{i}" for i in range(600000))
    (folder / "library.c").write_text(f"enum many {{{names}}} used;{LIBRARY}")
    (folder / "program.c").write_text(PROGRAM)
    run("gcc", "-O1", "-g", "-gz=zlib", "-shared", "-fPIC", "library.c", "-o", "liblibrary.so", folder=folder)
    run(f"{BUILD}/instrumenter/ompinst", "gcc", "-O1", "-g", "-fopenmp", "program.c", "-o", "program", "-L.", "-llibrary",
        "-Wl,-rpath," + str(folder), folder=folder)


def rows_of(folder, **variables):
    """Returns {function: (samples, lines)}, and the part of the library in the samples."""
    environment = os.environ | {"POMP_SUMMARY": "summary", "POMP_SUMMARY_FORMAT": "json"} | variables
    environment.pop("LD_LIBRARY_PATH", None)
    run("./program", folder=folder, env=environment)
    summary = json.loads((folder / "summary").read_text())
    rows = {}
    for row in summary["hot"]:
        samples, lines = rows.get(row["function"], (0, set()))
        rows[row["function"]] = (samples + row["samples"], lines | {(row["file"], row["line"])})
    for function in ("own_work", "library_work"):
        if function not in rows:
            fail(f"no samples in {function}: {summary['hot']}")
    if rows["library_work"][0] > summary["samples"] / 10:
        fail(f"expected few samples in the library: {summary['hot']}")
    print(variables, rows)
    if any(line == 0 for _, line in rows["own_work"][1]):
        fail(f"no lines of the program's own function: {rows}")
    return rows


def loads_names(folder, *arguments):
    """Returns whether names were looked up, and whether HOT CODE was printed."""
    environment = os.environ | {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(folder / "loaded")}
    environment.pop("LD_LIBRARY_PATH", None)
    done = subprocess.run(["./program", *arguments], cwd=folder, env=environment, check=True, capture_output=True,
                          text=True, timeout=LIMIT)
    loaded = "".join(file.read_text() for file in folder.glob("loaded*"))
    for file in folder.glob("loaded*"):
        file.unlink()
    return "libpomp_names.so" in loaded, "HOT CODE" in done.stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(folder)
        if rows_of(folder)["library_work"][1] != {("liblibrary.so", 0)}:
            fail("lines of the library: its debug information takes longer than the run's length allows")
        if loads_names(folder) != (True, True):
            fail("no names of a long run")
        if loads_names(folder, "short") != (False, False):
            fail("a short run, without HOT CODE, looks up names")
        traced = rows_of(folder, POMP_ENABLE_TRACING="1", POMP_EXPERIMENT_DIRECTORY="trace")
        if any(not line for _, line in traced["library_work"][1]):
            fail(f"a trace lacks lines of the library: {traced}")


main()
