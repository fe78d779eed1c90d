# SPDX-License-Identifier: BSD-3-Clause
"""What `omp why` says of each of two ranks, one of which waits for a message of the other, which hangs.

ranks-wait.py OMPINST MPI PROGRAM.c RUNTIME-FOLDER GDB-FOLDER. Exits 77 where gdb or MPI cannot start or look at programs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from debugger import answers, command_line, expect, failures, skip_without_tracing

skip_without_tracing()

ompinst, mpi, source, runtime, commands = sys.argv[1:6]
compiler, launcher = shutil.which("mpicc." + mpi), shutil.which("mpirun." + mpi)
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   POMP_SUMMARY="off", OMP_WAIT_POLICY="passive")
SAYS = {  # by rank
    "0": (r"^rank 0 of 2$", r"^no deadlock within OpenMP; thread \d+ is in MPI_Recv%s$"),
    "1": (r"^rank 1 of 2$", r"^deadlock: each of these waits for the next",
          r"^    thread \d+ waits for lock lock \(0x\w+\), in hang.* at rank\.c:\d+; held by thread \d+$",
          r"^    thread \d+ waits for mutex mutex \(0x\w+\), in hang.* at rank\.c:\d+; held by thread \d+$"),
}


def why(pid):
    return answers(command_line(commands, "attach %s" % pid, "omp why"), environment)


def play(what, details, folder, *command):
    """The ranks of a program; False: gdb may not attach."""
    program = "%s/%s" % (folder, what)
    subprocess.run([*command, "-g", "-O1", "-fopenmp", source, "-o", program], check=True, cwd=folder)
    line = [launcher] + (["--oversubscribe"] if mpi == "openmpi" else []) + ["-np", "2", program, "wait"]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as ranks:
        try:
            pids = dict(re.findall(r"^rank (\d) is (\d+)$", ranks.stdout.readline() + ranks.stdout.readline(), re.M))
            for rank, patterns in SAYS.items() if len(pids) == 2 else ():
                patterns = [pattern % details if "%s" in pattern else pattern for pattern in patterns]
                said, deadline = why(pids[rank]), time.monotonic() + 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
                # It may not have come to its wait yet.
                while time.monotonic() < deadline and not all(re.search(pattern, said, re.M) for pattern in patterns):
                    said = why(pids[rank])
                if "ptrace: Operation not permitted" in said:
                    return False
                expect("%s, rank %s" % (what, rank), said, *patterns)
        finally:
            ranks.terminate()
            ranks.communicate()
    if len(pids) != 2:
        failures.append("%s: %s" % (what, pids))
    return True


def main(folder):
    if not play("plain", "", folder, compiler) or \
            not play("instrumented", r" \(source 1, tag 7\)", folder, ompinst, compiler):
        print("gdb may not attach here")
        return 77
    print("\n".join(failures))
    return 1 if failures else 0


if None in (compiler, launcher, shutil.which("gdb")):
    print("mpicc.%s, mpirun.%s or gdb is missing" % (mpi, mpi))
    sys.exit(77)
with tempfile.TemporaryDirectory() as where:
    sys.exit(main(where))
