# SPDX-License-Identifier: BSD-3-Clause
"""Finds a clang that makes WebAssembly with a C library: prints its path, and that of the library's licence.

Usage: find-wasm.py [CLANG...]

Each is tried with a small program, so that one without lld, wasi-libc or its own routines for wasm32 is passed over. Fails with
what the first one said.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """#include <stdio.h>
__attribute__((export_name("text"))) int text(char *to, double number) { return snprintf(to, 9, "%.2f %p", number, (void *)to); }
"""
FLAGS = ["--target=wasm32-wasi", "-mexec-model=reactor", "-flto", "-O2"]
LICENCES = ("/usr/share/doc/wasi-libc/copyright", "/usr/share/licenses/wasi-libc/LICENSE")


def candidates():
    """clang itself first, then the newest."""
    names = {os.path.basename(path) for folder in os.get_exec_path() for path in glob.glob(os.path.join(folder, "clang-[0-9]*"))}
    numbered = [name for name in names if re.fullmatch(r"clang-\d+", name)]
    return ["clang"] + sorted(numbered, key=lambda name: -int(name.split("-")[1]))


def main():
    tried = []
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "text.c")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        for path in filter(None, map(shutil.which, sys.argv[1:] or candidates())):
            done = subprocess.run([path, *FLAGS, source, "-o", os.path.join(folder, "text.wasm")],
                                  capture_output=True, text=True, check=False)
            licence = next(filter(os.path.isfile, LICENCES), None)
            if done.returncode == 0 and licence:
                print(path, licence, sep="\n")
                return 0
            tried.append(f"{path}: " + ("; ".join(done.stderr.strip().split("\n")[:2]) or "wasi-libc has no licence beside it"))
    print(tried[0] if tried else "there is no clang", file=sys.stderr)
    return 1


sys.exit(main())
