/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics that PAPI counts. In a build without PAPI all of this fails with a reason. No
 * function prints; a reason is a constant string, NULL for success.
 */
#ifndef METRIC_PAPI_H
#define METRIC_PAPI_H

#include <stdint.h>

struct pomp_metric;

/* Starts the library, once. */
const char *pomp_papi_init(void);

/*
 * Fills the metric of that name and proves that it counts together with the `count` metrics of PAPI
 * that were found before: only an event set that was started is a proof.
 */
const char *pomp_papi_find(
    struct pomp_metric *metric, const char *name, const struct pomp_metric *found, unsigned count);

/*
 * Makes and starts the calling thread's event set of the PAPI metrics among `entry`; -1:
 * impossible.
 */
int pomp_papi_start(const struct pomp_metric *entry, unsigned count);

/* Reads the set's values, in the order of the metrics; unchanged when that fails. */
void pomp_papi_read(int set, uint64_t *values);

void pomp_papi_stop(int set);

#endif
