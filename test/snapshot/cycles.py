# SPDX-License-Identifier: BSD-3-Clause
"""Everything that looks at a running program, again and again: cycles.py, with the words of snapshot.py and HOW

HOW is "ends" (every reader ends by itself), "readers" (each is killed at a random moment) or "programs" (the program is
killed). Nothing is lost: intervals add up to the profile at the end. Nothing is left behind: no file, no process, no program
that is stopped or traced. CYCLES and SEED in the environment say how many, and which random moments:

    CYCLES=1000 SEED=7 meson test -C build 'snapshot cycles ends' -t 20
"""
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import snapshot as base
from snapshot import Program, document, failures, same, snapshot, sums

OMPREPORT, HOW = sys.argv[6], sys.argv[8]
CYCLES = int(os.environ.get("CYCLES", base.SNAPSHOTS))
SEED = int(os.environ.get("SEED", "1"))
LIMIT = 120 * float(os.environ.get("TEST_TIME_LIMITS", "1"))
KINDS = ("snapshot", "reset", "top", "trace", "why", "stacks")
WEIGHTS = (40, 20, 20, 10, 5, 5)  # gdb takes as long as all others together
MARK = "CYCLES_MARK=%d" % os.getpid()
LIBRARY = """static long sum;
void work(int threads)
{
	#pragma omp parallel for num_threads(threads)
	for (int i = 0; i < 8; i++)
		#pragma omp critical(library)
		sum++;
}
"""


class Busy(Program):
    """A program that works until stop(); all that it may write is in its folder."""

    def __init__(self, place, mixed, library):
        self.place = place
        os.mkdir(place)
        super().__init__(mixed, "3", library, cwd=place, stderr=subprocess.DEVNULL, POMP_SNAPSHOT="1", POMP_TRACE_RING="512K",
                         POMP_EXPERIMENT_DIRECTORY=os.path.join(place, "ring"))
        self.stops = False
        self.feeder = threading.Thread(target=self.feed)

    def begin(self):
        self.says("ready")
        self.feeder.start()

    def feed(self):
        while not self.stops:
            self.ask(7)
            self.says("done")

    def stop(self):
        self.stops = True
        self.feeder.join()


class Cycles:
    def __init__(self, folder):
        self.folder, self.home = folder, os.path.join(folder, "home")
        self.begin, self.text, self.copy = (os.path.join(folder, name) for name in ("begin", "text", "copy"))
        self.random = random.Random(SEED)
        self.total, self.longest = collections.Counter(), collections.defaultdict(lambda: 0.02)
        os.mkdir(self.home)

    def start(self, kind, pid):
        words = {"snapshot": ["snapshot", "--format=json", "--since=" + self.begin], "reset": ["snapshot", "--reset", "--output=" + self.text],
                 "top": ["top", "--once", "--interval=0.1"], "trace": ["trace", "--output=" + self.copy]}.get(kind, [kind])
        environment = dict(os.environ, **{name: self.home for name in (
            "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")})
        environment.update([MARK.split("=")])
        return subprocess.Popen([base.ompinst, *words, str(pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                                cwd=self.home, start_new_session=True)

    def look(self, kind, program, cycle):
        """One reader, which is killed if HOW says so."""
        before, began = inode(self.begin), time.monotonic()
        reader = self.start(kind, program.pid)
        if HOW == "readers" and cycle >= len(KINDS):  # each kind ends once, so that it is known how long it takes
            time.sleep(self.random.uniform(0, 1.1 * self.longest[kind]))
            number = self.random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
            self.random.choice((os.kill, os.killpg))(reader.pid, number)
        out, error = reader.communicate(timeout=LIMIT)
        self.longest[kind] = max(self.longest[kind], time.monotonic() - began) if reader.returncode == 0 else self.longest[kind]
        if "cannot be read now: its threads end all the time" in error:  # on a machine that has no time for the reader
            return
        if reader.returncode != 0 and not (HOW == "readers" and reader.returncode < 0):
            failures.append("%s: status %d: %s%s" % (kind, reader.returncode, out, error))
        if kind == "snapshot" and inode(self.begin) != before:
            self.total += sums(json.loads(out))
        if kind == "trace":  # one that is killed leaves the name that says so
            for place in (self.copy, "%s.partial-%d" % (self.copy, reader.pid)):
                shutil.rmtree(place, ignore_errors=True)

    def check_rest(self, what, program):
        """No reader or its gdb is left, and the program goes on."""
        deadline = time.monotonic() + LIMIT
        while (marked() or set("tT") & set(states(program.pid))) and time.monotonic() < deadline:
            time.sleep(0.01)
        same(what + ": processes", marked(), [])
        same(what + ": stopped threads", set("tT") & set(states(program.pid)), set())
        same(what + ": its tracer", status(program.pid, "TracerPid"), "0")
        same(what + ": files", os.listdir(self.home), [])

    def check_files(self, program):
        snapshots = "pomp-snapshots-%d" % program.pid
        same("the program's files", set(os.listdir(program.place)) - {snapshots}, set())
        same("files", set(os.listdir(self.folder)) - {
            "home", "mixed", "mixed.json", "library.c", "library.so", os.path.basename(program.place), "begin", "begin.new", "text", "text.new"}, set())
        same("shared memory", [name for name in os.listdir("/dev/shm") if name.startswith("pomp-ring-%d" % program.pid)], [])

    def readers(self, mixed, library):
        """Readers that end or are killed, beside one program."""
        program = Busy(os.path.join(self.folder, "place"), mixed, library)
        program.begin()
        for cycle in range(CYCLES):
            kind = KINDS[cycle] if cycle < len(KINDS) else self.random.choices(KINDS, WEIGHTS)[0]
            self.look(kind, program, cycle)
            self.check_rest("%s, cycle %d" % (kind, cycle), program)
            if failures:
                break
        program.stop()
        self.total += sums(document(program.pid, "--since=" + self.begin))
        snapshot(program.pid, "--reset")
        end = sums(program.end())
        same("its end", program.process.returncode, 0)
        same("intervals", {key: (self.total[key], end[key]) for key in {*self.total, *end} if self.total[key] != end[key]}, {})
        self.check_files(program)

    def programs(self, mixed, library):
        """A program that is killed with a reader beside it: the reader ends, and the ring has what was recorded."""
        for cycle in range(CYCLES):
            kind = self.random.choices(KINDS, WEIGHTS)[0]
            program = Busy(os.path.join(self.folder, "place"), mixed, library)
            if self.random.random() < 0.7:
                program.says("ready")
                program.ask(1000000)
                time.sleep(self.random.uniform(0, 0.1))
            reader = self.start(kind, program.pid)
            time.sleep(self.random.uniform(0, 0.5 if kind in ("why", "stacks") else 0.1))
            program.kill()
            error = reader.communicate(timeout=LIMIT)[1]
            if reader.returncode not in (0, 2) or (reader.returncode == 2 and "error: " not in error):
                failures.append("%s, cycle %d: status %d: %s" % (kind, cycle, reader.returncode, error))
            self.recover(os.path.join(program.place, "ring"))
            deadline = time.monotonic() + LIMIT
            while marked() and time.monotonic() < deadline:
                time.sleep(0.01)
            same("processes", marked(), [])
            same("files", os.listdir(self.home), [])
            shutil.rmtree(self.copy, ignore_errors=True)
            if os.path.exists(self.begin):
                os.remove(self.begin)
            self.check_files(program)
            shutil.rmtree(program.place)
            if failures:
                break

    def recover(self, ring):
        """What a killed program leaves is a trace, once a thread has recorded something."""
        if not os.path.isdir(ring):
            return
        done = subprocess.run([OMPREPORT, "recover", ring], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            checked = subprocess.run([OMPREPORT, "check", ring], capture_output=True, text=True, check=False)
            same("the ring of a killed program", (checked.returncode, checked.stderr), (0, ""))
        elif done.returncode < 0 or "ompreport: " not in done.stderr:
            failures.append("recover: status %d: %s" % (done.returncode, done.stderr))
        shutil.rmtree(ring)


def inode(path):
    return os.stat(path).st_ino if os.path.exists(path) else None


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has ended
        return b""


def marked():
    """The readers, and what they have started."""
    return [pid for pid in os.listdir("/proc") if pid.isdigit() and MARK.encode() in read("/proc/%s/environ" % pid).split(b"\0")]


def states(pid):
    return [read("/proc/%d/task/%s/stat" % (pid, thread)).decode(errors="replace").rpartition(")")[2][1:2] for thread in os.listdir("/proc/%d/task" % pid)]


def status(pid, name):
    return dict(line.partition(":\t")[::2] for line in read("/proc/%d/status" % pid).decode(errors="replace").splitlines()).get(name)


def main():
    if shutil.which("gdb") is None:
        print("needs gdb")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        mixed, library = os.path.join(folder, "mixed"), os.path.join(folder, "library.so")
        with open(os.path.join(folder, "library.c"), "w", encoding="utf-8") as file:
            file.write(LIBRARY)
        subprocess.run([base.ompinst, base.compiler, "-g", "-O1", "-fopenmp", "-pthread", "-o", mixed, os.path.join(base.sources, "mixed.c"), "-ldl"], check=True)
        subprocess.run([base.ompinst, base.compiler, "-g", "-fopenmp", "-shared", "-fPIC", "-o", library, os.path.join(folder, "library.c")], check=True)
        cycles = Cycles(folder)
        (cycles.programs if HOW == "programs" else cycles.readers)(mixed, library)
    for failure in failures:
        print("FAIL:", failure)
    if failures:
        print("seed %d of %d cycles" % (SEED, CYCLES))
    sys.exit(1 if failures else 0)


main()
