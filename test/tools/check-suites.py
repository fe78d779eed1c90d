# SPDX-License-Identifier: BSD-3-Clause
"""Whether `tools/test` runs every test of the build, and `tools/test --changed` those that a change can make fail.

Each test is in a suite that tools/test knows. Of what a suite's tests are made of, and of the scripts that they run, the
table of tools/rooms.txt says that a change can make the suite fail. Usage: check-suites.py TOP BUILD
"""
import collections
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

top, build = (os.path.realpath(folder) for folder in sys.argv[1:])


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def load(name):
    """A program of tools/ as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(top, "tools", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def read(name):
    with open(os.path.join(build, "meson-info", name), encoding="utf-8") as file:
        return json.load(file)


def headers_of():
    """{target: what the compiler read to make it}, as far as it was made."""
    headers, target = collections.defaultdict(list), None
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith("    "):
            headers[target].append(line.strip())
        elif ": #deps" in line:
            target = line.split(":")[0]
    return headers


def sources_of(tests):
    """What these tests are made of and run, relative to the top."""
    files = {target["id"]: target["filename"] for target in read("intro-targets.json")}
    needed = {os.path.relpath(path, build) for test in tests for target in test["depends"] for path in files[target]}
    made = set(output_of("ninja", "-C", build, "--quiet", "-t", "inputs", *sorted(needed)).splitlines()) | needed if needed else set()
    paths = {os.path.join(build, path) for target in made for path in [target] + headers[target]}
    paths |= {word for test in tests for word in test["cmd"] if os.path.isfile(word)}
    inside = {os.path.relpath(os.path.realpath(path), top) for path in paths}
    return {path for path in inside if not path.startswith((os.pardir, os.path.relpath(build, top) + "/"))}


known = set(output_of(os.path.join(top, "tools/test"), "--list").split())
NIGHTLY = "full" # of tools/test full besides; each of its tests is a longer one of another suite
by_suite = collections.defaultdict(list)
left = []
every = read("intro-tests.json")
for one in every:
    suites = {suite.rpartition(":")[2] for suite in one["suite"]}
    if not (known | {NIGHTLY}) & suites:
        left.append(one["name"])
    for suite in suites - {NIGHTLY}:
        by_suite[suite].append(one)
problems = [f"'{name}' is in no suite of: {' '.join(sorted(known))}" for name in left]

changed, headers = load("changed-suites"), headers_of()
table = changed.read_table(top)
for path, suites in table.items():
    if not os.path.exists(os.path.join(top, path)):
        problems.append(f"tools/rooms.txt: suites {path}: there is no such path")
    problems += [f"tools/rooms.txt: suites {path}: '{suite}': expected one of: {' '.join(sorted(known))}" for suite in suites - known]
for suite, tests in sorted(by_suite.items()):
    for path in sorted(sources_of(tests)):
        suites = changed.suites_of(table, path)
        if suites is not None and suite not in suites:
            problems.append(f"a test of the suite '{suite}' uses {path}: add the suite to its line in tools/rooms.txt")

print("\n".join(problems))
print(f"{len(every)} tests, {len(problems)} problems")
sys.exit(1 if problems or not every else 0)
