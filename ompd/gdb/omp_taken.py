# SPDX-License-Identifier: BSD-3-Clause
"""Where threads took the mutexes of the program that they hold, which the runtime notes with debug-var (OMP_DEBUG=enabled)."""
import gdb
from omp_table import Table
from omp_words import functions_around, linker_symbol, site_name, unnamed

WATCHERS = 7  # the number of this root
BY_DEBUGGER = 16
MOST_THREADS = 1 << 17
LIBRARIES = ("libgomp.so", "libomp.so", "libiomp5.so", "libpomp.so")  # between the program and its locks


def notes():
    """{(the kernel's number of a thread, the address of a mutex that it holds): where the program called, 0: unknown};
    None: the runtime notes nothing."""
    found = {}
    try:
        table = Table("rt_debug_table")
        if not table.field(table.roots[WATCHERS], "rt_watchers.bits") & BY_DEBUGGER:
            return None
        begin, size = table.fields["rt_thread.taken"]
        step = table.fields["rt_taken"][1]
        thread = table.field(table.roots[1], "rt_thread_list.first")
        for _ in range(MOST_THREADS):
            if not thread:
                break
            lwp = table.field(thread, "rt_thread.system_id")
            data = bytes(table.inferior.read_memory(thread + begin, size))
            for at in range(0, size, step):
                mutex = table.field_in(data, "rt_taken.mutex", at)
                if mutex and holder_of(table, mutex) == lwp:
                    found[lwp, mutex] = table.field_in(data, "rt_taken.site", at)
            thread = table.field(thread, "rt_thread.listed_next")
    except (gdb.error, KeyError):  # another runtime, or memory that cannot be read
        return found or None
    return found


def holder_of(table, mutex):
    """The kernel's number of the thread that holds it; the first thread of the process may have entered a number of its own."""
    try:
        state = table.field(mutex, "rt_mutex.state")
    except gdb.error:  # its memory is gone
        return 0
    return table.field(table.roots[1], "rt_thread_list.loader") if state >> 2 == 1 else state >> 2


def place_words(site):
    """"in work at a.c:3" for the address after a call; None: unknown, or libpomp has called for the program."""
    if not site or (gdb.solib_name(site) or "").rsplit("/", 1)[-1].startswith(LIBRARIES):
        return None
    place = gdb.find_pc_line(site - 1)
    if place.symtab is not None and place.line and functions_around(site - 1):
        return "in " + site_name(site, 0)
    return "in " + (linker_symbol(site - 1)[0] or unnamed(site))
