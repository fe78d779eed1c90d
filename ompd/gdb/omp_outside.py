# SPDX-License-Identifier: BSD-3-Clause
"""Which library call outside of OpenMP a thread is in: what blocks it there, and which thread that
concerns.

It uses the names of the libraries' functions, the current instruction of the thread, and the arguments of
its system call. Thus it needs no debug information of libc and also works with a core file.
"""
import os
import re

import gdb
import omp_futex as futex
from omp_extensions import ANY_THREAD
from omp_library import address_of, living_threads
from omp_mpi import ARGUMENTS, COMMUNICATOR, MPI, value_words, worlds
from omp_words import frame_name, is_distributions, is_libpomps, newest_frame

MUTEX = frozenset("pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock mtx_lock mtx_timedlock".split())
JOIN = frozenset("pthread_join pthread_timedjoin_np pthread_clockjoin_np thrd_join".split())
CONDITION = frozenset("pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait cnd_wait cnd_timedwait".split())
READ = frozenset("pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock".split())
WRITE = frozenset("pthread_rwlock_wrlock pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock".split())
# Of a part of libstdc++'s functions that call the kernel themselves.
CXX = {"__atomic_futex_unsigned_base": "std::future", "_cxa_guard_acquire": "static"}
# Waits of which nothing says which thread will act, and what they are for.
ANY = {"pthread_barrier_wait": "barrier", "pthread_once": "once", "call_once": "once", "std::future": "future", "static": "static"}
# A thread in the system call of one of these waits for another thread, for a signal or for time to pass.
WAITING = MUTEX | JOIN | CONDITION | READ | WRITE | frozenset(ANY) | frozenset("""
    sem_wait sem_timedwait sem_clockwait nanosleep clock_nanosleep usleep sleep thrd_sleep pause sigsuspend sigwait sigwaitinfo
    sigtimedwait wait waitpid wait4 waitid""".split())
# It is unknown whether a thread in one of these waits.
OTHERS = frozenset("""poll ppoll select pselect epoll_wait epoll_pwait accept accept4 recv recvfrom recvmsg read readv
    flock lockf msgrcv semop mq_receive mq_timedreceive""".split())
# CPython's functions in which a thread takes the interpreter's lock, and those that call it and are known without symbols.
TAKES_GIL = frozenset("""take_gil PyEval_RestoreThread PyEval_AcquireThread PyGILState_Ensure PyEval_AcquireLock
    _PyEval_EvalFrameDefault""".split())
# libc's internal names, and those of older and newer versions.
PREFIX = re.compile(r"^_*(GI_)?_*(libc_|new_|old_)?")
SAME = {"pthread_clockjoin_ex": "pthread_join"}
MOST_FRAMES = 64
MOST_GIL_FRAMES = 4
NEAR = 1024  # bytes of code
ONCE_RUNS = 1  # in the lower bits of a pthread_once_t
THREAD_BYTES = 4096  # size of glibc's record of a thread, which its handle points to


class Call:
    """A library call by a thread. `lwp`: the thread that holds the mutex, or that must end; None: unknown,
    or there is none. `awaited`: what it waits for until another thread acts, None: that is not known, or it may end by
    itself. `details`: arguments of an MPI call that can be read; `is_world`: its ranks are those of MPI_COMM_WORLD."""

    def __init__(self, name, is_blocked, lwp=None, awaited=None, arguments=()):
        self.name, self.is_blocked, self.lwp, self.awaited = name, is_blocked, lwp, awaited
        self.details = tuple(argument for argument in arguments if argument[0] != COMMUNICATOR)
        self.is_world = dict(arguments).get(COMMUNICATOR) in worlds()

    def words(self, name_thread):
        """"is blocked in pthread_mutex_lock (held by thread 1)"; name_thread: how a thread is named by its number."""
        detail = ", ".join("%s %s" % (meaning, value_words(meaning, number)) for meaning, number in self.details)
        if self.lwp is not None:
            detail = ("of %s" if self.name in JOIN else "held by %s") % name_thread(self.lwp)
        return "is %s %s%s" % ("blocked in" if self.is_blocked else "in", self.name, " (%s)" % detail if detail else "")


def ended_by(address):
    """The thread whose end a wait at this address is for: the kernel clears the number there, which is in
    the thread's own record. None: it is not such an address. glibc's pthread_join() may have no name in
    its stack."""
    number = futex.number_at(address)
    handle = futex.handle_of(living_threads().get(number))
    return number if handle is not None and 0 < address - handle < THREAD_BYTES else None


def is_glibc(frame):
    return os.path.basename(gdb.solib_name(frame.pc()) or "").startswith(("libc.so.6", "libpthread.so.0"))


def plain_name(frame):
    full = frame_name(frame) or ""
    name = PREFIX.sub("", full).split("@")[0]
    return SAME.get(name) or next((known for part, known in CXX.items() if part in full), name)


def known_call(frame):
    """(the outermost known library function that the program has called, or None; its frame)"""
    found = None, None
    for _ in range(MOST_FRAMES):
        if frame is None:
            break
        name = plain_name(frame)
        if MPI.fullmatch(name):
            return name.removeprefix("P"), frame  # the name by which programs call it
        if not is_distributions(frame) and not is_libpomps(frame):
            break
        if name in WAITING or name in OTHERS:
            found = name, frame
        frame = frame.older()
    return found


def takes_gil(frame):
    """Returns whether CPython seems to wait there for the lock of the interpreter: its functions, of which inner ones may
    have no name, follow after those of libc."""
    while frame is not None and is_glibc(frame):
        frame = frame.older()
    library = frame is not None and gdb.solib_name(frame.pc())
    for _ in range(MOST_GIL_FRAMES):
        if frame is None or gdb.solib_name(frame.pc()) != library:
            break
        if frame_name(frame) in TAKES_GIL:
            return True
        frame = frame.older()
    return False


def beyond_python(frames):
    """The frames outside of CPython of a thread that waits for its lock; all if there are no others."""
    libraries = [gdb.solib_name(frame.pc()) for frame in frames]
    python = next((library for library, frame in zip(libraries, frames) if not is_glibc(frame)), None)
    return [frame for library, frame in zip(libraries, frames) if library != python and not is_glibc(frame)] or frames


def mpi_arguments(frame):
    """Those that say for whom an MPI call waits, where its function, or one around it (libpomp's), has debug information."""
    found = arguments_of(frame)
    while not found and frame.older() is not None and MPI.fullmatch(plain_name(frame.older())):
        frame = frame.older()
        found = arguments_of(frame)
    return tuple(found.items())


def arguments_of(frame):
    """By its meaning: an argument's value."""
    found, block = {}, frame.block() if frame.function() is not None else None
    while block is not None and block.function is None:
        block = block.superblock
    for symbol in block or ():
        word = ARGUMENTS.get(symbol.name) if symbol.is_argument else None
        try:
            if word is not None:
                found[word] = int(symbol.value(frame))
        except (gdb.error, TypeError, ValueError):  # optimised out, or a pointer to no memory
            pass
    return found


def is_near(frame, name):
    """Returns whether the code is that of glibc's function, or of a part of it without a name beside it."""
    try:
        return abs(frame.pc() - address_of(name)) < NEAR
    except gdb.error:
        return False


def name_of(call, frame):
    """That of a call which glibc's functions have left by a jump, so that none is on the stack; None: unknown."""
    if ended_by(call.address) is not None:
        return "pthread_join"
    if call.expected % 4 == ONCE_RUNS and is_near(frame, "pthread_once"):
        return "pthread_once"
    return "pthread_mutex_lock" if futex.is_for_owner(call) else None


def awaited_of(name, call, own):
    """What the thread with the number `own` waits for in a call of glibc's; None: no thread is known to have to act. A
    semaphore may also be posted by a signal handler, which any thread may execute."""
    if name in JOIN:
        lwp = ended_by(call.address)
        return futex.Awaited("join", call.address, lwp, lwp) if lwp is not None else None
    if name in MUTEX:
        return futex.of_mutex(call, own)
    if name in CONDITION:
        return futex.of_condition(call, own)
    if name in READ | WRITE:
        return futex.of_rwlock(call, own, name in WRITE)
    if name in CXX.values():  # which no other process shares
        return futex.Awaited(ANY[name], call.address, ANY_THREAD)
    return futex.of_any(ANY[name], call.address, call) if name in ANY else None


def may_be_blocked(native):
    """Returns whether the thread waits for a word of memory to change. Selects the thread."""
    frame = newest_frame(native)
    call = futex.system_call(frame) if frame is not None else None
    return call is not None and call.is_futex


def call_of(native):
    """The library call that a thread is in while it executes the program; None: no known call. Selects the
    thread."""
    frame = newest_frame(native)
    if frame is None:
        return None
    own, call = native.ptid[1] or native.ptid[0], futex.system_call(frame)
    name, known = known_call(frame)
    if name is not None and MPI.fullmatch(name):
        return Call(name, False, arguments=mpi_arguments(known))
    if call is None:
        return Call(name, False) if name is not None and name not in WAITING else None
    if not call.is_futex or not is_glibc(frame):
        return Call(name, name in WAITING) if name is not None else None
    if name in CONDITION and call.timeout and takes_gil(frame):
        awaited = futex.of_gil(call, own)
        if awaited is not None:
            return Call("take_gil", True, awaited.owner, awaited)
    name = name or name_of(call, frame)
    if name is None:
        return None
    awaited = awaited_of(name, call, own)
    lwp = awaited.owner if awaited is not None else None
    if awaited is not None and (awaited.by is None or call.timeout or call.is_over()):
        awaited = None
    return Call(name, name in WAITING, lwp, awaited)
