/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basis of every runtime test: checks that print file:line, expected and found; counters and
 * bounded waits that do not use OpenMP, so that a broken construct cannot hide its own failure; and
 * a check that the runtime in the process is the one under test.
 *
 * Any thread can count a failure. A program ends with `return check_result();`: 0 or 1.
 * RUNTIME_UNDER_TEST names the libgomp.so.1 that must be loaded (the test suite sets it);
 * CONFORMANCE_ANY_RUNTIME=1 allows any other, to try a new test on another runtime first.
 */
#ifndef CHECK_H
#define CHECK_H

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHECK_REPORTED_AT_MOST 10 /* otherwise a broken loop would print a line per iteration */

/* Atomic, written by any thread. Weak, so that the files of one program share it. */
__attribute__((weak)) int check_failures;

/* Written before main(), by the first file's constructor. */
__attribute__((weak)) bool check_identity_known;

#define CHECK(condition) check_true((condition) ? true : false, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(found, expected)                                                               \
	check_equal((long long)(found), (long long)(expected), #found, __FILE__, __LINE__)
/* Do all `count` ints of the array have the expected value? Prints the first wrong index. */
#define CHECK_ALL(array, count, expected)                                                          \
	check_all((array), (count), (expected), #array, __FILE__, __LINE__)

static inline bool check_failed(void)
{
	return __atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) <= CHECK_REPORTED_AT_MOST;
}

static inline bool check_true(bool held, const char *text, const char *file, int line)
{
	if (!held && check_failed())
		fprintf(stderr, "%s:%d: %s: expected true, found false\n", file, line, text);
	return held;
}

static inline bool check_equal(
    long long found, long long expected, const char *text, const char *file, int line)
{
	if (found != expected && check_failed())
		fprintf(stderr, "%s:%d: %s: expected %lld, found %lld\n", file, line, text,
		    expected, found);
	return found == expected;
}

static inline bool check_all(
    const int *array, long long count, int expected, const char *text, const char *file, int line)
{
	for (long long i = 0; i < count; i++) {
		if (array[i] == expected)
			continue;
		if (check_failed())
			fprintf(stderr, "%s:%d: %s[%lld]: expected %d, found %d\n", file, line,
			    text, i, expected, array[i]);
		return false;
	}
	return true;
}

static inline int check_result(void)
{
	int failures = __atomic_load_n(&check_failures, __ATOMIC_RELAXED);

	if (failures > CHECK_REPORTED_AT_MOST)
		fprintf(stderr, "%d checks failed in all\n", failures);
	return failures != 0;
}

/* Counts an event from any thread and returns how often it happened before. */
static inline int count(int *counter)
{
	return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline double check_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A limit ends what hangs; TEST_TIME_LIMITS multiplies all limits on a slow machine. */
static inline double check_limit(double seconds)
{
	const char *limits = getenv("TEST_TIME_LIMITS");

	return seconds * (limits && atof(limits) > 1 ? atof(limits) : 1);
}

/* The time at which that limit is over. */
static inline double check_deadline(double seconds)
{
	return check_clock() + check_limit(seconds);
}

/* SIGALRM ends the process after that limit. */
static inline void check_alarm(double seconds)
{
	alarm((unsigned)check_limit(seconds));
}

static inline void raise_flag(int *flag)
{
	__atomic_add_fetch(flag, 1, __ATOMIC_RELEASE);
}

static inline bool is_raised(const int *flag, int value)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE) >= value;
}

/* Returns false after the deadline or the first failure, so that a broken runtime fails quickly. */
static inline bool keep_waiting(double deadline)
{
	return check_clock() < deadline && __atomic_load_n(&check_failures, __ATOMIC_RELAXED) == 0;
}

/*
 * Waits until the flag has been raised `value` times; false after the deadline, so that no test
 * hangs.
 */
static inline bool await_flag(const int *flag, int value)
{
	double deadline = check_deadline(10);

	while (!is_raised(flag, value)) {
		if (!keep_waiting(deadline))
			return false;
		sched_yield();
	}
	return true;
}

/*
 * Waits until all `threads` threads have arrived, so that the code that follows runs concurrently.
 */
static inline void start_together(int *arrived, int threads)
{
	raise_flag(arrived);
	CHECK(await_flag(arrived, threads));
}

/* Keeps the processor busy for long enough that a missing mutual exclusion shows. */
static inline void dawdle(int turns)
{
	for (volatile int i = 0; i < turns; i++)
		;
}

/*
 * Restarts the program with the variable set, unless it is already set, because the runtime reads
 * its environment before main(). Call it first in main().
 */
static inline void check_needs_environment(char **arguments, const char *name, const char *value)
{
	const char *present = getenv(name);

	if (present && strcmp(present, value) == 0)
		return;
	setenv(name, value, 1);
	execv("/proc/self/exe", arguments);
	perror("execv /proc/self/exe");
	_exit(1);
}

/* The path of the mapped libgomp.so.1, or "" if none is mapped. */
static inline const char *check_mapped_runtime(char *line, int size)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *path = NULL;

	while (maps && !path && fgets(line, size, maps)) {
		path = strchr(line, '/');
		if (path && !strstr(path, "/libgomp.so.1"))
			path = NULL;
	}
	if (maps)
		fclose(maps);
	if (!path)
		return "";
	path[strcspn(path, "\n")] = '\0';
	return path;
}

__attribute__((constructor)) static void check_runtime_identity(void)
{
	static char line[PATH_MAX + 128];
	static char expected[PATH_MAX];
	const char *wanted = getenv("RUNTIME_UNDER_TEST");
	const char *any = getenv("CONFORMANCE_ANY_RUNTIME");
	const char *found;

	if (check_identity_known)
		return;
	check_identity_known = true;
	found = check_mapped_runtime(line, sizeof(line));
	if (any && strcmp(any, "1") == 0)
		return;
	if (!wanted || !realpath(wanted, expected)) {
		fprintf(stderr,
		    "RUNTIME_UNDER_TEST='%s': expected the path of a libgomp.so.1 "
		    "(or set CONFORMANCE_ANY_RUNTIME=1); loaded is '%s'\n",
		    wanted ? wanted : "", found);
		_exit(1);
	}
	if (strcmp(found, expected) != 0) {
		fprintf(stderr, "the runtime: expected %s, found '%s'\n", expected, found);
		_exit(1);
	}
}

#endif
