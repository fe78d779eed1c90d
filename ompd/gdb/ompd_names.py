# SPDX-License-Identifier: BSD-3-Clause
"""The commands under the names that LLVM's plugin for gdb has: `ompd threads` and so on.

Who knows these finds them here, without `ompd init` and OMP_DEBUG. They are left alone when LLVM's own
are loaded already.
"""
import gdb
from omp_library import Session, in_c
from omp_words import native_threads

# LLVM's name -> (the name here, what it shows)
NAMES = {
    "threads": ("omp threads", "what each thread does"),
    "parallel": ("omp tree", "the parallel regions that are going on, with their threads"),
    "icvs": ("omp icvs", "the internal control variables as the selected thread sees them"),
    "bt": ("omp bt", "the selected thread's calls without the runtime's, down to main"),
    "step": ("omp step", "step into the construct of this line"),
}


class Ompd(gdb.Command):
    """The `omp` commands under the names of LLVM's plugin."""

    def __init__(self):
        super().__init__("ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)


class Init(gdb.Command):
    """Nothing needs to be initialised: ompd init

    Looks for the runtime in the process and prints what was found."""

    def __init__(self):
        super().__init__("ompd init", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    @in_c
    def invoke(self, _arguments, _from_tty):
        native_threads()
        with Session() as session:
            print("%s, by %s" % (session.runtime(), session.version()))


class Alias(gdb.Command):
    def __init__(self, name):
        self.target, what = NAMES[name]
        self.__doc__ = "Show %s: ompd %s\n\nThe same as `%s`." % (what, name, self.target)
        if name == "step":
            self.__doc__ = "%s%s: ompd step\n\nThe same as `omp step`." % (what[0].upper(), what[1:])
        super().__init__("ompd " + name, gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _from_tty):
        # LLVM's `ompd bt` takes on, off and continued; the one here always shows the whole way to main.
        words = "" if self.target == "omp bt" and arguments in ("on", "off", "continued") \
            else " " + arguments
        try:
            gdb.execute(self.target + words.rstrip())
        except gdb.error as problem:  # else gdb calls it an error of Python's
            raise gdb.GdbError(str(problem))


def register():
    """Asks gdb in a way that cannot fail: after a command that fails, gdb takes the `run` or `start` during
    which the program has loaded the runtime for finished."""
    if "ompd" not in gdb.execute("complete ompd", to_string=True).split():
        Ompd()
        Init()
        for name in NAMES:
            Alias(name)
