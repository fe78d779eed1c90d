# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst why` and `ompinst stacks` have gdb do. They give the question in variables of the environment and get
the answer in a file, because gdb prints much else; the exit status says that it is there, and what it says."""
import contextlib
import io
import os
import re
import signal

import gdb
import omp_json
import omp_stacks
import omp_why
from omp_library import Session, in_c
from omp_words import native_threads

CANNOT = 2
ANSWERED = 100  # gdb's exit status, less the answer's: gdb itself ends with small numbers


def asked(name):
    """The value of the question's variable; None: not given."""
    return os.environ.get("OMPINST_INSPECT_" + name) or None


def program_of_core():
    """The file of the program whose core file gdb has, by the kernel's list of mapped files; None: it is not there."""
    entry = re.search(r"AT_ENTRY\s+.*?(0x[0-9a-f]+)", gdb.execute("info auxv", to_string=True))
    rows = re.findall(r"^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x\S+\s+0x\S+\s+(?:\S+\s+)?(/.*?)\s*$",
                      gdb.execute("info proc mappings", to_string=True), re.M)
    for begin, end, path in rows:
        if entry is not None and int(begin, 16) <= int(entry.group(1), 16) < int(end, 16):
            return path if os.path.exists(path) else None
    return None


def open_target():
    if asked("PID"):
        gdb.execute("attach " + asked("PID"), to_string=True)
        if gdb.current_progspace().filename is None:  # removed, or replaced by a newer one
            gdb.execute("file /proc/%s/exe" % asked("PID"), to_string=True)
    elif gdb.current_progspace().filename is None:
        program = program_of_core()
        if program is None:
            raise gdb.GdbError("omp: the core file does not say which program it is of, or that is no longer there: give "
                               "the program after the core file")
        gdb.execute('file "%s"' % re.sub(r'([\\"])', r"\\\1", program), to_string=True)
        gdb.execute("core-file " + asked("CORE"), to_string=True)


@in_c
def answer():
    """The exit status; the answer is printed."""
    native_threads()
    with Session() as session:
        if asked("COMMAND") == "stacks":
            omp_stacks.show(session, asked("FORM"))
            return 0
        graph = omp_why.WaitGraph(session)
        if asked("FORM") == "json":
            print(omp_json.text_of(session, graph))
        else:
            omp_why.Why.show_graph(graph)
        return 1 if any(wait.is_stuck for wait in graph.waits) else 0


def end_early(*_):
    """A signal that ends gdb must not do so while it is attached: the process would stay stopped."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def ask():
    """Writes the answer; returns its status."""
    text, status = io.StringIO(), CANNOT
    try:
        open_target()
        with contextlib.redirect_stdout(text):
            status = answer()
    except (gdb.error, gdb.GdbError) as problem:
        text = io.StringIO(re.sub(r"^omp: ", "", str(problem)).strip())
    with open(asked("ANSWER"), "w", encoding="utf-8") as out:
        out.write(text.getvalue())
    return status


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_early)
    try:
        status = ask()
    finally:
        if asked("PID") and gdb.selected_inferior().pid:
            gdb.execute("detach", to_string=True)
    gdb.execute("quit %d" % (ANSWERED + status))
