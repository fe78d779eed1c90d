# SPDX-License-Identifier: BSD-3-Clause
"""Whether clang compiles the tests' sources without a warning: check-clang-warnings.py CLANG BUILD

Takes each source of test/ that gcc compiles for the project, with the definitions, folders and warnings of its command,
and lets clang check it without making code. tools/test builds the products with clang, but not the tests.
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# Built by gcc alone: what gcc's ThreadSanitizer makes of the code is what the checker executes.
BY_GCC_ALONE = "../test/check/"
# What clang warns of without a cause in the source.
NOT_ITS_FAULT = {
    "../test/ways/constructs.c": "clang 19 compares signed with unsigned in its own code for a taskloop",
}
# Options that only gcc has and that concern the code it makes.
ONLY_GCC = ("-fno-tree-slp-vectorize", "-falign-functions")


def command_of_clang(clang, entry):
    """The entry's command, by clang and for its warnings alone."""
    words = shlex.split(entry["command"])
    kept = [w for w in words if w.startswith(("-I", "-D", "-U", "-W", "-std=", "-f", "-pthread")) and not w.startswith(("-MD",) + ONLY_GCC)]
    included = [word for at, word in enumerate(words) if words[at - 1] in ("-include", "-isystem", "-idirafter")]
    if included:
        sys.exit(f"{entry['file']}: its command has {' '.join(included)}, which this script does not hand on")
    return [clang, "-fsyntax-only", "-Werror", "-Wno-unknown-warning-option", *kept, entry["file"]]


def main():
    clang, build = sys.argv[1:]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    commands = {
        tuple(command_of_clang(clang, entry))
        for entry in entries
        if entry["file"].startswith("../test/") and not entry["file"].startswith(BY_GCC_ALONE) and entry["file"] not in NOT_ITS_FAULT
    }
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda c: subprocess.run(c, cwd=build, capture_output=True, text=True, check=False), sorted(commands)))
    wrong = [one for one in done if one.returncode != 0 or one.stderr]
    for one in wrong:
        print(shlex.join(one.args) + "\n" + one.stderr)
    print(f"{len(done)} sources, {len(wrong)} with warnings")
    sys.exit(1 if wrong or not done else 0)


if __name__ == "__main__":
    main()
