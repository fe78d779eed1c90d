/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the system gives no more threads the team is smaller, the program's result the same, and the
 * runtime says so once, naming the numbers. This program's own pthread_create() stands for a system
 * that has run out: it lets FIRST threads pass and fails with EAGAIN then. OpenMP 5.1, 2.6.1: the
 * number of threads is implementation defined when the request cannot be met.
 */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"

#define FIRST 2

static int created;
static int refused;

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
	    (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
		RTLD_NEXT, "pthread_create");

	if (count(&created) >= FIRST) {
		count(&refused);
		return EAGAIN;
	}
	return real(thread, attributes, start, argument);
}

static void region(int requested)
{
	int size = 0;
	int members = 0;
	int times[50] = {0};

#pragma omp parallel num_threads(requested)
	{
#pragma omp single
		size = omp_get_num_threads();
		count(&members);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 50; i++)
			count(&times[i]);
#pragma omp barrier
	}
	CHECK(size >= 1 && size <= requested && size <= FIRST + 1);
	CHECK_EQUAL(members, size);
	CHECK_ALL(times, 50, 1);
}

/* Reads back what went to stderr and counts lines about threads. */
static int complaints(FILE *said)
{
	char line[500];
	int lines = 0;

	rewind(said);
	while (fgets(line, sizeof(line), said))
		lines += strstr(line, "thread") != NULL;
	return lines;
}

int main(void)
{
	FILE *said = tmpfile();
	int saved = dup(STDERR_FILENO);
	int lines;

	if (!said)
		return 77;
	omp_set_dynamic(0);
	dup2(fileno(said), STDERR_FILENO);
	for (int i = 0; i < 5; i++) {
		region(8);
		region(2);
		region(32);
	}
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	lines = complaints(said);
	CHECK(refused > 0);
	CHECK_EQUAL(lines, 1);
	return check_result();
}
