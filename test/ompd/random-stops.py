# SPDX-License-Identifier: BSD-3-Clause
"""Healthy programs that are stopped again and again at random: `omp why` never finds a deadlock in them.

random-stops.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER STOPS [SEED]. Exits 77 where gdb cannot attach. The test suite
makes few stops; so does `random-stops.py gcc test/ompd build/runtime ompd/gdb 300` more.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, build, command_line, skip_without_tracing

skip_without_tracing()

compiler, sources, runtime, commands, stops = sys.argv[1:6]
seed = int(sys.argv[6]) if sys.argv[6:] else random.randrange(1 << 32)
LONGEST = 0.05  # seconds between two stops
WAYS = {"passive": {"OMP_WAIT_POLICY": "passive"}, "active": {"OMP_WAIT_POLICY": "active"}, "debug": {"OMP_DEBUG": "enabled"}}


def stop(process, count, chance):
    """What is said at each of so many stops."""
    line = command_line(commands, "set debug-file-directory /nowhere", "python import time")
    for _ in range(count):
        line += [word for command in ("attach %d" % process.pid, "echo \\n=== \\n", "omp why", "echo \\n===\\n", "detach",
                                      "python time.sleep(%f)" % chance.uniform(0, LONGEST)) for word in ("-ex", command)]
    output = answers(line, dict(os.environ))
    return re.findall(r"^=== \n(.*?)\n===$", output, re.M | re.S), output


def main():
    failures, made, chance = [], 0, random.Random(seed)
    print("seed %d" % seed)
    if shutil.which("gdb") is None:
        print("needs gdb")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        programs = {"lively": [build(compiler, sources, folder, "lively")],
                    "busy-with-all": [build(compiler, sources, folder, "mixed", sources + "/scenes.c"), "busy-with-all"]}
        plays = [(name, way) for name in programs for way in WAYS]
        for i, (name, way) in enumerate(plays):
            count = (int(stops) + len(plays) - 1 - i) // len(plays)
            with subprocess.Popen(programs[name], env=dict(os.environ, LD_LIBRARY_PATH=runtime, **WAYS[way]),
                                  stdout=subprocess.PIPE, text=True) as process:
                process.stdout.readline()
                texts, output = stop(process, count, chance)
                if process.poll() is not None:
                    failures.append("%s, %s: ended with status %d" % (name, way, process.returncode))
                process.kill()
            if "ptrace: Operation not permitted" in output:
                print("gdb may not attach here")
                return 77
            made += len(texts)
            failures.extend("%s, %s: %s" % (name, way, text) for text in texts if not re.search(r"^no deadlock", text, re.M) or
                            re.search(r"^deadlock|cannot continue|Traceback|Exception", text, re.M))
            if len(texts) != count:
                failures.append("%s, %s: %d of %d answers; gdb said:\n%s" % (name, way, len(texts), count, output[-5000:]))
    print("%d stops, %d of them judged wrong\n%s" % (made, len(failures), "\n".join(failures[:20])))
    return 1 if failures else 0


sys.exit(main())
