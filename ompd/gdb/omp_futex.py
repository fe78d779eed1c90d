# SPDX-License-Identifier: BSD-3-Clause
"""What the kernel's wait that a thread is in says about a call of glibc's: the object, and the thread that must act.

A futex wait has the address of a word in the object, and the value that the word must still have. The offsets are
those of glibc's objects on 64-bit machines, which its binary interface fixes, except where a comment says otherwise.
"""
import gdb
from omp_extensions import ANY_THREAD
from omp_library import living_threads

FUTEX = {"i386:x86-64": 202, "aarch64": 98}  # number of the system call
# Its operations, without the flags for private objects and for the clock.
PRIVATE = 128  # only threads of this process can end the wait
FLAGS = PRIVATE | 256
WAIT, LOCK_PI, LOCK_PI2 = 0, 6, 13
OWNER_BITS = 0x3fffffff
ROBUST_WAITERS = 0x80000000
HELD_WITH_WAITERS = 2
MUTEX_OWNER, MUTEX_KIND = 8, 16
MUTEX_SHARED = 128  # a bit of its kind: threads of other processes may hold it
# A writer waits for the phase of readers to end with the one value, everybody for a writer with the other.
RWLOCK_PHASE, RWLOCK_WRITERS, RWLOCK_WRITER, RWLOCK_SHARED = 8, 12, 24, 28
BY_READERS, BY_WRITER = 2, 3
CONDITION_SIGNALS = (40, 32)  # the two words that a condition's waiters wait at; since glibc 2.41 the latter
GIL_CONDITION, GIL_MUTEX = 32, 80  # CPython's record of it: interval, last_holder, locked, switch_number, cond, mutex
GIL_LONGEST_INTERVAL = 100000000  # microseconds
THREAD_STATE_WORDS = 64  # so many begin with a PyThreadState, among them its thread_id


class SystemCall:
    """The system call that a thread is in: number and arguments."""

    def __init__(self, number, arguments, is_futex):
        self.number, self.arguments, self.is_futex = number, arguments, is_futex
        self.address, operation, self.expected, self.timeout = arguments[:4]
        self.operation, self.is_private = operation & ~FLAGS, bool(operation & PRIVATE)
        self.expected &= 0xffffffff

    def is_over(self):
        """Returns whether a futex's word has changed: then the thread is about to look at the object again."""
        return self.operation not in (LOCK_PI, LOCK_PI2) and number_at(self.address) != self.expected


def system_call(frame):
    """The one that the innermost frame is in; None: none, or that is unknown on this machine. On x86 the kernel keeps
    the number as long as the call lasts; on Arm the kernel sets the thread back to before the instruction."""
    machine = frame.architecture().name()

    def register(name):
        return int(frame.read_register(name)) & (1 << 64) - 1

    try:
        around = bytes(gdb.selected_inferior().read_memory(frame.pc() - 4, 8))
        if machine == "i386:x86-64" and around[2:4] == b"\x0f\x05" and int(frame.read_register("orig_rax")) >= 0:
            number, names = register("orig_rax"), ("rdi", "rsi", "rdx", "r10")
        elif machine == "aarch64" and b"\x01\0\0\xd4" in (around[:4], around[4:]):
            number, names = register("x8"), ("x0", "x1", "x2", "x3")
        else:
            return None
        return SystemCall(number, [register(name) for name in names], number == FUTEX[machine])
    except (gdb.error, ValueError):  # no such register, no memory there
        return None


def number_at(address, size=4):
    """None: no memory is there."""
    try:
        return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, size)), "little")
    except (gdb.error, OverflowError):
        return None


class Awaited:
    """What a blocked thread waits for: `kind` and `address` of the object; `owner`: the number that is in it, None: none;
    `by`: the thread that must act (the kernel's number), the waiting thread itself: none can, ANY_THREAD, or None:
    perhaps not a thread of this process, or the wait is about to end."""

    def __init__(self, kind, address, by, owner=None):
        self.kind, self.address, self.by, self.owner = kind, address, by, owner


def of_any(kind, address, call):
    """The wait for an object of which nothing says who will act."""
    return Awaited(kind, address, ANY_THREAD if call.is_private else None)


def held(kind, address, owner, own, is_shared):
    """The wait of the thread `own` for an object: no thread can release it if its owner has ended. The owner may be one
    of another process if the object is shared, or libpomp's observer, which the commands leave out."""
    if owner in living_threads():
        by = owner
    else:
        is_unseen = any(owner in thread.ptid for thread in gdb.selected_inferior().threads())
        by = own if owner and not is_shared and not is_unseen else None
    return Awaited(kind, address, by, owner or None)


def of_mutex(call, own):
    """The owner is not known for the few instructions in which it takes or releases the mutex."""
    kind = number_at(call.address + MUTEX_KIND)
    if kind is None:
        return None
    if call.operation in (LOCK_PI, LOCK_PI2) or call.expected & ROBUST_WAITERS:
        owner = (number_at(call.address) or 0) & OWNER_BITS
    else:
        owner = number_at(call.address + MUTEX_OWNER)
    return held("mutex", call.address, owner, own, kind & MUTEX_SHARED)


def is_for_owner(call):
    """Returns whether the word is that of a mutex which contains its owner, as it does with priorities or robust."""
    return call.operation in (LOCK_PI, LOCK_PI2) or call.operation == WAIT and bool(call.expected & ROBUST_WAITERS)


def of_condition(call, own):
    """After the signal a waiter takes the mutex."""
    is_for_mutex = is_for_owner(call) or (call.operation, call.expected) == (WAIT, HELD_WITH_WAITERS)
    return of_mutex(call, own) if is_for_mutex else of_any("condition", call.address, call)


def of_rwlock(call, own, writes):
    """Who reads is recorded nowhere."""
    kind = "rwlock to write" if writes else "rwlock to read"
    if call.expected == BY_READERS and writes:
        return of_any(kind, call.address - RWLOCK_PHASE, call)
    if call.expected != BY_WRITER:
        return of_any(kind, call.address, call)
    lock = call.address - (RWLOCK_WRITERS if writes else RWLOCK_PHASE)
    writer = number_at(lock + RWLOCK_WRITER)
    return held(kind, lock, writer, own, number_at(lock + RWLOCK_SHARED))


def handle_of(native):
    """The pthread_t of a thread, None: unknown, as without libthread_db, or while the thread begins or ends."""
    try:
        return int.from_bytes(native.handle(), "little")
    except (RuntimeError, AttributeError):
        return None


def of_gil(call, own):
    """CPython's lock of the interpreter. A waiting thread looks every few milliseconds whether to ask the holder to release it.
    Its record is before the condition that it waits at; the holder's PyThreadState contains its pthread_t. None: that
    is not what is there, or the mutex that protects the record is taken, so that the holder may just be changing."""
    threads = {handle_of(native): lwp for lwp, native in living_threads().items()}
    threads.pop(None, None)
    for offset in CONDITION_SIGNALS:
        gil = call.address - call.address % 8 - offset - GIL_CONDITION
        interval, state, locked = number_at(gil, 8), number_at(gil + 8, 8), number_at(gil + 16)
        if not interval or interval >= GIL_LONGEST_INTERVAL or locked != 1 or not state or number_at(gil + GIL_MUTEX) != 0:
            continue
        for i in range(THREAD_STATE_WORDS):
            holder = threads.get(number_at(state + 8 * i, 8))
            if holder is not None and holder != own:
                return Awaited("gil", gil, holder, holder)
    return None
