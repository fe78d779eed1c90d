# SPDX-License-Identifier: BSD-3-Clause
"""`omp changes`: what threads do now that they did not do when `omp changes` or `omp why` looked last."""
import gdb
from omp_why import WaitGraph, remembered
from omp_words import Command, KeepSelection


class Changes(Command):
    """Show which threads do something else than before: omp changes

    Before is when `omp changes` or `omp why` was used last in this process. A thread that does the same may have done something
    else in between, and one that waits for the same may have begun to do so again."""
    name = "changes"

    def show(self, session):
        before = remembered.get(gdb.selected_inferior().pid)
        with KeepSelection():
            graph = WaitGraph(session)
            now = graph.remember()
        if before is None:
            print("%d threads: from now on changes are seen" % len(now))
            return
        same = 0
        for lwp, what in now.items():
            if lwp not in before:
                print("%s is new: it %s" % (graph.thread(lwp), what))
            elif before[lwp] != what:
                print("%s %s\n    before: %s" % (graph.thread(lwp), what, before[lwp]))
            else:
                same += 1
        for lwp in before:
            if lwp not in now:
                print("LWP %d has ended; before: %s" % (lwp, before[lwp]))
        print("%d thread(s) as before" % same)
