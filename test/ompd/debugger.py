# SPDX-License-Identifier: BSD-3-Clause
"""A gdb in batch mode that has the `omp` commands: what the tests of these commands share."""
import re
import subprocess

failures = []  # what a test has found, for its end


def command_line(commands, *gdb_commands, before=()):
    """How gdb is started to obey these commands; `before`: those that come before it has ours."""
    line = ["gdb", "-q", "-batch", "-nx", "-iex", "set auto-load python-scripts off"]
    for command in ("set debuginfod enabled off", *before, "source %s/ompinst-gdb.py" % commands, *gdb_commands):
        line += ["-ex", command]
    return line


def answers(line, environment, folder=None, timeout=100):
    """All that gdb and its program say."""
    return subprocess.run(line, env=environment, text=True, timeout=timeout, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout


def expect(what, output, *patterns):
    for pattern in patterns:
        if not re.search(pattern, output, re.M):
            failures.append("%s: expected /%s/ in:\n%s" % (what, pattern, output))
