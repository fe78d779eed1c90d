# SPDX-License-Identifier: BSD-3-Clause
"""Builds a small project on the dependencies, in folders as Spack and a /usr/lib64 system have them, and runs what it installs.

Usage: build-layouts.py MESON TOP LIBCLANG. libclang is the machine's own under another folder; OTF2 is one function
with an otf2-config; PAPI is not there; libelf has no pkg-config file.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

MESON, TOP, LIBCLANG = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command, folder=None, expected=0, **environment):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    output = done.stdout + done.stderr
    assert (done.returncode == 0) == (expected == 0), f"{' '.join(command)}: returned {done.returncode}\n{output}"
    return output


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def imitate_spack(prefix):
    """libclang in a prefix whose name has a version and a hash; a copy, because the loader knows the original."""
    real = os.path.realpath(LIBCLANG)
    os.makedirs(f"{prefix}/lib")
    shutil.copy(real, f"{prefix}/lib/{os.path.basename(real)}")
    os.symlink(os.path.basename(real), f"{prefix}/lib/libclang.so")
    include = subprocess.run([sys.executable, f"{TOP}/dependencies/find-libclang.py", "--given", os.path.dirname(os.path.dirname(LIBCLANG))],
                             capture_output=True, text=True, check=False).stdout.split("\n")[1] or "/usr/include"
    os.makedirs(f"{prefix}/include")
    os.symlink(f"{include}/clang-c", f"{prefix}/include/clang-c")


def imitate_otf2(prefix):
    """Only otf2-config says where it is."""
    write(f"{prefix}/include/otf2/otf2.h", "const char *imitated_otf2(void);\n")
    write(f"{prefix}/otf2.c", 'const char *imitated_otf2(void) { return "otf2 of the imitation"; }\n')
    os.makedirs(f"{prefix}/lib64")
    run("cc", "-shared", "-fPIC", "-Wl,-soname,libotf2.so.10", f"{prefix}/otf2.c", "-o", f"{prefix}/lib64/libotf2.so.10")
    os.symlink("libotf2.so.10", f"{prefix}/lib64/libotf2.so")
    write(f"{prefix}/bin/otf2-config", f"""#!/bin/sh
case $1 in
--cflags) echo -I{prefix}/include ;;
--ldflags) echo -L{prefix}/lib64 ;;
--libs) echo -lotf2 -lm ;;
*) exit 1 ;;
esac
""", 0o755)


def main():
    with tempfile.TemporaryDirectory() as top:
        project, spack, otf2 = f"{top}/project", f"{top}/spack/llvm-99.1.7-5jtobbnhcqkw4r3pcf5yvqrgs7s4fzln", f"{top}/otf2-3.1"
        shutil.copytree(f"{HERE}/project", project)
        shutil.copytree(f"{TOP}/dependencies", f"{project}/dependencies")
        shutil.copy(f"{TOP}/meson_options.txt", project)
        imitate_spack(spack)
        imitate_otf2(otf2)
        # Without the machine's pkg-config files libraries are looked for in the compiler's folders.
        alone = {"PKG_CONFIG_LIBDIR": f"{top}/none", "PATH": f"{otf2}/bin:{os.environ['PATH']}", "CMAKE_PREFIX_PATH": spack}
        setup = [MESON, "setup", "build", "-Dpapi=disabled", "-Dnames=disabled", "--prefix", f"{top}/installed place", "--libdir", "lib64"]
        output = run(*setup, folder=project, **alone)
        assert f"{spack} of CMAKE_PREFIX_PATH" in output, output
        run(MESON, "install", "-C", "build", folder=project, **alone)
        for program in (f"{project}/build/layouts", f"{top}/installed place/bin/layouts"):
            output = run(program, LD_LIBRARY_PATH="")
            assert "clang version" in output and "elf 1" in output and "otf2 of the imitation" in output, output
            maps = run(program, LD_LIBRARY_PATH="", LD_TRACE_LOADED_OBJECTS="1")
            assert f"{spack}/lib/" in maps, maps

        # What is asked for and missing says which package has it.
        missing = [MESON, "setup", "other", "-Dlibclang=" + top]
        output = run(*missing, folder=project, expected=1)
        for word in (f"{top}: no clang-c/Index.h", "libclang-19-dev", "clang-devel", "Arch clang", "Spack llvm", "-Dinstrumenter=disabled"):
            assert word in output, output
        os.remove(glob.glob(f"{otf2}/lib64/libotf2.so")[0])
        output = run(MESON, "setup", "third", "-Dinstrumenter=disabled", "-Dpapi=disabled", "-Dnames=disabled", "-Dotf2=enabled",
                     folder=project, expected=1, **alone)
        assert "where there is no OTF2" in output and "otf2-devel" in output, output


sys.exit(main())
