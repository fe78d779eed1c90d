# SPDX-License-Identifier: BSD-3-Clause
"""The view of `ompinst top` in a pseudo-terminal: top-view.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER

Each step sends keys and waits for the frame that has to follow, however long that takes.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import debugger
from debugger import failures

compiler, ompinst, sources, runtime = sys.argv[1:5]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
SECONDS = 60 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
UP, DOWN, TAB, ESCAPE, F3, F6, F10 = "\x1b[A", "\x1b[B", "\t", "\x1b", "\x1bOR", "\x1b[17~", "\x1b[21~"


class Terminal:
    """`ompinst top WORDS` with a terminal of its own."""

    def __init__(self, *words, size=(24, 110), term="xterm"):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = term
            os.execv(ompinst, [ompinst, "top", *map(str, words)])
        self.resize(*size)
        self.text = ""

    def resize(self, rows, columns):
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        """More text; False at the end."""
        if not select.select([self.descriptor], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.text += data.decode(errors="replace")
        return data != b""

    def frame(self):
        """The last whole frame as lines; the selected one and the last begin with '>'."""
        frames = re.findall(r"\x1b\[H(.*?)\x1b\[J", self.text, re.S)
        text = frames[-1] if frames else ""
        return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line.replace("\x1b[7m", ">")).rstrip() for line in text.split("\r\n")]

    def step(self, what, keys, *patterns):
        """Sends the keys; the frame must come to contain the patterns, each in a line."""
        self.text = ""
        os.write(self.descriptor, keys.encode())
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self.read():
            if all(any(re.search(pattern, line) for line in self.frame()) for pattern in patterns):
                return self.frame()
        failures.append("%s: expected %s in:\n%s" % (what, patterns, "\n".join(self.frame())))
        return self.frame()

    def end(self, what, keys="", code=0):
        """It must end, and give the terminal back."""
        self.text = ""
        if keys:
            os.write(self.descriptor, keys.encode())
        while self.read():
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.descriptor)
        if status != code:
            failures.append("%s: status %d, expected %d: %s" % (what, status, code, self.text))
        return self.text


def check_view(first, second):
    """`first` is stopped.c, `second` crowd.c with 5 threads that wait for a lock."""
    name = os.path.commonprefix([os.path.basename(first), os.path.basename(second)])  # "top123-"
    with debugger.Running(first, "stays", environment=environment, says="level 2") as one, \
            debugger.Running(second, "5", "0", "lock", environment=environment, says="there", threads=5) as two:
        terminal = Terminal("-i", "0.2")
        terminal.step("programs", "", r"^ompinst top: \d+ programs", r"^processes", r" process .* work delayed", r"\b%d %s" % (one, name), r"\b%d %s" % (two, name))
        terminal.step("filter", F3 + name, r"^processes, filter: %s_$" % re.escape(name), r"\b%d " % one)
        frame = terminal.step("filter", "\n", r"^processes, filter: %s$" % re.escape(name), r"\b%d " % one, r"\b%d " % two)
        if len([line for line in frame if name in line]) != 3:  # with the filter's own
            failures.append("filter: %s" % "\n".join(frame))
        terminal.step("filter", "/crowd\n", r"filter: %scrowd$" % re.escape(name), r"\b%d " % two)
        if any(re.search(r"\b%d " % one, line) for line in terminal.frame()):
            failures.append("filtered: %s" % "\n".join(terminal.frame()))
        terminal.step("filter", "/" + "\x7f" * 5 + "\n", r", filter: %s$" % re.escape(name), r"\b%d " % one, r"\b%d " % two)
        for keys, says, first_row in ((">" * 5, ", by threads,", two), ("I", r", by threads \(reversed\)", one)):
            frame = terminal.step("sorted", keys, says, r"\b%d " % one, r"\b%d " % two)
            if not re.search(r"\b%d " % first_row, frame[3]):
                failures.append("sorted %s: %s" % (says, "\n".join(frame)))
        terminal.step("no order", "I" + "<" * 5, r"^processes, filter", r"^>? +(%d|%d) " % (one, two))
        terminal.step("the last row", DOWN * 3, r"^> +%d " % max(one, two))
        terminal.step("the first row", UP * 3, r"^> +%d " % min(one, two))
        terminal.step("its threads", "\n", r"^threads of %d " % min(one, two), r"waits (for a lock|at a barrier)", r"\bworks, in ")
        terminal.step("its regions", TAB, r"^regions of %d " % min(one, two), r"\b(stopped|crowd)\.c:\d+ (main|inner)")
        terminal.step("its locks", TAB, r"^locks of %d " % min(one, two), r"\block +\d")
        terminal.step("back", ESCAPE, r"^processes, filter", r"\b%d " % two)
        terminal.step("help", "h", r"^q or F10 +quit$")
        terminal.step("help ends", "h", r"\b%d " % two)
        terminal.resize(8, 60)
        terminal.step("small", "", r"^ompinst top: .{1,60}$", r"\b%d " % two)
        left = terminal.end("quit", F10)
        if "\x1b[?1049l" not in left or "\x1b[?25h" not in left:
            failures.append("quit leaves the terminal as it was not: %r" % left)


def check_one(program):
    """A process that is asked for: its threads at once; it ends, and an interrupt ends the view."""
    running = debugger.Running(program, "4", "0", environment=environment, says="there")
    terminal = Terminal("-i", "0.1", running.process.pid)
    terminal.step("its threads", "", r"^threads of %d " % running.process.pid, r"waits at a barrier")
    running.__exit__()
    terminal.step("it has ended", "", r"^threads of %d .*\(has ended\)" % running.process.pid)
    os.kill(terminal.process, signal.SIGINT)
    if "\x1b[?1049l" not in terminal.end("interrupted"):
        failures.append("an interrupt leaves the terminal as it was not")
    with debugger.Running(program, "2", "0", environment=environment, says="there") as pid:
        terminal = Terminal("-i", "0.1", "-n", "2", pid, term="dumb")
        if "\x1b" in terminal.end("a terminal that can do nothing"):
            failures.append("control sequences on a dumb terminal")
        done = subprocess.run([ompinst, "top", "-i", "0.1", "-n", "2", str(pid)], capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stdout.count("PROCESSES") != 2 or "\x1b" in done.stdout:
            failures.append("without a terminal: %s" % done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name in ("stopped", "crowd"):  # names that no other process has
            program = debugger.build(compiler, sources, folder, name)
            names.append(shutil.move(program, os.path.join(folder, "top%d-%s" % (os.getpid(), name))))
        check_view(*names)
        check_one(names[1])
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


main()
