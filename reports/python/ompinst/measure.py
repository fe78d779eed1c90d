# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs under `ompinst run`."""
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from ._library import Error
from .archive import Archive


Executed = Tuple["subprocess.CompletedProcess[str]", pathlib.Path, Any]


class Run(Archive):
    """The archive of a run. `returncode`, `stdout` and `stderr` are those of the program. `cell` are the options that choose
    the part of the run in which a notebook's cell was executed: `run.threads(**run.cell)`; empty for other runs.
    """

    def __init__(self, path: str, done: "subprocess.CompletedProcess[str]", folder: Any):
        super().__init__(path)
        self.returncode, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        self.cell: Dict[str, str] = {}
        self._folder = folder  # removed when the run is not used any more; None: the caller's

    def __repr__(self) -> str:
        return f"<ompinst.Run in {self.path!r}, exit status {self.returncode}>"


def run(command: Sequence[Union[str, "os.PathLike[str]"]], *, threads: Optional[int] = None, trace: Optional[str] = None,
        environment: Optional[Mapping[str, str]] = None, capture: bool = False, check: bool = True,
        options: Sequence[str] = ()) -> Run:
    """Measures a program, which need not be recompiled, and gives its archive.

    threads      OMP_NUM_THREADS
    trace        the folder for the archive, which must not exist; else one that exists as long as the result
    environment  variables, in addition to this process's
    capture      keep what the program writes, in place of letting it through
    check        raise subprocess.CalledProcessError if the program fails
    options      of `ompinst run`
    """
    done, folder, keeper = execute(command, threads=threads, trace=trace, environment=environment, capture=capture, options=options)
    if check:
        done.check_returncode()
    if not has_trace(folder):
        raise Error(f"'{os.fspath(command[0])}' left no trace: it has executed no OpenMP that ompinst sees"
                    + (f"; it said: {done.stderr.strip()[-500:]}" if capture and done.stderr.strip() else ""))
    return Run(str(folder), done, keeper)


def has_trace(folder: pathlib.Path) -> bool:
    """Whether a run has left an archive there: a program without OpenMP leaves none."""
    return (folder / "traces.otf2").exists()


def execute(command: Sequence[Union[str, "os.PathLike[str]"]], *, threads: Optional[int], trace: Optional[str],
            environment: Optional[Mapping[str, str]], capture: bool, options: Sequence[str]) -> "Executed":
    """A program under `ompinst run`: how it ended, the folder for its archive, and what removes the folder."""
    keeper = None
    if trace:
        folder = pathlib.Path(trace)
    else:
        keeper = tempfile.TemporaryDirectory(prefix="ompinst-")
        folder = pathlib.Path(keeper.name) / "trace"
    variables = {**os.environ, "POMP_SUMMARY": "off", **(environment or {})}
    if threads is not None:
        variables["OMP_NUM_THREADS"] = str(threads)
    ompinst = os.environ.get("OMPINST", "ompinst")
    try:
        done = subprocess.run([ompinst, "run", f"--trace={folder}", *options, *(os.fspath(word) for word in command)], env=variables, text=True,
                              errors="replace", capture_output=capture, check=False)
    except FileNotFoundError:
        raise Error(f"there is no '{ompinst}'; expected ompinst to be installed, or its path in OMPINST") from None
    return done, folder, keeper
