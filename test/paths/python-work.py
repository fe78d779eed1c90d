# SPDX-License-Identifier: BSD-3-Clause
"""python-work.py [LIBRARY]

Three quarters of the time are heavy()'s: in Python, or in the teams of a library that has compute().
"""
import ctypes
import sys
import time


def spin(seconds):
    end = time.process_time() + seconds
    total = 0
    while time.process_time() < end:
        for number in range(1000):
            total += number * number  # {hot}
    return total


def heavy(work, size):
    for _ in range(3):
        work(size)


def light(work, size):
    work(size)


class Steps:
    def numbers(self, work):
        for number in range(80):
            size = 0.5 + number * 0.618 % 1  # samples come in regular intervals
            heavy(work, size)
            light(work, size)
            yield number


def main():
    if len(sys.argv) > 1:
        library = ctypes.CDLL(sys.argv[1])
        library.compute.argtypes = [ctypes.c_int]

        def work(size):
            library.compute(int(size * 1500000))
    else:

        def work(size):
            spin(size * 0.01)

    return sum(Steps().numbers(work))


main()
