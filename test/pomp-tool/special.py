# SPDX-License-Identifier: BSD-3-Clause
"""What happens to programs that were compiled as they are, beyond their constructs.

special.py CASE COMPILER TOOL RUNTIME OMPREPORT

  unload    two plugins, alike but for their names, are loaded to the same place one after the other, and the
            first once more: each has its own regions, and all of its visits
  killed    a program is killed within its regions: its trace is recovered with names, and is valid
  no_openmp a program that never uses OpenMP, with the tool: nothing is printed and no folder is made
  brief     a program whose regions are left out by a filter, by construct: what is left counts
  combined  a loop and sections that one call begins with their regions have the lines of these
  contended a runtime reports releases late: still no lock has two holders at once in the trace
  full      no room for the trace: one line says so, and the profile is whole
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLUGIN = """
int run(int rounds)
{
	int sum = 0;
	for (int i = 0; i < rounds; i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
		{
#pragma omp critical
			sum++;
		}
	}
	return sum;
}
"""
HOST = """
#include <dlfcn.h>
#include <stdio.h>
static int use(const char *name, int rounds)
{
	void *plugin = dlopen(name, RTLD_NOW);
	int (*run)(int) = plugin ? (int (*)(int))dlsym(plugin, "run") : 0;
	if (!run)
		return printf("%s\\n", dlerror()), 1;
	printf("at %p\\n", (void *)run);
	int wrong = run(rounds) != 2 * rounds;
	return dlclose(plugin) != 0 || wrong;
}
int main(void)
{
	int first = 0;
#pragma omp parallel num_threads(2) /* the runtime is there for good */
#pragma omp atomic
	first++;
	return use("./first.so", 3) || use("./second.so", 5) || use("./first.so", 4) || first != 2;
}
"""
KILLED = """
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int rounds = atoi(argv[argc - 1]), sum = 0;
	for (int i = 0;; i++) {
#pragma omp parallel num_threads(3)
		{
#pragma omp critical
			if (sum++ == rounds)
				raise(SIGKILL);
#pragma omp barrier
#pragma omp single nowait
			for (int j = 0; j < 4; j++)
#pragma omp task
				__atomic_fetch_add(&sum, 0, __ATOMIC_RELAXED);
		}
	}
}
"""


CONTENDED = """
#include <omp.h>
int main(void)
{
	long sum = 0, other = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 10000; i++) {
#pragma omp critical
		sum++;
		omp_set_lock(&lock);
		other++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return sum != 40000 || other != 40000;
}
"""
COMBINED = """
int main(void)
{
	int x = 0;
#pragma omp parallel for schedule(dynamic) num_threads(2)
	for (int i = 0; i < 10; i++)
#pragma omp atomic
		x++;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		x++;
	}
	return x != 11;
}
"""


def fail(text):
    sys.exit(f"special: {text}")


class Place:
    """A folder with programs in it, and how they are run."""

    def __init__(self, folder, compiler, tool, runtime):
        self.folder, self.compiler = pathlib.Path(folder), compiler
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "LD_"))}
        self.environment["OMP_TOOL_LIBRARIES"] = tool
        if "clang" not in compiler:
            self.environment["LD_PRELOAD"] = runtime

    def build(self, name, text, *flags):
        (self.folder / f"{name}.c").write_text(text)
        result = subprocess.run([self.compiler, "-fopenmp", "-g", "-O1", f"{name}.c", "-o", *flags], cwd=self.folder,
                                capture_output=True, text=True, check=False)
        if "clang" in self.compiler and "-lomp" in result.stderr:
            print(f"skipped: {self.compiler} has no OpenMP runtime")
            sys.exit(77)
        if result.returncode != 0:
            fail(result.stderr)

    def run(self, *command, status=0, **settings):
        result = subprocess.run(command, cwd=self.folder, env={**self.environment, **settings}, capture_output=True,
                                text=True, check=False)
        if result.returncode != status:
            fail(f"{command}: status {result.returncode}, expected {status}: {result.stdout}{result.stderr}")
        return result

    def measure(self, *command, **settings):
        self.run(*command, POMP_SUMMARY="summary.json", POMP_SUMMARY_FORMAT="json", **settings)
        return json.loads((self.folder / "summary.json").read_text())


def visits_by_file(summary, construct):
    return {pathlib.Path(region["file"]).name: region["visits"] for region in summary["regions"]
            if region["name"] == construct}


def unload(place, _):
    for name in "first", "second":
        place.build(name, PLUGIN, f"{name}.so", "-shared", "-fPIC")
    place.build("host", HOST, "host", "-ldl")
    addresses = place.run("./host", POMP_SUMMARY="off").stdout.split()[1::2]
    if addresses[0] != addresses[1]:
        print(f"note: the plugins were loaded to different places: {addresses}")
    summary = place.measure("./host")
    for construct, least in ("parallel", {"host.c": 2}), ("critical", {}):
        found, expected = visits_by_file(summary, construct), {**least, "first.c": 14, "second.c": 10}
        if found != expected:
            fail(f"visits of {construct} are {found}, expected {expected}")


def killed(place, ompreport):
    place.build("killed", KILLED, "killed")
    for rounds in 0, 1, 50, 1000, 5000:
        trace = f"trace-{rounds}"
        place.run("./killed", str(rounds), status=-9, POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=trace)
        place.run(ompreport, "recover", trace)
        place.run(ompreport, "check", trace)
        regions = place.run(ompreport, "regions", trace).stdout
        if not re.search(r"killed\.c:\d+ critical", regions):
            fail(f"after a kill at {rounds}: no critical of killed.c among {regions}")


def no_openmp(place, _):
    place.build("nothing", "int main(void) { return 0; }", "nothing")
    tool = place.environment["OMP_TOOL_LIBRARIES"]
    for preload in tool, f"{tool} {place.environment.get('LD_PRELOAD', '')}":
        result = place.run("./nothing", LD_PRELOAD=preload, POMP_ENABLE_TRACING="yes",
                           POMP_EXPERIMENT_DIRECTORY="trace")
        if result.stdout or result.stderr or (place.folder / "trace").exists():
            fail(f"a program without OpenMP printed {result.stdout}{result.stderr}, or made a folder")


def brief(place, ompreport):
    del ompreport
    place.build("first", PLUGIN + "int main(void) { return run(7) != 14; }", "first")
    (place.folder / "filter").write_text(
        "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE critical\nSCOREP_REGION_NAMES_END\n")
    summary = place.measure("./first", POMP_FILTERING_FILE="filter")
    found = {region["name"]: region["visits"] for region in summary["regions"]}
    if found != {"parallel": 14}:
        fail(f"with a filter the regions are {found}, expected only 14 visits of parallel")


def combined(place, _):
    place.build("combined", COMBINED, "combined")
    summary = place.measure("./combined")
    found = sorted((region["name"], region["begin_line"]) for region in summary["regions"])
    expected = [("for", 5), ("parallel", 5), ("parallel", 9), ("sections", 9)]
    if found != expected:
        fail(f"constructs and lines are {found}, expected {expected}")


def contended(place, ompreport):
    place.build("contended", CONTENDED, "contended")
    for run in range(3):
        trace = f"trace-{run}"
        summary = place.measure("./contended", POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=trace)
        found = sorted(lock["acquisitions"] for lock in summary["locks"])
        if found != [40000, 40000]:
            fail(f"locks were acquired {found} times, expected 40000 each")
        place.run(ompreport, "check", trace)


def full(place, _):
    place.build("first", PLUGIN + "int main(void) { return run(7) != 14; }", "first")
    result = place.run("./first", POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY="/dev/full/trace")
    lines = [line for line in result.stderr.splitlines() if line.startswith("pomp:")]
    if len(lines) != 1 or "parallel" not in result.stderr:
        fail(f"without room for a trace: {result.stderr}")


def main():
    case, compiler, *built = sys.argv[1:]
    tool, runtime, *ompreport = map(os.path.abspath, built)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, compiler, tool, runtime)
        cases = {"unload": unload, "killed": killed, "no_openmp": no_openmp, "brief": brief, "combined": combined,
                 "contended": contended,
                 "full": full}
        cases[case](place, ompreport[0] if ompreport else "")


main()
