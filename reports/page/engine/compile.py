# SPDX-License-Identifier: BSD-3-Clause
"""Compiles C to one WebAssembly file, and writes a list of the files that it depends on: compile.py CLANG OUTPUT DEPFILE [FLAG | SOURCE]..."""
import subprocess
import sys

clang, output, depfile, *arguments = sys.argv[1:]
flags = ["--target=wasm32-wasi", "-std=gnu11", "-O2", "-flto", "-ffunction-sections", "-DNDEBUG", "-D_GNU_SOURCE",
         "-Wno-unknown-warning-option"]
listed = subprocess.run([clang, *flags, "-MM", *arguments], stdout=subprocess.PIPE, text=True, check=False)
if listed.returncode != 0:
    sys.exit(listed.returncode)
needed = sorted({word for word in listed.stdout.split() if word != "\\" and not word.endswith(":")})
with open(depfile, "w", encoding="utf-8") as file:
    file.write(f"{output}: {' '.join(needed)}\n")
# Options only for linking: clang 21 rejects them elsewhere.
sys.exit(subprocess.run([clang, *flags, "-mexec-model=reactor", *arguments, "-Wl,--gc-sections,--strip-all", "-o", output], check=False).returncode)
