/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what threads have counted: for one thread when it ends, for all on request. */
#include "totals.h"

#include "accumulator.h"
#include "process-state.h"
#include "shared/precondition.h"

#include <string.h>

static void add_accumulator(struct pomp_region_total *total, struct pomp_accumulator *sums)
{
	uint64_t visits = load_relaxed(&sums->visits);
	uint64_t all = load_relaxed(&sums->all);
	uint64_t own = load_relaxed(&sums->own);
	enum construct_kind kind = (enum construct_kind)sums->kind;
	uint64_t body = construct_has_block(kind) ? own : all - own;

	total->visits += visits;
	total->time += all - load_relaxed(&sums->nested);
	total->self += all - load_relaxed(&sums->inside);
	total->barrier_wait += load_relaxed(&sums->barrier_wait);
	if (kind != CONSTRUCT_KIND_TASK)
		total->enter_wait += load_relaxed(&sums->enter_wait);
	else if (load_relaxed(&sums->longest) > total->longest)
		total->longest = load_relaxed(&sums->longest);
	total->imbalance += load_relaxed(&sums->imbalance);
	total->created += load_relaxed(&sums->created);
	total->undeferred += load_relaxed(&sums->undeferred);
	total->create_time += load_relaxed(&sums->create_time);
	for (unsigned i = 0; sums->figures != NULL && i < POMP_FIGURES; i++)
		total->figures[i] += load_relaxed(&sums->figures[i]);
	if (visits == 0)
		return;
	if (total->threads == 0 || body < total->body_min)
		total->body_min = body;
	if (body > total->body_max)
		total->body_max = body;
	total->body_sum += body;
	total->threads++;
}

static void add_counters(uint64_t *values, const struct pomp_accumulator *sums, unsigned count)
{
	const _Atomic uint64_t *metrics = pomp_accumulator_metrics(sums);

	for (unsigned i = 0; metrics != NULL && i < count; i++)
		values[i] += load_relaxed(&metrics[i]);
}

/* The initial thread is taken to be the one with the most time in parallel regions. */
void pomp_thread_add_sums(struct pomp_threads *sum, const struct pomp_thread *thread)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	sum->waited += thread->waited;
	sum->mpi += thread->mpi;
	sum->management += thread->management;
	sum->useful += thread->useful;
	sum->imbalance += thread->imbalance;
	sum->held += thread->held;
	for (unsigned i = 0; i < POMP_FIGURES; i++)
		sum->figures[i] += thread->figures[i];
	if (thread->in_parallel == 0)
		sum->late_delayed += thread->serial[POMP_FIGURE_DELAYED];
	sum->calls += thread->calls;
	sum->events += pomp_thread_events(thread);
	sum->lost_events += thread->lost_events;
	sum->untraced_events += thread->untraced_events;
	sum->roots += thread->in_parallel > 0;
	if (thread->in_parallel < sum->in_parallel ||
	    (thread->in_parallel == sum->in_parallel && thread->serial_mpi <= sum->serial_mpi))
		return;
	sum->in_parallel = thread->in_parallel;
	sum->serial_mpi = thread->serial_mpi;
	memcpy(sum->serial, thread->serial, sizeof(sum->serial));
}

void pomp_thread_add_to_totals(struct pomp_thread *thread)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_threads *ended = &pomp_threads;

	for (uint64_t id = 1; id < thread->region_limit; id++) {
		struct pomp_accumulator *sums = pomp_thread_find(thread, id);
		if (sums == NULL)
			continue;
		add_accumulator(&sums->region->total, sums);
		if (sums->region->counters != NULL)
			add_counters(sums->region->counted, sums, pomp_metrics.count);
	}
	pomp_thread_add_sums(ended, thread);
	pomp_thread_clear(thread);
}

struct pomp_region_total pomp_region_total_in(
    const struct pomp_threads *threads, const struct pomp_region *region)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_region_total total = region->total;

	for (struct pomp_thread *thread = threads->alive; thread; thread = thread->next) {
		struct pomp_accumulator *sums = pomp_thread_find(thread, region->id);
		if (sums != NULL)
			add_accumulator(&total, sums);
	}
	return total;
}

struct pomp_region_total pomp_region_total(const struct pomp_region *region)
{
	return pomp_region_total_in(&pomp_threads, region);
}

const uint64_t *pomp_region_metrics_in(
    const struct pomp_threads *threads, const struct pomp_region *region, unsigned count)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (region->counters == NULL || count == 0)
		return NULL;
	uint64_t *values = region->counters->value;
	memcpy(values, region->counted, count * sizeof(*values));
	for (struct pomp_thread *thread = threads->alive; thread; thread = thread->next) {
		const struct pomp_accumulator *sums = pomp_thread_find(thread, region->id);
		if (sums != NULL)
			add_counters(values, sums, count);
	}
	return values;
}

static uint64_t nanoseconds(uint64_t ticks, double tick)
{
	return (uint64_t)((double)ticks * tick + 0.5);
}

void pomp_region_publish(const struct pomp_region *region)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (region->descriptor == NULL)
		return;
	struct pomp_region_total total = pomp_region_total(region);
	if (!pomp_process.finished)
		pomp_process.clock.end = pomp_clock_moment(&pomp_process.clock);
	region->descriptor->data[1] = total.visits;
	region->descriptor->data[2] = nanoseconds(total.time, pomp_clock_tick(&pomp_process.clock));
	if (pomp_region_metrics_in(&pomp_threads, region, pomp_metrics.count) != NULL)
		region->descriptor->data[3] = (uintptr_t)region->counters;
}
