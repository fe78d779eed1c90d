/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the metrics. PAPI's metrics come first in every array, so that one call reads them in
 * place.
 */
#include "metrics.h"

#include "experiment.h"
#include "message-file.h"
#include "metric-papi.h"
#include "process-state.h"
#include "settings.h"
#include "shared/array.h"
#include "shared/precondition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct pomp_metrics pomp_metrics;

/* Metrics that need no library. */
static const struct {
	const char *name, *unit, *meaning;
	enum pomp_metric_source source;
	size_t place; /* in struct rusage */
} system_metrics[] = {
    {"cpu_time", "ns", "time that the thread had a processor", POMP_METRIC_OF_CLOCK, 0},
#define FIELD(name, meaning)                                                                       \
	{                                                                                          \
#name, "#", meaning, POMP_METRIC_OF_RUSAGE, offsetof(struct rusage, name)          \
	}
    FIELD(ru_minflt, "page faults that needed no input"),
    FIELD(ru_majflt, "page faults that needed input"),
    FIELD(ru_nvcsw, "times that the thread gave up its processor to wait"),
    FIELD(ru_nivcsw, "times that the thread lost its processor to another one"),
    FIELD(ru_inblock, "inputs by the file system"),
    FIELD(ru_oublock, "outputs by the file system"),
#undef FIELD
};

static const char *find_system_metric(struct pomp_metric *metric, const char *name)
{
	for (size_t i = 0; i < sizeof(system_metrics) / sizeof(system_metrics[0]); i++)
		if (strcmp(system_metrics[i].name, name) == 0) {
			metric->unit = system_metrics[i].unit;
			metric->meaning = system_metrics[i].meaning;
			metric->source = system_metrics[i].source;
			metric->code = (int)system_metrics[i].place;
			return NULL;
		}
	return "not a metric of the system";
}

static bool is_system_metric(const char *name)
{
	struct pomp_metric metric;

	return find_system_metric(&metric, name) == NULL;
}

static void drop(struct pomp_metrics *metrics, char *name, const char *reason, bool report)
{
	if (report)
		fprintf(
		    pomp_message_file(), "pomp: metric '%s' is not measured: %s\n", name, reason);
	struct summary_dropped dropped = {name, reason};
	/* Without memory, only the message above reports it. */
	if (!ARRAY_PUSH(
		metrics->dropped, metrics->dropped_count, metrics->dropped_capacity, dropped))
		free(name);
}

/* Adds the metric with that name (takes ownership), or drops it with a reason. */
static void add(struct pomp_metrics *metrics, char *name)
{
	struct pomp_metric metric = {.name = name};
	const char *reason = NULL;

	for (unsigned i = 0; i < metrics->count; i++)
		if (strcmp(metrics->entry[i].name, name) == 0) {
			free(name); /* asked for twice */
			return;
		}
	if (metrics->count == POMP_METRICS_MAX)
		reason = "there are ten metrics already";
	else if (is_system_metric(name))
		reason = find_system_metric(&metric, name);
	else if ((reason = pomp_papi_init()) == NULL)
		reason = pomp_papi_find(&metric, name, metrics->entry, metrics->count);
	if (reason != NULL) {
		drop(metrics, name, reason, true);
		return;
	}
	metrics->name[metrics->count] = name;
	metrics->entry[metrics->count++] = metric;
}

/* Adds the names in the list that are system metrics, or those that are not. */
static void add_listed(struct pomp_metrics *metrics, const char *list, bool of_system)
{
	while (*list != '\0') {
		size_t length = strcspn(list, ", ");
		char *name = length > 0 ? strndup(list, length) : NULL;
		if (name != NULL && is_system_metric(name) == of_system)
			add(metrics, name);
		else
			free(name);
		list += length + (list[length] != '\0');
	}
}

void pomp_metrics_init(struct pomp_metrics *metrics, const struct pomp_settings *settings)
{
	metrics->everywhere = settings->metrics_at == POMP_METRICS_AT_ALL;
	add_listed(metrics, settings->metrics, false);
	add_listed(metrics, settings->metrics, true);
	if (settings->metrics_strict && metrics->dropped_count > 0) {
		fprintf(pomp_message_file(),
		    "pomp: POMP_METRICS_STRICT=yes: the program is ended before it begins\n");
		_exit(EXIT_FAILURE);
	}
}

void pomp_metrics_after_fork(struct pomp_metrics *metrics)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < metrics->count; i++) {
		struct pomp_metric metric = metrics->entry[i];
		if (metric.source == POMP_METRIC_OF_PAPI) {
			drop(metrics, metric.name,
			    "its counters belong to the parent of this process", false);
			continue;
		}
		metrics->entry[kept] = metric;
		metrics->name[kept++] = metric.name;
	}
	metrics->count = kept;
}

void pomp_metrics_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const struct pomp_metrics *metrics = &pomp_metrics;
	const struct trace_log_metric head = {.everywhere = metrics->everywhere};

	for (unsigned i = 0; i < metrics->count; i++) {
		const struct pomp_metric *metric = &metrics->entry[i];
		const char *const texts[] = {metric->name, metric->unit, metric->meaning};
		pomp_experiment_append(TRACE_LOG_METRIC, &head, sizeof(head), texts, 3);
	}
	for (size_t i = 0; i < metrics->dropped_count; i++) {
		const char *const texts[] = {metrics->dropped[i].name, metrics->dropped[i].reason};
		pomp_experiment_append(TRACE_LOG_DROPPED, NULL, 0, texts, 2);
	}
}
