# SPDX-License-Identifier: BSD-3-Clause
"""Intervals of `ompinst snapshot` in hard cases: intervals.py, with the words of snapshot.py

Whatever the program and other readers do, each visit and each tick of its clock is in one interval.
"""
import collections
import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading

import snapshot as base
from snapshot import Program, contains, document, failures, same, snapshot, sums

READERS = 4
LIBRARY = """static long sum;
void work(int threads)
{
	#pragma omp parallel for num_threads(threads)
	for (int i = 0; i < 8; i++)
		#pragma omp critical(library)
		sum++;
}
"""
# "1" and "2" are two regions on one line, of which the second is entered first; "x" is another program.
LINES = """#include <stdio.h>
#include <unistd.h>
#define TEAM _Pragma("omp parallel num_threads(2)") { }
int main(int count, char **words)
{
	int what = 'd';
	do {
		if (what == '1') { TEAM } else if (what == '2') { TEAM }
		if (what == 'x')
			execl("/proc/self/exe", words[0], "again", (char *)NULL);
		if (what == 'd')
			puts("done");
		fflush(stdout);
	} while (read(0, &what, 1) == 1);
	return count < 0;
}
"""
SHIFTED = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*real)(clockid_t, struct timespec *);
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	int result = real(clock, now);
	if (clock == CLOCK_REALTIME)
		now->tv_sec += 36000;
	return result;
}
"""


def build(folder, name, text, *words):
    source, made = os.path.join(folder, name + ".c"), os.path.join(folder, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([*words, "-o", made, source], check=True)
    return made


def tell(program, text):
    program.process.stdin.write(text + "d")
    program.process.stdin.flush()
    program.says("done")


def visits(summary):
    return [region["visits"] for region in summary["regions"]]


def check_mixed(mixed, library, folder):
    """Intervals that begin and end anywhere in the program add up to the profile at its end."""
    program = Program(mixed, "3", library)
    program.says("ready")
    total, since = collections.Counter(), os.path.join(folder, "mixed-begin")
    for _ in range(base.SNAPSHOTS):
        program.ask(7)
        total += sums(document(program.pid, "--since=" + since))
    for _ in range(base.SNAPSHOTS):
        program.says("done")
    total += sums(document(program.pid, "--since=" + since))
    same("all", sums(document(program.pid)), total)
    end = sums(program.end())
    same("intervals", {key: (total[key], end[key]) for key in {*total, *end} if total[key] != end[key]}, {})


def check_readers(mixed, library, folder):
    """Several readers of the same intervals: each visit is in one of them."""
    for how in ("--reset", "--since=" + os.path.join(folder, "shared-begin")):
        program, found = Program(mixed, "2", library), []
        program.says("ready")
        for _ in range(10):
            program.ask(14)
            readers = [threading.Thread(target=lambda: found.append(sums(document(program.pid, how)))) for _ in range(READERS)]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
            program.says("done")
        found.append(sums(document(program.pid, how)))
        same("readers, " + how, sum(found, collections.Counter()), sums(program.end()))


def check_waits(program, folder):
    """A reader waits while another one is between the begin and the end of an interval."""
    since = os.path.join(folder, "locked")
    with open(since + ".new", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        reader = subprocess.Popen([base.ompinst, "snapshot", str(program.pid), "--since=" + since], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        contains("a reader that waits", reader.stderr.readline(), "another snapshot is about to replace '%s'; waiting for it" % since)
        same("does it wait", (reader.poll(), os.path.exists(since)), (None, False))
    same("afterwards", (bool(reader.communicate()[0]), reader.returncode), (True, 0))
    same("files", sorted(name for name in os.listdir(folder) if name.startswith("locked")), ["locked"])
    os.remove(since)


def check_lines(lines, folder):
    """Regions on one line stay apart, and another program in the same process begins anew."""
    for how in ("--reset", "--since=" + os.path.join(folder, "lines-begin")):
        program = Program(lines)
        program.says("done")
        tell(program, "222")
        same("the second region", visits(document(program.pid, how)), [6])
        tell(program, "1111122")
        same("both, in whatever order", sorted(visits(document(program.pid, how))), [4, 10])
        tell(program, "12")
        same("both again", visits(document(program.pid, how)), [2, 2])
        check_waits(program, folder)
        program.process.stdin.write("x")
        program.process.stdin.flush()
        program.says("done")
        tell(program, "2")
        same("another program", visits(document(program.pid, how)), [2])
        same("its next interval", visits(document(program.pid, how)), [])
        program.kill()


def check_outputs(lines, folder):
    """What is no plain file is written to and never replaced; nobody else's file is touched."""
    program = Program(lines)
    program.says("done")
    tell(program, "2")
    pipe, link, plain = (os.path.join(folder, name) for name in ("pipe", "link", "plain"))
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
    snapshot(program.pid, "--output=" + pipe)
    contains("a pipe", reader.communicate()[0], "ompinst profile")
    same("is it a pipe", stat.S_ISFIFO(os.stat(pipe).st_mode), True)
    os.symlink(plain, link)
    snapshot(program.pid, "--output=" + link)
    same("a link", (os.path.islink(link), os.path.getsize(plain) > 0), (True, True))
    snapshot(program.pid, "--output=" + os.devnull)
    same("the null device", stat.S_ISCHR(os.stat(os.devnull).st_mode), True)
    for what in (pipe, os.devnull, folder):
        contains("a begin that is no file", snapshot(program.pid, "--since=" + what, code=2), "is no begin of an interval")
    contains("an empty word", snapshot("--since=", program.pid, code=2), "option '--since=': expected a value that is not empty")
    # Somebody has put something where the new file is written.
    for make in (lambda path: os.symlink(plain, path), lambda path: os.link(plain, path), os.mkfifo, os.mkdir):
        make(plain + "-2.new")
        before = os.stat(plain)
        contains("in the way", snapshot(program.pid, "--output=" + plain + "-2", code=2), "cannot write '%s-2.new'" % plain)
        same("what is there", os.stat(plain)[6:], before[6:])
        same("the file", os.path.exists(plain + "-2"), False)
        (os.rmdir if os.path.isdir(plain + "-2.new") and not os.path.islink(plain + "-2.new") else os.remove)(plain + "-2.new")
    program.kill()


def check_spaces(lines):
    """Processes of other number spaces, which share /tmp, keep their begins."""
    apart = ["unshare", "--pid", "--fork", "--mount-proc"]
    if os.geteuid() != 0 or shutil.which("unshare") is None or subprocess.run([*apart, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        return
    program = Program(lines)
    program.says("done")
    tell(program, "222")
    same("the first interval", visits(document(program.pid, "--reset")), [6])
    script = 'sleep 1000 | "$2" > /dev/null & until "$1" snapshot --reset lines > /dev/null 2>&1; do :; done; kill $!'
    subprocess.run([*apart, "sh", "-c", script, "sh", base.ompinst, lines], check=True, env=dict(os.environ, POMP_SUMMARY="off"))
    tell(program, "2")
    same("the next one", visits(document(program.pid, "--reset")), [2])
    program.kill()


def check_other_time(lines):
    """A program whose clock has another begin is refused, as its times would make no sense."""
    apart = ["unshare", "--time", "--monotonic", "1000", "--fork"]
    if os.geteuid() != 0 or shutil.which("unshare") is None or subprocess.run([*apart, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        return
    outer = subprocess.Popen([*apart, lines], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    same("the program", outer.stdout.readline(), "done\n")
    with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid), encoding="utf-8") as file:
        contains("another time", snapshot(file.read().strip(), code=2), "counts time from another begin")
    outer.communicate()


def check_killed_readers(lines, folder):
    """A reader that is killed leaves at most the one file that the next one uses."""
    program = Program(lines)
    program.says("done")
    tell(program, "2")
    place = os.path.join(folder, "killed")
    os.mkdir(place)
    for number in range(40):
        words = [base.ompinst, "snapshot", str(program.pid), "--since=%s/begin" % place, "--output=%s/text" % place]
        reader = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            reader.wait(number / 4000)
        except subprocess.TimeoutExpired:
            reader.send_signal(signal.SIGKILL)
            reader.wait()
    same("files of killed readers", set(os.listdir(place)) - {"begin", "begin.new", "text", "text.new"}, set())
    snapshot(program.pid, "--since=%s/begin" % place, "--output=%s/text" % place)
    same("files", sorted(os.listdir(place)), ["begin", "text"])
    program.kill()


def check_time_of_day(lines, folder):
    """Files are written every second also if the time of day is set back: here it is ahead of the kernel's."""
    shifted = build(folder, "shifted.so", SHIFTED, base.compiler, "-shared", "-fPIC", "-ldl")
    place = os.path.join(folder, "shifted")
    os.mkdir(place)
    program = Program(lines, cwd=place, POMP_SNAPSHOT="1", LD_PRELOAD=shifted)
    program.says("done")
    tell(program, "2")
    same("a file", visits(base.written(place, 2)), [2])
    program.kill()


def main():
    with tempfile.TemporaryDirectory() as folder:
        mixed, library = os.path.join(folder, "mixed"), os.path.join(folder, "library.so")
        subprocess.run([base.ompinst, base.compiler, "-g", "-O1", "-fopenmp", "-pthread", "-o", mixed, os.path.join(base.sources, "mixed.c"), "-ldl"], check=True)
        library = build(folder, "library.so", LIBRARY, base.ompinst, base.compiler, "-g", "-fopenmp", "-shared", "-fPIC")
        lines = build(folder, "lines", LINES, base.ompinst, base.compiler, "-g", "-fopenmp")
        check_mixed(mixed, library, folder)
        check_readers(mixed, library, folder)
        check_lines(lines, folder)
        check_outputs(lines, folder)
        check_spaces(lines)
        check_other_time(lines)
        check_killed_readers(lines, folder)
        check_time_of_day(lines, folder)
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


main()
