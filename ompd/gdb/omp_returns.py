# SPDX-License-Identifier: BSD-3-Clause
"""Lets the processes go on under gdb for a time, and sees whether the calls that their threads are in return meanwhile.

That needs no processor time of a thread and no stack of it, which are the same whether it waits for ever or for one message
after the other. Calls that only look whether something has happened (MPI_Test) return all the time: a thread that polls by
them is seen to go on when it is outside of them at one of several looks, or has begun another communication.
"""
import glob
import os
import re
import signal
import threading
import time

import gdb
from omp_library import living_threads
from omp_mpi import BEGINS, MPI, POLLS
from omp_outside import is_glibc, known_call, may_be_blocked, plain_name
from omp_words import frame_line, is_systems, newest_frame

LOOKS = 8
TICK, PATIENCE = 0.1, 60  # seconds
ENOUGH = 0.02  # of a processor, in which a thread polls thousands of times
ENDS = (signal.SIGTERM, signal.SIGHUP)  # by which this gdb is asked to leave the processes alone


class Outstanding:
    """A call that a thread of the selected process is in, and the frame of the program that has called it."""

    def __init__(self, native, name, program):
        self.inferior, self.native, self.lwp = gdb.selected_inferior(), native, native.ptid[1] or native.ptid[0]
        self.name, self.place = name, frame_line(program)
        self.returns_to, self.pointer = program.pc(), int(program.read_register("sp"))
        self.polls = POLLS.fullmatch(name) is not None

    def identity(self):
        """What is the same as long as the thread is in the call, or polls in the same function."""
        return self.inferior.num, self.lwp, self.pointer, self.polls, None if self.polls else self.returns_to


def outstanding(native):
    """The call that the thread is in; None: it executes the program. Selects the thread."""
    frame = newest_frame(native)
    if frame is None:
        return None
    name, known = known_call(frame)
    program = known.older() if known is not None else None
    if known is None and is_glibc(frame) and may_be_blocked(native):
        name, program = "futex", newest_frame(native)  # of a function of glibc's that has left no frame
        while program is not None and is_systems(program):
            program = program.older()
    while program is not None and MPI.fullmatch(plain_name(program)):  # libpomp's, around it
        program = program.older()
    return Outstanding(native, name, program) if program is not None else None


class Return(gdb.Breakpoint):
    """Where a thread's call returns to."""

    def __init__(self, call):
        super().__init__("*%#x" % call.returns_to, internal=True)  # not in hardware, of which some machines have few
        self.silent, self.thread = True, call.native.global_num


class Beginning(gdb.Breakpoint):
    """A function of MPI by which a thread that has polled communicates again."""

    def __init__(self, name, lwps):
        self.lwps = lwps
        super().__init__(name, internal=True)
        self.silent = True

    def stop(self):
        return gdb.selected_thread().ptid[1] in self.lwps


def breakpoints(calls):
    points, polling = [], {call.lwp for call in calls if call.polls}
    for call in calls:
        gdb.execute("inferior %d" % call.inferior.num, to_string=True)
        if not call.polls:
            points.append(Return(call))
    for name in BEGINS if polling else ():
        try:
            points.append(Beginning("MPI_" + name, polling))
        except gdb.error:  # this MPI has no such function
            pass
    return points


class Window:
    """The time in which the processes go on together."""

    def __init__(self):
        self.is_running = self.is_ended = False
        self.before = [(number, signal.signal(number, self.end)) for number in ENDS]
        self.processes = [inferior.pid for inferior in gdb.inferiors() if inferior.pid]
        self.is_too_busy = False
        gdb.execute("set schedule-multiple on")
        gdb.execute("handle all nostop noprint pass", to_string=True)
        gdb.execute("handle SIGINT stop print nopass", to_string=True)

    def end(self, *_):
        """Python calls this when gdb next executes some of it, which the ticks see to."""
        self.is_ended = True

    def close(self):
        for number, handler in self.before:
            signal.signal(number, signal.SIG_IGN if self.is_ended else handler)
        if self.is_ended:
            raise KeyboardInterrupt

    def let_go(self, seconds):
        """Returns when the time is over, a breakpoint was reached, a process has ended or the user wants it. The time is longer
        on a machine that is too busy to let all of them run in it."""
        begin, stopped = {pid: processor_time(pid)[0] for pid in self.processes}, threading.Event()
        end = time.monotonic() + seconds

        def tick():
            late = time.monotonic() - end
            if self.is_running and (self.is_ended or late >= PATIENCE or late >= 0 and all(map(has_run, begin.items()))):
                self.is_running, self.is_too_busy = False, late >= PATIENCE
                gdb.execute("interrupt")

        def ticks():
            while not stopped.wait(TICK):
                gdb.post_event(tick)

        thread = threading.Thread(target=ticks, daemon=True)
        self.is_running = True
        thread.start()
        try:
            gdb.execute("continue", to_string=True)
        finally:
            self.is_running = False
            stopped.set()
            thread.join()

    def settle(self):
        """An interrupt that comes after a breakpoint would end a program when gdb has gone."""
        while any(has_interrupt(pid) for pid in self.processes):
            gdb.execute("continue", to_string=True)

    def all_live(self):
        return self.processes == [inferior.pid for inferior in gdb.inferiors() if inferior.pid]


def processor_time(pid):
    """(what its threads have used, in seconds; whether one of them runs, or could)"""
    ticks, runs = 0, False
    for path in glob.glob("/proc/%d/task/*/stat" % pid):
        try:
            with open(path, encoding="utf-8", errors="replace") as stat:
                values = stat.read().rsplit(")", 1)[1].split()
            ticks, runs = ticks + int(values[11]) + int(values[12]), runs or values[0] == "R"
        except (OSError, IndexError):  # it has ended
            pass
    return ticks / os.sysconf("SC_CLK_TCK"), runs


def has_run(item):
    """Returns whether a process has had a processor since then, unless it wants none."""
    used, runs = processor_time(item[0])
    return not runs or used >= item[1] + ENOUGH


def has_interrupt(pid):
    """Returns whether a SIGINT is on its way."""
    try:
        with open("/proc/%d/status" % pid, encoding="utf-8") as status:
            pending = re.search(r"^ShdPnd:\s*(\w+)", status.read(), re.M)
    except OSError:
        return False
    return pending is not None and bool(int(pending[1], 16) & 1 << signal.SIGINT - 1)


def still_there(calls):
    """Returns whether each thread is in its call, or polls where it did."""
    for call in calls:
        gdb.execute("inferior %d" % call.inferior.num, to_string=True)
        native = living_threads().get(call.lwp)
        now = outstanding(native) if native is not None else None
        if now is None or now.identity() != call.identity():
            return False
    return True


def any_returns(calls, seconds):
    """Gives all processes time together; returns whether one of the calls has returned, or that cannot be known."""
    window, points = Window(), breakpoints(calls)
    looks = LOOKS if any(call.polls for call in calls) else 1
    try:
        for _ in range(looks):
            window.let_go(seconds / looks)
            if window.is_ended or window.is_too_busy or not window.all_live() or any(point.hit_count for point in points) or not still_there(calls):
                return True
        return False
    finally:
        for point in points:
            point.delete()
        window.settle()
        window.close()
