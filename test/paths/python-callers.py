# SPDX-License-Identifier: BSD-3-Clause
"""python-callers.py LIBRARY PACKAGES [WAYS]

Calls one region of a library from several lines: in two functions that are alike, without and with the global lock,
through a module of the folder PACKAGES, and on threads of Python. WAYS: which of them, all by default.
"""
import ctypes
import sys
import threading

TURNS = 200000


def first(released, held, kernels):
    for _ in range(30):
        released.compute(TURNS)  # {first}


def alike(released, held, kernels):
    for _ in range(25):
        released.compute(TURNS)  # {alike}


def second(released, held, kernels):
    for _ in range(20):
        held.compute(TURNS)  # {second}


def through(released, held, kernels):
    for _ in range(10):
        kernels.run(released, TURNS)  # {through}


def work(released):
    for _ in range(15):
        released.compute(TURNS)  # {threads}


def threads(released, held, kernels):
    started = [threading.Thread(target=work, args=(released,)) for _ in range(2)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def main():
    library, packages, *ways = sys.argv[1:]
    sys.path.insert(0, packages)
    import kernels  # pylint: disable=import-outside-toplevel,import-error  # the folder was not known before

    for way in (first, alike, second, through, threads):
        if not ways or way.__name__ in ways:
            way(ctypes.CDLL(library), ctypes.PyDLL(library), kernels)


main()
