# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst top` on programs whose threads wait in known states: top.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER HOSTILE LIBOMPD

What a thread's time was depends on the machine; what it waits for, and for whom, does not.
"""
import csv
import functools
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import debugger
from debugger import expect, failures

compiler, ompinst, sources, runtime, hostile, library = sys.argv[1:7]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)
PLAIN = dict(os.environ)  # of ompinst itself: it finds everything
FOREIGN = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
Running = functools.partial(debugger.Running, environment=environment)
build = functools.partial(debugger.build, compiler, sources)


def top(*words, code=0, user=None):
    """The output of `ompinst top WORDS`, and its errors."""
    done = subprocess.run([ompinst, "top", *map(str, words)], env=PLAIN, capture_output=True, text=True, user=user)
    if done.returncode != code:
        failures.append("ompinst top %s: status %d, expected %d:\n%s%s" % (" ".join(map(str, words)), done.returncode, code,
                                                                        done.stdout, done.stderr))
    return done.stdout, done.stderr


def once(*words):
    """The processes of one short interval."""
    text = top("--once", "-i", "0.1", "--format=json", *words)[0]
    try:
        return json.loads(text)["processes"]
    except ValueError:
        failures.append("no JSON: " + text)
        return []


def same(what, is_value, expected):
    if is_value != expected:
        failures.append("%s: %s, expected %s" % (what, is_value, expected))


def states(process):
    return sorted(thread["state"] for thread in process["threads_seen"])


def check_stopped(stopped):
    """stopped.c: number 0 works in an inner region, whose other thread is at a barrier; one waits for its lock, one for critical."""
    with Running(stopped, "stays", says="level 2") as pid:
        process, = once(pid)
        same("states", states(process), ["barrier", "critical", "lock", "work"])
        same("process", [process[key] for key in ("pid", "status", "note", "threads", "ready_tasks", "is_measured")],
             [pid, "ok", None, 4, 0, False])
        locks = {lock["kind"]: (lock["waiters"], lock["holder"]) for lock in process["locks"]}
        same("locks", locks, {"lock": (1, pid), "critical": (1, pid)})
        same("the lock's name", {lock["name"] for lock in process["locks"] if lock["kind"] == "lock"}, {"guard"})
        for thread in process["threads_seen"]:
            inner = thread["state"] in ("barrier", "work")
            same("a thread's place", (thread["level"], thread["team_size"]), (2, 2) if inner else (1, 3))
            expect("its region", thread["region"], r"^stopped\.c:\d+ inner$" if inner else r"^stopped\.c:\d+ main$")
            if thread["state"] != "work":
                same("what a waiting thread did", [thread[key] for key in ("waits", "work", "delayed", "blocked", "idle")], [1, 0, 0, 0, 0])
        shares = sum(process[key] for key in ("work", "delayed", "blocked", "waits", "idle"))
        if not 0 < shares < 4.5:
            failures.append("shares of 4 threads: %s" % shares)
        expect("text", top("--once", "-i", "0.1", pid)[0], r"^PROCESSES$", r"^ +%d stopped-\d+ st" % pid,
               r"waits for a lock guard, in stopped\.c:\d+ main", r"^REGIONS by loss$", r"^LOCKS by waiters$", r"^ guard +lock +1 +%d$" % pid)
        thread = max(map(int, os.listdir("/proc/%d/task" % pid)))
        same("a thread's number stands for its process", [process["pid"] for process in once(thread)], [pid])
        same("by its name", [process["pid"] for process in once(os.path.basename(stopped))], [pid])


def check_crowd(crowd):
    with Running(crowd, "8", "100", says="there") as pid:
        process, = once(pid)
        same("at a barrier", states(process), ["barrier"] * 6 + ["work"] * 2)
        same("queued tasks", (process["ready_tasks"], process["blocked_tasks"]), (0, 100))
        # Nothing changes, so after some intervals all that wait are shown as stuck, and what works is not.
        text = top("-i", "0.1", "-n", "4", "--stuck=2", "--format=json", pid)[0]
        last = json.loads(text[text.rindex('{"version"'):])["processes"][0]
        same("stuck", (last["stuck"], {thread["is_stuck"] for thread in last["threads_seen"] if thread["state"] == "work"}), (6, {False}))
    for mode, state, holders in (("lock", "lock", 1), ("ordered", "ordered", 0), ("ring", "lock", 8)):
        with Running(crowd, "8", "0", mode, says="there" if mode != "ordered" else None, threads=8) as pid:
            process, = once(pid)
            same(mode, states(process), [state] * (8 if mode == "ring" else 7) + ["work"] * (mode != "ring"))
            same(mode + "'s waiters", sum(lock["waiters"] for lock in process["locks"]), 8 if mode == "ring" else 7)
            same(mode + "'s holders", len([lock for lock in process["locks"] if lock["holder"]]), holders)


def documents(stream):
    """The processes of each interval, as they come."""
    text = ""
    for line in stream:
        text += line
        try:
            document = json.loads(text) if line == "}\n" else None
        except ValueError:  # only a part of it has ended
            continue
        if document:
            yield document["processes"]
            text = ""


def check_changes(released):
    """One `top` sees what changes meanwhile: threads wait for a lock, then at a barrier, then the program ends."""
    program = subprocess.Popen([released], env=environment, stdin=subprocess.PIPE, text=True)
    looking = subprocess.Popen([ompinst, "top", "--format=json", "-i", "0.1", "-n", "1200", str(program.pid)], env=PLAIN, stdout=subprocess.PIPE, text=True)
    wanted = [["lock", "lock", "work"], ["barrier", "barrier", "work"]]
    for processes in documents(looking.stdout):
        if wanted and states(processes[0]) == wanted[0]:
            same("locks", [lock["waiters"] for lock in processes[0]["locks"]], [2] if len(wanted) == 2 else [])
            del wanted[0]
            program.stdin.write("go on\n")
            program.stdin.flush()
    same("what was not seen", wanted, [])
    same("both end", (program.wait(), looking.wait()), (0, 0))
    program.stdin.close()
    looking.stdout.close()


def check_csv(crowd):
    with Running(crowd, "3", "0", says="there") as pid:
        lines = list(csv.DictReader(io.StringIO(top("--format=csv", "-i", "0.1", "--count=3", pid)[0])))
        same("lines of CSV", [(line["pid"], line["status"], line["threads"], line["note"]) for line in lines], [(str(pid), "ok", "3", "")] * 3)
        for line in lines:
            expect("its time", line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            if not 0 <= float(line["efficiency"]) <= 1:
                failures.append("efficiency %s" % line["efficiency"])


def check_many(crowd):
    """50 programs at once, of which one has many threads."""
    sizes = [2] * 49 + [200]
    programs = [subprocess.Popen([crowd, str(size), "0"], env=environment, stdout=subprocess.DEVNULL) for size in sizes]
    try:
        debugger.wait_until(lambda: all([len(debugger.states_of(program.pid)) == size and debugger.is_at_rest(program.pid)
                                         for program, size in zip(programs, sizes)]))
        found = {process["pid"]: process for process in once(os.path.basename(crowd))}
        same("programs", set(found), {program.pid for program in programs})
        same("their states", {tuple(states(process)) for process in found.values()},
             {("barrier", "work"), ("barrier",) * 199 + ("work",)})
        text = top("--once", "-i", "0.1", "--threads", os.path.basename(crowd))[0]
        same("tables of threads", text.count("\nTHREADS\n"), 50)
    finally:
        for program in programs:
            program.kill()
            program.wait()


def check_ranks(crowd):
    """The variables of launchers, also through a script and within a Slurm job: jobs stay together, with their ranks in order."""
    own = str(os.getpid())
    open_mpi = {"OMPI_COMM_WORLD_SIZE": "4", "PMIX_NAMESPACE": "space@1"}
    slurm = {"SLURM_NTASKS": "8", "SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0"}
    ranks = [({}, (None, None, None)), ({"PMI_RANK": "abc", "PMI_SIZE": "2"}, (None, None, None)),
             ({"PMI_RANK": "1", "PMI_SIZE": "2"}, (own, 1, 2)), ({"PMI_RANK": "0", "PMI_SIZE": "2"}, (own, 0, 2)),
             (dict(open_mpi, OMPI_COMM_WORLD_RANK="10"), ("space@1", 10, 4)),
             (dict(open_mpi, **slurm, OMPI_COMM_WORLD_RANK="9", SLURM_PROCID="0", PMIX_RANK="9"), ("space@1", 9, 4)),
             (dict(slurm, SLURM_PROCID="3"), ("77.0", 3, 8)), ({"PMIX_RANK": "0", "PMIX_NAMESPACE": "other"}, ("other", 0, None)),
             ({"MV2_COMM_WORLD_RANK": "5", "MV2_COMM_WORLD_SIZE": "6"}, (own, 5, 6))]
    plain = {name: value for name, value in environment.items() if not name.startswith(("OMPI_", "PMI", "SLURM_", "MV2_"))}
    programs = []
    try:
        for number, (variables, _) in enumerate(ranks):
            command = [crowd, "2", "0"] if number != 3 else ["sh", "-c", '"$0" 2 0; exit 1', crowd]
            programs.append(subprocess.Popen(command, env=dict(plain, **variables), stdout=subprocess.PIPE, text=True))
            same("the program", programs[-1].stdout.readline() != "", True)
        found = once(os.path.basename(crowd))
        same("ranks", [(row["job"], row["rank"], row["ranks"]) for row in found],
             sorted((rank for _, rank in ranks), key=lambda rank: (rank[0] or "", rank[1] or 0)))
        text = top("--once", "-i", "0.1", os.path.basename(crowd))[0]
        expect("text", text, r"^ process .* job +rank ", r"^ +%d crowd.* [1-4] +3 " % programs[6].pid)
        same("the column of jobs", "job" in top("--once", "-i", "0.1", programs[0].pid)[0].splitlines()[1], False)
        csv_rows = list(csv.DictReader(io.StringIO(top("--once", "-i", "0.1", "--format=csv", os.path.basename(crowd))[0])))
        same("CSV", [(row["job"], row["rank"]) for row in csv_rows], [(row["job"] or "", str(row["rank"]) if row["job"] else "") for row in found])
    finally:
        for script in programs[3:4]:
            with open("/proc/%d/task/%d/children" % (script.pid, script.pid), encoding="utf-8") as children:
                for pid in children.read().split():
                    os.kill(int(pid), signal.SIGKILL)
        for program in programs:
            program.kill()
            program.communicate()


def check_others(folder, stopped):
    """Programs that cannot be read, and one that ends meanwhile."""
    sleeper = os.path.join(folder, "sleeper")
    with open(sleeper + ".c", "w", encoding="utf-8") as out:
        out.write("#include <unistd.h>\nint main(void)\n{\n\tfor (;;)\n\t\tpause();\n}\n")
    subprocess.run([compiler, sleeper + ".c", "-o", sleeper], check=True)
    with Running(sleeper) as pid:
        expect("no OpenMP", top("--once", pid, code=2)[1], r"^ompinst: error: process %d has not loaded an OpenMP runtime$" % pid)
    with debugger.Running(stopped, "stays", environment=FOREIGN, says="level 2") as pid:
        says = r"runs on another OpenMP runtime \(libgomp\.so[^)]*\); 'ompinst run' starts it on ompinst's$"
        expect("a foreign runtime", top("--once", pid, code=2)[1], r"^ompinst: error: process %d " % pid + says)
        expect("among others", top("--once", "-i", "0.1", os.path.basename(stopped))[0], r"^%d stopped-\d+ stays: " % pid + says)
        if os.geteuid() == 0 and os.access(ompinst, os.X_OK):
            expect("another user's", top("--once", pid, code=2, user=65534)[1], "process %d belongs to another user, number 0$" % pid)
    ending = Running(stopped, "stays", says="level 2")
    looking = subprocess.Popen([ompinst, "top", "--format=json", "-i", "0.1", str(ending.process.pid)], env=PLAIN,
                               stdout=subprocess.PIPE, text=True)
    looking.stdout.readline()
    ending.__exit__()
    same("a program that ends", ('"status": "ended"' in looking.communicate()[0], looking.returncode), (True, 0))
    for words, says in ((["--once", "999999999"], "there is no process 999999999"),
                        (["--once", "no-such-program"], "there is no OpenMP program 'no-such-program' of this user"),
                        (["--once", "1", "2"], "'2': expected nothing after the process"),
                        (["-i", "0.01"], "expected seconds between 0.1 and 86400"),
                        (["--formt=json"], "--format")):
        expect(" ".join(words), top(*words, code=2)[1], re.escape(says))
    expect("help", top("--help")[0], r"^usage: ompinst top \[options\] \[PID\|NAME\]$", "--interval")


def check_hostile(crowd):
    """Reads that are torn, random or fail: every look ends, and what is kept is bounded."""
    with Running(crowd, "8", "1000", says="there") as pid:
        done = subprocess.run([hostile, library, str(pid), "400"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            failures.append("hostile memory: status %d: %s%s" % (done.returncode, done.stdout, done.stderr))


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Names that no other process has.
        stopped, crowd = (build(folder, name) for name in ("stopped", "crowd"))
        stopped, crowd = (shutil.move(program, "%s-%d" % (program, os.getpid())) for program in (stopped, crowd))
        check_stopped(stopped)
        check_crowd(crowd)
        check_changes(build(folder, "released"))
        check_csv(crowd)
        check_many(crowd)
        check_ranks(crowd)
        check_others(folder, stopped)
        check_hostile(crowd)
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


main()
