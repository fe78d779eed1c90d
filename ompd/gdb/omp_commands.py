# SPDX-License-Identifier: BSD-3-Clause
"""The gdb commands `omp ...`: what they print. Their information comes from omp_library's session."""
import gdb
import omp_frames
import ompd_names
from omp_control import Break, Step
from omp_json import Json
from omp_library import (LEVEL, SCOPE_NAMES, SCOPE_PARALLEL, SCOPE_SPACE, SCOPE_TASK, SCOPE_THREAD,
                         TEAM_SIZE, THREAD_NUM)
from omp_profile import Profile
from omp_rank import print_rank
from omp_tasks import Tasks
from omp_tree import Tree, is_in
from omp_why import Why
from omp_words import (WORDS, Command, KeepSelection, activity, code_name, current_thread, frame_line, is_being_started,
                       is_repetition, is_runtimes, is_users, is_within, native_threads, newest_frame, print_running)


class Omp(gdb.Command):
    """What an OpenMP program is doing, by its runtime's own records.

    Works after run, attach and on core files; needs no debug information and no OMP_DEBUG."""

    def __init__(self):
        super().__init__("omp", gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)

    def invoke(self, arguments, _from_tty):
        """Called without a command, or with an unknown one."""
        if arguments:
            raise gdb.GdbError("omp: '%s': expected one of: %s" % (
                arguments.split()[0], ", ".join(command.name for command in COMMANDS)))
        gdb.execute("help omp")


class Threads(Command):
    """Show what each thread does and what it waits for: omp threads

    The region is level:number/size, the innermost that the thread is in."""
    name = "threads"

    def show(self, session):
        with KeepSelection():
            self.show_all(session)

    def show_all(self, session):
        print_rank()
        print_running()
        print("  thread      LWP  region    state                            code")
        selected, all_native = gdb.selected_thread(), native_threads()
        threads = session.threads(all_native)
        for lwp, native in sorted(all_native.items(), key=lambda item: item[1].num):
            mark = "*" if selected is not None and native.num == selected.num else " "
            thread = threads[lwp]
            if thread is None:
                # If a member of a region has no number yet, it may be this thread.
                print("%s %6d %8d  -         %s" % (mark, native.num, lwp, "is being started by the runtime"
                      if 0 in threads and is_being_started(native) else "no OpenMP thread"))
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
        lines = session.control_variables()
        if not lines:
            raise gdb.GdbError("omp env: the runtime had no memory to keep its settings as text")
        for line in lines:
            print(line)


class Backtrace(Command):
    """Show the selected thread's calls from its task down to main: omp bt

    Frames of the runtime are left out. Where a worker's stack ends, that of the thread which forked
    the region continues."""
    name = "bt"

    def show(self, session):
        with KeepSelection() as kept:
            thread = current_thread(session)
            if kept.frame is None:
                raise gdb.GdbError("omp bt: thread %d is running: `interrupt` stops it" % kept.thread.num)
            self.show_thread(session, thread, None, 0)

    def show_thread(self, session, thread, below, depth):
        """The frames of a thread; only those below the stack address if there is one. 0: only those that
        called the runtime, which has begun a region that the thread is not in yet."""
        native = native_threads().get(session.lwp(thread))
        if native is None or depth > 64:
            return
        frame = newest_frame(native)
        print("thread %d:%s" % (native.num, "" if frame is not None else "\n  (it runs)"))
        state = activity(session, thread)
        is_waiting = below is None and state != WORDS["ompt_state_work_parallel"] and \
            state != WORDS["ompt_state_work_serial"]
        if is_waiting:
            print("  (%s)" % state)
        is_shown = below is None and not is_waiting
        while frame is not None:
            if is_shown and is_users(frame) and not is_repetition(frame):
                print("  " + frame_line(frame))
            if is_waiting or below == 0:  # frames that the runtime called in order to wait are not the program's
                is_shown = is_shown or is_runtimes(frame)
            else:
                is_shown = is_shown or is_within(frame, below)
            frame = frame.older()
        region = session.region(thread)
        while region is not None and self.number_in(session, region, thread) == 0:
            region = session.enclosing(region)
        if region is None:
            return
        forker, task = session.member(region, 0), session.implicit_task(region, 0)
        if forker is not None:
            is_there = is_in(session, forker, region)
            self.show_thread(session, forker, session.frames(task)[0] if is_there else 0, depth + 1)

    @staticmethod
    def number_in(session, region, thread):
        forker = session.member(region, 0)
        return 0 if forker is not None and session.same("thread", forker, thread) else 1


COMMANDS = (Threads, Tree, Tasks, Why, Backtrace, Icvs, Env, Break, Step, Json, Profile)


def register():
    Omp()
    for command in COMMANDS:
        command()
    ompd_names.register()
    omp_frames.register()
