# SPDX-License-Identifier: BSD-3-Clause
"""What `omp why` says of threads that wait outside OpenMP, of code in shared libraries, of threads that run and of
threads that are being started.

outside.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. Every scene is seen in the process, once with and once without the
debug information of libc where the system has it, and in a core file. Exits 77 where gdb cannot attach.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import NUMBERS, answers, by_age, command_line, expect, failures, is_at_rest, skip_without_tracing, states_of, wait_until

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
ATTACH = r"^ptrace: Operation not permitted"

# By scene: what is said, with threads numbered by age.
SCENES = {
    "mutex-at-barrier": (
        r"^thread 1 waits for the others at a barrier, in mutex_at_barrier\._omp_fn\.0 at outside\.c:\d+\n"
        r"    not there yet: thread 2\n"
        r"        thread 2 is blocked in pthread_mutex_lock \(held by thread 1\), in mutex_at_barrier\._omp_fn\.0 at outside\.c:",
        r"^deadlock: each of these waits for the next, the last for the first:\n"
        r"    thread 1 waits for the others at a barrier, .*; not there yet: thread 2\n"
        r"    thread 2 waits for mutex mutex \(0x\w+\), in mutex_at_barrier\._omp_fn\.0 at outside\.c:\d+; held by thread 1$"),
    "join-in-region": (
        r"^ +thread 2 is blocked in pthread_join \(of thread 3\), in join_in_region\._omp_fn\.0 at outside\.c:",
        r"^no deadlock within OpenMP; thread 2 is blocked in pthread_join \(of thread 3\) and thread 3 is blocked in "
        r"clock_nanosleep$"),
    "mutex-of-main": (
        r"^deadlock: each of these waits for the next, the last for the first:\n"
        r"    thread 1 waits for the end of thread 2 \(pthread_join\), in mutex_of_main at .*; it has not ended\n"
        r"    thread 2 waits for mutex mutex \(0x\w+\), in lock_again at .*; held by thread 1$",),
    "region-in-library": (
        r"^ +thread 2 is blocked in clock_nanosleep, in sleep_in_library at outside-library\.c:\d+$",
        r"^thread 1 waits for the others at the region's end, in region_in_library\._omp_fn\.0 at outside-library\.c:"),
    "receive-in-region": (
        r"^ +thread 2 is in MPI_Send \(destination 3, tag to send 7\), in MPI_Send at outside-library\.c:\d+$",
        r"^no deadlock within OpenMP; thread 2 is in MPI_Send \(destination 3, tag to send 7\)$"),
}
WAYS = {"attached": [], "without libc's debug information": ["set debug-file-directory /nowhere"]}


def build(folder):
    library, program = folder + "/liboutside.so", folder + "/outside"
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", "-fPIC", "-shared", sources + "/outside-library.c", "-o", library],
                   check=True)
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", sources + "/outside.c", sources + "/scenes.c", library,
                    "-Wl,-rpath," + folder, "-o", program], check=True)
    return program


def said_between_marks(output):
    match = re.search(r"^=== (.*?)\n(.*?)\n===$", output, re.M | re.S)
    return by_age(match[2], match[2].split("\n", 1)[0]) if match else output


MARKED = ["echo \\n===\\ \\n", NUMBERS, "omp why", "echo \\n===\\n"]


def play(program, scene, environment, folder):
    """What gdb says in each way; False: it may not attach."""
    patterns = SCENES[scene]
    core = "%s/core-%s" % (folder, scene)
    with subprocess.Popen([program, scene], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            process.stdout.readline()
            wait_until(lambda: len(states_of(process.pid)) > 1 and is_at_rest(process.pid, busy=scene == "receive-in-region"))
            for way, before in WAYS.items():
                output = answers(command_line(commands, "attach %d" % process.pid, *MARKED, "generate-core-file " + core,
                                              before=before), environment)
                if re.search(ATTACH, output, re.M):
                    return False
                expect("%s, %s" % (scene, way), said_between_marks(output), *patterns)
            if scene == "mutex-at-barrier":
                check_running(process.pid, environment)
        finally:
            process.kill()
    expect(scene + ", core", said_between_marks(answers(
        command_line(commands, "file " + program, "core-file " + core, *MARKED), environment)), *patterns)
    return True


RUNS = r"^thread \d runs meanwhile \(non-stop mode\): what is shown of it may be over; `interrupt -a` stops all threads\n"


def check_running(pid, environment):
    """Non-stop mode: gdb stops one thread, and the other runs."""
    asked = ("omp threads", "omp tree", "omp why", "omp tasks", "omp bt", "omp step", "omp icvs", "omp env", "omp json")
    other = "python [t for t in gdb.selected_inferior().threads() if t.is_running()][0].switch()"
    output = answers(command_line(commands, "set non-stop on", "attach %d" % pid, "echo %%\\n", *asked[:-4], other,
                                  "echo %%\\n", *asked), environment)
    stopped, running = (output.split("%%") + [""] * 2)[1:3]
    for what, text in (("of a stopped thread", stopped), ("of a running thread", running)):
        expect("non-stop, " + what, text, RUNS + r"  thread +LWP ", r"^. +\d +\d+  1:0/2 +waits at a barrier ",
               r"^. +\d +\d+  1:1/2 +works ", RUNS + "level 0, 1 thread", RUNS + r"thread \d waits for the others",
               r"^no verdict on deadlocks while threads run$", r"^There are no explicit tasks\.$")
        if "Exception" in text or "Traceback" in text or "damaged" in text:
            failures.append("non-stop, %s: an exception:\n%s" % (what, text))
    expect("non-stop", running, r"^omp bt: thread \d is running: `interrupt` stops it$",
           r"^omp step: thread \d is running: `interrupt` stops it$", r'^ "deadlock": null,$', r"^OMP_DYNAMIC=FALSE$",
           r"^dyn-var ")


def check_started(program, environment):
    """The region has begun, and its worker has not come to enter its number yet. Which of the two threads comes to its
    breakpoint first is not known: the worker then stays where it is."""
    output = answers(command_line(commands, "set breakpoint pending on", "break worker_main", "break let_others", "run",
                                  "python gdb.selected_thread().num == 1 or gdb.execute('set scheduler-locking on')",
                                  "thread 1", "continue", "omp threads", "omp tree", "omp why")
                     + ["--args", program, "started"], environment)
    expect("a thread that is being started", output, r"^. +1 +\d+  1:0/2 +works ", r"^. +2 +\d+  -  +is being started by the runtime$",
           r"^      1: a thread that is being started$")
    if "LWP 0" in output:
        failures.append("LWP 0 in:\n" + output)


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
        environment.pop("OMP_DEBUG", None)
        for scene in SCENES:
            if not play(program, scene, environment, folder):
                print("gdb may not attach here")
                return 77
        check_started(program, environment)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
