# SPDX-License-Identifier: BSD-3-Clause
"""What ompinst measured, in Python.

    import ompinst

    trace = ompinst.open("pomp-20261127-1200-4711")   # or ompinst.run(["./solver", "input.txt"])
    trace.regions()           # a pandas DataFrame where pandas is installed, else a Table
    trace.samples()           # what threads executed, a row a sample
    ompinst.diff("before", "after")

Everything is what `ompreport` says: the figures come from the library of which it is made, and the names of methods,
options and columns are those of its commands (`man ompreport`). In a notebook, `%load_ext ompinst` gives a cell that
begins with `%%ompinst` a report of its OpenMP.
"""
from ._library import Error, version as _version
from .archive import Archive, diff, open, scaling
from .measure import Run, run
from .tables import Column, Table

__all__ = ["Archive", "Column", "Error", "Run", "Table", "diff", "open", "run", "scaling"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'ompinst' has no attribute {name!r}")


def load_ipython_extension(shell: object) -> None:
    """Called by `%load_ext ompinst`."""
    from .magic import register  # pylint: disable=import-outside-toplevel  # IPython is there only here

    register(shell)
