# SPDX-License-Identifier: BSD-3-Clause
"""The lines of `ompinst top`: lines.py CC OMPINST

What it shows of the intervals adds up to what the program's own summary has at its end, line by line. How many samples
there are depends on the machine; the program works until there are enough.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

compiler, ompinst = sys.argv[1:3]
ENOUGH = 20
failures = []
PROGRAM = """#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static volatile double sum;
__attribute__((noinline)) static void hot(void)
{
	for (int i = 0; i < 3000000; i++)
		sum += i;
}
int main(int count, char **words)
{
	void (*loaded)(void) = NULL;
	char word[16];
	while (count == 2 && scanf("%15s", word) == 1) {
		if (strcmp(word, "load") == 0)
			*(void **)&loaded = dlsym(dlopen(words[1], RTLD_NOW), "loaded");
		#pragma omp parallel num_threads(2)
		if (loaded != NULL)
			loaded();
		else if (strcmp(word, "work") == 0)
			hot();
		puts("done");
		fflush(stdout);
	}
	return 0;
}
"""
LIBRARY = """static volatile double sum;
void loaded(void)
{
	for (int i = 0; i < 3000000; i++)
		sum -= i;
}
"""


def same(what, found, expected):
    if found != expected:
        failures.append("%s: %s, expected %s" % (what, found, expected))


def documents(stream):
    """The process of each interval, as it comes."""
    text = ""
    for line in stream:
        text += line
        try:
            document = json.loads(text) if line == "}\n" else None
        except ValueError:  # only a part of it has ended
            continue
        if document:
            yield document["processes"][0]
            text = ""


def add_lines(rows, samples):
    for row in rows:
        samples[os.path.basename(row["file"] or "?"), row["function"], row["line"]] += row["samples"]


def run(program, library, **settings):
    """The samples of all intervals, and those of the summary at the end, by line."""
    summary = program + ".json"
    environment = dict(os.environ, POMP_SUMMARY=summary, POMP_SUMMARY_FORMAT="json", OMP_WAIT_POLICY="passive", **settings)
    measured = subprocess.Popen([program, library], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def work(word):
        measured.stdin.write(word + "\n")
        measured.stdin.flush()
        same("the program", measured.stdout.readline(), "done\n")

    # It is measured before the first interval begins.
    work("begin")
    looking = subprocess.Popen([ompinst, "top", "--format=json", "-i", "0.1", "-n", "6000", str(measured.pid)], stdout=subprocess.PIPE, text=True)
    found, first, quiet, is_loaded = collections.Counter(), collections.Counter(), 0, False
    for process in documents(looking.stdout):
        add_lines(process["lines"], found)
        for row in process["lines"]:
            same("a line's waits", row["wait_samples"] <= row["samples"], True)
        shares = sum(row["share"] for row in process["lines"])
        same("shares", not process["lines"] or abs(shares - 1) < 1e-3, True)
        in_program, in_library = (sum(value for place, value in found.items() if place[1] == name) for name in ("hot", "loaded"))
        if settings or (in_program >= ENOUGH and in_library >= ENOUGH):
            quiet += not process["lines"]
            if quiet == 3:
                break
            continue
        is_loaded |= in_program >= ENOUGH
        work("load" if is_loaded else "work")
    looking.kill()
    looking.communicate()
    measured.communicate()
    with open(summary, encoding="utf-8") as file:
        add_lines(json.load(file).get("hot", []), first)
    return found, first


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("hot.c", "loaded.c", "hot-%d" % os.getpid(), "loaded.so")}
        source, library_source, program, library = paths.values()
        for path, text in ((source, PROGRAM), (library_source, LIBRARY)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run([compiler, "-g", "-O1", "-shared", "-fPIC", "-o", library, library_source], check=True)
        subprocess.run([ompinst, compiler, "-g", "-O1", "-fopenmp", "-o", program, source, "-ldl"], check=True)
        found, end = run(program, library)
        unnamed = found[("?", None, None)]  # names come a little later than samples where the machine is busy
        for place in {place for place in set(found) | set(end) if place[0] in ("hot.c", "loaded.c")}:
            if not 0 <= end[place] - found[place] <= unnamed:
                failures.append("%s: %d samples in all intervals, %d at the end, %d without names" % (place, found[place], end[place], unnamed))
        same("without samples", sum(run(program, library, POMP_SAMPLING="off")[0].values()), 0)
    for failure in failures:
        print("FAIL:", failure)
    sys.exit(1 if failures else 0)


main()
