# SPDX-License-Identifier: BSD-3-Clause
"""`omp up`, `omp finish`, `omp next` and `omp changes` in a real gdb.

moves.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. Exits 77 where gdb cannot run programs.
"""
import os
import re
import shutil
import sys
import tempfile

from debugger import answers, build, command_line, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)
# A thread of a region takes lines until it has left the region's code.
UNTIL_OUT = "python [gdb.execute('omp next') for _ in range(20) if '_omp_fn' in gdb.newest_frame().name()]"


def gdb(program, *said):
    return answers(command_line(commands, "set breakpoint pending on", *said) + [program], environment)


def mark(source, word):
    with open("%s/%s" % (sources, source), encoding="utf-8") as text:
        return next(number for number, line in enumerate(text, 1) if word in line)


def check_up(program):
    up = ["omp up", "echo --\\n"]
    output = gdb(program, "break stop_here", "run", "echo ==\\n", *up * 6, "python print('selected', gdb.selected_thread().num)",
                 "python [t for t in gdb.selected_inferior().threads() if t.num == 2][0].switch()", "echo ==\\n", *up * 3)
    parts = (output.split("==\n") + ["", ""])[1:3]
    expect("omp up", parts[0], r"^#\d+ .* inner\._omp_fn\.1 .*\n(.*\n)?--\n#\d+ .* inner\._omp_fn\.0 .*\n(.*\n)?--\n#\d+ .* inner .*\n(.*\n)?"
           r"--\n#\d+ .*main\._omp_fn\.0 .*\n(.*\n)?--\n#\d+ .* main .*\n(.*\n)?--\nomp up: there is no call of the program around this one\n--\n"
           r"selected 1$")
    # A worker's path continues in the thread that forked its region.
    expect("omp up of a worker", parts[1], r"^#\d+ .* main\._omp_fn\.0 .*\n(.*\n)?--\n"
           r"\[thread 1, which forked the region of thread 2\]\n#\d+ .* main .*\n(.*\n)?--\nomp up: there is no call")


def check_finish(program, others):
    for thread in (1, 2):
        output = gdb(program, "break constructs.c:%d if $_thread == %d" % (mark("constructs.c", "/* body */"), thread), "run",
                     "echo ==\\n", "omp finish", "bt")
        expect("omp finish in thread %d" % thread, output.split("==\n")[-1], r"^#0 .* main \(\)")
    output = gdb(others, "break stop_here", "run", "omp why", "omp changes", "thread 2", "omp finish", "echo ==\\n", "bt 1", "omp changes")
    at_lock = r"main\._omp_fn\.0 (at|\(\) at)"
    expect("omp changes", output, r"^\d thread\(s\) as before$")
    expect("omp finish of a wait", output.split("==\n")[-1], r"^#0 .* " + at_lock,
           r"^thread 2 works, in .*\n    before: waits for (lock guard|critical \(door\))")


def check_next(program):
    for thread in (1, 2):
        output = gdb(program, "break constructs.c:%d if $_thread == %d" % (mark("constructs.c", "/* body */"), thread), "run",
                     "delete", "echo ==\\n", UNTIL_OUT, "echo ==\\n", "bt")
        steps, end = (output.split("==\n") + ["", ""])[1:3]
        expect("omp next in thread %d" % thread, steps, r"^%d\t" % (mark("constructs.c", "/* body */") + 1),
               r"^The rest of the team \(1\) ran meanwhile: `omp stacks` shows where\.$")
        expect("after omp next in thread %d" % thread, end, r"^#0 .*main \(\) at .*constructs\.c:\d+$")
        if re.search(r"GOMP_|worker_main|/runtime/", steps):
            failures.append("omp next stopped in the runtime:\n" + steps)


def check_refusals(program):
    asked = ("omp up", "omp finish", "omp next", "omp changes")
    output = gdb(program, *asked)
    if len(re.findall(r"^omp: there is no process: `run` the program", output, re.M)) != len(asked):
        failures.append("before run:\n" + output)
    expect("with arguments", gdb(program, "break main", "run", "omp finish 1", "omp next 1", "omp up 1"), r"^omp finish: '1': it takes no arguments$",
           r"^omp next: '1': it takes no arguments$", r"^omp up: '1': it takes no arguments$")


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        constructs, stopped = (build(compiler, sources, folder, name) for name in ("constructs", "stopped"))
        if "Breakpoint 1, " not in gdb(stopped, "break main", "run"):
            print("gdb cannot run programs here")
            return 77
        check_up(stopped)
        check_finish(constructs, stopped)
        check_next(constructs)
        check_refusals(stopped)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
