#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""OMPINST_DEBUG: debug-log.py PROGRAM

The program prints lines of two pomp subjects, one of them in a hot path, and of one of the runtime.
"""
import os
import re
import subprocess
import sys

program = sys.argv[1]


def run(subjects, **how):
    environment = {k: v for k, v in os.environ.items() if k != "OMPINST_DEBUG"}
    if subjects is not None:
        environment["OMPINST_DEBUG"] = subjects
    done = subprocess.run([program], env=environment, capture_output=True, text=True, **how)
    assert done.returncode == 0, done
    lines = done.stderr.splitlines()
    for line in lines:
        assert re.match(r"\[pomp \d+\.\d+ \+\d+\.\d{6}\] [a-zA-Z_]+: ", line), line
    return done.stdout, [line.split("] ", 1)[1] for line in lines]


out, lines = run(None)
hot = out.endswith("hot 1\n")
assert out.startswith("evaluated 0, errno 42") and lines == [], (out, lines)

out, lines = run("experiment")
assert out.startswith("evaluated 2, errno 42"), out
assert lines[0] == "experiment: folder 'abc' is number 1", lines
assert len(lines) == 2 and 500 < len(lines[1]) < 600, lines

out, lines = run("event,experiment")
if hot:
    assert "event: enter 3" in lines, lines
else:
    assert lines[0] == "OMPINST_DEBUG: 'event' needs a build with -Ddebug_log=true; it is ignored", lines
    assert out.startswith("evaluated 2"), out

for all_of_them in "pomp", "all":
    out, lines = run(all_of_them)
    assert "experiment: folder 'abc' is number 1" in lines and not any("needs" in line for line in lines), lines

out, lines = run("runtime" if not hot else "wrapper")
assert lines == [], lines

out, lines = run("steel, experiment")
assert lines[0] == ("OMPINST_DEBUG: 'steel' is unknown; expected subjects (OMPINST_DEBUG=help lists them), "
                    "runtime, pomp, wrapper or all; it is ignored"), lines
assert lines[1].startswith("experiment: folder"), lines

out, lines = run("help")
header = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/shared/debug-log.h")).read()
expected = re.findall(r'SUBJECT\((\w+), pomp, (HOT|COLD), "([^"]+)"\)', header)
assert len(lines) == len(expected) > 3, lines
for line, (name, path, purpose) in zip(lines, expected):
    assert line.startswith(f"OMPINST_DEBUG: {name}: {purpose}"), line
    assert ("needs" in line) == (path == "HOT" and not hot), line

out, lines = run("")
assert lines == [], lines
# A closed stderr loses the lines and nothing else.
done = subprocess.run(["sh", "-c", 'OMPINST_DEBUG=pomp exec "$0" 2>&-', program], capture_output=True, text=True)
assert done.returncode == 0 and "errno 42" in done.stdout, done
