# SPDX-License-Identifier: BSD-3-Clause
"""The program's calls that lead to what a thread does: those on its own stack, and where that ends, those on the
stack of the thread that forked the region, up to main."""
from omp_tree import is_in
from omp_words import (WORDS, activity, frame_line, is_repetition, is_runtimes, is_users, is_within, native_threads,
                       newest_frame)

MOST_PARTS = 64
WORK = (WORDS["ompt_state_work_parallel"], WORDS["ompt_state_work_serial"])


class Part:
    """One thread's part of a path: `calls` from the innermost, None: the thread runs; `levels`: gdb's numbers of their
    frames; `waits`: for what, only of the first part; None: it does not wait."""

    def __init__(self, native, calls, levels, waits):
        self.native, self.calls, self.levels, self.waits = native, calls, levels, waits


class Paths:
    """Paths to threads of one session. Those of a team share the part of the thread that forked it, which is read once."""

    def __init__(self, session):
        self.session, self.native, self.known = session, native_threads(), {}

    def parts(self, thread):
        """The parts of the path to a thread, its own first. Selects threads."""
        session, below = self.session, None
        for _ in range(MOST_PARTS):
            native = self.native.get(session.lwp(thread))
            if native is None:
                return
            key = (native.num, below)
            if key not in self.known:
                self.known[key] = self.part(thread, native, below)
            yield self.known[key]
            region = session.region(thread)
            while region is not None and self.is_forker(region, thread):
                region = session.enclosing(region)
            forker = session.member(region, 0) if region is not None else None
            if forker is None:
                return
            task = session.implicit_task(region, 0)
            below = session.frames(task)[0] if is_in(session, forker, region) else 0
            thread = forker

    def part(self, thread, native, below):
        """The calls of one thread, None: that OpenMP does not know; only those below the stack address if there is one.
        0: only those that called the runtime, which has begun a region that the thread is not in yet."""
        frame, calls, levels = newest_frame(native), [], []
        state = activity(self.session, thread) if thread is not None else WORK[0]
        waits = state if below is None and state not in WORK else None
        if frame is None:
            return Part(native, None, [], waits)
        is_part = below is None and waits is None
        while frame is not None:
            if is_part and is_users(frame) and not is_repetition(frame):
                calls.append(frame_line(frame))
                levels.append(frame.level())
            if waits is not None or below == 0:  # frames that the runtime called in order to wait are not the program's
                is_part = is_part or is_runtimes(frame)
            else:
                is_part = is_part or is_within(frame, below)
            frame = frame.older()
        return Part(native, calls, levels, waits)

    def is_forker(self, region, thread):
        forker = self.session.member(region, 0)
        return forker is not None and self.session.same("thread", forker, thread)
