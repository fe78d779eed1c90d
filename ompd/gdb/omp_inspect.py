# SPDX-License-Identifier: BSD-3-Clause
"""What `ompinst why` and `ompinst stacks` have gdb do. They give the question in variables of the environment and get
the answer in a file, because gdb prints much else; the exit status says that it is there, and what it says."""
import contextlib
import io
import json
import os
import re
import signal

import gdb
import omp_job
import omp_json
import omp_stacks
import omp_still
import omp_why
from omp_library import Session, in_c
from omp_words import native_threads

NO_DEADLOCK, DEADLOCK, CANNOT, STILL = range(4)  # STILL: asked by WINDOW, nothing has moved in that time
ANSWERED = 100  # gdb's exit status, less the answer's: gdb itself ends with small numbers


def asked(name):
    """The value of the question's variable; None: not given."""
    return os.environ.get("OMPINST_INSPECT_" + name) or None


def window():
    """Of a program that is watched: for how many seconds nothing may move, 0: that is not asked. None: it is not watched."""
    return int(asked("WINDOW")) if asked("WINDOW") is not None else None


def program_of_core():
    """The file of the program whose core file gdb has, by the kernel's list of mapped files; None: it is not there."""
    entry = re.search(r"AT_ENTRY\s+.*?(0x[0-9a-f]+)", gdb.execute("info auxv", to_string=True))
    rows = re.findall(r"^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x\S+\s+0x\S+\s+(?:\S+\s+)?(/.*?)\s*$",
                      gdb.execute("info proc mappings", to_string=True), re.M)
    for begin, end, path in rows:
        if entry is not None and int(begin, 16) <= int(entry.group(1), 16) < int(end, 16):
            return path if os.path.exists(path) else None
    return None


def processes():
    """The numbers of those that are asked for, or found beside."""
    pids = [int(word) for word in (asked("PID") or "").split()]
    return omp_job.ranks_beside(pids[0]) if asked("RANKS") and pids else pids


def open_target():
    pids = processes()
    for i, pid in enumerate(pids):
        if i > 0:
            gdb.execute("add-inferior -no-connection", to_string=True)
            gdb.execute("inferior %d" % (i + 1), to_string=True)
        omp_job.note_stop(pid)
        gdb.execute("attach %d" % pid, to_string=True)
        if gdb.current_progspace().filename is None:  # removed, or replaced by a newer one
            gdb.execute("file /proc/%d/exe" % pid, to_string=True)
    if pids:
        return
    if gdb.current_progspace().filename is None:
        program = program_of_core()
        if program is None:
            raise gdb.GdbError("omp: the core file does not say which program it is of, or that is no longer there: give "
                               "the program after the core file")
        gdb.execute('file "%s"' % re.sub(r'([\\"])', r"\\\1", program), to_string=True)
        gdb.execute("core-file " + asked("CORE"), to_string=True)


@in_c
def answer():
    """The exit status; the answer is printed."""
    ranks = [omp_job.Rank(inferior) for inferior in gdb.inferiors()]
    statuses, texts = zip(*(answer_of_process(rank) for rank in ranks))
    if all(status == CANNOT for status in statuses) or CANNOT in statuses and window() is None:
        raise gdb.GdbError(texts[statuses.index(CANNOT)])
    status, across = int(DEADLOCK in statuses), ""
    is_still = bool(window()) and not status and CANNOT not in statuses and omp_still.stand_still(ranks, window())
    if ranks[1:] and asked("COMMAND") == "why" and any(rank.number is not None for rank in ranks):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            status |= omp_job.Job(ranks).show(window() if is_still else max(window() or 0, omp_job.SECONDS), is_still)
        across = text.getvalue()
    print_answers(ranks, [failed(text) if status == CANNOT else text for status, text in zip(statuses, texts)], across)
    return STILL if is_still and not status else status


def failed(problem):
    return json.dumps({"error": problem}) if asked("FORM") == "json" else problem + "\n"


def print_answers(ranks, texts, across):
    if not ranks[1:]:
        print(texts[0], end="")
    elif asked("FORM") == "json":
        print('{"processes": [%s], "across_ranks": %s}' % (",".join(texts), json.dumps(across.splitlines())))
    else:
        for rank, text in zip(ranks, texts):
            print("process %d:\n%s" % (rank.pid, text))
        print(across, end="")


def answer_of_process(rank):
    """What is said of one process, and the status; with CANNOT it is why nothing can be said."""
    text = io.StringIO()
    rank.select()
    try:
        with contextlib.redirect_stdout(text):
            return show_process(rank), text.getvalue()
    except (gdb.error, gdb.GdbError) as problem:
        return CANNOT, str(problem)


def show_process(rank):
    """Prints it; returns the status."""
    native_threads()
    if rank.is_stopped and asked("FORM") != "json" and (window() is not None or gdb.inferiors()[1:]):
        print("stopped by a signal (SIGSTOP, or Ctrl-Z in its terminal); 'kill -CONT %d' lets it go on" % rank.pid)
    with Session() as session:
        if asked("COMMAND") == "stacks":
            omp_stacks.show(session, asked("FORM"))
            return NO_DEADLOCK
        graph = omp_why.WaitGraph(session)
        if asked("FORM") == "json":
            print(omp_json.text_of(session, graph))
        else:
            omp_why.Why.show_graph(graph)
        rank.find_waits(graph)
        return DEADLOCK if any(wait.is_stuck for wait in graph.all_waits()) else NO_DEADLOCK


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
        for inferior in gdb.inferiors() if asked("PID") else ():
            if inferior.pid:
                gdb.execute("detach inferiors %d" % inferior.num, to_string=True)
    gdb.execute("quit %d" % (ANSWERED + status))
