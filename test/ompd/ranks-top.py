# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst top` shows of two MPI jobs of two ranks each: ranks-top.py OMPINST MPI PROGRAM.c

Exits 77 where MPI is missing or other processes may not be looked at.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import expect, failures, skip_without_tracing

skip_without_tracing()

ompinst, mpi, source = sys.argv[1:4]
compiler, launcher = shutil.which("mpicc." + mpi), shutil.which("mpirun." + mpi)
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", POMP_SUMMARY="off", OMP_WAIT_POLICY="passive")
RANKS = re.compile(r"^rank (\d) is (\d+)$", re.M)


def top(*words):
    done = subprocess.run([ompinst, "top", "--once", "-i", "0.1", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        failures.append("ompinst top: status %d: %s" % (done.returncode, done.stderr))
    return done.stdout


def main(folder):
    program = "%s/ranks-of-top-%d" % (folder, os.getpid())
    subprocess.run([ompinst, compiler, "-g", "-O1", "-fopenmp", source, "-o", program], check=True, cwd=folder)
    line = [launcher] + (["--oversubscribe"] if mpi == "openmpi" else []) + ["-np", "2", program, "wait"]
    jobs = [subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder) for _ in range(2)]
    try:
        said = [dict(RANKS.findall(job.stdout.readline() + job.stdout.readline())) for job in jobs]
        if any(set(pids) != {"0", "1"} for pids in said):
            failures.append("the jobs say %s" % said)
            return
        found = json.loads(top("--format=json", os.path.basename(program)))["processes"]
        names = [row["job"] for row in found]
        by_job = {name: {str(row["rank"]): str(row["pid"]) for row in found if row["job"] == name} for name in names}
        if sorted(map(str, by_job.values())) != sorted(str(dict(sorted(pids.items()))) for pids in said):
            failures.append("jobs: %s, expected %s" % (by_job, said))
        if names != sorted(names) or [row["rank"] for row in found] != [0, 1, 0, 1] or {row["ranks"] for row in found} != {2}:
            failures.append("the order of jobs and ranks: %s" % [(row["job"], row["rank"], row["ranks"]) for row in found])
        expect("text", top(os.path.basename(program)), r"^ process .* job +rank ",
               *(r"^ +%s ranks-of-top-.* [12] +%s " % (row["pid"], row["rank"]) for row in found))
    finally:
        for job in jobs:
            job.terminate()
            job.communicate()


if None in (compiler, launcher):
    print("mpicc.%s or mpirun.%s is missing" % (mpi, mpi))
    sys.exit(77)
with tempfile.TemporaryDirectory() as where:
    main(where)
print("\n".join(failures))
sys.exit(1 if failures else 0)
