/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of tasks, each of which generates the next and ends: what has ended takes neither memory
 * nor time, and the last of them are still what the region's end, a taskwait and a taskgroup wait
 * for.
 */
#include <omp.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "check.h"

#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

enum { LENGTH = 100000, KILOBYTES = 16000 };

static int ran;

static void link_of(int rest, int kind);

static void generate(int rest, int kind)
{
	if (kind == 1) {
#pragma omp task untied firstprivate(rest, kind)
		link_of(rest, kind);
	} else {
#pragma omp task firstprivate(rest, kind)
		link_of(rest, kind);
	}
}

/* kind 2: beside the next one each generates a task without children. */
static void link_of(int rest, int kind)
{
	count(&ran);
	if (kind == 2) {
#pragma omp task
		count(&ran);
	}
	if (rest > 1)
		generate(rest - 1, kind);
}

static void chain(int kind, int length)
{
	ran = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			{
				generate(length, kind);
#pragma omp taskwait
			}
		}
		CHECK_EQUAL(ran, kind == 2 ? 2 * length : length);
	}
	ran = 0;
#pragma omp parallel
#pragma omp single
	generate(length, kind);
	CHECK_EQUAL(ran, kind == 2 ? 2 * length : length);
}

static long most_kilobytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

int main(void)
{
	bool alone =
	    omp_get_max_threads() == 1; /* each task is executed above the one that generates it */
	long before;

	omp_set_dynamic(0);
	chain(0, 10);
	before = most_kilobytes();
	for (int kind = 0; kind < 2; kind++)
		chain(kind, alone ? 1000 : LENGTH);
	/* A tool may keep notes of each task, and sanitizers do of memory. */
	if (getenv("OMP_TOOL_LIBRARIES") == NULL && !SANITIZED)
		CHECK(most_kilobytes() - before < KILOBYTES);
	chain(2, 1000);
	return check_result();
}
