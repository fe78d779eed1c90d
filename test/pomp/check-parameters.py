# SPDX-License-Identifier: BSD-3-Clause
"""Parameters and absolute file names in the trace, as OTF2's own reader sees them.

check-parameters.py PROGRAM OMPREPORT

PROGRAM is pomp-parameters: it prints what the trace must show. It runs three times: converting at exit,
killed and recovered, and without a trace, where the number of events must be the same.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import trace_facts

PROGRAM, OMPREPORT = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
TYPES = {"ParameterInt": "INT64", "ParameterUnsignedInt": "UINT64", "ParameterString": "STRING"}


def fail(text):
    sys.exit(f"check-parameters: {text}")


def run(folder, *arguments, **settings):
    """Returns what the trace must show."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    environment |= {"POMP_SUMMARY": "summary.json", "POMP_SUMMARY_FORMAT": "json",
                    "POMP_EXPERIMENT_DIRECTORY": "trace"} | settings
    done = subprocess.run([PROGRAM, *arguments], env=environment, cwd=folder, capture_output=True, text=True)
    if "this build has no OTF2 library" in done.stderr:
        sys.exit(77)
    if (done.returncode < 0) != bool(arguments) or done.stderr:
        fail(f"returned {done.returncode}: {done.stderr}")
    return collections.Counter(line.split(" ", 1)[1] for line in done.stdout.splitlines())


def compare(expected, archive):
    """Each parameter stands within its region, with its type and value; returns the regions' files."""
    trace_facts.read(archive)
    checked = subprocess.run([OMPREPORT, "check", archive], capture_output=True, text=True)
    if checked.returncode != 0 or checked.stderr:
        fail(f"ompreport check: {checked.stdout} {checked.stderr}")
    found, opened = collections.Counter(), collections.defaultdict(list)
    with trace_facts.otf2.reader.open(archive) as trace:
        for location, event in trace.events:
            kind = type(event).__name__
            if kind == "Enter":
                opened[location].append(event.region.name)
            elif kind == "Leave":
                opened[location].pop()
            elif kind in TYPES:
                parameter = event.parameter
                if parameter.parameter_type != getattr(trace_facts.otf2.ParameterType, TYPES[kind]):
                    fail(f"{event}: the parameter is defined as {parameter.parameter_type}")
                value = event.string if kind == "ParameterString" else event.value
                found[f"{opened[location][-1]} {parameter.name} {value}"] += 1
        files = {region.name: region.source_file for region in trace.definitions.regions}
    if found != expected:
        fail(f"missing {expected - found}, not expected {found - expected}")
    return files


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        expected = run(folder, POMP_ENABLE_TRACING="1")
        files = compare(expected, str(folder / "trace" / "traces.otf2"))
        if files["signs"] != "/compiled/in/there.c" or files["!$omp parallel @here.c:40"] != "here.c":
            fail(f"files {files}; one object names its folder, here.c is nowhere to be found")
        traced = json.loads((folder / "summary.json").read_text())
        run(folder)
        profiled = json.loads((folder / "summary.json").read_text())
        if traced["events"] != profiled["events"]:
            fail(f"{traced['events']} events with a trace, {profiled['events']} without")

        (folder / "here.c").write_text("")
        expected = run(folder, "killed", POMP_ENABLE_TRACING="1")
        subprocess.run([OMPREPORT, "recover", folder / "trace"], check=True, stdout=subprocess.DEVNULL)
        files = compare(expected, str(folder / "trace" / "traces.otf2"))
        if files["!$omp parallel @here.c:40"] != str(folder / "here.c"):
            fail(f"files {files}; here.c is in the folder where the program starts")


main()
