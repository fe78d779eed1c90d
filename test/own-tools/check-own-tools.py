# SPDX-License-Identifier: BSD-3-Clause
"""Whether the tools of doc/writing-tools.md compile and see what the page says: writes each program of the page to the
file that its first line names, executes the commands, and looks for every line that is shown in what comes.

Usage: check-own-tools.py BUILD TOP
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "demo"))
from shown import Follower  # noqa: E402
from tutorial import blocks_of  # noqa: E402

BUILD, TOP = (Path(argument).resolve() for argument in sys.argv[1:])
LONGEST_TOOL = 20  # lines of code of the OMPT tool, of which the page speaks


def install(prefix):
    """What the commands need of an installed tree. Returns the folder of libraries."""
    (prefix / "lib").mkdir(parents=True)
    (prefix / "include").symlink_to(TOP / "include")
    (prefix / "lib/ompinst").symlink_to(BUILD / "runtime")
    return prefix / "lib"


def follow(page, folder, follower):
    """How many programs were written and outputs compared."""
    programs = outputs = 0
    for kind, lines in blocks_of(page):
        if kind == "c":
            name = re.match(r"/\* ([\w-]+\.c): ", lines[0])[1]
            (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
            programs += 1
            if name == "tool.c" and sum(bool(line) for line in lines[1:]) > LONGEST_TOOL:
                follower.failures.append(f"{name}: more than {LONGEST_TOOL} lines of code")
            continue
        text, found = "\n".join(lines), ""
        for command, shown in re.findall(r"^\$ (.*)\n?((?:(?!\$ ).*\n?)*)", text, re.M):
            found = follower.execute(command, folder)
            if shown.strip():
                follower.compare(f"{page.name}, $ {command}", shown.splitlines(), found, found)
                outputs += 1
    return programs, outputs


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        follower = Follower(BUILD, prefix=str(folder / "prefix"), libdir=str(install(folder / "prefix")))
        shutil.copy(TOP / "doc/course/serial.c", folder)
        counts = follow(TOP / "doc/writing-tools.md", folder, follower)
    if counts != (3, 3):
        follower.failures.append(f"{counts[0]} programs and {counts[1]} outputs: expected 3 and 3")
    for failure in follower.failures:
        print(f"FAIL: {failure}")
    return 1 if follower.failures else 0


sys.exit(main())
