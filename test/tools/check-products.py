#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a build by the README's words makes the products and nothing of the tests: check-products.py TOP

Other compilers that a machine happens to have compile only what tests run, so they cannot break such a build.
"""
import os
import subprocess
import sys
import tempfile

top = sys.argv[1]
problems = []


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as folder:
    configured = subprocess.run(["meson", "setup", folder, top], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if configured.returncode:
        sys.exit("meson setup without options fails:\n" + configured.stdout)
    targets = [line.rsplit(": ", 1)[0] for line in output_of("ninja", "-C", folder, "--quiet", "-t", "targets", "all").splitlines()]
    problems += ["built without being asked for: " + target for target in targets if target.startswith("test/")]
    for product in ["reports/ompreport", "instrumenter/ompinst", "ompd/libompd.so"]:
        if product not in targets:
            problems.append("not built: " + product)
    # Whatever compiles, it is the project's own compiler; clang makes the page's engine, and only that.
    for command in output_of("ninja", "-C", folder, "--quiet", "-t", "commands").splitlines():
        words = command.split()
        if any("clang" in os.path.basename(word) or "flang" in os.path.basename(word) for word in words[:2]) and \
                "--target=wasm32-wasi" not in words:
            problems.append("compiled by another compiler: " + command[:200])

print("\n".join(problems) or "{} targets, none of the tests'".format(len(targets)))
sys.exit(bool(problems))
