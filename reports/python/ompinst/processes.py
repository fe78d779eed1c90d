# SPDX-License-Identifier: BSD-3-Clause
"""Programs under `ompinst run`: where their archives are, and what they write while they run."""
import codecs
import os
import pathlib
import selectors
import signal
import subprocess
import tempfile
import time
from typing import Dict, List, Optional, Sequence, TextIO, Tuple

from ._library import Error, beside
from .arguments import check_program

PATIENCE = 1.0  # s until an interrupt that a process has not got with this one is sent to it


class Folder:
    """The folder for an archive: the caller's, or one that close() removes, as does the end of its use."""

    def __init__(self, path: Optional[pathlib.Path]) -> None:
        self.keeper = None if path else tempfile.TemporaryDirectory(prefix="ompinst-")
        self.path = path or pathlib.Path(self.keeper.name if self.keeper else "") / "trace"

    def has_trace(self) -> bool:
        """Whether a run has left an archive there: a program without OpenMP leaves none."""
        return (self.path / "traces.otf2").exists()

    def close(self) -> None:
        """Removes it, unless it is the caller's."""
        if self.keeper:
            self.keeper.cleanup()


class Follower:
    """Copies what a process writes to other streams, from the thread that calls follow(): notebooks give each thread's output to
    the cell that it belongs to.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", streams: Tuple[TextIO, TextIO]) -> None:
        self.process = process
        self.streams = streams
        self.texts: List[List[str]] = [[], []]
        self.selector = selectors.DefaultSelector()
        for place, (pipe, stream) in enumerate(zip((process.stdout, process.stderr), streams)):
            if pipe:
                decoder = codecs.getincrementaldecoder("utf-8")("replace")
                self.selector.register(pipe, selectors.EVENT_READ, (stream, decoder, self.texts[place]))

    def copy(self, seconds: float) -> bool:
        """What comes within a time. Returns whether anything came."""
        ready = self.selector.select(seconds)
        for key, _ in ready:
            stream, decoder, texts = key.data
            data = os.read(key.fd, 65536)
            text = decoder.decode(data, final=not data)
            if text:
                texts.append(text)
                stream.write(text)
            if not data:
                self.selector.unregister(key.fileobj)
        if not ready:
            self.flush()
        return bool(ready)

    def flush(self) -> None:
        """Only when nothing comes: each flush makes an output of its own in a notebook."""
        for stream in self.streams:
            stream.flush()

    def follow(self) -> None:
        """Until the process ends; what it has started may go on and keep its streams open."""
        while self.selector.get_map():
            if not self.copy(0.1) and self.process.poll() is not None:
                break
        self.flush()
        self.process.wait()

    def follow_through_interrupt(self) -> None:
        """The same; the first interrupt lets the process end itself, a second one kills it. Who interrupts a notebook or a
        terminal interrupts both processes.
        """
        try:
            self.follow()
            return
        except KeyboardInterrupt:
            until = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            self.copy(0.1)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.follow()


def watch(words: Sequence[str], variables: Dict[str, str], streams: Tuple[TextIO, TextIO]) -> "subprocess.CompletedProcess[str]":
    """Runs a program whose output goes to these streams while it runs."""
    with subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        follower = Follower(process, streams)
        try:
            follower.follow_through_interrupt()
        except BaseException:
            process.kill()
            raise
        finally:
            follower.selector.close()
    stdout, stderr = ("".join(texts) for texts in follower.texts)
    return subprocess.CompletedProcess(list(words), process.returncode, stdout, stderr)


def execute(command: Sequence[str], folder: Folder, *, variables: Dict[str, str], options: Sequence[str], capture: bool = False,
            streams: Optional[Tuple[TextIO, TextIO]] = None) -> "subprocess.CompletedProcess[str]":
    """A program under `ompinst run`, with variables in addition to this process's. Its output goes through, or is captured, or
    goes to streams while it runs and is captured.
    """
    environment = {**os.environ, "POMP_SUMMARY": "off", **variables}
    check_program(command[0], environment)
    ompinst = os.environ.get("OMPINST") or [*beside("../bin/ompinst"), "ompinst"][0]
    words = [ompinst, "run", f"--trace={folder.path}", *options, "--", *command]
    try:
        if options:
            tried = subprocess.run([*words[:2], "--dry-run", *words[2:]], env=environment, text=True, capture_output=True, check=False)
            if tried.returncode != 0:
                raise ValueError("options: " + tried.stderr.strip().removeprefix("ompinst: error: "))
        if streams:
            return watch(words, environment, streams)
        return subprocess.run(words, env=environment, text=True, errors="replace", capture_output=capture, check=False)
    except OSError as error:
        raise Error(f"cannot run '{ompinst}': {error.strerror}; expected ompinst to be installed, or its path in OMPINST") from None


