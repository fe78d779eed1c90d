# SPDX-License-Identifier: BSD-3-Clause
"""LLVM's gdb commands, an independent client, on our runtime and plugin.

llvm-commands.py CC PROGRAM.c RUNTIME-FOLDER GDB-FOLDER. Exits 77 where they are not installed or gdb
cannot run programs. Two things they cannot show, which our commands, asked in the same gdb, get from the
same library: they learn of threads by ompd_bp_thread_begin only, so after attach and in a core file
the others are "no OpenMP thread"; and they take a variable that is no number for one unless they know its
name, so that `ompd icvs` ends in an exception at place-partition-var, the last of all.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, command_line, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, source, runtime, commands = sys.argv[1:5]
plugins = sorted(glob.glob("/usr/lib/llvm-*/share/gdb/python/ompd/__init__.py"))
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_DEBUG="enabled")

REGIONS = [r"^Parallel Region: Nesting Level 2: Team Size: 2$",
           r"^ +0 \(master\) ompt_state_work_parallel +0 +0x\w+ inner\._omp_fn\.\d ",
           r"^ +1 +ompt_state_wait_barrier +[1-9]\d* +0x\w+ inner\._omp_fn\.\d ",
           r"^Parallel Region: Nesting Level 1: Team Size: 3$",
           r"^ +1 +ompt_state_wait_lock +[1-9]\d* +0x\w+ main\._omp_fn\.\d ",
           r"^ +2 +ompt_state_wait_critical +[1-9]\d* +0x\w+ main\._omp_fn\.\d "]
THREADS = [r"^Thread 1 .* is an OpenMP thread; state: ompt_state_work_parallel$",
           r"^Thread 2 .* is an OpenMP thread; state: ompt_state_wait_lock$",
           r"^Thread 3 .* is an OpenMP thread; state: ompt_state_wait_critical$",
           r"^Thread 4 .* is an OpenMP thread; state: ompt_state_wait_barrier$"]
ICVS = [r"^debug-var +address_space +1 *$", r"^nthreads-var +thread +\d+ *$",
        r"^run-sched-var +task +dynamic,1 *$", r"^levels-var +parallel +2 *$",
        r"^team-size-var +parallel +2 *$", r"^final-task-var +task +1 *$",
        r"^max-active-levels-var +task +2 *$", r"^affinity-format-var +address_space +level %L "]


def gdb(arguments, *gdb_commands):
    # LLVM 19's import a module that they do not use, and that Python 3.12 no longer has.
    absent = "python import sys, types; sys.modules.setdefault('imp', types.ModuleType('imp'))"
    line = command_line(commands, *gdb_commands, before=[absent, "source " + plugins[-1]])
    return answers(line + arguments, environment)


# In which order gdb numbers threads that it attaches to differs between its versions.
OUR_THREADS = [r"^. +1 +\d+  2:0/2 +works", r"^. +[24] +\d+  1:1/3 +waits for lock ",
               r"^. +3 +\d+  1:2/3 +waits for critical ", r"^. +[24] +\d+  2:1/2 +waits at a barrier",
               r"^place-partition-var +task"]


def check_limits(what, output, knows_no_threads):
    """What LLVM's commands cannot show is what was expected, and no more."""
    strangers = len(re.findall(r"^Thread \d+ .* is no OpenMP thread$", output, re.M))
    if strangers not in ((3, 4) if knows_no_threads else (0,)):  # it may know the selected one
        failures.append("%s: %d threads are none of OpenMP's:\n%s" % (what, strangers, output))
    if len(re.findall(r"^Traceback", output, re.M)) != 2 or \
            not re.search(r"^ompd-team-size-var .*\n(.*\n)*?SystemError: .*call_ompd_get_icv_from_scope", output, re.M):
        failures.append("%s: another exception than that of place-partition-var:\n%s" % (what, output))


def main():
    if not plugins or shutil.which("gdb") is None:
        print("gdb or LLVM's commands for it are not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program, core = folder + "/stopped", folder + "/core"
        subprocess.run([compiler, "-g", "-O1", "-fopenmp", source, "-o", program], check=True)
        output = gdb([program], "break main", "run")
        if "Breakpoint 1, " not in output or "OMPD GDB support loaded" not in output:
            print("gdb cannot run programs here, or not load LLVM's commands")
            return 77
        output = gdb([program], "break main", "run", "ompd init", "break stop_here", "continue",
                     "ompd threads", "ompd parallel", "generate-core-file " + core, "ompd icvs")
        expect("run", output, *THREADS, *REGIONS, *ICVS)
        check_limits("run", output, False)
        asked = ["ompd init", "ompd parallel", "ompd threads", "omp threads", "ompd icvs", "omp icvs"]
        output = gdb([program, core], *asked)
        expect("core", output, *REGIONS, *ICVS[1:], *OUR_THREADS)
        check_limits("core", output, True)
        with subprocess.Popen([program, "stay"], env=environment, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            output = gdb(["-p", str(process.pid)], *asked)
            process.kill()
        expect("attach", output, *REGIONS, *ICVS[1:], *OUR_THREADS)
        check_limits("attach", output, True)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
