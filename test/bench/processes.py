# SPDX-License-Identifier: BSD-3-Clause
"""How long a process takes and what it uses, for benchmarks."""
import os
import subprocess
import time


def seconds(program, *arguments, environment):
    """Of a process from its start to its end, as precisely as can be; the program's path is complete."""
    start = time.perf_counter_ns()
    child = os.posix_spawn(program, [program, *map(str, arguments)], environment)
    _, status = os.waitpid(child, 0)
    end = time.perf_counter_ns()
    if status:
        raise SystemExit(f"{program} {' '.join(map(str, arguments))}: wait status {status}")
    return (end - start) / 1e9


def usage(command, stdout=subprocess.DEVNULL):
    """Wall and processor seconds, MiB of resident memory, and the text printed if stdout is subprocess.PIPE."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=stdout, text=True)
    printed = process.stdout.read() if process.stdout else None
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command, printed)
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed
