# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs under `ompinst run`."""
import os
import subprocess
from typing import Dict, Mapping, Optional, Sequence, Union

from . import arguments, processes
from ._library import Error
from .archive import Archive

Word = Union[str, "os.PathLike[str]"]


class Run(Archive):
    """The archive of a run. `returncode`, `stdout` and `stderr` are those of the program. `cell` are the options that choose
    the part of the run in which a notebook's cell was executed: `run.threads(**run.cell)`; empty for other runs.
    """

    def __init__(self, folder: processes.Folder, done: "subprocess.CompletedProcess[str]"):
        super().__init__(folder.path)
        self.returncode, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        self.cell: Dict[str, str] = {}
        self._folder = folder  # removed when the run is not used any more, unless it is the caller's

    def __repr__(self) -> str:
        return f"<ompinst.Run in {self.path!r}, exit status {self.returncode}>"


def run(command: Sequence[Word], *, threads: Optional[int] = None, trace: Optional[Word] = None,
        environment: Optional[Mapping[str, str]] = None, capture: bool = False, check: bool = True,
        options: Sequence[str] = ()) -> Run:
    """Measures a program, which need not be recompiled, and gives its archive.

    command      the program and its arguments, as a list: ["./solver", "input.txt"]
    threads      OMP_NUM_THREADS
    trace        the folder for the archive, which must not exist; else one that exists as long as the result
    environment  variables, in addition to this process's
    capture      keep what the program writes, in place of letting it through
    check        raise subprocess.CalledProcessError if the program fails; the folder of trace, if there is one, then remains
    options      of `ompinst run`, as a list: ["--metrics=cpu_time"]

    Raises TypeError or ValueError for an argument that is not what is expected, Error if there is no such program, if the folder
    cannot be made, or if the program has executed no OpenMP. Nothing is then left behind.
    """
    words = arguments.words_of("command", command, "['./solver', 'input.txt']")
    if not words:
        raise ValueError("command=[]: expected a program and its arguments, such as ['./solver', 'input.txt']")
    number = arguments.threads_of(threads)
    variables = arguments.variables_of(environment)
    if number:
        variables["OMP_NUM_THREADS"] = number
    switches = arguments.options_of(options)
    arguments.switch_of("capture", capture)
    arguments.switch_of("check", check)
    folder = processes.Folder(None if trace is None else arguments.new_folder(trace))
    try:
        done = processes.execute(words, folder, variables=variables, options=switches, capture=capture)
        if check and done.returncode != 0:
            raise subprocess.CalledProcessError(done.returncode, words, done.stdout, done.stderr)
        if not folder.has_trace():
            raise Error(f"'{words[0]}' left no trace: it has executed no OpenMP that ompinst sees"
                        + (f"; it said: {done.stderr.strip()[-500:]}" if capture and done.stderr.strip() else ""))
    except BaseException:
        folder.close()
        raise
    return Run(folder, done)
