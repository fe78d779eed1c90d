# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst top` takes itself, and what it says where it may not look: top-bounds.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER [LARGE]

Its processor time is compared with the time that passed: on a busy machine it looks less often. LARGE is left out where
memory is that of a sanitizer.
"""
import ctypes
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

import debugger
from debugger import expect, failures

compiler, ompinst, sources, runtime = sys.argv[1:5]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive", POMP_SUMMARY="off")
NOBODY = 65534
UNREADABLE = """#include <stdio.h>
#include <sys/prctl.h>
int main(int count, char **words)
{
	(void)words;
	if (count > 1)
		prctl(PR_SET_DUMPABLE, 0);
	#pragma omp parallel num_threads(2)
	{
	}
	puts("there");
	fflush(stdout);
	return getchar();
}
"""


class Programs:
    """Programs that wait; they are killed at the end."""

    def __init__(self, *commands, **how):
        self.all = [subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **how) for command in commands]
        for program in self.all:
            if program.stdout.readline() != "there\n":
                failures.append("a program does not start")

    def __enter__(self):
        return [program.pid for program in self.all]

    def __exit__(self, *_):
        for program in self.all:
            program.kill()
            program.communicate()


def run(*words):
    """The last interval's processes, processor time in s, the time in s from the first interval's end to the last one's, memory in MB."""
    with tempfile.TemporaryFile("w+") as out:
        top = subprocess.Popen([ompinst, "top", "--format=json", "-i", "0.1", *words], stdout=out)
        _, status, usage = os.wait4(top.pid, 0)
        top.returncode = status
        out.seek(0)
        text = out.read()
    if status != 0:
        failures.append("ompinst top %s: status %d" % (words, status))
    documents = [json.loads('{"version"' + document)["processes"] for document in text.split('{"version"')[1:]]
    span = sum(processes[0]["interval_ns"] for processes in documents[1:]) / 1e9
    return documents[-1], usage.ru_utime + usage.ru_stime, span, usage.ru_maxrss / 1024


def check_size(what, programs, target, threads, megabytes):
    """Of an interval that is as short as it can be. Finding the programs is no part of that."""
    with programs as pids:
        target = target or str(pids[0])
        found, first, _, _ = run("-n", "1", target)
        if [len(process["threads_seen"]) for process in found] != threads:
            failures.append("%s: threads %s" % (what, [len(process["threads_seen"]) for process in found][:10]))
        _, processor, span, memory = run("-n", "6", target)
        share = (processor - first) / span
        print("%s: %.0f %% of a processor, %.0f MB" % (what, 100 * share, memory))
        if share > 0.4:
            failures.append("%s: top took %.2f of a processor" % (what, share))
        if memory > megabytes:
            failures.append("%s: top took %.0f MB, expected at most %d" % (what, memory, megabytes))


def check_sizes(folder):
    crowd = os.path.join(folder, "crowd-bounds-%d" % os.getpid())
    subprocess.run([ompinst, compiler, "-g", "-O1", "-fopenmp", os.path.join(sources, "crowd.c"), "-o", crowd], check=True)
    check_size("2,000 threads", Programs([crowd, "2000", "0"]), None, [2000], 100)
    check_size("200 programs", Programs(*[[crowd, "2", "0"]] * 200), os.path.basename(crowd), [2] * 200, 160)


def refuse_reading():
    """The system call by which memory is read is refused, as security modules do."""
    number = {"x86_64": 310, "aarch64": 270}[platform.machine()]
    code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
    program = (ctypes.c_uint64 * len(code))(*[op | yes << 16 | no << 24 | value << 32 for op, yes, no, value in code])

    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]

    chosen = Filter(len(code), ctypes.cast(program, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(chosen), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def says(*words, **how):
    done = subprocess.run([ompinst, *words], capture_output=True, text=True, check=False, **how)
    if done.returncode != 2 or done.stderr.count("\n") != 1:
        failures.append("%s: status %d, expected 2 and one line: %s" % (words, done.returncode, done.stderr))
    return done.stderr


def check_refused(folder):
    """A process of the same user that has made itself unreadable, and one whose memory may not be read."""
    user = {"user": NOBODY} if os.geteuid() == 0 else {}
    program = os.path.join(folder, "unreadable")
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write(UNREADABLE)
    subprocess.run([ompinst, compiler, "-fopenmp", program + ".c", "-o", program], check=True)
    os.chmod(folder, 0o755)
    with Programs([program, "unreadable"], **user) as (pid,):
        for words in (("top", "--once", str(pid)), ("snapshot", str(pid))):
            expect("unreadable", says(*words, **user), r"^ompinst: error: process %d may not be read: it has made itself unreadable "
                   r"\(PR_SET_DUMPABLE\), as set-user-ID programs are; only root may look at it$" % pid)
    if platform.machine() not in ("x86_64", "aarch64"):
        return
    with Programs([program], **user) as (pid,):
        refused = dict(user, preexec_fn=refuse_reading)
        for words in (("top", "--once", str(pid)), ("snapshot", str(pid))):
            expect("refused", says(*words, **refused), r"^ompinst: error: process %d may not be read: Operation not permitted$" % pid)
        if user:  # of which nobody else runs any
            expect("among all", says("top", "--once", **refused), r"^ompinst: error: 1 OpenMP program of this user may not be read: Operation not permitted$")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_refused(folder)
        if sys.argv[5:] == ["LARGE"]:
            check_sizes(folder)
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


if shutil.which(compiler) is None:
    sys.exit(77)
debugger.skip_without_tracing()
main()
