# SPDX-License-Identifier: BSD-3-Clause
"""Loads the `omp` commands into gdb: `source .../ompinst-gdb.py`, or a line of ~/.gdbinit."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import omp_commands  # noqa: E402

omp_commands.register()
