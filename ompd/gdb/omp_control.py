# SPDX-License-Identifier: BSD-3-Clause
"""`omp break` and `omp step`: stop where constructs begin.

gcc makes a separate function of each parallel region and each task ("main._omp_fn.0"), whose first line is
that of the directive. The function does not show which of the two it is, but the task that the stopped
thread executes does.
"""
import re

import gdb
from omp_library import SCOPE_TASK, SCOPE_THREAD, THREAD_NUM, Session, in_c, living_threads
from omp_table import Table
from omp_words import Command, in_words, is_runtimes, native_threads

IMPLICIT_TASK = 24  # number of implicit-task-var
OUTLINED = re.compile(r"\._omp_fn\.\d+$|\.omp_outlined|\.omp_task_entry\.")


class Outlined:
    """An outlined function: the lines from its directive to the last one with code."""

    def __init__(self, block, table):
        self.name = block.function.linkage_name or block.function.name
        self.file = block.function.symtab.filename
        self.start, self.end = block.start, block.end
        lines = [entry.line for entry in table if self.start <= entry.pc < self.end and entry.line]
        self.first, self.last = gdb.find_pc_line(self.start).line, max(lines or [0])


def functions_of(symtab):
    """The outlined functions of a file. gcc describes them inside those that they came from, so they are
    found through the addresses of lines."""
    table, found = list(symtab.linetable()), {}
    for entry in table:
        block = gdb.block_for_pc(entry.pc)
        while block is not None and block.function is None:
            block = block.superblock
        if block is None or block.start in found:
            continue
        if OUTLINED.search(block.function.linkage_name or block.function.name):
            found[block.start] = Outlined(block, table)
    return list(found.values())


NEAR = 3  # lines after its directive within which a construct's code begins, when it is optimised


NEXT_CODE = 1000 # lines


def places_of(location):
    """What gdb knows about FILE:LINE. Newer gdbs reject a line without code if the next line with code
    begins a function, as is the case for the directive of an optimised construct; then what they know
    about that next line."""
    try:
        return gdb.decode_line(location)[1] or ()
    except gdb.error as problem:
        file, _, line = location.rpartition(":")
        if file and line.isdigit() and "source file" not in str(problem):
            for number in range(int(line) + 1, int(line) + NEXT_CODE):
                try:
                    return gdb.decode_line("%s:%d" % (file, number))[1] or ()
                except gdb.error:
                    pass
        raise gdb.GdbError("omp: '%s': %s; expected FILE:LINE of a program compiled with -g"
                           % (location, str(problem).rstrip(".")))


def functions_at(location):
    """Outlined functions whose directive is at FILE:LINE. If the compiler has left no trace of that line,
    those that begin soon after it and those around it, innermost first."""
    sals = places_of(location)
    found, line = [], int(location.rsplit(":", 1)[-1]) if location[-1].isdigit() else None
    for sal in sals:
        if sal.symtab is None or not sal.symtab.is_valid():
            continue
        wanted = line or sal.line
        functions = functions_of(sal.symtab)
        exact = [function for function in functions if function.first == wanted]
        around = [function for function in functions
                  if function.first - NEAR <= wanted <= function.last]
        found += exact or sorted(around, key=lambda function: function.last - function.first)
    return list({function.start: function for function in found}.values())


class ConstructBreakpoint(gdb.Breakpoint):
    """Stops in an outlined function: in a parallel region only once, in its thread 0; in a task, in the
    thread that begins it."""

    def __init__(self, function, kind, is_internal=False):
        # By name: an address would not move with the program when it is loaded. Other files may have
        # a function of that name.
        super().__init__("'%s'" % function.name, internal=is_internal)
        self.kind, self.file, self.hits = kind, function.file, 0

    @in_c
    def stop(self):
        thread, place = gdb.selected_thread(), gdb.selected_frame().find_sal()
        if place.symtab is not None and place.symtab.filename != self.file:
            return False
        with Session() as session:
            current = session.thread(thread.ptid[1] or thread.ptid[0])
            task = session.task(current) if current is not None else None
            if task is None:
                return False
            is_implicit = session.icv(task, SCOPE_TASK, IMPLICIT_TASK)
            stops = not is_implicit
            if self.kind != "task" and is_implicit:
                stops = session.icv(current, SCOPE_THREAD, THREAD_NUM) == 0
            elif self.kind == "parallel":
                stops = False
        self.hits += stops
        return bool(stops)


class Break(Command):
    """Stop where a construct begins: omp break parallel|task [FILE:LINE]

    With a place: in the code of the parallel region or task whose directive is there, or the innermost
    around that line. A region stops once, in its thread 0; a task in the thread that begins it. Needs
    a program compiled with -g; of an optimised one several functions may be candidates, of which those
    that are not a parallel region, or a task, do not stop. Without a place: at every region or task,
    wherever; this turns the runtime's breakpoints on (OMP_DEBUG) in the process, or in the environment of the one that
    `run` will start."""
    name = "break"
    words = {"parallel": "a parallel region", "task": "a task"}

    def invoke(self, arguments, _from_tty):
        given = arguments.split(None, 1)
        if not given or given[0] not in self.words:
            raise gdb.GdbError("omp break: '%s': expected: omp break parallel|task [FILE:LINE]"
                               % arguments)
        if len(given) == 1:
            self.everywhere(given[0])
            return
        functions = functions_at(given[1])
        if not functions:
            raise gdb.GdbError(
                "omp break: '%s': no parallel region and no task there: none of the file's constructs "
                "contains that line, or the file was compiled without -fopenmp or -g" % given[1])
        for function in functions:
            point = ConstructBreakpoint(function, given[0])
            print("Breakpoint %d for %s: lines %d-%d (%s)" % (
                point.number, self.words[given[0]], function.first, function.last,
                in_words(function.name)))

    @staticmethod
    @in_c
    def everywhere(kind):
        point = "ompd_bp_%s_begin" % kind
        if not living_threads() and gdb.current_progspace().filename is not None:
            gdb.execute("set environment OMP_DEBUG enabled")  # `run` passes it to the program
            gdb.Breakpoint(point)  # pending
            return
        native_threads()
        try:
            table = Table("rt_debug_table")
            table.put(table.roots[0], "rt_process.debug", 1)
            watchers = table.roots[-1], "rt_watchers.bits"
            table.put(*watchers, table.field(*watchers) | 16)  # RT_DEBUG_BY_DEBUGGER
        except (gdb.error, gdb.MemoryError, KeyError) as problem:
            raise gdb.GdbError("omp break: cannot turn the runtime's breakpoints on (%s): a core file "
                               "cannot run, and other processes need ompinst's libgomp.so.1" % problem)
        gdb.Breakpoint(point)


class Step(Command):
    """Step into the parallel region or the task of this line: omp step

    On a line with a directive the next stop is in the construct's code: of a region in its thread 0,
    of a task in the thread that begins it, if one does before the line is over. On other lines the
    same as `step`."""
    name = "step"

    def invoke(self, arguments, _from_tty):
        if arguments.strip():
            raise gdb.GdbError("omp step: '%s': it takes no arguments" % arguments)
        native_threads()
        thread = gdb.selected_thread()
        if thread is None or thread.is_running():
            raise gdb.GdbError("omp step: %s" % ("no thread is selected: `thread 1`" if thread is None else
                                                 "thread %d is running: `interrupt` stops it" % thread.num))
        frame = gdb.selected_frame()
        place, here = frame.find_sal(), frame.pc()
        functions = [function for function in functions_of(place.symtab)
                     if function.first == place.line and not function.start <= here < function.end] \
            if place.symtab is not None else []
        if not functions:
            self.step()
            return
        points = [ConstructBreakpoint(function, "any", True) for function in functions]
        try:
            gdb.execute("next")
        finally:
            stopped = any(point.is_valid() and point.hits for point in points)
            for point in points:
                if point.is_valid():
                    point.delete()
        if not stopped and gdb.selected_inferior().pid:
            print("The construct's code has not begun yet: `omp break task %s:%d` waits for a task."
                  % (place.symtab.filename, place.line))

    @staticmethod
    def step():
        """Steps like gdb, but never stops in the runtime, which may have debug information."""
        gdb.execute("skip -rfunction ^(GOMP|GOACC|omp|rt|acc)_", to_string=True)
        try:
            gdb.execute("step")
            while gdb.selected_inferior().pid and is_runtimes(gdb.newest_frame()) and \
                    gdb.newest_frame().older() is not None:
                gdb.execute("finish")  # the construct's end returned there
        finally:
            rows = re.findall(r"^(\d+) ", gdb.execute("info skip", to_string=True), re.M)
            gdb.execute("skip delete " + rows[-1], to_string=True)
