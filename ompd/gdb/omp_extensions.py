# SPDX-License-Identifier: BSD-3-Clause
"""The extensions of libompd.so through ctypes: all tasks, dependences, which thread waits for which."""
import ctypes

from omp_library import HANDLE, U64, living_threads

U32, U8 = ctypes.c_uint32, ctypes.c_uint8

TASK_STATES = {"ready": 1, "blocked": 2, "running": 3, "suspended": 4, "detached": 5, "ended": 6}
STATE_NAMES = {number: name for name, number in TASK_STATES.items()}
IMPLICIT, UNTIED, FINAL, DETACHABLE = 1, 2, 4, 8
(NEED_THREAD, NEED_TASK, NEED_REGION, NEED_LEFT, NEED_UNKNOWN, NEED_ENDED, NEED_JUMPED, NEED_PASSED,
 NEED_NO_LOCK) = range(1, 10)
ALL_THREADS_KNOWN, WITH_BLOCKED = 1, 2
ANY_THREAD = 0  # what a blocked thread waits for


class Task(ctypes.Structure):
    _fields_ = [(name, U64) for name in ("task", "generating", "region", "function", "data",
                                         "creator", "site", "thread",
                                         "count")] + \
        [(name, U32) for name in ("state", "flags", "above", "level", "number", "blockers")] + \
        [("priority", ctypes.c_int32), ("padding", U32)]


class Group(ctypes.Structure):
    _fields_ = [("function", U64), ("count", U64 * 7)]


class Dependence(ctypes.Structure):
    _fields_ = [("task", U64), ("waits_for", U64)]


class Wait(ctypes.Structure):
    _fields_ = [(name, U64) for name in ("thread", "task", "region", "object", "frame", "iteration",
                                         "first_need", "need_count")] + \
        [("state", U32), ("above", U32)] + \
        [(name, U8) for name in ("executes_tasks", "is_over", "is_sink", "is_unnamed",
                                 "is_stuck", "interrupted")] + [("padding", U8 * 2)]


class BlockedThread(ctypes.Structure):
    _fields_ = [("thread", U64), ("by", U64), ("is_stuck", U32), ("padding", U32)]


class Observed(ctypes.Structure):
    _fields_ = [("jumped", ctypes.POINTER(U64)), ("jumped_count", U64), ("acting", ctypes.POINTER(U64)),
                ("acting_count", U64), ("blocked", ctypes.POINTER(BlockedThread)), ("blocked_count", U64)]


class Need(ctypes.Structure):
    _fields_ = [("id", U64), ("function", U64), ("thread", U64), ("frame", U64), ("kind", U32),
                ("state", U32)]


def arrays(session, name, *arguments, kinds):
    """Calls the function until all arrays have room; each is an (element, most) pair. If `most` is None,
    the room depends on the number of threads."""
    rooms = [4 * len(living_threads()) + 64 if most is None else most for _, most in kinds]
    while True:
        rows = [(kind * max(room, 1))() for (kind, _), room in zip(kinds, rooms)]
        counts = [U64() for _ in kinds]
        passed = []
        for row, room, count in zip(rows, rooms, counts):
            passed += [row, U64(room), ctypes.byref(count)]
        session.call_extension(name, HANDLE(session.space), *arguments, *passed)
        short = [i for i, (_, most) in enumerate(kinds)
                 if most is None and counts[i].value > rooms[i]]
        if not short:
            return [(row[:min(room, count.value)], count.value)
                    for row, room, count in zip(rows, rooms, counts)]
        for i in short:
            rooms[i] = counts[i].value


def tasks(session, states, with_implicit, most):
    """(the first `most` tasks in these states, the number of all of them)"""
    mask = sum(1 << TASK_STATES[state] for state in states)
    return arrays(session, "get_tasks", U32(mask), ctypes.c_int(with_implicit),
                  kinds=[(Task, most)])[0]


def task_groups(session):
    return arrays(session, "get_task_groups", kinds=[(Group, None)])[0][0]


def dependences(session, most):
    return arrays(session, "get_dependences", kinds=[(Dependence, most)])[0]


def waits(session, all_threads_known, jumped, acting, blocked):
    """(waits, needs, the numbers of the blocked threads that are stuck); `jumped`: records of tasks that their threads
    have left by longjmp; `acting`: threads, by the kernel's numbers, that execute a signal handler in the middle of a
    wait; `blocked`: (thread, the thread that it waits for, or ANY_THREAD, or itself: none can end the wait)."""
    flags = WITH_BLOCKED | (ALL_THREADS_KNOWN if all_threads_known else 0)
    outside = (BlockedThread * len(blocked))(*((thread, by, 0, 0) for thread, by in blocked))
    observed = Observed((U64 * len(jumped))(*jumped), len(jumped), (U64 * len(acting))(*acting), len(acting),
                        outside, len(blocked))
    (found, _), (needs, _) = arrays(session, "get_waits", U32(flags), ctypes.byref(observed),
                                    kinds=[(Wait, None), (Need, None)])
    return found, needs, {row.thread for row in outside if row.is_stuck}
