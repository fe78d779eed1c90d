# SPDX-License-Identifier: BSD-3-Clause
"""The frame filter: plain `bt`, and what IDEs show of a stack, without the frames of the runtime.

A worker's stack then consists only of the program's functions. A stack without any function of the program
is shown unchanged. `disable frame-filter global ompinst` switches the filter off, and `bt -no-filters` does
so once.
"""
import gdb
from gdb.FrameDecorator import FrameDecorator
from omp_words import frame_name, in_words, is_repetition, is_runtimes, is_systems

PROGRAMS, RUNTIMES, SYSTEMS = range(3)


def owner_of(frame):
    if is_runtimes(frame):
        return RUNTIMES
    return SYSTEMS if is_systems(frame) else PROGRAMS


class NamedFrame(FrameDecorator):
    """A function without debug information has the linker's name."""

    def function(self):
        frame = self.inferior_frame()
        name = frame_name(frame) if frame.type() == gdb.NORMAL_FRAME and frame.function() is None else None
        return in_words(name) if name else super().function()


def of_program(frames):
    """The frames to show. What the system's libraries do for the runtime, or to start its threads, is
    hidden like the runtime: these frames belong together with what called them and, at the end of a
    stack, with what they called."""
    hidden, undecided, newer = [], [], None
    for decorated in frames:
        owner = owner_of(decorated.inferior_frame())
        if owner == SYSTEMS:
            undecided.append(decorated)
            continue
        if owner == PROGRAMS or newer == PROGRAMS:
            yield from undecided
        elif hidden is not None:
            hidden += undecided
        undecided = []
        if owner == PROGRAMS:
            hidden = None
            if not is_repetition(decorated.inferior_frame()):
                yield NamedFrame(decorated)
        elif hidden is not None:
            hidden.append(decorated)
        newer = owner
    if newer != RUNTIMES or hidden is not None:
        yield from (hidden or []) + undecided


class Filter:
    name, priority, enabled = "ompinst", 100, True

    @staticmethod
    def filter(frames):
        return of_program(frames)


def register():
    gdb.frame_filters[Filter.name] = Filter()
