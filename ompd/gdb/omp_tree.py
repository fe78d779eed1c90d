# SPDX-License-Identifier: BSD-3-Clause
"""`omp tree`: the active regions and their threads."""
from omp_library import LEVEL, SCOPE_PARALLEL, TEAM_SIZE
from omp_rank import print_rank
from omp_words import Command, activity, code_name, native_threads, print_running


def is_in(session, thread, region):
    """Returns whether the thread has entered it, or a region inside it."""
    current = session.region(thread)
    while current is not None and not session.same("parallel", current, region):
        current = session.enclosing(current)
    return current is not None


class Region:
    """A parallel region with its members: handles, the kernel's numbers, and regions below."""

    def __init__(self, session, handle):
        self.handle = handle
        self.size = session.icv(handle, SCOPE_PARALLEL, TEAM_SIZE)
        self.level = session.icv(handle, SCOPE_PARALLEL, LEVEL)
        self.threads = [session.member(handle, number) for number in range(self.size)]
        self.lwps = [thread and session.lwp(thread) for thread in self.threads]
        self.inner = {}  # by the kernel's number of the member that forked it: the region


class Regions:
    """All active regions. Each thread is asked for its own region, because a worker may be in one that the
    thread which forked it has not entered yet."""

    def __init__(self, session):
        self.session = session
        self.outermost = []
        self.by_forker = {}   # by the first member's kernel number and the level
        self.innermost = {}   # by a thread's kernel number: the innermost region that it is a member of
        for lwp, thread in sorted(session.threads(native_threads()).items()):
            handle = session.region(thread) if thread is not None else None
            if handle is not None:
                self.add(handle, lwp)

    def add(self, handle, lwp):
        """Adds the region and all regions around it; returns the region."""
        known = self.innermost.get(lwp)
        if known is not None and self.session.same("parallel", known.handle, handle):
            return known
        forker, level = self.session.member(handle, 0), self.session.icv(handle, SCOPE_PARALLEL, LEVEL)
        first = forker and self.session.lwp(forker)
        if (first, level) in self.by_forker:
            return self.by_forker[first, level]
        outer = self.session.enclosing(handle)
        around = self.add(outer, first) if outer is not None else None
        region = self.by_forker[first, level] = Region(self.session, handle)
        if around is None:
            self.outermost.append(region)
        else:
            around.inner[first] = region
        for member in region.lwps:
            if member not in self.innermost or self.innermost[member].level < level:
                self.innermost[member] = region
        return region


class Tree(Command):
    """Show all parallel regions that are going on, by nesting, with their threads: omp tree"""
    name = "tree"

    def show(self, session):
        print_rank()
        print_running()
        regions = Regions(session)
        for region in regions.outermost:
            self.show_region(session, native_threads(), region, 0)
        if not regions.outermost:
            print("No thread has used OpenMP yet.")

    def show_region(self, session, native, region, depth):
        indent = "    " * depth
        print("%slevel %d, %d thread%s: %s" % (
            indent, region.level, region.size, "" if region.size == 1 else "s",
            code_name(session.function(session.implicit_task(region.handle, 0)))))
        for number, (thread, lwp) in enumerate(zip(region.threads, region.lwps)):
            if thread is None:
                print("%s  %d: no thread has it yet" % (indent, number))
                continue
            if lwp == 0:  # it has not entered its number yet
                print("%s  %d: a thread that is being started" % (indent, number))
                continue
            if lwp not in native:
                print("%s  %d: LWP %d has ended in the region" % (indent, number, lwp))
                continue
            print("%s  %d: thread %d (LWP %d) %s" % (
                indent, number, native[lwp].num, lwp, self.doing(session, region, number, thread)))
        for lwp in region.lwps:
            if lwp in region.inner:
                self.show_region(session, native, region.inner[lwp], depth + 1)

    @staticmethod
    def doing(session, region, number, thread):
        inner = region.inner.get(region.lwps[number])
        if inner is not None and is_in(session, thread, inner.handle):
            return "is in a region below"
        if number == 0 and not is_in(session, thread, region.handle):
            return "has not begun it"
        return activity(session, thread)
