# SPDX-License-Identifier: BSD-3-Clause
"""`omp print`: an expression in all members of a team, each different value once."""
import gdb
from omp_library import SCOPE_PARALLEL, SCOPE_THREAD, TEAM_SIZE, THREAD_NUM
from omp_stacks import ranges
from omp_words import Command, KeepSelection, current_thread, is_users, is_within, native_threads, newest_frame


class Print(Command):
    """Show the value of an expression in each member of the selected thread's team: omp print EXPRESSION

    Each different value is one line, behind the numbers of the members that have it; * marks the selected thread's. A
    member's value is that in the innermost of its frames, down to the region's code, in which there is one."""
    name = "print"

    def invoke(self, arguments, _from_tty):
        self.expression = arguments.strip()
        if not self.expression:
            raise gdb.GdbError("omp print: expected an expression: omp print i")
        super().invoke("", _from_tty)

    def complete(self, text, word):
        return gdb.COMPLETE_EXPRESSION

    def show(self, session):
        with KeepSelection():
            own, size, members = self.members(session)
            gdb.execute("set language auto", to_string=True)  # in_c() restores the user's
            found = {}
            for number, native, bottom in members:
                found.setdefault(self.value(native, bottom), []).append(number)
        for text, numbers in found.items():
            print("%s %s: %s" % ("*" if own in numbers else " ", ranges(numbers), text))
        missing = size - len(members)
        if missing:
            print("  %d of %d members have no thread yet, or their threads have ended" % (missing, size))

    @staticmethod
    def members(session):
        """The selected thread's number, the team's size, and of each member (number, thread, the stack address where
        its code of the region begins; 0: unknown)."""
        thread, all_native = current_thread(session), native_threads()
        region = session.region(thread)
        if region is None:
            return 0, 1, [(0, all_native[session.lwp(thread)], 0)]
        size, members = session.icv(region, SCOPE_PARALLEL, TEAM_SIZE), []
        for number in range(size):
            member, task = session.member(region, number), session.implicit_task(region, number)
            native = all_native.get(session.lwp(member)) if member is not None else None
            if native is not None:
                members.append((number, native, session.frames(task)[0] if task is not None else 0))
        return session.icv(thread, SCOPE_THREAD, THREAD_NUM), size, members

    def value(self, native, bottom):
        frame = newest_frame(native)
        if frame is None:
            return "(it runs)"
        problem = "it is in no frame of the program"
        while frame is not None and not (bottom and is_within(frame, bottom)):
            if is_users(frame):
                frame.select()
                try:
                    return gdb.parse_and_eval(self.expression).format_string()
                except gdb.error as error:
                    problem = str(error)
            frame = frame.older()
        return "(%s)" % problem.rstrip(".")
