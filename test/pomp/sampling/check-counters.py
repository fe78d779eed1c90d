# SPDX-License-Identifier: BSD-3-Clause
"""What counters count beside samples: check-counters.py BUILD COUNTERS_C

Page faults stand for the processor's counters, which few machines for tests have: the kernel counts them in the same
way. They are counted at the function that has them, beside samples and as samples of their own, which are none of time.
"""
import ctypes
import json
import os
import pathlib
import platform
import struct
import subprocess
import sys
import tempfile

BUILD, SOURCE = sys.argv[1:3]
SECONDS = "1"
CALM = 500  # a second of processor time: libpomp does not count in threads that leave their processors too often (1,500)
TRACED = {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": "archive"}
OMPREPORT = f"{BUILD}/reports/ompreport"
HAS_ARCHIVES = os.path.exists(OMPREPORT)
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def run(folder, *command, **settings):
    environment = os.environ | {"OMP_WAIT_POLICY": "passive"} | settings
    environment.pop("LD_LIBRARY_PATH", None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)


def kernel_counts():
    """Whether perf_event_open() allows this process to count page faults of its own."""
    software, page_faults, only_user_code = 1, 2, 1 << 5 | 1 << 6
    attributes = ctypes.create_string_buffer(struct.pack("IIQQQQQQQ", software, 64, page_faults, 0, 0, 0, only_user_code, 0, 0), 64)
    number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
    return ctypes.CDLL(None, use_errno=True).syscall(number, attributes, 0, -1, -1, ctypes.c_ulong(8)) >= 0


def summary(folder, **settings):
    done = run(folder, "./counters", SECONDS, POMP_SUMMARY="summary.json", POMP_SUMMARY_FORMAT="json", **settings)
    faults = [list(map(int, line.split())) for line in done.stdout.splitlines()]
    most = max(thread[2] for thread in faults) / (2 * float(SECONDS))
    return json.loads((folder / "summary.json").read_text()), [sum(thread[i] for thread in faults) for i in range(2)], most < CALM


def check_archive(folder, counted):
    """Reports of the archive say what the profile says."""
    if not HAS_ARCHIVES:
        return
    for by in ("--lines", "--functions", "--paths"):
        rows = json.loads(run(folder, OMPREPORT, "hot", by, "--format=json", "archive").stdout)["hot"]
        end = {"--paths": "path"}.get(by, "function")
        found = {name: sum(row["page_faults"] for row in rows if row[end].endswith(name)) for name in counted}
        expect(all(abs(found[name] - counted[name]) <= 0.01 * counted["faulty"] for name in counted), f"{by}: {found}, but {counted}")
    rows = json.loads(run(folder, OMPREPORT, "summary", "--format=json", "archive").stdout)["hot"]
    expect(sum(row["page_faults"] for row in rows if row["function"] == "faulty") > 0.99 * counted["faulty"], f"summary: {rows}")
    text = run(folder, OMPREPORT, "hot", "archive").stdout
    expect("page-faults" in text and "IPC" not in text, text)
    head = run(folder, OMPREPORT, "hot", "--format=csv", "archive").stdout.splitlines()[0]
    expect("page_faults" in head and "cycles" not in head, head)
    done = run(folder, OMPREPORT, "check", "archive")
    expect(done.returncode == 0, done.stdout)


def check_page_faults(folder, **settings):
    found, (calm, faulty), is_calm = summary(folder, **settings, **(TRACED if HAS_ARCHIVES else {}))
    rows = found["hot"]
    expect(rows and all("page_faults" in row and "cycles" not in row and "instructions_per_cycle" not in row for row in rows), f"rows: {rows}")
    counted = {name: sum(row.get("page_faults", 0) for row in rows if row["function"] == name) for name in ("calm", "faulty")}
    print(f"of {calm} and {faulty} page faults in calm() and faulty() {counted} were counted")
    expect(counted["faulty"] <= faulty, f"{counted}, but {faulty} in faulty()")
    expect(counted["calm"] < 0.02 * faulty, f"{counted}, but {calm} in calm()")
    check_archive(folder, counted)
    if not is_calm:
        print("the machine is too busy: nothing is said about what should have been counted")
        return
    # What counts is no sample of time. Before the clock, there are no more than ticks.
    rate = found["samples"] / (found["processor_time_ns"] * 1e-9)
    most = int(settings.get("POMP_SAMPLING", "250"))
    expect(0.8 * most < rate < 1.1 * most, f"{found['samples']} samples in {found['processor_time_ns']} ns")
    # The clock sees user code only, so what the kernel does for the function itself is at the next place.
    expect(counted["faulty"] > 0.8 * faulty, f"{counted}, but {faulty} in faulty()")
    text = run(folder, "./counters", SECONDS, **settings).stderr
    expect("page-faults" in text and "IPC" not in text, text)


def check_processor(folder):
    """By default: instructions and cycles where the machine has them, else nothing about counters."""
    found, _, _ = summary(folder)
    keys = [{"instructions", "cycles", "instructions_per_cycle"} & row.keys() for row in found["hot"]]
    expect(all(key == keys[0] for key in keys) and len(keys[0]) in (0, 3), f"by default: {found['hot']}")
    expect(not any("page_faults" in row for row in found["hot"]), f"by default: {found['hot']}")
    if keys[0]:
        rates = [row["instructions_per_cycle"] for row in found["hot"] if row["function"] == "calm"]
        print(f"calm() has {rates} instructions per cycle")
        expect(all(0.05 < rate < 10 for rate in rates), f"instructions per cycle: {rates}")
    off, _, _ = summary(folder, POMP_SAMPLE_COUNTERS="off", POMP_SAMPLE_EVENT="off")
    expect(not any(keys[0] & row.keys() for row in off["hot"]), f"off: {off['hot']}")
    expect(off["samples"] > 100, f"off: {off['samples']} samples")


if not kernel_counts():
    print("the kernel lets programs count nothing here")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    flags = ["-g", "-O1", "-fopenmp", "-D_GNU_SOURCE", SOURCE, "-o", "counters"]
    run(name, f"{BUILD}/instrumenter/ompinst", "gcc", *flags)
    check_page_faults(pathlib.Path(name), POMP_SAMPLE_COUNTERS="page-faults")
    check_page_faults(pathlib.Path(name), POMP_SAMPLE_COUNTERS="page-faults", POMP_SAMPLING="1000")
    check_page_faults(pathlib.Path(name), POMP_SAMPLE_COUNTERS="off", POMP_SAMPLE_EVENT="page-faults:100")
    check_processor(pathlib.Path(name))
sys.exit("\n".join(f"check-counters: {failure}" for failure in failures) if failures else 0)
