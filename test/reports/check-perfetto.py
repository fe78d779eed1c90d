#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompreport export --perfetto`, read with protobuf's own library by Perfetto's published schema (the
fields below, by their numbers): the same slices as --csv has, on a track for each thread, nested; of several ranks
one flow for each message that python3-otf2 finds, at its times; --chrome has the same. Both have the samples of --folded.

Usage: check-perfetto.py OMPREPORT MAKE_ARCHIVE      Exit status 77 without python3-protobuf.
"""
import collections
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import otf2
except ImportError:
    otf2 = None
try:
    from protobuf_schema import message_class
except ImportError:
    print("python3-protobuf is not installed")
    sys.exit(77)

OMPREPORT, MAKE_ARCHIVE = sys.argv[1:3]
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
STATE_CLEARED, NEEDS_STATE = 1, 2
failures = []

# protos/perfetto/trace/**.proto: message, then (field, number, type); a capital letter is a message, * repeated.
SCHEMA = {
    "Trace": (("packet", 1, "*TracePacket"),),
    "TracePacket": (("timestamp", 8, "uint64"), ("trusted_packet_sequence_id", 10, "uint32"),
                    ("track_event", 11, "TrackEvent"), ("interned_data", 12, "InternedData"),
                    ("sequence_flags", 13, "uint32"), ("timestamp_clock_id", 58, "uint32"),
                    ("track_descriptor", 60, "TrackDescriptor"), ("perf_sample", 66, "PerfSample")),
    "PerfSample": (("pid", 2, "uint32"), ("tid", 3, "uint32"), ("callstack_iid", 4, "uint64")),
    "InternedString": (("iid", 1, "uint64"), ("str", 2, "bytes")),
    "Mapping": (("iid", 1, "uint64"), ("path_string_ids", 7, "*uint64")),
    "Frame": (("iid", 1, "uint64"), ("function_name_id", 2, "uint64"), ("mapping_id", 3, "uint64"), ("rel_pc", 4, "uint64"),
              ("source_path_iid", 5, "uint64"), ("line_number", 6, "uint32")),
    "Callstack": (("iid", 1, "uint64"), ("frame_ids", 2, "*uint64")),
    "TrackEvent": (("category_iids", 3, "*uint64"), ("debug_annotations", 4, "*DebugAnnotation"), ("type", 9, "int32"), ("name_iid", 10, "uint64"),
                   ("track_uuid", 11, "uint64"), ("categories", 22, "*string"), ("name", 23, "string"),
                   ("counter_value", 30, "int64"), ("source_location_iid", 34, "uint64"), ("flow_ids", 47, "*fixed64"),
                   ("terminating_flow_ids", 48, "*fixed64")),
    "DebugAnnotation": (("name_iid", 1, "uint64"), ("uint_value", 3, "uint64")),
    "TrackDescriptor": (("uuid", 1, "uint64"), ("name", 2, "string"), ("process", 3, "ProcessDescriptor"),
                        ("thread", 4, "ThreadDescriptor"), ("parent_uuid", 5, "uint64"),
                        ("counter", 8, "CounterDescriptor")),
    "CounterDescriptor": (("unit_name", 6, "string"),),
    "ProcessDescriptor": (("pid", 1, "int32"), ("cmdline", 2, "*string"), ("process_name", 6, "string")),
    "ThreadDescriptor": (("pid", 1, "int32"), ("tid", 2, "int32"), ("thread_name", 5, "string")),
    "InternedData": (("event_categories", 1, "*EventCategory"), ("event_names", 2, "*EventName"),
                     ("debug_annotation_names", 3, "*DebugAnnotationName"), ("source_locations", 4, "*SourceLocation"),
                     ("function_names", 5, "*InternedString"), ("frames", 6, "*Frame"), ("callstacks", 7, "*Callstack"),
                     ("mapping_paths", 17, "*InternedString"), ("source_paths", 18, "*InternedString"),
                     ("mappings", 19, "*Mapping")),
    "DebugAnnotationName": (("iid", 1, "uint64"), ("name", 2, "string")),
    "EventCategory": (("iid", 1, "uint64"), ("name", 2, "string")),
    "EventName": (("iid", 1, "uint64"), ("name", 2, "string")),
    "SourceLocation": (("iid", 1, "uint64"), ("file_name", 2, "string"), ("function_name", 3, "string"),
                       ("line_number", 4, "uint32")),
}


def expect(condition, message):
    if not condition:
        failures.append(message)


def export(target, path, options):
    done = subprocess.run([OMPREPORT, "export", target, path, *options], stdout=subprocess.PIPE, check=True,
                          stderr=subprocess.DEVNULL)
    return done.stdout


def known_only(message):
    """Nothing that the schema does not have, at any depth."""
    if message.ByteSize() != len(message.SerializeToString()):
        return False
    unknown = message.UnknownFields() if hasattr(message, "UnknownFields") else ()
    return len(unknown) == 0 and all(
        known_only(part) for field, value in message.ListFields() if field.message_type
        for part in (value if field.label == field.LABEL_REPEATED else [value]))


class Reader:
    """What trace_processor makes of it: stacks of slices by track, in the order of time, then of the file."""

    def __init__(self, trace, where):
        self.slices, self.threads, self.processes, self.places = [], {}, {}, {}
        self.counters, self.sends, self.receives = {}, {}, {}
        names, events, state = {}, [], False
        self.annotations = {}
        self.samples, self.interned = [], collections.defaultdict(dict)
        for packet in trace.packet:
            expect(known_only(packet), f"{where}: fields that the schema does not have: {packet}")
            expect(packet.trusted_packet_sequence_id > 0, f"{where}: a packet without sequence")
            state |= bool(packet.sequence_flags & STATE_CLEARED)
            for entry in packet.interned_data.event_names:
                expect(entry.iid not in names and entry.iid > 0, f"{where}: interned twice: {entry}")
                names[entry.iid] = entry.name
            for entry in packet.interned_data.debug_annotation_names:
                self.annotations[entry.iid] = entry.name
            for entry in packet.interned_data.source_locations:
                self.places[names[entry.iid]] = (entry.file_name, entry.line_number)
            for kind in ("function_names", "frames", "callstacks", "mapping_paths", "source_paths", "mappings"):
                for entry in getattr(packet.interned_data, kind):
                    expect(entry.iid > 0 and entry.iid not in self.interned[kind], f"{where}: {kind} interned twice: {entry}")
                    self.interned[kind][entry.iid] = entry
            if packet.HasField("perf_sample"):
                expect(state and packet.sequence_flags & NEEDS_STATE, f"{where}: sample before the state")
                self.add_sample(packet)
            if packet.HasField("track_descriptor"):
                self.add_track(packet.track_descriptor, where)
            if packet.HasField("track_event"):
                expect(state and packet.sequence_flags & NEEDS_STATE, f"{where}: event before the state")
                events.append(packet)
        events.sort(key=lambda packet: packet.timestamp)
        self.add_slices(events, names, where)

    def add_sample(self, packet):
        """(time, thread, (function, file, line) of each frame from the outermost one)"""
        thread = next(t for t in self.threads.values() if t.tid == packet.perf_sample.tid and t.pid == packet.perf_sample.pid)
        stack = []
        for number in self.interned["callstacks"][packet.perf_sample.callstack_iid].frame_ids:
            frame = self.interned["frames"][number]
            assert self.interned["mappings"][frame.mapping_id].path_string_ids[0] in self.interned["mapping_paths"]
            file = self.interned["source_paths"][frame.source_path_iid].str if frame.source_path_iid else b""
            stack.append((self.interned["function_names"][frame.function_name_id].str.decode(), file.decode(), frame.line_number))
        self.samples.append((packet.timestamp, thread.thread_name, tuple(stack)))

    def add_track(self, track, where):
        if track.HasField("process"):
            self.processes[track.process.pid] = track
        elif track.HasField("counter"):
            self.counters[track.uuid] = (self.threads[track.parent_uuid].thread_name, track.name, track.counter.unit_name, [])
        else:
            expect(track.parent_uuid == self.processes[track.thread.pid].uuid, f"{where}: {track}")
            self.threads[track.uuid] = track.thread

    def add_slices(self, events, names, where):
        stacks = {uuid: [] for uuid in self.threads}
        for packet in events:
            event = packet.track_event
            if event.type == COUNTER:
                self.counters[event.track_uuid][3].append((packet.timestamp, event.counter_value))
                continue
            stack = stacks[event.track_uuid]
            if event.type == BEGIN:
                stack.append((names[event.name_iid], packet.timestamp))
            elif event.type == INSTANT:
                self.add_message(packet.timestamp, event, names[event.name_iid], stack, where)
            else:
                expect(event.type == END, f"{where}: type {event.type}")
                name, begin = stack.pop()
                self.slices.append((self.threads[event.track_uuid].thread_name, len(stack), name, begin,
                                    packet.timestamp))
        expect(not any(stacks.values()), f"{where}: never closed: {stacks}")


    def add_message(self, time, event, name, stack, where):
        """(time, pid, the rank of the other end, tag, bytes, what it happened in, thread)"""
        flows, ends = (event.flow_ids, self.sends) if name == "send" else (event.terminating_flow_ids, self.receives)
        said = {self.annotations[entry.name_iid]: entry.uint_value for entry in event.debug_annotations}
        expect(len(flows) == 1 and flows[0] not in ends, f"{where}: {name} with the flows {list(flows)}")
        ends[flows[0]] = (time, self.threads[event.track_uuid].pid, said["rank"], said["tag"], said["bytes"],
                          stack[-1][0] if stack else None, self.threads[event.track_uuid].thread_name)

    def flows(self):
        """(sender, sent, receiver, received, tag, bytes), without those that have one end only."""
        return sorted((s[1] - 1, s[0], r[1] - 1, r[0], s[3], s[4]) for s, r in (
            (self.sends[number], self.receives[number]) for number in self.sends.keys() & self.receives.keys()))


def messages_of(path):
    """The same of the archive itself, by communicator, sender, receiver and tag in the order of each."""
    sends, receives = collections.defaultdict(list), collections.defaultdict(list)
    with otf2.reader.open(str(path / "traces.otf2")) as trace:
        groups = {group._ref: rank for rank, group in enumerate(trace.definitions.location_groups)}
        start, scale, requests = None, 10 ** 9 / trace.timer_resolution, {}
        for location, event in trace.events:
            start = event.time if start is None else start
            kind, own = type(event).__name__, groups[location.group._ref]
            nanoseconds = int((event.time - start) * scale)
            if kind in ("MpiSend", "MpiIsend"):
                peer = member(event, event.receiver, own, groups)
                queue = sends[event.communicator._ref, own, peer, event.msg_tag]
                queue.append([nanoseconds, event.msg_length])
                if kind == "MpiIsend":
                    requests[own, event.request_id] = queue, queue[-1]
            elif kind in ("MpiIsendComplete", "MpiRequestCancelled"):
                queue, entry = requests.pop((own, event.request_id), (None, None))
                if queue and kind == "MpiRequestCancelled":
                    queue[:] = [other for other in queue if other is not entry]
            elif kind in ("MpiRecv", "MpiIrecv"):
                peer = member(event, event.sender, own, groups)
                receives[event.communicator._ref, peer, own, event.msg_tag].append(nanoseconds)
    return sorted((key[1], send[0], key[2], time, key[3], send[1]) for key in sends
                  for send, time in zip(sends[key], receives[key]))


def folded(stacks):
    return sorted(f"{';'.join(stack)} {count}" for stack, count in collections.Counter(stacks).items())


def check_samples(trace_type, path):
    wanted = sorted(export("--folded", path, []).decode().splitlines())
    found = compare(trace_type, path, [])
    expect(folded(tuple(name for name, *_ in stack) for _, _, stack in found.samples) == wanted, f"samples: {found.samples}")
    expect(found.samples[0] == (4_000_000, "Master thread", (("main", "/src/app/main.c", 7),)), f"samples: {found.samples[0]}")
    data = json.loads(export("--chrome", path, []))
    frames, stacks, times = data["stackFrames"], [], []
    for event in data["traceEvents"]:
        if event["ph"] != "P":
            continue
        at, stack = str(event["sf"]), ["(waiting)"] if event["name"] == "waiting" else []
        while at in frames:
            stack.insert(0, frames[at]["name"])
            at = str(frames[at].get("parent"))
        stacks.append(tuple(stack))
        times.append((round(event["ts"] * 1000), event["tid"]))
    expect(folded(stacks) == wanted, f"--chrome: samples: {stacks}")
    expect(times == [(time, int(name != "Master thread")) for time, name, _ in found.samples], f"--chrome: samples: {times}")
    part = compare(trace_type, path, ["--thread=1", "--region=for"])
    expect(len(part.samples) == 12 and {thread for _, thread, _ in part.samples} == {"OMP thread 1"}, f"samples: {part.samples}")


def member(event, rank, own, groups):
    members = event.communicator.group.members
    return own if len(members) == 0 else groups[members[rank].group._ref]


def check_ranks(trace_type, path):
    found = compare(trace_type, path, [])
    names = [found.processes[pid].process.process_name for pid in sorted(found.processes)]
    expect(names == [f"rank {rank} (machine)" for rank in range(4)], f"{path.name}: processes {names}")
    flows = found.flows()
    expect(len(flows) > 3 and all(flow[1] <= flow[3] for flow in flows), f"{path.name}: {len(flows)} flows, {flows[:3]}")
    expect(all(end[5] and end[5].startswith("MPI_") for ends in (found.sends, found.receives) for end in ends.values()),
           f"{path.name}: a message outside of calls")
    if otf2:
        wanted = messages_of(path)
        expect(flows == wanted, f"{path.name}: flows {flows[:4]}, messages {wanted[:4]}")
    ends = collections.defaultdict(dict)
    for event in json.loads(export("--chrome", path, []))["traceEvents"]:
        if event["ph"] in "sf":
            expect(event["id"] not in ends[event["ph"]], f"{path.name}: --chrome has {event} twice")
            ends[event["ph"]][event["id"]] = (event["pid"], round(event["ts"] * 1000), event["args"])
    chrome = sorted((s[0], s[1], r[0], r[1], s[2]["tag"], s[2]["bytes"]) for s, r in (
        (ends["s"][number], ends["f"][number]) for number in ends["s"].keys() & ends["f"].keys()))
    expect(chrome == flows, f"{path.name}: --chrome has the flows {chrome[:3]}, --perfetto {flows[:3]}")
    part = compare(trace_type, path, ["--thread=2"])
    expect(not part.flows() and part.sends.keys() | part.receives.keys() ==
           {n for ends in (found.sends, found.receives) for n, end in ends.items() if end[6] == "OMP thread 2"}, f"{path.name}: --thread")


def as_in_csv(name):
    """What a spreadsheet or a terminal would obey is defused there, and there alone."""
    name = re.sub("[\x00-\x09\x0b-\x1f\x7f-\x9f]", "\ufffd", name)
    return "'" + name if name[:1] in ("=", "+", "-", "@") else name


def readable(text):
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def compare(trace_type, path, options):
    where = f"{path.name} {' '.join(options)}"
    text = export("--csv", path, options).decode("utf-8", "surrogateescape")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    trace = trace_type.FromString(export("--perfetto", path, options))
    found = Reader(trace, where)
    # With a part of the regions or times chosen, what is around a slice may be gone: depth is its own.
    whole = not options
    wanted = sorted((readable(row["thread"]), int(row["depth"]) * whole, readable(row["region"]),
                     int(row["begin_ns"]), int(row["end_ns"])) for row in rows)
    slices = sorted((as_in_csv(name), depth * whole, *rest) for name, depth, *rest in found.slices)
    if path.name.startswith("names"):  # each reader has its own number of U+FFFD for bad bytes
        wanted, slices = [[(s[0], s[3], s[4]) for s in side] for side in (wanted, slices)]
    expect(slices == wanted, f"{where}: {len(slices)} slices, --csv has {len(wanted)}: "
                             f"{[s for s in slices if s not in wanted][:3]}, {[s for s in wanted if s not in slices][:3]}")
    return found


def main():
    trace_type = message_class("Trace", SCHEMA, "perfetto.protos")
    with tempfile.TemporaryDirectory() as temporary:
        for scenario in ("uneven", "mixed", "tasks", "nested", "ranks", "foreign", "names", "nothing", "large"):
            path = Path(temporary) / scenario
            subprocess.run([MAKE_ARCHIVE, scenario, path, "7"], check=True)
            found = compare(trace_type, path, [])
            expect(len(found.slices) > 5 or scenario == "nothing", f"{scenario}: {len(found.slices)} slices")
            choices = [["--min-duration=300us"], ["--from=1ms", "--to=3ms"]]
            if scenario != "nothing":
                choices.append(["--thread=1"])
            if any("for" in region for _, _, region, *_ in found.slices):
                choices += [["--region=for"], ["--region=for", "--min-duration=10us", "--from=500us"]]
            for options in choices:
                compare(trace_type, path, options)
            if scenario == "uneven":
                expect(found.places["for @solver.c:12"] == ("/src/app/solver.c", 12), f"places: {found.places}")
                expect(list(found.processes[1].process.cmdline) == ["./solver", "--size=1000"], "command line")
            if scenario == "ranks":
                names = [found.processes[pid].process.process_name for pid in sorted(found.processes)]
                expect(names == ["process 0 (Process)", "process 1 (Process)"], f"processes {names}")
                expect(len(found.processes) == 2 and {t.pid for t in found.threads.values()} == {1, 2}, "ranks")
        path = Path(temporary) / "fleet"
        subprocess.run([MAKE_ARCHIVE, "fleet", path, "3"], check=True)
        counters = {thread: (name, unit, [value for _, value in values])
                    for thread, name, unit, values in compare(trace_type, path, []).counters.values()}
        # A value that did not change is not written again: thread 0 of each process counts none.
        expect(len(counters) == 48 and counters["OMP thread 21"] == ("loads", "#", list(range(5, 55, 5))) and
               counters["OMP thread 32"][2] == [0], f"fleet: {len(counters)} counters, {counters.get('OMP thread 21')}")
        path = Path(temporary) / "profiled"
        subprocess.run([MAKE_ARCHIVE, "profiled", path, "3"], check=True)
        check_samples(trace_type, path)
        for scenario in ("hybrid", "messages"):
            path = Path(temporary) / scenario
            subprocess.run([MAKE_ARCHIVE, scenario, path, "7"], check=True)
            check_ranks(trace_type, path)
    for failure in failures[:20]:
        print(f"FAIL: {failure}")
    return 1 if failures else 0


sys.exit(main())
