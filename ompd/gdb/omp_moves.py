# SPDX-License-Identifier: BSD-3-Clause
"""`omp up`, `omp finish` and `omp next`: over the frames of the runtime, and from a worker's calls into those of the
thread that forked its region."""
import gdb
from omp_library import SCOPE_PARALLEL, TEAM_SIZE, Session, in_c
from omp_paths import Paths
from omp_words import Command, current_thread, is_runtimes, is_users, native_threads, newest_frame


def next_call(name, session):
    """(thread, level) of the program's next call outwards from the selected frame; None: there is none."""
    thread = current_thread(session)
    native = gdb.selected_thread()
    if native.is_running():
        raise gdb.GdbError("omp %s: thread %d is running: `interrupt` stops it" % (name, native.num))
    selected = gdb.selected_frame()
    for part in Paths(session).parts(thread):
        for level in part.levels:
            if part.native.num != native.num or level > selected.level():
                native.switch()
                selected.select()
                return part.native, level
    native.switch()
    selected.select()
    return None


def frame_at(native, level):
    """Selects the thread."""
    frame = newest_frame(native)
    while frame is not None and frame.level() < level:
        frame = frame.older()
    return frame


class Return(gdb.Breakpoint):
    """Stops where a thread has returned to a call of the program: there, with the stack pointer that the call has now."""

    def __init__(self, native, level):
        own, selected = gdb.selected_thread(), gdb.selected_frame()
        frame = frame_at(native, level)
        self.native, self.pointer, self.is_reached = native, int(frame.read_register("sp")), False
        super().__init__("*%#x" % frame.pc(), internal=True)
        self.silent = True
        own.switch()
        selected.select()

    def stop(self):
        self.is_reached = gdb.selected_thread().num == self.native.num and \
            int(gdb.newest_frame().read_register("sp")) == self.pointer
        return self.is_reached

    def remove(self):
        if self.is_valid():
            self.delete()


def tell(native, before):
    """Another thread than the user's is where the path goes on."""
    if native.num != before.num:
        print("[thread %d, which forked the region of thread %d]" % (native.num, before.num))


class Move(Command):
    """What the commands that move have in common."""

    def return_to(self, session):
        """None: the selected call is the outermost one."""
        target = next_call(self.name, session)
        if target is not None and target[1] == 0:
            raise gdb.GdbError("omp %s: thread %d is in the program's call itself already: `omp up` goes there"
                               % (self.name, target[0].num))
        return Return(*target) if target is not None else None

    def outermost(self):
        return gdb.GdbError("omp %s: there is no call of the program around this one" % self.name)


class Up(Move):
    """Select the next call of the program outwards: omp up

    Frames of the runtime are left out. Behind the outermost one of a worker comes the call in which the thread that forked
    the region did so: then that thread is selected."""
    name = "up"

    def show(self, session):
        own, target = gdb.selected_thread(), next_call(self.name, session)
        if target is None:
            raise self.outermost()
        frame_at(*target).select()
        tell(target[0], own)
        gdb.execute("frame")


class Finish(Move):
    """Continue until the selected frame has returned to the program: omp finish

    That is the call which `omp up` selects: the end of a region's or a task's code returns through the runtime to the
    call behind it; for a worker that is where the thread which forked the region goes on after it. All threads run meanwhile."""
    name = "finish"

    @in_c
    def invoke(self, arguments, from_tty):
        if arguments.strip():
            raise gdb.GdbError("omp finish: '%s': it takes no arguments" % arguments)
        native_threads()
        with Session() as session:
            point = self.return_to(session)
        if point is None:
            raise self.outermost()
        go_to(point, gdb.selected_thread())


def go_to(point, own):
    try:
        gdb.execute("continue")
        if point.is_reached:
            tell(point.native, own)
            gdb.execute("frame")
    finally:
        point.remove()


class Next(Move):
    """Go to the program's next line in the selected thread: omp next

    The same as `next`, but it does not stop in the runtime, and never runs away at the end of a region's or a task's
    code: there it goes on as `omp finish` does. The members of a team are not moved in step, because one of them may have to
    wait for another one; they run meanwhile, and a sentence says so."""
    name = "next"

    @in_c
    def invoke(self, arguments, from_tty):
        if arguments.strip():
            raise gdb.GdbError("omp next: '%s': it takes no arguments" % arguments)
        native_threads()
        own, points, size = gdb.selected_thread(), [], 1
        with Session() as session:
            thread = current_thread(session)
            if own.is_running():
                raise gdb.GdbError("omp next: thread %d is running: `interrupt` stops it" % own.num)
            gdb.newest_frame().select()
            region = session.region(thread)
            size = session.icv(region, SCOPE_PARALLEL, TEAM_SIZE) if region is not None else 1
            older = gdb.selected_frame().older()
            is_inside = not is_users(gdb.selected_frame())
            if is_inside or older is not None and is_runtimes(older):
                points.append(self.return_to(session))
        if points and not is_inside:  # the end of the code, where `next` would stop in the runtime or go on for ever
            points.append(Return(own, older.level()))
        self.move(points, own, is_inside)
        if size > 1 and gdb.selected_inferior().pid:
            print("The rest of the team (%d) ran meanwhile: `omp stacks` shows where." % (size - 1))

    @staticmethod
    def move(points, own, is_inside):
        try:
            if not is_inside:
                gdb.execute("next")
            if points and points[0] is not None and (is_inside or points[1].is_reached):
                go_to(points[0], own)
        finally:
            for point in points:
                if point is not None:
                    point.remove()
