# SPDX-License-Identifier: BSD-3-Clause
"""What `omp why` says of programs that hang, or do not, in waits of OpenMP and of pthreads or Python together.

mixed.py CC CXX SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. All programs run at the same time, and gdb attaches to each in turn, without
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

compiler, cxx, sources, runtime, commands = sys.argv[1:6]
STOPS = {"busy-with-all": 20, "gil": 5, "gil-and-lock": 5}  # of the program that always goes on; of one in which a thread is rarely elsewhere
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)

CIRCLE = r"deadlock: each of these waits for the next, the last for the first:\n"
ITSELF = r"deadlock: it waits for itself:\n"
NEVER = r"deadlock: a wait for something that cannot happen:\n"
AT = r", in %s at mixed\.cc?:\d+; "
LOCK = r" +thread %d waits for lock lock \(0x\w+\)" + AT + r"held by thread %d\n"
MUTEX = r" +thread %d waits for mutex mutex \(0x\w+\)" + AT + r"held by thread %d\n"
RWLOCK = r" +thread %d waits for rwlock rwlock \(0x\w+\), to %s" + AT + r"%s\n"
CONDITION = r" +thread %d waits for condition variable ready" + AT + r"no thread is left that could act\n"


DOOR = r" +thread %d waits for critical \(door\)" + AT % "%s" + r"held by thread %d\n"
NOBODY = "no thread is left that could act\n"


def cross(first, second):
    return CIRCLE + LOCK % (1, first, 2) + second


LOCKED = cross("set_lock", MUTEX % (2, "lock_mutex", 1))
# By scene: the verdict, and how many threads cannot go on.
VERDICTS = {
    "mutex-and-lock": (LOCKED, 2),
    "recursive-and-lock": (LOCKED, 2),
    "errorcheck-and-lock": (LOCKED, 2),
    "priority-and-lock": (LOCKED, 2),
    "robust-and-lock": (LOCKED, 2),
    "all-kinds-and-lock": (LOCKED, 2),
    "mutex-and-critical": (CIRCLE + DOOR % (1, "enter_door", 2) + MUTEX % (2, "lock_mutex", 1), 2),
    "three-kinds": ("(?:%s|%s|%s){3}" % (DOOR % (1, "enter_door", 3), MUTEX % (3, "lock_mutex", 2), LOCK % (2, "set_lock", 1)), 3),
    "mutex-at-barrier": (
        "(?:%s|%s){2}" % (MUTEX % (3, "lock_mutex", 2),
                          r" +thread 2 waits for the others at a barrier" + AT % ".*" + r"not there yet: thread 3\n"), 3),
    "mutex-in-task": (
        CIRCLE + r" +thread 1 waits for its child tasks \(taskwait\)" + AT % ".*" + r"being executed: thread 2\n"
        + MUTEX % (2, "lock_mutex", 1), 2),
    "mutex-twice": (ITSELF + MUTEX % (1, "lock_mutex", 1), 1),
    "mutex-of-ended": (
        NEVER + r" +thread 2 waits for mutex mutex \(0x\w+\)" + AT % "lock_mutex" + r"held by LWP \d+, which has ended\n", 2),
    "mutex-of-idle": (
        NEVER + r" +thread 1 waits for mutex mutex \(0x\w+\)" + AT % "lock_mutex" + r"held by thread 2, which is idle\n", 1),
    "mutex-in-turn": (
        "(?:%s|%s){2}" % (MUTEX % (1, "lock_mutex", 2), r" +thread 2 waits for its turn in an ordered loop \(iteration 0 comes first\)"
                          + AT % "mutex_in_turn.*" + r"expected from: thread 1\n"), 2),
    "writer-and-lock": (cross("set_lock", RWLOCK % (2, "read", "read_rwlock", "held by thread 1")), 2),
    "two-writers": (cross("set_lock", RWLOCK % (2, "write", "write_rwlock", "held by thread 1")), 2),
    "reader-and-lock": (NEVER + RWLOCK % (2, "write", "write_rwlock", "no thread is left that could act"), 2),
    "join-with-lock": (
        CIRCLE + r" +thread 1 waits for the end of thread 2 \(pthread_join\)" + AT % "join" + r"it has not ended\n"
        + LOCK % (2, "set_lock", 1), 2),
    "join-in-critical": (
        CIRCLE + r" +thread 1 waits for the end of thread 2 \(pthread_join\)" + AT % "join" + r"it has not ended\n"
        + DOOR % (2, "enter_door", 1), 2),
    "condition-with-mutex": (NEVER + CONDITION % (1, "wait_for_signal"), 2),
    "condition-of-nobody": (NEVER + CONDITION % (2, "wait_for_signal"), 3),
    "condition-and-lock": (CIRCLE + MUTEX % (1, "wait_for_signal", 2) + LOCK % (2, "set_lock", 1), 2),
    "condition-at-barrier": (NEVER + CONDITION % (2, "wait_for_signal"), 2),
    "condition-of-task": (NEVER + CONDITION % (1, "wait_for_signal"), 1),
    "barrier-of-pthreads": (
        NEVER + r" +thread 1 and thread 2 wait for the others at a pthread barrier" + AT % ".*" + NOBODY, 2),
    "handler-with-own-mutex": (ITSELF + MUTEX % (2, "lock_mutex", 2), 2),
    "handler-with-own-lock": (ITSELF + LOCK % (2, "set_lock", 2), 2),
    "handler-in-wait": (CIRCLE + MUTEX % (1, "lock_mutex", 2) + LOCK % (2, "set_lock", 1), 2),
    "gil": (
        CIRCLE + r" +thread 1 waits for the others at the region's end.*; not there yet: thread 2\n"
        r" +thread 2 waits for Python's lock of the interpreter \(GIL\), in use_python\._omp_fn\.0 at gil\.c:\d+; "
        r"held by thread 1\n", 2),
    "gil-and-lock": (
        CIRCLE + r" +thread 1 waits for lock lock \(0x\w+\), in use_python_and_lock\._omp_fn\.0 at gil\.c:\d+; held by thread 2\n"
        r" +thread 2 waits for Python's lock of the interpreter \(GIL\), in use_python_and_lock\._omp_fn\.0 at gil\.c:\d+; "
        r"held by thread 1\n", 2),
    "future-and-lock": (NEVER + r" +thread 2 waits for a std::future" + AT % r"operator\(\).*" + NOBODY, 2),
    "once-and-lock": (NEVER + r" +thread 2 waits for another thread's call \(pthread_once\)" + AT % r"operator\(\).*" + NOBODY, 2),
    "static-and-lock": (
        NEVER + " +thread 2 waits for another thread's initialisation of a static variable" + AT % "initialised.*" + NOBODY, 2),
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

static omp_lock_t lock;

void use_python_and_lock(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			omp_set_lock(&lock);
		else
			PyGILState_Ensure();
	}
}
"""
PYTHON = """
import ctypes
import sys
print("begun", flush=True)
getattr(ctypes.PyDLL(sys.argv[1]), sys.argv[2])()
"""


def build(folder):
    """The command lines by scene."""
    lines, flags = {}, ["-g", "-O1", "-fopenmp", "-pthread"]
    for source, command in (("mixed.c", [compiler]), ("mixed.cc", [cxx, "-x", "c++"])):
        program = "%s/%s" % (folder, source.replace(".", "-"))
        subprocess.run([*command, *flags, sources + "/" + source, sources + "/scenes.c", "-o", program], check=True)
        names = subprocess.run([program], env=environment, text=True, check=True, stdout=subprocess.PIPE).stdout.split()
        lines.update((name, [program, name]) for name in names)
    with open(folder + "/gil.c", "w", encoding="utf-8") as text:
        text.write(GIL)
    subprocess.run([compiler, *flags, "-fPIC", "-shared", folder + "/gil.c", "-o", folder + "/libgil.so"], check=True)
    for name, function in (("gil", "use_python"), ("gil-and-lock", "use_python_and_lock")):
        lines[name] = [sys.executable, "-c", PYTHON, folder + "/libgil.so", function]
    return lines


def start(folder):
    """The processes by scene."""
    lines, noted = build(folder), dict(environment, OMP_DEBUG="enabled")
    lines["places noted"] = lines["places"]
    return {name: subprocess.Popen(line, env=noted if name == "places noted" else environment, stdout=subprocess.PIPE)
            for name, line in lines.items()}


def has_come(name, process):
    """Of Python's threads, that which waits for its lock wakes up every few milliseconds."""
    if process.poll() is not None or name == "busy-with-all":
        return True
    return states_of(process.pid) == ["S", "S"] if name.startswith("gil") else is_at_rest(process.pid)


def ask(processes, facts):
    line = command_line(commands, before=["set debug-file-directory /nowhere"])
    for name, process in processes.items():
        for _ in range(STOPS.get(name, 1)):
            for command in ("attach %d" % process.pid, "echo \\n=== %s\\n" % name, NUMBERS, "omp why", "echo \\n===\\n",
                            *(["omp json %s" % facts] if name == "mutex-and-lock" else []),
                            *(["echo \\n=== locks %s\\n" % name, NUMBERS, "omp locks", "echo \\n===\\n"] if "places" in name else []), "detach"):
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


def check_places(found):
    """Where locks were taken: known if the runtime notes it."""
    lines = open(sources + "/mixed.c", encoding="utf-8").read().split("\n")
    taken = {what: r", taken in places\._omp_fn\.0 at mixed\.c:%d\n" % next(i for i, line in enumerate(lines, 1) if "/* takes %s */" % what in line)
             for what in ("the lock", "the nested one", "door")}
    texts = {name: found.pop(name, [""])[0] for name in ("locks places", "locks places noted")} | {
        name: found[name][0] for name in ("places", "places noted")}
    held, waits = r"\n    held by thread 1", r"    thread %d waits for it\n"
    for name, pattern in (
            ("locks places", r"lock lock \(0x\w+\)%s\n%s" % (held, waits % 2)),
            ("locks places", r"critical \(door\)%s\n%s" % (held, waits % 3)),
            ("locks places", r"\nWhere locks were taken.*OMP_DEBUG=enabled"),
            ("locks places noted", r"lock lock \(0x\w+\)%s%s" % (held + taken["the lock"], waits % 2)),
            ("locks places noted", r"critical \(door\)%s%s" % (held + taken["door"], waits % 3)),
            ("locks places noted", r"lock nested \(0x\w+\)%s\n" % (held + taken["the nested one"])),
            ("places noted", r"thread 2 waits for lock lock .*%s" % (held + taken["the lock"])),
            ("places noted", r"thread 3 waits for critical \(door\).*%s" % (held + taken["door"])),
            ("places", r"thread 2 waits for lock lock .*%s\n" % held)):
        if not re.search(pattern, texts[name]) or "given_back" in texts[name]:
            failures.append("%s: expected /%s/ in:\n%s" % (name, pattern, texts[name]))


def check_json(name):
    """What `omp json` says of mutex-and-lock."""
    with open(name, encoding="utf-8") as text:
        facts = json.load(text)
    row = (facts["blocked"] or [{}])[0]
    holder = facts["waits"][0]["lwp"]
    lock = (facts["locks"] or [{}])[0]
    if [lock.get(key) for key in ("holders", "waiting", "taken")] != [[row.get("lwp")], [holder], None]:
        failures.append("omp json: locks: %s" % facts)
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
    check_places(found)
    if set(processes) != set(found):
        failures.append("no answers for %s" % (set(processes) - set(found)))
    check(found)
    if failures:
        print("gdb said:\n%s\n" % output[-20000:])
    print("%d scenes\n%s" % (len(found), "\n".join(failures)))
    return 1 if failures else 0


sys.exit(main())
