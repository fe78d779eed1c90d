/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters and metrics change where regions are open: what an enter has found holds for all that
 * belongs to the visit.
 *
 *   changes order LEAVES-OUT BRIEF  known events on one thread; the arguments are filters' files
 * that leave all of "work", of criticals, ordered and tasks out, and visits of "work" that are
 * shorter than a second. Prints what to expect changes beside LEAVES-OUT       events on four
 * threads, while another thread changes the filter changes metrics                 page faults in
 * three visits, and metrics are off in the second
 */
#include "regions.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PARALLEL, WORK, CRITICAL, ORDERED, TASK, LOOP, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [WORK] = REGION("region", "work", 20),
    [CRITICAL] = REGION("critical", "c", 30),
    [ORDERED] = REGION("ordered", "", 40),
    [TASK] = REGION("task", "", 50),
    [LOOP] = REGION("for", "", 60),
};
const int region_count = COUNT;

enum { THREADS = 4, ROUNDS = 2000, PAGES = 100 };

static const char *leaves_out, *brief;

/* NULL: no filter. */
static void filter(const char *file)
{
	char text[4096];

	snprintf(text, sizeof(text), "filter=%s", file != NULL ? file : "off");
	if (pomp_control(text) != 0) {
		fprintf(stderr, "'%s' was refused\n", text);
		exit(1);
	}
}

/* Visits, with a change at a place, and a nested one. */
static void visit_work(const char *before, const char *inside)
{
	filter(before);
	pomp_begin(&regions[WORK]);
	filter(inside);
	pomp_end(&regions[WORK]);
}

static void visit_critical(const char *before, const char *waiting, const char *inside)
{
	filter(before);
	pomp_critical_enter(&regions[CRITICAL]);
	filter(waiting);
	pomp_critical_begin(&regions[CRITICAL]);
	filter(inside);
	pomp_critical_end(&regions[CRITICAL]);
	pomp_critical_exit(&regions[CRITICAL]);
}

static void visit_ordered(const char *before, const char *waiting, const char *inside)
{
	filter(before);
	pomp_ordered_enter(&regions[ORDERED]);
	filter(waiting);
	pomp_ordered_begin(&regions[ORDERED]);
	filter(inside);
	pomp_ordered_end(&regions[ORDERED]);
	pomp_ordered_exit(&regions[ORDERED]);
}

static void visit_task(const char *before, const char *waiting, const char *inside)
{
	filter(before);
	uint64_t task = pomp_task_create_begin(&regions[TASK]);
	pomp_task_create_end(&regions[TASK], task);
	filter(waiting);
	pomp_task_begin(&regions[TASK], task);
	filter(inside);
	pomp_task_end(&regions[TASK], task);
}

static void in_order(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
	pomp_parallel_begin(&regions[PARALLEL], fork);

	/* Measured: the first, and the second's inner visit, which its outer one decides. */
	visit_work(NULL, leaves_out);
	filter(NULL);
	pomp_begin(&regions[WORK]);
	filter(leaves_out);
	pomp_begin(&regions[WORK]);
	pomp_end(&regions[WORK]);
	pomp_end(&regions[WORK]);
	/* Left out; but the inner visit of the second, which begins after the change. */
	visit_work(leaves_out, NULL);
	filter(leaves_out);
	pomp_begin(&regions[WORK]);
	filter(NULL);
	pomp_begin(&regions[WORK]);
	pomp_end(&regions[WORK]);
	pomp_end(&regions[WORK]);
	/* In the profile, and in the trace except the last one: the others contain an event, the
	 * change. */
	visit_work(NULL, brief);
	visit_work(brief, NULL);
	filter(brief);
	pomp_begin(&regions[WORK]);
	pomp_end(&regions[WORK]);

	visit_critical(NULL, leaves_out, NULL);
	visit_critical(NULL, NULL, leaves_out);
	visit_critical(leaves_out, NULL, leaves_out);
	visit_critical(leaves_out, leaves_out, NULL);
	visit_ordered(NULL, leaves_out, NULL);
	visit_ordered(NULL, NULL, leaves_out);
	visit_ordered(leaves_out, NULL, leaves_out);
	visit_ordered(leaves_out, leaves_out, NULL);
	visit_task(NULL, leaves_out, NULL);
	visit_task(NULL, NULL, leaves_out);
	visit_task(leaves_out, NULL, leaves_out);
	visit_task(leaves_out, leaves_out, NULL);

	pomp_parallel_end(&regions[PARALLEL]);
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_finalize();
	expect(&regions[WORK], 7);
	expect(&regions[CRITICAL], 2);
	expect(&regions[ORDERED], 2);
	expect(&regions[TASK], 2);
}

static _Atomic int working = THREADS;

static void *change_all_the_time(void *unused)
{
	for (int i = 0; working > 0; i++)
		filter(i % 2 == 0 ? leaves_out : NULL);
	filter(NULL);
	return unused;
}

static void events_of_round(void)
{
	pomp_for_enter(&regions[LOOP]);
	pomp_begin(&regions[WORK]);
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical
	{
		pomp_critical_begin(&regions[CRITICAL]);
		pomp_critical_end(&regions[CRITICAL]);
	}
	pomp_critical_exit(&regions[CRITICAL]);
	pomp_end(&regions[WORK]);
	pomp_for_exit(&regions[LOOP]);
	uint64_t task = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(task)
	{
		pomp_task_begin(&regions[TASK], task);
		pomp_task_end(&regions[TASK], task);
	}
	pomp_task_create_end(&regions[TASK], task);
}

static void beside(void)
{
	pthread_t changer;

	if (pthread_create(&changer, NULL, change_all_the_time, NULL) != 0)
		exit(1);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		for (int i = 0; i < ROUNDS; i++)
			events_of_round();
		working--;
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pthread_join(changer, NULL);
	pomp_finalize();
	expect(&regions[PARALLEL], THREADS);
	expect(&regions[LOOP], (uint64_t)THREADS * ROUNDS);
}

static void fault(void)
{
	const size_t size = 4096;
	char *pages =
	    mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(pages, PAGES * size, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		pages[i * size] = 1;
	munmap(pages, PAGES * size);
}

static void visit_with_faults(void)
{
	pomp_begin(&regions[WORK]);
	fault();
	pomp_end(&regions[WORK]);
}

static void counters(void)
{
	visit_with_faults();
	printf("%d\n", pomp_control("metrics=off"));
	visit_with_faults();
	/* Open at the change: what comes after it counts. */
	pomp_begin(&regions[WORK]);
	fault();
	printf("%d\n", pomp_control("metrics=on"));
	pomp_begin(&regions[LOOP]);
	pomp_end(&regions[LOOP]);
	fault();
	pomp_end(&regions[WORK]);
	printf("%d %d\n", pomp_control("metrics=ru_minflt"), pomp_control("metrics=on"));
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	leaves_out = argc > 2 ? argv[2] : NULL;
	brief = argc > 3 ? argv[3] : NULL;
	if (strcmp(mode, "order") == 0)
		in_order();
	else if (strcmp(mode, "beside") == 0)
		beside();
	else
		counters();
	return failures != 0;
}
