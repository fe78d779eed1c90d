# SPDX-License-Identifier: BSD-3-Clause
"""tools/style-check on small invented sources: each rule must find what is planted, and nothing else."""

import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/style-check")

HEAD = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* What it does: nothing. */\n"


class Style(unittest.TestCase):
    def findings(self, path, text):
        """What the script prints for a tree that has this file and house/door.c."""
        with tempfile.TemporaryDirectory() as top:
            for name, content in (("house/door.c", HEAD), (path, text)):
                os.makedirs(os.path.dirname(os.path.join(top, name)), exist_ok=True)
                with open(os.path.join(top, name), "w", encoding="utf-8") as file:
                    file.write(content)
            done = subprocess.run([TOOL, "--no-exceptions", "--top", top], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
            return done.stdout

    def expect(self, text, finding, path="house/wall.c"):
        self.assertIn(finding, self.findings(path, text))

    def test_good_source(self):
        body = '/* See door.c, <door-less.h> and file.c:12. */\nvoid wall(void)\n{\n\tputs("memory_order_x getenv(");\n}\n'
        self.assertEqual(self.findings("house/wall.c", HEAD + body), "")

    def test_licence(self):
        self.expect("/* A wall. */\n", "house/wall.c:1: licence")
        self.expect("project('x')\n", "meson.build:1: licence", "house/meson.build")

    def test_opening(self):
        self.expect("/* SPDX-License-Identifier: BSD-3-Clause */\n#include <stdio.h>\n", "wall.c:2: opening")
        self.expect("# SPDX-License-Identifier: BSD-3-Clause\nimport os\n", "wall.py:2: opening", "house/wall.py")
        self.assertEqual(self.findings("house/wall.py", '# SPDX-License-Identifier: BSD-3-Clause\n"""A wall."""\n'), "")

    def test_length(self):
        self.assertEqual(self.findings("house/wall.c", HEAD + "void f(void)\n{\n" + "\tf();\n" * 60 + "}\n"), "")
        self.expect(HEAD + "void f(void)\n{\n" + "\tf();\n" * 61 + "}\n", "wall.c:4: length: a function of 61 lines")

    def test_atomics(self):
        self.expect(HEAD + "int a = memory_order_relaxed;\n", "wall.c:3: memory order")
        self.expect(HEAD + "int a = __atomic_load_n(&b, __ATOMIC_RELAXED);\n", "wall.c:3: memory order")
        self.expect(HEAD + "int a = FUTEX_WAIT;\n", "wall.c:3: futex")

    def test_environment(self):
        self.expect(HEAD + 'char *a = secure_getenv ("A");\n', "wall.c:3: environment")
        self.assertEqual(self.findings("test/wall.c", HEAD + 'char *a = getenv("A");\n'), "")

    def test_reference(self):
        self.expect(HEAD + "/*\n * See window.c.\n */\n", "wall.c:4: reference: names window.c: there is no such file")
        self.expect(HEAD + "// as door.c:17 does\n", "names the line door.c:17")
        self.expect(HEAD + "// as roof/door.c does\n", "names roof/door.c: there is no such file")

    def test_inputs_of_tests(self):
        self.assertEqual(self.findings("test/instrumenter/cases/x.c", "int x;\n"), "")


if __name__ == "__main__":
    unittest.main()
