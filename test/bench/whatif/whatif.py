#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether `ompreport whatif` keeps its word: predictions, stored before programs are changed, and what came.

whatif.py [--rounds N] [CASE...]       predicts, stores the predictions, changes the programs, runs them, and compares
whatif.py --predictions-only [CASE...] predicts and stores
whatif.py --check [CASE...]            changes and runs what predictions are stored of, and compares
whatif.py --compile [CASE...]          only compiles what the others run, for which a machine need not be quiet
whatif.py --table                      prints what was compared so far as Markdown

CASE is a program's name, or a pattern for `PROGRAM CHANGE, T=THREADS`; cases.py has them all. A prediction is made from
the trace of the median of N runs by wall time. Then the changed program is compiled and runs N times, also traced, in
turns with the unchanged one; wall times are those in the traces. A run during which other processes took processor
time is repeated. When the unchanged program takes another time than when it was predicted from, by more than 5 %,
prediction and comparison are made again, three times at most; the table says so.

Everything is kept in a folder (--work): predictions.jsonl, one line a prediction with its time and a digest of the
archive that it was made from, and results.jsonl. A later line about a case overrules an earlier one. A prediction
is stored before the changed program runs for the first time. --sample N takes N cases of the programs of this folder, spread over
all kinds of change.

Where `whatif` gives an interval and no wall time, the table says whether the changed program's time lies in it, and has no error.
"""
import argparse
import datetime
import fnmatch
import hashlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys

import cases
import debian

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import results as files  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
# Of a run's wall time, what others may take of the processors before it is repeated.
OTHERS, ATTEMPTS = 0.05, 4
# Seconds of them that the machine's counts, in ticks of 10 ms for each kind of time, cannot show.
RESOLUTION = 0.02
# By how much the unchanged program may differ before and after: else both are measured again.
DRIFT, TRIES = 0.05, 3


def say(text):
    print(f"whatif: {text}", file=sys.stderr, flush=True)


def name_of(case, team):
    way = f"POMP_SCALE {case.delay:g}" if case.delay else case.define or (case.edit and "edited") or ""
    return f"{case.program} {case.change}{f' ({way})' if way else ''}, T={team}"


def busy_seconds():
    """Processor time of the whole machine so far."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    busy = sum(map(int, fields[:3])) + sum(map(int, fields[5:8]))
    return busy / os.sysconf("SC_CLK_TCK")


def is_newer(path, others):
    return path.exists() and all(path.stat().st_mtime > other.stat().st_mtime for other in others)


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bench:
    """The folder in which everything is kept, the tools of a build, and the table of cases."""
    NAME, TABLE, WRAPPER = "whatif", cases, ()

    def __init__(self, options):
        self.programs = {program.name: program for program in self.TABLE.PROGRAMS}
        self.work, self.rounds, self.build = options.work.resolve(), options.rounds, options.build.resolve()
        self.ompreport = options.ompreport or self.build / "reports" / "ompreport"
        self.work.mkdir(parents=True, exist_ok=True)
        self.compiled = {}

    def text(self, name):
        path = self.work / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def store(self, name, record):
        with open(self.work / name, "a", encoding="utf-8") as out:
            out.write(json.dumps(record) + "\n")
            out.flush()
            os.fsync(out.fileno())

    def sources(self, program, folder, edit):
        """The program's files, in the folder where they are compiled; edited there."""
        if program.package is None:
            return [HERE / file for file in program.files]
        origin = debian.source(program.package, self.work / "source", TOP / "tools" / "fetch-source")
        if not folder.exists():
            shutil.copytree(origin, folder)
        elif edit:
            edit = None  # it is
        files = [path for pattern in program.files for path in sorted(folder.glob(pattern))]
        if edit:
            self.edit(files, *edit)
        return files

    @staticmethod
    def edit(files, line, before, after):
        """Replaces a text in that line, which is in one of the files alone."""
        found = 0
        for path in files:
            lines = path.read_text(encoding="latin-1").split("\n")
            if len(lines) >= int(line) and before in lines[int(line) - 1] and "omp" in lines[int(line) - 1]:
                lines[int(line) - 1] = lines[int(line) - 1].replace(before, after)
                path.write_text("\n".join(lines), encoding="latin-1")
                found += 1
        if found != 1:
            sys.exit(f"whatif: '{before}' in line {line}: expected in one file, found in {found}")

    def compile(self, program, define="", edit=None):
        """The program as it is with these macros and that edit, compiled once; returns its path."""
        key = (program.name, define, edit)
        if key in self.compiled:
            return self.compiled[key]
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:10]
        folder = self.work / "programs" / f"{program.name}-{digest}"
        folder.mkdir(parents=True, exist_ok=True)
        files = self.sources(program, folder / "source", edit)
        compiler = "g++" if files[0].suffix in (".c++", ".cpp") else "gcc"
        libraries = [flag for flag in program.flags if flag.startswith("-l")]
        flags = [flag for flag in program.flags if flag not in libraries]
        command = [self.build / "instrumenter" / "ompinst", *self.WRAPPER, compiler, "-fopenmp", *flags,
                   *(f"-D{word}" for word in define.split()), *files, "-o", folder / "program", "-lm", *libraries]
        made_of = [*files, self.build / "instrumenter" / "ompinst", *(HERE / program.files[0]).parent.glob("*.h")]
        if is_newer(folder / "program", made_of):
            self.compiled[key] = folder / "program"
            return self.compiled[key]
        say(f"compiles {program.name} {define or (edit and 'edited') or ''}".rstrip())
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment())
        if done.returncode != 0:
            sys.exit(f"whatif: {program.name} {define}: {done.stderr[-2000:]}")
        self.compiled[key] = folder / "program"
        return self.compiled[key]

    def environment(self, **settings):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "OMPINST_"))}
        kept["LD_LIBRARY_PATH"] = f"{self.build / 'runtime'}:{self.build / 'pomp'}"
        return kept | {key: str(value) for key, value in settings.items()}

    def run_once(self, program, path, team, trace, **settings):
        """One traced run: the wall time in its trace, nanoseconds, and what others took of the processors, seconds."""
        folder = self.work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.rmtree(trace, ignore_errors=True)
        given = {"threads": str(team)}
        if program.make_input:
            given["input"] = str(debian.make_input(program.make_input, self.work / "input"))
        command = [path, *(argument.format(**given) for argument in program.arguments)]
        environment = self.environment(OMP_NUM_THREADS=team, POMP_ENABLE_TRACING="yes", POMP_SUMMARY="off",
                                       POMP_EXPERIMENT_DIRECTORY=trace, **settings)
        busy, own = busy_seconds(), own_seconds()
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, timeout=120)
        others = busy_seconds() - busy - (own_seconds() - own)
        if done.returncode != 0:
            sys.exit(f"whatif: {program.name}: status {done.returncode}: {done.stderr[-2000:]}")
        said = subprocess.run([self.ompreport, "summary", "--format=json", trace], capture_output=True, text=True)
        if said.returncode != 0:
            sys.exit(f"whatif: {program.name}: {said.stderr}")
        return json.loads(said.stdout)["wall_ns"], others

    def run(self, program, path, team, trace, **settings):
        """A run of which others took little, else the least disturbed of some: its nanoseconds, and whether it is the latter."""
        tried = []
        for attempt in range(ATTEMPTS):
            attempted = trace.with_name(f"{trace.name}-{attempt}")
            wall, others = self.run_once(program, path, team, attempted, **settings)
            tried.append((others / (wall / 1e9), wall, attempted))
            is_noisy = others > max(OTHERS * wall / 1e9, RESOLUTION)
            if not is_noisy:
                break
        shutil.rmtree(trace, ignore_errors=True)
        quiet = min(tried) if is_noisy else tried[-1]
        quiet[2].rename(trace)
        for *_, attempted in tried:
            shutil.rmtree(attempted, ignore_errors=True)
        return quiet[1], is_noisy

    def marks(self, program):
        """The places that comments `// @name` give names to."""
        found = {}
        for file in program.files if program.package is None else ():
            for number, line in enumerate((HERE / file).read_text().splitlines(), 1):
                if "// @" in line:
                    found[line.split("// @")[1].strip()] = f"{pathlib.Path(file).name}:{number}"
        return found

    def option(self, case):
        """The change with the lines of its marks."""
        for name, place in self.marks(self.programs[case.program]).items():
            for end in (" ", "=", ""):
                if f"@{name}{end}" in case.change and (end or case.change.endswith(f"@{name}")):
                    return case.change.replace(f"@{name}{end}", place + end)
        return case.change

    def print_results(self, records):
        print_table(records, self.TABLE)

    def rows(self, records):
        """What --json writes about them first."""
        return summaries(records, self.TABLE)


def digest(trace):
    """What tells an archive from any other: a digest of all its files."""
    whole = hashlib.sha256()
    for path in sorted(trace.rglob("*")):
        if path.is_file():
            whole.update(str(path.relative_to(trace)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def predict(bench, program, chosen):
    """Traces the unchanged program and stores what is predicted of these cases with their teams."""
    path = bench.compile(program)
    for team in sorted({team for _, team in chosen}):
        folder = bench.work / "traces" / f"{program.name}-{team}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        runs = sorted((*bench.run(program, path, team, folder / str(i)), i) for i in range(bench.rounds))
        wall, is_noisy, median = runs[len(runs) // 2]
        for *_, number in runs:
            if number != median:
                shutil.rmtree(folder / str(number))
        for case in [case for case, its_team in chosen if its_team == team]:
            predict_case(bench, case, team, folder / str(median), {"before": wall, "noisy_before": is_noisy})
    say(f"{program.name}: {len(chosen)} predictions stored")


def predict_case(bench, case, team, archive, run):
    option = bench.option(case)
    said = subprocess.run([bench.ompreport, "whatif", archive, option, "--format=json"], capture_output=True, text=True)
    record = {"case": name_of(case, team), "option": option, "when": datetime.datetime.now().astimezone().isoformat(),
              "archive": digest(archive), **run}
    if said.returncode == 0:
        found = json.loads(said.stdout)
        # Where only limits are known, there is an interval and no wall time: None.
        record |= {"replayed": found["replayed_ns"], "predicted": found["predicted_ns"], "low": found["low_ns"], "high": found["high_ns"]}
    else:
        record["refused"] = said.stderr.strip() or " ".join(json.loads(said.stdout)["notes"])
    bench.store("predictions.jsonl", record)


def scale_of(bench, case):
    """POMP_SCALE by which everything but the case's region is slower."""
    region = bench.option(case).split("=", 1)[1].rsplit("=", 1)[0]
    return f"*={case.delay:g},{region}=1"


def variant_of(bench, program, case, team):
    """How a case's changed program runs: its path, threads, settings, and what its time is divided by."""
    if case.delay:
        return bench.compile(program), team, (("POMP_SCALE", scale_of(bench, case)),), case.delay
    return bench.compile(program, case.define, case.edit), case.threads or team, (), 1


def check(bench, program, chosen, stored, number_of_try):
    """
    Changes the program, runs it in turns with the unchanged one, and stores the comparison. Returns whether the machine
    was the same as when the predictions were made.
    """
    unchanged = {team: (bench.compile(program), team, (), 1) for _, team in chosen}
    changed = {(case, team): variant_of(bench, program, case, team) for case, team in chosen}
    times = {variant: [] for variant in [*unchanged.values(), *changed.values()]}
    noisy = dict.fromkeys(times, 0)
    trace = bench.work / "traces" / "changed"
    for number in range(bench.rounds):
        for variant in list(times) if number % 2 == 0 else reversed(list(times)):
            path, threads, settings, divisor = variant
            wall, is_noisy = bench.run(program, path, threads, trace, **dict(settings))
            times[variant].append(wall / divisor)
            noisy[variant] += is_noisy
    shutil.rmtree(trace, ignore_errors=True)
    same = True
    for case, team in chosen:
        record = dict(stored[name_of(case, team)])
        runs = times[changed[case, team]]
        record |= {"again": statistics.median(times[unchanged[team]]), "after": statistics.median(runs), "runs": runs,
                   "change": case.change, "team": team, "program": program.name, "why": case.why, "try": number_of_try,
                   "noisy": noisy[unchanged[team]] + noisy[changed[case, team]]}
        bench.store("results.jsonl", record)
        same &= abs(record["before"] / record["again"] - 1) <= DRIFT
    say(f"{program.name}: {len(chosen)} cases compared{'' if same else ', but the machine was not the same'}")
    return same


def latest(records):
    return {record["case"]: record for record in records}


def choose(patterns, table):
    """program: (case, team)s, of what the patterns name."""
    chosen, names = {}, [program.name for program in table.PROGRAMS]
    for case in table.CASES:
        for team in case.teams:
            if not patterns or any(pattern == case.program or fnmatch.fnmatch(name_of(case, team), pattern)
                                   for pattern in patterns):
                chosen.setdefault(case.program, []).append((case, team))
    if not chosen:
        sys.exit(f"whatif: {' '.join(patterns)}: expected a program of {' '.join(names)}, or a pattern for a case")
    return {name: sorted(chosen[name], key=lambda pair: pair[1]) for name in names if name in chosen}


def sample_of(chosen, programs, size):
    """So many of the cases of this folder's programs, spread evenly over the kinds of change and the programs."""
    own = [pair for name, pairs in chosen.items() if programs[name].package is None for pair in pairs]
    own.sort(key=lambda pair: kind_of(pair[0]))
    taken = {own[i * len(own) // size] for i in range(size)} if size < len(own) else set(own)
    return {name: left for name, pairs in chosen.items() if (left := [pair for pair in pairs if pair in taken])}


def error_of(record, paired=False):
    """Of the prediction, in percent; paired: as if the unchanged program had taken the same time before and after."""
    drift = record["again"] / record["before"] if paired else 1
    return 100 * (record["predicted"] * drift / record["after"] - 1)


def percentile(values, share):
    """The smallest value that at least so many are no larger than."""
    values = sorted(values)
    return values[max(0, -(-len(values) * share // 100) - 1)]


def milliseconds(time):
    return f"{time / 1e6:.1f}" if time < 1e8 else f"{time / 1e6:.0f}"


def kind_of(case):
    return case.change.split("=")[0] + (" (delays)" if case.delay else "")


def summary_of(name, records):
    """The errors of a group of predictions, in percent; None if none of them has a wall time."""
    pointed = [record for record in records if record["predicted"] is not None]
    errors = [abs(error_of(record)) for record in pointed]
    paired = [abs(error_of(record, paired=True)) for record in pointed]
    return {"group": name, "cases": len(records), "pointed": len(pointed), "median": statistics.median(errors) if errors else None,
            "ninety": percentile(errors, 90) if errors else None, "largest": max(errors, default=None),
            "paired": statistics.median(paired) if paired else None,
            "inside": sum(record["low"] <= record["after"] <= record["high"] for record in records)}


def summaries(records, table):
    """By kind of change, by number of threads, and of all."""
    judged, groups = [record for record in records if "predicted" in record], {}
    kinds = {name_of(case, team): kind_of(case) for case in table.CASES for team in case.teams}
    for record in judged:
        groups.setdefault(kinds[record["case"]], []).append(record)
        groups.setdefault(f"T={record['team']}", []).append(record)
    return [summary_of(name, group) for name, group in sorted(groups.items())] + ([summary_of("all", judged)] if judged else [])


def summary_row(found):
    percents = " | ".join("" if found[key] is None else f"{found[key]:.{digits}f} %"
                          for key, digits in (("median", 1), ("ninety", 1), ("largest", 0), ("paired", 1)))
    name = f"`{found['group']}`" if found["group"].startswith("-") else f"**{found['group']}**" if found["group"] == "all" else found["group"]
    return f"| {name} | {found['cases']} | {found['pointed']} | {percents} | {found['inside']} of {found['cases']} |"


def remark_of(record, table):
    why = record["why"] or table.FOUND.get((record["program"], record["change"], record["team"]))
    words = [why] if why else []
    if record["try"] > 1:
        words.append(f"measured {record['try']} times")
    if abs(record["before"] / record["again"] - 1) > DRIFT:
        words.append(f"disturbed: unchanged {milliseconds(record['again'])} ms afterwards")
    return "; ".join(words)


def print_table(records, table):
    judged = [record for record in records if "predicted" in record]
    print("| change, T | cases | with a wall time | median error | 90th percentile | largest | median, paired | inside the interval |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|")
    print("\n".join(map(summary_row, summaries(records, table))))
    if judged:
        again = [100 * abs(record["before"] / record["again"] - 1) for record in judged]
        print(f"\nThe unchanged programs themselves took other times when the changed ones ran: median "
              f"{statistics.median(again):.1f} %, 90th percentile {percentile(again, 90):.1f} %.")
    print("\n| case | before, ms | replayed | predicted (from - to) | measured after | error | paired | inside | |\n"
          "|---|--:|--:|--:|--:|--:|--:|---|---|")
    for record in records:
        if "predicted" not in record:
            print(f"| {record['case']} | {milliseconds(record['before'])} | | refused: {record['refused']} | "
                  f"{milliseconds(record['after'])} | | | | {remark_of(record, table)} |")
            continue
        inside = "yes" if record["low"] <= record["after"] <= record["high"] else "no"
        interval = f"{milliseconds(record['low'])} - {milliseconds(record['high'])}"
        predicted, errors = f"n/a ({interval})", "| "
        if record["predicted"] is not None:
            predicted = f"{milliseconds(record['predicted'])} ({interval})"
            errors = f"{error_of(record):+.1f} % | {error_of(record, paired=True):+.1f} %"
        print(f"| {record['case']} | {milliseconds(record['before'])} | {milliseconds(record['replayed'])} | {predicted} | "
              f"{milliseconds(record['after'])} | {errors} | {inside} | {remark_of(record, table)} |")


def do(bench, options, program, chosen):
    """Predicts and compares, again where the machine was not the same."""
    for number in range(1, TRIES + 1):
        if not options.check:
            predict(bench, program, chosen)
        if options.predictions_only:
            return
        stored = latest(bench.text("predictions.jsonl"))
        known = [(case, team) for case, team in chosen if name_of(case, team) in stored]
        if not known or check(bench, program, known, stored, number) or options.check:
            return


def main(kind=Bench, description=__doc__):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--work", type=pathlib.Path, default=TOP / "build" / kind.NAME, help=f"folder (build/{kind.NAME})")
    parser.add_argument("--build", type=pathlib.Path, default=TOP / "build", help="a build of the project (build)")
    parser.add_argument("--ompreport", type=pathlib.Path, help="what predicts, instead of the build's")
    parser.add_argument("--list", action="store_true", help="print the cases")
    parser.add_argument("--predictions-only", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--sample", type=int, metavar="N")
    files.add_option(parser)
    options = parser.parse_intermixed_args()
    bench = kind(options)
    chosen = choose(options.cases, kind.TABLE)
    if options.sample:
        chosen = sample_of(chosen, bench.programs, options.sample)
    names = [name_of(case, team) for pairs in chosen.values() for case, team in pairs]
    if options.list:
        print("\n".join(names))
        return
    if options.table:
        results = latest(bench.text("results.jsonl"))
        bench.print_results([results[name] for name in names if name in results])
        return
    for name, pairs in chosen.items():
        if options.compile:
            for case, team in pairs:
                variant_of(bench, bench.programs[name], case, team)
        else:
            do(bench, options, bench.programs[name], pairs)
    if options.json:
        results = latest(bench.text("results.jsonl"))
        compared = [results[name] for name in names if name in results]
        files.write_results(options.json, bench.rows(compared) + [
            {key: record.get(key) for key in ("case", "before", "predicted", "low", "high", "again", "after", "try")} for record in compared])


if __name__ == "__main__":
    main()
