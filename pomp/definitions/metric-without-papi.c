/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions for PAPI's metrics in a build without PAPI. */
#include "metric-papi.h"

#include <stddef.h>

const char *pomp_papi_init(void)
{
	return "this build has no PAPI library; cpu_time and the ru_ metrics need none";
}

const char *pomp_papi_find(
    struct pomp_metric *metric, const char *name, const struct pomp_metric *found, unsigned count)
{
	(void)metric, (void)name, (void)found, (void)count;
	return pomp_papi_init();
}

int pomp_papi_start(const struct pomp_metric *entry, unsigned count)
{
	(void)entry, (void)count;
	return -1;
}

void pomp_papi_read(int set, uint64_t *values)
{
	(void)set, (void)values;
}

void pomp_papi_stop(int set)
{
	(void)set;
}
