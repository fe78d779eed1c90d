# SPDX-License-Identifier: BSD-3-Clause
"""`omp profile`: what a program that was compiled by ompinst has measured so far, while it runs or from a
core file. The table in libpomp (include/shared/profile-fields.h) has the addresses of its sums."""
import ctypes
import os
import time

import gdb
from omp_library import in_c, load_library
from omp_rank import print_rank
from omp_table import Table
from omp_words import Command, native_threads

CHUNK_SHIFT = 5
MOST_THREADS = 1 << 20
COLUMNS = ("visits", "time", "self")


def nanoseconds_per_tick():
    """Measured here: the counter runs at the same rate on all processors of a machine."""
    counter = load_library().ompdx_read_counter
    counter.restype = ctypes.c_uint64
    begin, ticks = time.clock_gettime_ns(time.CLOCK_MONOTONIC), counter()
    time.sleep(0.02)
    elapsed = time.clock_gettime_ns(time.CLOCK_MONOTONIC) - begin
    ticks = counter() - ticks
    return elapsed / ticks if ticks else None


def text(address):
    if not address:
        return ""
    character = gdb.lookup_type("char").pointer()
    return gdb.Value(address).cast(character).string(errors="replace")


class Sums:
    """All regions of the process with their sums."""

    def __init__(self, table):
        self.table = table
        process, regions, threads = table.roots[:3]
        clock = process + table.fields["pomp_process.clock"][0]
        self.counts_ticks = table.field(clock, "pomp_clock.counter") != 0
        count = table.field(regions, "pomp_regions.count")
        entries = table.field(regions, "pomp_regions.entry")
        self.rows = {}
        for i in range(count):
            record = table.number(entries + i * table.pointer, table.pointer)
            total = record + table.fields["pomp_region.total"][0]
            self.rows[record] = {name: table.field(total, "pomp_region_total." + name)
                                 for name in COLUMNS}
            self.rows[record]["threads"] = 0
        thread, seen = table.field(threads, "pomp_threads.alive"), 0
        while thread and seen < MOST_THREADS:
            self.add_thread(thread)
            thread, seen = table.field(thread, "pomp_thread.next"), seen + 1

    def add_thread(self, thread):
        table = self.table
        chunks = table.field(thread, "pomp_thread.region_limit") >> CHUNK_SHIFT
        chunk, size = table.field(thread, "pomp_thread.chunk"), table.fields["pomp_accumulator"][1]
        for i in range(min(chunks, 1 << 20) if chunk else 0):
            address = table.number(chunk + i * table.pointer, table.pointer)
            if not address:
                continue
            data = bytes(table.inferior.read_memory(address, size << CHUNK_SHIFT))
            for base in range(0, len(data), size):
                row = self.rows.get(table.field_in(data, "pomp_accumulator.region", base))
                if row is None:
                    continue
                visits, whole, nested, inside = (
                    table.field_in(data, "pomp_accumulator." + name, base)
                    for name in ("visits", "all", "nested", "inside"))
                row["visits"] += visits
                row["time"] += (whole - nested) % (1 << 64)
                row["self"] += (whole - inside) % (1 << 64)
                row["threads"] += visits != 0

    def construct(self, record):
        table = self.table
        name = " ".join(filter(None, (text(table.field(record, "pomp_region." + part))
                                      for part in ("name", "sub_name"))))
        file = os.path.basename(text(table.field(record, "pomp_region.file")))
        return "%s at %s:%d-%d" % (name, file, table.field(record, "pomp_region.begin_first"),
                                   table.field(record, "pomp_region.end_last"))


class Profile(Command):
    """Show what was measured of each instrumented construct so far: omp profile [all]

    For programs compiled by ompinst. Visits and seconds, summed over threads; self is the time that
    was spent in no construct within. What has not been left yet is not in the times. threads are those
    alive that have visited it. Of a core file from another machine the seconds are those that its
    ticks would take here. Without `all` the constructs that were visited."""
    name = "profile"
    words = {"all": ""}

    @in_c
    def invoke(self, arguments, _from_tty):
        if arguments.split() not in ([], ["all"]):
            raise gdb.GdbError("omp profile: '%s': expected one of: all" % arguments)
        native_threads()
        try:
            sums = Sums(Table("pomp_debug_table"))
        except gdb.MemoryError as problem:
            raise gdb.GdbError("omp profile: libpomp's memory cannot be read (%s); a core file may be "
                               "truncated" % problem)
        except gdb.error:
            raise gdb.GdbError("omp profile: this program is not instrumented: compile it with "
                               "`ompinst gcc ...` and start it (`run`, `start`)")
        print_rank()
        self.show_rows(sums, bool(arguments.split()))

    @staticmethod
    def show_rows(sums, with_unvisited):
        tick = nanoseconds_per_tick() if sums.counts_ticks else 1.0
        if tick is None:
            print("times are in ticks: this machine has no counter to compare with")
        rows = [(record, row) for record, row in sums.rows.items()
                if row["visits"] or with_unvisited]
        if not rows:
            print("No instrumented construct has been visited yet.")
            return
        rows.sort(key=lambda item: -item[1]["time"])
        print("%12s %12s %12s %8s  construct" % ("visits", "time", "self", "threads"))
        for record, row in rows:
            times = ["%.6f" % (row[name] * tick / 1e9) if tick is not None else str(row[name])
                     for name in ("time", "self")]
            print("%12d %12s %12s %8d  %s" % (row["visits"], times[0], times[1], row["threads"],
                                              sums.construct(record)))
