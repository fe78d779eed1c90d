# SPDX-License-Identifier: BSD-3-Clause
"""Whether processes stand still although they use processors: threads that wait in OpenMP without sleep, and calls of MPI that
poll, move nothing. A thread that executes the program does, however long it computes without an event of OpenMP."""
import omp_returns
from omp_job import leave_stopped
from omp_library import Session
from omp_why import WaitGraph
from omp_words import is_of_system


def waits_of(rank):
    """By thread, what it waits for; None: a thread moves. Selects the process."""
    rank.select()
    found = {}
    with Session() as session:
        graph = WaitGraph(session)
        for lwp, native in graph.native.items():
            waits = graph.waits_now(lwp)
            if graph.is_running or lwp in graph.acting:
                return None
            if waits and not waits[0].is_over:
                found[lwp] = waits[0].task, waits[0].state, waits[0].object, waits[0].iteration
            elif not waits and not graph.is_idle(lwp) and not is_of_system(native):
                found[lwp] = omp_returns.outstanding(native)
            if waits and waits[0].is_over or lwp in found and found[lwp] is None:
                return None
    return found


def stand_still(ranks, seconds):
    """Returns whether nothing moves in any of the processes: every thread waits, before and after they went on for so long, and
    no call by which one waits outside of OpenMP has returned meanwhile. Those that a signal has stopped do not move."""
    before, ranks = [], leave_stopped(ranks)
    for rank in ranks:
        before.append(waits_of(rank))
        if before[-1] is None:
            return False
    calls = [wait for found in before for wait in found.values() if isinstance(wait, omp_returns.Outstanding)]
    if not calls or omp_returns.any_returns(calls, seconds):
        return False
    return [known(waits_of(rank)) for rank in ranks] == [known(found) for found in before]


def known(found):
    """The waits in a form in which they can be compared."""
    return found and {lwp: wait.identity() if isinstance(wait, omp_returns.Outstanding) else wait for lwp, wait in found.items()}
