#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hot_region.py SUMMARY.json: the parallel region with the most time, as `construct function file:line calls`.

Exits with 1 when there is none, or it has no name: neither a file with a line nor a module with an offset.
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    summary = json.load(file)
regions = [region for region in summary["regions"] if region["name"] == "parallel" and region["visits"] > 0]
if not regions:
    sys.exit(f"{sys.argv[1]}: no parallel region was measured")
hot = max(regions, key=lambda region: region["time_ns"])
place = f"{hot['file']}:{hot['begin_line']}" if hot["begin_line"] else hot["file"]
print(f"{len(regions)} parallel regions; the hottest: {hot['name']} {hot.get('function', '')} {place}, "
      f"{hot['visits']} visits, {hot['time_ns'] / 1e6:.2f} ms")
sys.exit(0 if hot["file"] else f"{sys.argv[1]}: the region has no name")
