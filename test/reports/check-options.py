# SPDX-License-Identifier: BSD-3-Clause
"""The table in doc/reports.md of what each command can choose by, line by line: what it promises changes the
report in every format, what it does not is refused. And every report comes in every format.

Usage: check-options.py OMPREPORT MAKE_ARCHIVE DOC
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

OMPREPORT, MAKE_ARCHIVE, DOC = sys.argv[1:4]
VALUES = {"--from": "=20ms", "--to": "=25ms", "--min-duration": "=100us", "--region": "=for", "--thread": "=1",
          "--rank": "=1"}
SAMPLES = ("--pprof", "--speedscope", "--folded")
WITHOUT_FORMAT = {"annotate", "html", "export", "recover", "symbols"}
failures = []


def targets():
    """The formats of `export`, by the document's first table."""
    with open(DOC, encoding="utf-8") as text:
        return re.findall("`(--[a-z]+)`", next(line for line in text if line.startswith("| `export` |")))


def expect(condition, message):
    if not condition:
        failures.append(message)


def run(command, *arguments, status=0, error=b""):
    done = subprocess.run([OMPREPORT, command, *arguments], capture_output=True)
    expect(done.returncode == status, f"{command} {arguments}: status {done.returncode}, not {status}: {done.stderr!r}")
    expect(error in done.stderr if error else not done.stderr, f"{command} {arguments}: {done.stderr!r}")
    return done.stdout


def promised(text):
    """From command to the options that the table promises, and the other option that each needs or cannot have."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    head = next(row for row in rows if "`--region`" in row)
    table = {}
    for row in rows[rows.index(head) + 2:]:
        if len(row) != len(head):
            break
        options = {option: cell.replace("`", "").split() for cell, names in zip(row[1:], head[1:]) if cell
                   for option in re.findall("--[a-z-]+", names)}
        table |= {command: options for command in re.findall("`(.*?)`", row[0])}
    return table


def forms_of(command):
    """What else is on the command line, one for each form that the command's output has."""
    if command == "export":
        return [[target] for target in targets()]
    return [["-o", "/dev/stdout"]] if command in ("html", "annotate") else [[f"--format={form}"] for form in ("text", "json", "csv")]


def check_form(command, form, output):
    if form == ["--format=json"]:
        expect(json.loads(output)["format"].startswith("ompinst-"), f"{command}: {output[:60]!r}")
    elif form == ["--format=csv"]:
        rows = list(csv.reader(io.StringIO(output.decode(), newline="")))
        expect(len({len(row) for row in rows}) == 1, f"{command}: rows of CSV have {sorted({len(row) for row in rows})} fields")


def check_targets(archives):
    """Without a format, the message has all of them, and so has the document."""
    done = subprocess.run([OMPREPORT, "export", *archives], capture_output=True, text=True)
    expect(set(re.findall(r"--[a-z]+", done.stderr)) == set(targets()),
           f"export: the message is {done.stderr!r}, the document has {targets()}")


def check_command(command, options, archives, known, sampled):
    listed = set(re.findall(r"(--[a-z-]+)", run(command, "--help").decode()))
    expect(listed & set(VALUES) == set(options), f"{command}: --help has {listed & set(VALUES)}, the table {options}")
    expect(("--format" in listed) == (command not in WITHOUT_FORMAT), f"{command}: --format")
    for option in known - set(options):
        run(command, option + VALUES[option], *archives, status=2,
            error=f"unknown option '{option}' for 'ompreport {command}'; see 'ompreport {command} --help'\n".encode())
    if command in ("recover", "symbols"):
        return
    status = 3 if command == "check" else 0  # made by chance, the archives break rules
    for form in forms_of(command):
        if form[0] in SAMPLES:
            archives = [sampled]
        whole = run(command, *form, *archives, status=status)
        check_form(command, form, whole)
        for option, (promise, *other) in options.items():
            if promise == "with":
                run(command, *form, option + VALUES[option], *archives, status=2, error=other[0].encode())
                full, arguments = run(command, *form, *other, *archives), [*form, *other, option + VALUES[option]]
            elif promise == "without" and form[0] in other:
                run(command, *form, option + VALUES[option], *archives, status=2, error=option.encode())
                continue
            else:
                full, arguments = whole, [*form, option + VALUES[option]]
            if fits_nothing(command, option):
                run(command, *arguments, *archives, status=2, error=f"{option}='{VALUES[option][1:]}': ".encode())
                continue
            part = run(command, *arguments, *archives, status=status)
            check_form(command, form, part)
            expect(part != full, f"{command} {form}: {option}{VALUES[option]} changes nothing")


def fits_nothing(command, option):
    """Archives of one process have no second rank, and those for `locks` and `tasks` one lock and one task."""
    return option == "--rank" and command != "messages" or option == "--region" and command in ("locks", "tasks")


with open(DOC, encoding="utf-8") as file:
    table = promised(file.read())
commands = re.findall(r"^  ([\w-]+) ", subprocess.run([OMPREPORT, "--help"], capture_output=True, text=True, check=True).stdout, re.M)
expect(sorted(table) == sorted(commands), f"the table has {sorted(table)}, --help {sorted(commands)}")
with tempfile.TemporaryDirectory() as folder:
    os.environ["XDG_CACHE_HOME"] = folder
    os.mkdir(f"{folder}/ompinst")
    with open(f"{folder}/ompinst/machine.json", "w", encoding="utf-8") as file:
        json.dump({"format": "ompinst-machine", "processor": "p", "processors": 2, "rows": [
            {"threads": 2, "triad_bytes_per_s": 1e10, "chain_step_ns": 1, "peak_flops_per_s": 1e11}]}, file)
    paths = [f"{folder}/{name}" for name in ("mixed", "tasks", "contention", "messages", "hot", "profiled", "counted", "called")]
    for path in paths:
        subprocess.run([MAKE_ARCHIVE, path.rsplit("/", 1)[1], path, "3"], check=True)
    check_targets(paths[:1])
    for command, options in table.items():
        # There is nothing to show of tasks, of messages, of samples, or of counters, in the others.
        own = {"tasks": paths[1], "messages": paths[3], "hot": paths[4], "roofline": paths[6], "callers": paths[7]}.get(command, paths[0])
        VALUES |= {"tasks": {"--min-duration": "=5ms", "--region": "=:38 "}, "messages": {"--region": "=Recv", "--to": "=9ms"}, "callers": {"--region": "=:50 "}}.get(
            command, {"--min-duration": "=100us", "--region": "=for", "--to": "=25ms"})
        check_command(command, options, [own, paths[2]] if command in ("diff", "scaling") else [own], set(VALUES), paths[5])
for failure in failures:
    print(f"FAIL: {failure}")
print(f"{len(table)} commands")
sys.exit(1 if failures else 0)
