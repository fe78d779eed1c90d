# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial's blocks and its changes to the demo, for the test that follows it and for its pictures."""
import re

RUNS = ["before", "balanced", "reduced", "fixed"]  # after none, one, two ... of the changes


def blocks_of(document):
    """("diff", lines) and ("", lines), in their order."""
    return [(kind, text.splitlines()) for kind, text in
            re.findall(r"^```(\w*)\n(.*?)^```", document.read_text("utf-8"), re.M | re.S)]


def changed(text, lines):
    """The text after the diff, whose lines are all of the place that changes, with what is around it; None: the
    place is not there, or not once."""
    old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
    return text.replace(old, new) if text.count(old) == 1 else None
