/* SPDX-License-Identifier: BSD-3-Clause */
/* Two readings of the process's figures, and one of the thread that starts to measure. */
#include "process-usage.h"

#include "blocked-observer.h"
#include "limited-calls.h"
#include "pomp-atomics.h"
#include "thread-number.h"

#include "shared/clock.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Written by the thread that starts, and by the one that ends, before any other reads them. */
struct pomp_process_usage pomp_usage_at_start;
static struct pomp_process_usage at_end;
static struct pomp_usage initial;
static _Atomic pid_t initial_thread; /* 0: no figures, or taken; only that thread acts on it */

static bool read_process(struct pomp_process_usage *usage)
{
	struct rusage counted;

	if (getrusage(RUSAGE_SELF, &counted) != 0)
		return false;
	uint64_t system = pomp_usage_from_timeval(counted.ru_stime);
	*usage = (struct pomp_process_usage){
	    .is_known = true,
	    .ran = system + pomp_usage_from_timeval(counted.ru_utime),
	    .system = system,
	    .faults = (uint64_t)(counted.ru_minflt + counted.ru_majflt),
	    .quota = pomp_group_quota_read(),
	};
	return true;
}

void pomp_process_usage_start(void)
{
	read_process(&pomp_usage_at_start);
	store_relaxed(&initial_thread, pomp_usage_begin(&initial) ? gettid() : 0);
}

void pomp_process_usage_end(void)
{
	/* Without an end, nothing is known. */
	if (pomp_calls_are_limited() || !read_process(&at_end)) {
		at_end = pomp_usage_at_start;
		at_end.is_known = false;
		return;
	}
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	at_end.online = online > 0 ? (uint64_t)online : 0;
	at_end.bound = pomp_observer_bound();
}

/* A file may be there at the start only. */
static uint64_t since(uint64_t start, uint64_t end)
{
	return end > start ? end - start : 0;
}

struct pomp_process_usage pomp_process_usage_between(
    const struct pomp_process_usage *start, const struct pomp_process_usage *end)
{
	return (struct pomp_process_usage){
	    .ran = since(start->ran, end->ran),
	    .system = since(start->system, end->system),
	    .faults = since(start->faults, end->faults),
	    .quota = {.thousandths = end->quota.thousandths,
		.throttled = since(start->quota.throttled, end->quota.throttled),
		.stolen = since(start->quota.stolen, end->quota.stolen),
		.idle = since(start->quota.idle, end->quota.idle)},
	    .online = end->online,
	    .bound = end->bound,
	    .is_known = start->is_known && end->is_known,
	};
}

struct pomp_process_usage pomp_process_usage(void)
{
	return pomp_process_usage_between(&pomp_usage_at_start, &at_end);
}

bool pomp_process_usage_take_initial(struct pomp_usage *usage)
{
	pid_t thread = load_relaxed(&initial_thread);

	if (thread == 0 || thread != pomp_thread_number())
		return false;
	*usage = initial;
	store_relaxed(&initial_thread, 0);
	return true;
}

uint64_t pomp_fault_cost(void)
{
	enum { PAGES = 64, BATCHES = 4 };
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), least = UINT64_MAX;

	for (int batch = 0; batch < BATCHES; batch++) {
		volatile char *memory = mmap(
		    NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			break;
		uint64_t before = pomp_clock_monotonic();
		for (uint64_t i = 0; i < PAGES; i++)
			memory[i * page] = 1;
		uint64_t each = (pomp_clock_monotonic() - before) / PAGES;
		munmap((void *)memory, PAGES * page);
		least = each < least ? each : least;
	}
	return least;
}
