# SPDX-License-Identifier: BSD-3-Clause
"""Reads the data of each rank back from a page of many ranks, as the page's script does."""
import base64
import json
import re


def numbers(text):
    """Of seven bits a byte, lowest first; the eighth bit means that more bytes follow."""
    found, number, shift = [], 0, 0
    for byte in base64.b64decode(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(number)
            number, shift = 0, 0
    return found


def mixes(text, parts):
    """The eighths of each activity."""
    found, mix = [], {}
    for byte in base64.b64decode(text):
        mix[byte & 15] = (byte >> 4) + 1
        if sum(mix.values()) == 8:
            found.append([mix.get(activity, 0) for activity in range(parts)])
            mix = {}
    return found


def cells(text):
    """Indices of mixes; 0 and a number repeat the one before."""
    found, given = [], iter(numbers(text))
    for number in given:
        found += [number - 1] if number else [found[-1]] * next(given)
    return found


def pieces(values, size):
    return [values[at:at + size] for at in range(0, len(values), size)]


class RankPage:
    """The page's text, and its data by rank: numbers, threads, groups, times and rows, which are lists of eighths by activity."""

    def __init__(self, text):
        self.text = text
        found = re.search(r'<script type="application/json" id="rank-data">(.*?)</script>', text, re.S)
        self.data = json.loads(found.group(1)) if found else None
        if not found:
            return
        data = self.data
        self.parts = [title for title, _ in data["parts"]]
        self.activities = [css for css, _ in data["activities"]]
        self.numbers, number = [], 0
        for step in numbers(data["numbers"]):
            number += step
            self.numbers.append(number)
        self.threads, self.groups = numbers(data["threads"]), numbers(data["groups"])
        self.labels = [data["labels"][place - 1] if place else "" for place in numbers(data["places"])]
        self.times = pieces(numbers(data["times"]), len(self.parts))
        self.thread_times = pieces(numbers(data["thread_times"]), len(self.parts)) if "thread_times" in data else None
        table = mixes(data["mixes"], len(self.activities))
        self.mix_count = len(table)
        self.rows = [[table[cell] for cell in row] for row in pieces(cells(data["rows"]), data["steps"])]

    def sum(self, part):
        return sum(times[self.parts.index(part)] for times in self.times)

    def share(self, rank, part):
        return self.times[rank][self.parts.index(part)] / self.threads[rank] / self.data["wall"]
