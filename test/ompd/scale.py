# SPDX-License-Identifier: BSD-3-Clause
"""How much commands do on many threads and many tasks, and how much of the process they read.

scale.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER [TASKS]. 512 threads, 1024 with TEST_FULL=yes, that wait for each
other in several ways: every command with at most MOST_CALLS calls of Python functions, and one line for those that
wait for the same. TASKS queued tasks (1000000 by default): `omp tasks` makes no call for each. The calls are counted,
because a time depends on what else the machine does. Prints the counts, and how long the commands took with the
counting.
Exits 77 where gdb cannot attach or there cannot be so many threads.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, command_line, failures, is_at_rest, skip_without_tracing, wait_until

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
TASKS = int(sys.argv[5]) if len(sys.argv) > 5 else 1000000
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)
THREADS = 1024 if os.environ.get("TEST_FULL") == "yes" else 512
MOST_CALLS = 1500 * THREADS  # of a command; `omp json` makes most, 1055 for each thread
MOST_FOR_TASKS = 100000  # far fewer than there are tasks; 12128 for 200000
MOST_READS = 1 << 18  # of one call of the library: stated in doc/debugging.md

# By what the threads of crowd.c wait for: what `omp why` says.
MODES = {
    "lock": rf"lookups\nthread 2, .* and {THREADS - 7} more wait for lock locks\[0\] .*\n    held by thread 1\n.* thread 1 is "
            r"blocked in pause, in stay at .*\nno deadlock within OpenMP; thread 1 is blocked in pause$",
    # Which is the last depends on the order in which gdb numbers threads that it attaches to.
    "chain": rf"^    held by thread (?:{THREADS - 1}|1)\n.*\nno deadlock within OpenMP; thread \d+ is blocked in pause$",
    "ring": rf"^{THREADS} thread\(s\) cannot continue",
    "ordered": rf"lookups\nthread \d+, .* and {THREADS - 7} more wait for its turn in an ordered loop \(iteration 0 comes first\), .*\n"
               r"    expected from: thread \d+\n.*\nno deadlock within OpenMP; thread \d+ is blocked in pause$",
}

ASK = """python
import sys, time, omp_library
omp_library.counts.update(reads=0, lookups=0, calls=0)
def count_calls(frame, event, argument):
    omp_library.counts["calls"] += event in ("call", "c_call")

begin = time.time()
sys.setprofile(count_calls)
text = gdb.execute("{0}", to_string=True)
sys.setprofile(None)
print("=== {0}: %.3f s" % (time.time() - begin), end=", ")
print("%(calls)d calls, %(reads)d reads, %(lookups)d lookups" % omp_library.counts)
print(text)
end
"""


def ask(program, threads, tasks, *asked, mode="barrier"):
    with subprocess.Popen([program, str(threads), str(tasks), mode], env=environment, text=True,
                          stdout=subprocess.PIPE) as process:
        try:
            if "there" not in process.stdout.readline():
                return None
            wait_until(lambda: is_at_rest(process.pid))
            with open(program + ".gdb", "w", encoding="utf-8") as script:
                script.write("".join(ASK.format(command) for command in asked))
            return answers(command_line(commands) + ["-p", str(process.pid), "-x", program + ".gdb"], environment)
        finally:
            process.kill()


def expect(output, command, most_calls, pattern):
    match = re.search(r"^=== %s: .* s, (\d+) calls, (\d+) reads, (\d+) lookups\n" % command, output, re.M)
    if match is None or not re.search(pattern, output, re.M):
        failures.append("%s: expected /%s/ in:\n%s" % (command, pattern, output[-3000:]))
        return
    print(match.group().strip())
    calls, reads, lookups = map(int, match.groups())
    if calls > most_calls or reads > MOST_READS or lookups > 3:
        failures.append("%s: at most %d calls, %d reads, 3 lookups were expected" % (command, most_calls, MOST_READS))


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/crowd"
        subprocess.run([compiler, "-g", "-O1", "-fopenmp", sources + "/crowd.c", "-o", program], check=True)
        others = ("omp tasks", "omp tasks all", "omp bt", "omp icvs", "omp env", "omp json", "bt")
        output = ask(program, THREADS, 0, "omp tree", "omp threads", "omp why", *others)
        if output is None or "Operation not permitted" in output:
            print(f"there cannot be {THREADS} threads here, or gdb may not attach")
            return 77
        expect(output, "omp tree", MOST_CALLS, rf"^ +level 1, {THREADS} threads: main\._omp_fn\.0 ")
        expect(output, "omp threads", MOST_CALLS, rf"^ +{THREADS} +\d+  1:\d+/{THREADS} +waits at a barrier ")
        expect(output, "omp why", MOST_CALLS, r"^no deadlock within OpenMP; thread 1 is blocked in pause$")
        for command in others:
            expect(output, command, MOST_CALLS, "")
        for mode, pattern in MODES.items():
            # Where all seem stuck, the stack of each is read.
            expect(ask(program, THREADS, 0, "omp why", mode=mode), "omp why", MOST_CALLS, pattern)
        output = ask(program, 2, TASKS, "omp tasks", "omp why")
        expect(output, "omp tasks", MOST_FOR_TASKS, r"^ +0 +%d +0 +0 +0 +0  main\._omp_fn" % TASKS)
        expect(output, "omp why", MOST_FOR_TASKS, r"^no deadlock")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
