# SPDX-License-Identifier: BSD-3-Clause
"""Finds libclang: its headers, its library, and clang's own headers (stddef.h and the like).

Usage: find-libclang.py [--given PLACE] [--root FOLDER] [--cpu FAMILY]

PLACE is a prefix or an llvm-config; nothing else is looked at then. Otherwise the places that the environment names
come first, in this order: LLVM_CONFIG, Clang_DIR, LLVM_DIR, CMAKE_PREFIX_PATH, CONDA_PREFIX, and an llvm-config
that somebody put into PATH from outside of the system's folders. Of what the system has the newest version is taken:
every llvm-config in PATH, pkg-config, and the folders in which distributions keep one or several versions. FOLDER is
put before those folders and takes the place of PATH (the root of a foreign system, or a test's). FAMILY is the processor
in meson's words: a library for another one is passed over.

Prints the version, the folder of the headers (empty: the compiler looks there anyway), the library, clang's resource
folder (empty: not found) and the place that led there, one a line. Otherwise it says what it looked at, and fails.
"""

import argparse
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

OLDEST = 14

# meson's name of a processor -> ELF's number.
MACHINES = {"x86": 3, "ppc64": 21, "s390x": 22, "arm": 40, "x86_64": 62, "aarch64": 183, "riscv64": 243, "loongarch64": 258}

# Where distributions keep it. Several versions: Debian llvm-19, Arch and Alpine llvm19, Fedora and RHEL lib64/llvm19,
# Gentoo llvm/19; one: the system's prefix.
SYSTEM_FOLDERS = ("/usr/lib/llvm-*", "/usr/lib/llvm[0-9]*", "/usr/lib64/llvm[0-9]*", "/usr/lib/llvm/*", "/opt/rh/llvm-toolset-*/root/usr",
                  "/opt/llvm*", "/usr/local/llvm*", "/home/linuxbrew/.linuxbrew/opt/llvm*", "/usr/local", "/usr")

# Debian's llvm-config-19, Fedora's llvm-config-19-64, Alpine's llvm19-config.
LLVM_CONFIG = re.compile(r"llvm-config(-?[\d.]+)?(-(32|64))?|llvm\d+-config")


def output_of(command):
    """What a command prints, or "" where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def machine_of(path):
    """The ELF number of a library's processor; None for what is no library."""
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError:
        return None
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return None
    return struct.unpack("<H" if head[5] == 1 else ">H", head[18:20])[0]


class Place:
    """One installation, as far as it goes: `lack` says what is missing."""

    def __init__(self, name, prefix, includes, libraries, version, machine):
        self.name, self.prefix, self.lack, self.version = name, prefix, "", version
        includes, libraries = list(dict.fromkeys(includes)), list(dict.fromkeys(libraries))
        self.include = next((i for i in includes if os.path.isfile(f"{i}/clang-c/Index.h")), "")
        self.library = self.find_library(libraries, machine)
        if not self.include:
            self.lack = f"no clang-c/Index.h in {' or '.join(includes)}"
        elif not self.library:
            self.lack = f"no libclang.so for this processor in {' or '.join(libraries)}"
        if not self.lack and not version:
            self.version = self.find_version()
        if not self.lack and self.version and self.major() < OLDEST:
            self.lack = f"version {self.version}, expected {OLDEST} or newer"

    @staticmethod
    def find_library(folders, machine):
        for folder in folders:
            for pattern in ("libclang.so", "libclang-[0-9]*.so", "libclang.so.*", "libclang-[0-9]*.so.*"):
                for path in sorted(glob.glob(f"{glob.escape(folder)}/{pattern}"), key=numbers, reverse=True):
                    found = machine_of(path)
                    if found is not None and machine in (None, found):
                        return path
        return ""

    def find_version(self):
        """By what the installation says of itself, else by the names of its files and folders."""
        major = re.search(r"CLANG_VERSION_MAJOR (\d+)", read(f"{self.include}/clang/Basic/Version.inc"))
        if major:
            return major.group(1)
        for path in glob.glob(f"{glob.escape(os.path.dirname(self.library))}/cmake/clang/ClangConfigVersion.cmake"):
            stated = re.search(r'PACKAGE_VERSION "(\d+[\d.]*)', read(path))
            if stated:
                return stated.group(1)
        # The number behind .so is that of the interface, which stays at 13 from one version to the next.
        name = os.path.basename(os.path.realpath(self.library))
        for pattern, text in ((r"\.so\.(\d+\.\d+\.\d+)", name), (r"libclang-(\d+[\d.]*)\.so", name),
                              (r"/(?:clang|llvm)-?/?(\d\d[\d.]*)", self.prefix)):
            found = re.search(pattern, text)
            if found:
                return found.group(1).rstrip(".")
        resource = self.resource_folder()
        return os.path.basename(resource)

    def major(self):
        return int(self.version.split(".")[0])

    def resource_folder(self):
        """As libclang finds it by itself, and where distributions moved it; else clang is asked."""
        real = os.path.dirname(os.path.realpath(self.library))
        for folder in (os.path.dirname(self.library), real, f"{self.prefix}/lib", f"{self.prefix}/lib64", f"{real}/../lib"):
            found = glob.glob(f"{glob.escape(folder)}/clang/[0-9]*")
            if self.version:
                found = [f for f in found if numbers(os.path.basename(f))[:1] == numbers(self.version)[:1]]
            for resource in sorted(found, key=numbers, reverse=True):
                if os.path.isfile(f"{resource}/include/stddef.h"):
                    return os.path.normpath(resource)
        asked = output_of([f"{self.prefix}/bin/clang", "-print-resource-dir"])
        return asked if os.path.isfile(f"{asked}/include/stddef.h") else ""


def numbers(text):
    return [int(n) for n in re.findall(r"\d+", text)]


def at_prefix(name, prefix, machine, version=""):
    prefix = os.path.normpath(prefix)
    return Place(name, prefix, [f"{prefix}/include"], [f"{prefix}/lib64", f"{prefix}/lib"], version, machine)


def at_llvm_config(program, machine):
    """Where an llvm-config points; in its prefix, too, because clang may stand beside LLVM."""
    version, prefix = output_of([program, "--version"]), output_of([program, "--prefix"])
    if not version or not prefix:
        return None
    includes = [output_of([program, "--includedir"]), f"{prefix}/include"]
    libraries = [output_of([program, "--libdir"]), f"{prefix}/lib64", f"{prefix}/lib"]
    return Place(program, prefix, [i for i in includes if i], [f for f in libraries if f], version, machine)


def at_given(given, machine):
    if os.path.isfile(given):
        return [at_llvm_config(given, machine)]
    # The folder of the library, as other tools want it, is as good as the prefix.
    places = [at_prefix(given, given, machine)]
    if places[0].lack and os.path.basename(os.path.normpath(given)) in ("lib", "lib64"):
        places.insert(0, at_prefix(given, os.path.dirname(os.path.normpath(given)), machine))
    return places


def programs_in(path):
    for folder in path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        yield from (f"{folder}/{name}" for name in names if LLVM_CONFIG.fullmatch(name) and os.access(f"{folder}/{name}", os.X_OK))


def places_of_environment(machine, configs):
    if os.environ.get("LLVM_CONFIG"):
        yield at_llvm_config(shutil.which(os.environ["LLVM_CONFIG"]) or os.environ["LLVM_CONFIG"], machine)
    for name in ("Clang_DIR", "LLVM_DIR"):  # PREFIX/lib/cmake/clang
        if os.environ.get(name):
            yield at_prefix(name, os.path.normpath(os.environ[name]) + "/../../..", machine)
    for name in ("CMAKE_PREFIX_PATH", "CONDA_PREFIX"):
        for prefix in re.split("[:;]", os.environ.get(name, "")):
            if prefix:
                yield at_prefix(f"{prefix} of {name}", prefix, machine)
    for config in configs:
        if config is not None and not (config.prefix + "/").startswith(("/usr/", "/lib/")):
            yield config


def places_of_system(machine, root, configs):
    yield from configs
    for package in ("libclang", "clang"):
        version = "" if root else output_of(["pkg-config", "--modversion", package])
        if version:
            prefix, include, library = (output_of(["pkg-config", f"--variable={v}", package]) for v in ("prefix", "includedir", "libdir"))
            yield Place(f"pkg-config {package}", prefix, [include], [library], version, machine)
    for pattern in SYSTEM_FOLDERS:
        for folder in glob.glob(root + pattern):
            yield at_prefix(folder, folder, machine)


def choose(given, root, machine):
    """The place to take, or None, and all that were looked at."""
    if given:
        looked = [p for p in at_given(given, machine) if p is not None]
        return next((p for p in looked if not p.lack), None), looked
    path = [f"{root}/usr/bin"] if root else os.environ.get("PATH", "").split(":")
    configs = [at_llvm_config(program, machine) for program in programs_in(path)]
    looked = [p for p in places_of_environment(machine, [] if root else configs) if p is not None]
    for place in looked:
        if not place.lack:
            return place, looked
    system = [p for p in places_of_system(machine, root, configs) if p is not None]
    good = [p for p in system if not p.lack]
    return max(good, key=lambda p: numbers(p.version), default=None), looked + system


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--given", default="")
    parser.add_argument("--root", default="")
    parser.add_argument("--cpu", default="")
    arguments = parser.parse_args()
    place, looked = choose(arguments.given, arguments.root, MACHINES.get(arguments.cpu))
    if place is None:
        for line in dict.fromkeys(f"{other.name}: {other.lack}" for other in looked):
            print(line, file=sys.stderr)
        if arguments.given and not looked:
            print(f"{arguments.given}: expected a prefix with include/clang-c/Index.h, or an llvm-config", file=sys.stderr)
        return 1
    include = "" if place.include in (f"{arguments.root}/usr/include", f"{arguments.root}/usr/local/include") else place.include
    for line in (place.version or "unknown", include, place.library, place.resource_folder(), place.name):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
