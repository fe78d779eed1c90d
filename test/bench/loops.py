#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `ompreport whatif` predicts for loops of programs whose author did not know how it predicts.

loops.py [--rounds N] [CASE...]       predicts, stores the predictions, changes the programs, runs them, and compares
loops.py --predictions-only [CASE...] predicts and stores
loops.py --check [CASE...]            changes and runs what predictions are stored of, and compares
loops.py --compile [CASE...]          only compiles what the others run, for which a machine need not be quiet
loops.py --table                      prints what was compared so far as Markdown

The programs are in whatif/loops/, and LOOPS below has three changes of each. All are built with
`ompinst --tunable-loops gcc -O2`: their traces show how a loop's work is spread over its iterations. A schedule is
changed in a copy of the source, a number of threads by OMP_NUM_THREADS. whatif/whatif.py, which does the work, says how
runs are measured and repeated, and what is kept in the folder of --work. Runs that other processes disturbed each time
count nevertheless; the table says how many.
"""
import pathlib
import re
import statistics
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "whatif"))
import cases  # noqa: E402
import whatif  # noqa: E402

# Program and changes of the loop that is marked `// @loop`: a schedule, with two threads, or another number of threads.
LOOPS = [
    ("array-copy", "dynamic,64", "guided", "threads=1"),
    ("array-triad", "dynamic,10000", "static,1000", "threads=2"),
    ("bimodal-queries", "static", "dynamic,5000", "threads=1"),
    ("cholesky-columns", "static", "guided", "threads=2"),
    ("collapsed-disc", "dynamic,64", "static,16", "threads=2"),
    ("collatz-longest", "dynamic,1000", "guided", "threads=1"),
    ("critical-best", "static", "dynamic,100", "threads=2"),
    ("falling-series", "static", "dynamic,50", "threads=1"),
    ("front-moves", "dynamic", "static,4", "threads=2"),
    ("growing-numbers", "dynamic", "static,1", "threads=2"),
    ("growing-recursion", "dynamic", "static,1", "threads=1"),
    ("heavy-blocks", "dynamic,4", "guided", "threads=1"),
    ("heavy-first", "dynamic", "guided", "threads=2"),
    ("heavy-last", "dynamic", "static,1", "threads=2"),
    ("heavy-middle", "dynamic,10", "static,20", "threads=1"),
    ("histogram-atomic", "dynamic,50", "static,100", "threads=1"),
    ("libm-spectrum", "dynamic,16", "guided", "threads=2"),
    ("long-iterations", "static", "guided", "threads=2"),
    ("lu-shrinking", "dynamic,8", "static,1", "threads=1"),
    ("mandelbrot-rows", "static", "static,1", "threads=1"),
    ("matrix-product", "dynamic,4", "guided", "threads=1"),
    ("nbody-half", "dynamic,16", "static,1", "threads=1"),
    ("nowait-pair", "static", "guided", "threads=2"),
    ("particle-cells", "static", "dynamic,4", "threads=1"),
    ("prime-division", "dynamic,5000", "static,100", "threads=2"),
    ("queens-recursion", "static", "guided", "threads=2"),
    ("random-walks", "dynamic,10", "guided", "threads=2"),
    ("short-iterations", "dynamic,2000", "static,100", "threads=1"),
    ("shortest-paths", "dynamic,20", "static,1", "threads=1"),
    ("sides-alternate", "dynamic,16", "static,1", "threads=1"),
    ("sieve-segments", "static", "guided", "threads=2"),
    ("sort-lists", "dynamic", "static,1", "threads=2"),
    ("sparse-rows", "dynamic,100", "static,64", "threads=2"),
    ("stencil-sweeps", "dynamic,8", "guided", "threads=1"),
    ("strided-columns", "dynamic,8", "static,1", "threads=2"),
    ("sum-reduction", "dynamic,100000", "guided", "threads=1"),
    ("tree-walk", "dynamic", "static,10", "threads=2"),
    ("triangle-down", "dynamic,100", "guided", "threads=1"),
    ("triangle-up", "static,16", "guided", "threads=2"),
    ("word-distances", "dynamic,4", "static,1", "threads=1"),
]
FOLDER = whatif.HERE / "loops"
MARK = "// @loop"


def case_of(name, change):
    """A row of the table that whatif.py takes."""
    if change.startswith("threads="):
        threads = int(change.removeprefix("threads="))
        return cases.case(name, f"--{change}", threads=threads, teams=(3 - threads,))
    return cases.case(name, f"--schedule=@loop for={change}", edit=change, teams=(2,))


def program_of(name):
    return cases.Program(name, "", None, (f"loops/{name}.c",), ("-O2", f"-I{FOLDER}"), (), None)


def with_schedule(text, schedule):
    """The program with this schedule in place of what the marked directive has."""
    lines = text.split("\n")
    number, = [number for number, line in enumerate(lines) if MARK in line]
    directive = re.sub(r" schedule\([^)]*\)", "", lines[number].split(MARK)[0].rstrip())
    lines[number] = f"{directive} schedule({schedule}) {MARK}"
    return "\n".join(lines)


class Bench(whatif.Bench):
    """The table of this file, and how its programs are changed."""
    NAME, WRAPPER = "loops", ("--tunable-loops",)
    TABLE = types.SimpleNamespace(PROGRAMS=[program_of(name) for name, *_ in LOOPS], FOUND={},
                                  CASES=[case_of(name, change) for name, *changes in LOOPS for change in changes])

    def sources(self, program, folder, edit):
        """A copy in a folder; whatif.py compiles it anew when it is newer than what was compiled."""
        text = (whatif.HERE / program.files[0]).read_text()
        if edit:
            text = with_schedule(text, edit)
        path = folder / f"{program.name}.c"
        folder.mkdir(exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return [path]

    def print_results(self, records):
        print("| change | cases | points | limits only | refused | inside | median error of points | 90th percentile | "
              "median high/low | noisy |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        print("\n".join(map(summary_row, self.rows(records))))
        print("\n| case | before, ms | predicted | from - to | measured | error | inside | kind | |\n"
              "|---|--:|--:|--:|--:|--:|---|---|---|")
        print("\n".join(map(case_row, records)))

    def rows(self, records):
        groups = {"schedule": [], "threads": [], "all": records}
        for record in records:
            groups["schedule" if "--schedule" in record["change"] else "threads"].append(record)
        return [summary_of(name, group) for name, group in groups.items() if group]


def is_inside(record):
    return record["low"] <= record["after"] <= record["high"]


def noisy_runs(record):
    return record["noisy"] + record["noisy_before"]


def summary_of(name, records):
    """Numbers of cases; errors in percent; the factor between the ends of intervals. None: there is nothing to count."""
    judged = [record for record in records if "predicted" in record]
    errors = [abs(whatif.error_of(record)) for record in judged if record["predicted"] is not None]
    return {"group": name, "cases": len(records), "points": len(errors), "limits": len(judged) - len(errors),
            "refused": len(records) - len(judged), "inside": sum(map(is_inside, judged)),
            "median": statistics.median(errors) if errors else None, "ninety": whatif.percentile(errors, 90) if errors else None,
            "width": statistics.median(record["high"] / record["low"] for record in judged) if judged else None,
            "noisy": sum(noisy_runs(record) > 0 for record in records)}


def written(value, form):
    return "n/a" if value is None else format(value, form)


def summary_row(found):
    judged = found["points"] + found["limits"]
    share = f"{found['inside']} of {judged}" + (f" ({found['inside'] / judged:.0%})" if judged else "")
    return (f"| {found['group']} | {found['cases']} | {found['points']} | {found['limits']} | {found['refused']} | {share} | "
            f"{written(found['median'], '.1f')} % | {written(found['ninety'], '.1f')} % | {written(found['width'], '.2f')} | "
            f"{found['noisy']} |")


def case_row(record):
    before, after = whatif.milliseconds(record["before"]), whatif.milliseconds(record["after"])
    remarks = [f"{noisy_runs(record)} noisy runs"] if noisy_runs(record) else []
    remark = "; ".join([*remarks, *filter(None, [whatif.remark_of(record, Bench.TABLE)])])
    if "predicted" not in record:
        return f"| {record['case']} | {before} | | | {after} | | | refused | {record['refused']} {remark} |"
    interval = f"{whatif.milliseconds(record['low'])} - {whatif.milliseconds(record['high'])}"
    has_point = record["predicted"] is not None
    predicted = whatif.milliseconds(record["predicted"]) if has_point else "n/a"
    error = f"{whatif.error_of(record):+.1f} %" if has_point else ""
    return (f"| {record['case']} | {before} | {predicted} | {interval} | {after} | {error} | "
            f"{'yes' if is_inside(record) else 'no'} | {'point' if has_point else 'limits'} | {remark} |")


if __name__ == "__main__":
    whatif.main(Bench, __doc__)
