# SPDX-License-Identifier: BSD-3-Clause
"""Whether the course's commands do what its pages show: executes the commands of the exercises and then those of the
solutions in one folder with the programs, applies each change to the program that it fits, and looks for every
line that is shown in what comes. Each program must print the same after its change as before, but for the
deadlock, which must not end before it and must end after it. UPDATE_GOLDEN=1 writes the lines that came into the
pages in place of those that are shown, of the shortest of five runs: on a machine that does nothing else.

Usage: check-course.py BUILD TOP
"""
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "demo"))
from shown import Follower, counterpart  # noqa: E402
from tutorial import blocks_of, changed  # noqa: E402

BUILD, TOP = (Path(argument).resolve() for argument in sys.argv[1:])
COURSE = TOP / "doc/course"
FINDS = re.compile(r"ompinst (lint|race run) ")  # status 1: something was found
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
RUNS = 5  # of each program, where the figures are wanted
ATTEMPTS = 40  # until the threads of the deadlock have come as far as to wait


def steps_of(lines):
    """(command, lines that are shown): what stands between a command with & and `kill $!` is one command of the shell."""
    steps = []
    for line in lines:
        if not line.startswith("$ "):
            steps[-1][1].append(line)
        elif steps and "&\n" in steps[-1][0] and "kill" not in steps[-1][0]:
            steps[-1][0] += line[2:] + "\n"
        else:
            steps.append([line[2:] + ("\n" if line.endswith("&") else ""), []])
    return steps


def change(lines, folder):
    """Applies the change to the one program that has its lines; its solution is that program from now on."""
    fitting = [path for path in sorted(folder.glob("*.c")) if changed(path.read_text("utf-8"), lines) is not None]
    if len(fitting) != 1:
        follower.failures.append(f"a change fits {[path.name for path in fitting]}, and not one program:\n" + "\n".join(lines))
        return
    fitting[0].write_text(changed(fitting[0].read_text("utf-8"), lines), "utf-8")
    results = [program_prints(path / fitting[0].name) for path in (COURSE, folder) if fitting[0].name != "deadlock.c"]
    if len(set(results)) > 1:
        follower.failures.append(f"{fitting[0].name}: prints {results[0]!r}, and after its change {results[1]!r}")


def program_prints(source):
    """With one thread, since before the changes one of them has races."""
    with tempfile.TemporaryDirectory() as scratch:
        return follower.execute(f"gcc -fopenmp -O2 -Wall -Werror {source} -o {scratch}/program -lm && OMP_NUM_THREADS=1 {scratch}/program", scratch)


def run_shortest(command, folder):
    """Executes a run RUNS times and keeps the trace of the shortest, which others on the machine disturbed least."""
    name, walls = re.search(r"DIRECTORY=(\S+)", command)[1], {}
    for number in range(RUNS):
        found = follower.execute(command.replace(name, f"{name}.{number}", 1), folder)
        walls[f"{name}.{number}"] = json.loads(follower.execute(f"ompreport summary --format=json {name}.{number}", folder))["wall_ns"]
    (folder / min(walls, key=walls.get)).rename(folder / name)
    return found


def run_step(command, folder):
    """What the command prints; one that looks at a waiting program is repeated until that program waits."""
    if UPDATE and "DIRECTORY=" in command:
        return run_shortest(command, folder)
    statuses = (0, 1) if FINDS.match(command) else (0,)
    for _ in range(ATTEMPTS if "omp why" in command else 1):
        found = follower.execute(command, folder, statuses)
        if "omp why" not in command or "deadlock:" in found or "ptrace" in found:
            return found
    return found


def update(page, shown, found, wide):
    """Replaces the block's lines by those that came, each of which stands for one."""
    text, rows, new = page.read_text("utf-8"), found.splitlines(), []
    for line in shown:
        new.append(counterpart(line, "\n".join(rows), wide) or line)
        if new[-1] in rows:
            rows.remove(new[-1])
    page.write_text(text.replace("\n".join(shown), "\n".join(new)), "utf-8")


def follow(page, folder):
    compared = changes = 0
    for kind, lines in blocks_of(page):
        if kind == "diff":
            change(lines, folder)
            changes += 1
            continue
        for command, shown in steps_of(lines):
            if command.startswith("export "):  # the test's own environment has it
                continue
            found = run_step(command, folder)
            if "Operation not permitted" in found:
                print(f"{page.name}, $ {command}: not compared, because gdb may not attach here")
            elif shown:
                wide = follower.execute(command + " --width=200", folder) if command.startswith("ompreport") else found
                follower.compare(f"{page.name}, $ {command}", shown, found, wide)
                compared += 1
                if UPDATE:
                    update(page, shown, found, wide)
    print(f"{page.name}: {compared} outputs compared, {changes} changes made")
    return compared, changes


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        follower.environment["HOME"] = temporary
        (folder / ".gdbinit").write_text(f"set debuginfod enabled off\nsource {TOP}/ompd/gdb/ompinst-gdb.py\n", "utf-8")
        for program in COURSE.glob("*.c"):
            shutil.copy(program, folder)
        counts = [follow(COURSE / page, folder) for page in ("README.md", "solutions.md")]
        programs = len(list(COURSE.glob("*.c")))
        if sum(changes for _, changes in counts) != programs:
            follower.failures.append(f"{programs} programs have {counts} outputs and changes: expected a change for each program")
    for failure in follower.failures:
        print(f"FAIL: {failure}")
    return 1 if follower.failures else 0


follower = Follower(BUILD)
sys.exit(main())
