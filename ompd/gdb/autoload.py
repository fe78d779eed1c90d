# SPDX-License-Identifier: BSD-3-Clause
# gdb runs this when a program loads the runtime: it brings the `omp` commands, which lie in a folder beside
# the library. The library carries a copy (runtime/debug/script.c), so this takes no other file for granted.
import os
import sys

import gdb


def load_ompinst(library):
    folder = os.path.join(os.path.dirname(os.path.realpath(library)), "gdb")
    if "omp_commands" not in sys.modules and os.path.exists(os.path.join(folder, "omp_commands.py")):
        sys.path.insert(0, folder)
        import omp_commands
        omp_commands.register()


if gdb.current_objfile() is not None:
    load_ompinst(gdb.current_objfile().filename)
