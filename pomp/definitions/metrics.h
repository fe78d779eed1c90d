/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metrics: counters of the processor, the kernel or the C library that are read at the boundaries
 * of constructs (POMP_METRICS). Each metric is tried once when the process starts. One that does
 * not work is reported and dropped; summary and trace show it as dropped, never as zero.
 */
#ifndef METRICS_H
#define METRICS_H

#include "common/summary.h"
#include "shared/trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_settings;

enum { POMP_METRICS_MAX = TRACE_LOG_METRICS_MAX };

enum pomp_metric_source {
	POMP_METRIC_OF_PAPI,
	POMP_METRIC_OF_RUSAGE, /* getrusage(RUSAGE_THREAD) */
	POMP_METRIC_OF_CLOCK,  /* CLOCK_THREAD_CPUTIME_ID */
};

struct pomp_metric {
	char *name;
	const char *unit, *meaning;
	enum pomp_metric_source source;
	int code; /* PAPI's code; for rusage, the field's offset */
};

/* The process's metrics; written at the start (and in the child of a fork), then read-only. */
struct pomp_metrics {
	unsigned count;
	bool everywhere; /* else only at parallel regions */
	struct pomp_metric entry[POMP_METRICS_MAX];
	const char *name[POMP_METRICS_MAX]; /* for struct pomp_counters */
	struct summary_dropped *dropped;
	size_t dropped_count, dropped_capacity;
	_Atomic uint32_t paused; /* bool: nobody reads them now; under the process lock */
	uint32_t pauses;         /* how often they were; the same */
	_Atomic unsigned threads_without_metrics; /* threads that could not start their counters */
};

extern struct pomp_metrics pomp_metrics __attribute__((visibility("hidden")));

/* Chooses and tries the metrics; reports those that cannot be measured. */
void pomp_metrics_init(struct pomp_metrics *metrics, const struct pomp_settings *settings);

/* In the child of a fork: PAPI's counters belong to the parent, so the child drops them. */
void pomp_metrics_after_fork(struct pomp_metrics *metrics);

/* Writes them into the definitions log. */
void pomp_metrics_define(void);

#endif
