#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the checker find each planted mistake (faults.c), by all orders and at random, and does the run
that it names fail again? check-faults.py CHECK-LITMUS"""

import re
import subprocess
import sys


def run(*arguments):
    done = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def expect(condition, text):
    if not condition:
        sys.exit(text)


def main():
    _, text = run("--list", "faults.c")
    faults = [line.split(None, 1) for line in text.splitlines()]
    expect(len(faults) >= 10, f"too few faults: {faults}")
    for name, sentence in faults:
        for mode in ([], ["--random", "20000"], ["--full"]):
            status, text = run(*mode, name)
            expect(status == 1 and "FAIL" in text and sentence in text, f"{name} {mode}: status {status}, expected '{sentence}':\n{text[-2000:]}")
        trail = re.search(r"again: --trail (\S+)", text)
        expect(trail, f"{name}: names no run:\n{text}")
        status, text = run("--trail", trail[1], name)
        expect(status == 1 and sentence in text, f"{name}: the run that was named does not fail:\n{text}")
    status, text = run("--random", "x", "litmus")
    expect(status == 2, f"--random x: status {status}")
    status, text = run("no-such-harness")
    expect(status == 2, f"no-such-harness: status {status}")
    print(f"{len(faults)} mistakes, found by all orders and at random, and again")


main()
