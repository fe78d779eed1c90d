# SPDX-License-Identifier: BSD-3-Clause
"""The gdb commands `omp ...`: what they print. Their information comes from omp_library's session."""
import gdb
import omp_frames
import ompd_names
from omp_changes import Changes
from omp_control import Break, Step
from omp_json import Json
from omp_library import (LEVEL, SCOPE_NAMES, SCOPE_PARALLEL, SCOPE_SPACE, SCOPE_TASK, SCOPE_THREAD,
                         TEAM_SIZE, THREAD_NUM)
from omp_locks import Locks
from omp_moves import Finish, Next, Up
from omp_paths import Paths
from omp_print import Print
from omp_profile import Profile
from omp_rank import print_rank
from omp_stacks import Stacks
from omp_tasks import Tasks
from omp_tree import Tree
from omp_why import Why
from omp_words import (Command, KeepSelection, activity, code_name, current_thread, is_being_started, native_threads,
                       print_running)


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
            for part in Paths(session).parts(thread):
                print("thread %d:%s" % (part.native.num, "" if part.calls is not None else "\n  (it runs)"))
                if part.waits is not None:
                    print("  (%s)" % part.waits)
                for call in part.calls or []:
                    print("  " + call)


COMMANDS = (Threads, Tree, Tasks, Why, Changes, Locks, Backtrace, Stacks, Print, Icvs, Env, Break, Step, Next, Finish, Up, Json, Profile)


def register():
    Omp()
    for command in COMMANDS:
        command()
    ompd_names.register()
    omp_frames.register()
