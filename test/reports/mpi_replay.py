# SPDX-License-Identifier: BSD-3-Clause
"""What calls of MPI waited for, by the definitions of doc/reports.md and by nothing of ompreport's code: all calls,
messages and collective operations are gathered first, and put together when the archive is read."""
from collections import defaultdict

import otf2
from otf2 import CollectiveOp

from trace_replay import Replay

WAITS = ("late sender", "late receiver", "wait at barrier", "wait at collective", "late root", "early root")
FROM_ONE = (CollectiveOp.BCAST, CollectiveOp.SCATTER, CollectiveOp.SCATTERV)
TO_ONE = (CollectiveOp.REDUCE, CollectiveOp.GATHER, CollectiveOp.GATHERV)
PREFIX = (CollectiveOp.SCAN, CollectiveOp.EXSCAN)


class Visit:
    """A call: what it may have waited for are (until, minus the wait's place in WAITS, minus the thread's)."""

    def __init__(self, thread, call, caller, time):
        self.thread, self.call, self.caller, self.enter, self.leave = thread, call, caller, time, None
        self.in_team, self.reasons = bool(thread.stays), []

    def needs(self, wait, until, by):
        if until > self.enter:
            self.reasons.append((until, -WAITS.index(wait), -by.index))

    def reason(self):
        """(how long, which wait, index of the thread that came late), or None."""
        if not self.reasons:
            return None
        until, wait, by = max(self.reasons)
        return min(until, self.leave) - self.enter, WAITS[-wait], -by


class Half:
    """Of a message. done: the visit that completes it."""

    def __init__(self, visit, thread, time, done):
        self.visit, self.thread, self.time, self.done = visit, thread, time, done


class Messages(Replay):
    def __init__(self, path):
        self.visits = []
        self.sends, self.receives = defaultdict(list), defaultdict(list)
        self.open, self.posted = {}, {}  # by (process, request)
        self.collectives = defaultdict(lambda: defaultdict(list))  # (comm, kind): process: [(visit, begin, thread, event)]
        self.pairs = defaultdict(lambda: [0, 0])
        self.counts = defaultdict(int)
        super().__init__(path)
        for key in set(self.sends) | set(self.receives):
            sends, receives = self.sends[key], self.receives[key]
            self.counts["unreceived"] += max(0, len(sends) - len(receives))
            self.counts["unsent"] += max(0, len(receives) - len(sends))
            for send, receive in zip(sends, receives):
                if receive.done:
                    receive.done.needs("late sender", send.time, send.thread)
                if send.done and receive.time < send.done.leave:
                    send.done.needs("late receiver", receive.time, receive.thread)
        for (comm, _), by_process in self.collectives.items():
            self.judge(comm, by_process)

    def visit(self, thread):
        return next((frame.visit for frame in thread.current.frames if getattr(frame, "visit", None)), None)

    def on_Enter(self, thread, event, time):
        caller, inside = thread.construct, self.visit(thread)
        super().on_Enter(thread, event, time)
        if event.region.paradigm == otf2.Paradigm.MPI and not inside:
            frame = thread.frame()
            frame.visit = Visit(thread, frame.construct, caller, time)
            self.visits.append(frame.visit)

    def on_Leave(self, thread, event, time):
        visit = getattr(thread.frame(), "visit", None)
        if visit:
            visit.leave = time
            self.leaves_mpi(thread, visit, time)
        super().on_Leave(thread, event, time)

    def leaves_mpi(self, thread, visit, time):
        pass

    def members(self, comm):
        """Processes by their rank in it; None when that is not known."""
        if comm is None or not hasattr(comm, "group") or comm.group is None:
            return None
        if comm.group.group_type == otf2.GroupType.COMM_SELF:
            return ()
        return [location.group if location is not None else None for location in comm.group.members]

    def half(self, thread, event, peer, time):
        """The message's key, without its direction, and its halves' visit."""
        members = self.members(event.communicator)
        if members == ():
            members = [thread.process]
        if members is None or peer >= len(members):
            return None, None
        return members[peer], Half(self.visit(thread), thread, time, self.visit(thread))

    def begin_of(self, thread, time):
        visit = self.visit(thread)
        return visit.enter if visit else time

    def sent(self, thread, event, time):
        peer, half = self.half(thread, event, event.receiver, self.begin_of(thread, time))
        self.counts["messages_sent"] += 1
        self.counts["bytes_sent"] += event.msg_length
        if peer is None:
            self.counts["unknown"] += 1
            return None
        self.sends[event.communicator, thread.process, peer, event.msg_tag].append(half)
        self.pairs[thread.process, peer][0] += 1
        self.pairs[thread.process, peer][1] += event.msg_length
        return half

    def on_MpiSend(self, thread, event, time):
        self.sent(thread, event, time)

    def on_MpiIsend(self, thread, event, time):
        half = self.sent(thread, event, time)
        if half:
            half.done = None
            self.open[thread.process, event.request_id] = half

    def on_MpiIsendComplete(self, thread, event, time):
        half = self.open.pop((thread.process, event.request_id), None)
        if half:
            half.done = self.visit(thread)

    def on_MpiIrecvRequest(self, thread, event, time):
        self.posted[thread.process, event.request_id] = self.begin_of(thread, time)

    on_NonBlockingCollectiveRequest = on_MpiIrecvRequest

    def received(self, thread, event, posted):
        peer, half = self.half(thread, event, event.sender, posted)
        if peer is not None:
            self.receives[event.communicator, peer, thread.process, event.msg_tag].append(half)

    def on_MpiRecv(self, thread, event, time):
        self.received(thread, event, self.begin_of(thread, time))

    def on_MpiIrecv(self, thread, event, time):
        self.received(thread, event, self.posted.pop((thread.process, event.request_id), self.begin_of(thread, time)))

    def on_MpiCollectiveEnd(self, thread, event, time):
        self.ends(thread, event, None, self.begin_of(thread, time))

    def on_NonBlockingCollectiveComplete(self, thread, event, time):
        begun = self.posted.pop((thread.process, event.request_id), self.begin_of(thread, time))
        self.ends(thread, event, event.collective_op, begun)

    def ends(self, thread, event, kind, begun):
        self.counts["collectives"] += 1
        if self.members(event.communicator) is None:
            self.counts["unknown"] += 1
            return
        self.collectives[event.communicator, kind][thread.process].append((self.visit(thread), begun, thread, event))

    def judge(self, comm, by_process):
        members = self.members(comm)
        if len(members) < 2:
            return
        most = max(map(len, by_process.values()))
        for number in range(most):
            parts = [by_process[process][number] if number < len(by_process[process]) else None for process in members]
            if None in parts:
                self.counts["incomplete"] += 1
                continue
            first = min(parts, key=lambda member: self.order_of(member))
            operation, root = first[3].collective_op, first[3].root
            for rank, (visit, begun, thread, _) in enumerate(parts):
                if operation in FROM_ONE:
                    wait, others = "late root", [parts[root]] if rank != root else []
                elif operation in TO_ONE:
                    wait, others = "early root", parts[:root] + parts[root + 1:] if rank == root else []
                else:
                    wait = "wait at barrier" if operation == CollectiveOp.BARRIER else "wait at collective"
                    others = parts[:rank] if operation in PREFIX else parts
                for _, other, by, _ in others:
                    if visit and other > begun:
                        visit.needs(wait, other, by)

    @staticmethod
    def order_of(member):
        return member[3].time, member[2].index
