#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures `ompinst sharing` on pairs of kernels: test/sharing/kernels has one file a pair, which shares cache
lines as it stands and does not with -DFIXED.

Each side is compiled by a compiler with a prefix (`--build 'ompinst sharing'`) and run by another one
(`--run 'ompinst sharing run'`). The sharing one should be found (else missed), the fixed one not (silent, else
false alarm).

A kernel's head begins with `GROUP: what happens`. A line that accesses what is shared ends with a comment
`sharing: KIND VARIABLE`; KIND is `false`, `true`, `possible`, `moved` (by `sharing run --locality`) or `first` (uses of
what others touched first; lines where that is touched first end with `touched: VARIABLE`), VARIABLE the name without index and members. A kernel
is found if a finding that counts has this kind and variable and a place on a marked line, named if each finding
that counts has those. What is possible never counts: it is looked for in kernels with such marks only. A directive counts with the statement behind it. A kernel without marks has only the
fixed side.

With `--cost` the time and the memory of each fixed side are compared with those of a plain build.

All of them: measure.py --build 'ompinst sharing' --run 'ompinst sharing run' kernels
"""

import argparse
import collections
import json
import math
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

LANGUAGES = {".c": "C", ".cc": "C++", ".F90": "Fortran"}
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))  # how many times slower than usual this machine is
MARK = re.compile(r"sharing: (false|true|possible|moved|first) (\w+)")
TOUCHED = re.compile(r"touched: (\w+)")
KINDS = {"false": "false-sharing", "true": "true-sharing", "possible": "possible-false-sharing",
         "moved": "moved-data", "first": "first-touch"}
DIRECTIVE = re.compile(r"^\s*(#|!\$omp\b)", re.IGNORECASE)
GROUP = re.compile(r"^(?: \*|/\*|//|!) ([\w+ -]+): \S")

Pair = collections.namedtuple("Pair", "name path language group marks")
Verdict = collections.namedtuple("Verdict", "found named failure findings")


def read_pair(path):
    """A kernel's file: its group from its head, the lines that it marks with kind and variable."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    group = next((match.group(1) for match in map(GROUP.match, lines[1:]) if match), None)
    if group is None:
        sys.exit(f"{path}: expected a comment at its head that begins with 'GROUP: '")
    marks = collections.defaultdict(set)
    for number, line in enumerate(lines, 1):
        for kind, variable in MARK.findall(line):
            marks[KINDS[kind], variable].add(number)
            if number > 1 and DIRECTIVE.match(lines[number - 2]):
                marks[KINDS[kind], variable].add(number - 1)
        for variable in TOUCHED.findall(line):
            marks["touched", variable].add(number)
    stem, ending = os.path.splitext(os.path.basename(path))
    return Pair(stem, path, LANGUAGES[ending], group, dict(marks))


def find_pairs(folders, only):
    """The kernels of the folders; with `only`, those whose names are listed."""
    paths = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if os.path.splitext(n)[1] in LANGUAGES]
    pairs = [read_pair(path) for path in paths]
    missing = set(only) - {pair.name for pair in pairs}
    if missing:
        sys.exit(f"no such kernel: {', '.join(sorted(missing))}")
    return [pair for pair in pairs if not only or pair.name in only]


def compile_pair(pair, options, folder, fixed, prefix):
    """The executable, or None and what the compiler said."""
    out = os.path.join(folder, pair.name + ("-fixed" if fixed else "-shared") + ("" if prefix else "-plain"))
    compiler = {"C": options.cc, "C++": options.cxx, "Fortran": options.fc}[pair.language]
    command = shlex.split(prefix) + shlex.split(compiler) + shlex.split(options.flags) + (["-DFIXED"] if fixed else [])
    if pair.language == "Fortran":
        os.makedirs(out + ".mod", exist_ok=True)
        command += ["-J", out + ".mod"]
    done = subprocess.run(command + [pair.path, "-o", out, "-lm"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return (out, "") if done.returncode == 0 else (None, done.stdout)


def is_named(finding, pair):
    """Has the finding a kind, a variable and a place that are marked, also where it was touched first?"""
    variable = re.split(r"\W", finding["variable"] or "?")[0]

    def is_marked(places, kind):
        lines = {place["line"] for place in places if os.path.basename(place["file"] or "") == os.path.basename(pair.path)}
        return bool(lines & pair.marks.get((kind, variable), set()))

    return is_marked(finding["places"], finding["kind"]) and ("touched" not in finding or is_marked(finding["touched"], "touched"))


def judge(pair, options, folder, fixed):
    """Builds and runs one side of a pair."""
    program, said = compile_pair(pair, options, folder, fixed, options.build)
    if program is None:
        return Verdict(False, False, "does not compile: " + said.strip()[-400:], [])
    report = program + ".json"
    wanted = {kind for kind, _ in pair.marks if kind == KINDS["possible"]}
    command = shlex.split(options.run) + ["--all"] * len(wanted) + ["--format=json", f"--output={report}", program]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=options.limit * TIME_LIMITS, check=False)
    except subprocess.TimeoutExpired:
        return Verdict(False, False, f"did not end in {options.limit} s", [])
    if done.returncode not in (0, 1):
        return Verdict(False, False, f"exit status {done.returncode}: {done.stderr[-300:].strip()}", [])
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    findings = [finding for finding in found["findings"] if finding["counts"] or finding["kind"] in wanted]
    failure = None
    if (done.returncode == 1) != any(finding["counts"] for finding in findings):
        failure = f"exit status {done.returncode} with {len(findings)} findings"
    elif found["run"]["end"] != "exited" or found["run"]["status"] != 0:
        failure = f"the run failed: {found['run']}"
    named = [finding for finding in findings if is_named(finding, pair)]
    return Verdict(bool(named), bool(named) and len(named) == len(findings), failure, findings)


def timed(command):
    """Seconds and the most memory of a command."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begin, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def cost_of(pair, options, folder):
    """Processor time and memory under the build's runs, in times of the plain program's; the least of three."""
    plain, _ = compile_pair(pair, options, folder, True, "")
    noted, _ = compile_pair(pair, options, folder, True, options.build)
    logs = tempfile.mkdtemp(dir=folder)
    best = {}
    for name, command in (("plain", [plain]), ("noted", ["env", f"OMPINST_SHARING=log={logs}", noted])):
        runs = [timed(command) for _ in range(3)]
        best[name] = [min(run[i] for run in runs) for i in range(3)]
    return best["noted"][2] / max(best["plain"][2], 1e-3), best["noted"][1] / best["plain"][1]


def describe(verdict):
    return "; ".join(f"{f['kind']} of {f['variable']} at {', '.join(str(p['line']) for p in f['places'][:3])}"
                     for f in verdict.findings) or "nothing"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def add_options(parser):
    """How kernels are built and run."""
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--build", required=True, help="what comes before the compiler")
    parser.add_argument("--run", required=True, help="what comes before the program")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--fc", default="gfortran")
    parser.add_argument("--flags", default="-O2 -g -fopenmp")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run")
    parser.add_argument("--only", nargs="+", default=[], help="names of kernels")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--check", action="store_true", help="fail unless all are found and named, and all fixed ones silent")
    parser.add_argument("--cost", action="store_true", help="measure time and memory, too")
    options = parser.parse_args()
    counts, costs, wrong = collections.Counter(), [], 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        for pair in find_pairs(options.folders, options.only):
            for fixed in ([False] if pair.marks else []) + [True]:
                verdict = judge(pair, options, folder, fixed)
                good = not verdict.findings if fixed else verdict.found
                word = ("silent" if good else "false alarm") if fixed else ("found" if good else "missed")
                counts[word] += 1
                counts["named"] += verdict.named
                bad = not good or verdict.failure or not fixed and not verdict.named
                wrong += bool(bad)
                print(f"{'NOT ' if bad else ''}ok {pair.name}{' fixed' if fixed else ''}: {word}"
                      + (f" ({describe(verdict)})" if bad else "") + (f": {verdict.failure}" if verdict.failure else ""), flush=True)
            if options.cost:
                costs.append(cost_of(pair, options, folder))
                print(f"   {pair.name}: {costs[-1][0]:.1f} times the processor time, {costs[-1][1]:.1f} times the memory", flush=True)
    shared, fixed = counts["found"] + counts["missed"], counts["silent"] + counts["false alarm"]
    print(f"found {counts['found']} of {shared}, with exactly the marked places {counts['named']}; "
          f"false alarms in {counts['false alarm']} of {fixed}")
    if costs:
        print(f"geometric means: {geometric_mean([c[0] for c in costs]):.1f} times the processor time, "
              f"{geometric_mean([c[1] for c in costs]):.1f} times the memory")
    return 1 if options.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
