#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""lock-names.py COMPILER TOOL RUNTIME OMPINST OMPREPORT: locks have the names of their variables.

A program with locks in every kind of memory, as it is compiled and instrumented, with debug information, with
symbols alone and stripped: the summary as text, JSON and CSV and `ompreport locks` of its trace name the same
locks, of static storage by variable, elsewhere by the call that initialized them. When the program is killed, or its
disk is full, the recovered trace has the same names. Plugins at one address, and a plugin where other memory was, never
get each other's names.
"""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

MAIN = r"""
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
void take(omp_lock_t *lock);
void use_other(void);
omp_lock_t global;
static omp_lock_t twin, array[4], plane[2][3];
static struct table {
	long rows;
	struct { int key; omp_lock_t lock; } row[3];
	omp_nest_lock_t nest;
} table[2];
static int end(const char *how)
{
	struct stat log;
	if (stat(how, &log) != 0)
		return raise(atoi(how));
	/* No file grows any more, and the log of definitions by one or two of the names. */
	const struct rlimit limit = {log.st_size + 80, log.st_size + 80};
	return setrlimit(RLIMIT_FSIZE, &limit);
}
int main(int count, char **arguments)
{
	static omp_lock_t inner;
	omp_lock_t stack, *heap = malloc(2 * sizeof(*heap)), *again = malloc(sizeof(*again));
	omp_init_lock(&global);
	omp_init_lock(&twin); /* LINE twin */
	omp_init_lock(&array[3]);
	omp_init_lock(&plane[1][2]);
	omp_init_lock(&table[1].row[2].lock);
	omp_init_nest_lock(&table[1].nest);
	omp_init_lock(&inner);
	omp_init_lock(&stack); /* LINE stack */
	for (int i = 0; i < 2; i++)
		omp_init_lock(&heap[i]); /* LINE heap */
	omp_init_lock(again);
	omp_destroy_lock(again);
	omp_init_lock(again);
#pragma omp parallel num_threads(2)
	{
		take(&global);
		take(&twin);
		take(&array[3]);
		take(&plane[1][2]);
		take(&table[1].row[2].lock);
		omp_set_nest_lock(&table[1].nest);
		omp_unset_nest_lock(&table[1].nest);
		take(&inner);
		take(&stack);
		take(&heap[0]);
		take(&heap[1]);
		take(again);
		use_other();
	}
	return count > 1 ? end(arguments[1]) : 0;
}
"""
MANY = r"""
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
int main(void)
{
	enum { COUNT = 3000 };
	omp_lock_t *locks = malloc(COUNT * sizeof(*locks));
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < COUNT; i++) {
		omp_init_lock(&locks[i]); /* LINE many */
		omp_set_lock(&locks[i]);
		omp_unset_lock(&locks[i]);
	}
	return raise(SIGKILL);
}
"""
OTHER = r"""
#include <omp.h>
static omp_lock_t twin;
void take(omp_lock_t *lock)
{
	omp_set_lock(lock);
	omp_unset_lock(lock);
}
void use_other(void)
{
#pragma omp single
	omp_init_lock(&twin); /* LINE other */
	take(&twin);
}
"""
PLUGIN = r"""
#include <omp.h>
static omp_lock_t NAME;
void run(void)
{
	omp_init_lock(&NAME);
#pragma omp parallel num_threads(2)
	{
		omp_set_lock(&NAME);
		omp_unset_lock(&NAME);
	}
	omp_destroy_lock(&NAME);
}
"""
HOST = r"""
#include <dlfcn.h>
#include <stdio.h>
static int use(const char *name)
{
	void *plugin = dlopen(name, RTLD_NOW);
	void (*run)(void) = plugin ? (void (*)(void))dlsym(plugin, "run") : 0;
	if (!run)
		return printf("%s\n", dlerror()), 1;
	run();
	return dlclose(plugin) != 0;
}
int main(int count, char **name)
{
	int bad = 0;
#pragma omp parallel num_threads(2) /* the runtime is there for good */
#pragma omp atomic
	bad += 0;
	for (int i = 1; i < count; i++)
		bad |= use(name[i]);
	return bad;
}
"""


def fail(text):
    sys.exit(f"lock-names: {text}")


def line_of(text, mark):
    return next(i for i, line in enumerate(text.split("\n"), 1) if f"LINE {mark} " in line)


class Place:
    """A folder with programs in it."""

    def __init__(self, folder, compiler, tool, runtime, ompinst, ompreport):
        self.folder, self.compiler, self.ompinst, self.ompreport = pathlib.Path(folder), compiler, ompinst, ompreport
        self.plain = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_", "LD_"))}
        self.with_tool = {**self.plain, "OMP_TOOL_LIBRARIES": tool}
        if "clang" not in compiler:
            self.with_tool["LD_PRELOAD"] = runtime

    def run(self, *command, **environment):
        result = subprocess.run(command, cwd=self.folder, env={**self.plain, **environment}, capture_output=True,
                                text=True, check=False)
        if result.returncode != 0:
            fail(f"{command}: status {result.returncode}: {result.stdout}{result.stderr}")
        return result.stdout + result.stderr if "POMP_VERBOSE" in environment else result.stdout

    def compile(self, is_instrumented, *arguments):
        command = [self.ompinst] * is_instrumented + [self.compiler, "-fopenmp", "-O1", *arguments]
        self.run(*command)

    def names(self, is_instrumented, *command):
        """The locks' names by each output; they must be the same."""
        environment = {} if is_instrumented else self.with_tool
        found = {}
        for form in "json", "csv", "text":
            trace = f"trace-{form}"
            self.run("rm", "-rf", trace)
            # The environment moves the stack.
            (self.folder / "summary").unlink(missing_ok=True)
            said = self.run("setarch", "-R", *command, **environment, POMP_SUMMARY="summary", POMP_SUMMARY_FORMAT=form,
                            POMP_ENABLE_TRACING="yes", POMP_EXPERIMENT_DIRECTORY=trace, POMP_VERBOSE="yes",
                            PADDING="." * (8 - 2 * len(form)))
            if not (self.folder / trace).is_dir() or not (self.folder / "summary").is_file():
                fail(f"{command} as {form} left {os.listdir(self.folder)}, it said: {said}")
            text = (self.folder / "summary").read_text()
            rows = json.loads(self.run(self.ompreport, "locks", "--format=json", trace))
            of_trace = sorted(row["lock"] for row in rows["locks"] if row["lock"].startswith("lock "))
            if form == "json":
                found[form] = [row["name"] for row in json.loads(text)["locks"]]
            elif form == "csv":
                found[form] = [row[1] for row in csv.reader(text.split("\n")) if row and row[0] == "lock"]
            else:
                missing = [name for name in of_trace if name not in self.run(
                    self.ompreport, "summary", "--rows=0", trace)]
                if missing:
                    fail(f"the summary of the trace lacks {missing}")
            found[form + " trace"] = of_trace
        found = {form: sorted(names) for form, names in found.items()}
        for form, names in found.items():
            # Of one run they are the same, addresses too. Another run's memory may lie elsewhere: the runtime of LLVM
            # allocates more when its first look at the processors fails.
            of_run = found.get(form.removesuffix(" trace"), names)
            if names != of_run:
                fail(f"{command} as {form} names {names}, its summary {of_run}")
            if without_addresses(names) != without_addresses(found["json"]):
                fail(f"{command} as {form} names {names}, as json {found['json']}")
        return found["json"]


def without_addresses(names):
    return sorted(re.sub(r"0x[0-9a-f]{9,}", "ADDRESS", name) for name in names)


def recovered(place, is_instrumented, ending):
    """The locks of a program that ended before it could name them all."""
    environment = {} if is_instrumented else place.with_tool
    place.run("rm", "-rf", "killed")
    ended = subprocess.run(["./prog", ending], cwd=place.folder, check=False, capture_output=True, text=True, env={
        **place.plain, **environment, "POMP_SUMMARY": "off", "POMP_ENABLE_TRACING": "yes",
        "POMP_EXPERIMENT_DIRECTORY": "killed", "POMP_CONVERT": "later"})
    log = (place.folder / "killed/definitions.pomplog").read_bytes()
    # Of a program that is not instrumented, names of regions come first.
    if "/" in ending and not is_instrumented <= log.count(b"lock ") < 12:
        fail(f"the log has {log.count(b'lock ')} names, expected some of 12")
    if ended.returncode != (0 if "/" in ending else -int(ending)):
        fail(f"with {ending} the program returned {ended.returncode}: {ended.stderr}")
    place.run(place.ompreport, "recover", "killed")
    place.run(place.ompreport, "check", "killed")
    rows = json.loads(place.run(place.ompreport, "locks", "--format=json", "killed"))
    return [row["lock"] for row in rows["locks"] if row["lock"].startswith("lock ")]


def check_endings(place, is_instrumented, names):
    for ending in str(int(signal.SIGKILL)), str(int(signal.SIGSEGV)), "killed/definitions.pomplog":
        found = recovered(place, is_instrumented, ending)
        if without_addresses(found) != without_addresses(names):
            fail(f"recovered after {ending}, the locks are {sorted(found)}, expected {names}")


def expected_names(is_debug, compiler):
    names = ["lock global"]
    if is_debug:
        main, other = (lambda mark: f"main.c:{line_of(MAIN, mark)}"), f"other.c:{line_of(OTHER, 'other')}"
        names += ["lock array[3]", "lock plane[1][2]", "lock table[1].row[2].lock", "lock table[1].nest", "lock inner",
                  f"lock twin, initialized at {main('twin')}", f"lock twin, initialized at {other}",
                  f"lock initialized at {main('stack')}",
                  f"lock initialized at {main('heap')} #1", f"lock initialized at {main('heap')} #2"]
    else:
        size = 8 if "clang" in compiler else 4
        names += [f"lock array + {3 * size} bytes", f"lock plane + {5 * size} bytes"]
        names += ["lock twin, initialized in main", "lock twin, initialized in use_other"]
        names += [f"lock initialized in main #{number}" for number in (1, 2, 3)]
        names += ["lock main.inner" if "clang" in compiler else "lock inner"]
    return names


def check_program(place, is_instrumented, flags, is_debug):
    (place.folder / "main.c").write_text(MAIN)
    (place.folder / "other.c").write_text(OTHER)
    place.compile(is_instrumented, *flags, "main.c", "other.c", "-o", "prog")
    names = place.names(is_instrumented, "./prog")
    lacking = [name for name in expected_names(is_debug, place.compiler) if name not in names]
    addresses = [name for name in names if re.fullmatch(r"lock 0x[0-9a-f]+", name)]
    if lacking or len(names) != 12:
        fail(f"{flags}: {lacking} are not among {names}, or not 12")
    if len(addresses) != 1: # what was initialized at two places
        fail(f"{flags}: {addresses} are named by address: {names}")
    check_endings(place, is_instrumented, names)


def check_stripped(place, is_instrumented):
    place.run("strip", "prog")
    names = place.names(is_instrumented, "./prog")
    if sum(bool(re.fullmatch(r"lock prog\+0x[0-9a-f]+", name)) for name in names) != 8:
        fail(f"stripped: expected eight locks by their place in prog: {names}")
    if sum(bool(re.fullmatch(r"lock initialized at prog\+0x[0-9a-f]+( #[12])?", name)) for name in names) != 3:
        fail(f"stripped: expected three locks by the calls that initialized them: {names}")
    check_endings(place, is_instrumented, names)


def check_many(place, is_instrumented):
    """Of very many locks the last ones may have no names."""
    (place.folder / "many.c").write_text(MANY)
    place.compile(is_instrumented, "-g", "many.c", "-o", "prog")
    found = recovered(place, is_instrumented, str(int(signal.SIGKILL)))
    first = [f"lock initialized at many.c:{line_of(MANY, 'many')} #{number}" for number in range(1, 1001)]
    if len(set(found)) != 3000 or not set(first) <= set(found):
        fail(f"of 3000 locks, {len(set(found))} have names of their own, among them {sorted(found)[:3]}")


def check_plugins(place, is_instrumented):
    (place.folder / "host.c").write_text(HOST)
    (place.folder / "plugin.c").write_text(PLUGIN)
    for name in "first", "second":
        place.compile(is_instrumented, "-g", f"-DNAME={name}", "-shared", "-fPIC", "plugin.c", "-o", f"{name}.so")
    place.compile(is_instrumented, "-g", "host.c", "-o", "host", "-ldl")
    names = place.names(is_instrumented, "./host", "./first.so")
    if names != ["lock first"]:
        fail(f"the plugin's lock is named {names}")
    names = place.names(is_instrumented, "./host", "./first.so", "./second.so")
    # At one address, the lock was both.
    if names != ["lock first", "lock second"] and not (len(names) == 1 and re.match(r"lock 0x|lock initialized at plugin\.c:", names[0])):
        fail(f"the locks of two plugins are named {names}")


def main():
    compiler, *built = sys.argv[1:]
    tool, runtime, ompinst, ompreport = map(os.path.abspath, built)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, compiler, tool, runtime, ompinst, ompreport)
        for is_instrumented in False, True:
            check_program(place, is_instrumented, ["-g"], True)
            if not is_instrumented:
                check_program(place, is_instrumented, ["-gdwarf-4"], True)
            check_program(place, is_instrumented, [], False)
            check_stripped(place, is_instrumented)
            check_plugins(place, is_instrumented)
            check_many(place, is_instrumented)


main()
