#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures a race finder on pairs of kernels: test/race/kernels has one file a pair, racy as it stands
and fixed with -DFIXED.

Each pair is compiled twice by a compiler with a prefix (`--build 'ompinst race'`) and run by a prefix
(`--run 'ompinst race run'`), or by itself several times (the baseline: gcc's ThreadSanitizer on a
runtime, `--library build/runtime`). The racy one should be reported (found, else missed), the fixed
one not (silent, else false alarm). A kernel without marks, as those of test/race/silent, has no racy side.

A report names the race when both of its places are lines of the kernel with a mark, `race: write x` or
`race: read x`, in a comment at the line's end. A directive stands for the statement behind it, too: gcc
gives it as the place of an atomic access. A possible deadlock is named by its places, marked with
`deadlock: lock a`, and by exactly those locks (with nothing in brackets). A memory error (`--build 'ompinst race
--memory'`) is named by where it happens and where the memory was freed or declared: `memory: read`. What `--lint 'ompinst lint'` warns of is counted beside.

With `--levels` the racy sides are compared between levels of optimisation: the same places and variables should be named at each.

All of them: measure.py --build 'ompinst race' --run 'ompinst race run --quiet' kernels silent
"""

import argparse
import collections
import concurrent.futures
import ctypes
import errno
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LANGUAGES = {".c": "C", ".cc": "C++", ".F90": "Fortran"}
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))  # how many times slower than usual this machine is
TSAN_STATUS = 66
NOT_HERE = 77
MARK = re.compile(r"race: (?:read|write)\b|\bmemory: \w")
CRASH = re.compile(r"\bmemory: \w")
LOCK = re.compile(r"\bdeadlock: (.*?)(?: \*/)?$")
DIRECTIVE = re.compile(r"^\s*(#|!\$omp\b)", re.IGNORECASE)
GROUP = re.compile(r"^(?: \*|//|!) ([\w+ -]+): \S")

Pair = collections.namedtuple("Pair", "name path language group marks locks crashes")
Verdict = collections.namedtuple("Verdict", "reported named places failure lint variables", defaults=((),))


def read_pair(path):
    """A kernel's file: its group from the head's first line, the lines that it marks."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    group = next((match.group(1) for match in map(GROUP.match, lines[1:]) if match), None)
    if group is None:
        sys.exit(f"{path}: expected a comment at its head that begins with 'GROUP: '")
    locks = {number: LOCK.search(line).group(1) for number, line in enumerate(lines[3:], 4) if LOCK.search(line)}
    marks = {number for number, line in enumerate(lines, 1) if MARK.search(line)} | set(locks)
    for number in sorted(marks):
        while number > 1 and DIRECTIVE.match(lines[number - 2]):
            number -= 1
            marks.add(number)
    stem, ending = os.path.splitext(os.path.basename(path))
    return Pair(stem, path, LANGUAGES[ending], group, marks, set(locks.values()),
                any(CRASH.search(line) for line in lines))


def find_pairs(folders, only):
    """The kernels of the folders; with `only`, those whose names are listed."""
    paths = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if os.path.splitext(n)[1] in LANGUAGES]
    pairs = [read_pair(path) for path in paths]
    missing = set(only) - {pair.name for pair in pairs}
    if missing:
        sys.exit(f"no such kernel: {', '.join(sorted(missing))}")
    return [pair for pair in pairs if not only or pair.name in only]


def compiler_command(options, language):
    compiler = {"C": options.cc, "C++": options.cxx, "Fortran": options.fc}[language]
    return shlex.split(options.build) + shlex.split(compiler) + shlex.split(options.flags)


def build(pair, options, folder, fixed):
    """The executable, or None and what the compiler said."""
    out = os.path.join(folder, pair.name + ("-fixed" if fixed else "-racy"))
    command = compiler_command(options, pair.language) + (["-DFIXED"] if fixed else [])
    if pair.language == "Fortran":
        modules = out + ".mod"
        os.makedirs(modules, exist_ok=True)
        command += ["-J", modules]
    command += [pair.path, "-o", out, "-lm"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return (out, "") if done.returncode == 0 else (None, done.stdout)


def run(command, environment, limit):
    """Exit status (None: it did not end in time) and what was printed, errors last."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", env=environment,
                              timeout=limit * TIME_LIMITS)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def sanitizer_reports(text, name):
    """For each report of ThreadSanitizer the lines of the two accesses: of the innermost frame in `name`, or 0."""
    reports = []
    for report in re.findall(r"WARNING: ThreadSanitizer: (?:data race|heap-use-after-free).*?(?===================|\Z)", text, re.DOTALL):
        stacks = report.split("\n\n")[:2]
        frames = [re.search(r"/" + re.escape(name) + r":(\d+)", stack) for stack in stacks]
        reports.append(tuple(sorted(int(frame.group(1)) if frame else 0 for frame in frames)))
    return reports


def baseline(program, pair, options, fixed):
    """Runs the program itself, with several numbers of threads, until there is a report."""
    reports, failure = {}, None
    tries = [(threads, repeat) for repeat in range(options.repeats) for threads in options.threads]
    for threads, _ in tries:
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_CANCELLATION="true", OMP_DYNAMIC="false",
                           TSAN_OPTIONS=f"exitcode={TSAN_STATUS} atexit_sleep_ms=0 " + os.environ.get("TSAN_OPTIONS", ""))
        if options.library:
            environment["LD_LIBRARY_PATH"] = options.library
        status, text = run(["setarch", platform.machine(), "-R", program], environment, options.limit)
        if "FATAL: ThreadSanitizer" in text:
            print(text[text.index("FATAL: ThreadSanitizer"):].splitlines()[0])
            sys.exit(NOT_HERE)
        if status is None:
            failure = f"did not end in {options.limit} s with {threads} threads"
        elif status not in (0, TSAN_STATUS) and (fixed or status < 0):
            failure = f"exit status {status} with {threads} threads"
        reports.update(dict.fromkeys(sanitizer_reports(text, os.path.basename(pair.path)), set()))
        if reports and not options.all_runs:
            break
    return reports, failure


def deadlock_reports(found, name, locks):
    """The lines of the places of each deadlock, or 0; with 0 if its locks have other names."""
    for deadlock in found["deadlocks"]:
        places = [step[key] for step in deadlock["steps"] for key in ("holds", "wants")]
        lines = {place["line"] or 0 if os.path.basename(place["file"] or "") == name else 0 for place in places}
        names = {re.sub(r"\[.*?\]", "[]", place["lock"]) for place in places}
        yield tuple(sorted(lines | ({0} if names != locks else set())))


def finder_reports(found, name, locks):
    """The races that count of a report of `ompinst race run`: the lines of both places of each, or 0, with what is accessed; and deadlocks."""
    reports = {lines: set(locks) for lines in deadlock_reports(found, name, locks)}
    for race in found["races"]:
        lines = [place["line"] or 0 if os.path.basename(place["file"] or "") == name else 0 for place in race["places"]]
        if race["counts"]:
            variables = reports.setdefault(tuple(sorted((lines + [0, 0])[:2])), set())
            variables.update(re.split(r"[\[.]|->", place["expression"] or "?")[0] for place in race["places"])
    return reports


def finder(program, pair, options, fixed):
    """Lets `ompinst race run` run the program."""
    environment = dict(os.environ, OMP_CANCELLATION="true")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = shlex.split(options.run) + ["--format=json", f"--output={out.name}", program]
        status, text = run(command, environment, options.limit)
        report = out.read().decode("utf-8", errors="replace")
    if status not in (0, 1):
        return {}, f"did not end in {options.limit} s" if status is None else f"exit status {status}: {text[-300:].strip()}"
    try:
        found = json.loads(report)
    except json.JSONDecodeError as error:
        return {}, f"exit status {status}, report: {error}: {text[-300:].strip()}"
    ends = {"exited"} | ({"deadlock"} if pair.locks and not fixed else set()) | ({"signal"} if pair.crashes and not fixed else set())
    wrong = [one for one in found["runs"] if one["end"] not in ends or fixed and one["status"] != 0]
    reports = finder_reports(found, os.path.basename(pair.path), pair.locks)
    if (status == 1) != bool(reports):
        return reports, f"exit status {status} with {len(reports)} races"
    return reports, f"a run failed: {wrong[0]}" if wrong else None


def lint_lines(pair, options, fixed):
    """The lines that `ompinst lint`, which reads C and C++, warns of."""
    if not options.lint or pair.language == "Fortran":
        return []
    compiler = options.cc if pair.language == "C" else options.cxx
    command = shlex.split(options.lint) + ["--format=json"] + shlex.split(compiler) + ["-fopenmp", pair.path]
    done = subprocess.run(command + (["-DFIXED"] if fixed else []), stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{pair.path}: expected {shlex.join(command)} to end with status 0 or 1, not {done.returncode}")
    return sorted({finding["line"] for finding in json.loads(done.stdout)["findings"]})


def judge(pair, options, folder, fixed):
    """Builds and runs one side of a pair."""
    program, said = build(pair, options, folder, fixed)
    if program is None:
        return Verdict(False, False, [], "does not compile: " + said.strip()[-400:], [])
    reports, failure = (finder if options.run else baseline)(program, pair, options, fixed)
    os.unlink(program)
    right = [lines for lines in reports if set(lines) <= pair.marks]
    variables = sorted(set().union(*(reports[lines] for lines in right)))
    return Verdict(bool(reports), bool(right), sorted(reports), failure, lint_lines(pair, options, fixed), variables)


def measure(pair, options, folder):
    """The pair and the verdicts on its sides; None in place of a racy side that it lacks."""
    racy = judge(pair, options, folder, False) if pair.marks else None
    return pair, racy, judge(pair, options, folder, True)


def describe_found(pair, racy):
    found = "found" if racy.reported else "missed"
    if racy.reported and not racy.named:
        found += f", but not by its marked lines: {racy.places}, marked {sorted(pair.marks)}"
    if racy.lint:
        found += f", lint warns of {racy.lint}" + ("" if pair.marks & set(racy.lint) else ", which are not marked")
    return found + (f" ({racy.failure})" if racy.failure else "")


def describe(pair, racy, fixed):
    """One line: what became of both sides."""
    if is_skipped(racy, fixed):
        return f"{pair.name}: skipped: {racy and racy.failure or fixed.failure}"
    silent = f"FALSE ALARM at {fixed.places}" if fixed.reported else "silent"
    if fixed.lint:
        silent += f", LINT WARNS of {fixed.lint}"
    if fixed.failure:
        silent += f" (FAILED: {fixed.failure})"
    return f"{pair.name}: " + (f"{describe_found(pair, racy)}; fixed: {silent}" if racy else silent)


def is_skipped(*sides):
    return any(side and side.failure and side.failure.startswith("does not compile") for side in sides)


def rates(results):
    """Counts, recall and precision of some results."""
    judged = [(racy, fixed) for _, racy, fixed in results if not is_skipped(racy, fixed)]
    racy_sides = [racy for racy, _ in judged if racy]
    found = sum(racy.reported for racy in racy_sides)
    either = sum(racy.reported or bool(racy.lint) for racy in racy_sides)
    alarms = sum(fixed.reported for _, fixed in judged)
    return {
        "pairs": len(judged),
        "racy": len(racy_sides),
        "found": found,
        "named": sum(racy.named for racy in racy_sides),
        "false_alarms": alarms,
        "lint": sum(bool(racy.lint) for racy in racy_sides),
        "lint_false_alarms": sum(bool(fixed.lint) for _, fixed in judged),
        "either": either,
        "failed": sum(bool(racy and racy.failure or fixed.failure) for racy, fixed in judged),
        "skipped": len(results) - len(judged),
        "recall": round(found / len(racy_sides), 3) if racy_sides else None,
        "recall_either": round(either / len(racy_sides), 3) if racy_sides else None,
        "precision": round(found / (found + alarms), 3) if found + alarms else None,
    }


def summarize(results):
    """Rates of all, of each language and of each group."""
    table = {"all": rates(results)}
    for key in ("language", "group"):
        for value in sorted({getattr(pair, key) for pair, _, _ in results}):
            table[value] = rates([r for r in results if getattr(r[0], key) == value])
    return table


COLUMNS = {"pairs": 6, "found": 6, "named": 6, "false_alarms": 13, "failed": 7, "skipped": 8, "recall": 7, "precision": 10,
           "lint": 5, "lint_false_alarms": 18, "either": 7, "recall_either": 14}


def print_table(table):
    print("\n" + " " * 16 + "".join(name.rjust(width) for name, width in COLUMNS.items()))
    for name, row in table.items():
        texts = ("-" if row[key] is None else f"{row[key]:.3f}" if isinstance(row[key], float) else str(row[key]) for key in COLUMNS)
        print(f"{name:16}" + "".join(text.rjust(width) for text, width in zip(texts, COLUMNS.values())))


def write_json(path, results, table):
    pairs = [{"name": pair.name, "language": pair.language, "group": pair.group, "marks": sorted(pair.marks),
              "racy": racy and racy._asdict(), "fixed": fixed._asdict()} for pair, racy, fixed in results]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"pairs": pairs, "rates": table}, file, indent=1)


def describe_level(pair, racy):
    """What a level says of a racy side: its marked lines, or what else, and the variables there."""
    if racy.failure:
        return f"FAILED: {racy.failure}"
    lines = [places for places in racy.places if set(places) <= pair.marks] or racy.places
    return f"{'named' if racy.named else 'found elsewhere'} at {lines}, {racy.variables}" if racy.reported else "missed"


def are_same(racies):
    """Is the race named in all of them, or in none, by a variable that all have? Which others the runs show is chance."""
    common = set.intersection(*(set(racy.variables) for racy in racies))
    return len({racy.named for racy in racies}) == 1 and not any(racy.failure for racy in racies) and (bool(common) or not racies[0].named)


def compare_levels(pairs, options, folder, pool):
    """Measures the racy sides at each level: prints those whose finding is not the same at all, and a table. Returns whether all are."""
    by_level = {}
    for level in options.levels:
        options.flags = f"-fopenmp {level} -g"
        by_level[level] = dict(zip([pair.name for pair in pairs], pool.map(lambda pair: judge(pair, options, folder, False), pairs)))
        print(f"{level}: {sum(racy.named for racy in by_level[level].values())} of {len(pairs)} are named", flush=True)
    same = {pair.name: are_same([racies[pair.name] for racies in by_level.values()]) for pair in pairs}
    for pair in pairs:
        if not same[pair.name] or not by_level[options.levels[0]][pair.name].named:
            print(f"{pair.name}: " + "; ".join(f"{level} {describe_level(pair, racies[pair.name])}" for level, racies in by_level.items()))
    print("\n" + " " * 16 + " kernels" + "".join(level.rjust(8) for level in by_level) + "    same")
    for language in sorted({pair.language for pair in pairs}):
        own = [pair.name for pair in pairs if pair.language == language]
        named = (sum(racies[name].named for name in own) for racies in by_level.values())
        print(f"{language:16}{len(own):8}" + "".join(str(number).rjust(8) for number in named) + f"{sum(same[name] for name in own):8}")
    return all(same.values())


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="", metavar="PREFIX", help="before the compiler, such as 'ompinst race'")
    parser.add_argument("--run", default="", metavar="PREFIX", help="before the program, such as 'ompinst race run'; none: the baseline")
    parser.add_argument("--lint", default="", metavar="COMMAND", help="such as 'ompinst lint': what it warns of, besides")
    parser.add_argument("--cc", default="gcc", help="compiler of C (default: %(default)s)")
    parser.add_argument("--cxx", default="g++", help="compiler of C++ (default: %(default)s)")
    parser.add_argument("--fc", default="gfortran", help="compiler of Fortran (default: %(default)s)")
    parser.add_argument("--flags", help="compiler's flags (default: -fopenmp -O1 -g, and -fsanitize=thread without --build)")
    parser.add_argument("--levels", type=lambda text: text.split(","), metavar="-O0,...",
                        help="compare what is found in the racy sides at these levels of optimisation, as in --levels=-O0,-O1,-O2,-O3")
    parser.add_argument("--library", metavar="FOLDER", help="the baseline's LD_LIBRARY_PATH: whose runtime to use")
    parser.add_argument("--threads", default="2,3,8", type=lambda text: [int(n) for n in text.split(",")], help="the baseline's numbers")
    parser.add_argument("--repeats", default=3, type=int, help="the baseline's runs with each of them (default: %(default)s)")
    parser.add_argument("--all-runs", action="store_true", help="the baseline goes on after the first report")
    parser.add_argument("--limit", default=60, type=int, metavar="SECONDS", help="for one run (default: %(default)s)")
    parser.add_argument("--jobs", "-j", default=2, type=int, help="pairs at once (default: %(default)s)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these kernels only")
    parser.add_argument("--json", metavar="FILE", help="write all verdicts and rates")
    parser.add_argument("--check", action="store_true", help="fail unless all races are found and named, and no fixed one is reported")
    parser.add_argument("folders", nargs="*", default=[os.path.join(HERE, "kernels")], help="folders of kernels")
    options = parser.parse_args()
    if options.flags is None:
        options.flags = "-fopenmp -O1 -g" + ("" if options.build else " -fsanitize=thread")
    return options


def is_emulated():
    """Whether this is qemu-user, which has no ptrace(2): programs with ThreadSanitizer do not come to their begin there."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.ptrace(16, -1, None, None) == -1 and ctypes.get_errno() == errno.ENOSYS


def main():
    options = read_options()
    if is_emulated():
        print("needs ThreadSanitizer, which does not run in an emulator")
        return NOT_HERE
    pairs = find_pairs(options.folders, options.only)
    with tempfile.TemporaryDirectory(prefix="race-kernels-") as folder, \
         concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.levels:
            return 0 if compare_levels([pair for pair in pairs if pair.marks], options, folder, pool) else 1
        results = []
        for result in pool.map(lambda pair: measure(pair, options, folder), pairs):
            results.append(result)
            print(describe(*result), flush=True)
    table = summarize(results)
    print_table(table)
    if options.json:
        write_json(options.json, results, table)
    whole = table["all"]
    wrong = whole["false_alarms"] or whole["failed"] or whole["named"] < whole["racy"] or whole["skipped"]
    return 1 if options.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
