# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst top -i 0.1` costs the program that it looks at: top-cost.py CC OMPINST SOURCE RUNTIME-FOLDER [PAIRS]

The program's own processor time with `top` beside it, against the time without, in pairs that follow each other in alternating
order. Prints the median of the pairs' ratios and the interval that contains the true median with at least 95 %.
"""
import math
import os
import statistics
import subprocess
import sys
import tempfile

compiler, ompinst, source, runtime = sys.argv[1:5]
pairs = int(sys.argv[5]) if len(sys.argv) > 5 else 20
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")


def run(program, with_top):
    """Seconds of processor time."""
    process = subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    looking = subprocess.Popen([ompinst, "top", "--format=csv", "-i", "0.1", str(process.pid)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL) if with_top else None
    time = float(process.communicate()[0])
    if looking and looking.wait() != 0:
        sys.exit("ompinst top has ended with status %d" % looking.returncode)
    return time


def ranks(count):
    """How many of the smallest and largest ratios lie outside of the interval."""
    tail, outside = 0.5 ** count, 0
    while tail + math.comb(count, outside + 1) * 0.5 ** count <= 0.025:
        outside += 1
        tail += math.comb(count, outside) * 0.5 ** count
    return outside


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run([compiler, "-O1", "-fopenmp", source, "-o", program], check=True)
        run(program, True)
        ratios = []
        for pair in range(pairs):
            times = {with_top: run(program, with_top) for with_top in ((False, True) if pair % 2 else (True, False))}
            ratios.append(times[True] / times[False])
        ratios.sort()
        outside = ranks(pairs)
        print("processor time beside top: %+.2f %% (%+.2f to %+.2f %%), %d pairs" % (
            *(100 * ratio - 100 for ratio in (statistics.median(ratios), ratios[outside], ratios[-1 - outside])), pairs))


main()
