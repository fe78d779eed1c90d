# SPDX-License-Identifier: BSD-3-Clause
"""What the script does that starts the programs of the relocatable archive: start-cases.py START

The program in its place prints its arguments.
"""
import os
import subprocess
import sys
import tempfile


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        start = file.read()
    with tempfile.TemporaryDirectory() as folder:
        tree = folder + "/a tree"
        for name in ("ompinst", "ompreport"):
            write(f"{tree}/libexec/{name}", f'#!/bin/sh\nprintf "{name}"\nprintf " [%s]" "$@"\nexit 3\n')
            write(f"{tree}/bin/{name}", start.replace("@LOADER@", "/bin/sh"))
        os.mkdir(folder + "/links")
        os.symlink(tree + "/bin/ompreport", folder + "/links/other-name")
        arguments = ("run", "", "a b", "*")
        expected = " [run] [] [a b] [*]"
        for command, name, options in (
                ([tree + "/bin/ompinst"], "ompinst", {}),
                (["ompreport"], "ompreport", {"env": {"PATH": tree + "/bin:/usr/bin:/bin"}}),
                ([folder + "/links/other-name"], "ompreport", {}),
                (["sh", "ompinst"], "ompinst", {"cwd": tree + "/bin"})):
            found = run(*command, *arguments, **options)
            assert found == (3, name + expected, ""), (command, found)

        write(f"{tree}/bin/ompinst", start.replace("@LOADER@", "/lib/there-is-no-such-loader"))
        code, output, errors = run(tree + "/bin/ompinst", "run", "./program")
        assert (code, output) == (127, ""), (code, output)
        assert errors.startswith("ompinst: this system has no /lib/there-is-no-such-loader: expected glibc 2.28 or newer"), errors
        assert "musl" in errors, errors


main()
