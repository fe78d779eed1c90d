# SPDX-License-Identifier: BSD-3-Clause
"""Reads an archive of many ranks with the OTF2 project's own readers and proves that it is sound.

Sound: otf2-print reads it without a word on stderr; location ids are dense, each rank's together; on each
location time never goes back and enter and leave match; every send has its receive, in the order of each
(communicator, sender, receiver, tag), with the same bytes, and none arrives before it was sent; every request
that was begun is done or cancelled once; all members of a communicator take part in the same collectives.
"""
import collections
import pathlib
import re
import subprocess
import sys

try:
    import otf2
    from otf2.enums import GroupType, Paradigm, RegionRole
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

sys.path.append(str(pathlib.Path(__file__).parents[1] / "pomp"))
import trace_facts

UNDEFINED = (1 << 64) - 1


def fail(text):
    sys.exit(f"archive: {text}")


class Ranks:
    """What an archive says, with ranks in place of locations."""

    def __init__(self, path):
        printed = subprocess.run(["otf2-print", path], capture_output=True, text=True)
        if printed.returncode or printed.stderr:
            fail(f"otf2-print ended with {printed.returncode}: {printed.stderr[:400]}")
        output = subprocess.run(["otf2-print", "-I", path], capture_output=True, text=True).stdout
        self.properties = dict(re.findall(r"Property name\s+(\S+)\nProperty value\s+(\S+)", output))
        self.events = collections.Counter()
        self.of_location = collections.defaultdict(collections.Counter)
        self.sends = collections.defaultdict(list)
        self.receives = collections.defaultdict(list)
        self.collectives = collections.defaultdict(collections.Counter)
        self.waits = []  # (rank, region, nanoseconds), one for each visit of an MPI function
        self.leaves = collections.defaultdict(list)
        self.enters = collections.defaultdict(list)  # (rank, region): times
        self.useful = collections.defaultdict(list)  # of a location in each team: time outside of barriers in which it ran
        self.absent = collections.Counter()  # of a location: ticks without a processor or blocked, so far
        with otf2.reader.open(path) as trace:
            definitions = trace.definitions
            self.resolution = trace.timer_resolution
            groups = list(definitions.location_groups)
            self.rank_count = len(groups)
            self.location_count = len(list(definitions.locations))
            self.rank_of = self.number_locations(definitions, groups)
            self.names = [group.name for group in groups]
            self.groups = groups
            self.comms = {comm._ref: self.members(comm) for comm in definitions.comms
                          if comm.group.paradigm == Paradigm.MPI}
            self.comm_names = {comm._ref: comm.name for comm in definitions.comms}
            self.check_groups(definitions)
            self.read(trace)

    @staticmethod
    def number_locations(definitions, groups):
        place = {group._ref: i for i, group in enumerate(groups)}
        rank_of = {}
        for i, location in enumerate(definitions.locations):
            if location._ref != i:
                fail(f"location {i} has the id {location._ref}")
            rank_of[i] = place[location.group._ref]
        if sorted(rank_of.values()) != list(rank_of.values()):
            fail(f"the ranks' locations are not together: {rank_of}")
        return rank_of

    def members(self, comm):
        """World ranks by the communicator's own; None: MPI_COMM_SELF."""
        if comm.group.group_type == GroupType.COMM_SELF:
            return None
        return [self.rank_of[location._ref] if location is not None else None
                for location in comm.group.members]

    @staticmethod
    def check_groups(definitions):
        found = [group.paradigm for group in definitions.groups
                 if group.group_type == GroupType.COMM_LOCATIONS]
        if len(found) != 2 or Paradigm.MPI not in found or Paradigm.OPENMP not in found:
            fail(f"groups of locations: {found}")

    def partner(self, rank, comm, peer):
        members = self.comms[comm._ref]
        return rank if members is None else members[peer]

    def read(self, trace):
        time_of, stacks, barriers = {}, collections.defaultdict(list), collections.Counter()
        requests = collections.defaultdict(dict)
        for location, event in trace.events:
            kind, place = type(event).__name__, location._ref
            rank = self.rank_of[place]
            if event.time < time_of.get(place, 0):
                fail(f"location {place}: time goes back at {kind}")
            time_of[place] = event.time
            if trace_facts.is_beside(event):
                if kind != "Metric":
                    continue
                absent = sum(event.values[:2]) * self.resolution // 10**9
                if place in barriers and not (stacks[place] and stacks[place][-1][2]):
                    barriers[place] += absent - self.absent[place]
                self.absent[place] = absent
                continue
            self.events[kind] += 1
            self.of_location[place][kind] += 1
            if kind in ("ThreadTeamBegin", "ThreadTeamEnd"):
                barriers[place] += event.time if kind == "ThreadTeamBegin" else -event.time
                if kind == "ThreadTeamEnd":
                    self.useful[place].append(-barriers.pop(place))
            if kind == "Enter":
                is_barrier = event.region.region_role in (RegionRole.BARRIER, RegionRole.IMPLICIT_BARRIER)
                stacks[place].append((event.region.name, event.time, is_barrier))
                self.enters[rank, event.region.name].append(event.time)
            elif kind == "Leave":
                name, entered, is_barrier = stacks[place].pop() if stacks[place] else (None, 0, False)
                if name != event.region.name:
                    fail(f"location {place}: left {event.region.name}, {name} was open")
                self.leaves[rank, name].append(event.time)
                if is_barrier and place in barriers:
                    barriers[place] += event.time - entered
                if event.region.paradigm == Paradigm.MPI:
                    self.waits.append((rank, name, (event.time - entered) * 1e9 / self.resolution))
            else:
                self.note(rank, kind, event, requests[rank])
        for place, stack in stacks.items():
            if stack:
                fail(f"location {place}: {stack} stay open")
        for rank, open_requests in requests.items():
            if open_requests:
                fail(f"rank {rank}: requests never done: {list(open_requests.items())[:5]}")

    def note(self, rank, kind, event, requests):
        if kind in ("MpiSend", "MpiIsend"):
            to = self.partner(rank, event.communicator, event.receiver)
            key = (event.communicator._ref, rank, to, event.msg_tag)
            self.sends[key].append((event.time, event.msg_length))
        if kind in ("MpiRecv", "MpiIrecv"):
            sender = self.partner(rank, event.communicator, event.sender)
            key = (event.communicator._ref, sender, rank, event.msg_tag)
            # Messages match receives in the order in which these were posted, not in which they were done.
            posted = requests.get(event.request_id, event.time) if kind == "MpiIrecv" else event.time
            self.receives[key].append((posted, event.time, event.msg_length))
        if kind in ("MpiIsend", "MpiIrecvRequest", "NonBlockingCollectiveRequest"):
            if event.request_id in requests:
                fail(f"rank {rank}: request {event.request_id} begins twice")
            requests[event.request_id] = event.time
        if kind in ("MpiIsendComplete", "MpiIrecv", "MpiRequestCancelled", "NonBlockingCollectiveComplete"):
            if requests.pop(event.request_id, None) is None:
                fail(f"rank {rank}: {kind} of request {event.request_id}, which is not open")
        if kind in ("MpiCollectiveEnd", "NonBlockingCollectiveComplete"):
            self.collectives[event.communicator._ref, str(event.collective_op)][rank] += 1

    def visits(self, rank, region, end):
        """Times at which a rank entered (end 0) or left (1) a region."""
        return (self.leaves if end else self.enters)[rank, region]

    def check_messages(self, partial=False):
        """Returns messages and bytes sent. partial: the events end early, so receives may be missing."""
        for key in set(self.sends) | set(self.receives):
            sent, received = self.sends[key], sorted(self.receives[key])
            if len(sent) < len(received) or (len(sent) != len(received) and not partial):
                fail(f"{key}: {len(sent)} sent, {len(received)} received")
            for (start, length), (_, end, arrived) in zip(sent, received):
                if length != arrived:
                    fail(f"{key}: {length} bytes sent, {arrived} received")
                if end < start:
                    fail(f"{key}: received {start - end} ticks before it was sent")
        return (sum(map(len, self.sends.values())),
                sum(length for sent in self.sends.values() for _, length in sent))

    def check_collectives(self):
        for (comm, operation), counts in self.collectives.items():
            members = self.comms[comm]
            if members is None:
                continue  # MPI_COMM_SELF: each rank has its own
            expected = set(members)
            if set(counts) != expected or len(set(counts.values())) != 1:
                fail(f"{operation} on {self.comm_names[comm]!r}: {dict(counts)}, members {expected}")
