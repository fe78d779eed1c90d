/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metrics: counters of the processor, the kernel or the C library that are read at the constructs'
 * boundaries (POMP_METRICS). A metric is tried once when the process starts; one that does not work
 * is reported, dropped alone, and shows as dropped in summary and trace: never as zero.
 */
#ifndef METRICS_H
#define METRICS_H

#include "shared/summary.h"
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
	int code; /* of PAPI; of rusage: the field's place */
};

/* The process's metrics; written at the start (and in the child of a fork), then only read. */
struct pomp_metrics {
	unsigned count;
	bool everywhere; /* else at parallel regions only */
	struct pomp_metric entry[POMP_METRICS_MAX];
	const char *name[POMP_METRICS_MAX]; /* for struct pomp_counters */
	struct summary_dropped *dropped;
	size_t dropped_count, dropped_capacity;
	_Atomic unsigned threads_without_metrics; /* could not start their counters */
};

extern struct pomp_metrics pomp_metrics __attribute__((visibility("hidden")));

/* Chooses and tries the metrics; what cannot be measured is reported. */
void pomp_metrics_init(struct pomp_metrics *metrics, const struct pomp_settings *settings);

/* In the child of a fork: PAPI's counters stay the parent's, they are dropped. */
void pomp_metrics_after_fork(struct pomp_metrics *metrics);

/* Writes them into the definitions log. Process lock held. */
void pomp_metrics_define(void);

#endif
