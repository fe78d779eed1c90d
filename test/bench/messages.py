#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What measuring costs a message of 8 bytes: messages.py BUILD [--mpi openmpi,mpich] [--rounds 3] [--pairs 1000]

ping-pong.c is compiled by mpicc and by `ompinst mpicc`. Two ranks, and on Open MPI also a rank with itself, run it in turns without
ompinst and in each mode. Printed are medians of the nanoseconds of one MPI_Send and its MPI_Recv.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import results

SOURCE = pathlib.Path(__file__).resolve().parent / "ping-pong.c"
TRACE = {"POMP_ENABLE_TRACING": "yes", "POMP_ENABLE_PROFILING": "no", "POMP_CONVERT": "later"}
MODES = {"bare": None, "profile": {}, "trace": TRACE, "POMP_MPI=off": {**TRACE, "POMP_MPI": "off"}, "POMP_DISABLE=yes": {"POMP_DISABLE": "yes"}}
LONGEST = 300  # seconds of a run


def build_programs(build, mpi, folder):
    compiler = shutil.which(f"mpicc.{mpi}")
    bare, measured = folder / f"bare-{mpi}", folder / f"measured-{mpi}"
    for command, program in (([compiler], bare), ([build / "instrumenter/ompinst", compiler], measured)):
        subprocess.run([*command, "-O2", "-fopenmp", SOURCE, "-o", program], check=True, stderr=subprocess.DEVNULL)
    return bare, measured


def nanoseconds(programs, mpi, ranks, mode, pairs, folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("POMP_", "OMP_"))}
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1", "POMP_SUMMARY": "off",
                "POMP_EXPERIMENT_DIRECTORY": str(folder / "trace")}
    program = programs[0] if MODES[mode] is None else programs[1]
    command = [f"mpirun.{mpi}", *(["--oversubscribe"] if mpi == "openmpi" else []), "-np", str(ranks), program, str(pairs)]
    done = subprocess.run(command, env=kept | settings | (MODES[mode] or {}), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=LONGEST, check=False)
    shutil.rmtree(folder / "trace", ignore_errors=True)
    if done.returncode != 0:
        sys.exit(f"messages.py: {' '.join(map(str, command))}: exit status {done.returncode}: {done.stderr}")
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=1000, help="messages to and fro of each of 200 repetitions")
    results.add_option(parser)
    options = parser.parse_args()
    installed = [mpi for mpi in options.mpi.split(",") if shutil.which(f"mpicc.{mpi}") and shutil.which(f"mpirun.{mpi}")]
    if not installed:
        sys.exit(f"messages.py: --mpi={options.mpi}: expected one whose mpicc and mpirun are installed")
    measured = []
    print(f"{'MPI':10} {'ranks':>5} " + " ".join(f"{mode:>16}" for mode in MODES), flush=True)
    with tempfile.TemporaryDirectory() as name:
        for mpi in installed:
            programs = build_programs(options.build.resolve(), mpi, pathlib.Path(name))
            for ranks in (2, 1) if mpi == "openmpi" else (2,):  # MPICH's MPI_Send to the own rank waits for its MPI_Recv
                times = {mode: [] for mode in MODES}
                for number in range(options.rounds):
                    for mode in list(MODES) if number % 2 == 0 else reversed(MODES):
                        times[mode].append(nanoseconds(programs, mpi, ranks, mode, options.pairs, pathlib.Path(name)))
                medians = {mode: statistics.median(found) for mode, found in times.items()}
                print(f"{mpi:10} {ranks:5} " + " ".join(f"{median:16.1f}" for median in medians.values()), flush=True)
                measured.append({"mpi": mpi, "ranks": ranks, "ns": medians})
    results.write_results(options.json, measured)


if __name__ == "__main__":
    main()
