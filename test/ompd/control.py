# SPDX-License-Identifier: BSD-3-Clause
"""omp break, step, json, profile, the `ompd` names, completion and help in a real gdb.

control.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. The program is built by CC without and with
optimisation, and by `OMPINST CC`. Exits 77 where gdb cannot run programs.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, command_line, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, ompinst, sources, runtime, commands = sys.argv[1:6]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime)
environment.pop("OMP_DEBUG", None)
SOURCE = sources + "/constructs.c"
with open(SOURCE, encoding="utf-8") as text:
    LINES = {match.group(1): number for number, line in enumerate(text, 1)
             for match in [re.search(r"/\* (.*) \*/$", line)] if match and number > 10}


def gdb(arguments, *gdb_commands):
    line = command_line(commands, "set breakpoint pending on", *gdb_commands)
    return answers(line + arguments, environment, folder)


def check_break(what, program):
    """Three regions: three stops, each in thread 0; three tasks."""
    region, task = "constructs.c:%d" % LINES["body"], "constructs.c:%d" % LINES["task"]
    output = gdb([program], "omp break parallel " + region, "run", "omp threads", "continue",
                 "continue", "continue")
    expect(what, output, r"^Breakpoint \d for a parallel region: lines %d-\d+ \(main\._omp_fn\.0\)$"
           % LINES["region"], r"^\* +1 +\d+  1:0/2 +works +main\._omp_fn\.0 at constructs\.c:%d$"
           % LINES["region"])
    stops = len(re.findall(r"^Thread 1 .* hit Breakpoint \d, ", output, re.M))
    if stops != 3 or "visits 6" not in output:
        failures.append("%s: %d stops in three regions:\n%s" % (what, stops, output))
    output = gdb([program], "break main", "run", "omp break task " + task, "continue", "omp icvs",
                 "continue", "continue", "continue")
    expect(what, output, r"^explicit-task-var +task +true$", r"^implicit-task-var +task +false$")
    stops = len(re.findall(r"^Thread \d+ .* hit Breakpoint \d, ", output, re.M))
    if stops != 3 or "visits 6" not in output:
        failures.append("%s: %d stops in three tasks:\n%s" % (what, stops, output))


def check_everywhere(program):
    at_bound = r"^\* +1 +\d+  1:0/2 +works +the program$"
    output = gdb([program], "break main", "run", "omp break parallel", "continue", "omp threads", "delete 2",
                 "omp break task", "continue", "omp icvs", "echo %%\\n", "delete 3", "break ompd_bp_parallel_end",
                 "continue", "omp threads")
    expect("omp break parallel", output, r"hit Breakpoint 2, .*ompd_bp_parallel_begin",
           r"hit Breakpoint 3, .*ompd_bp_task_begin", r"^debug-var +process +true$")
    # The region is the one that begins or ends, the current task the one that encountered the construct: main's.
    expect("at the begin of a region", output.split("hit Breakpoint 3")[0], at_bound)
    expect("at the end of a region", output.split("%%")[-1], r"hit Breakpoint 4, .*ompd_bp_parallel_end", at_bound)


def check_step(program):
    output = gdb([program], "break main", "run", "next", "next", "omp step", "omp bt",
                 "ompd step", "omp step")
    expect("omp step", output, r"^thread 1:\n  main\._omp_fn\.0 at constructs\.c:\d+\n  main at "
           r"constructs\.c:%d$" % LINES["region"],
           r"^%d\t+total\+\+; /\* body \*/$" % LINES["body"], r"^%d\t+usleep" % (LINES["body"] + 1))
    if re.search(r"/runtime/|GOMP_", output):
        failures.append("omp step stopped in the runtime:\n" + output)


def check_sites():
    """The function and line that generated a task, in the program's language; with OMP_DEBUG the very
    place, also in the code of what the function was inlined in."""
    with open(sources + "/sites.cc", encoding="utf-8") as text:
        line = [number for number, line in enumerate(text, 1) if "/* construct */" in line][0]
    cxx = shutil.which("g++")
    if cxx is None or not os.path.basename(compiler).startswith("gcc"):
        return
    subprocess.run([cxx, "-g", "-O2", "-fopenmp", sources + "/sites.cc", "-o", folder + "/sites"], check=True)
    row = r"^task 0x\w+  blocked   Grid::add\(int\)\._omp_fn\.\d+ at sites\.cc:%d; " % line
    by_whom = r", by task 0x\w+ \(Grid::sweep\(\)\._omp_fn\.\d+ at sites\.cc:\d+\); waits for 1 task$"
    output = gdb([folder + "/sites"], "break stop_here", "run", "omp tasks blocked")
    expect("a task's construct", output, r"(%sgenerated in Grid::add\(int\) at sites\.cc:%d%s\n.*\n){2}" % (
        row, line, by_whom))
    output = gdb([folder + "/sites"], "set environment OMP_DEBUG=enabled", "break stop_here", "run",
                 "omp tasks blocked")
    for function in ("raise", "lower"):
        expect("a task's site", output, r"%sgenerated in Grid::add\(int\), inlined in Grid::%s\(\), at "
               r"sites\.cc:\d+%s" % (row, function, by_whom))


def check_fortran():
    fortran = shutil.which("gfortran")
    if fortran is None or not os.path.basename(compiler).startswith("gcc"):
        return
    subprocess.run([fortran, "-g", "-fopenmp", sources + "/heat.f90", "-o", folder + "/heat"], check=True)
    output = gdb([folder + "/heat"], "break warm", "run", "omp bt", "echo %%\\n", "omp threads",
                 "omp break task heat.f90:11")
    if output.count("for a task: ") != 1:
        failures.append("not one breakpoint for a Fortran task:\n" + output)
    expect("omp bt in Fortran", output, r"^  (heat::)?warm at heat\.f90:\d+\n  MAIN__\._omp_fn\.1 at heat\.f90:\d+\n"
           r"(.*\n)*?  heat at heat\.f90:\d+\n(  main at heat\.f90:\d+\n)?%%",
           r"  1:0/1 +works +MAIN__\._omp_fn\.1 at heat\.f90:\d+$")


def check_json(program):
    """The same facts as the other commands print."""
    output = gdb([program], "break constructs.c:%d" % LINES["body"], "run", "omp json facts.json",
                 "omp json", "omp threads", "omp env", "kill", "set environment PMI_RANK=2",
                 "set environment PMI_SIZE=3", "run", "omp json rank.json")
    with open(folder + "/facts.json", encoding="utf-8") as stored:
        facts = json.load(stored)
    printed = json.loads(re.search(r"^\{\n.*?^\}$", output, re.M | re.S).group())
    with open(folder + "/rank.json", encoding="utf-8") as stored:
        rank = json.load(stored)["rank"]
    if facts["rank"] is not None or rank != {"number": 2, "size": 3, "source": "PMI_RANK"}:
        failures.append("omp json: rank %s, then %s" % (facts["rank"], rank))
    if facts != printed:
        failures.append("omp json differs from what it stores:\n%s\n%s" % (facts, printed))
    for row in facts["threads"]:
        if "level" not in row:  # it has not begun the region, or not even itself
            expect("omp json", output, r"^[* ] +%d +%d  - +(%s)" % (
                row["thread"], row["lwp"], "idle" if row["openmp"] else "no OpenMP thread"))
            continue
        expect("omp json", output, r"^[* ] +%d +%d  %d:%d/%d +\S.* %s$" % (
            row["thread"], row["lwp"], row["level"], row["number"], row["team_size"],
            re.escape(row["code"])))
    for name, value in facts["control_variables"].items():
        expect("omp json", output, "^%s=%s$" % (re.escape(name), re.escape(value)))
    if len(facts["threads"]) != 2 or facts["deadlock"] or "num-procs-var" not in facts["icvs"]:
        failures.append("omp json: %s" % facts)


def check_names(program):
    output = gdb([program], "break constructs.c:%d" % LINES["body"], "run", "ompd init", "echo A\\n",
                 "ompd threads", "echo B\\n", "omp threads", "echo C\\n", "ompd parallel",
                 "echo D\\n", "omp tree", "echo E\\n", "ompd icvs", "echo F\\n", "omp icvs",
                 "echo G\\n", "ompd bt on", "echo H\\n", "omp bt", "echo I\\n")
    for one, other, end in ("ABC", "CDE", "EFG", "GHI"):
        halves = re.search("^%s\n(.+)^%s\n(.+)^%s\n" % (one, other, end), output, re.M | re.S)
        if not halves or halves.group(1) != halves.group(2):
            failures.append("names of LLVM's plugin: %s and %s differ:\n%s" % (one, other, output))
    expect("ompd init", output, r"^ompinst libgomp\.so\.1, _OPENMP 202011, by ompinst libompd .*build ")


def check_ahead():
    """A worker is in a region that the thread which forked it is not in yet."""
    program = folder + "/ahead"
    subprocess.run([compiler, "-g", "-fopenmp", sources + "/ahead.c", "-o", program], check=True)
    with open(sources + "/ahead.c", encoding="utf-8") as text:
        stop, forks = (number for number, line in enumerate(text, 1) if re.search(r"/\* (ahead|forks) \*/", line))
    output = gdb([program], "break ahead.c:%d" % stop, "run", "omp bt", "echo %\n", "omp tree", "omp threads", "omp why")
    if "no priority" in output:
        return
    expect("omp bt of a worker that is ahead", output,
           r"^thread 3:\n  ahead at ahead\.c:\d+\n  main\._omp_fn\.1 at ahead\.c:\d+\n"
           r"thread 1:\n  main at ahead\.c:\d+\n%$",
           r"^level 0, 1 thread: the program\n  0: thread 1 \(LWP \d+\) .*\n"
           r"    level 1, 2 threads: main\._omp_fn\.1 at ahead\.c:%d\n"
           r"      0: thread 1 \(LWP \d+\) has not begun it\n      1: thread 3 \(LWP \d+\) works$" % forks,
           r"^\* +3 +\d+  1:1/2 +works ", "^no deadlock")


def check_help():
    names = ["threads", "tree", "tasks", "why", "bt", "icvs", "env", "break", "step", "json", "profile", "next", "finish", "up", "changes",
             "stacks", "print"]
    output = gdb([], "complete omp ", "complete omp tasks r", "complete omp break ",
                 "complete ompd ", *("help omp " + name for name in names))
    for name in names:
        expect("help", output, r"^omp %s$" % name, r"^\S.*: omp %s( |$)" % name)
    expect("completion", output, r"^omp tasks ready$", r"^omp tasks running$",
           r"^omp break parallel$", r"^omp break task$", r"^ompd init$", r"^ompd parallel$")


def check_before_run(program):
    """What there is before the program runs, and what the commands say then; no exceptions."""
    asked = ["omp threads", "omp why", "omp env", "omp json", "omp step", "ompd threads", "ompd init"]
    output = gdb([program], "omp", "omp nonsense", *asked)
    expect("before run", output, r"^omp why -- Show what each thread waits for",
           r"^omp: 'nonsense': expected one of: threads, tree, tasks, why,",
           r"(^omp: there is no process: `run` the program.*\n){%d}" % len(asked))
    if "Exception" in output or "Python:" in output:
        failures.append("before run: an exception:\n" + output)
    output = gdb([program], "omp break task", "run", "bt 2")
    expect("omp break before run", output, r"^Breakpoint 1 \(ompd_bp_task_begin\) pending",
           r"^Thread \d+ .* hit Breakpoint 1, .*ompd_bp_task_begin ")
    expect("omp break without a program", gdb([], "omp break task"), r"^omp: there is no process: `run`")


def check_loading():
    """By Python's ways; and what a gdb without Python is told: it reads the text as its own commands, up to the first
    that is none of comments."""
    script = commands + "/ompinst-gdb.py"
    for how in ("gdb.execute('source %s')", "exec(compile(open('%s').read(), '%s', 'exec'))",
                "import runpy; runpy.run_path('%s')"):
        line = ["gdb", "-q", "-batch", "-nx", "-iex", "set auto-load python-scripts off"]
        how = how.replace("%s", script)
        expect("python " + how, answers(line + ["-ex", "python " + how, "-ex", "omp threads"], environment),
               r"^omp: there is no process: `run`")
    expect("the text alone", answers(line + ["-ex", "python exec(open('%s').read())" % script], environment),
           r"GdbError: omp: Python does not know where the file of this text is: load it by gdb\.execute\('source ")
    with open(script, encoding="utf-8") as text:
        first = next(row for row in text if not row.startswith("#"))
    if not first.startswith("python "):
        failures.append("a gdb without Python stops at: " + first)
    told = r"^The omp commands of the OpenMP runtime need a gdb with Python"
    with open(commands + "/without-python.gdb", encoding="utf-8") as text, \
            open(folder + "/without", "w", encoding="utf-8") as without:
        without.write(text.read().replace("$_streq", "$_no_such_function"))
    expect("without Python", answers(line + ["-ex", "source %s/without" % folder], environment), told)
    if re.search(told, answers(line + ["-ex", "source %s/without-python.gdb" % commands], environment), re.M):
        failures.append("a gdb with Python is told that it has none")


def check_profile(program):
    """Visits are those that the program counted, the critical's time is not less than it slept; libpomp's own
    report at the exit says the same."""
    output = gdb([program], "break stop_here", "run", "omp profile", "finish",
                 "generate-core-file core", "omp profile all", "continue")
    expect("omp profile", output, r"^visits 6$",
           r"^ +6 +\d+\.\d+ +\d+\.\d+ +\d+  parallel at constructs\.c:%d-\d+$" % LINES["region"],
           r"^ +6 +(?!0\.00)\d+\.\d+ +\d+\.\d+ +2  critical count at constructs\.c:\d+-\d+$",
           r"^ +3 +\d+\.\d+ +\d+\.\d+ +\d+  task at constructs\.c:%d-\d+$" % LINES["task"])
    before = re.search(r"^ +visits +time .*?(?=^=)", output.split("\nvisits 6")[0] + "\n=", re.M | re.S)
    after = gdb([program, "core"], "omp profile")
    if before is None:
        failures.append("omp profile: nothing in:\n" + output)
        return
    for row in before.group().splitlines()[1:]:
        columns = row.split(None, 4)
        if re.match(r"\d+ ", row.strip()):
            expect("omp profile of a core file", after, r"^ +%s .*  %s$" % (
                columns[0], re.escape(columns[4])))


def main():
    programs = {name: "%s/%s" % (folder, name) for name in ("plain", "optimised", "instrumented")}
    subprocess.run([compiler, "-g", "-fopenmp", SOURCE, "-o", programs["plain"]], check=True)
    subprocess.run([compiler, "-g", "-O2", "-fopenmp", SOURCE, "-o", programs["optimised"]], check=True)
    subprocess.run([ompinst, compiler, "-g", "-fopenmp", SOURCE, "-o", programs["instrumented"]],
                   check=True, cwd=folder)
    if "Breakpoint 1, " not in gdb([programs["plain"]], "break main", "run"):
        print("gdb cannot run programs here")
        return 77
    for name, program in programs.items():
        check_break(name, program)
    check_everywhere(programs["optimised"])
    check_step(programs["plain"])
    check_sites()
    check_fortran()
    check_json(programs["plain"])
    check_names(programs["plain"])
    check_ahead()
    check_help()
    check_before_run(programs["plain"])
    check_loading()
    check_profile(programs["instrumented"])
    expect("omp profile", gdb([programs["plain"]], "break main", "run", "omp profile"),
           r"not instrumented: compile it with `ompinst gcc \.\.\.`")
    expect("omp break", gdb([programs["plain"]], "omp break parallel constructs.c:1",
                            "omp break task elsewhere.c:2", "omp break 7", "omp json"),
           r"'constructs\.c:1': no parallel region and no task there", r"'elsewhere\.c:2': No source",
           r"'7': expected: omp break parallel\|task", r"there is no process: `run`")
    print("\n".join(failures))
    return 1 if failures else 0


if shutil.which("gdb") is None:
    print("gdb is not there")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    sys.exit(main())
