/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the metrics of a thread and accounts them to what is open on its stack. */
#include "thread-metrics.h"

#include "event-log.h"
#include "metric-papi.h"
#include "process-state.h"
#include "shared/precondition.h"
#include "thread-block.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Returns the thread's memory for metrics, which stays with its block; NULL when memory ran out. */
static struct pomp_thread_metrics *own_metrics(struct pomp_thread *thread)
{
	size_t frames = (size_t)(thread->stack_limit - thread->stack);

	if (thread->metric_memory == NULL) {
		thread->metric_memory = calloc(1, sizeof(*thread->metric_memory));
		if (thread->metric_memory != NULL && !pomp_metrics_grow(thread, frames)) {
			free(thread->metric_memory);
			thread->metric_memory = NULL;
		}
	}
	return thread->metric_memory;
}

void pomp_metrics_attach(struct pomp_thread *thread)
{
	const struct pomp_metrics *all = &pomp_metrics;
	struct pomp_thread_metrics *metrics = all->count > 0 ? own_metrics(thread) : NULL;

	thread->metrics = NULL;
	thread->counting = NULL;
	if (pomp_process.clock.counter)
		fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_CAREFUL);
	else
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_CAREFUL);
	if (metrics == NULL) {
		if (all->count > 0)
			fetch_add_relaxed(&pomp_metrics.threads_without_metrics, 1);
		return;
	}
	metrics->count = all->count;
	metrics->is_paused = false;
	metrics->papi = all->entry[0].source == POMP_METRIC_OF_PAPI;
	metrics->rusage = false;
	for (unsigned i = 0; i < all->count; i++)
		metrics->rusage |= all->entry[i].source == POMP_METRIC_OF_RUSAGE;
	if (metrics->papi) {
		metrics->papi_set = pomp_papi_start(all->entry, all->count);
		if (metrics->papi_set < 0) {
			fetch_add_relaxed(&pomp_metrics.threads_without_metrics, 1);
			return;
		}
	}
	memcpy(metrics->base, metrics->now, sizeof(metrics->base));
	thread->metrics = metrics;
	fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_CAREFUL);
	thread->counting = all->everywhere ? metrics : NULL;
	pomp_metrics_read(metrics);
	metrics->is_paused = load_relaxed(&all->paused);
}

void pomp_metrics_pause(struct pomp_thread_metrics *metrics, bool pauses)
{
	uint64_t before[POMP_METRICS_MAX];

	if (metrics->is_paused == pauses)
		return;
	metrics->is_paused = pauses;
	if (pauses)
		return;
	memcpy(before, metrics->now, sizeof(before));
	pomp_metrics_read(metrics);
	for (unsigned i = 0; i < metrics->count; i++) {
		metrics->base[i] -= metrics->now[i] - before[i];
		metrics->now[i] = before[i];
	}
}

void pomp_metrics_detach(struct pomp_thread *thread)
{
	if (thread->metrics != NULL && thread->metrics->papi)
		pomp_papi_stop(thread->metrics->papi_set);
	thread->metrics = NULL;
	thread->counting = NULL;
}

bool pomp_metrics_grow(struct pomp_thread *thread, size_t frames)
{
	struct pomp_thread_metrics *metrics = thread->metric_memory;

	if (metrics == NULL)
		return true;
	/* As long as the region stack, because a frame's position there is the index here. */
	uint64_t *enter =
	    realloc(metrics->enter, frames * 2 * POMP_METRICS_MAX * sizeof(*metrics->enter));
	if (enter == NULL)
		return false;
	metrics->enter = enter;
	return true;
}

void pomp_metrics_read(struct pomp_thread_metrics *metrics)
{
	CHECK(metrics->count > 0, "the thread has metrics");

	const struct pomp_metric *entry = pomp_metrics.entry;
	struct rusage usage;

	if (metrics->is_paused)
		return;
	metrics->reads++;
	if (metrics->papi)
		pomp_papi_read(metrics->papi_set, metrics->now);
	if (metrics->rusage)
		getrusage(RUSAGE_THREAD, &usage);
	for (unsigned i = 0; i < metrics->count; i++) {
		struct timespec time;
		switch (entry[i].source) {
		case POMP_METRIC_OF_PAPI:
			break;
		case POMP_METRIC_OF_RUSAGE:
			metrics->now[i] =
			    (uint64_t) * (const long *)((const char *)&usage + entry[i].code);
			break;
		case POMP_METRIC_OF_CLOCK:
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
			metrics->now[i] =
			    (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
			break;
		}
		metrics->now[i] += metrics->base[i];
	}
}

double pomp_metrics_cost(const struct pomp_thread *thread)
{
	enum { BATCHES = 8, READS = 8 };
	uint64_t least = UINT64_MAX;

	if (thread == NULL || thread->metrics == NULL)
		return 0;
	struct pomp_thread_metrics scratch = *thread->metrics;
	scratch.is_paused = false;
	for (int i = 0; i < BATCHES; i++) {
		uint64_t before = pomp_clock_ticks(&pomp_process.clock);
		for (int read = 0; read < READS; read++)
			pomp_metrics_read(&scratch);
		uint64_t ticks = pomp_clock_ticks(&pomp_process.clock) - before;
		least = ticks < least ? ticks : least;
	}
	return (double)least / READS;
}

static uint64_t *enter_of(const struct pomp_thread *thread, const struct pomp_frame *frame)
{
	return thread->metrics->enter + (size_t)(frame - thread->stack) * 2 * POMP_METRICS_MAX;
}

void pomp_metrics_enter(struct pomp_thread *thread, const struct pomp_frame *frame)
{
	CHECK(thread->metrics != NULL, "the thread has metrics");

	const struct pomp_thread_metrics *metrics = thread->metrics;
	uint64_t *enter = enter_of(thread, frame);

	for (unsigned i = 0; i < metrics->count; i++)
		enter[i] = metrics->now[i];
	for (unsigned i = 0; frame->role == POMP_ROLE_TASK && i < metrics->count; i++)
		enter[POMP_METRICS_MAX + i] = metrics->suspended[i];
}

void pomp_metrics_leave(struct pomp_thread *thread, const struct pomp_frame *frame)
{
	CHECK(thread->metrics != NULL, "the thread has metrics");

	const struct pomp_thread_metrics *metrics = thread->metrics;
	_Atomic uint64_t *sums = pomp_accumulator_metrics(frame->accumulator);
	const uint64_t *enter = enter_of(thread, frame);

	for (unsigned i = 0; sums != NULL && i < metrics->count; i++)
		add_own(&sums[i], metrics->now[i] - enter[i]);
}

/*
 * As with its time: what nested tasks counted does not belong to this task, and what this task
 * counted does not belong to the task below.
 */
void pomp_metrics_leave_task(struct pomp_thread *thread, const struct pomp_frame *frame)
{
	CHECK(thread->metrics != NULL, "the thread has metrics");

	struct pomp_thread_metrics *metrics = thread->metrics;
	_Atomic uint64_t *sums = pomp_accumulator_metrics(frame->accumulator);
	const uint64_t *enter = enter_of(thread, frame);

	for (unsigned i = 0; sums != NULL && i < metrics->count; i++) {
		uint64_t all = metrics->now[i] - enter[i];
		uint64_t before = enter[POMP_METRICS_MAX + i];
		add_own(&sums[i], all - (metrics->suspended[i] - before));
		metrics->suspended[i] = before + all;
	}
}

uint64_t *pomp_metrics_append(
    const struct pomp_thread_metrics *metrics, uint64_t *cursor, uint64_t distance)
{
	for (unsigned i = 0; i < metrics->count; i++)
		pomp_log_publish(cursor + 1 + i, metrics->now[i]);
	pomp_log_publish(cursor, pomp_log_word(TRACE_LOG_METRICS, metrics->count, distance));
	return cursor + 1 + metrics->count;
}
