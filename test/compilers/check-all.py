#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether only the project's own compiler makes `all`: check-all.py BUILD COMPILER...

COMPILER... are the words by which meson calls the project's own. The engine of the reports' page, a product, is compiled
by clang whichever that is.
"""
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys

PAGE_ENGINE = '--target=wasm32-wasi'
COMPILER = re.compile(r'([\w-]+-)?(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|flang|flang-new|gfortran)(-\d+)?')


@functools.cache
def place(word):
    """The compiler that a word of a command names; links in the build folder only have a compiler's name."""
    is_link = '/' in word and not os.path.isabs(word)
    found = shutil.which(word) if COMPILER.fullmatch(os.path.basename(word)) and not is_link else None
    return found and os.path.realpath(found)


def main():
    build, own = sys.argv[1], {place(word) for word in sys.argv[2:]}
    commands = subprocess.run(['ninja', '-C', build, '--quiet', '-t', 'commands', 'all'], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.splitlines()
    others = [command for command in commands if PAGE_ENGINE not in command and
              any(found and found not in own for found in map(place, set(shlex.split(command))))]
    print('\n'.join(command[:200] for command in others))
    print(f'{len(commands)} commands, {len(others)} of other compilers')
    sys.exit(bool(others) or len(commands) < 100)


main()
