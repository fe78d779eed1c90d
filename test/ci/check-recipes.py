# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of doc/ci as a service for continuous integration executes them: their steps' scripts as they are
written, in a repository with a small program, but for those that install. What is compared takes twice the work or
the same, so that the machine's load decides nothing.

Usage: check-recipes.py DOC_CI INSTRUMENTER REPORTS
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

try:
    import yaml
except ImportError:
    print("there is no python3-yaml to read the recipes with")
    sys.exit(77)

RECIPES, INSTRUMENTER, REPORTS = (Path(folder).resolve() for folder in sys.argv[1:4])
SOURCE = """#include <stdio.h>
#include <stdlib.h>
static double field[4000];
static double work(double value, int turns)
{
	for (int i = 0; i < turns; i++)
		value = value * 0.999 + 1.0;
	return value;
}
int main(void)
{
	double sum = 0;
#pragma omp parallel for
	for (int i = 0; i < 4000; i++)
		field[i] = work(i, 300);
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 4000; i++)
		sum += work(field[i], 300);
	printf("the sum is %g\\n", sum);
	return EXIT_SUCCESS;
}
"""
SLOW_LINE = 1 + SOURCE[:SOURCE.index("reduction")].count("\n")
SLOWER = SOURCE.replace("work(field[i], 300)", "work(field[i], 600)")
MAKEFILE = "CFLAGS = -fopenmp -O1 -g\nbenchmark: kernel.c\n\t$(CC) $(CFLAGS) -o $@ $<\n"
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


class Repository:
    """A repository that has what a user copies into it."""

    def __init__(self, folder):
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.tools = folder / "tools"
        self.tools.mkdir()
        for name in ("ompinst", "ompinst-gcc", "ompinst-g++"):
            (self.tools / name).symlink_to(INSTRUMENTER / "ompinst")
        (self.tools / "ompreport").symlink_to(REPORTS / "ompreport")
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith(("OMP", "POMP", "GIT_", "CI", "GITHUB"))}
        self.environment |= {"PATH": f"{self.tools}:{os.environ['PATH']}", "HOME": str(folder),
                             "GITHUB_STEP_SUMMARY": str(folder / "step-summary.md")}
        self.git("init", "--quiet", "--initial-branch=main")
        (self.folder / ".gitignore").write_text("/benchmark\n")
        for place in (".github", ".gitlab"):
            (self.folder / place).mkdir()
            shutil.copy(RECIPES / "compare.sh", self.folder / place)

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *arguments],
                              cwd=self.folder, env=self.environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    def commit(self, **files):
        """Makes a commit of the files, whose names have "_" for "."; returns its name."""
        for name, text in files.items():
            (self.folder / name.replace("_", ".")).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def execute(self, script, environment):
        done = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, text=True, errors="replace",
                              env=self.environment | {key: str(value) for key, value in environment.items()},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def read(self, name):
        path = self.folder / "ompinst-runs" / name
        return path.read_text() if path.exists() else ""


def check_script(script, what):
    done = subprocess.run(["sh", "-n", "-c", script], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{what}: {done.stderr}")


def run_github(repository, base, **settings):
    """The job's status and output: the steps in their order, those after a failure only with `if: always()`."""
    recipe = yaml.safe_load((RECIPES / "github.yml").read_text())
    (job,) = recipe["jobs"].values()
    status, output = 0, ""
    for step in job["steps"]:
        script = step.get("run", "")
        expect(script or "uses" in step, f"github.yml: a step does nothing: {step}")
        check_script(script, f"github.yml: {step.get('name')}")
        if not script or step["name"].startswith("Install") or (status and step.get("if") != "always()"):
            continue
        own = {key: re.sub(r"\$\{\{ *github\.event\.pull_request\.base\.sha *\}\}", base, str(value))
               for key, value in step.get("env", {}).items()}
        expect("${{" not in script + "".join(own.values()), f"github.yml: an expression that is not known: {step}")
        result, printed = repository.execute(script, {"GITHUB_ACTIONS": "true"} | recipe["env"] | own | settings)
        status, output = status or result, output + printed
    return status, output


def run_gitlab(repository, base, **settings):
    (job,) = yaml.safe_load((RECIPES / "gitlab.yml").read_text()).values()
    check_script("\n".join(job["before_script"]), "gitlab.yml: before_script")
    for path in (*job["artifacts"]["reports"].values(), *job["artifacts"]["paths"]):
        expect(path.startswith("ompinst-runs/"), f"gitlab.yml: an artifact elsewhere: {path}")
    merge = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base} if base else {}
    return repository.execute("\n".join(job["script"]), job["variables"] | merge | settings)


def check_unchanged(repository, run, name):
    """Lines that move are no change, and what the main branch became since is none of this one's."""
    repository.git("checkout", "--quiet", "-b", f"faster-{name}")
    base = repository.commit(kernel_c=SOURCE.replace("300", "100"))
    repository.git("checkout", "--quiet", "main")
    repository.commit(kernel_c="/* moved */\n\n" + SOURCE)
    status, output = run(repository, base, THRESHOLD="50")
    expect(status == 0 and "nothing got slower" in output, f"{name} unchanged: {status}: {output}")
    expect(" 0 slower" in repository.read("summary.md"), f"{name} unchanged: {repository.read('summary.md')}")
    repository.commit(kernel_c=SOURCE)


def check_slower(repository, run, name):
    base = repository.git("rev-parse", "HEAD")
    repository.commit(kernel_c=SLOWER)
    status, output = run(repository, base, THRESHOLD="50")
    place = f"kernel.c:{SLOW_LINE} "
    row = re.search(rf"^ *{re.escape(place)}(parallel|for) +slower ", output, re.M)
    expect(status == 3 and row, f"{name} slower: {status}: {output}")
    expect(f"slower than {base}" in output, f"{name} slower: {output}")
    expect(f"| slower | {place}" in repository.read("summary.md"), f"{name} slower: {repository.read('summary.md')}")
    if not row:
        return
    cases = xml.etree.ElementTree.fromstring(repository.read("junit.xml")).iter("testcase")
    failed = [case.get("name") for case in cases if case.find("failure") is not None]
    expect(any(case.startswith(place) for case in failed), f"{name} slower: JUnit: {failed}")
    found = [(entry["location"]["path"], entry["location"]["lines"]["begin"], entry["severity"])
             for entry in json.loads(repository.read("code-quality.json"))]
    expect(("kernel.c", SLOW_LINE, "major") in found, f"{name} slower: code quality: {found}")
    others = [line for line in output.splitlines() if re.match(r" *kernel\.c:", line) and " slower " in line
              and place not in line]
    expect(not others, f"{name} slower: others, too: {others}")
    if run is run_github:
        expect(f"::error file=kernel.c,line={SLOW_LINE},title=kernel.c%3A{SLOW_LINE} " in output, f"annotations: {output}")
        shown = Path(repository.environment["GITHUB_STEP_SUMMARY"]).read_text()
        expect(f"| slower | {place}" in shown, f"the job's summary: {shown}")
    repository.commit(kernel_c=SOURCE)


def check_baselines(repository):
    """Without something to compare with the run is kept, and that is what is printed."""
    repository.commit(Makefile=MAKEFILE, kernel_c=SOURCE)
    without = [("", "there is no commit 'none'")]
    repository.git("rm", "--quiet", "Makefile")
    base = repository.commit()
    repository.commit(Makefile=MAKEFILE)
    without.append((base, f"'{base}' does not build"))
    base = repository.commit(kernel_c=SOURCE.replace("EXIT_SUCCESS", "5"))
    repository.commit(kernel_c=SOURCE)
    without.append((base, f"the benchmark does not run on '{base}'"))
    for base, reason in without:
        if not base:
            repository.git("checkout", "--quiet", "HEAD~4")
        status, output = run_github(repository, base)
        expect(status == 0 and "No baseline: " + reason in output, f"no baseline: {status}: {output}")
        expect((repository.folder / "ompinst-runs/new-001/traces.otf2").exists(), f"no baseline: no run: {output}")
        repository.git("checkout", "--quiet", "main")


def check_broken(repository, run):
    """A program that does not build or run is its own error, and no slower region."""
    base = repository.git("rev-parse", "HEAD")
    cases = ((SOURCE.replace("int main", "int main int"), {}, "the build failed: make CC=ompinst-gcc", "kernel.c:10"),
             (SOURCE.replace("EXIT_SUCCESS", "7"), {}, "the benchmark failed: ./benchmark (exit status 7)", "the sum is"),
             (SOURCE, {"BUILD": "make CC=gcc"}, "left no trace", "expected a program that ompinst built or runs"),
             (SOURCE, {"PAIRS": "few"}, "'few': expected a number above 0", "PAIRS"),
             (SOURCE, {"COUNTER": "no_such"}, "--measure='no_such'", "expected runs with POMP_METRICS=no_such"))
    for source, settings, message, other in cases:
        repository.commit(kernel_c=source)
        status, output = run(repository, base, **{"PAIRS": "2", "MOST_PAIRS": "2"} | settings)
        wanted = 2 if "few" in message else 1
        expect(status == wanted and message in output and other in output, f"broken: {status}, not {wanted}: {output}")
        expect("slower" not in output, f"broken: slower: {output}")


def main():
    if shutil.which("git") is None:
        print("git is not here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(Path(folder))
        check_baselines(repository)
        for run, name in ((run_github, "github"), (run_gitlab, "gitlab")):
            check_unchanged(repository, run, name)
            check_slower(repository, run, name)
        check_broken(repository, run_gitlab)
        worktrees = repository.git("worktree", "list").splitlines()
        expect(len(worktrees) == 1, f"worktrees are left: {worktrees}")
        expect(repository.git("status", "--short") == "", f"left over: {repository.git('status', '--short')}")
    for failure in failures:
        print(f"FAIL: {failure}")
    return 1 if failures else 0


sys.exit(main())
