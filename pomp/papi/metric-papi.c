/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpomp_papi.so: PAPI's part of the metrics. On a virtual machine, under a seccomp filter or with
 * a strict perf_event_paranoid, events have names but cannot be added, started or read. Therefore
 * each step is tried, and its error becomes the reason for dropping a metric.
 */
#include "metric-papi.h"

#include "metrics.h"

#include <papi.h>
#include <pthread.h>
#include <string.h>

static const char *reason_of(int code)
{
	switch (code) {
	case PAPI_ENOEVNT:
		return "the processor has no such event, or a virtual machine hides it";
	case PAPI_ECNFLCT:
		return "there are not enough counters for it beside the others; none is "
		       "multiplexed";
	case PAPI_EPERM:
		return "not permitted; see /proc/sys/kernel/perf_event_paranoid";
	case PAPI_EMISC:
	case PAPI_ESYS:
		return "the kernel refuses it: perf_event_paranoid, a virtual machine or a seccomp "
		       "filter";
	case PAPI_ECMP:
	case PAPI_ENOCMP:
		return "PAPI's component for it is disabled: perf_event_paranoid, or a seccomp "
		       "filter";
	default: {
		const char *text = PAPI_strerror(code);
		return text != NULL ? text : "unknown error of PAPI";
	}
	}
}

/* PAPI keeps its state in the thread that initialised it, which must not be unregistered. */
static pthread_t first_thread;

static unsigned long thread_number(void)
{
	return (unsigned long)pthread_self();
}

static const char *start_library(void)
{
	static int version;

	if (version == 0) {
		first_thread = pthread_self();
		version = PAPI_library_init(PAPI_VER_CURRENT);
		if (version == PAPI_VER_CURRENT && PAPI_thread_init(thread_number) != PAPI_OK)
			version = PAPI_EMISC;
	}
	if (version == PAPI_VER_CURRENT)
		return NULL;
	return version > 0 ? "the PAPI library has another version than its header"
			   : reason_of(version);
}

/* Starts a set of the metrics; returns the error, if any. */
static int start_set(const struct pomp_metric *entry, unsigned count, int *set)
{
	*set = PAPI_NULL;
	int code = PAPI_create_eventset(set);
	for (unsigned i = 0; i < count && code == PAPI_OK; i++)
		if (entry[i].source == POMP_METRIC_OF_PAPI)
			code = PAPI_add_event(*set, entry[i].code);
	if (code == PAPI_OK)
		code = PAPI_start(*set);
	if (code != PAPI_OK && *set != PAPI_NULL) {
		PAPI_cleanup_eventset(*set);
		PAPI_destroy_eventset(set);
	}
	return code;
}

/*
 * Such events count inside the kernel, outside of PAPI's usual domain: they open but stay at zero.
 */
static bool counts_in_kernel_only(const char *name)
{
	return strstr(name, "CONTEXT-SWITCHES") != NULL ||
	       strstr(name, "CONTEXT_SWITCHES") != NULL || strcmp(name, "perf::CS") == 0;
}

/* The kernel's clocks count nanoseconds; PAPI does not report that unit. */
static bool is_clock(const char *name)
{
	return strstr(name, "TASK-CLOCK") != NULL || strstr(name, "CPU-CLOCK") != NULL ||
	       strstr(name, "TASK_CLOCK") != NULL || strstr(name, "CPU_CLOCK") != NULL;
}

static void stop_counting(int set)
{
	PAPI_stop(set, NULL);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	if (!pthread_equal(pthread_self(), first_thread))
		PAPI_unregister_thread();
}

static const char *find_metric(
    struct pomp_metric *metric, const char *name, const struct pomp_metric *found, unsigned count)
{
	struct pomp_metric together[POMP_METRICS_MAX];
	int set;

	if (counts_in_kernel_only(name))
		return "counts nothing in user space; take ru_nvcsw and ru_nivcsw";
	int result = PAPI_event_name_to_code(name, &metric->code);
	if (result != PAPI_OK)
		return "PAPI knows no event of this name; see papi_avail and papi_native_avail";
	metric->source = POMP_METRIC_OF_PAPI;
	metric->unit = is_clock(name) ? "ns" : "#";
	metric->meaning = "counted by PAPI";
	memcpy(together, found, count * sizeof(*found));
	together[count] = *metric;
	result = start_set(together, count + 1, &set);
	if (result != PAPI_OK)
		return reason_of(result);
	stop_counting(set);
	return NULL;
}

static int start_counting(const struct pomp_metric *entry, unsigned count)
{
	int set;

	return start_set(entry, count, &set) == PAPI_OK ? set : -1;
}

static void read_counts(int set, uint64_t *values)
{
	_Static_assert(sizeof(long long) == sizeof(uint64_t), "PAPI's values are 64 bits");
	PAPI_read(set, (long long *)values);
}

__attribute__((visibility("default"))) const struct pomp_papi_table pomp_papi = {
    .version = POMP_PAPI_VERSION,
    .metric_bytes = sizeof(struct pomp_metric),
    .init = start_library,
    .find = find_metric,
    .start = start_counting,
    .read = read_counts,
    .stop = stop_counting,
};
