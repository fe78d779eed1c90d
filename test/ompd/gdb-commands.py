# SPDX-License-Identifier: BSD-3-Clause
"""The `omp` commands in a real gdb: gdb-commands.py CC PROGRAM.c RUNTIME-FOLDER GDB-FOLDER

The program is built by a plain `cc -fopenmp`, with and without debug information, and looked at
after run, after attach and from a core file. Exits 77 where gdb cannot run programs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import CLANG, answers, command_line, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, source, runtime, commands = sys.argv[1:5]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_CANCELLATION="true")
environment.pop("OMP_DEBUG", None)  # nothing may depend on it


def gdb(arguments, *gdb_commands):
    line = command_line(commands, "set breakpoint pending on", *gdb_commands)
    return answers(line + arguments, environment)


THREADS = [r"^. +\d+ +\d+  2:0/2 +works",
           r"^. +\d+ +\d+  1:1/3 +waits for lock ",
           r"^. +\d+ +\d+  1:2/3 +waits for critical ",
           r"^. +\d+ +\d+  2:1/2 +waits at a barrier"]
TREE = [r"^level 0, 1 thread: the program$",
        r"^ {4}level 1, 3 threads: ",
        r"^ {6}0: thread \d+ \(LWP \d+\) is in a region below$",
        r"^ {6}1: thread \d+ \(LWP \d+\) waits for lock ",
        r"^ {6}2: thread \d+ \(LWP \d+\) waits for critical ",
        r"^ {8}level 2, 2 threads: ",
        r"^ {10}0: thread \d+ \(LWP \d+\) works$",
        r"^ {10}1: thread \d+ \(LWP \d+\) waits at a barrier$"]
NAMES = [r"lock guard \(0x", r"critical \(door\)"]
ICVS = [r"^levels-var +region +2$", r"^team-size-var +region +2$", r"^thread-num-var +thread +0$",
        r"^final-task-var +task +true$", r"^implicit-task-var +task +false$",
        r"^max-active-levels-var +task +2$", r"^cancel-var +process +true$",
        r"^affinity-format-var +process +level %L thread %i affinity %A$"]
RANK = r"^rank %d of %d\n  thread +LWP +region "
SHOW_ALL = ["omp threads", "omp tree", "omp icvs", "omp env"]


def check_all(what, output, selects_task=True):
    expect(what, output, *THREADS, *TREE, r"^OMP_CANCELLATION=TRUE$")
    if selects_task:
        expect(what, output, *ICVS)


def check_run(program, core):
    """Also as rank 1 of 4 of an mpirun within a Slurm job; the core file is that rank's."""
    output = gdb([program], "break stop_here", "run", "finish", *SHOW_ALL)
    expect("run", output, r"^level 2, team of 2, thread 0, final 1$", *NAMES)
    check_all("run", output)
    if re.search("^rank", output, re.M):
        failures.append("a process of its own is called a rank:\n" + output)
    output = gdb([program], "set environment OMPI_COMM_WORLD_RANK=1", "set environment OMPI_COMM_WORLD_SIZE=4",
                 "set environment SLURM_PROCID=0", "set environment SLURM_NTASKS=2", "break stop_here",
                 "run", *SHOW_ALL, "omp bt", "echo %%\\n", "omp stacks", "omp print stays", "omp print",
                 "generate-core-file " + core)
    check_all("run", output)
    expect("stacks", output, r"^rank 1 of 4\n4 threads at 4 different places\nmain at ", r"^ +main\._omp_fn\.0",
           r"^ +stop_here at .*\n( .*\n)*? += member 0 of 2 \(thread 1\): ")
    expect("a value of a team", output, r"^\* 0-1: 0$", r"^omp print: expected an expression")
    expect("a rank", output, RANK % (1, 4), r"^rank 1 of 4\nlevel 0, 1 thread: the program$")
    expect("bt of the task", output.split("%%")[0],
           r"thread 1:\n  stop_here at stopped\.c:\d+\n(  main\._omp_fn|  inner\._omp_fn).*\n"
           r"(.*\n)*?  inner at stopped\.c:\d+\n(.*\n)*?  main at stopped\.c:\d+$")
    if re.search(r"^  (rt_|GOMP_|gomp_)", output, re.M):
        failures.append("bt shows frames of the runtime:\n" + output)


def check_variables(program):
    """Every variable that the runtime displays, as it displays it, also before the first region."""
    output = gdb([program], "set environment OMP_DISPLAY_ENV=verbose", "set environment OMP_NUM_THREADS=3,2",
                 "set environment OMP_SCHEDULE=guided,7", "break main", "run", "omp env", "echo %%\\n",
                 "break stop_here", "continue", "omp env", "omp icvs")
    before, after = output.split("%%")
    displayed = re.findall(r"^  (?:\[\w+\] )?(\w+) = '(.*)'$", before, re.M)
    expect("env", after, *("^%s=%s$" % (name, re.escape(value)) for name, value in displayed
                           if name not in ("_OPENMP", "OMP_THREAD_LIMIT")), "^OMP_DISPLAY_ENV=VERBOSE$", "^ACC_PROFLIB=$")
    limit = re.search(r"^thread-limit-var +task +(\d+)$", after, re.M)
    expect("the limit of threads", after, "^OMP_THREAD_LIMIT=%s$" % (limit and limit[1]))
    if re.findall(r"^\w+=.*", before, re.M) != re.findall(r"^\w+=.*", after, re.M):
        failures.append("omp env differs before the first region:\n%s\n%s" % (before, after))
    if len(displayed) < 26 or len(re.findall(r"^\w+=", after, re.M)) != len(displayed) + 7:
        failures.append("%d variables are displayed, omp env:\n%s" % (len(displayed), after))


def check_llvm_variables(folder):
    """A program of clang obeys LLVM's variables too: they are shown, and so is what follows from them."""
    clang = shutil.which(CLANG)
    program = folder + "/by-clang"
    if clang is None or subprocess.run([clang, "-fopenmp", "-w", "-g", folder + "/other.c", "-L" + runtime + "/link", "-o", program],
                                       stderr=subprocess.DEVNULL, check=False).returncode:
        return
    settings = {"KMP_BLOCKTIME": "infinite", "KMP_STACKSIZE": "2m", "KMP_ALL_THREADS": "7", "KMP_AFFINITY": "none"}
    output = gdb([program], *("set environment %s=%s" % item for item in settings.items()), "break main", "run", "omp env")
    expect("LLVM's variables", output, "^KMP_BLOCKTIME=infinite$", "^OMP_WAIT_POLICY=ACTIVE$", "^KMP_STACKSIZE=2097152$",
           "^OMP_STACKSIZE=2097152$", "^KMP_ALL_THREADS=7$", "^OMP_THREAD_LIMIT=7$", "^KMP_LIBRARY=throughput$")


def check_names(program):
    """Without debug information the functions of regions and tasks keep their numbers."""
    output = gdb([program], "break stop_here", "run", *SHOW_ALL, "omp why", "omp bt")
    check_all("without -g", output)
    expect("without -g", output, *NAMES, r"  1:1/3 +waits for lock .* main\._omp_fn\.0$", r"  2:0/2 +works +inner\._omp_fn\.1$",
           r"^ {8}level 2, 2 threads: inner\._omp_fn\.0$", r"^thread \d waits for the others at a barrier, in inner\._omp_fn\.0$",
           r"^  stop_here\n(  inner\._omp_fn\.1\n)?  inner\._omp_fn\.0\n(  inner\n)?  main\._omp_fn\.0\n  main$")


RUNTIMES = r"(rt_|GOMP_|gomp_|worker_main|start_thread|clone|syscall)"


def check_filter(program, core, kind):
    """Plain bt shows the program's frames, of all threads; also where debug information does not distinguish them."""
    stack = r"(#\d+ .*\n)*#\d+ .* main \("
    output = gdb([program, core], "thread apply all bt", "echo %%\\n", "disable frame-filter global ompinst", "thread 1", "bt",
                 "enable frame-filter global ompinst", "echo %%\\n", "bt -no-filters", "echo %%\\n", "bt 2")
    filtered, disabled, without, first = (output.split("%%") + [""] * 3)[:4]
    expect(kind + ": bt", filtered, r"^Thread 1 .*\n" + stack, r"^Thread 2 .*\n#\d+ .* in main\._omp_fn\.0 \(",
           r"^Thread 3 .*\n#\d+ .* in main\._omp_fn\.0 \(", r"inner\._omp_fn\.0 \(")
    if re.search(r"^#\d+ .*\b%s" % RUNTIMES, filtered, re.M):
        failures.append(kind + ": bt shows frames of the runtime:\n" + filtered)
    expect(kind + ": bt without the filter", disabled, r"^#\d+ .*\bGOMP_parallel ")
    expect(kind + ": bt -no-filters", without, r"^#\d+ .*\bGOMP_parallel ")
    expect(kind + ": bt 2", first, r"^#0 .*stop_here \(.*\n#\d+ .*inner\._omp_fn\.\d \(.*\n(?!#)")
    output = subprocess.run(
        ["gdb", "-q", "-nx", "--interpreter=mi", "-iex", "set auto-load python-scripts off", "-iex",
         "source %s/ompinst-gdb.py" % commands, program, core], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, errors="replace",  # of a text that gdb prints up to a limit
        input="-enable-frame-filters\n-stack-list-frames\n-stack-list-frames --no-frame-filters\n-gdb-exit\n").stdout
    lists = [re.findall(r'func="(.*?)"', line) for line in re.findall(r"^\^done,stack=.*", output, re.M)]
    if len(lists) != 2 or lists[0] != [name for name in lists[1] if not re.match(RUNTIMES + "|(run_now|generate|generate_watched)$", name)] or \
            "main" not in lists[0]:
        failures.append("%s: -stack-list-frames: %s in:\n%s" % (kind, lists, output))


def check_idle(program):
    """A stack without anything of the program is shown as it is."""
    output = gdb([program], "break main", "run", "delete", "break exit", "continue", "thread apply all bt")
    expect("bt of an idle worker", output, r"^Thread 2 .*\n#0 .*\n(#.*\n)*#\d+ .*worker_main .*\n#\d+ .*start_thread ",
           r"^Thread 1 .*\n#0 .*exit ")


def check_core(program, core):
    output = gdb([program, core], *SHOW_ALL)
    check_all("core", output)
    expect("core", output, RANK % (1, 4), *NAMES)
    barrier = re.search(r"^. +(\d+) +\d+  2:1/2", output, re.M)
    if barrier:
        output = gdb([program, core], "thread " + barrier.group(1), "omp bt")
        expect("bt of a worker", output, r"^  \(waits at a barrier\)$",
               r"^  inner\._omp_fn\.\d+ at stopped\.c:\d+$",
               r"^thread \d+:\n  inner at stopped\.c:\d+\n  main\._omp_fn\.\d+ .*\n"
               r"  main at stopped\.c:\d+$")


def check_attach(program):
    rank = dict(environment, SLURM_PROCID="3", SLURM_NTASKS="8", PMI_RANK="none")
    with subprocess.Popen([program, "stay"], env=rank, stdout=subprocess.PIPE,
                          text=True) as process:
        try:
            process.stdout.readline()
            output = gdb(["-p", str(process.pid)], *SHOW_ALL, "omp why")
            check_all("attach, stripped", output)
            expect("attach", output, RANK % (3, 8), r"^rank 3 of 8\nthread \d+ waits for ")
        finally:
            process.kill()


def check_messages(program, core):
    """What is wrong, case by case, and what to do."""
    expect("no process", gdb([program], "omp threads"), r"no process: `run`")
    expect("argument", gdb([program], "break main", "run", "omp env x"), r"'x': it takes no arg")
    expect("before the libraries", gdb(["--args", "/bin/sleep", "1"], "starti", "omp threads"),
           r"^omp: the process has not loaded its libraries yet: `break main`")
    expect("before its constructor", gdb([program], "set stop-on-solib-events 1", "run", "continue", "omp threads"),
           r"^omp: the OpenMP runtime has not started yet: `break main`")
    # Newer gdbs find the program by themselves.
    expect("a core without its program", gdb(["-core", core], "omp why"),
           r"^omp: gdb does not know which program this core file is of: give it with `file PROGRAM`|^no deadlock")
    expect("a core without its libraries", gdb(["-iex", "set sysroot /nowhere", program, core], "omp why"),
           r"^omp: gdb has not found the file of the process's OpenMP runtime, .*libgomp\.so\.1: `set sysroot`")
    with tempfile.TemporaryDirectory() as alone:
        shutil.copy(runtime + "/libgomp.so.1", alone)
        expect("no plugin", gdb([program], "set environment LD_LIBRARY_PATH=" + alone, "break stop_here", "run",
                                "omp threads"), r"^omp: libompd\.so was missing beside the OpenMP runtime, \S+libgomp\.so\.1")


NONE = r"^omp: the program uses no OpenMP runtime: it was compiled without -fopenmp, or"


def check_others(folder):
    """Programs on other runtimes, or on none; the compilers that a machine has."""
    clang = shutil.which(CLANG)
    for name, command, pattern in (
            ("gcc's", [compiler, "-fopenmp"], r"^omp: the program uses GCC's OpenMP runtime, /\S+libgomp\.so\.1, .* start it "
             r"with .*LD_LIBRARY_PATH"),
            ("static", [compiler, "-fopenmp", "-static"], r"^omp: the program has GCC's OpenMP runtime linked into itself"),
            ("clang's", [clang, "-fopenmp"], r"^omp: the program uses LLVM's OpenMP runtime, /\S+lib[io]\S+; "),
            ("static, none", [compiler, "-static"], NONE),
            ("none", [compiler], NONE)):
        program = "%s/other-%d" % (folder, len(os.listdir(folder)))
        if command[0] is None or subprocess.run(
                [*command, "-g", folder + "/other.c", "-o", program], stderr=subprocess.DEVNULL, check=False).returncode:
            continue
        output = gdb([program], "unset environment LD_LIBRARY_PATH", "break puts", "run", "omp threads")
        if "-static" in command:  # there are no libraries, and none are missing
            gdb([program], "break puts", "run", "generate-core-file %s-core" % program)
            expect("a core without libraries", gdb([program, program + "-core"], "omp threads"), pattern)
        if "error while loading shared" not in output:
            expect("a program on another runtime: " + name, output, pattern)
        if "<" in re.sub(r"(?s)^.*^omp:", "", output, flags=re.M):
            failures.append("a message with a place that was not filled in:\n" + output)


def check_before(program):
    expect("before OpenMP", gdb([program], "break main", "run", "omp threads"), r"no OpenMP thread")


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program, stripped = folder + "/stopped", folder + "/stripped"
        subprocess.run([compiler, "-g", "-O1", "-fopenmp", source, "-o", program], check=True)
        subprocess.run(["strip", program, "-o", stripped], check=True)
        if "Breakpoint 1, " not in gdb([program], "break main", "run"):
            print("gdb cannot run programs here")
            return 77
        subprocess.run([compiler, "-O1", "-fopenmp", source, "-o", folder + "/nameless"], check=True)
        check_names(folder + "/nameless")
        check_run(program, folder + "/core")
        check_core(program, folder + "/core")
        check_filter(program, folder + "/core", "a core")
        check_idle(program)
        check_attach(stripped)
        check_variables(program)
        check_messages(program, folder + "/core")
        check_before(program)
        with open(folder + "/other.c", "w", encoding="utf-8") as text:
            text.write("#include <stdio.h>\nint main(void)\n{\n#pragma omp parallel num_threads(2)\n\tputs(\"\");\n}\n")
        check_others(folder)
        check_llvm_variables(folder)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
