# SPDX-License-Identifier: BSD-3-Clause
"""Reads a Cube 4 profile from its documented format: a tar archive of anchor.xml and, for each metric that has
values, N.index and N.data."""
import io
import struct
import tarfile
from xml.etree import ElementTree

INDEX_MARK, DATA_MARK = b"CUBEX.INDEX", b"CUBEX.DATA"
TYPES = {"UINT64": "Q", "DOUBLE": "d"}


class Profile:
    """metrics: from unique name to element, of which those within others are nested. regions: from identifier to
    element. paths: by call path's identifier, the names of its regions; the program's is the first of each.
    locations: names of process and thread by identifier. nodes: names and classes. rows: from metric to
    {call path: values by location}."""

    def __init__(self, data):
        self.files, self.problems = {}, []
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar.getmembers():
                self.files[member.name] = tar.extractfile(member).read()
                if not member.isfile() or (member.mtime, member.uid, member.gid) != (0, 0, 0):
                    self.problems.append(f"{member.name}: {member.get_info()}")
        if len(data) % 512 or data[-1024:] != bytes(1024):
            self.problems.append(f"the end of {len(data)} bytes")
        root = ElementTree.fromstring(self.files["anchor.xml"])
        self.root = root
        self.metrics = {metric.findtext("uniq_name"): metric for metric in root.iter("metric")}
        self.regions = {int(region.get("id")): region for region in root.iter("region")}
        self.paths, self.depths = [], []
        for node in root.find("program").findall("cnode"):
            self._read_calls(node, ())
        self.nodes = [(node.findtext("name"), node.findtext("class")) for node in root.iter("systemtreenode")]
        self.locations = {}
        for group in root.iter("locationgroup"):
            for location in group.findall("location"):
                self.locations[int(location.get("Id"))] = (group.findtext("name"), location.findtext("name"))
        self.rows = {name: self._read_rows(metric) for name, metric in self.metrics.items()}

    def _read_calls(self, node, around):
        if int(node.get("id")) != len(self.paths):  # both the order of the file and the order of indices
            self.problems.append(f"call path {node.get('id')} is the one with the number {len(self.paths)}")
        names = (*around, self.regions[int(node.get("calleeId"))].findtext("name"))
        self.paths.append(names)
        for child in node.findall("cnode"):
            self._read_calls(child, names)

    def _read_rows(self, metric):
        number, name = metric.get("id"), metric.findtext("uniq_name")
        index, data = self.files.get(f"{number}.index"), self.files.get(f"{number}.data")
        if index is None or data is None:
            if index != data:
                self.problems.append(f"{name}: one file of two")
            return {}
        mark, (one, version, kind, count) = index[:11], struct.unpack("<IHBI", index[11:22])
        calls = struct.unpack(f"<{count}I", index[22:])
        if (mark, one, version, kind) != (INDEX_MARK, 1, 0, 1) or list(calls) != sorted(set(calls)):
            self.problems.append(f"{name}: index {index[:40]}")
        places = len(self.locations)
        values = struct.unpack(f"<{count * places}{TYPES[metric.findtext('dtype')]}", data[len(DATA_MARK):])
        if data[:len(DATA_MARK)] != DATA_MARK or metric.get("type") != "EXCLUSIVE":
            self.problems.append(f"{name}: data {data[:20]}, type {metric.get('type')}")
        return {call: values[i * places:(i + 1) * places] for i, call in enumerate(calls)}

    def cells(self, metric):
        """The values that are not 0, from (location, call path) to whole numbers: times in ns."""
        scale = 1e9 if self.metrics[metric].findtext("uom") == "sec" else 1
        return {(location, self.paths[call]): round(value * scale) for call, row in self.rows[metric].items()
                for location, value in enumerate(row) if value}
