# SPDX-License-Identifier: BSD-3-Clause
"""gdb in front of each rank of a program: the commands say which rank it is, as MPI itself does.

rank.py OMPINST MPI PROGRAM.c RUNTIME-FOLDER GDB-FOLDER. Exits 77 where gdb or MPI cannot start programs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, command_line, failures, skip_without_tracing

skip_without_tracing()

ompinst, mpi, source, runtime, commands = sys.argv[1:6]
RANKS = 2
compiler, launcher = shutil.which("mpicc." + mpi), shutil.which("mpirun." + mpi)
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", POMP_SUMMARY="off")


def main(folder):
    program = folder + "/rank"
    subprocess.run([ompinst, compiler, "-g", "-fopenmp", source, "-o", program], check=True, cwd=folder)
    line = [launcher] + (["--oversubscribe"] if mpi == "openmpi" else []) + ["-np", str(RANKS)]
    # One rank's lines come in one piece, from a file of its own.
    line += command_line(
        commands, "set logging redirect on", "python gdb.execute('set logging file %s/' + str("
        "__import__('os').getpid()))" % folder, "set logging enabled on", "break stop_here", "run", "omp threads",
        "omp tree", "omp profile", "print rank", "print size", "delete", "continue")
    said = answers(line + [program], environment, folder)
    outputs = []
    for name in os.listdir(folder):
        if name.isdigit():
            with open(folder + "/" + name, encoding="utf-8") as log:
                outputs.append(log.read())
    if not any("Breakpoint 1, " in text for text in outputs):
        print("gdb cannot run programs here:\n%s" % said)
        return 77
    numbers = set()
    for text in outputs:
        truth = re.search(r"^\$1 = (\d+)\n\$2 = (\d+)$", text, re.M)
        shown = re.findall(r"^rank (\d+) of (\d+)\n(  thread |level 0|  +visits )", text, re.M)
        if truth is None or [row[:2] for row in shown] != [truth.groups()] * 3:
            failures.append("expected %s three times, got %s in:\n%s" % (
                truth and truth.groups(), shown, text))
        numbers |= {row[0] for row in shown}
    if len(outputs) != RANKS or numbers != {str(rank) for rank in range(RANKS)}:
        failures.append("%d ranks reported, they are called %s; mpirun: %s" % (
            len(outputs), sorted(numbers), said))
    print("\n".join(failures))
    return 1 if failures else 0


if None in (compiler, launcher, shutil.which("gdb")):
    print("mpicc.%s, mpirun.%s or gdb is missing" % (mpi, mpi))
    sys.exit(77)
with tempfile.TemporaryDirectory() as where:
    sys.exit(main(where))
