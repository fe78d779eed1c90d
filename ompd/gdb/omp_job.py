# SPDX-License-Identifier: BSD-3-Clause
"""Deadlocks through several ranks of an MPI program, whose processes are inferiors of this gdb: a call of MPI waits for
other ranks, of which no thread may be able to act.

The messages that are on their way are MPI's secret, and the ranks do not stop at the same instant. So what looks like a
deadlock is only called one after all ranks were given time together, and none of the calls returned.
"""
import os

import gdb
import omp_mpi
import omp_outside
import omp_returns
from omp_library import Session, living_threads
from omp_rank import rank_of_process
from omp_why import WaitGraph
from omp_words import is_of_system, listed

SECONDS = 2
# Calls that wait for the ranks that they name.
BETWEEN_TWO = frozenset("MPI_Recv MPI_Mrecv MPI_Probe MPI_Mprobe MPI_Send MPI_Ssend MPI_Rsend MPI_Sendrecv".split())
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


stopped = set()  # processes that a signal has stopped; they must not go on by gdb


def note_stop(pid):
    """Notes whether the process is stopped, before gdb does that."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as text:
            if text.read().rsplit(")", 1)[1].split()[0] == "T":
                stopped.add(pid)
    except (OSError, IndexError):
        pass


def leave_stopped(ranks):
    """Detaches from those that are stopped, which they remain, and returns the others."""
    for rank in ranks:
        if rank.is_stopped and rank.inferior.pid:
            gdb.execute("detach inferiors %d" % rank.inferior.num, to_string=True)
    return [rank for rank in ranks if not rank.is_stopped]


def has_runtime(pid):
    """The launcher's helpers have the variables, too."""
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="replace") as maps:
            text = maps.read()
    except OSError:
        return False
    return any(name in text for name in ("/libgomp.so", "/libomp.so", "/libiomp5.so"))


class Wait:
    """A call of MPI that a thread is in: the call under way, the words for it and its peers (ranks; None: all others)."""

    def __init__(self, native, under_way):
        call = omp_outside.call_of(native)
        self.under_way, self.lwp = under_way, under_way.lwp
        self.words = "thread %d %s, in %s" % (native.num, call.words(str), under_way.place)
        is_between = call.name in BETWEEN_TWO and call.is_world
        self.peers = omp_mpi.peers_of(call.details) if is_between else None


class Rank:
    """A process: its waits in MPI, and those that were found with these."""

    def __init__(self, inferior):
        self.inferior, self.waits, self.stuck_words, self.can_act = inferior, [], [], True
        self.pid, self.is_stopped = inferior.pid, inferior.pid in stopped
        self.select()
        known = rank_of_process()
        self.number, self.size = (known.number, known.size) if known is not None else (None, None)

    def select(self):
        gdb.execute("inferior %d" % self.inferior.num, to_string=True)

    def find_waits(self, graph):
        """After the graph was made without them. One that is stopped acts when it is continued."""
        for native in list(living_threads().values()) if not self.is_stopped else ():
            under_way = omp_returns.outstanding(native)
            if under_way is not None and omp_mpi.MPI.fullmatch(under_way.name) and not graph.waits_now(under_way.lwp):
                self.waits.append(Wait(native, under_way))

    def judge(self, assumed):
        """Which threads are stuck, and whether any can act, if these waits never end."""
        if self.is_stopped:
            return
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

    def show(self, seconds=SECONDS, is_still=False):
        """Prints the verdict on them, after so much time together, which is over if it is known that they stood still; returns
        whether they are in a deadlock. A loop that polls may have something else in it that ends it, so there it is none."""
        self.find_stuck()
        leave_stopped(self.ranks.values())
        if not self.stuck:
            print("no deadlock across ranks is seen")
            return False
        if not is_still and omp_returns.any_returns([wait.under_way for _, wait in self.stuck], seconds):
            print("no deadlock across ranks: a call of MPI has returned meanwhile")
            return False
        polls = any(wait.under_way.polls for _, wait in self.stuck)
        print("%s across ranks: these calls of MPI wait for ranks of which no thread can act; none has returned in %d s%s:" % (
            "perhaps a deadlock" if polls else "deadlock", seconds, ", or it polls and has found nothing" if polls else ""))
        for rank, wait in self.stuck:
            print("    rank %d: %s" % (rank.number, wait.words))
        others = [number for number, rank in sorted(self.ranks.items()) if not rank.can_act]
        for number in others:
            for words in self.ranks[number].stuck_words:
                print("    rank %d: %s" % (number, words))
        numbers = sorted({rank.number for rank, _ in self.stuck} | set(others))
        print("%d rank(s) %s: %s" % (len(numbers), "do not continue" if polls else "cannot continue",
                                     listed("rank %d" % number for number in numbers)))
        return not polls
