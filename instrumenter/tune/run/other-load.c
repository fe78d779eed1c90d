/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel counts the time of all processors in /proc/stat; what this process and the children
 * for which it has waited did not use, others did. Time that a hypervisor took away counts, too.
 */
#include "other-load.h"

#include "shared/read-text.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds in which processors were not idle; -1: unknown. */
static double busy_time(void)
{
	char text[512];
	unsigned long long user, nice, system, interrupts, soft, stolen;

	if (!read_text("/proc/stat", text, sizeof text) ||
	    sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system,
		&interrupts, &soft, &stolen) != 6)
		return -1;
	return (double)(user + nice + system + interrupts + soft + stolen) /
	       (double)sysconf(_SC_CLK_TCK);
}

static double time_of(int who)
{
	struct rusage usage;

	if (getrusage(who, &usage) != 0)
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double own_time(void)
{
	return time_of(RUSAGE_SELF) + time_of(RUSAGE_CHILDREN);
}

void other_load_begin(struct other_load *load)
{
	*load = (struct other_load){.begin = now(), .all = busy_time(), .ours = own_time()};
}

double other_load_end(const struct other_load *load)
{
	double elapsed = now() - load->begin, all = busy_time();

	if (load->all <= 0 || all <= 0 || elapsed < 1)
		return -1;
	double others = (all - load->all - (own_time() - load->ours)) / elapsed;
	return others > 0 ? others : 0;
}
