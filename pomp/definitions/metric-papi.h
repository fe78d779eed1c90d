/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics that PAPI counts. In a build without PAPI all of this fails with a reason. No
 * function prints; a reason is a constant string, NULL for success.
 *
 * PAPI brings the tables of all processors that it knows, whose addresses the dynamic linker
 * adjusts in each process: 1.4 ms, more than all else that libpomp does at the start. So only
 * libpomp_papi.so is linked with it, and pomp_papi_init() loads that.
 */
#ifndef METRIC_PAPI_H
#define METRIC_PAPI_H

#include <stddef.h>
#include <stdint.h>

struct pomp_metric;

/* Starts the library, once; before other threads call any of these. */
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

/* The one symbol of libpomp_papi.so: what the functions above do. */
#define POMP_PAPI_LIBRARY "libpomp_papi.so.0"
#define POMP_PAPI_SYMBOL  "pomp_papi"
#define POMP_PAPI_VERSION 1
struct pomp_papi_table {
	unsigned version;
	size_t metric_bytes; /* of struct pomp_metric, which both sides must know alike */
	const char *(*init)(void);
	const char *(*find)(struct pomp_metric *metric, const char *name,
	    const struct pomp_metric *found, unsigned count);
	int (*start)(const struct pomp_metric *entry, unsigned count);
	void (*read)(int set, uint64_t *values);
	void (*stop)(int set);
};
extern const struct pomp_papi_table pomp_papi;

#endif
