# SPDX-License-Identifier: BSD-3-Clause
"""What gdb shows of each thread is what the thread itself learnt from OpenMP.

facts.py CC OMPINST SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER. The programs of facts.c are built without and
with optimisation and by ompinst; one gdb has all of them as its inferiors at the same time. Exits 77 where
gdb cannot attach.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from debugger import answers, command_line, failures, skip_without_tracing

skip_without_tracing()

compiler, ompinst, sources, runtime, commands = sys.argv[1:6]
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_CANCELLATION="true", OMP_MAX_TASK_PRIORITY="4",
                   OMP_WAIT_POLICY="passive", POMP_ENABLE_TRACING="no")
environment.pop("OMP_DEBUG", None)
BUILDS = {"plain": [compiler], "optimised": [compiler, "-O2"], "instrumented": [ompinst, compiler]}
# How many threads report, by scene.
REPORTS = {"serial": 1, "nested": 5, "inactive": 2, "tasks": 3, "taskloop": 2, "dependent": 2, "teams": 2,
        "cancelled": 2, "cancelling": 1}


def build(folder, name, command):
    program = "%s/facts-%s" % (folder, name)
    subprocess.run([*command, "-g", "-fopenmp", sources + "/facts.c", sources + "/scenes.c", "-o", program],
                   check=True, cwd=folder)
    return program


class Player:
    """A scene that is played, and what its threads reported."""

    def __init__(self, program, scene, report_file):
        self.scene, self.report_file = scene, report_file
        with open(report_file, "w", encoding="utf-8") as reported:
            self.process = subprocess.Popen([program, scene], env=environment, stdout=reported)

    def reported(self):
        with open(self.report_file, encoding="utf-8") as reported:
            lines = [line.split() for line in reported if line.startswith("lwp=")]
        return {facts.pop("lwp"): facts for facts in
                (dict(word.split("=", 1) for word in line) for line in lines)}

    def wait(self):
        while len(self.reported()) < REPORTS[self.scene] and self.process.poll() is None:
            time.sleep(0.05)


def ask(players):
    """Every process is an inferior of one gdb; then every thread of each is asked."""
    line = command_line(commands)
    for number, (name, player) in enumerate(players.items(), 1):
        line += ["-ex", "add-inferior -no-connection"] if number > 1 else []
        line += ["-ex", "inferior %d" % number, "-ex", "attach %d" % player.process.pid]
    for number, (name, player) in enumerate(players.items(), 1):
        line += ["-ex", "inferior %d" % number, "-ex", "echo \\n=== %s\\n" % name, "-ex", "omp threads",
                 "-ex", "echo \\n===\\n"]
        for thread in range(1, 8):
            line += ["-ex", "echo \\n=== %s %d\\n" % (name, thread), "-ex",
                     "thread %d.%d" % (number, thread), "-ex", "omp icvs", "-ex", "echo \\n===\\n"]
    output = answers(line, environment)
    return dict(re.findall(r"^=== ([^\n]+)\n(.*?)\n===$", output, re.M | re.S)), output


def check(name, player, answers):
    """Of each thread that reported, by gdb's number of it."""
    shown, reported = answers.get(name, ""), player.reported()
    if len(reported) != REPORTS[player.scene]:
        failures.append("%s: %d threads reported: %s" % (name, len(reported), reported))
    for lwp, facts in reported.items():
        row = re.search(r"^[* ] +(\d+) +%s  (\d+):(\d+)/(\d+) +(\S.*?)  " % lwp, shown + "  ", re.M)
        if row is None:
            failures.append("%s: thread %s is not shown in:\n%s" % (name, lwp, shown))
            continue
        place = (facts["levels-var"], facts["thread-num-var"], facts["team-size-var"])
        state = {"work_serial": "serial code", "work_parallel": "works"}[facts.pop("state")]
        if row.groups()[1:] != (*place, state):
            failures.append("%s: thread %s is shown as %s, it reported %s, %s" % (
                name, lwp, row.groups(), place, state))
        icvs = answers.get("%s %s" % (name, row.group(1)), "")
        for icv, value in facts.items():
            if not re.search(r"^%s +[a-z ]+ +(nonmonotonic:|monotonic:)?%s$" % (icv, re.escape(value)), icvs,
                             re.M):
                failures.append("%s: thread %s reported %s=%s:\n%s" % (name, lwp, icv, value, icvs))


def main():
    if shutil.which("gdb") is None:
        print("gdb is not there")
        return 77
    players = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for build_name, command in BUILDS.items():
                program = build(folder, build_name, command)
                for scene in REPORTS:
                    name = "%s/%s" % (build_name, scene)
                    players[name] = Player(program, scene, "%s/report-%d" % (folder, len(players)))
            for player in players.values():
                player.wait()
            answers, output = ask(players)
            for name, player in players.items():
                check(name, player, answers)
        finally:
            for player in players.values():
                player.process.kill()
                player.process.wait()
    if "ptrace: Operation not permitted" in output:
        print("gdb may not attach here")
        return 77
    if failures:  # first what is long: of a log often the end only is seen
        print("gdb said:\n%s\n" % output[:20000])
    print("%d programs in one gdb, %d threads\n%s" % (len(players), len(BUILDS) * sum(REPORTS.values()), "\n".join(failures)))
    return 1 if failures else 0


sys.exit(main())
