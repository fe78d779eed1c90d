/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment variables of the measurement library, read once when it starts. Only the table in
 * settings.c names them.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "common/summary.h"
#include "shared/sample-counters.h"
#include "shared/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum pomp_metrics_at { POMP_METRICS_AT_ALL, POMP_METRICS_AT_PARALLEL };
enum pomp_convert { POMP_CONVERT_EXIT, POMP_CONVERT_LATER };

struct pomp_settings {
	bool disable, profiling, tracing, verbose, metrics_strict, overwrite, mpi, together;
	bool control;             /* its user may change settings while it runs */
	const char *summary;      /* "stderr", "off" or a file's path */
	const char *directory;    /* "" for the default name */
	const char *filter;       /* a file's path or "" */
	uint64_t total_memory;    /* bytes of mapped event windows, all threads */
	uint64_t max_trace;       /* bytes of event logs, all threads; 0: no limit */
	uint64_t ring;            /* bytes of the latest events of each thread; 0: no ring */
	int ring_signal;          /* which has the ring written: see ring-triggers.c; 0: none */
	uint64_t ring_below;      /* percent; 0: no bound */
	uint64_t ring_interval;   /* seconds that are compared with it */
	uint64_t ring_most;       /* how many such intervals have the ring written */
	bool ring_keep;           /* after a normal end, too */
	int timer;                /* enum pomp_timer */
	int format;               /* enum summary_format */
	int convert;              /* enum pomp_convert */
	uint64_t clock_sync;      /* seconds */
	uint64_t snapshot;        /* seconds from one to the next; 0: none */
	uint64_t sampling;        /* samples in a second of processor time; 0: none */
	uint64_t sample_counters; /* a set: shared/sample-counters.h */
	struct sample_event sample_event;
	const char *metrics;        /* names separated by commas */
	int metrics_at;             /* enum pomp_metrics_at */
	const char *scale;          /* "REGION=FACTOR,..." or "" */
	const char *tuned;          /* a file's path or "" */
	const char *loop_schedules; /* "FILE:LINE=KIND,CHUNK;..." or "" */
	const char *region_threads; /* "FILE:LINE=THREADS;..." or "" */
	const char *task_grains;    /* "FILE:LINE=GRAIN;..." or "" */
};

/*
 * Fills in settings from the environment. A value that cannot be used is reported on `messages`,
 * one line each, and the default stays. Strings point into the environment.
 */
void pomp_settings_read(struct pomp_settings *settings, char **environment, FILE *messages);

/*
 * Sets one variable, which is in the table, to a value. False: it cannot be used, and *expected
 * describes one that can.
 */
bool pomp_setting_set(
    struct pomp_settings *settings, const char *name, const char *value, const char **expected);

/* What the documents contain about a variable. */
struct pomp_setting_text {
	const char *name;
	const char *standard; /* the default; "" for none */
	const char *expected; /* its values; NULL: any text */
	const char *meaning;
	const char *more; /* complete sentences, or NULL */
};

/* Fills in text for the variable with this index; false after the last one. */
bool pomp_setting_describe(size_t index, struct pomp_setting_text *text);

/* Writes every variable with its current value and its meaning. */
void pomp_settings_write(const struct pomp_settings *settings, FILE *out);

#endif
