#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Products of matrices by numpy in three threads of Python at once: the sum of all elements, which is exact, and the
threads of the process while all three are there."""
import os
import threading

import numpy

ROOTS = 3
sums = []
counted = threading.Barrier(ROOTS + 1)


def multiply():
    a, b = (numpy.arange(300 * 300, dtype=float).reshape(300, 300) % modulus - 1 for modulus in (7, 5))
    sums.append(sum(float((a @ b).sum()) for _ in range(20)))
    counted.wait()
    counted.wait()


for _ in range(ROOTS):
    threading.Thread(target=multiply).start()
counted.wait()
print(f'sum {sum(sums):.0f}, {len(os.listdir("/proc/self/task"))} threads')
counted.wait()
