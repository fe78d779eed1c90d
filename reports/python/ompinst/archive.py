# SPDX-License-Identifier: BSD-3-Clause
"""The reports about an archive."""
import json
import os
from typing import Any, Dict, List, Literal, Union, overload

from . import _library as lib
from .tables import Table, best

Path = Union[str, "os.PathLike[str]"]
BINARY = ("perfetto", "pprof", "cube")  # formats of export that are not text


def path_of(path: Any) -> str:
    """Of an archive, a run, or what names a file."""
    path = getattr(path, "path", path)
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise TypeError(f"{path!r}: expected an experiment folder, an .otf2 file, or an Archive") from None
    if not text:
        raise ValueError("'': expected an experiment folder or an .otf2 file")
    return text


def words_of(options: Dict[str, Any]) -> List[str]:
    """Options of the command line: min_duration="1ms" is --min-duration=1ms, source=True is --source. Those that are
    words of Python end with "_": from_="1s"."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                words.append(option)
            elif item is not None and item is not False:
                words.append(f"{option}={item}")
    return words


class Archive:
    """An archive on disk. Each method is the command of `ompreport` with that name, and takes its options as keywords:
    `trace.regions(thread=0, from_="1s")`. It reads the archive when it is called.

    Methods give a pandas.DataFrame where pandas is installed, else a Table; `table()` and `read()` always a Table.
    """

    def __init__(self, path: Union[Path, "Archive"]):
        self.path = path_of(path)
        self._source = path if isinstance(path, Archive) else None  # whose folder exists as long as it does

    def __repr__(self) -> str:
        return f"ompinst.open({self.path!r})"

    def table(self, command: str, **options: Any) -> Table:
        """The table of any command that has one, `regions` for example."""
        return Table(lib.make([command, *words_of(options), "--", self.path]))

    def read(self, what: str, **options: Any) -> Table:
        """What the trace contains, in columns: visits, samples, messages, counters or events."""
        return Table(lib.make([what, *words_of(options), "--", self.path], of_trace=True))

    @overload
    def text(self, command: Literal["export"], **options: Any) -> Any: ...

    @overload
    def text(self, command: str, **options: Any) -> str: ...

    def text(self, command: str, **options: Any) -> Any:
        """What a command writes to standard output: a text, or bytes of `export` with perfetto, pprof or cube."""
        written = lib.output_of([command, *words_of(options), "--", self.path])
        formats = [name.rstrip("_") for name, value in options.items() if value is True]  # the last one holds
        is_binary = command == "export" and formats[-1:] and formats[-1] in BINARY
        return written if is_binary else written.decode(errors="replace")

    # The tables of commands.
    def regions(self, **options: Any) -> Any:
        """Every construct: calls, times, imbalance, waits and potential gain."""
        return best(self.table("regions", **options))

    def callers(self, **options: Any) -> Any:
        """The lines of Python that called parallel regions: calls and times, with the innermost line of all."""
        return best(self.table("callers", **options))

    def threads(self, **options: Any) -> Any:
        """Every thread: work, waits and idle time."""
        return best(self.table("threads", **options))

    def ranks(self, **options: Any) -> Any:
        """Every rank of MPI: computation, waits in OpenMP and in MPI."""
        return best(self.table("ranks", **options))

    def waits(self, **options: Any) -> Any:
        """What ranks wait for (`ompreport messages`); matrix=True: messages by sender and receiver."""
        return best(self.table("messages", **options))

    def efficiency(self, **options: Any) -> Any:
        """The POP efficiencies."""
        return best(self.table("efficiency", **options))

    def locks(self, **options: Any) -> Any:
        """Locks and criticals: contention, waits, and how long they are held."""
        return best(self.table("locks", **options))

    def tasks(self, **options: Any) -> Any:
        """Task constructs: how many, how long, whether they are too small."""
        return best(self.table("tasks", **options))

    def imbalance(self, **options: Any) -> Any:
        """Work that threads share unevenly."""
        return best(self.table("imbalance", **options))

    def critical_path(self, **options: Any) -> Any:
        """The path that determined the wall time."""
        return best(self.table("critical-path", **options))

    def hot(self, **options: Any) -> Any:
        """Where processor time goes, by samples; functions=True or paths=True in place of lines."""
        return best(self.table("hot", **options))

    def whatif(self, **options: Any) -> Any:
        """What changes would bring: faster="solver.c:12 for=2", balance="solver.c:12 for", threads=8, ..."""
        return best(self.table("whatif", **options))

    # What the trace contains.
    def visits(self, **options: Any) -> Any:
        """Each time that a thread was in a region: thread, region, file, line, begin_ns, end_ns, depth."""
        return best(self.read("visits", **options))

    def samples(self, **options: Any) -> Any:
        """What threads executed: time_ns, thread, function, file, line, waits, stack."""
        return best(self.read("samples", **options))

    def messages(self, **options: Any) -> Any:
        """The ends of MPI's messages: time_ns, thread, peer, tag, bytes, is_sent, number."""
        return best(self.read("messages", **options))

    def counters(self, **options: Any) -> Any:
        """Counters: time_ns, thread, counter, value from then on."""
        return best(self.read("counters", **options))

    def events(self, **options: Any) -> Any:
        """All events as they are in the archive: time_ns, thread, kind, region, object."""
        return best(self.read("events", **options))

    # Others.
    def summary(self, **options: Any) -> Dict[str, Any]:
        """Where the time went, as `ompreport summary --format=json` has it."""
        summary: Dict[str, Any] = json.loads(self.text("summary", **{**options, "format": "json", "output": "-"}))
        return summary

    def advice(self, **options: Any) -> List[Any]:
        """What the summary advises."""
        return self.summary(**options).get("advice", [])

    def info(self) -> Dict[str, Any]:
        """What the archive holds: program, clock, threads, definitions, events."""
        info: Dict[str, Any] = json.loads(self.text("info", format="json"))
        return info

    def html(self, **options: Any) -> str:
        """The web page about the run, one self-contained text; with output="page.html" in that file, and "" here."""
        return self.text("html", **{"output": "-", **options})


def open(path: Union[Path, Archive]) -> Archive:  # pylint: disable=redefined-builtin  # as gzip.open
    """The archive of an experiment folder, or an .otf2 file. Raises Error if it cannot be read."""
    archive = Archive(path)
    archive.text("info")
    return archive


def diff(before: Union[Path, Archive, List[Any]], after: Union[Path, Archive, List[Any]], **options: Any) -> Any:
    """What got slower or faster from one run, or from several, to others; options as those of `ompreport diff`."""
    sides = [[path_of(run) for run in (side if isinstance(side, (list, tuple)) else [side])] for side in (before, after)]
    if not sides[0] or not sides[1]:
        raise ValueError(f"diff({before!r}, {after!r}): expected at least one run on each side")
    return best(Table(lib.make(["diff", *words_of(options), "--", *sides[0], "vs", *sides[1]])))


def scaling(*runs: Union[Path, Archive, List[Any]], **options: Any) -> Any:
    """Speed-up and efficiency of runs with different numbers of threads; also of a list of runs."""
    every = [run for each in runs for run in (each if isinstance(each, (list, tuple)) else [each])]
    return best(Table(lib.make(["scaling", *words_of(options), "--", *map(path_of, every)])))
