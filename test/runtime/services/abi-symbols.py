#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""abi-symbols.py LIBRARY MAP NM: the library defines what its version script lists, and nothing else.

Each name has its version, which is the default one. The lock routines exist in OMP_1.0, too, and OpenMP's routines and
gcc's entry points in libomp's VERSION."""
import re
import subprocess
import sys

library, version_map, nm = sys.argv[1:]
LOCK = re.compile(r"omp_(init|destroy|set|unset|test)_(nest_)?lock_?$")
problems = []


def listed():
    """The pairs of name and version; the names that have a default version of libgomp's."""
    with open(version_map) as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    defaults = {name: node for node, names in re.findall(r"^([\w.]+) \{\s*global:([^}]*?)(?:local:[^}]*)?\}", text, re.M)
                for name in re.findall(r"[^\s;]+", names)}
    if "omp_get_wtime" not in defaults or "VERSION" not in defaults.values():
        sys.exit(f"{version_map}: expected a version script with omp_get_wtime and the version VERSION")
    symbols = set(defaults.items())
    symbols |= {(name, "OMP_1.0") for name, node in defaults.items() if node == "OMP_3.0" and LOCK.match(name)}
    symbols |= {(name, "VERSION") for name in defaults if re.match("omp_(?!debug)|GOMP_", name)}
    return symbols, {name for name, node in defaults.items() if node != "VERSION"}


def exported():
    output = subprocess.run([nm, "-D", "-S", "--with-symbol-versions", "--defined-only", library], check=True, text=True,
                            capture_output=True).stdout
    # Versions themselves are absolute symbols (A).
    return re.findall(r"^\S+ (\S+ )?([B-Zb-z]) ([^@\s]+)(@@?)(\S+)$", output, re.M)


wanted, with_default = listed()
found = exported()
symbols = [(name, version) for _, _, name, _, version in found]
problems += [f"{name}@{version}: not in the library" for name, version in sorted(wanted - set(symbols))]
problems += [f"{name}@{version}: not in the list" for name, version in sorted(set(symbols) - wanted)]
problems += [f"{name}@{version}: twice" for name, version in sorted(set(symbols)) if symbols.count((name, version)) > 1]
# Programs are linked against defaults: a name has one, the newest.
defaults = [name for _, _, name, at, _ in found if at == "@@"]
problems += [f"{name}: expected one default version, found {defaults.count(name)}" for name in sorted(with_default)
             if defaults.count(name) != 1]
# Otherwise debuggers show the name with the version.
problems += [f"{name}: has a size, as the same function in its other version" for size, kind, name, _, version in found
             if size and kind == "W" and version == "VERSION"]
print(f"{len(wanted)} symbols")
sys.exit("\n".join(problems) or 0)
