# SPDX-License-Identifier: BSD-3-Clause
# Loads the `omp` commands into gdb: `source .../ompinst-gdb.py`, or a line of ~/.gdbinit. A gdb without Python takes
# this text for commands of its own and stops at the next line, which it says is not supported.
python = "for these commands"
import os  # noqa: E402
import sys  # noqa: E402

import gdb  # noqa: E402


def folder_of_commands():
    """Where this file is; Python does not know it of a text, as of exec(open(...).read()): then beside the runtime of
    the program that gdb has."""
    names = [globals().get("__file__"), folder_of_commands.__code__.co_filename] + [
        os.path.join(os.path.dirname(os.path.realpath(file.filename)), "gdb", "text")
        for file in gdb.objfiles() if os.path.basename(file.filename or "").startswith("libgomp.so")]
    for folder in (os.path.dirname(os.path.abspath(name)) for name in names if name):
        if os.path.exists(os.path.join(folder, "omp_commands.py")):
            return folder
    raise gdb.GdbError("omp: Python does not know where the file of this text is: load it by gdb.execute('source "
                       "PREFIX/.../ompinst/gdb/ompinst-gdb.py')")


if folder_of_commands() not in sys.path:
    sys.path.insert(0, folder_of_commands())
import omp_commands  # noqa: E402

omp_commands.register()
