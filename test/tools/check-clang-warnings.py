# SPDX-License-Identifier: BSD-3-Clause
"""Whether clang compiles all sources without a warning: check-clang-warnings.py CLANG BUILD

Takes each source that gcc compiles for the project, with the definitions, folders and warnings of its command, and lets
the library of CLANG read it: as `clang -fsyntax-only` does, without its start for each source. `tools/test full` builds the
products with clang, too.
"""
import ctypes
import glob
import json
import os
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

# Built by gcc alone: what gcc's ThreadSanitizer makes of the code is what the checker executes.
BY_GCC_ALONE = "test/check/"
# What clang warns of without a cause in the source.
NOT_ITS_FAULT = {
    "../test/ways/constructs.c": "clang 19 compares signed with unsigned in its own code for a taskloop",
}
# Options that only gcc has and that concern the code it makes.
ONLY_GCC = ("-fno-tree-slp-vectorize", "-falign-functions")


def is_checked(entry):
    """Whether clang must take the entry. Of a product's source, what a test makes of it again does not count."""
    of_test = entry["file"].startswith("../test/")
    return (of_test and not entry["output"].startswith(BY_GCC_ALONE) and entry["file"] not in NOT_ITS_FAULT
            or not of_test and not entry["output"].startswith("test/"))


def command_of_clang(clang, entry):
    """The entry's command, by clang and for its warnings alone."""
    words = shlex.split(entry["command"])
    kept = [w for w in words if w.startswith(("-I", "-D", "-U", "-W", "-std=", "-f", "-pthread", "-isystem/"))
            and not w.startswith(("-MD",) + ONLY_GCC)]
    included = [word for at, word in enumerate(words) if words[at - 1] in ("-include", "-isystem", "-idirafter")]
    if included:
        sys.exit(f"{entry['file']}: its command has {' '.join(included)}, which this script does not hand on")
    return (clang, "-fsyntax-only", "-Werror", "-Wno-unknown-warning-option", *kept, entry["file"])


class String(ctypes.Structure):
    """CXString of clang-c/CXString.h"""
    _fields_ = [("data", ctypes.c_void_p), ("flags", ctypes.c_uint)]


class Library:
    """The functions of clang-c/Index.h that this needs."""

    IGNORED, SHOWN = 0, 1 | 2 | 8 # with line, column and option

    def __init__(self, clang):
        folder = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(clang))), "lib")
        names = sorted(glob.glob(folder + "/libclang-[0-9]*.so*") + glob.glob(folder + "/libclang.so*"))
        if not names:
            print(f"skipped: no libclang.so in {folder}")
            sys.exit(77)
        self.calls = ctypes.CDLL(names[0])
        self.calls.clang_createIndex.restype = ctypes.c_void_p
        self.calls.clang_getDiagnostic.restype = ctypes.c_void_p
        self.calls.clang_formatDiagnostic.restype = String
        self.calls.clang_getCString.restype = ctypes.c_char_p
        self.calls.clang_getCString.argtypes = [String]

    def diagnostics(self, unit):
        for number in range(self.calls.clang_getNumDiagnostics(unit)):
            one = ctypes.c_void_p(self.calls.clang_getDiagnostic(unit, number))
            if self.calls.clang_getDiagnosticSeverity(one) != self.IGNORED:
                yield self.calls.clang_getCString(self.calls.clang_formatDiagnostic(one, self.SHOWN)).decode()

    def read(self, command):
        """What the compiler that this command would start says."""
        index = ctypes.c_void_p(self.calls.clang_createIndex(0, 0))
        words, unit = [word.encode() for word in command], ctypes.c_void_p()
        status = self.calls.clang_parseTranslationUnit2FullArgv(index, None, (ctypes.c_char_p * len(words))(*words), len(words), None, 0,
                                                                0, ctypes.byref(unit))
        said = [f"clang_parseTranslationUnit2FullArgv() returned {status}"] if status else list(self.diagnostics(unit))
        if unit:
            self.calls.clang_disposeTranslationUnit(unit)
        self.calls.clang_disposeIndex(index)
        return said


def main():
    clang, build = sys.argv[1:]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    commands = sorted({command_of_clang(clang, entry) for entry in entries if is_checked(entry)})
    library = Library(clang)
    os.chdir(build)
    with ThreadPoolExecutor(2) as pool:
        wrong = [(command, said) for command, said in zip(commands, pool.map(library.read, commands)) if said]
    for command, said in wrong:
        print("\n".join([shlex.join(command), *said]))
    print(f"{len(commands)} sources, {len(wrong)} with warnings")
    sys.exit(1 if wrong or not commands else 0)


if __name__ == "__main__":
    main()
