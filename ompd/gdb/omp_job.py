# SPDX-License-Identifier: BSD-3-Clause
"""Deadlocks through several ranks of an MPI program, whose processes are inferiors of this gdb: a call of MPI waits for
other ranks, of which no thread may be able to act.

The messages that are on their way are MPI's secret, and the ranks do not stop at the same instant. So what looks like a
deadlock is only called one after all ranks were given time together, and none of the calls returned.
"""
import os
import re
import signal
import threading

import gdb
import omp_outside
from omp_library import Session, living_threads
from omp_rank import rank_of_process
from omp_why import WaitGraph
from omp_words import frame_line, is_distributions, listed, newest_frame

SECONDS = 2
# Calls that wait for the ranks that they name.
BETWEEN_TWO = frozenset("MPI_Recv MPI_Mrecv MPI_Probe MPI_Mprobe MPI_Send MPI_Ssend MPI_Rsend MPI_Sendrecv".split())
PEERS = ("source", "destination")
# What the processes of one job on a node have in common in their environments.
JOBS = (("PMIX_NAMESPACE",), ("SLURM_JOB_ID", "SLURM_STEP_ID"))
RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")


def job_of(pid):
    """What identifies the job that a process is a rank of: its variables, else the process that has started the rank; None: it
    is no rank, or may not be read."""
    try:
        with open("/proc/%d/environ" % pid, "rb") as text:
            found = dict(entry.split(b"=", 1) for entry in text.read().split(b"\0") if b"=" in entry)
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as text:
            parent = text.read().rsplit(")", 1)[1].split()[1]
    except (OSError, IndexError):
        return None
    values = {name: found.get(name.encode()) for names in (*JOBS, RANKS) for name in names}
    if not any(values[name] for name in RANKS):
        return None
    return next((tuple(values[name] for name in names) for names in JOBS if all(values[name] for name in names)), parent)


def ranks_beside(pid):
    """The processes of its job on this machine, itself included, with the runtime that these commands know."""
    job = job_of(pid)
    pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    return [other for other in pids if job is not None and job_of(other) == job and has_runtime(other)] or [pid]


def has_runtime(pid):
    """The launcher's helpers have the variables, too."""
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="replace") as maps:
            return any(name in maps.read() for name in ("/libgomp.so", "/libomp.so", "/libiomp5.so"))
    except OSError:
        return False


def has_interrupt(pid):
    """Returns whether a SIGINT is on its way, which would end the program when gdb has gone."""
    try:
        with open("/proc/%d/status" % pid, encoding="utf-8") as status:
            pending = re.search(r"^ShdPnd:\s*(\w+)", status.read(), re.M)
    except OSError:
        return False
    return pending is not None and bool(int(pending[1], 16) & 1 << signal.SIGINT - 1)


class Wait:
    """A call of MPI that a thread is in: gdb's thread, the words for it, its peers (ranks; None: all others) and where it
    returns to in the program."""

    def __init__(self, native, call, place, returns_to):
        self.native, self.lwp, self.returns_to = native, native.ptid[1] or native.ptid[0], returns_to
        self.words = "thread %d %s, in %s" % (native.num, call.words(str), place)
        peers = {rank for name, rank in call.details if name in PEERS}
        self.peers = peers if call.name in BETWEEN_TWO and call.is_world and peers and min(peers) >= 0 else None


class Rank:
    """A process: its waits in MPI, and those that were found with these."""

    def __init__(self, inferior):
        self.inferior, self.waits, self.stuck_words, self.can_act = inferior, [], [], True
        self.select()
        known = rank_of_process()
        self.number, self.size = (known.number, known.size) if known is not None else (None, None)

    def select(self):
        gdb.execute("inferior %d" % self.inferior.num, to_string=True)

    def find_waits(self, graph):
        """After the graph was made without them."""
        for native in list(living_threads().values()):
            frame = newest_frame(native)
            name, known = omp_outside.known_call(frame) if frame is not None else (None, None)
            if name is None or not omp_outside.MPI.fullmatch(name):
                continue
            lwp, program = native.ptid[1] or native.ptid[0], known
            while program is not None and omp_outside.MPI.fullmatch(omp_outside.plain_name(program)):
                program = program.older()
            if program is not None and not graph.waits_now(lwp):
                returns_to, place = program.pc(), frame_line(program)
                self.waits.append(Wait(native, omp_outside.call_of(native), place, returns_to))

    def judge(self, assumed):
        """Which threads are stuck, and whether any can act, if these waits never end."""
        self.select()
        with Session() as session:
            graph = WaitGraph(session, [wait.lwp for wait in assumed])
            self.can_act = not all(self.is_stuck(graph, lwp) for lwp in graph.native)
            calls = {wait.lwp for wait in assumed}
            self.stuck_words = ["thread %d waits for %s%s; %s" % (
                graph.native[wait.thread].num, graph.describe_wait(wait), graph.place_of(wait.thread), graph.next_stuck(wait)[1])
                for wait in graph.all_waits() if wait.is_stuck and wait.thread not in calls and wait.thread in graph.native]

    @staticmethod
    def is_stuck(graph, lwp):
        top = graph.top(lwp)
        if lwp in graph.acting:
            return False
        return top.is_stuck if top is not None else graph.is_idle(lwp) or is_of_system(graph.native[lwp])


def is_of_system(native):
    """Returns whether the thread executes nothing of the program: one that MPI has for itself. Selects it."""
    frame = newest_frame(native)
    while frame is not None and is_distributions(frame):
        frame = frame.older()
    return frame is None


class Job:
    """The ranks that are inferiors."""

    def __init__(self, ranks):
        self.ranks = {rank.number: rank for rank in ranks if rank.number is not None}
        self.stuck = []  # (rank, wait): calls that seem never to end

    def find_stuck(self):
        """The most waits of which each needs only ranks of which no thread can act, as long as these waits last."""
        stuck = [(rank, wait) for rank in self.ranks.values() for wait in rank.waits]
        while stuck:
            for rank in self.ranks.values():
                rank.judge([wait for owner, wait in stuck if owner is rank])
            remaining = [(rank, wait) for rank, wait in stuck if self.is_hopeless(rank, wait)]
            if len(remaining) == len(stuck):
                break
            stuck = remaining
        self.stuck = stuck

    def is_hopeless(self, rank, wait):
        peers = wait.peers if wait.peers is not None else set(range(rank.size)) - {rank.number}
        return bool(peers) and all(peer in self.ranks and not self.ranks[peer].can_act for peer in peers)

    def goes_on(self):
        """Gives all ranks time together; returns whether one of the calls has returned, or that cannot be known."""
        gdb.execute("set schedule-multiple on")
        gdb.execute("handle all nostop noprint pass", to_string=True)
        gdb.execute("handle SIGINT stop print nopass", to_string=True)
        points = []  # not in hardware, of which some machines have few
        for rank, wait in self.stuck:
            rank.select()
            point = gdb.Breakpoint("*%#x" % wait.returns_to, internal=True)
            point.silent, point.thread = True, wait.native.global_num
            points.append(point)
        timer = threading.Timer(SECONDS, gdb.post_event, [lambda: gdb.execute("interrupt")])
        timer.start()
        try:
            gdb.execute("continue", to_string=True)
        finally:
            timer.cancel()
            hits = sum(point.hit_count for point in points)
            for point in points:
                point.delete()
        while any(has_interrupt(rank.inferior.pid) for rank in self.ranks.values()):  # one that comes after a breakpoint
            gdb.execute("continue", to_string=True)
        return hits > 0 or not all(rank.inferior.pid for rank in self.ranks.values())

    def show(self):
        """Prints the verdict on them; returns whether they are in a deadlock."""
        self.find_stuck()
        if not self.stuck:
            print("no deadlock across ranks is seen")
            return False
        if self.goes_on():
            print("no deadlock across ranks: a call of MPI has returned meanwhile")
            return False
        numbers = sorted({rank.number for rank, _ in self.stuck})
        print("deadlock across ranks: these calls of MPI wait for ranks of which no thread can act; none has returned in %d s:" % SECONDS)
        for rank, wait in self.stuck:
            print("    rank %d: %s" % (rank.number, wait.words))
        others = [number for number, rank in sorted(self.ranks.items()) if not rank.can_act]
        for number in others:
            for words in self.ranks[number].stuck_words:
                print("    rank %d: %s" % (number, words))
        print("%d rank(s) cannot continue: %s" % (len(set(numbers) | set(others)),
                                                 listed("rank %d" % number for number in sorted(set(numbers) | set(others)))))
        return True
