# SPDX-License-Identifier: BSD-3-Clause
"""A gdb in batch mode that has the `omp` commands: what the tests of these commands share."""
import ctypes
import errno
import glob
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "compilers"))
import compilers  # noqa: E402

CLANG = compilers.find("clang")
failures = []  # what a test has found, for its end


def command_line(commands, *gdb_commands, before=()):
    """How gdb is started to obey these commands; `before`: those that come before it has ours."""
    line = ["gdb", "-q", "-batch", "-nx", "-iex", "set auto-load python-scripts off"]
    for command in ("set debuginfod enabled off", *before, "source %s/ompinst-gdb.py" % commands, *gdb_commands):
        line += ["-ex", command]
    return line


def states_of(pid):
    """What the kernel says of each thread: R runs or could, S sleeps. Nothing while a thread ends."""
    states = []
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, thread), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return []
    return states


def sleeps_of(pid):
    """How often each thread has gone to sleep, without that by which libpomp observes them."""
    found = {}
    for path in glob.glob("/proc/%d/task/*/status" % pid):
        try:
            with open(path, encoding="utf-8") as status:
                text = status.read()
            if "\tpomp-observer\n" not in text:
                found[path] = re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", text, re.M)
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


sleeps_before = {}  # by process


def is_at_rest(pid, busy=0):
    """Returns whether all threads but so many sleep, and have slept since this was asked last: one that lets others go sleeps
    again and again, however long a busy machine takes for that."""
    states, sleeps = states_of(pid), sleeps_of(pid)
    before, sleeps_before[pid] = sleeps_before.get(pid), sleeps
    return len(states) > busy and states.count("S") == len(states) - busy and before == sleeps


def wait_until(is_calm):
    """
    Returns when that holds five times in a row. Or after a minute, times TEST_TIME_LIMITS on a slow machine: what is seen
    then says more than a test that is ended.
    """
    calm, deadline = 0, time.monotonic() + 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
    while calm < 5 and time.monotonic() < deadline:
        calm = calm + 1 if is_calm() else 0
        time.sleep(0.1)


def answers(line, environment, folder=None):
    """All that gdb and its program say, without its complaint, in any place, about vector registers of a core file of its own."""
    output = subprocess.run(line, env=environment, text=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    return re.sub(r"^warning: Section `\.reg-xstate/\d+' in core file too small\.\n", "", output, flags=re.M)


# Prints how gdb has numbered the process's threads, for by_age(); without the one by which libpomp observes them.
NUMBERS = ("python print('numbers of %d: ' % gdb.selected_inferior().pid + ' '.join('%d=%d' % (t.num, t.ptid[1]) for t in gdb.selected_inferior().threads() "
           "if t.name != 'pomp-observer'))")


def by_age(text, numbers):
    """
    The text as if gdb had numbered the threads by their LWPs, the process's own first: the order in which it numbers those
    of a process that it attaches to differs between its versions. `numbers` is the line that NUMBERS prints. LWPs begin
    anew when they have reached their limit.
    """
    process = int((re.search(r"of (\d+)", numbers) or [0, 0])[1])
    lwps = {number: (int(lwp) < process, int(lwp)) for number, lwp in re.findall(r"(\d+)=(\d+)", numbers)}
    ages = {number: str(age) for age, number in enumerate(sorted(lwps, key=lwps.get), 1)}
    text = re.sub(r"\bthread (\d+)", lambda match: "thread " + ages.get(match[1], match[1]), text)
    return re.sub(r"thread \d+(?:, thread \d+)* and thread \d+", lambda match: sort_list(match[0]), text)


def sort_list(text):
    """"thread 3, thread 2 and thread 4" in the order of the numbers."""
    names = ["thread %d" % number for number in sorted(map(int, re.findall(r"\d+", text)))]
    return ", ".join(names[:-1]) + " and " + names[-1]


def expect(what, output, *patterns):
    for pattern in patterns:
        if not re.search(pattern, output, re.M):
            failures.append("%s: expected /%s/ in:\n%s" % (what, pattern, output))


def skip_without_tracing():
    """Ends the test where the system has no ptrace(2) at all, as under qemu-user."""
    attach, nobody = 16, -1
    if ctypes.CDLL(None, use_errno=True).ptrace(attach, nobody, None, None) == -1 and ctypes.get_errno() == errno.ENOSYS:
        print("needs ptrace(2), which this system has not (an emulator)")
        sys.exit(77)


def read(name):
    """The file's text; "" if it is not there."""
    if not os.path.exists(name):
        return ""
    with open(name, encoding="utf-8") as text:
        return text.read()


def counting_debugger(folder):
    """(a gdb that adds a line to a file each time it starts, that file)"""
    program, looks = os.path.join(folder, "counting-gdb"), os.path.join(folder, "looks")
    with open(program, "w", encoding="utf-8") as out:
        out.write('#!/bin/sh\necho look >> "%s"\nexec gdb "$@"\n' % looks)
    os.chmod(program, 0o755)
    return program, looks


class Running:
    """A program that runs until the end of the block; its threads have come to rest. `says`: in its first line."""

    def __init__(self, *command, environment, says=None, threads=None):
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        if says:
            line = self.process.stdout.readline()
            if says not in line:
                failures.append("%s says %r" % (command, line))
        wait_until(lambda: is_at_rest(self.process.pid) and (threads is None or len(states_of(self.process.pid)) >= threads))

    def __enter__(self):
        return self.process.pid

    def __exit__(self, *_):
        if self.process.poll() is not None:
            failures.append("%s has ended while it was looked at" % (self.process.args,))
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def build(compiler, sources, folder, name, *more):
    """The program of one of the sources here."""
    program = os.path.join(folder, name)
    subprocess.run([compiler, "-fopenmp", "-g", "-O1", "-pthread", os.path.join(sources, name + ".c"), *more, "-o", program, "-ldl"], check=True)
    return program
