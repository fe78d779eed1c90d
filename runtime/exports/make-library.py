# SPDX-License-Identifier: BSD-3-Clause
"""Makes the libraries by which programs of clang, flang and icx come to the runtime, out of its own names:
make-library.py link|load SONAME NM RUNTIME OUTPUT COMPILER...

link: what -lomp finds at link time. It defines each function of the runtime once, and where there are two versions of
one, as of omp_init_nest_lock(), that of LLVM's node VERSION, which is not the one that the runtime gives to programs
that name it. Nothing of it is ever executed: its soname is that of the runtime's second name.

load: a library with the soname and the version and no names. In LD_PRELOAD, behind the runtime, it stands for every
library of that name which the program or its libraries ask for, wherever they look for it."""
import re
import subprocess
import sys

NODE = "VERSION"


def functions(nm, library):
    """Of each name of a function the version that a program of clang's is to get."""
    lines = subprocess.run([nm, "-D", "--defined-only", library], check=True, text=True, capture_output=True).stdout
    versions = {}
    for name, default, version in re.findall(r"^\S+ [TWi] ([^@\s]+)(@@?)(\S+)$", lines, re.M):
        if version == NODE or (default == "@@" and name not in versions):
            versions[name] = version
    if NODE not in versions.values():
        sys.exit(f"{library}: {nm} -D shows no function of version {NODE}")
    return versions


def assembly(versions):
    lines = ['.section .note.GNU-stack,"",%progbits', ".text"]
    for name in sorted(versions):
        lines += [f".globl {name}", f".type {name},%function", f"{name}:"]
    return "\n".join(lines + [".long 0"]) + "\n"


def version_script(versions):
    nodes = {NODE: []}
    for name, version in sorted(versions.items()):
        nodes.setdefault(version, []).append(name)
    return "".join(f"{node} {{ {'global: ' * bool(names)}{' '.join(name + ';' for name in names)} }};\n"
                   for node, names in nodes.items())


def main():
    mode, soname, nm, library, output, *compiler = sys.argv[1:]
    versions = functions(nm, library) if mode == "link" else {}
    with open(output + ".map", "w", encoding="ascii") as file:
        file.write(version_script(versions))
    # The runtime lies one folder above what is loaded, in the build folder as where it is installed.
    needed = [] if mode == "link" else ["-Wl,--no-as-needed", library, "-Wl,-rpath,$ORIGIN/.."]
    subprocess.run([*compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script={output}.map",
                    "-o", output, "-x", "assembler", "-", "-x", "none", *needed],
                   check=True, text=True, input=assembly(versions))


if __name__ == "__main__":
    main()
