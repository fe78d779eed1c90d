# SPDX-License-Identifier: BSD-3-Clause
"""Whether a document about a running program makes sense: seen.py top|snapshot FILE [RANKS]

top: a program is read, with its threads and named regions, or each of so many ranks. snapshot: constructs with places
and times that are not longer than the run.
"""
import json
import sys


def complaints_of_top(document, ranks):
    processes = document["processes"]
    if ranks and sorted(process["rank"] for process in processes) != list(range(ranks)):
        yield "ranks %s" % [process["rank"] for process in processes]
    for process in processes:
        sum_of_threads = sum(process[key] for key in ("work", "delayed", "blocked", "waits", "idle"))
        if process["status"] != "ok" or process["threads"] < 2 or not process["is_measured"]:
            yield "process %d: %s, %s threads" % (process["pid"], process["status"], process["threads"])
        if not 0 <= process["efficiency"] <= 1 or sum_of_threads > 1.1 * process["threads"]:
            yield "process %d: efficiency %s, times of %s threads" % (process["pid"], process["efficiency"], sum_of_threads)
        for region in process["regions"]:
            if region["region"].startswith("0x"):
                yield "process %d: a region without a name: %s" % (process["pid"], region["region"])


def complaints_of_snapshot(document, _):
    if not document["regions"]:
        yield "no regions"
    for region in document["regions"]:
        if not region["file"] and region["name"] != "mpi":
            yield "a construct without a place: %s" % region
        if region["time_ns"] > document["capacity_ns"]:
            yield "%s: %d ns of %d ns" % (region["file"], region["time_ns"], document["capacity_ns"])


with open(sys.argv[2], encoding="utf-8") as file:
    found = list({"top": complaints_of_top, "snapshot": complaints_of_snapshot}[sys.argv[1]](
        json.load(file), int(sys.argv[3]) if len(sys.argv) > 3 else 0))
print("\n".join(found))
sys.exit(1 if found else 0)
