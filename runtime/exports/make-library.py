# SPDX-License-Identifier: BSD-3-Clause
"""Makes the libraries through which programs of clang, flang and icx use the runtime, from the runtime's own names:
make-library.py link|load SONAME NM RUNTIME OUTPUT COMPILER...

link: what -lomp finds at link time. It defines each function of the runtime once. If a function has two versions, as
omp_init_nest_lock() has, it defines that of LLVM's node VERSION, which is not the runtime's default version. Nothing
in it is ever executed: its soname is the runtime's second name.

load: a library with the soname and the version but without names. In LD_PRELOAD, after the runtime, it replaces every
library of that soname that the program or its libraries need, wherever they look for it."""
import re
import subprocess
import sys

NODE = "VERSION"


def functions(nm, library):
    """Maps the name of each function to the version that a program of clang has to get."""
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
    # The runtime is one folder above the loaded library, in the build folder and when installed.
    needed = [] if mode == "link" else ["-Wl,--no-as-needed", library, "-Wl,-rpath,$ORIGIN/.."]
    # -s: on aarch64 the symbol table, which nothing needs, would name the temporary object file, another one each time.
    subprocess.run([*compiler, "-shared", "-nostdlib", "-s", f"-Wl,-soname,{soname}",
                    f"-Wl,--version-script={output}.map", "-o", output, "-x", "assembler", "-", "-x", "none", *needed],
                   check=True, text=True, input=assembly(versions))


if __name__ == "__main__":
    main()
