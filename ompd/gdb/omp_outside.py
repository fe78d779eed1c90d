# SPDX-License-Identifier: BSD-3-Clause
"""Which library call outside of OpenMP a thread is in: what blocks it there, and which thread that
concerns.

It uses the names of the libraries' functions, the current instruction of the thread, and the arguments of
its system call. Thus it needs no debug information of libc and also works with a core file.
"""
import os
import re

import gdb
from omp_words import frame_name, is_distributions, newest_frame

MUTEX = "pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock mtx_lock mtx_timedlock"
JOIN = "pthread_join pthread_timedjoin_np pthread_clockjoin_np thrd_join"
# A thread in the system call of one of these waits for another thread, for a signal or for time to pass.
WAITING = frozenset((MUTEX + " " + JOIN + """
    pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait cnd_wait cnd_timedwait pthread_barrier_wait
    pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
    sem_wait sem_timedwait sem_clockwait nanosleep clock_nanosleep usleep sleep thrd_sleep pause sigsuspend sigwait
    sigwaitinfo sigtimedwait wait waitpid wait4 waitid""").split())
# It is unknown whether a thread in one of these waits.
OTHERS = frozenset("""poll ppoll select pselect epoll_wait epoll_pwait accept accept4 recv recvfrom recvmsg read readv
    flock lockf msgrcv semop mq_receive mq_timedreceive""".split())
MPI = re.compile(r"P?MPI_\w+|p?mpi_\w+_")
# libc's internal names, and those of older and newer versions.
PREFIX = re.compile(r"^_*(GI_)?_*(libc_|new_|old_)?")
SAME = {"pthread_clockjoin_ex": "pthread_join"}
MOST_FRAMES = 64
MUTEX_OWNER = 8  # offset in glibc's mutexes, the same on all machines
THREAD_BYTES = 4096  # size of glibc's record of a thread, which its handle points to


class Call:
    """A library call by a thread. `lwp`: the thread that holds the mutex, or that must end; None: unknown,
    or there is none."""

    def __init__(self, name, is_blocked, lwp):
        self.name, self.is_blocked, self.lwp = name, is_blocked, lwp

    def words(self, name_thread):
        """"is blocked in pthread_mutex_lock (held by thread 1)"; name_thread: how a thread is named by its number."""
        detail = "" if self.lwp is None else " (held by %s)" % name_thread(self.lwp) if self.name in MUTEX.split() \
            else " (of %s)" % name_thread(self.lwp)
        return "is %s %s%s" % ("blocked in" if self.is_blocked else "in", self.name, detail)


def system_call(frame):
    """The first argument of the system call that the innermost frame is in; None: it is in none, or the
    argument is unknown on this machine. On x86 the kernel keeps the number as long as the call lasts; on
    Arm the kernel sets the thread back to before the instruction."""
    machine = frame.architecture().name()
    try:
        around = bytes(gdb.selected_inferior().read_memory(frame.pc() - 4, 8))
        if machine == "i386:x86-64" and around[2:4] == b"\x0f\x05" and int(frame.read_register("orig_rax")) >= 0:
            return int(frame.read_register("rdi")) & (1 << 64) - 1
        if machine == "aarch64" and b"\x01\0\0\xd4" in (around[:4], around[4:]):
            return int(frame.read_register("x0")) & (1 << 64) - 1
    except (gdb.error, ValueError):  # no such register, no memory there
        pass
    return None


def awaited(address):
    """The thread whose end a wait at this address is for: the kernel clears the number there, which is in
    the thread's own record. None: it is not such an address. glibc's pthread_join() may have no name in
    its stack."""
    number = number_at(address)
    for thread in gdb.selected_inferior().threads():
        if number == thread.ptid[1] and hasattr(thread, "handle"):
            try:
                handle = int.from_bytes(thread.handle(), "little")
            except gdb.error:  # libthread_db is not there
                return None
            return number if 0 < address - handle < THREAD_BYTES else None
    return None


def is_glibc(frame):
    return os.path.basename(gdb.solib_name(frame.pc()) or "").startswith(("libc.so.6", "libpthread.so.0"))


def number_at(address):
    try:
        return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 4)), "little") or None
    except (gdb.error, OverflowError):
        return None


def plain_name(frame):
    name = PREFIX.sub("", frame_name(frame) or "").split("@")[0]
    return SAME.get(name, name)


def known_call(frame):
    """The outermost known library function that the program has called."""
    found = None
    for _ in range(MOST_FRAMES):
        if frame is None:
            break
        name = plain_name(frame)
        if MPI.fullmatch(name):
            return name.removeprefix("P")  # the name by which programs call it
        if not is_distributions(frame):
            break
        if name in WAITING or name in OTHERS:
            found = name
        frame = frame.older()
    return found


def call_of(native):
    """The library call that a thread is in while it executes the program; None: no known call. Selects the
    thread."""
    frame = newest_frame(native)
    if frame is None:
        return None
    name, argument = known_call(frame), system_call(frame)
    if argument is None:
        return Call(name, False, None) if name is not None and name not in WAITING else None
    lwp = None
    if is_glibc(frame) and (name is None or name in JOIN.split()):
        lwp = awaited(argument)
    elif is_glibc(frame) and name in MUTEX.split():
        lwp = number_at(argument + MUTEX_OWNER)
    if name is None and lwp is not None:
        name = "pthread_join"
    return Call(name, name in WAITING, lwp) if name is not None else None
