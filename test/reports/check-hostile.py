# SPDX-License-Identifier: BSD-3-Clause
"""Names in an archive that try to steer a terminal or a spreadsheet: no command in any format prints a byte
that does, and no field of CSV is a formula. JSON and CSV still parse, and their names agree.

Usage: check-hostile.py OMPREPORT MAKE_ARCHIVE
"""
import csv
import io
import json
import os
import re

from cubex import Profile
from tables import expect, finish, make, run

# Of what terminals obey, all but the line end; 0xfffd stands for what no terminal gets.
HOSTILE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORMULA = re.compile(r"[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
FORMATS = ("text", "json", "csv")


def commands():
    """The commands that print a report about one archive, by the tool's own list."""
    listed = re.findall(r"^  ([a-z-]+) +[A-Z]", run("--help"), re.M)
    expect(len(listed) > 15, f"commands: {listed}")
    return [name for name in listed if name not in ("annotate", "export", "html", "recover", "symbols", "help")]


def check_fields(where, text):
    for row in csv.reader(io.StringIO(text)):
        for field in row:
            expect(not FORMULA.match(field) or NUMBER.fullmatch(field), f"{where}: the field {field!r} is a formula")


def check_output(where, text, form):
    found = HOSTILE.search(text)
    expect(text, f"{where}: printed nothing")
    expect(not found, f"{where}: {found and text[max(0, found.start() - 20):found.end() + 20]!r}")
    if form == "json" and text:
        json.loads(text)
    if form == "csv":
        check_fields(where, text)


def check_commands(folder):
    path = make(folder, "names", 2)
    for command in commands():
        for form in FORMATS:
            archives = [path, path] if command in ("diff", "scaling") else [path]
            check_output(f"{command} {form}", run(command, f"--format={form}", *archives), form)
    run("annotate", f"--sarif={folder}/out.sarif", path)
    check_output("annotate", run("annotate", path), "text")
    check_output("annotate --sarif", (folder / "out.sarif").read_text(), "json")
    for target, form in (("--csv", "csv"), ("--chrome", "json"), ("--flamegraph", "text")):
        check_output(f"export {target}", run("export", target, path), form)
    run("export", "--cube", path, "-o", folder / "out.cubex")
    check_output("export --cube", Profile((folder / "out.cubex").read_bytes()).files["anchor.xml"].decode(), "text")
    path = make(folder, "profiled", 2)
    for target, form in (("--speedscope", "json"), ("--folded", "text"), ("--chrome", "json")):
        check_output(f"export {target}", run("export", target, path), form)


def check_samples(folder):
    """The same for names of files that only samples have."""
    os.environ["MAKE_ARCHIVE_SOURCE"] = "/src/=1+\x1b[31m\u202e\n\"x.c"
    path = make(folder, "hot")
    del os.environ["MAKE_ARCHIVE_SOURCE"]
    for kind in ("--lines", "--functions", "--paths"):
        for form in FORMATS:
            check_output(f"hot {kind} {form}", run("hot", kind, f"--format={form}", path), form)
            check_output(f"diff {kind} {form}", run("diff", kind, f"--format={form}", path, path), form)
    check_output("annotate of samples", run("annotate", path), "text")


def check_names(folder):
    """The apostrophe is CSV's alone."""
    path = make(folder, "names", 2)
    names = [row["thread"] for row in json.loads(run("threads", "--format=json", path))["threads"]]
    fields = [row["thread"] for row in csv.DictReader(io.StringIO(run("threads", "--format=csv", path)))]
    expect(any(name.startswith("=") for name in names), f"names: {names}")
    expect([HOSTILE.sub("\ufffd", name) for name in names] == [re.sub("^'([=+@-])", r"\1", field) for field in fields],
           f"names: {fields} and {names}")


finish(check_commands, check_samples, check_names)
