# SPDX-License-Identifier: BSD-3-Clause
"""`omp locks`: which locks and critical constructs are held or waited for, and where their holders took them."""
import omp_extensions as extensions
from omp_why import WaitGraph, waiting
from omp_words import Command, KeepSelection, listed, object_name, print_running


class Locks(Command):
    """Show the locks and critical constructs that threads hold or wait for: omp locks

    Where a lock was taken is known if the program runs with OMP_DEBUG=enabled, of up to eight locks a thread at a time, and so
    are the locks that no thread waits for."""
    name = "locks"

    def show(self, session):
        with KeepSelection():
            graph = WaitGraph(session)
            print_running()
            rows = list(lock_rows(graph))
            for row in rows:
                print("%s\n    %s%s" % (row["name"], "held by " + listed(map(graph.thread, row["holders"])) if row["holders"]
                                        else "held by no known thread", ", taken " + row["taken"] if row["taken"] else ""))
                if row["waiting"]:
                    print("    %s for it" % waiting(graph, row["waiting"]))
            if not rows:
                print("No thread waits for a lock%s." % ("" if graph.notes is None else ", or holds one"))
            if graph.notes is None:
                print("Where locks were taken, and those that no thread waits for, are known with OMP_DEBUG=enabled.")


def lock_rows(graph):
    """A row for each lock: its address as `object`, name, holders, waiting threads, `taken`: words for the place or None."""
    rows = {}
    for wait in sorted(graph.waits, key=graph.order):
        if graph.is_for_lock(wait) and not wait.is_over:
            row = rows.setdefault(wait.object, {"object": wait.object, "name": graph.describe_wait(wait), "holders": [], "waiting": []})
            row["waiting"].append(wait.thread)
            row["holders"] += [need.thread for need in graph.needs_of(wait)
                               if need.kind in (extensions.NEED_THREAD, extensions.NEED_ENDED) and need.thread not in row["holders"]]
    for lwp, mutex in graph.notes or ():
        name = object_name(mutex)
        rows.setdefault(mutex, {"object": mutex, "name": ("critical " if name.startswith("(") else "lock ") + name,
                                "holders": [lwp], "waiting": []})
    for row in rows.values():
        yield dict(row, taken=next(filter(None, (graph.taken_at(lwp, row["object"]) for lwp in row["holders"])), None))
