# SPDX-License-Identifier: BSD-3-Clause
"""`omp stacks`: the paths of all threads as one tree, in which threads with the same path are together."""
import json

import omp_outside
from omp_library import LEVEL, SCOPE_PARALLEL, SCOPE_THREAD, TEAM_SIZE, THREAD_NUM
from omp_paths import Paths
from omp_rank import print_rank, rank_of_process
from omp_why import WaitGraph
from omp_words import Command, KeepSelection, print_running


LIBPOMPS = ("pomp-log", "pomp-snapshot", "pomp-snapshots", "pomp-control")  # threads of libpomp's own, by their names


def ranges(numbers):
    """"3-17,20"."""
    runs = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join("%d" % first if first == last else "%d-%d" % (first, last) for first, last in runs)


class Place:
    """Threads that are at the same place and do the same: `calls` from the outermost, what they do, and what must
    happen for that to end. `members`: numbers by team, which is (the kernel's number of its first thread, level, size)."""

    def __init__(self, calls, state, reasons):
        self.calls, self.state, self.reasons = calls, state, reasons
        self.threads, self.members = [], {}

    def who(self):
        """"members 3-17,20 of 24 (threads 5-19,22)"."""
        own = "thread%s %s" % ("s" if self.threads[1:] else "", ranges(self.threads))
        teams = {}
        for (_, _, size), numbers in self.members.items():
            teams.setdefault((size, tuple(numbers)), []).append(numbers)
        words = []
        for (size, numbers), alike in teams.items():
            if size > 1:
                words.append("member%s %s of %d%s" % ("s" if numbers[1:] else "", ranges(numbers), size,
                                                      " in each of %d teams" % len(alike) if alike[1:] else ""))
        return "%s (%s)" % (", ".join(words), own) if words else own


class Places:
    """All places, in the order of their first threads."""

    def __init__(self, session):
        self.session, self.graph, self.paths, self.found = session, WaitGraph(session), Paths(session), {}
        for lwp, native in sorted(self.graph.native.items(), key=lambda item: item[1].num):
            if native.name in LIBPOMPS:
                continue
            thread = self.graph.known.get(lwp)
            calls = self.calls_of(native, thread)
            state, reasons = self.state_of(lwp, native, thread)
            place = self.found.setdefault((calls, state, reasons), Place(calls, state, reasons))
            place.threads.append(native.num)
            region = self.session.region(thread) if thread is not None else None
            if region is not None:
                place.members.setdefault(self.team(region), []).append(self.session.icv(thread, SCOPE_THREAD, THREAD_NUM))

    def team(self, region):
        first = self.session.member(region, 0)
        return (first and self.session.lwp(first), self.session.icv(region, SCOPE_PARALLEL, LEVEL),
                self.session.icv(region, SCOPE_PARALLEL, TEAM_SIZE))

    def calls_of(self, native, thread):
        """The calls from the outermost; where a thread runs, a word says so."""
        calls = []
        for part in self.paths.parts(thread) if thread is not None else [self.paths.part(None, native, None)]:
            calls += part.calls if part.calls is not None else ["(it runs)"]
        return tuple(reversed(calls))

    def state_of(self, lwp, native, thread):
        """What the thread does, and sentences about what it waits for."""
        graph = self.graph
        waits = [] if lwp in graph.acting else graph.waits_now(lwp)
        if waits and waits[0].is_over:
            return "continues: what it waited for has happened", ()
        if waits:
            return "waits for " + graph.describe_wait(waits[0]), tuple(graph.reasons(waits[0]))
        if thread is not None and self.session.region(thread) is None:
            return "idle, between two regions", ()
        call = omp_outside.call_of(native)
        words = call.words(graph.outsider) if call is not None else "executes"
        return "in a signal handler, " + words if lwp in graph.acting else words, ()

    def all(self):
        return list(self.found.values())


class Node:
    """A call with those below it, and the places whose path ends with it."""

    def __init__(self):
        self.below, self.places, self.count = {}, [], 0

    def add(self, place):
        node = self
        node.count += len(place.threads)
        for call in place.calls:
            node = node.below.setdefault(call, Node())
            node.count += len(place.threads)
        node.places.append(place)

    def show(self, depth):
        """Calls that only one path goes on with are in one column; where paths part they are indented."""
        parts = len(self.below) + len(self.places) > 1
        for place in self.places:
            self.show_place(place, depth + 1)
        for call, node in sorted(self.below.items(), key=lambda item: -item[1].count):
            print("%s%s" % ("  " * (depth + parts), call))
            node.show(depth + parts)

    @staticmethod
    def show_place(place, depth):
        indent = "  " * depth
        print("%s= %s: %s" % (indent, place.who(), place.state))
        for reason in place.reasons:
            print("%s    %s" % (indent, reason))


class Stacks(Command):
    """Show the calls of all threads as one tree: omp stacks [json]

    Threads with the same calls that do the same are on one line, which begins with =, behind the calls. Below are calls
    of the region or the task, then those of the thread that forked the region, without those of the runtime; the
    outermost call comes first. Members are numbers in the innermost team, threads are gdb's. A call on its own
    line is that of all threads further in; where calls differ, they are indented.
    json: threads (their number) and places, with the keys calls (outermost first), state, reasons, threads, members."""
    name = "stacks"
    words = {"json": "for programs"}

    def show(self, session, form=None):
        with KeepSelection():
            show(session, form)


def show(session, form):
    """Prints the tree, or the document if form is "json". Selects threads."""
    places = Places(session).all()
    if form == "json":
        print(text_of(places))
        return
    print_rank()
    print_running()
    threads, root = sum(len(place.threads) for place in places), Node()
    print("%d thread%s at %d different place%s" % (threads, "" if threads == 1 else "s", len(places),
                                                 "" if len(places) == 1 else "s"))
    for place in places:
        root.add(place)
    root.show(-1 if len(root.below) + len(root.places) > 1 else 0)


def text_of(places):
    rank = rank_of_process()
    return json.dumps({
        "rank": vars(rank) if rank is not None else None,
        "threads": sum(len(place.threads) for place in places),
        "places": [{"calls": list(place.calls), "state": place.state, "reasons": list(place.reasons), "threads": place.threads,
                    "members": [{"level": level, "team_size": size, "numbers": sorted(numbers)}
                                for (_, level, size), numbers in place.members.items()]} for place in places]}, indent=1)
