# SPDX-License-Identifier: BSD-3-Clause
"""`omp json`: everything that the other commands show, for programs."""
import json

import gdb
import omp_extensions as extensions
from omp_library import LEVEL, SCOPE_PARALLEL, SCOPE_SPACE, SCOPE_THREAD, TEAM_SIZE, THREAD_NUM
from omp_locks import lock_rows
from omp_rank import rank_of_process
from omp_why import WaitGraph
from omp_words import Command, KeepSelection, code_name, native_threads

NEED_KINDS = {extensions.NEED_THREAD: "thread", extensions.NEED_TASK: "task",
              extensions.NEED_REGION: "region", extensions.NEED_LEFT: "left",
              extensions.NEED_UNKNOWN: "unknown", extensions.NEED_ENDED: "ended",
              extensions.NEED_JUMPED: "jumped", extensions.NEED_PASSED: "passed",
              extensions.NEED_NO_LOCK: "no lock"}


def thread_rows(session, native):
    threads = session.threads(native)
    for lwp, own in sorted(native.items(), key=lambda item: item[1].num):
        thread = threads[lwp]
        row = {"thread": own.num, "lwp": lwp, "openmp": thread is not None, "running": own.is_running()}
        if thread is not None:
            state, wait = session.state(thread)
            region, task = session.region(thread), session.task(thread)
            row.update(state=state, wait_id=wait)
            if region is not None and task is not None:
                row.update(level=session.icv(region, SCOPE_PARALLEL, LEVEL),
                           team_size=session.icv(region, SCOPE_PARALLEL, TEAM_SIZE),
                           number=session.icv(thread, SCOPE_THREAD, THREAD_NUM),
                           code=code_name(session.function(task)))
        yield row


def wait_rows(graph):
    for wait in sorted(graph.waits, key=graph.order):
        yield {"lwp": wait.thread, "task": wait.task, "below": wait.above, "interrupted": wait.interrupted,
               "state": graph.session.states.get(wait.state), "object": wait.object,
               "waits_for": graph.describe_wait(wait), "over": bool(wait.is_over),
               "stuck": bool(wait.is_stuck),
               "needs": [{"kind": NEED_KINDS[need.kind], "lwp": need.thread, "id": need.id}
                         for need in graph.needs_of(wait)]}


def blocked_rows(graph):
    for wait in sorted(graph.blocked.values(), key=graph.order):
        yield {"lwp": wait.thread, "kind": wait.kind, "object": wait.object, "waits_for": graph.describe_wait(wait),
               "holder": wait.owner, "by": wait.by or None, "stuck": bool(wait.is_stuck)}


def text_of(session, graph):
    rank = rank_of_process()
    return json.dumps({
        "rank": vars(rank) if rank is not None else None,
        "threads": list(thread_rows(session, native_threads())),
        "tasks": [dict({"construct": code_name(group.function)}, **{
            name: group.count[number] for name, number in extensions.TASK_STATES.items()})
            for group in extensions.task_groups(session)],
        "waits": list(wait_rows(graph)),
        "blocked": list(blocked_rows(graph)),
        "locks": list(lock_rows(graph)),
        "deadlock": any(wait.is_stuck for wait in graph.all_waits()) if not graph.is_running else None,
        "control_variables": dict(line.split("=", 1)
                                  for line in session.control_variables()),
        "icvs": {name: session.icv_text(session.space, scope, number)
                 for number, name, scope in session.icvs() if scope == SCOPE_SPACE},
    }, indent=1)


class Json(Command):
    """Print what threads, tasks and waits there are as JSON: omp json [FILE]

    Keys: rank (number, size and where that is known from; null: it is not one of many), threads, tasks (sums by
    construct), waits (with what they need, and whether they are stuck), blocked (waits outside of OpenMP: by is the thread
    that must act, the waiting one itself if none can, null if it is unknown which), locks (those of OpenMP that are waited
    for, with OMP_DEBUG=enabled all that are held: holders and waiting are LWPs, taken is where), deadlock (null: threads run), control_variables
    (name -> value), icvs (of the process). Numbers of regions and tasks are addresses of the runtime's
    records. Without FILE the text is printed."""
    name = "json"

    def invoke(self, arguments, _from_tty):
        self.file = arguments.strip()
        super().invoke("", _from_tty)

    def complete(self, text, word):
        return gdb.COMPLETE_FILENAME

    def show(self, session):
        with KeepSelection():
            text = text_of(session, WaitGraph(session))
        if not self.file:
            print(text)
            return
        try:
            with open(self.file, "w", encoding="utf-8") as out:
                out.write(text + "\n")
        except OSError as problem:
            raise gdb.GdbError("omp json: %s" % problem)
