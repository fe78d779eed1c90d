# SPDX-License-Identifier: BSD-3-Clause
"""The gdb commands `omp ...`: what they print. What they know comes from omp_library's session."""
import os
import re

import gdb
from omp_library import (LEVEL, SCOPE_NAMES, SCOPE_PARALLEL, SCOPE_SPACE, SCOPE_TASK, SCOPE_THREAD,
                         TEAM_SIZE, THREAD_NUM, Session)

# State -> what `omp threads` says, and what it waits for; {} is the object.
WORDS = {
    "ompt_state_work_serial": "serial code",
    "ompt_state_work_parallel": "works",
    "ompt_state_wait_barrier": "waits at a barrier",
    "ompt_state_wait_barrier_implicit_parallel": "waits at the region's end",
    "ompt_state_wait_taskwait": "waits for its child tasks",
    "ompt_state_wait_taskgroup": "waits for its taskgroup",
    "ompt_state_wait_lock": "waits for lock {}",
    "ompt_state_wait_critical": "waits for critical {}",
    "ompt_state_wait_atomic": "waits for an atomic operation",
    "ompt_state_wait_ordered": "waits for its turn (ordered)",
    "ompt_state_wait_mutex": "waits for a mutex at {}",
    "ompt_state_idle": "idle",
}


def symbol_at(address):
    """The function or variable there; None: none. Works without debug information."""
    block = None
    try:
        block = gdb.block_for_pc(address)
    except RuntimeError:
        pass
    while block is not None and block.function is None:
        block = block.superblock
    if block is not None and block.start == address:
        return block.function.linkage_name
    text = gdb.execute("info symbol %#x" % address, to_string=True)
    match = re.match(r"(.+?) in section", text)
    return match.group(1) if match else None


def object_name(address):
    name = symbol_at(address)
    if name is None:
        return "%#x" % address
    critical = re.match(r"\.?gomp_critical_user_(.*)", name)  # gcc's symbol for a named one
    if critical:
        return "(%s)" % critical.group(1)
    if name == "unnamed_critical":
        return "(unnamed)"
    return "%s (%#x)" % (name, address)


def code_name(address):
    """An outlined function with its place: 'main._omp_fn.0 at a.c:8'."""
    if address is None:
        return "the program"
    name = symbol_at(address) or "%#x" % address
    place = gdb.find_pc_line(address)
    if place.symtab is not None and place.line:
        return "%s at %s:%d" % (name, os.path.basename(place.symtab.filename), place.line)
    return name


def activity(session, thread):
    state, wait = session.state(thread)
    return WORDS.get(state, state).format(object_name(wait) if wait else "")


def native_threads():
    """gdb's threads by the kernel's numbers."""
    threads = gdb.selected_inferior().threads()
    if not threads:
        raise gdb.GdbError("omp: there is no process: `run` the program, `attach` to it or load a "
                           "core file")
    return {thread.ptid[1] or thread.ptid[0]: thread for thread in threads}


def current_thread(session):
    selected = gdb.selected_thread()
    if selected is None:
        native_threads()
    thread = session.thread(selected.ptid[1] or selected.ptid[0])
    if thread is None:
        raise gdb.GdbError("omp: thread %d has never used OpenMP; `omp threads` shows which have"
                           % selected.num)
    return thread


class Omp(gdb.Command):
    """What an OpenMP program is doing, by its runtime's own records.

    Works after run, attach and on core files; needs no debug information and no OMP_DEBUG."""

    def __init__(self):
        super().__init__("omp", gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)


class Command(gdb.Command):
    """A command that takes no arguments."""

    def __init__(self):
        super().__init__("omp " + self.name, gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _from_tty):
        if arguments.strip():
            raise gdb.GdbError("omp %s: '%s': it takes no arguments" % (self.name, arguments))
        native_threads()
        with Session() as session:
            self.show(session)


class Threads(Command):
    """Show what each thread does and what it waits for: omp threads

    The region is level:number/size, the innermost that the thread is in."""
    name = "threads"

    def show(self, session):
        print("  thread      LWP  region    state                            code")
        selected, all_native = gdb.selected_thread(), native_threads()
        threads = session.threads(all_native)
        for lwp, native in sorted(all_native.items(), key=lambda item: item[1].num):
            mark = "*" if selected is not None and native.num == selected.num else " "
            thread = threads[lwp]
            if thread is None:
                print("%s %6d %8d  -         no OpenMP thread" % (mark, native.num, lwp))
                continue
            print("%s %6d %8d  %-9s %-32s %s" % (mark, native.num, lwp, *self.row(session, thread)))

    @staticmethod
    def row(session, thread):
        region, task = session.region(thread), session.task(thread)
        if region is None or task is None:
            return "-", activity(session, thread), ""
        place = "%d:%d/%d" % (session.icv(region, SCOPE_PARALLEL, LEVEL),
                              session.icv(thread, SCOPE_THREAD, THREAD_NUM),
                              session.icv(region, SCOPE_PARALLEL, TEAM_SIZE))
        return place, activity(session, thread), code_name(session.function(task))


class Region:
    """A parallel region with its members: handles, the kernel's numbers, and regions below."""

    def __init__(self, session, handle):
        self.handle = handle
        self.size = session.icv(handle, SCOPE_PARALLEL, TEAM_SIZE)
        self.level = session.icv(handle, SCOPE_PARALLEL, LEVEL)
        self.threads = [session.member(handle, number) for number in range(self.size)]
        self.lwps = [session.lwp(thread) for thread in self.threads]
        self.inner = {}  # by member's number: the region that it forked


class Tree(Command):
    """Show all parallel regions that are going on, by nesting, with their threads: omp tree"""
    name = "tree"

    def show(self, session):
        native = native_threads()
        seen = set()
        for lwp in sorted(native):
            if lwp in seen:  # to look a thread up takes a walk along all of them
                continue
            thread = session.thread(lwp)
            handle = session.region(thread) if thread is not None else None
            if handle is None:
                continue
            outermost = handle
            while handle is not None:
                outermost, handle = handle, session.enclosing(handle)
            self.show_region(session, native, Region(session, outermost), 0, seen)
        if not seen:
            print("No thread has used OpenMP yet.")

    def show_region(self, session, native, region, depth, seen):
        indent = "    " * depth
        print("%slevel %d, %d thread%s: %s" % (
            indent, region.level, region.size, "" if region.size == 1 else "s",
            code_name(session.function(session.implicit_task(region.handle, 0)))))
        for number, (thread, lwp) in enumerate(zip(region.threads, region.lwps)):
            seen.add(lwp)
            inner = self.find_inner(session, region, session.region(thread))
            if inner is not None:
                region.inner[number] = inner
            print("%s  %d: thread %s (LWP %d) %s" % (
                indent, number, native[lwp].num if lwp in native else "?", lwp,
                activity(session, thread) if inner is None else "is in a region below"))
        for inner in region.inner.values():
            self.show_region(session, native, Region(session, inner), depth + 1, seen)

    @staticmethod
    def find_inner(session, region, current):
        """The region next below on the way to the current one, None: the thread is in `region`."""
        inner = None
        while current is not None and not session.same("parallel", current, region.handle):
            inner, current = current, session.enclosing(current)
        return inner if current is not None else None


class Icvs(Command):
    """Show the internal control variables as the selected thread sees them: omp icvs"""
    name = "icvs"

    def show(self, session):
        thread = current_thread(session)
        handles = {SCOPE_SPACE: session.space, SCOPE_THREAD: thread,
                   SCOPE_PARALLEL: session.region(thread), SCOPE_TASK: session.task(thread)}
        for number, name, scope in session.icvs():
            handle = handles.get(scope)
            value = "-" if handle is None else session.icv_text(handle, scope, number)
            print("%-24s %-10s %s" % (name, SCOPE_NAMES[scope], value))


class Env(Command):
    """Show every environment variable that the runtime knows, with its setting: omp env"""
    name = "env"

    def show(self, session):
        for line in session.control_variables():
            print(line)


class Backtrace(Command):
    """Show the selected thread's calls from its task down to main: omp bt

    Frames of the runtime are left out. Where a worker's stack ends, that of the thread which forked
    the region goes on."""
    name = "bt"

    def show(self, session):
        selected, frame = gdb.selected_thread(), gdb.selected_frame()
        try:
            self.show_thread(session, current_thread(session), None, 0)
        finally:
            selected.switch()
            frame.select()

    def show_thread(self, session, thread, below, depth):
        """The frames of a thread; of those that lie below the frame address, when there is one."""
        native = native_threads().get(session.lwp(thread))
        if native is None or depth > 64:
            return
        native.switch()
        print("thread %d:" % native.num)
        state = activity(session, thread)
        is_waiting = below is None and state != WORDS["ompt_state_work_parallel"] and \
            state != WORDS["ompt_state_work_serial"]
        if is_waiting:
            print("  (%s)" % state)
        frame, is_shown = gdb.newest_frame(), below is None and not is_waiting
        while frame is not None:
            if is_shown and self.is_users(frame):
                print("  " + self.line(frame))
            if is_waiting:  # what the runtime called to wait is not the program's
                is_shown = is_shown or self.is_runtimes(frame)
            else:
                is_shown = is_shown or int(frame.read_register("fp")) == below
            frame = frame.older()
        region = session.region(thread)
        while region is not None and self.number_in(session, region, thread) == 0:
            region = session.enclosing(region)
        if region is None:
            return
        forker, task = session.member(region, 0), session.implicit_task(region, 0)
        entry = session.frames(task)[0]
        if entry:
            self.show_thread(session, forker, entry, depth + 1)

    @staticmethod
    def number_in(session, region, thread):
        return 0 if session.same("thread", session.member(region, 0), thread) else 1

    @staticmethod
    def is_runtimes(frame):
        library = gdb.solib_name(frame.pc()) or ""
        return os.path.basename(library).startswith("libgomp.so")

    @classmethod
    def is_users(cls, frame):
        """Not the runtime, and not what libc starts a thread with."""
        return not cls.is_runtimes(frame) and \
            frame.name() not in ("start_thread", "clone3", "clone", "__clone3")

    @staticmethod
    def line(frame):
        place = frame.find_sal()
        name = frame.name() or "%#x" % frame.pc()
        if place.symtab is not None and place.line:
            return "%s at %s:%d" % (name, os.path.basename(place.symtab.filename), place.line)
        return name


def register():
    Omp()
    for command in (Threads, Tree, Icvs, Env, Backtrace):
        command()
