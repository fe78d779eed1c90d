# SPDX-License-Identifier: BSD-3-Clause
"""whatif.py stores a prediction before the changed program exists, compares it with what that took, and does both again
when the machine was not the same.

check-runner.py BUILD

The programs are real; ompreport is replaced by one that gives the unchanged program 100 ms, when it runs again the
first time 120 ms, the changed one 80 ms, and predicts 90 ms (70 to 85).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parent / "whatif.py"
CASE = "triangle --balance=@loop for (EVEN), T=2"
OMPREPORT = """#!%s
import json, pathlib, re, sys
work = pathlib.Path(%r)
state = json.loads((work / "state").read_text()) if (work / "state").exists() else {"predicted": 0, "built": []}
if sys.argv[1] == "whatif":
    state["predicted"] += 1
    state["built"].append(len(list((work / "programs").iterdir())))
    print(json.dumps({"replayed_ns": 101000000, "predicted_ns": 90000000, "low_ns": 70000000, "high_ns": 85000000}))
else:
    archive = pathlib.Path(sys.argv[3])
    program = re.search(rb"triangle-([0-9a-f]{10})/program", (archive / "traces.def").read_bytes())[1].decode()
    changed = state.setdefault("unchanged", program) != program
    again = archive.name.startswith("changed") and state["predicted"] == 1
    print(json.dumps({"wall_ns": 80000000 if changed else 120000000 if again else 100000000}))
(work / "state").write_text(json.dumps(state))
"""


def fail(text):
    sys.exit(f"check-runner: {text}")


def run(work, build, *arguments):
    done = subprocess.run([sys.executable, RUNNER, "--work", work, "--build", build, "--ompreport", work / "ompreport",
                           "--rounds", "1", *arguments, CASE.replace("[", "?")], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{arguments}: {done.stderr}")
    return done.stdout


def records(work, name):
    return [json.loads(line) for line in (work / name).read_text().splitlines()]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "ompreport").write_text(OMPREPORT % (sys.executable, name))
        (work / "ompreport").chmod(0o755)
        if run(work, build, "--list").splitlines() != [CASE]:
            fail("--list does not print the case alone")
        run(work, build, "--json", work / "rows.json")
        built = json.loads((work / "state").read_text())["built"]
        if built[0] != 1:
            fail(f"{built[0]} programs were there when the first prediction was made")
        predicted, results = records(work, "predictions.jsonl"), records(work, "results.jsonl")
        if len(predicted) != 2 or len(results) != 2 or not predicted[0]["when"] < predicted[1]["when"]:
            fail(f"expected two tries: {predicted} {results}")
        if [predicted[0][key] for key in ("before", "predicted", "low", "high")] != [100e6, 90e6, 70e6, 85e6]:
            fail(f"stored: {predicted[0]}")
        if [results[0][key] for key in ("again", "after", "try")] != [120e6, 80e6, 1] or results[1]["again"] != 100e6:
            fail(f"compared: {results}")
        row = f"| {CASE} | 100 | 101 | 90.0 (70.0 - 85.0) | 80.0 | +12.5 % | +12.5 % | yes | measured 2 times |"
        table = run(work, build, "--table")
        if row not in table.splitlines() or "| **all** | 1 | 1 | 12.5 % | 12.5 % | 12 % | 12.5 % | 1 of 1 |" not in table:
            fail(f"the table: {table}")
        rows = json.loads((work / "rows.json").read_text())
        whole = next(row for row in rows if row.get("group") == "all")
        if (whole["cases"], whole["median"], whole["inside"]) != (1, 12.5, 1) or rows[-1]["case"] != CASE or rows[-1]["after"] != 80e6:
            fail(f"written as JSON: {rows}")
        sample = subprocess.run([sys.executable, RUNNER, "--work", work, "--sample", "40", "--list"], capture_output=True, text=True, check=True)
        kinds = {line.split()[1].split("=")[0] for line in sample.stdout.splitlines()}
        if len(sample.stdout.splitlines()) != 40 or len(kinds) != 7 or "fasttree" in sample.stdout:
            fail(f"a sample: {sample.stdout}")


main()
