# SPDX-License-Identifier: BSD-3-Clause
"""tools/rooms on small invented trees: it must find what is planted in them, and nothing else."""

import json
import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/rooms")

CONFIG = """
room house: A house
room house/above: The upper floor
room house/below: The lower floor
room include: Contracts
list test/cases: cases
"""

DOCUMENT = "# Plan\n\n<!-- rooms: written by tools/rooms --update -->\n<!-- end of rooms -->\nAfter.\n"

TREE = {
    "tools/rooms.txt": CONFIG,
    "doc/architecture.md": DOCUMENT,
    "include/contract.h": "int contract(void);\n",
    "house/above/door.c": '#include "door.h"\n#include "wall.h"\n#include "contract.h"\n'
    "int door(void) { return wall(); }\nint contract(void) { return 1; }\n",
    "house/above/door.h": "int door(void);\n",
    "house/below/wall.c": '#include "wall.h"\nint wall(void) { return 0; }\n',
    "house/below/wall.h": "int wall(void);\n",
    "test/cases/one.c": "int main(void) { return 0; }\n",
}


class Rooms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = self.folder.name
        for path, text in TREE.items():
            self.write(path, text)

    def write(self, path, text):
        path = os.path.join(self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def build(self):
        """Compiles every source of the tree; returns the build folder."""
        build = os.path.join(self.top, "build-here")
        os.makedirs(build, exist_ok=True)
        commands = []
        for path, _, files in os.walk(os.path.join(self.top, "house")):
            for name in files:
                if name.endswith(".c"):
                    output = name + ".o"
                    subprocess.run(
                        ["cc", "-fvisibility=hidden", "-I", path, "-I", self.top + "/house/below",
                            "-I", self.top + "/house/above", "-I", self.top + "/include",
                            "-c", os.path.join(path, name), "-o", os.path.join(build, output)],
                        check=True)
                    commands.append({"directory": build, "output": output, "file": os.path.join(path, name)})
        with open(os.path.join(build, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(commands, file)
        return build

    def run_tool(self, *arguments, status=0):
        done = subprocess.run([TOOL, "--top", self.top, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check(self, *arguments, status=1):
        self.run_tool("--update")
        return self.run_tool("--check", *arguments, status=status)

    def test_good_tree(self):
        self.assertEqual(self.check(self.build(), status=0), "")

    def test_table(self):
        self.run_tool("--update")
        with open(os.path.join(self.top, "doc/architecture.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| **`house/`** | A house | 4 | 100 | `include/` |", text)
        self.assertIn("| `house/above/` | The upper floor | 2 | 100 | `below` |", text)
        self.assertTrue(text.startswith("# Plan\n") and text.endswith("\nAfter.\n"))

    def test_stale_table(self):
        self.assertIn("`house/` is missing", self.run_tool("--check", status=1).replace("*", ""))
        self.run_tool("--update")
        self.write("house/below/door-of-below.c", '#include "contract.h"\n' * 149)
        self.run_tool("--check")
        self.write("house/below/door-of-below.c", '#include "contract.h"\n' * 300)
        self.assertIn("has 100 lines, in the tree 303", self.run_tool("--check", status=1))
        self.run_tool("--update")
        for number in range(3):
            self.write(f"house/below/empty{number}.c", "\n")
        self.assertIn("has 3 files, in the tree 6", self.run_tool("--check", status=1))
        self.assertIn("not yet", self.run_tool("--check", "--not-yet", "table"))

    def test_new_use_makes_table_stale(self):
        self.run_tool("--update")
        self.write("house/below/wall.h", '#include "contract.h"\n#include "door.h"\n')
        self.assertIn("uses -, in the tree `above`", self.run_tool("--check", status=1))

    def test_description(self):
        self.write("house/roof/roof.c", "\n")
        self.assertIn("add 'room house/roof: what it is'", self.check())
        self.write("tools/rooms.txt", CONFIG + "room house/roof: Roof\nroom house/cellar: Gone\n")
        self.assertIn("room house/cellar: there is no such room", self.check())
        self.write("tools/rooms.txt", CONFIG + "roof house\n")
        self.assertIn("expected 'room|list|mutual", self.run_tool(status=2))

    def test_crowded_folder(self):
        for number in range(29):
            self.write(f"house/below/brick{number}.c", "\n")
        self.assertIn("house/below: 31 sources", self.check())
        for number in range(40):
            self.write(f"test/cases/case{number}.c", "\n")
        self.assertNotIn("cases", self.check())

    def test_circle_of_rooms_by_include(self):
        self.write("house/below/wall.h", '#include "door.h"\n')
        text = self.check()
        self.assertIn("circle (by include): house/above, house/below", text)
        self.assertIn('wall.h -> "door.h"', text)

    def test_circle_of_rooms_by_call(self):
        self.write("house/below/wall.c", "int door(void);\nint wall(void) { return door(); }\n")
        self.assertEqual(self.check(status=0), "")
        self.assertIn("circle (by call): house/above, house/below", self.check(self.build()))

    def test_circle_of_files(self):
        self.write("house/below/wall.c", "int stone(void);\nint wall(void) { return stone(); }\n")
        self.write("house/below/stone.c", "int wall(void);\nint stone(void) { return wall(); }\n")
        self.assertIn("house/below: 2 files use each other in a circle (by call): stone.c, wall.c",
            self.check(self.build()))
        self.write("tools/rooms.txt", CONFIG + "mutual house/below/wall.c house/below/stone.c: both are hard\n")
        self.check(self.build(), status=0)
        self.write("tools/rooms.txt", CONFIG + "mutual house/below/wall.c house/below/gone.c: both are hard\n")
        self.assertIn("house/below/gone.c: there is no such file", self.check(self.build()))

    def test_base_names(self):
        self.write("house/above/wall.h", "int wall(void);\n")
        self.assertIn("wall: house/above/wall.h, house/below/wall.c, house/below/wall.h: expected a name", self.check())

    def test_base_names_in_several_top_rooms(self):
        self.write("hut/wall.c", "int hut_wall(void) { return 0; }\n")
        self.assertIn("wall: house/below/wall.c, house/below/wall.h, hut/wall.c", self.check())

    def test_base_name_of_a_header_and_another_subject(self):
        self.write("house/above/contract.c", "int other(void) { return 0; }\n")
        self.assertIn("contract: house/above/contract.c, include/contract.h", self.check())
        self.write("house/above/contract.c", '#include "all.h"\nint other(void) { return contract(); }\n')
        self.write("house/above/all.h", '#include "contract.h"\n')
        self.check(status=0)

    def test_base_names_of_tests(self):
        self.write("tools/rooms.txt", CONFIG + "room test: Tests\n")
        self.write("test/wall.c", "int main(void) { return 0; }\n")
        self.check(status=0)

    def test_between_and_plan(self):
        text = self.run_tool("--between", "house/above", "house/below", self.build())
        self.assertIn('include  house/above/door.c -> house/below/wall.h: "wall.h"', text)
        self.assertIn("call     house/above/door.c -> house/below/wall.c: wall", text)
        self.write("plan", "house/above/door.h house/below\n")
        text = self.run_tool("--plan", self.top + "/plan", "--between", "house/above", "house/below")
        self.assertIn('"door.h"', text)
        self.write("plan", "house/above/gone.h house/below\n")
        self.assertIn("expected a source of the tree", self.run_tool("--plan", self.top + "/plan", status=2))

    def test_report(self):
        self.write("house/below/wall.h", '#include "door.h"\n')
        text = self.run_tool()
        self.assertIn("Circles between the rooms inside a room: 1", text)
        self.assertIn("Base names of several files: none", text)


if __name__ == "__main__":
    unittest.main()
