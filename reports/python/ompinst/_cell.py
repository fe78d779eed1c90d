# SPDX-License-Identifier: BSD-3-Clause
"""The process of a notebook's cell: `python _cell.py BEFORE AFTER CELL`.

BEFORE has what the notebook gives, AFTER what comes back, both pickled; CELL is the text. Nothing of the package is imported, so
that the cell finds the process as it would be without.
"""
import builtins
import importlib
import io
import linecache
import pickle
import signal
import sys
import time
import traceback
from typing import Any, Dict, List, Optional, Tuple

FILE = "<cell>"


def pickled(value: Any) -> Optional[bytes]:
    """None if it cannot be: pickle and the objects' own code raise whatever they like."""
    try:
        return pickle.dumps(value)
    except Exception:  # pylint: disable=broad-exception-caught
        return None


def shown(file: str, text: str) -> None:
    """Tracebacks quote the lines of a text that is no file."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def define(name: str, first: int, text: str, names: Dict[str, Any]) -> None:
    """A function of the notebook, whose lines have the numbers of their cell."""
    file = f"<notebook: {name}>"
    text = "\n" * (first - 1) + text
    shown(file, text)
    exec(compile(text, file, "exec", dont_inherit=True), names)  # pylint: disable=exec-used


def take(given: Dict[str, Any], names: Dict[str, Any]) -> List[str]:
    """Makes the names that the cell begins with; returns those that cannot be made here."""
    values, modules, functions = given["values"], given["modules"], given["functions"]
    lost = []
    for name in [*values, *modules, *functions]:
        try:
            if name in functions:
                first, text = functions[name]
                define(name, first, text, names)
            else:
                names[name] = pickle.loads(values[name]) if name in values else importlib.import_module(modules[name])
        except Exception:  # pylint: disable=broad-exception-caught
            lost.append(name)
    for part in given["parts"]:
        try:
            importlib.import_module(part)
        except ImportError:  # the cell will say so
            pass
    return lost


def execute(text: str, names: Dict[str, Any]) -> Optional[BaseException]:
    """The cell. Returns what it raised."""
    shown(FILE, text)
    try:
        exec(compile(text, FILE, "exec", dont_inherit=True), names)  # pylint: disable=exec-used
    except BaseException as error:  # pylint: disable=broad-exception-caught
        return error
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what the cell has made comes back
    return None


def described(error: Optional[BaseException]) -> Optional[Dict[str, Any]]:
    """What a notebook shows of an exception: its traceback begins in the cell."""
    if error is None or (isinstance(error, SystemExit) and error.code in (None, 0)):
        return None
    below = error.__traceback__.tb_next if error.__traceback__ else None
    lines = "".join(traceback.format_exception(type(error), error, below)).splitlines()
    text = "".join(traceback.format_exception_only(type(error), error)).strip()  # as str(), which may be the user's own
    return {"text": text, "lines": lines, "pickled": pickled(error)}


def changed(names: Dict[str, Any], begin: Dict[str, Any], given: Dict[str, bytes]) -> Tuple[Dict[str, bytes], Dict[str, str], List[str]]:
    """What the cell has assigned, and the objects that it has changed: pickled values, names of modules, and what cannot be pickled."""
    values, modules, lost = {}, {}, []
    for name, value in names.items():
        is_same = name in begin and begin[name] is value
        if name.startswith("__") or (is_same and name not in given):
            continue
        if isinstance(value, type(sys)):
            modules[name] = value.__name__
            continue
        data = pickled(value)
        if data is None:
            lost.append(name)
        elif not is_same or data != given[name]:
            values[name] = data
    return values, modules, lost


def main() -> int:
    """Returns the exit status."""
    before, after, cell = sys.argv[1:]
    with open(before, "rb") as file:
        given = pickle.load(file)
    with open(cell, encoding="utf-8") as file:
        text = file.read()
    sys.path[:], sys.argv = given["path"], given["argv"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", write_through=True)  # the notebook shows it now
    names: Dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    lost = take(given, names)
    if lost:
        print(f"%%ompinst: the cell does not have {', '.join(lost)}: they cannot be made in its process, which does not have classes of "
              "the notebook", file=sys.stderr)
    begin = dict(names)
    # Pickled here: another process may pickle the same object in another way.
    pickles = {name: data for name, data in ((name, pickled(begin[name])) for name in given["values"] if name in begin) if data}
    began = time.time_ns()
    error = described(execute(text, names))
    ended = time.time_ns()
    values, modules, lost = changed(names, begin, pickles)
    with open(after, "wb") as file:
        pickle.dump({"values": values, "modules": modules, "lost": lost, "gone": [name for name in begin if name not in names],
                     "error": error, "began": began, "ended": ended}, file)
    return 1 if error else 0


if __name__ == "__main__":
    sys.exit(main())
