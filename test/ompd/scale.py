# SPDX-License-Identifier: BSD-3-Clause
"""The time that commands take on many threads and many tasks, and how much of the process they read.

scale.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER [TASKS [PATIENCE]]. 1024 threads, that wait for each other
in several ways: every command within 1 s, and one line for those that wait for the same.
TASKS queued tasks (1000000 by default): `omp tasks` within 2 s for a million, at least half a second; all
PATIENCE times that, where other work may take most of the processors. Prints what was measured.
Exits 77 where gdb cannot attach or there cannot be so many threads.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from debugger import answers, command_line, failures, skip_without_tracing

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
TASKS = int(sys.argv[5]) if len(sys.argv) > 5 else 1000000
PATIENCE = int(sys.argv[6]) if len(sys.argv) > 6 else 1
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)
MOST_READS = 1 << 18  # of one call of the library: stated in doc/debugging.md

# By what the threads of crowd.c wait for: what `omp why` says.
MODES = {
    "lock": r"lookups\nthread 2, .* and 1017 more wait for lock locks\[0\] .*\n    held by thread 1\n.* thread 1 is "
            r"blocked in pause, in stay at .*\nno deadlock within OpenMP; thread 1 is blocked in pause$",
    # Which is the last depends on the order in which gdb numbers threads that it attaches to.
    "chain": r"^    held by thread (?:1023|1)\n.*\nno deadlock within OpenMP; thread \d+ is blocked in pause$",
    "ring": r"^1024 thread\(s\) cannot continue",
    "ordered": r"lookups\nthread \d+, .* and 1017 more wait for its turn in an ordered loop \(iteration 0 comes first\), .*\n"
               r"    expected from: thread \d+\n.*\nno deadlock within OpenMP; thread \d+ is blocked in pause$",
}

ASK = """python
import time, omp_library
omp_library.counts.update(reads=0, lookups=0)
begin = time.time()
text = gdb.execute("{0}", to_string=True)
print("=== {0}: %.3f s, %d reads, %d lookups" % (time.time() - begin, omp_library.counts["reads"],
                                                 omp_library.counts["lookups"]))
print(text)
end
"""


def ask(program, threads, tasks, *asked, mode="barrier"):
    with subprocess.Popen([program, str(threads), str(tasks), mode], env=environment, text=True,
                          stdout=subprocess.PIPE) as process:
        try:
            if "there" not in process.stdout.readline():
                return None
            wait_until_at_rest(process.pid)
            with open(program + ".gdb", "w", encoding="utf-8") as script:
                script.write("".join(ASK.format(command) for command in asked))
            return answers(command_line(commands) + ["-p", str(process.pid), "-x", program + ".gdb"], environment,
                           timeout=170)
        finally:
            process.kill()


def wait_until_at_rest(pid):
    """All threads but one wait, or have done nothing for as long as it takes to see that."""
    for _ in range(200):
        states = []
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, thread), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
        if set(states) == {"S"}:
            return
        time.sleep(0.1)


def expect(output, command, limit, pattern):
    match = re.search(r"^=== %s: ([\d.]+) s, (\d+) reads, (\d+) lookups\n" % command, output, re.M)
    if match is None or not re.search(pattern, output, re.M):
        failures.append("%s: expected /%s/ in:\n%s" % (command, pattern, output[-3000:]))
        return
    print(match.group().strip())
    seconds, reads, lookups = float(match.group(1)), int(match.group(2)), int(match.group(3))
    if seconds > PATIENCE * limit or reads > MOST_READS or lookups > 3:
        failures.append("%s: at most %.1f s, %d reads, 3 lookups were expected" % (
            command, PATIENCE * limit, MOST_READS))


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/crowd"
        subprocess.run([compiler, "-g", "-O1", "-fopenmp", sources + "/crowd.c", "-o", program], check=True)
        others = ("omp tasks", "omp tasks all", "omp bt", "omp icvs", "omp env", "omp json", "bt")
        output = ask(program, 1024, 0, "omp tree", "omp threads", "omp why", *others)
        if output is None or "Operation not permitted" in output:
            print("there cannot be 1024 threads here, or gdb may not attach")
            return 77
        expect(output, "omp tree", 1, r"^ +level 1, 1024 threads: main\._omp_fn\.0 ")
        expect(output, "omp threads", 1, r"^ +1024 +\d+  1:\d+/1024 +waits at a barrier ")
        expect(output, "omp why", 1, r"^no deadlock within OpenMP; thread 1 is blocked in pause$")
        for command in others:
            expect(output, command, 1, "")
        for mode, pattern in MODES.items():
            # Where all seem stuck, the stack of each is read.
            expect(ask(program, 1024, 0, "omp why", mode=mode), "omp why", 3 if mode == "ring" else 1, pattern)
        output = ask(program, 2, TASKS, "omp tasks", "omp why")
        limit = max(0.5, 2 * TASKS / 1000000)
        expect(output, "omp tasks", limit, r"^ +0 +%d +0 +0 +0 +0  main\._omp_fn" % TASKS)
        expect(output, "omp why", 2 * limit, r"^no deadlock")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
