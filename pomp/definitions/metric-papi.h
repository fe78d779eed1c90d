/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics that PAPI counts. In a build without PAPI all of this fails with a reason. No
 * function prints. A returned reason is a constant string; NULL means success.
 *
 * PAPI contains tables for all processors that it supports, whose addresses the dynamic linker
 * relocates in each process. That takes 1.4 ms, more than all the rest of libpomp's start.
 * Therefore only libpomp_papi.so is linked with it, and pomp_papi_init() loads that library.
 */
#ifndef METRIC_PAPI_H
#define METRIC_PAPI_H

#include <stddef.h>
#include <stdint.h>

struct pomp_metric;

/* Starts the library; called once, before other threads call any of these functions. */
const char *pomp_papi_init(void);

/*
 * Fills in the metric with that name and checks that it counts together with the `count` PAPI
 * metrics that were found before. Only starting an event set proves that.
 */
const char *pomp_papi_find(
    struct pomp_metric *metric, const char *name, const struct pomp_metric *found, unsigned count);

/*
 * Makes and starts the calling thread's event set for the PAPI metrics among `entry`; -1:
 * impossible.
 */
int pomp_papi_start(const struct pomp_metric *entry, unsigned count);

/* Reads the set's values, in the order of the metrics; leaves them unchanged on failure. */
void pomp_papi_read(int set, uint64_t *values);

void pomp_papi_stop(int set);

/* The single symbol of libpomp_papi.so, with the functions above. */
#define POMP_PAPI_LIBRARY "libpomp_papi.so.0"
#define POMP_PAPI_SYMBOL  "pomp_papi"
#define POMP_PAPI_VERSION 1
struct pomp_papi_table {
	unsigned version;
	size_t metric_bytes; /* of struct pomp_metric, which must be the same on both sides */
	const char *(*init)(void);
	const char *(*find)(struct pomp_metric *metric, const char *name,
	    const struct pomp_metric *found, unsigned count);
	int (*start)(const struct pomp_metric *entry, unsigned count);
	void (*read)(int set, uint64_t *values);
	void (*stop)(int set);
};
extern const struct pomp_papi_table pomp_papi;

#endif
