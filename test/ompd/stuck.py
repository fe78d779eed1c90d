# SPDX-License-Identifier: BSD-3-Clause
"""`omp why`, `omp tasks`, `omp bt` in a real gdb on programs that hang and on programs that only wait.

stuck.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. Some scenes are played a second time by a
program that is optimised, or built by `OMPINST CC`, and with stripped libraries. All programs run at
the same time; one gdb attaches to each in turn. What it has to say of the deadlocks is here, by what
the programs do; of the healthy programs it must say that there is none. Exits 77 where gdb cannot
attach.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from debugger import CLANG, NUMBERS, answers, by_age, command_line, failures, is_at_rest, skip_without_tracing, wait_until

skip_without_tracing()

compiler, ompinst, sources, runtime, commands = sys.argv[1:6]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)

CIRCLE = r"deadlock: each of these waits for the next, the last for the first:\n"
ITSELF = r"deadlock: it waits for itself:\n"
NEVER = r"deadlock: a wait for something that cannot happen:\n"
LOCK = r" +thread %d waits for lock %s \(0x\w+\), in %s at deadlocks\.c:\d+; held by thread %d\n"
BARRIER = r" +thread %d waits for the others at a barrier, in %s at deadlocks\.c:\d+; "
MISSING = BARRIER + r"not there yet: thread %d\n"
# ompinst puts a barrier of its own before a region's end.
END = r" +thread %d waits for the others at (?:the region's end|a barrier).*; not there yet: thread %d\n"
GONE = r"thread \d has gone past it and will not arrive\n"
ENDED = r"LWP \d+ has ended in the region and will not arrive\n"
EXECUTED = r", in %s\._omp_fn\.\d+ at deadlocks\.c:\d+; being executed: thread %d\n"
ORDERED = (r" +thread %d waits for its turn in an ordered loop \(iteration %d comes first\), in "
           r".*; expected from: thread %d\n")
SINK = (r" +thread %d waits for iteration %d, on which its own depends \(doacross\), in .*; %s\n")
ITS_TASKS = r" +thread \d waits for its tasks, at a barrier, in .*; being executed: thread \d\n"
BELOW = r" +thread \d waits for the others at the region's end; below a task that its thread executes meanwhile\n"
# Through the thread that waits for its tasks, the one that waits for that one besides, or the task's own.
IN_TASK = "(?:%s|%s|%s|%s){2,3}" % (ITS_TASKS, BELOW, END % (0, 0), MISSING % (0, "team_barrier", 0))


def both(one, other):
    """Two steps, from whichever thread the circle is printed."""
    return "(?:%s|%s){2}" % (one, other)


# By scene: what the verdict says, and how many threads cannot go on.
VERDICTS = {
    "lock-order": (CIRCLE + LOCK % (1, "two", "take_both", 2) + LOCK % (2, "one", "take_both", 1), 2),
    "lock-twice": (
        ITSELF + r" +thread (\d) waits for lock one \(0x\w+\), in lock_twice\._omp_fn\.0 at .*; held by thread \1\n",
        3),
    "lock-ring": (CIRCLE + "".join(LOCK % (i + 1, r"ring\[%d\]" % ((i + 1) % 4), "take_both",
                                           (i + 1) % 4 + 1) for i in range(4)), 4),
    "lock-at-barrier": (CIRCLE + MISSING % (1, ".*", 2) + LOCK % (2, "one", ".*", 1), 3),
    "lock-not-given-back": (CIRCLE + END % (1, 2) + LOCK % (2, "one", ".*", 3) + END % (3, 1), 3),
    "nest-lock-order": (CIRCLE + LOCK % (1, "one", ".*", 2) + LOCK % (2, "nested", ".*", 1), 2),
    "old-nest-lock-order": (CIRCLE + LOCK % (1, "one", ".*", 2) + LOCK % (2, "old_lock.*", ".*", 1), 2),
    "critical-in-itself": (
        ITSELF + r" +thread (\d) waits for critical \(door\), in enter_door at .*; held by thread \1\n",
        2),
    "critical-order": (
        CIRCLE + r" +thread 1 waits for critical \(door\), in enter_door at .*; held by thread 2\n"
        r" +thread 2 waits for critical \(gate\), in critical_order\._omp_fn\.0 at .*; held by thread 1\n",
        2),
    "barrier-in-critical": (
        CIRCLE + both(MISSING % (0, "team_barrier", 0), r" +thread \d waits for critical \(unnamed\), in "
                      r"barrier_in_critical\._omp_fn\.\d at .*; held by thread \d\n"), 3),
    "barrier-in-reduction": (
        CIRCLE + both(MISSING % (0, r"barrier_in_reduction\._omp_fn\.\d", 0), r" +thread \d waits for a reduction, in "
                      r"barrier_in_reduction\._omp_fn\.\d at .*; held by thread \d\n"), 3),
    "barrier-missed-by-first": (CIRCLE + END % (1, 2) + MISSING % (2, "team_barrier", 1), 3),
    "barrier-missed-by-worker": (
        NEVER + r" +thread 1 and thread 2 wait for the others at a barrier, in team_barrier at .*; "
        r"thread 3 has gone past it and will not arrive\n", 3),
    "barrier-missed-of-two": (NEVER + BARRIER % (1, "team_barrier") + GONE, 2),
    "barrier-missed-of-many": (
        NEVER + r" +thread 1, .* and 5 more wait for the others at a barrier, in team_barrier at .*; "
        r"thread 8 has gone past it and will not arrive\n", 12),
    "taskwait-with-lock": (
        CIRCLE + both(r" +thread \d waits for its child tasks \(taskwait\)" +
                      EXECUTED % ("taskwait_with_lock", 0),
                      LOCK % (0, "one", r"taskwait_with_lock\._omp_fn\.1", 0)), 2),
    "taskgroup-with-lock": (
        CIRCLE + both(r" +thread \d waits for its taskgroup" + EXECUTED % ("taskgroup_with_lock", 0),
                      LOCK % (0, "one", r"taskgroup_with_lock\._omp_fn\.1", 0)), 2),
    "task-above-its-lock": (ITSELF + LOCK % (1, "one", r"task_above_its_lock\._omp_fn\.1", 1), 2),
    "dependence-on-stuck": (
        CIRCLE + both(r" +thread \d waits for its taskgroup" + EXECUTED % ("dependence_on_stuck", 0),
                      LOCK % (0, "one", r"dependence_on_stuck\._omp_fn\.1", 0)), 2),
    "detached-for-ever": (
        NEVER + r" +thread \d waits for its child tasks \(taskwait\), in .*; no thread is left that could "
        r"fulfill its event\n", 2),
    "ordered-with-lock": (CIRCLE + LOCK % (1, "one", ".*", 2) + ORDERED % (2, 0, 1), 2),
    "ordered-dynamic-with-lock": (
        CIRCLE + both(LOCK % (0, "one", r"ordered_dynamic_with_lock\._omp_fn\.0", 0),
                      ORDERED % (0, 0, 0)), 3),
    "sink-never-posted": (NEVER + SINK % (2, 0, r"thread 1 has left that iteration without its depend\(source\)"), 2),
    "sink-skipped-dynamic": (
        NEVER + SINK % (0, 0, r"no thread has that iteration any more: it was left without its depend\(source\)"), 2),
    "sink-skipped-of-many": (
        NEVER + SINK % (0, 7, r"no thread has that iteration any more: it was left without its depend\(source\)"), 2),
    "sink-skipped-in-chunk": (
        NEVER + SINK % (0, 1, r"thread (\d) has left that iteration without its depend\(source\)"), 2),
    "sink-with-lock": (CIRCLE + LOCK % (1, "one", ".*", 2) + SINK % (2, 0, "expected from: thread 1"), 2),
    "lock-of-handler": (CIRCLE + LOCK % (1, "one", "lock_in_handler", 2) + MISSING % (2, ".*", 1), 3),
    "lock-of-own-handler": (ITSELF + LOCK % (1, "one", "lock_in_handler", 1), 1),
    "inner-wants-outer-lock": (
        CIRCLE + MISSING % (1, ".*", 2) + END % (2, 3) + LOCK % (3, "one", ".*", 1), 3),
    "lock-of-ended": (
        NEVER + r" +thread 1 waits for lock one \(0x\w+\), in want_lock_of at .*; held by LWP \d+, which has ended, "
        r"unless the lock was never initialised\n", 1),
    "lock-not-initialised": (
        NEVER + r" +thread 2 waits for lock one \(0x\w+\), in lock_not_initialised\._omp_fn\.0 at .*; its memory is no "
        r"initialised lock\n", 2),
    "lock-of-ended-stranger": (
        NEVER + r" +thread 1 waits for lock one \(0x\w+\), in want_lock_of at .*; held by a thread that the runtime "
        r"does not know: it has ended, or waits itself\n", 1),
    "critical-of-ended": (
        NEVER + r" +thread 1 and thread 2 wait for critical \(door\), in enter_door at .*; held by LWP \d+, which has "
        r"ended\n", 2),
    "barrier-without-ended-of-two": (NEVER + BARRIER % (1, "team_barrier") + ENDED, 1),
    "barrier-without-ended-of-three": (
        NEVER + r" +thread 1 and thread 2 wait for the others at a barrier, in team_barrier at .*; " + ENDED, 2),
    "region-end-without-ended": (NEVER + r" +thread 1 waits for the others at the region's end, in .*; " + ENDED, 1),
    "taskwait-for-ended": (
        NEVER + r" +thread \d waits for its child tasks \(taskwait\), in taskwait_for_ended\._omp_fn\.0 .*; LWP \d+ has "
        r"ended in the task taskwait_for_ended\._omp_fn\.1 at deadlocks\.c:\d+\n", 1),
    "taskgroup-for-ended": (
        NEVER + r" +thread \d waits for its taskgroup, in taskgroup_for_ended\._omp_fn\.0 .*; LWP \d+ has ended in the "
        r"task taskgroup_for_ended\._omp_fn\.1 at deadlocks\.c:\d+\n", 2),
    "ordered-after-ended": (
        NEVER + r" +thread 2 waits for its turn in an ordered loop \(iteration 1 comes first\), in .*; LWP \d+ has ended "
        r"in the region and will not take that iteration\n", 2),
    "event-of-ended": (
        NEVER + r" +thread \d waits for its child tasks \(taskwait\), in .*; no thread is left that could fulfill its event\n",
        2),
    "barrier-jumped-away-from": (
        NEVER + r" +thread 2 and thread 3 wait for the others at a barrier, in team_barrier at .*; thread 1 has jumped out of the "
        r"region \(longjmp\) and will not arrive\n", 2),
    "taskwait-jumped-away-from": (
        NEVER + r" +thread 1 waits for its child tasks \(taskwait\), in .*; thread 2 has jumped out of the task "
        r"taskwait_jumped_away_from\._omp_fn\.1 at deadlocks\.c:\d+ \(longjmp\)\n", 2),
    "lock-of-idle": (
        NEVER + r" +thread 1 waits for lock one \(0x\w+\), in lock_of_idle at .*; held by thread 3, which is idle\n", 1),
    "barrier-in-task": (CIRCLE + IN_TASK, 3),
    "barrier-in-task-of-last": (CIRCLE + IN_TASK, 3),
    "barrier-in-task-of-two": (CIRCLE + both(ITS_TASKS, MISSING % (0, "team_barrier", 0)), 2),
    "barrier-in-task-of-worker": (CIRCLE + both(ITS_TASKS, MISSING % (0, "team_barrier", 0)), 2),
}
# Which thread is single, or takes an iteration, is not known before.
VERDICTS = {name: (pattern.replace("thread 0", r"thread \d"), stuck)
            for name, (pattern, stuck) in VERDICTS.items()}

# Of healthy programs, what is said beside the verdict.
BESIDE = {
    "lock-in-handlers-hand": r"^ +thread 1 executes a signal handler and is blocked in pause, in stay at scenes\.c:\d+$",
    "handler-at-barrier": r"^thread 1 waits for the others at a barrier, below a signal handler that its thread executes "
                          r"meanwhile\n    not there yet: thread 3$",
}

# ready, blocked, running, suspended, detached, ended; what is printed of each.
SUMS = r"^ +%d +%d +%d +%d +%d +%d  %s at healthy\.c:\d+$"
BLOCKED = (r"^task (0x\w+)  blocked   dependences_busy\._omp_fn\.%d at healthy\.c:\d+; generated in "
           r"dependences_busy at healthy\.c:\d+, by task 0x\w+ \(dependences_busy\._omp_fn\.0 at "
           r"healthy\.c:\d+\); waits for 1 task\n    waits for task 0x\w+$")
TASKS = {
    "queued-tasks": {
        "omp tasks": [SUMS % (18, 0, 2, 0, 0, 0, r"queued_tasks\._omp_fn\.1")],
        "omp tasks ready": [r"(task 0x\w+  ready     queued_tasks\._omp_fn\.1 .*\n?){18}"],
        "omp tasks blocked": [r"^No task is blocked\.$"],
        "omp tasks running": [r"^task 0x\w+  running   queued_tasks\._omp_fn\.1 .* on thread 1$",
                              r"^task 0x\w+  running   queued_tasks\._omp_fn\.1 .* on thread 2$"]},
    "queued-for-none": {
        "omp why": [r"^1 task\(s\) are queued that no waiting thread may begin, .*: queued_for_none\._omp_fn\.3\b"]},
    "taskloop-busy": {
        "omp tasks": [r"^ +5 +0 +2 +0 +0 +0  taskloop_busy\._omp_fn\.1 at healthy\.c:\d+$(?!\n *\d)"],
        "omp tasks ready": [r"^task 0x\w+  ready     taskloop_busy\._omp_fn\.1 at healthy\.c:\d+; generated "
                            r"in .*, by task 0x\w+ \(taskloop_busy\._omp_fn\.0 at .*\); 5 tasks of a "
                            r"taskloop$(?!\ntask)"],
        "omp tasks all": [r"^(task .*  (ready|running)   +taskloop_busy\._omp_fn\.1 .*\n?){3}$"],
        "omp threads": [r"^.( +\d+){2}  1:0/2     works  +taskloop_busy\._omp_fn\.1 at",
                        r"^.( +\d+){2}  1:1/2     works  +taskloop_busy\._omp_fn\.1 at"]},
    "dependences-busy": {
        "omp tasks": [SUMS % (0, 0, 1, 0, 0, 0, r"dependences_busy\._omp_fn\.1"),
                      SUMS % (0, 1, 0, 0, 0, 0, r"dependences_busy\._omp_fn\.2"),
                      SUMS % (0, 1, 0, 0, 0, 0, r"dependences_busy\._omp_fn\.3")],
        "omp tasks blocked": [BLOCKED % 2, BLOCKED % 3]},
    "detached-by-worker": {
        "omp tasks": [SUMS % (0, 0, 0, 0, 1, 0, r"detached_by_worker\._omp_fn\.1")],
        "omp tasks nonsense": [r"'nonsense': expected one of: ready, blocked, running"]},
    "serial-code": {"omp tasks": [r"^There are no explicit tasks\.$"]},
}


# Played again, by programs that are built otherwise.
AGAIN = ("lock-order", "nest-lock-order", "critical-order", "lock-at-barrier", "barrier-missed-of-two",
         "taskwait-with-lock", "ordered-with-lock", "sink-never-posted", "inner-wants-outer-lock",
         "detached-for-ever")
VARIANTS = {"optimised": [compiler, "-O2"], "instrumented": [ompinst, compiler, "-O1"]}
# And by clang, where it is there: it divides code otherwise, and calls other entry points.
BY_CLANG = tuple(name for name in AGAIN if name != "sink-never-posted") + (
    "lock-twice", "critical-in-itself", "barrier-in-critical", "taskgroup-with-lock", "dependence-on-stuck",
    "sink-with-lock", "ordered-dynamic-with-lock", "region-end-without-ended", "sink-skipped-of-many")
# And with a tool of OMPT, for which all members wait for each other at a region's end, as under `ompinst run`.
TOOL = """
#include <omp-tools.h>
static int begin(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	return 1;
}
static void end(ompt_data_t *data)
{
}
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = {begin, end, {0}};

	return &result;
}
"""
WITH_TOOL = tuple(name for name in AGAIN if name != "barrier-missed-of-two")  # there both wait, each for the other
HEALTHY_WITH_TOOL = ("region-end", "region-end-of-many", "barrier-of-three", "in-single", "task-above", "inner-busy")
if shutil.which(CLANG):
    VARIANTS["by clang"] = [CLANG, "-O1", "-w", "-L" + runtime + "/link"]


def build(folder, name, *command):
    program = "%s/%s-%s" % (folder, name, len(command))
    subprocess.run([*(command or (compiler, "-O1")), "-g", "-fopenmp", "%s/%s.c" % (sources, name),
                    sources + "/scenes.c", "-o", program], check=True, cwd=folder)
    return program


def build_tool(folder):
    with open(folder + "/tool.c", "w", encoding="utf-8") as out:
        out.write(TOOL)
    subprocess.run([compiler, "-shared", "-fPIC", "-I", sources + "/../../include", "tool.c", "-o", "tool.so"], check=True, cwd=folder)
    return folder + "/tool.so"


def start(program, runtime_folder, names=None, **more):
    settings = dict(environment, LD_LIBRARY_PATH=runtime_folder,
                    POMP_ENABLE_TRACING="no", **more)
    if names is None:
        names = subprocess.run([program], env=settings, text=True, check=True,
                               stdout=subprocess.PIPE).stdout.split()
    return {name: subprocess.Popen([program, name], env=settings, stdout=subprocess.PIPE)
            for name in names}


def strip_libraries(folder):
    """Copies as a distribution would install them."""
    stripped = folder + "/stripped"
    os.mkdir(stripped)
    for library in (runtime + "/libgomp.so.1", runtime + "/../ompd/libompd.so"):
        copy = stripped + "/" + os.path.basename(library)
        subprocess.run(["strip", os.path.realpath(library), "-o", copy], check=True)
    return stripped


def wait_until_at_rest(processes):
    """All threads sleep. Those that end are at rest, too."""
    for process in processes:
        process.stdout.readline()
    wait_until(lambda: all([process.poll() is not None or is_at_rest(process.pid) for process in processes]))


NEXT_INFERIOR = ["-ex", "add-inferior", "-ex", "inferior $_inferior + 1"]


def ask_one(name, process):
    """Attaches to it; what `omp why` says, and the further commands for this name."""
    line = ["-ex", "attach %d" % process.pid, "-ex", "echo \\n=== %s\\n" % name,
            "-ex", NUMBERS, "-ex", "omp why", "-ex", "echo \\n===\\n"]
    if name in AGAIN:
        for number in range(1, VERDICTS[name][1] + 1):
            line += ["-ex", "thread %d" % number, "-ex", "echo \\n=== %s: bt %d\\n" % (name, number),
                     "-ex", "omp bt", "-ex", "echo \\n===\\n"]
    for command in TASKS.get(name, {}):
        line += ["-ex", "echo \\n=== %s: %s\\n" % (name, command), "-ex", command,
                 "-ex", "echo \\n===\\n"]
    return line


def ask(processes):
    """
    What is said of each. gdb stays attached to the first process of each program while it attaches to the others:
    otherwise it would read the symbols of the program and its libraries again for each.
    """
    def program_of(name):
        return processes[name].args[0]

    line = command_line(commands)
    for _, names in groupby(sorted(processes, key=program_of), key=program_of):
        first = next(names)
        line += ask_one(first, processes[first]) + NEXT_INFERIOR
        for name in names:
            line += ask_one(name, processes[name]) + ["-ex", "detach"]
        line += NEXT_INFERIOR
    output = answers(line, environment)
    found = dict(re.findall(r"^=== ([^\n]+)\n(.*?)\n===$", output, re.M | re.S))
    return {name: by_age(text, text.split("\n", 1)[0]) for name, text in found.items()}, output


def ask_all(processes):
    """By two debuggers at a time, each with half of them: most of the time goes into attaching."""
    items = list(processes.items())
    with ThreadPoolExecutor(2) as debuggers:
        halves = list(debuggers.map(ask, [dict(items[0::2]), dict(items[1::2])]))
    return {name: answer for answers, _ in halves for name, answer in answers.items()}, \
        "".join(output for _, output in halves)


def check_stacks(name, scene, answers):
    """From every thread to main, and nothing of the runtime in between."""
    for number in range(1, VERDICTS[scene][1] + 1):
        stack = answers.get("%s: bt %d" % (name, number), "").rstrip()
        if not re.search(r"\n  main at scenes\.c:\d+$", stack) or \
                re.search(r"^  (rt_|GOMP_|omp_|pomp_|worker_main|start_thread|syscall|clone)", stack, re.M) \
                or not re.search(r"^  %s(\._omp_fn\.\d)? at deadlocks\.c:\d+$"
                                 % (scene.replace("-", "_") if not scene.startswith("barrier-missed")
                                    else "barrier_missed_by"), stack, re.M):
            failures.append("%s: omp bt in thread %d:\n%s" % (name, number, stack))


def check(answers, deadlocks, healthy):
    for name in deadlocks:
        scene = name.split(" ")[0]
        pattern, stuck = VERDICTS[scene]
        answer = answers.get(name, "") + "\n"
        if scene != name:  # a call may be the last of its function, which then has no frame
            pattern = re.sub(r", in \S+ at (deadlocks\\.c:\\d\+|\.\*)",
                             r", in \\S+ at deadlocks\\.c:\\d+", pattern)
        if name.endswith(" by clang"):  # of a nestable lock the program has the address
            pattern = pattern.replace(r"lock nested \(0x\w+\)", r"lock 0x\w+")
        if scene in AGAIN and scene == name:
            check_stacks(name, scene, answers)
        if not re.search(pattern, answer):
            failures.append("%s: expected /%s/ in:\n%s" % (name, pattern, answer))
        if "\n%d thread(s) cannot continue" % stuck not in answer:
            failures.append("%s: expected %d stuck threads in:\n%s" % (name, stuck, answer))
    for name, asked in TASKS.items():
        for command, patterns in asked.items():
            answer = answers.get("%s: %s" % (name, command), "")
            failures.extend("%s: %s: expected /%s/ in:\n%s" % (name, command, pattern, answer)
                            for pattern in patterns if not re.search(pattern, answer, re.M))
    for name, pattern in BESIDE.items():
        if not re.search(pattern, answers.get(name, ""), re.M):
            failures.append("%s: expected /%s/ in:\n%s" % (name, pattern, answers.get(name)))
    for name in healthy:
        if not re.search(r"^no deadlock", answers.get(name, ""), re.M) or \
                re.search(r"^deadlock", answers[name], re.M):
            failures.append("%s: a false alarm, or no verdict:\n%s" % (name, answers.get(name)))


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    processes = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            deadlocks = start(build(folder, "deadlocks"), runtime)
            processes.update(deadlocks)
            healthy = start(build(folder, "healthy"), strip_libraries(folder))
            processes.update(healthy)
            scenes = set(deadlocks)
            for variant, command in VARIANTS.items():
                again = start(build(folder, "deadlocks", *command), runtime,
                              BY_CLANG if variant == "by clang" else AGAIN)
                deadlocks.update({"%s %s" % (name, variant): process
                                  for name, process in again.items()})
                processes.update(deadlocks)
            tool = build_tool(folder)
            for group, program, names in ((deadlocks, "deadlocks-0", WITH_TOOL), (healthy, "healthy-0", HEALTHY_WITH_TOOL)):
                again = start("%s/%s" % (folder, program), runtime, names, OMP_TOOL_LIBRARIES=tool)
                group.update({name + " with a tool": process for name, process in again.items()})
                processes.update(group)
            wait_until_at_rest(processes.values())
            ended = {name: process.returncode for name, process in processes.items() if process.poll() is not None}
            answers, output = ask_all(processes)
        finally:
            for process in processes.values():
                process.kill()
                process.wait()
    if ended:  # which gdb cannot attach to, either
        print("not stuck, but ended with these statuses: %s" % ended)
        return 1
    if "is a zombie" in output:  # its main thread has ended, which gdb cannot attach to, either
        print(re.search(r"warning: process \d+ is a zombie.*?\n=== [^\n]*", output, re.S)[0])
        return 1
    if "ptrace: Operation not permitted" in output:
        print("gdb may not attach here")
        return 77
    if scenes != set(VERDICTS):
        failures.append("scenes and verdicts differ: %s" % (scenes ^ set(VERDICTS)))
    check(answers, deadlocks, healthy)
    if failures:  # first what is long: of a log often the end only is seen
        print("gdb said:\n%s\n" % output[-20000:])
    print("%d deadlocks, %d healthy programs\n%s" % (len(deadlocks), len(healthy), "\n".join(failures)))
    return 1 if failures else 0


sys.exit(main())
