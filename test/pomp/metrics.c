/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known quantities for the counters to find: pages touched for the first time, processor time
 * burnt (also measured by the program itself), processors given up. Each happens in a region of its
 * own, on one thread, on both threads of a team, and in a task that runs inside another one's wait.
 */
#include "regions.h"

#include <omp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAIN, TOUCH, BURN, SLEEP, PARALLEL, INNER, TASK, WAIT, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [TOUCH] = REGION("region", "touch", 10),
    [BURN] = REGION("region", "burn", 20),
    [SLEEP] = REGION("region", "sleep", 30),
    [PARALLEL] = REGION("parallel", "", 40),
    [INNER] = REGION("region", "inner", 50),
    [TASK] = REGION("task", "", 60),
    [WAIT] = REGION("taskwait", "", 70),
};
const int region_count = COUNT;

enum { THREADS = 2, PAGES = 2000, SLEEPS = 50, BURNT = 100000000 };

static void touch_pages(int pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(
	    NULL, page * (size_t)pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(77);
	madvise(memory, page * (size_t)pages, MADV_NOHUGEPAGE);
	for (int i = 0; i < pages; i++)
		*(volatile char *)(memory + page * (size_t)i) = 1;
	munmap(memory, page * (size_t)pages);
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Returns the processor time that the thread was charged, and how much time passed meanwhile. */
static uint64_t burn(uint64_t *elapsed)
{
	uint64_t begun = nanoseconds(CLOCK_MONOTONIC);
	uint64_t start = nanoseconds(CLOCK_THREAD_CPUTIME_ID), spent;

	do
		spent = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start;
	while (spent < BURNT);
	*elapsed = nanoseconds(CLOCK_MONOTONIC) - begun;
	return spent;
}

static uint64_t voluntary_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw;
}

/*
 * How often the thread gave its processor away for that, and what processor time it took. A thread
 * that loses its processor while it goes to sleep may find that the time is over.
 */
static uint64_t sleep_often(uint64_t *spent)
{
	uint64_t before = voluntary_switches();
	uint64_t start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	*spent = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start;
	uint64_t switches = voluntary_switches() - before;
	check(switches > SLEEPS / 2, "voluntary switches", switches, SLEEPS);
	return switches;
}

static void nested_tasks(void)
{
	uint64_t outer = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(outer) if (0)
	{
		pomp_task_begin(&regions[TASK], outer);
		touch_pages(PAGES);
		uint64_t inner = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(inner) if (0)
		{
			pomp_task_begin(&regions[TASK], inner);
			touch_pages(PAGES);
			pomp_task_end(&regions[TASK], inner);
		}
		pomp_task_create_end(&regions[TASK], inner);
		pomp_task_end(&regions[TASK], outer);
	}
	pomp_task_create_end(&regions[TASK], outer);
}

static void team(void)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_begin(&regions[INNER]);
		touch_pages(PAGES);
		pomp_end(&regions[INNER]);
		if (omp_get_thread_num() == 0)
			nested_tasks();
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

/* Between these, inclusive; `metric` as the summary and the trace name it. */
static void print_between(int line, const char *metric, uint64_t least, uint64_t most)
{
	print_expected("metric %d|%s|%" PRIu64 "|%" PRIu64, line, metric, least, most);
}

/* The slot of the descriptor, if the metric is measured there, says the same as the summary will.
 */
static void check_slot(const OMPRegDescr *region, const char *metric, uint64_t least, uint64_t most)
{
	const struct pomp_counters *counters =
	    (const struct pomp_counters *)(uintptr_t)region->data[3];

	for (uint64_t i = 0; counters != NULL && i < counters->count; i++)
		if (strcmp(counters->name[i], metric) == 0) {
			check(counters->value[i] >= least && counters->value[i] <= most, metric,
			    counters->value[i], least);
			print_between(
			    region->begin_line1, metric, counters->value[i], counters->value[i]);
			return;
		}
}

int main(void)
{
	enum { MORE = PAGES + PAGES / 100 }; /* the library's own, and the stack's */

	omp_set_dynamic(0);
	pomp_begin(&regions[MAIN]);
	pomp_begin(&regions[TOUCH]);
	touch_pages(PAGES);
	pomp_end(&regions[TOUCH]);
	pomp_begin(&regions[BURN]);
	uint64_t elapsed, spent = burn(&elapsed);
	pomp_end(&regions[BURN]);
	pomp_begin(&regions[SLEEP]);
	uint64_t awake, switches = sleep_often(&awake);
	pomp_end(&regions[SLEEP]);
	team();
	pomp_end(&regions[MAIN]);
	pomp_finalize();

	static const char *const faults[] = {"ru_minflt", "perf::PAGE-FAULTS"};
	for (int i = 0; i < 2; i++) {
		check_slot(&regions[TOUCH], faults[i], PAGES, MORE);
		check_slot(&regions[INNER], faults[i], THREADS * PAGES, THREADS * MORE);
		check_slot(&regions[TASK], faults[i], 2 * PAGES, 2 * MORE);
		check_slot(
		    &regions[PARALLEL], faults[i], (THREADS + 2) * PAGES, (THREADS + 2) * MORE);
		check_slot(&regions[SLEEP], faults[i], 0, PAGES / 100);
	}
	/*
	 * perf's clock runs at a rate of its own, a little off the scheduler's. It also counts the
	 * time that interrupts and, in a virtual machine, other guests take from the thread; the
	 * scheduler does not charge that time to the thread.
	 */
	check_slot(&regions[BURN], "cpu_time", spent - spent / 50, spent + spent / 50);
	check_slot(&regions[BURN], "perf::TASK-CLOCK", spent - spent / 50, elapsed + elapsed / 50);
	check_slot(&regions[SLEEP], "cpu_time", awake, awake + BURNT / 50);
	check_slot(&regions[SLEEP], "ru_nvcsw", switches, switches + 2);
	check_slot(&regions[BURN], "ru_nvcsw", 0, 2);
	return result();
}
