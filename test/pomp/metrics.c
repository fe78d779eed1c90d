/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known quantities for the counters: pages touched for the first time, processor time used (also
 * measured by the program itself), processors given up. Each happens in a separate region, on one
 * thread, on both threads of a team, and in a task that runs inside another task's wait.
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

/* What the calling thread has used so far, by the system. */
struct usage {
	uint64_t charged, now; /* ns: of the processor, of the clock */
	uint64_t switches;     /* voluntary */
};

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct usage used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (struct usage){.charged = nanoseconds(CLOCK_THREAD_CPUTIME_ID),
	    .now = nanoseconds(CLOCK_MONOTONIC),
	    .switches = (uint64_t)usage.ru_nvcsw};
}

static void burn(void)
{
	uint64_t start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);

	while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start < BURNT)
		;
}

/*
 * The thread gives its processor away for each of them, unless it loses its processor while it goes
 * to sleep: it may then find that the time is over.
 */
static void sleep_often(void)
{
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/*
 * What a region may have: no less than its work, and no more than that and its events. On a busy
 * machine either may take more than usual.
 */
struct bounds {
	struct usage least, most;
};

static struct usage minus(struct usage end, struct usage start)
{
	return (struct usage){
	    end.charged - start.charged, end.now - start.now, end.switches - start.switches};
}

static struct bounds do_work(OMPRegDescr *region, void (*work)(void))
{
	struct usage outer = used();

	pomp_begin(region);
	struct usage start = used();
	work();
	struct usage least = minus(used(), start);
	pomp_end(region);
	return (struct bounds){least, minus(used(), outer)};
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
	struct bounds burning = do_work(&regions[BURN], burn);
	struct bounds sleeping = do_work(&regions[SLEEP], sleep_often);
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
	check(sleeping.least.switches > SLEEPS / 2, "voluntary switches", sleeping.least.switches,
	    SLEEPS);
	check_slot(&regions[BURN], "cpu_time", burning.least.charged, burning.most.charged);
	check_slot(&regions[SLEEP], "cpu_time", sleeping.least.charged, sleeping.most.charged);
	check_slot(&regions[SLEEP], "ru_nvcsw", sleeping.least.switches, sleeping.most.switches);
	check_slot(&regions[BURN], "ru_nvcsw", burning.least.switches, burning.most.switches);
	/*
	 * perf's clock runs at its own rate, a little off the scheduler's. It also counts the
	 * time that interrupts and, in a virtual machine, other guests take from the thread; the
	 * scheduler does not charge that time to the thread.
	 */
	check_slot(&regions[BURN], "perf::TASK-CLOCK", burning.least.charged - BURNT / 50,
	    burning.most.now + burning.most.now / 50);
	return result();
}
