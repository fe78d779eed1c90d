/* SPDX-License-Identifier: BSD-3-Clause */
/* PAPI's metrics through libpomp_papi.so, which is loaded with the first PAPI metric. */
#include "load-library.h"
#include "metric-papi.h"
#include "metrics.h"

#include <string.h>

/* Written at the start of the process, while metrics are chosen; then read-only. */
static const struct pomp_papi_table *papi;

/* Returns NULL, or why the library cannot be used. */
static const char *load(void)
{
	const char *reason = NULL;
	const struct pomp_papi_table *table =
	    pomp_library_load(POMP_PAPI_LIBRARY, POMP_PAPI_SYMBOL, &reason);

	if (table == NULL) {
		/* The summary prints the reason at the end. */
		char *kept = reason != NULL ? strdup(reason) : NULL;
		return kept != NULL ? kept : POMP_PAPI_LIBRARY ": cannot be loaded";
	}
	if (table->version != POMP_PAPI_VERSION ||
	    table->metric_bytes != sizeof(struct pomp_metric))
		return POMP_PAPI_LIBRARY ": of another version";
	papi = table;
	return NULL;
}

const char *pomp_papi_init(void)
{
	static const char *reason;

	if (papi == NULL && reason == NULL)
		reason = load();
	return papi != NULL ? papi->init() : reason;
}

const char *pomp_papi_find(
    struct pomp_metric *metric, const char *name, const struct pomp_metric *found, unsigned count)
{
	return papi->find(metric, name, found, count);
}

int pomp_papi_start(const struct pomp_metric *entry, unsigned count)
{
	return papi->start(entry, count);
}

void pomp_papi_read(int set, uint64_t *values)
{
	papi->read(set, values);
}

void pomp_papi_stop(int set)
{
	papi->stop(set);
}
