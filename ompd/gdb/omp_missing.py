# SPDX-License-Identifier: BSD-3-Clause
"""Why these commands do not work: what is known about a target without ompinst's OpenMP runtime."""
import os
import re

import gdb

OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "libgomp.so.1")


def libraries():
    """(path, whether gdb has its symbols) of the target's shared libraries."""
    rows = re.findall(r"^(0x\w+ +0x\w+)? +(Yes|No) +(?:\(\*\) +)?(\S.*)$",
                      gdb.execute("info sharedlibrary", to_string=True), re.M)
    return [(path, bool(start) and read == "Yes") for start, read, path in rows]


def find(known, *names):
    return next((row for row in known if os.path.basename(row[0]).startswith(names)), None)


def is_linked_in():
    """Returns whether the program itself contains GCC's runtime."""
    try:
        address = int(gdb.parse_and_eval("(unsigned long)&GOMP_parallel"))
    except gdb.error:
        return False
    return re.search(r" in section \.text", gdb.execute("info symbol %#x" % address, to_string=True)) is not None \
        and gdb.solib_name(address) is None


def how_to_use_ours():
    """The folder is the one that contains these commands, if they are installed."""
    folder = os.path.dirname(OURS)
    return "start it with LD_LIBRARY_PATH=%s" % folder if os.path.exists(OURS) else \
        "start it with the folder of ompinst's libgomp.so.1 in LD_LIBRARY_PATH"


def why_no_runtime():
    """A sentence for the user, and what to do."""
    connection = gdb.selected_inferior().connection
    is_core = connection is not None and connection.type == "core"
    if gdb.current_progspace().filename is None:
        return "gdb does not know which program this %s of: give it with `file PROGRAM`, or start gdb as `gdb " \
            "PROGRAM %s`" % (("core file is", "CORE") if is_core else ("process is", "PID"))
    known = libraries()
    ours = find(known, "libgomp.so")
    if ours is not None and not ours[1]:
        return "gdb has not found the file of the process's OpenMP runtime, %s: `set sysroot` or `set " \
            "solib-search-path` say where the process's libraries are" % ours[0]
    if is_linked_in():
        return "the program has GCC's OpenMP runtime linked into itself (-static), which debuggers cannot ask: " \
            "link it without -static, then " + how_to_use_ours()
    llvm = find(known, "libomp.so", "libiomp5.so")
    if llvm is not None:
        return "the program uses LLVM's OpenMP runtime, %s; these commands are for programs of gcc: compile it " \
            "with gcc, or use LLVM's own commands (`help ompd`, where its gdb plugin is loaded)" % llvm[0]
    if ours is not None:
        return "the program uses GCC's OpenMP runtime, %s, which debuggers cannot ask: %s" % (
            ours[0], how_to_use_ours() if not is_core else "the core file of a process that uses ompinst's is needed")
    is_dynamic = " is .interp" in gdb.execute("info files", to_string=True)
    if is_dynamic and is_core and not known:
        return "gdb has found none of the process's libraries in the core file: it is truncated, or of another build " \
            "of the program"
    if is_dynamic and not is_core and not any(os.path.basename(path).startswith("libc.so") for path, _ in known):
        return "the process has not loaded its libraries yet: `break main` and `continue` first"
    return "the program uses no OpenMP runtime: it was compiled without -fopenmp, or has not loaded the library " \
        "that uses it"


def why_no_plugin(runtime, has_started):
    """The runtime is there but names no libompd.so."""
    if not has_started:
        return "the OpenMP runtime has not started yet: `break main` and `continue` first"
    return "libompd.so was missing beside the OpenMP runtime, %s, when it started: install both from the same " \
        "build" % runtime
