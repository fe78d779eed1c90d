# SPDX-License-Identifier: BSD-3-Clause
"""What the advice says when threads have too few processors.

check-few-processors.py PROGRAM quota|affinity|places

PROGRAM has two threads that need a processor each. They get a quota of a tenth of a processor, one processor by the
process's affinity, or both are bound to one by OMP_PLACES.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, WAY = sys.argv[1:3]
NANOSECONDS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}


def fail(text):
    sys.exit(f"check-few-processors: {text}")


def skip(reason):
    print(reason)
    sys.exit(77)


class Group:
    """A control group with a quota of a tenth of a processor, below the one that is visible here."""

    def __init__(self):
        self.folder = None

    def make(self):
        for mounted, files in (("/sys/fs/cgroup/cpu", {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "10000"}),
                               ("/sys/fs/cgroup", {"cpu.max": "10000 100000"})):
            folder = pathlib.Path(mounted) / f"pomp-test-{os.getpid()}"
            try:
                folder.mkdir()
                self.folder = folder
                for name, text in files.items():
                    # Opening a file that is not there would make it, in a folder that is no group.
                    with open(os.open(folder / name, os.O_WRONLY), "w") as file:
                        file.write(text)
                return
            except OSError as error:
                reason = error
                self.remove()
        skip(f"no control group can be made here: {reason}")

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        if self.folder:
            self.folder.rmdir()
        self.folder = None


def run(**options):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "GOMP_"))}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "summary.json"
        environment |= {"POMP_SUMMARY": str(file), "POMP_SUMMARY_FORMAT": "json"} | options.pop("environment", {})
        subprocess.run([PROGRAM], env=environment, check=True, **options)
        return json.loads(file.read_text())


def expect(summary, pattern):
    found = re.match(pattern, summary["advice"][0])
    return found or fail(f"expected '{pattern}': {summary['advice']}")


def check_quota():
    group = Group()
    group.make()
    try:
        summary = run(preexec_fn=group.enter)
    finally:
        group.remove()
    if summary["quota_thousandths"] != 100:
        fail(f"a quota of {summary['quota_thousandths']} thousandths")
    if summary["throttled_ns"] < summary["thread_time_ns"]["delayed"] / 2:
        skip(f"the machine is busy: {summary['throttled_ns']} ns throttled: {summary['advice'][0]}")
    found = expect(summary, r"A quota of 0\.10 processors stopped the process's control group for ([0-9.]+)(\w+):")
    said, known = float(found[1]) * NANOSECONDS[found[2]], summary["throttled_ns"]
    # 0.7 s of work take 7 s, in which two threads have little else to wait for.
    if abs(said - known) > 0.01 * known or known < 3e9:
        fail(f"{known} ns throttled: {summary['advice'][0]}")


def expect_affinity(summary):
    expect(summary, r"2 threads on 1 processor: .* The process's affinity \(taskset, OMP_PLACES, a batch system, a "
                    rf"container\) leaves 1 of the machine's {os.sysconf('SC_NPROCESSORS_ONLN')} processors\.")


def check_affinity():
    one = {min(os.sched_getaffinity(0))}
    expect_affinity(run(preexec_fn=lambda: os.sched_setaffinity(0, one)))


def check_places():
    """Whether the runtime binds the initial thread before libpomp is loaded is the loader's affair."""
    environment = {"OMP_PLACES": f"{{{min(os.sched_getaffinity(0))}}}", "OMP_PROC_BIND": "close"}
    summary = run(environment=environment)
    if summary["processors"] == 1:
        expect_affinity(summary)
        return
    expect(summary, r"2 threads on 1 processor: .* The threads' own places \(OMP_PLACES, OMP_PROC_BIND\) leave 1 of "
                    rf"the process's {summary['processors']} processors\.")


def main():
    if len(os.sched_getaffinity(0)) < 2:
        skip("this needs two processors")
    {"quota": check_quota, "affinity": check_affinity, "places": check_places}[WAY]()


main()
