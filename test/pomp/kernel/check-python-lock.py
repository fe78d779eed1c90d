# SPDX-License-Identifier: BSD-3-Clause
"""Two threads of Python that both have work: one of them waits for the interpreter's global lock.

check-python-lock.py LIBRARY [work]

LIBRARY executes a parallel region in each call. With "work" this is the measured program itself.
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

LIBRARY = sys.argv[1]
SECONDS = 0.5  # of processor time, for each of two threads


def fail(text):
    sys.exit(f"check-python-lock: {text}")


def spin(library):
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        library.execute_region()
        pause = time.thread_time() + 0.02
        while time.thread_time() < pause:
            pass


def work():
    library = ctypes.CDLL(LIBRARY)
    threads = [threading.Thread(target=spin, args=(library,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    if len(sys.argv) > 2:
        work()
        return
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        print("this Python has no global lock")
        sys.exit(77)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("POMP_")}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "summary.json"
        environment |= {"POMP_SUMMARY": str(file), "POMP_SUMMARY_FORMAT": "json"}
        subprocess.run([sys.executable, __file__, LIBRARY, "work"], env=environment, check=True)
        rows = json.loads(file.read_text())["blocked"]
    waits = {}
    for row in rows:
        waits[row["what"]] = waits.get(row["what"], 0) + row["blocked_ns"]
    # The threads take turns. What the main thread waits for is not measured: it executes no region.
    if waits.get("Python's global lock", 0) < SECONDS * 1e9 * 0.8:
        fail(f"expected at least {SECONDS} s for Python's global lock: {waits} {rows}")


main()
