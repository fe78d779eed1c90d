/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's figures of the calling thread: sources that need no privilege. */
#include "thread-usage.h"

#include "limited-calls.h"
#include "pomp-atomics.h"

#include "shared/clock.h"
#include "shared/read-text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* ns: interrupts, and the reading itself, look like an absence of this length. */
#define LEAST_ABSENCE 10000
/* ns: an absence of this length is worth reading schedstat, which takes 4 us. */
#define LONG_ABSENCE 50000
/* ns: a thread that has run for so long may have waited for processors. */
#define LONG_PAST 1000000

_Atomic bool pomp_usage_refused;

bool pomp_usage_was_refused(void)
{
	return load_relaxed(&pomp_usage_refused);
}

/* Reads everything except schedstat; false: the kernel refuses, nothing was changed. */
static bool read_counted(struct pomp_usage *usage)
{
	struct timespec ran;
	struct rusage counted;

	if (pomp_calls_are_limited() || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) != 0 ||
	    getrusage(RUSAGE_THREAD, &counted) != 0) {
		store_relaxed(&pomp_usage_refused, true);
		return false;
	}
	usage->at = pomp_clock_monotonic();
	usage->ran = (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
	usage->system = pomp_usage_from_timeval(counted.ru_stime);
	usage->minor_faults = (uint64_t)counted.ru_minflt;
	usage->major_faults = (uint64_t)counted.ru_majflt;
	usage->blocked = (uint64_t)counted.ru_nvcsw;
	return true;
}

/*
 * Returns how long the thread has waited for processors since it began: the second number of
 * schedstat (Documentation/scheduler/sched-stats.rst); false: the file does not exist.
 */
static bool read_queued(uint64_t *queued)
{
	char text[96], *end;

	if (!read_text("/proc/thread-self/schedstat", text, sizeof(text)))
		return false;
	const char *second = strchr(text, ' ');
	if (second == NULL)
		return false;
	*queued = strtoull(second, &end, 10);
	return end != second;
}

bool pomp_usage_begin(struct pomp_usage *usage)
{
	memset(usage, 0, sizeof(*usage));
	if (!read_counted(usage))
		return false;
	/* A new thread has not waited for long; one that existed before may have. */
	if (usage->ran > LONG_PAST)
		read_queued(&usage->queued);
	return true;
}

/* Divides an absence into the two kinds, where the numbers of switches leave both possible. */
static uint64_t delay_in(struct pomp_usage *usage, uint64_t absence)
{
	uint64_t queued;

	if (!read_queued(&queued))
		return 0;
	uint64_t since = queued - usage->queued;
	uint64_t delayed = since > usage->explained ? since - usage->explained : 0;

	usage->queued = queued;
	usage->explained = 0;
	return delayed < absence ? delayed : absence;
}

struct pomp_absence pomp_usage_since(struct pomp_usage *usage)
{
	struct pomp_usage before = *usage;
	struct pomp_absence absence = {0, 0};

	if (!read_counted(usage))
		return absence;
	uint64_t elapsed = usage->at - before.at, ran = usage->ran - before.ran;
	if (elapsed < ran + LEAST_ABSENCE)
		return absence;
	uint64_t away = elapsed - ran;
	bool was_blocked = usage->blocked != before.blocked;

	if (!was_blocked) { /* preempted, or the machine itself did not run */
		absence.delayed = away;
		usage->explained += away;
		return absence;
	}
	/* A thread that was woken may still have to wait for its processor. */
	if (away >= LONG_ABSENCE)
		absence.delayed = delay_in(usage, away);
	absence.blocked = away - absence.delayed;
	return absence;
}

void pomp_usage_put_back(struct pomp_usage *usage, uint64_t delayed)
{
	usage->at -= delayed;
	usage->explained -= delayed < usage->explained ? delayed : usage->explained;
}
