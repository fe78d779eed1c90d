# SPDX-License-Identifier: BSD-3-Clause
"""What `omp why` says of programs that hang, or do not, in waits of OpenMP and of pthreads or Python together.

mixed.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. All programs run at the same time, and gdb attaches to each in turn, without
the debug information of libc. Exits 77 where gdb cannot attach, or cannot see what a system call waits for.
"""
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import NUMBERS, answers, by_age, command_line, failures, is_at_rest, skip_without_tracing, states_of, wait_until

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
STOPS = {"busy-with-all": 25, "gil": 5}  # of the program that always goes on; of one in which a thread is rarely elsewhere
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)

CIRCLE = r"deadlock: each of these waits for the next, the last for the first:\n"
ITSELF = r"deadlock: it waits for itself:\n"
NEVER = r"deadlock: a wait for something that cannot happen:\n"
AT = r", in %s at mixed\.c:\d+; "
LOCK = r" +thread %d waits for lock lock \(0x\w+\)" + AT + r"held by thread %d\n"
MUTEX = r" +thread %d waits for mutex mutex \(0x\w+\)" + AT + r"held by thread %d\n"
RWLOCK = r" +thread %d waits for rwlock rwlock \(0x\w+\), to %s" + AT + r"%s\n"
CONDITION = r" +thread %d waits for condition variable ready" + AT + r"no thread is left that could act\n"


def cross(function):
    return CIRCLE + LOCK % (1, function, 2) + MUTEX % (2, function, 1)


# By scene: the verdict, and how many threads cannot go on.
VERDICTS = {
    "mutex-and-lock": (cross(r"cross\._omp_fn\.0"), 2),
    "recursive-and-lock": (cross(r"recursive_and_lock\._omp_fn\.0"), 2),
    "errorcheck-and-lock": (cross(r"cross\._omp_fn\.0"), 2),
    "priority-and-lock": (cross(r"cross\._omp_fn\.0"), 2),
    "robust-and-lock": (cross(r"cross\._omp_fn\.0"), 2),
    "mutex-and-critical": (
        CIRCLE + r" +thread 1 waits for critical \(door\)" + AT % r"mutex_and_critical\._omp_fn\.0" + r"held by thread 2\n"
        + MUTEX % (2, r"mutex_and_critical\._omp_fn\.0", 1), 2),
    "mutex-at-barrier": (
        "(?:%s|%s){2}" % (MUTEX % (3, r"mutex_at_barrier\._omp_fn\.0", 2),
                          r" +thread 2 waits for the others at a barrier" + AT % ".*" + r"not there yet: thread 3\n"), 3),
    "mutex-in-task": (
        CIRCLE + r" +thread 1 waits for its child tasks \(taskwait\)" + AT % ".*" + r"being executed: thread 2\n"
        + MUTEX % (2, r"mutex_in_task\._omp_fn\.1", 1), 2),
    "mutex-twice": (ITSELF + MUTEX % (1, "mutex_twice", 1), 1),
    "mutex-of-ended": (
        NEVER + r" +thread 2 waits for mutex mutex \(0x\w+\)" + AT % ".*" + r"held by LWP \d+, which has ended\n", 2),
    "writer-and-lock": (CIRCLE + LOCK % (1, ".*", 2) + RWLOCK % (2, "read", ".*", "held by thread 1"), 2),
    "two-writers": (CIRCLE + LOCK % (1, ".*", 2) + RWLOCK % (2, "write", ".*", "held by thread 1"), 2),
    "reader-and-lock": (NEVER + RWLOCK % (2, "write", ".*", "no thread is left that could act"), 2),
    "join-with-lock": (
        CIRCLE + r" +thread 1 waits for the end of thread 2 \(pthread_join\)" + AT % "join_with_lock" + r"it has not ended\n"
        + LOCK % (2, "take_lock", 1), 2),
    "condition-with-mutex": (NEVER + CONDITION % (1, r"condition_with_mutex\._omp_fn\.0"), 2),
    "condition-of-nobody": (NEVER + CONDITION % (2, r"condition_of_nobody\._omp_fn\.0"), 3),
    "condition-and-lock": (CIRCLE + MUTEX % (1, ".*", 2) + LOCK % (2, ".*", 1), 2),
    "barrier-of-pthreads": (
        NEVER + r" +thread 1 and thread 2 wait for the others at a pthread barrier" + AT % ".*" + "no thread is left that could act\n",
        2),
    "handler-with-own-mutex": (ITSELF + MUTEX % (2, "take_in_handler", 2), 2),
    "handler-in-wait": (CIRCLE + MUTEX % (1, "take_in_handler", 2) + LOCK % (2, ".*", 1), 2),
    "gil": (
        CIRCLE + r" +thread 1 waits for the others at the region's end.*; not there yet: thread 2\n"
        r" +thread 2 waits for Python's lock of the interpreter \(GIL\), in use_python\._omp_fn\.0 at gil\.c:\d+; "
        r"held by thread 1\n", 2),
}
GIL = """
#include <omp.h>
int PyGILState_Ensure(void);
void use_python(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		PyGILState_Ensure();
}
"""
PYTHON = """
import ctypes
import sys
print("begun", flush=True)
ctypes.PyDLL(sys.argv[1]).use_python()
"""


def build(folder):
    program = folder + "/mixed"
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", "-pthread", sources + "/mixed.c", sources + "/scenes.c", "-o", program],
                   check=True)
    with open(folder + "/gil.c", "w", encoding="utf-8") as text:
        text.write(GIL)
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", "-fPIC", "-shared", folder + "/gil.c", "-o", folder + "/libgil.so"], check=True)
    return program


def start(folder):
    """The processes by scene."""
    program = build(folder)
    names = subprocess.run([program], env=environment, text=True, check=True, stdout=subprocess.PIPE).stdout.split()
    lines = {name: [program, name] for name in names}
    lines["gil"] = [sys.executable, "-c", PYTHON, folder + "/libgil.so"]
    return {name: subprocess.Popen(line, env=environment, stdout=subprocess.PIPE) for name, line in lines.items()}


def has_come(name, process):
    """Of Python's threads that wait for its lock, one wakes up every few milliseconds."""
    if process.poll() is not None or name == "busy-with-all":
        return True
    return states_of(process.pid) == ["S", "S"] if name == "gil" else is_at_rest(process.pid)


def ask(processes, facts):
    line = command_line(commands, before=["set debug-file-directory /nowhere"])
    for name, process in processes.items():
        for _ in range(STOPS.get(name, 1)):
            for command in ("attach %d" % process.pid, "echo \\n=== %s\\n" % name, NUMBERS, "omp why", "echo \\n===\\n",
                            *(["omp json %s" % facts] if name == "mutex-and-lock" else []), "detach"):
                line += ["-ex", command]
        line += ["-ex", "add-inferior", "-ex", "inferior $_inferior + 1"]
    output = answers(line, environment)
    found = {}
    for name, text in re.findall(r"^=== ([^\n]+)\n(.*?)\n===$", output, re.M | re.S):
        found.setdefault(name, []).append(by_age(text, text.split("\n", 1)[0]) + "\n")
    return found, output


def check(found):
    for name, texts in found.items():
        if name not in VERDICTS:
            if len(texts) != STOPS.get(name, 1):
                failures.append("%s: %d answers" % (name, len(texts)))
            failures.extend("%s: a false alarm, or no verdict:\n%s" % (name, text) for text in texts
                            if "\nno deadlock" not in text or "\ndeadlock" in text)
            continue
        pattern, stuck = VERDICTS[name]
        if not any(re.search(pattern, text) and "\n%d thread(s) cannot continue" % stuck in text for text in texts):
            failures.append("%s: expected /%s/ and %d stuck threads in:\n%s" % (name, pattern, stuck, texts[0]))


def check_json(name):
    """What `omp json` says of mutex-and-lock."""
    with open(name, encoding="utf-8") as text:
        facts = json.load(text)
    row = (facts["blocked"] or [{}])[0]
    holder = facts["waits"][0]["lwp"]
    if not facts["deadlock"] or [row.get(key) for key in ("kind", "by", "holder", "stuck")] != ["mutex", holder, holder, True]:
        failures.append("omp json: %s" % facts)


def main():
    if shutil.which("gdb") is None or platform.machine() not in ("x86_64", "aarch64") or platform.libc_ver()[0] != "glibc":
        print("needs gdb, and glibc on x86-64 or AArch64")
        return 77
    processes = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            processes = start(folder)
            for process in processes.values():
                process.stdout.readline()
            wait_until(lambda: all([has_come(*item) for item in processes.items()]))
            found, output = ask(processes, folder + "/facts")
            if os.path.exists(folder + "/facts"):  # else gdb may not attach
                check_json(folder + "/facts")
        finally:
            for process in processes.values():
                process.kill()
                process.wait()
                process.stdout.close()
    if "ptrace: Operation not permitted" in output:
        print("gdb may not attach here")
        return 77
    if set(processes) != set(found):
        failures.append("no answers for %s" % (set(processes) - set(found)))
    check(found)
    if failures:
        print("gdb said:\n%s\n" % output[-20000:])
    print("%d scenes\n%s" % (len(found), "\n".join(failures)))
    return 1 if failures else 0


sys.exit(main())
