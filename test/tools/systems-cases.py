# SPDX-License-Identifier: BSD-3-Clause
"""tools/test-on, as far as that needs no other system: its table, its arguments, and the copy of the checkout."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/test-on")
loader = importlib.machinery.SourceFileLoader("test_on", TOOL)
test_on = importlib.util.module_from_spec(importlib.util.spec_from_loader("test_on", loader))
loader.exec_module(test_on)

ROWS = "# comment\nold one amd64 1\nslow two riscv64 20 gcc-13 gcc-14 # why\n"


class Refusals(unittest.TestCase):
    def refused(self, call, *arguments):
        """The message with which the call ends the tool."""
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages), self.assertRaises(SystemExit) as end:
            call(*arguments)
        self.assertEqual(end.exception.code, 2)
        return messages.getvalue()

    def test_rows(self):
        systems = test_on.read_systems(ROWS)
        self.assertEqual(list(systems), ["old", "slow"])
        self.assertEqual(systems["slow"], ("slow", "two", "riscv64", 20, ["gcc-13", "gcc-14"]))

    def test_bad_rows(self):
        for row in ("old one amd64", "old one amd64 fast", "old one amd64 1\nold two amd64 1"):
            message = self.refused(test_on.read_systems, row)
            self.assertIn("tools/systems:", message)
            self.assertIn("expected NAME SUITE", message)

    def test_arguments(self):
        systems = test_on.read_systems(ROWS)
        suites = ["unit", "run", "real"]
        self.assertEqual(test_on.parse(["old", "unit", "run"], systems, suites), (systems["old"], ["tools/test", "unit", "run"]))
        self.assertEqual(test_on.parse(["old"], systems, suites), (systems["old"], ["tools/test"]))
        self.assertEqual(test_on.parse(["old", "full", "run"], systems, suites), (systems["old"], ["tools/test", "full", "run"]))
        self.assertEqual(test_on.parse(["old", "real", "fasttree"], systems, suites), (systems["old"], ["tools/test", "real", "fasttree"]))
        self.assertEqual(test_on.parse(["slow", "--run", "make", "-n"], systems, suites), (systems["slow"], ["make", "-n"]))

    def test_wrong_arguments(self):
        systems = test_on.read_systems(ROWS)
        self.assertIn("'new': expected one of: old slow", self.refused(test_on.parse, ["new"], systems, ["unit"]))
        self.assertIn("'unity': expected one of: unit", self.refused(test_on.parse, ["old", "unity"], systems, ["unit"]))
        self.assertIn("expected a command", self.refused(test_on.parse, ["old", "--run"], systems, ["unit"]))

    def test_needs_root(self):
        ordinary = {} if os.geteuid() else {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            run = subprocess.run([TOOL, "trixie", "unit"], capture_output=True, text=True, check=False, **ordinary)
        except PermissionError:
            self.skipTest("an ordinary user cannot read the checkout")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("needs root", run.stderr)

    def test_list(self):
        run = subprocess.run([TOOL, "--list"], capture_output=True, text=True, check=True)
        self.assertIn("trixie", run.stdout)


class Copies(unittest.TestCase):
    """A checkout, here one without git as from a release, and its copy."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = os.path.join(folder.name, "top")
        self.copy = os.path.join(folder.name, "copy")
        self.write("one.c", "one\n")
        self.write("sub/two.sh", "two\n", 0o755)
        self.write("build-here/build.ninja", "no source\n")
        os.symlink("one.c", os.path.join(self.top, "link"))
        self.update()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def update(self):
        test_on.copy_checkout(self.top, self.copy)

    def age(self, name):
        """Makes the copy's file old, and returns how old."""
        os.utime(os.path.join(self.copy, name), (1e9, 1e9))

    def time(self, name):
        return os.stat(os.path.join(self.copy, name)).st_mtime

    def test_all_but_build_folders(self):
        self.assertEqual(test_on.list_files(self.copy), ["link", "one.c", "sub/two.sh"])
        self.assertEqual(os.readlink(os.path.join(self.copy, "link")), "one.c")
        self.assertTrue(os.access(os.path.join(self.copy, "sub/two.sh"), os.X_OK))

    def test_what_differs_becomes_new(self):
        """Also when the checkout's file has an older time than what was built from the copy's."""
        self.age("one.c")
        self.age("sub/two.sh")
        self.write("one.c", "other\n")
        os.utime(os.path.join(self.top, "one.c"), (1e8, 1e8))
        self.update()
        self.assertGreater(self.time("one.c"), 1e9)
        self.assertEqual(self.time("sub/two.sh"), 1e9)

    def test_mode_counts(self):
        self.write("one.c", "one\n", 0o755)
        self.update()
        self.assertTrue(os.access(os.path.join(self.copy, "one.c"), os.X_OK))

    def test_what_is_gone_goes(self):
        os.makedirs(os.path.join(self.copy, "build"))
        with open(os.path.join(self.copy, "build/made"), "w", encoding="utf-8"):
            pass
        os.unlink(os.path.join(self.top, "one.c"))
        os.unlink(os.path.join(self.top, "link"))
        self.update()
        self.assertFalse(os.path.exists(os.path.join(self.copy, "one.c")))
        self.assertFalse(os.path.lexists(os.path.join(self.copy, "link")))
        self.assertTrue(os.path.exists(os.path.join(self.copy, "build/made")))

    @unittest.skipUnless(shutil.which("git"), "git is missing")
    def test_ignored_files_stay_behind(self):
        """With git: what is tracked, and what is new but not ignored."""
        subprocess.run(["git", "init", "-q", self.top], check=True)
        self.write(".gitignore", "/ignored/\n")
        self.write("ignored/x.c", "x\n")
        self.write("new.c", "new\n")
        subprocess.run(["git", "-C", self.top, "add", "one.c"], check=True)
        self.update()
        self.assertTrue(os.path.exists(os.path.join(self.copy, "new.c")))
        self.assertFalse(os.path.exists(os.path.join(self.copy, "ignored")))


if __name__ == "__main__":
    unittest.main()
