# SPDX-License-Identifier: BSD-3-Clause
"""The offset tables that libgomp.so.1 and libpomp.so export (include/shared/debug-fields.h). They are used
for what libompd.so does not show: numbers in the target, by the names of their structures and members."""
import struct

import gdb
from omp_library import address_of

MAGIC = b"ompinst\0"
HEADER = ("byte_order", "version", "header_bytes", "pointer_bytes", "root_count", "entry_bytes",
          "entry_count", "openmp_version")
NAME_BYTES = 40


class Table:
    """One library's table; `roots` in the order of its list."""

    def __init__(self, symbol):
        self.inferior = gdb.selected_inferior()
        base = address_of(symbol)
        start = bytes(self.inferior.read_memory(base, 8 + 4 * len(HEADER)))
        self.order = "<" if start[8:12] == b"\x04\x03\x02\x01" else ">"
        header = dict(zip(HEADER, struct.unpack(self.order + "%dI" % len(HEADER), start[8:])))
        if start[:8] != MAGIC or header["entry_count"] > 4096 or header["root_count"] > 64:
            raise gdb.error("%s is not ompinst's" % symbol)
        self.pointer = header["pointer_bytes"]
        roots = base + header["header_bytes"]
        self.roots = [self.number(roots + i * self.pointer, self.pointer)
                      for i in range(header["root_count"])]
        entries = roots + header["root_count"] * self.pointer
        size = header["entry_bytes"]
        data = bytes(self.inferior.read_memory(entries, size * header["entry_count"]))
        self.fields = {}
        for at in range(0, len(data), size):
            name = data[at:at + NAME_BYTES].split(b"\0")[0].decode()
            self.fields[name] = struct.unpack_from(self.order + "II", data, at + NAME_BYTES)

    def number(self, address, size):
        return int.from_bytes(bytes(self.inferior.read_memory(address, size)),
                              "little" if self.order == "<" else "big")

    def field(self, record, name):
        offset, size = self.fields[name]
        return self.number(record + offset, size)

    def put(self, record, name, value):
        offset, size = self.fields[name]
        self.inferior.write_memory(record + offset, value.to_bytes(
            size, "little" if self.order == "<" else "big"))

    def field_in(self, data, name, base=0):
        """The same for a record that was read in one piece."""
        offset, size = self.fields[name]
        return int.from_bytes(data[base + offset:base + offset + size],
                              "little" if self.order == "<" else "big")
