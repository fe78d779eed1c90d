# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst snapshot`: snapshot.py CC OMPINST SOURCE-FOLDER HOSTILE LIBPOMP OMPREPORT [SNAPSHOTS]

A program's profile while it runs is compared with the one at its end. Its clock is CLOCK_MONOTONIC, so that a
tick is a nanosecond and sums of intervals have to be equal to the end's, not nearly equal.
"""
import collections
import csv
import glob
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

compiler, ompinst, sources, hostile, libpomp, ompreport = sys.argv[1:7]  # ompreport: "none" without OTF2
SNAPSHOTS = int(sys.argv[7]) if len(sys.argv) > 7 else 1000
failures = []
BUSY_LINE = next(number for number, line in enumerate(open(os.path.join(sources, "busy.c"), encoding="utf-8"), 1) if "omp parallel" in line)
NOTHING = {  # of a snapshot that there is not
    "regions": [], "locks": [], "tasks": [], "thread_time_ns": {"useful": 0}, "parallel_ns": 0, "wall_ns": 0, "program": "", "note": "", "trace": ""}
SAMPLED = {"samples", "hot", "team_paths", "serial_paths", "blocked", "lost_samples", "sample_note"}
SUMS = ("visits", "time_ns", "self_ns", "body_sum_ns", "barrier_wait_ns", "imbalance_ns")


def same(what, found, expected):
    if found != expected:
        failures.append("%s: %s, expected %s" % (what, found, expected))


def contains(what, text, part):
    if part not in text:
        failures.append("%s: %r, expected %r in it" % (what, text, part))


class Program:
    """A measured program, whose summary at the end is JSON."""

    def __init__(self, path, *words, starter=(), cwd=None, preexec_fn=None, stderr=None, **settings):
        self.summary = path + ".json"
        environment = dict(os.environ, POMP_TIMER="clock_gettime", POMP_SUMMARY=self.summary, POMP_SUMMARY_FORMAT="json",
                           OMP_WAIT_POLICY="passive")
        environment.update(settings)
        self.process = subprocess.Popen([*starter, path, *words], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        cwd=cwd, preexec_fn=preexec_fn, stderr=stderr)
        self.pid = self.process.pid

    def says(self, expected):
        same("the program", self.process.stdout.readline(), expected + "\n")

    def ask(self, rounds):
        self.process.stdin.write("%d\n" % rounds)
        self.process.stdin.flush()

    def end(self):
        """Its summary at the end."""
        self.process.communicate()
        with open(self.summary, encoding="utf-8") as file:
            return json.load(file)

    def kill(self):
        self.process.kill()
        self.process.communicate()


def snapshot(*words, code=0, **how):
    done = subprocess.run([ompinst, "snapshot", *map(str, words)], capture_output=True, text=True, check=False, **how)
    if done.returncode != code:
        failures.append("ompinst snapshot %s: status %d, expected %d:\n%s%s" % (
            " ".join(map(str, words)), done.returncode, code, done.stdout, done.stderr))
    return done.stdout if code == 0 else done.stderr


def document(*words):
    text = snapshot("--format=json", *words)
    try:
        return json.loads(text)
    except ValueError:
        failures.append("no JSON: " + text)
        return NOTHING


def sums(summary):
    """What was counted, by the place."""
    found = collections.Counter()
    for region in summary["regions"]:
        for key in SUMS:
            found[os.path.basename(region["file"]), region["begin_line"], region["name"], key] += region[key] or 0
    for task in summary["tasks"]:
        for key in ("created", "executed", "undeferred", "execute_ns"):
            found["task", task["begin_line"], key] += task[key]
    found["acquisitions"] = sum(lock["acquisitions"] for lock in summary["locks"])
    found["useful"] = summary["thread_time_ns"]["useful"]
    found["parallel"] = summary["parallel_ns"]
    return +found


def check_forms(busy):
    """Nothing happens between the snapshot and the end, so both have the same sums, members and columns."""
    program = Program(busy, "3")
    program.says("ready")
    program.ask(200)
    program.says("done")
    live, text, lines = document(program.pid), snapshot(program.pid), snapshot(program.pid, "--format=csv")
    same("by its name", sums(document(os.path.basename(busy))), sums(live))
    path = busy + ".snapshot"
    same("what --output prints", snapshot(program.pid, "--format=json", "--output=" + path), "")
    with open(path, encoding="utf-8") as file:
        same("--output", sums(json.load(file)), sums(live))
    end = program.end()
    same("sums", sums(live), sums(end))
    same("members", set(end) - set(live) - SAMPLED, set())
    same("a region's members", set(live["regions"][0]), set(end["regions"][0]))
    same("the program's name", (live["program"], live["note"], live["trace"]), (busy, None, None))
    for part in ("REGIONS by potential gain", "busy.c", "critical(adds)", "TASKS by time", "ADVICE"):
        contains("text", text, part)
    same("CSV", "regions" in lines or len(list(csv.reader(io.StringIO(lines)))) > 5, True)
    same("files", [name for name in os.listdir(os.path.dirname(busy)) if name.startswith(os.path.basename(path) + ".")], [])


def check_intervals(busy, folder):
    """Of a program that works all the time, the intervals add up to the profile at the end."""
    program = Program(busy, "3")
    program.says("ready")
    since = os.path.join(folder, "begin")
    total = collections.Counter()
    for number in range(SNAPSHOTS):
        program.ask(30)
        interval = document(program.pid, "--since=" + since)
        total += sums(interval)
        same("the most of an interval", {row["body_max_ns"] for row in interval["regions"]} - {None} == set(), number > 0)
    for number in range(SNAPSHOTS):
        program.says("done")
    total += sums(document(program.pid, "--since=" + since))
    same("an interval in which nothing happened", sums(document(program.pid, "--since=" + since)), collections.Counter())
    # Without a reset it is everything.
    same("all", sums(document(program.pid)), total)
    same("intervals", {key: total[key] - value for key, value in sums(program.end()).items() if total[key] != value}, {})


def check_reset(busy):
    """--reset keeps the begin itself: of each process its own, and of none that has ended."""
    one, other = Program(busy, "2"), None
    one.says("ready")
    first = sums(document(one.pid, "--reset"))
    one.ask(10)
    one.says("done")
    second = sums(document("--reset", one.pid))
    rest = sums(document(one.pid, "--reset"))
    same("nothing new", rest, collections.Counter())
    shutil.copy(busy, busy + "-other")
    other = Program(busy + "-other", "2")
    other.says("ready")
    visits = {key: value for key, value in sums(document(other.pid, "--reset")).items() if "visits" in key}
    same("another process", visits, {key: value for key, value in first.items() if "visits" in key})
    same("intervals", first + second, sums(one.end()))
    other.kill()


def check_compared(busy, folder):
    """Snapshots say which run they are of, and `ompreport diff` what was between them."""
    program, other = Program(busy, "2"), Program(busy, "2")
    paths = [os.path.join(folder, name + ".json") for name in ("earlier", "later", "of-another")]
    for run, path in ((program, paths[0]), (program, paths[1]), (other, paths[2])):
        run.says("ready") if path != paths[1] else (run.ask(7), run.says("done"))
        snapshot(run.pid, "--format=json", "--output=" + path)
    interval = document(program.pid, "--since=" + paths[0] + "-begin"), document(program.pid, "--since=" + paths[0] + "-begin")
    earlier, later, another = (json.load(open(path, encoding="utf-8")) for path in paths)
    same("one run", later["snapshot"], earlier["snapshot"])
    same("another run", another["snapshot"]["began_ns"] == earlier["snapshot"]["began_ns"], False)
    same("is it an interval", [one["snapshot"] for one in interval],
         [dict(later["snapshot"], is_interval=False), dict(later["snapshot"], is_interval=True)])
    same("a summary at the end", "snapshot" in program.end(), False)
    other.kill()
    if ompreport == "none":
        return
    done = subprocess.run([ompreport, "diff", "--format=json", *paths[:2]], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    same("the interval", found["interval_ns"], later["wall_ns"] - earlier["wall_ns"])
    for key in ("change_ns", "visits_b"):
        summed = "time_ns" if key == "change_ns" else "visits"
        same("compared " + key, sum(row[key] for row in found["diff"]), sum(value * sign for one, sign in
             ((later, 1), (earlier, -1 if key == "change_ns" else 0)) for value in (region[summed] for region in one["regions"])))
    done = subprocess.run([ompreport, "diff", "--format=json", paths[0], paths[2]], capture_output=True, text=True, check=True)
    same("two runs", "interval_ns" in json.loads(done.stdout), False)


def check_open(busy):
    """Time in a region that is still open is no serial time."""
    program = Program(busy, "2", "stays")
    program.says("inside")
    live = document(program.pid)
    same("regions", [region["name"] for region in live["regions"]], [])
    same("is there parallel time", live["parallel_ns"] > 0, True)
    later = document(program.pid)
    grown = later["parallel_ns"] - live["parallel_ns"]
    same("all time is parallel", grown, later["wall_ns"] - live["wall_ns"])
    program.kill()


def check_refusals(busy, folder):
    silent = subprocess.Popen(["sleep", "1000"])
    contains("not measured", snapshot(silent.pid, code=2), "process %d is not measured: it has not loaded libpomp.so; expected" % silent.pid)
    silent.kill()
    silent.wait()
    contains("ended", snapshot(silent.pid, code=2), "there is no process %d" % silent.pid)
    contains("no name", snapshot("no-such-program-here", code=2), "there is no process of this user called 'no-such-program-here'")
    contains("nothing", snapshot(code=2), "expected the number or name of one process")
    contains("two", snapshot("1", "2", code=2), "'2': expected the number or name of one process and nothing else")
    contains("both", snapshot("1", "--reset", "--since=x", code=2), "--reset and --since='x': expected one of them")
    for settings, what in (({"POMP_DISABLE": "yes"}, "has no profile"), ({"POMP_ENABLE_PROFILING": "no"}, "has no profile")):
        program = Program(busy, "2", **settings)
        program.says("ready")
        contains(str(settings), snapshot(program.pid, code=2), what)
        program.kill()
    program, same_name = Program(busy, "2"), Program(busy, "2")
    program.says("ready")
    same_name.says("ready")
    contains("several", snapshot(os.path.basename(busy), code=2), "2 processes of this user are called '%s'" % os.path.basename(busy))
    same_name.kill()
    bad = os.path.join(folder, "bad")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("something else\n" * 20)
    contains("no begin", snapshot(program.pid, "--since=" + bad, code=2), "'%s' is no begin of an interval" % bad)
    snapshot(program.pid, "--since=" + bad + "-2")
    with open(bad + "-2", "r+b") as file:
        file.truncate(200)
    contains("damaged", snapshot(program.pid, "--since=" + bad + "-2", code=2), "is damaged")
    contains("no folder", snapshot(program.pid, "--output=/nowhere/x", code=2), "cannot write '/nowhere/x': No such file")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([ompinst, "snapshot", str(program.pid)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            same("full", (done.returncode, "cannot write: No space left" in done.stderr), (2, True))
    if os.geteuid() == 0:
        contains("another user", snapshot(program.pid, code=2, user=65534), "belongs to another user, number 0")
    # The begin of another process.
    snapshot(program.pid, "--since=" + bad + "-3")
    other = Program(busy, "2")
    other.says("ready")
    contains("another process's", snapshot(other.pid, "--since=" + bad + "-3", code=2), "is the begin of an interval of another process")
    other.kill()
    program.kill()


def check_version(folder):
    """A libpomp.so with another table."""
    source, library, program = (os.path.join(folder, name) for name in ("other.c", "libpomp.so.0", "other-version"))
    with open(source, "w", encoding="utf-8") as file:
        file.write("const char pomp_debug_table[4096] = \"ompinst\";\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\nextern const char pomp_debug_table[];\n"
                   "int main(void) { puts(pomp_debug_table); fflush(stdout); return getchar(); }\n")
    subprocess.run([compiler, "-o", program, source, library, "-Wl,-rpath," + folder], check=True)
    other = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    same("the program", other.stdout.readline(), "ompinst\n")
    contains("another version", snapshot(other.pid, code=2), "is measured by libpomp of another version")
    other.communicate()


def check_killed(busy, folder):
    """Neither side needs the other: killed at any time, the other one goes on and is right."""
    program = Program(busy, "2")
    program.says("ready")
    since = os.path.join(folder, "killed")
    program.ask(3000)
    total = sums(document(program.pid, "--since=" + since))
    for _ in range(20):
        reader = subprocess.Popen([ompinst, "snapshot", str(program.pid), "--since=" + since + "-not", "--output=" + os.devnull + "-no"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        reader.send_signal(signal.SIGKILL)
        reader.wait()
    program.says("done")
    total += sums(document(program.pid, "--since=" + since))
    same("after killed readers", total, sums(program.end()))
    for _ in range(5):
        program = Program(busy, "2", "forever")
        reader = subprocess.Popen([ompinst, "snapshot", str(program.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        program.kill()
        error = reader.communicate()[1]
        same("a reader of a killed program", (reader.returncode in (0, 2), error.count("\n") <= 1), (True, True))


def check_top(path, **how):
    """`ompinst top` shows what was left in each interval: all intervals together, what was measured in all."""
    program = Program(path, "2", **how)
    program.says("ready")
    before = sums(document(program.pid))
    looking = subprocess.Popen([ompinst, "top", "--format=json", "-i", "0.1", "-n", "600", str(program.pid)], stdout=subprocess.PIPE, text=True)
    found, text, expected = collections.Counter(), "", None
    for line in looking.stdout:
        text += line
        try:
            processes = json.loads(text)["processes"] if line == "}\n" else None
        except ValueError:  # only a part of it has ended
            continue
        if processes is None:
            continue
        if expected is None:
            program.ask(40)
            program.says("done")
            expected = {key: value for key, value in (sums(document(program.pid)) - before).items() if key[-1] in ("visits", "time_ns")}
        for process in processes:
            same("is it measured", process["is_measured"], 1)
            for region in process["measured"]:
                for key in ("visits", "time_ns"):
                    found[os.path.basename(region["file"]), region["begin_line"], region["name"], key] += region[key]
        text = ""
        if found["busy.c", BUSY_LINE, "parallel", "visits"] >= expected["busy.c", BUSY_LINE, "parallel", "visits"]:
            break
    looking.kill()
    looking.communicate()
    same("top", +found, collections.Counter(expected))
    program.kill()


def written(folder, number):
    """The snapshot with that number, when the program has written it."""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        for path in glob.glob(os.path.join(folder, "pomp-snapshots-*", "%04d.json" % number)):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        time.sleep(0.1)
    failures.append("no snapshot %d in %s: %s" % (number, folder, os.listdir(folder)))
    return NOTHING


def check_as_it_is(folder):
    """Code that was not instrumented has the names that it has at the end, also in intervals; in files of its own, its place."""
    plain = os.path.join(folder, "plain-%d" % os.getpid())
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", "-o", plain, os.path.join(sources, "busy.c")], check=True)
    program = Program(plain, "3", starter=(ompinst, "run", "--quiet"), cwd=folder, POMP_SNAPSHOT="1s")
    program.says("ready")
    program.ask(100)
    program.says("done")
    first = document(program.pid, "--since=" + folder + "/plain-begin")
    program.ask(100)
    program.says("done")
    live, second = document(program.pid), document(program.pid, "--since=" + folder + "/plain-begin")
    while not glob.glob(folder + "/pomp-snapshots-%d/*.json" % program.pid):
        time.sleep(0.1)
    end = program.end()
    same("as it is", sums(live), sums(end))
    same("as it is, in intervals", sums(first) + sums(second), sums(end))
    same("the line of the region", {region["begin_line"] for region in live["regions"] if region["name"] == "parallel"} >= {BUSY_LINE}, True)
    with open(sorted(glob.glob(folder + "/pomp-snapshots-%d/*.json" % program.pid))[-1], encoding="utf-8") as file:
        same("by itself", {region["file"].split("+0x")[0] for region in json.load(file)["regions"]}, {os.path.basename(plain)})
    check_top(plain, starter=(ompinst, "run", "--quiet"))


def check_written(busy, folder):
    """POMP_SNAPSHOT: the program writes them, whatever it does with its descriptors; and its end has the same sums."""
    for mode in ("plain", "closes"):
        place = os.path.join(folder, "written-" + mode)
        os.mkdir(place)
        program = Program(busy, "2", mode, cwd=place, POMP_SNAPSHOT="1s")
        program.says("ready")
        first = written(place, 2)  # the first one may have come before that
        second = written(place, 3)
        same("nothing new", sums(second), sums(first))
        same("the end", sums(program.end()), sums(second))
        same("its folder", os.listdir(place), ["pomp-snapshots-%d" % program.pid])
        same("no parts", [name for name in os.listdir(glob.glob(place + "/*")[0]) if not name.endswith(".json")], [])
    # Without the setting there is no such thread.
    program = Program(busy, "2", cwd=folder)
    program.says("ready")
    names = set()
    for thread in os.listdir("/proc/%d/task" % program.pid):
        with open("/proc/%d/task/%s/comm" % (program.pid, thread), encoding="utf-8") as file:
            names.add(file.read().strip())
    same("threads", {name for name in names if name.startswith("pomp-snap")}, set())
    program.kill()


def check_unwritten(busy, folder):
    """A disk without room, a folder that is gone, another root: one line, and a program that ends as ever."""
    modes = [("plain", "File too large"), ("gone", "the folder of the start is not there any more")]
    if os.geteuid() == 0:
        modes.append(("roots", "the folder of the start is not there any more"))
    for mode, why in modes:
        place = os.path.join(folder, "unwritten-" + mode)
        os.mkdir(place)
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))) if mode == "plain" else None
        program = Program(busy, "2", mode, cwd=place, preexec_fn=limit, stderr=subprocess.PIPE, POMP_SNAPSHOT="1", POMP_SUMMARY="off")
        program.says("ready")
        if mode == "gone":
            os.rename(place, place + "-now")
        line = program.process.stderr.readline()
        contains(mode, line, "pomp: POMP_SNAPSHOT: no snapshot ")
        contains(mode, line, why)
        program.ask(3)
        program.says("done")
        rest = program.process.communicate()[1]
        same(mode + ": its end", (program.process.returncode, rest), (0, ""))
        if mode != "gone":
            same("what is left", sum(len(files) for _, _, files in os.walk(place)), 0)


def check_ends(folder):
    """A main that ends by pthread_exit(), a fork and an exec end as without snapshots."""
    source, program = (os.path.join(folder, name) for name in ("ends.c", "ends"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(ENDS)
    subprocess.run([ompinst, compiler, "-g", "-fopenmp", "-pthread", "-o", program, source], check=True)
    for mode in ("thread", "fork", "exec"):
        place = os.path.join(folder, "ends-" + mode)
        os.mkdir(place)
        done = subprocess.run([program, mode], cwd=place, env=dict(os.environ, POMP_SNAPSHOT="1", POMP_SUMMARY="off"),
                              capture_output=True, text=True, check=False, timeout=200)
        same(mode, (done.returncode, done.stdout, done.stderr), (0, "the end\n", ""))


ENDS = """#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *last(void *unused)
{
	usleep(1500000);
	puts("the end");
	return unused;
}
int main(int count, char **words)
{
	pthread_t thread;
	int status = 0;
	#pragma omp parallel
	{
	}
	if (count > 1 && strcmp(words[1], "thread") == 0) {
		pthread_create(&thread, NULL, last, NULL);
		pthread_exit(NULL);
	}
	if (count > 1 && strcmp(words[1], "fork") == 0) {
		if (fork() == 0)
			return 0;
		wait(&status);
	}
	if (count > 1 && strcmp(words[1], "exec") == 0) {
		usleep(1100000);
		execl("/proc/self/exe", words[0], (char *)NULL);
	}
	puts("the end");
	return status;
}
"""


def check_hostile(busy):
    """Reads that are torn, random or fail: every read ends."""
    program = Program(busy, "4", POMP_SAMPLING="1000")
    program.says("ready")
    for _ in range(40):  # samples are at least 1 ms of processor time apart
        program.ask(50)
        program.says("done")
    done = subprocess.run([hostile, libpomp, str(program.pid), "300"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        failures.append("hostile memory: status %d: %s%s" % (done.returncode, done.stdout, done.stderr))
    program.kill()


def main():
    with tempfile.TemporaryDirectory() as folder:
        busy = os.path.join(folder, "busy-%d" % os.getpid())  # a name that no other process has
        subprocess.run([ompinst, compiler, "-g", "-O1", "-fopenmp", "-o", busy, os.path.join(sources, "busy.c")], check=True)
        check_forms(busy)
        check_intervals(busy, folder)
        check_reset(busy)
        check_compared(busy, folder)
        check_open(busy)
        check_refusals(busy, folder)
        check_version(folder)
        check_killed(busy, folder)
        check_hostile(busy)
        check_top(busy)
        check_as_it_is(folder)
        check_written(busy, folder)
        check_unwritten(busy, folder)
        check_ends(folder)
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
