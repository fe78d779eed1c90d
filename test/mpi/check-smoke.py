# SPDX-License-Identifier: BSD-3-Clause
"""check-smoke.py LANGUAGE OMPINST MPI WRAPPERS SOURCE: one small program of each language, in every way to measure it.

It prints and ends as it does without ompinst, and the profile and the trace have each of its calls of MPI
once: what bindings ask MPI besides is theirs. LANGUAGE early: MPI is called where the wrappers are not
ready yet, or not any more.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

import ranks_facts

language, mpi = sys.argv[1], sys.argv[3]
ompinst, wrappers, source = (os.path.abspath(sys.argv[i]) for i in (2, 4, 5))
LANGUAGES = {"c": ("mpicc", []), "c++": ("mpicxx", ["-DBINDINGS", "-x", "c++"]), "early": ("mpicc", []),
             "mpif.h": ("mpifort", ["-DMPIF"]), "mpi": ("mpifort", ["-DUSE"]), "mpi_f08": ("mpifort", ["-DF08"])}
CALLS = {"MPI_" + name for name in ("Init", "Comm_rank", "Comm_size", "Bcast", "Irecv", "Isend", "Waitall", "Allgatherv",
                                    "Alltoallw", "Cart_create", "Cart_rank", "Comm_free", "Barrier", "Finalize")}
folder = tempfile.TemporaryDirectory()
trace = os.path.join(folder.name, "trace")
profile = os.path.join(folder.name, "profile.csv")


def fail(text):
    sys.exit(f"{language}, {mpi}: {text}")


def run(command, **settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("POMP_")}
    # One host needs no network, of which Open MPI 5 reports what it does not like.
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "^tcp"} | settings
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder.name)
    if done.returncode != 0:
        fail(f"{command}, {settings}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def build(output, *flags, before=(), libraries=()):
    run([*before, compiler, *flags, source, "-o", output, *libraries])


def is_call(name):
    """Of MPI, by the program: Open MPI 6 commits a type for mpi_f08's alltoallw."""
    return name.startswith("MPI_") and (name != "MPI_Type_commit" or (language, mpi) != ("mpi_f08", "openmpi"))


def check_profile(ranks):
    with open(profile) as file:
        found = {row["sub_name"]: int(row["count"]) for row in csv.DictReader(file) if is_call(row["sub_name"])}
    if found != {name: ranks for name in CALLS}:
        fail(f"the profile has {found}")


def check_trace(ranks):
    facts = ranks_facts.Ranks(trace + "/traces.otf2")
    found = {(rank, name): len(times) for (rank, name), times in facts.enters.items() if is_call(name)}
    if found != {(rank, name): 1 for rank in range(ranks) for name in CALLS}:
        fail(f"the trace has {found}")


def check_language():
    flags = LANGUAGES[language][1]
    build("plain", "-fopenmp", *flags)
    build("measured", "-fopenmp", *flags, before=[ompinst])
    launched = [shutil.which("mpirun." + mpi), *(["--oversubscribe"] if mpi == "openmpi" else []), "-np", "2"]
    for start, ranks in ([], 1), (launched, 2):
        plain = run([*start, "./plain"])
        for settings, check in SETTINGS:
            shutil.rmtree(trace, ignore_errors=True)
            done = run([*start, "./measured"], **settings)
            if (done.stdout, done.stderr) != (plain.stdout, plain.stderr):
                fail(f"{ranks} ranks, {settings}: prints {done.stdout!r} {done.stderr!r}, plain {plain.stdout!r}")
            if check is not None:
                check(ranks)


QUIET = {"POMP_SUMMARY": "off"}
TRACED = {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": trace}
TOLD = {"POMP_SUMMARY": profile, "POMP_SUMMARY_FORMAT": "csv"}
SETTINGS = (({"POMP_DISABLE": "1"}, None), (TOLD, check_profile), (QUIET | {"POMP_MPI": "off"}, None),
            (TRACED | QUIET | {"POMP_ENABLE_PROFILING": "no"}, check_trace))


def check_early():
    """What MPI is asked too early is not measured; what starts it is, wherever that happens."""
    library = ["-fPIC", "-shared", "-DLIBRARY"]
    build("libearly.so", *library)
    build("libmeasured.so", *library, before=[ompinst])
    build("program", before=[ompinst], libraries=["-L.", "-learly", "-Wl,-rpath," + folder.name])
    build("without.o", "-c", "-DWITHOUT_MPI")
    run(["cc", "without.o", "-o", "without"])
    for early in "", "init":
        for mode in ("main", "tools") if early else ("main", "tools", "never"):
            expect_early("program", mode, early, 1 if mode != "never" else 0)
    expect_early("without", folder.name + "/libmeasured.so", "init", 1)
    fortran = shutil.which("mpifort." + mpi)
    if fortran is not None and shutil.which("gfortran") is not None:
        run([fortran, "-fPIC", "-shared", os.path.join(os.path.dirname(source), "plugin.F90"), "-o", "libplugin.so"])
        expect_early("without", folder.name + "/libplugin.so", "", 1, LD_PRELOAD=wrappers)


def expect_early(program, mode, early, starts, **more):
    """starts: how often MPI_Init or MPI_Init_thread is in the trace."""
    expected = "not started\n" if mode == "never" else "sum 0\n"
    for settings in {"POMP_DISABLE": "1"}, QUIET, QUIET | TRACED:
        shutil.rmtree(trace, ignore_errors=True)
        done = run(["./" + program, mode], EARLY=early, **settings, **more)
        if done.stdout != expected or done.stderr != "":
            fail(f"{program} {mode}, {settings}, EARLY={early}: {done.stdout!r} {done.stderr!r}")
    found = [path for path in os.listdir(folder.name) if path.startswith("trace")]
    if found != ["trace"] or not os.path.exists(trace + "/traces.otf2"):
        fail(f"{program} {mode}, EARLY={early}: folders {found}")
    if starts:
        facts = ranks_facts.Ranks(trace + "/traces.otf2")
        begun = sum(len(facts.enters[0, name]) for name in ("MPI_Init", "MPI_Init_thread"))
        if begun != starts or len(facts.enters[0, "MPI_Allreduce"]) != 1:
            fail(f"{program} {mode}, EARLY={early}: {facts.events}, {begun} starts")


name = LANGUAGES[language][0]
compiler = shutil.which(f"{name}.{mpi}")
needed = {"mpicxx": "g++", "mpifort": "gfortran"}.get(name)
if compiler is None or (needed is not None and shutil.which(needed) is None) or shutil.which("mpirun." + mpi) is None:
    print(f"{name}.{mpi}, mpirun.{mpi} or {needed} is missing")
    sys.exit(77)
if language == "c++":
    # They left the standard with MPI 3, and Open MPI with its version 5.
    tried = subprocess.run([compiler, *LANGUAGES["c++"][1], "-fopenmp", "-fsyntax-only", source], capture_output=True, text=True)
    if "\u2018MPI\u2019 has not been declared" in tried.stderr or "'MPI' has not been declared" in tried.stderr:
        print(f"{mpi} has no C++ bindings")
        sys.exit(77)
(check_early if language == "early" else check_language)()
