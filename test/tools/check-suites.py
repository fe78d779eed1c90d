# SPDX-License-Identifier: BSD-3-Clause
"""Whether `tools/test` runs every test of the build: each is in a suite that it knows. Usage: check-suites.py TOP BUILD"""
import json
import os
import subprocess
import sys

top, build = sys.argv[1:]
known = set(subprocess.run([os.path.join(top, "tools/test"), "--list"], capture_output=True, text=True, check=True).stdout.split())
with open(os.path.join(build, "meson-info/intro-tests.json"), encoding="utf-8") as file:
    tests = json.load(file)
left = [test["name"] for test in tests if not known & {suite.rpartition(":")[2] for suite in test["suite"]}]
for name in left:
    print(f"'{name}' is in no suite of: {' '.join(sorted(known))}")
print(f"{len(tests)} tests, {len(left)} that tools/test does not run")
sys.exit(1 if left or not tests else 0)
