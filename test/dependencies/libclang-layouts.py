# SPDX-License-Identifier: BSD-3-Clause
"""Which libclang is found in the folders of other distributions, imitated: libclang-layouts.py FIND-LIBCLANG.PY

Libraries are the first bytes of an ELF file, programs print what an llvm-config does.
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

FIND = os.path.abspath(sys.argv[1])
MACHINE = {"x86_64": 62, "x86": 3, "aarch64": 183}


class Root:
    """An invented system: its files, and the finder in it."""

    def __init__(self):
        self.top = tempfile.mkdtemp()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def path(self, name):
        path = self.top + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def text(self, name, text=""):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def header(self, prefix, major=None):
        self.text(f"{prefix}/include/clang-c/Index.h")
        if major:
            self.text(f"{prefix}/include/clang/Basic/Version.inc", f"#define CLANG_VERSION_MAJOR {major}\n")

    def library(self, name, machine="x86_64"):
        with open(self.path(name), "wb") as file:
            file.write(b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 3, MACHINE[machine]))

    def link(self, name, to):
        os.symlink(to, self.path(name))

    def resources(self, folder):
        self.text(f"{folder}/include/stddef.h")

    def llvm_config(self, name, prefix, version, libdir="lib"):
        lines = {"--version": version, "--prefix": prefix, "--includedir": f"{prefix}/include", "--libdir": f"{prefix}/{libdir}"}
        cases = "".join(f"{option}) echo {value if option == '--version' else self.top + value} ;;\n" for option, value in lines.items())
        self.text(name, f"#!/bin/sh\ncase $1 in\n{cases}esac\n")
        os.chmod(self.path(name), 0o755)

    def find(self, *arguments, root=True, **environment):
        environment.setdefault("PATH", "/usr/bin:/bin")
        command = [sys.executable, FIND, "--cpu", "x86_64", *arguments] + (["--root", self.top] if root else [])
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode != 0:
            return {"failed": done.stderr.replace(self.top, "")}
        lines = [line.replace(self.top, "") for line in done.stdout.split("\n")]
        return dict(zip(("version", "include", "library", "resources", "place"), lines))


def expect(found, **wanted):
    for name, value in wanted.items():
        assert found.get(name) == value, f"{name}: expected {value!r}, found {found}"


def add_debian(root, major):
    root.header(f"/usr/lib/llvm-{major}", major)
    root.library(f"/usr/lib/x86_64-linux-gnu/libclang-{major}.so.{major}")
    root.link(f"/usr/lib/llvm-{major}/lib/libclang.so", f"../../x86_64-linux-gnu/libclang-{major}.so.{major}")
    root.resources(f"/usr/lib/llvm-{major}/lib/clang/{major}")


def debian(root):
    for major in (14, 9, 19, 16):
        add_debian(root, major)
    expect(root.find(), version="19", include="/usr/lib/llvm-19/include", library="/usr/lib/llvm-19/lib/libclang.so",
           resources="/usr/lib/llvm-19/lib/clang/19", place="/usr/lib/llvm-19")
    # LLVM without clang: its llvm-config leads to no header.
    root.text("/usr/lib/llvm-21/include/llvm-c/Core.h")
    root.llvm_config("/usr/bin/llvm-config-21", "/usr/lib/llvm-21", "21.1.0")
    expect(root.find(), version="19")


def fedora_40(root):
    root.header("/usr", 18)
    root.library("/usr/lib64/libclang.so.18.1.8")
    root.link("/usr/lib64/libclang.so.18.1", "libclang.so.18.1.8")
    root.link("/usr/lib64/libclang.so", "libclang.so.18.1")
    root.library("/usr/lib/libclang.so", "x86")
    root.resources("/usr/lib/clang/18")
    root.llvm_config("/usr/bin/llvm-config-64", "/usr", "18.1.8", "lib64")
    expect(root.find(), version="18.1.8", library="/usr/lib64/libclang.so", resources="/usr/lib/clang/18")


def fedora_42(root):
    for major in (20, 19):
        root.header(f"/usr/lib64/llvm{major}", major)
        root.library(f"/usr/lib64/llvm{major}/lib64/libclang.so.{major}.1.0")
        root.link(f"/usr/lib64/llvm{major}/lib64/libclang.so", f"libclang.so.{major}.1.0")
        root.resources(f"/usr/lib/clang/{major}")
    root.link("/usr/lib64/libclang.so", "llvm20/lib64/libclang.so")
    root.link("/usr/include/clang-c", "../lib64/llvm20/include/clang-c")
    expect(root.find(), version="20.1.0", include="", library="/usr/lib64/libclang.so", resources="/usr/lib/clang/20")


def rhel(root):
    root.header("/usr", 17)
    root.library("/usr/lib64/libclang.so.17")
    root.header("/usr/lib64/llvm18")
    root.library("/usr/lib64/llvm18/lib/libclang.so.18.1.8")
    root.link("/usr/lib64/llvm18/lib/libclang.so", "libclang.so.18.1.8")
    expect(root.find(), version="18.1.8", library="/usr/lib64/llvm18/lib/libclang.so", resources="")


def arch(root):
    root.header("/usr", 20)
    root.library("/usr/lib/libclang.so.20.1.8")
    root.link("/usr/lib/libclang.so", "libclang.so.20.1.8")
    root.resources("/usr/lib/clang/20")
    root.header("/usr/lib/llvm19", 19)
    root.library("/usr/lib/llvm19/lib/libclang.so")
    expect(root.find(), version="20", library="/usr/lib/libclang.so", resources="/usr/lib/clang/20", place="/usr")


def gentoo_and_alpine(root):
    root.header("/usr/lib/llvm/19", 19)
    root.library("/usr/lib/llvm/19/lib64/libclang.so")
    expect(root.find(), version="19", library="/usr/lib/llvm/19/lib64/libclang.so")
    root.header("/usr/lib/llvm20")
    root.library("/usr/lib/llvm20/lib/libclang.so.20.1.2")
    expect(root.find(), version="20.1.2", library="/usr/lib/llvm20/lib/libclang.so.20.1.2")


SPACK = "/opt/spack/linux-x86_64_v3/llvm-18.1.8-5jtobbnhcqkw4r3pcf5yvqrgs7s4fzln"


def add_spack(root):
    root.header(SPACK)
    root.library(f"{SPACK}/lib/libclang.so.13")
    root.link(f"{SPACK}/lib/libclang.so", "libclang.so.13")
    root.resources(f"{SPACK}/lib/clang/18")
    root.llvm_config(f"{SPACK}/bin/llvm-config", SPACK, "18.1.8")


def spack(root):
    add_spack(root)
    add_debian(root, 19)
    expect(root.find(), version="19")
    # What was loaded comes before the system's, though that is newer.
    found = root.find(CMAKE_PREFIX_PATH=f"/nowhere:{root.top}{SPACK}")
    expect(found, version="18.1.8", library=f"{SPACK}/lib/libclang.so", resources=f"{SPACK}/lib/clang/18")
    expect(root.find(root=False, PATH=f"{root.top}{SPACK}/bin:/usr/bin:/bin"), version="18.1.8")
    expect(root.find(LLVM_DIR=f"{root.top}{SPACK}/lib/cmake/llvm"), version="18.1.8")
    expect(root.find(Clang_DIR=f"{root.top}{SPACK}/lib/cmake/clang"), version="18.1.8")
    expect(root.find(LLVM_CONFIG=f"{root.top}{SPACK}/bin/llvm-config"), version="18.1.8")
    expect(root.find(CONDA_PREFIX=f"{root.top}/nothing"), version="19")


def given(root):
    """What is asked for is taken, whatever the environment and the system have; or nothing."""
    add_spack(root)
    add_debian(root, 16)
    add_debian(root, 19)
    old = f"{root.top}/usr/lib/llvm-16"
    for place in (old, old + "/", old + "/lib"):
        expect(root.find("--given", place, CMAKE_PREFIX_PATH=root.top + SPACK), version="16", library="/usr/lib/llvm-16/lib/libclang.so")
    expect(root.find("--given", f"{root.top}{SPACK}/bin/llvm-config", CMAKE_PREFIX_PATH=old), version="18.1.8")
    for place, reason in ((f"{root.top}/nowhere", "no clang-c/Index.h in /nowhere/include"),
                          (f"{root.top}/usr/lib/llvm-19/include/clang-c/Index.h", "expected a prefix")):
        message = root.find("--given", place).get("failed", "")
        assert reason in message, message


def package_file(root):
    root.header("/far", 99)
    root.library("/far/lib/libclang.so")
    root.text("/far/pc/libclang.pc", f"prefix={root.top}/far\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n"
              "Name: libclang\nDescription: x\nVersion: 99.1\n")
    found = root.find(root=False, PKG_CONFIG_PATH=f"{root.top}/far/pc")
    expect(found, version="99.1", library="/far/lib/libclang.so", place="pkg-config libclang")


def cmake_version(root):
    """A prefix whose names have no version."""
    root.header("/opt/tools")
    root.library("/opt/tools/lib/libclang.so")
    root.text("/opt/tools/lib/cmake/clang/ClangConfigVersion.cmake", 'set(PACKAGE_VERSION "17.0.6")\n')
    expect(root.find(CMAKE_PREFIX_PATH=f"{root.top}/opt/tools"), version="17.0.6")
    os.remove(root.path("/opt/tools/lib/cmake/clang/ClangConfigVersion.cmake"))
    expect(root.find(CMAKE_PREFIX_PATH=f"{root.top}/opt/tools"), version="unknown")


def refused(root):
    root.header("/usr/lib/llvm-13", 13)
    root.library("/usr/lib/llvm-13/lib/libclang.so")
    root.header("/usr/lib/llvm-19", 19)
    root.library("/usr/lib/llvm-19/lib/libclang.so", "aarch64")
    root.header("/usr/lib/llvm-18", 18)
    root.text("/usr/lib/llvm-18/lib/libclang.so", "INPUT(-lclang)\n")
    message = root.find()["failed"]
    for line in ("/usr/lib/llvm-13: version 13, expected 14 or newer", "/usr/lib/llvm-19: no libclang.so for this processor",
                 "/usr/lib/llvm-18: no libclang.so for this processor"):
        assert line in message, message


for case in (debian, fedora_40, fedora_42, rhel, arch, gentoo_and_alpine, spack, given, package_file, cmake_version, refused):
    with Root() as system:
        print(case.__name__, flush=True)
        case(system)
