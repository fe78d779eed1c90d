#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is the checker's memory that of C11? check-model.py CHECK-LITMUS [--seed N] [--programs N] [--unreduced N]

Runs small programs (litmus.c has their form) under the checker and holds the set of their outcomes
against all executions that the axioms allow, enumerated here independently: every choice of what each
load reads and of each location's modification order, such that (C11, 5.1.2.4 and 7.17.3; C++20, 31.4)

  - sequenced-before and reads-from together have no circle (nothing is read before it is written)
  - happens-before is coherent with the modification orders and with what is read
  - a read-modify-write comes right behind what it read
  - a total order of the sequentially consistent operations exists that agrees with happens-before and,
    for each location, with the order of its operations

First the programs that the literature knows, then random ones; a data race is an outcome, too. The
checker must find exactly these outcomes, with its reduction and (of smaller programs, and at most --unreduced random
ones) without it.
"""

import argparse
import itertools
import random
import subprocess
import sys
import os

ACQUIRES = "abs"
RELEASES = "ebs"
# Program, an outcome, whether C11 allows it (x86 shows few of those that it does).
KNOWN = [
    ("store buffering", "Wxr1 Lyr|Wyr1 Lxr", "0|0|110", True),
    ("store buffering, sequential", "Wxs1 Lys|Wys1 Lxs", "0|0|110", False),
    ("store buffering, released", "Wxe1 Lya|Wye1 Lxa", "0|0|110", True),
    ("message", "Wxr1 Wyr1|Lyr Lxr", "|10|110", True),
    ("message, released", "Wxr1 Wye1|Lya Lxr", "|10|110", False),
    ("message, not acquired", "Wxr1 Wye1|Lyr Lxr", "|10|110", True),
    ("message through an update", "Wxr1 Wye1|Ayr1|Lya Lxr", "|1|20|120", False),
    ("message through a store", "Wxr1 Wye1|Lyr Wyr2|Lya Lxr", "|1|20|120", True),
    ("independent reads", "Wxe1|Wye1|Lxa Lya|Lya Lxa", "||10|10|110", True),
    ("independent reads, sequential", "Wxs1|Wys1|Lxs Lys|Lys Lxs", "||10|10|110", False),
    ("two writes each", "Wxr1 Wyr2|Wyr1 Wxr2", "||110", True),
    ("two writes each, sequential", "Wxs1 Wys2|Wys1 Wxs2", "||110", False),
    ("load buffering", "Lxr Wyr1|Lyr Wxr1", "1|1|110", False),
    ("coherence of reads", "Wxr1|Lxr Lxr", "|10|100", False),
    ("a store behind a sequential one", "Wxs1 Wyr1|Lyr Lxs", "|10|110", True),
    ("a sequential load behind a release", "Wxs1 Wye1|Lys|Wys2 Lxs", "|1|0|120", False),
    ("read to write", "Wxs1|Lxa Lys|Wys1 Lxs", "|10|0|110", False),
    ("two updates", "Axr1|Axr1", "0|0|200", False),
    ("two exchanges", "Cxr01|Cxr02", "0|0|200", False),
    ("plain data, released", "p Wye1|Cya12 q", "race", True),
    ("plain data of one thread", "p q Wye1|Lya", "race", False),
]


class Event:
    def __init__(self, number, thread, word):
        self.number = number
        self.thread = thread
        self.kind = word[0]
        self.location = word[1] if len(word) > 1 else "d"
        self.order = word[2] if len(word) > 2 else "-"
        self.values = [int(digit) for digit in word[3:]]

    def reads(self):
        return self.kind in "LXACF"

    def may_write(self):
        return self.kind in "WXACI"


def parse(text):
    events = [Event(i, -1, f"I{location}r0") for i, location in enumerate("xyz")]
    for thread, words in enumerate(text.split("|")):
        for word in words.split():
            events.append(Event(len(events), thread, word))
    return events


def closure(size, pairs):
    """Bit sets of what follows each event; None when there is a circle."""
    after = [0] * size
    for a, b in pairs:
        after[a] |= 1 << b
    for middle in range(size):
        for event in range(size):
            if after[event] >> middle & 1:
                after[event] |= after[middle]
    return None if any(after[event] >> event & 1 for event in range(size)) else after


def values_of(events, source):
    """What each event reads and writes, or None where that is no execution."""
    read = {}
    written = {event.number: event.values[0] for event in events if event.kind in "IW"}
    waiting = [event for event in events if event.reads()]
    while waiting:
        for event in waiting:
            origin = source[event.number]
            if origin in written:
                break
        else:
            return None
        waiting.remove(event)
        value = written[origin]
        if value is None:
            return None
        read[event.number] = value
        if event.kind == "X":
            written[event.number] = event.values[0]
        elif event.kind == "A":
            written[event.number] = value + event.values[0]
        elif event.kind == "C" and value == event.values[0]:
            written[event.number] = event.values[1]
        elif event.kind == "C":
            written[event.number] = None
    return read, {number: value for number, value in written.items() if value is not None}


def order_of(event, written):
    return "r" if event.kind == "C" and event.number not in written else event.order


def happens_before(events, source, written):
    size = len(events)
    sequenced = [(a.number, b.number) for a in events for b in events
                 if (a.thread == b.thread >= 0 and a.number < b.number) or (a.thread < 0 <= b.thread)]
    if closure(size, sequenced + [(origin, reader) for reader, origin in source.items()]) is None:
        return None
    synchronised = []
    for reader, origin in source.items():
        if order_of(events[reader], written) not in ACQUIRES:
            continue
        while True:
            event = events[origin]
            if event.kind != "I" and order_of(event, written) in RELEASES:
                synchronised.append((origin, reader))
            if event.kind not in "XAC":
                break
            origin = source[origin]
    return closure(size, sequenced + synchronised)


def coherent(events, source, rank, before):
    """rank: of each write in its location's modification order."""
    for a in events:
        for b in events:
            if a.location != b.location or not before[a.number] >> b.number & 1:
                continue
            for first in positions(a, source, rank):
                for second, is_write in positions_and_kind(b, source, rank):
                    if first > second or (first == second and is_write and a.number != b.number):
                        return False
    for event in events:
        if event.number in rank and event.number in source and rank[event.number] != rank[source[event.number]] + 1:
            return False
    return True


def positions(event, source, rank):
    if event.number in rank:
        return [rank[event.number]]
    return [rank[source[event.number]]] if event.number in source else []


def positions_and_kind(event, source, rank):
    found = []
    if event.number in rank:
        found.append((rank[event.number], True))
    if event.number in source:
        found.append((rank[source[event.number]], False))
    return found


def is_sequential_possible(events, source, rank, written, before):
    sequential = [event for event in events if event.thread >= 0 and event.kind in "LWXAC" and order_of(event, written) == "s"]
    pairs = []
    for a in sequential:
        for b in sequential:
            if a is b:
                continue
            if before[a.number] >> b.number & 1:
                pairs.append((a.number, b.number))
            if a.location == b.location and precedes(a, b, source, rank):
                pairs.append((a.number, b.number))
    return closure(len(events), pairs) is not None


def precedes(a, b, source, rank):
    """Coherence-ordered: the end of `a` comes before the end of `b`."""
    at_a = rank.get(a.number, rank[source[a.number]] if a.number in source else None)
    at_b = rank.get(b.number, rank[source[b.number]] if b.number in source else None)
    if at_a < at_b:
        return True
    return at_a == at_b and a.number in rank and b.number not in rank


def has_race(events, before):
    for a in events:
        for b in events:
            if a.kind in "pq" and b.kind in "pq" and "p" in (a.kind, b.kind) and a.thread != b.thread:
                if not before[a.number] >> b.number & 1 and not before[b.number] >> a.number & 1:
                    return True
    return False


def allowed(text):
    """The outcomes of all executions that the axioms allow."""
    events = parse(text)
    outcomes = set()
    readers = [event for event in events if event.reads()]
    choices = [[w.number for w in events if w.may_write() and w.location == event.location and w is not event] for event in readers]
    for origins in itertools.product(*choices):
        source = dict(zip((event.number for event in readers), origins))
        values = values_of(events, source)
        if values is None:
            continue
        read, written = values
        before = happens_before(events, source, written)
        if before is None:
            continue
        writes = [[number for number in written if events[number].location == location and events[number].kind != "I"] for location in "xyz"]
        for orders in itertools.product(*(itertools.permutations(numbers) for numbers in writes)):
            rank = {i: 0 for i in range(3)}
            for order in orders:
                rank.update({number: i + 1 for i, number in enumerate(order)})
            if not coherent(events, source, rank, before) or not is_sequential_possible(events, source, rank, written, before):
                continue
            if has_race(events, before):
                return {"race"}
            threads = [[] for _ in text.split("|")]
            for event in events:
                if event.number in read:
                    threads[event.thread].append(str(read[event.number]))
            last = "".join(str(written[order[-1] if order else i]) for i, order in enumerate(orders))
            outcomes.add("".join("".join(results) + "|" for results in threads) + last)
    return outcomes


def found(check, text, *arguments):
    done = subprocess.run([check, "--outcomes", "--quiet", *arguments, "litmus"], env={**os.environ, "CHECK_PROGRAM": text}, capture_output=True, text=True, check=False)
    if done.returncode == 1 and "data race" in done.stdout:
        return {"race"}
    if done.returncode != 0 or "every order" not in done.stdout:
        sys.exit(f"{text}: {done.stdout}{done.stderr}")
    return set(done.stdout.splitlines()[1:])


def random_program(source):
    """Two or three threads, up to seven operations, most of them on two locations."""
    threads = []
    left = source.choice([5, 6, 6, 7])
    count = source.choice([2, 2, 3])
    with_data = source.random() < 0.25
    for thread in range(count):
        words = []
        length = max(1, left // (count - thread)) if thread < count - 1 else left
        left -= length
        for _ in range(max(1, length)):
            location = source.choice("xxyy")
            kind = source.choice("LLLWWWXAC")
            value = source.choice("12")
            if with_data and source.random() < 0.3:
                words.append(source.choice("pq"))
            elif kind == "L":
                words.append("L" + location + source.choice("ras"))
            elif kind == "W":
                words.append("W" + location + source.choice("res") + value)
            elif kind == "C":
                words.append("C" + location + source.choice("raebs") + source.choice("01") + value)
            else:
                words.append(kind + location + source.choice("raebs") + value)
        threads.append(" ".join(words))
    return "|".join(threads)


def is_small(text):
    """Few enough orders to try each of them."""
    return text.count("|") <= 1 and len(text.split()) <= 5


def compare(check, text, name, unreduced):
    expected = allowed(text)
    for mode in ([], ["--full"]):
        if mode and not unreduced:
            continue
        got = found(check, text, *mode)
        if got != expected:
            sys.exit(f"{name}: {text} {mode}\n  missing: {sorted(expected - got)}\n  too many: {sorted(got - expected)}")
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--unreduced", type=int, default=sys.maxsize, help="random programs that are tried without the reduction, too")
    arguments = parser.parse_args()
    for name, text, outcome, is_allowed in KNOWN:
        outcomes = compare(arguments.check, text, name, is_small(text))
        if (outcome in outcomes) != is_allowed:
            sys.exit(f"{name}: {text}: {outcome} should be {'allowed' if is_allowed else 'forbidden'}; there are {sorted(outcomes)}")
    source = random.Random(arguments.seed)
    outcomes = 0
    unreduced = 0
    for i in range(arguments.programs):
        text = random_program(source)
        is_unreduced = is_small(text) and unreduced < arguments.unreduced
        unreduced += is_unreduced
        outcomes += len(compare(arguments.check, text, f"program {i} of seed {arguments.seed}", is_unreduced))
    print(f"{len(KNOWN)} known and {arguments.programs} random programs, {unreduced} of these without the reduction, too: {outcomes} outcomes, all of them "
          "and no other")


main()
