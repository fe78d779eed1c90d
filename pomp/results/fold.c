/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folds accumulators into totals: of one thread when it ends, of all when somebody wants results.
 * The summary is filled here; what its numbers mean is defined in shared/summary.h.
 */
#include "fold.h"
#include "shared/summary-figures.h"

#include "cost.h"
#include "event.h"
#include "processors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char pomp_fold_nothing_executed[] = "no instrumented region was executed";

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
	total->enter_wait += load_relaxed(&sums->enter_wait);
	total->imbalance += load_relaxed(&sums->imbalance);
	total->created += load_relaxed(&sums->created);
	total->undeferred += load_relaxed(&sums->undeferred);
	total->create_time += load_relaxed(&sums->create_time);
	if (visits == 0)
		return;
	if (total->threads == 0 || body < total->body_min)
		total->body_min = body;
	if (body > total->body_max)
		total->body_max = body;
	total->body_sum += body;
	total->threads++;
}

static void add_counters(uint64_t *values, const struct pomp_accumulator *sums)
{
	for (unsigned i = 0; sums->counters != NULL && i < pomp_process.metrics.count; i++)
		values[i] += load_relaxed(&sums->counters[i]);
}

/* The initial thread is the one that parallel regions take most of. */
static void add_thread(struct pomp_threads *sum, const struct pomp_thread *thread)
{
	sum->waited += thread->waited;
	sum->mpi += thread->mpi;
	sum->management += thread->management;
	sum->useful += thread->useful;
	sum->imbalance += thread->imbalance;
	sum->held += thread->held;
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
}

void pomp_fold_thread(struct pomp_thread *thread)
{
	struct pomp_threads *ended = &pomp_process.threads;

	for (uint64_t id = 1; id < thread->region_limit; id++) {
		struct pomp_accumulator *sums = pomp_thread_find(thread, id);
		if (sums == NULL)
			continue;
		add_accumulator(&sums->region->total, sums);
		if (sums->region->counters != NULL)
			add_counters(sums->region->counted, sums);
	}
	add_thread(ended, thread);
	pomp_thread_clear(thread);
}

struct pomp_region_total pomp_fold_region(const struct pomp_region *region)
{
	struct pomp_region_total total = region->total;

	for (struct pomp_thread *thread = pomp_process.threads.alive; thread;
	     thread = thread->next) {
		struct pomp_accumulator *sums = pomp_thread_find(thread, region->id);
		if (sums != NULL)
			add_accumulator(&total, sums);
	}
	return total;
}

const uint64_t *pomp_fold_metrics(const struct pomp_region *region)
{
	if (region->counters == NULL || pomp_process.metrics.count == 0)
		return NULL;
	uint64_t *values = region->counters->value;
	memcpy(values, region->counted, pomp_process.metrics.count * sizeof(*values));
	for (struct pomp_thread *thread = pomp_process.threads.alive; thread;
	     thread = thread->next) {
		const struct pomp_accumulator *sums = pomp_thread_find(thread, region->id);
		if (sums != NULL)
			add_counters(values, sums);
	}
	return values;
}

static uint64_t nanoseconds(uint64_t ticks, double tick)
{
	return (uint64_t)((double)ticks * tick + 0.5);
}

void pomp_region_publish(const struct pomp_region *region)
{
	if (region->descriptor == NULL)
		return;
	struct pomp_region_total total = pomp_fold_region(region);
	if (!pomp_process.finished)
		pomp_process.clock.end = pomp_clock_moment(&pomp_process.clock);
	region->descriptor->data[1] = total.visits;
	region->descriptor->data[2] = nanoseconds(total.time, pomp_clock_tick(&pomp_process.clock));
	if (pomp_fold_metrics(region) != NULL)
		region->descriptor->data[3] = (uintptr_t)region->counters;
}

/* Values that a kind of construct has not are not measured for it, rather than zero. */
static void fill_region(struct summary_region *row, const struct pomp_region *region, double tick)
{
	struct pomp_region_total total = pomp_fold_region(region);
	enum construct_kind kind = region->kind;
	bool has_body = !construct_is_wait(kind);
	bool compared = kind == CONSTRUCT_KIND_PARALLEL || construct_is_shared_work(kind);
	bool waits = total.barrier_wait > 0 || !has_body;

	*row = (struct summary_region){
	    .name = region->name,
	    .sub_name = region->sub_name,
	    .file = region->file,
	    .begin_line = region->begin_first,
	    .end_line = region->end_last,
	    .visits = total.visits,
	    .time = nanoseconds(total.time, tick),
	    .self = nanoseconds(total.self, tick),
	    .threads = total.threads,
	    .body_min = has_body ? nanoseconds(total.body_min, tick) : SUMMARY_NOT_MEASURED,
	    .body_sum = has_body ? nanoseconds(total.body_sum, tick) : SUMMARY_NOT_MEASURED,
	    .body_max = has_body ? nanoseconds(total.body_max, tick) : SUMMARY_NOT_MEASURED,
	    .barrier_wait = waits ? nanoseconds(total.barrier_wait, tick) : SUMMARY_NOT_MEASURED,
	    .enter_wait = construct_has_entry(kind) ? nanoseconds(total.enter_wait, tick)
						    : SUMMARY_NOT_MEASURED,
	    .imbalance = compared ? nanoseconds(total.imbalance, tick) : SUMMARY_NOT_MEASURED,
	};
}

static bool fill_metrics(struct summary *summary)
{
	const struct pomp_metrics *metrics = &pomp_process.metrics;
	struct summary_metric *rows = calloc(metrics->count + 1, sizeof(*rows));

	summary->metrics = rows;
	if (rows == NULL)
		return false;
	for (; summary->metric_count < metrics->count; summary->metric_count++)
		rows[summary->metric_count] = (struct summary_metric){
		    metrics->entry[summary->metric_count].name,
		    metrics->entry[summary->metric_count].unit,
		};
	summary->dropped = metrics->dropped;
	summary->dropped_count = metrics->dropped_count;
	return true;
}

/* Rows for all regions that were visited; tasks also for those that were only created. */
static bool fill_regions(struct summary *summary, double tick)
{
	const struct pomp_regions *regions = &pomp_process.regions;
	struct summary_region *rows = calloc(regions->count + 1, sizeof(*rows));
	struct summary_task *tasks = calloc(regions->count + 1, sizeof(*tasks));

	summary->regions = rows;
	summary->tasks = tasks;
	if (rows == NULL || tasks == NULL)
		return false;
	for (size_t i = 0; i < regions->count; i++) {
		const struct pomp_region *region = regions->entry[i];
		struct pomp_region_total total = pomp_fold_region(region);
		if (total.visits > 0) {
			fill_region(&rows[summary->region_count], region, tick);
			rows[summary->region_count++].metrics = pomp_fold_metrics(region);
			summary->mpi_calls += region->kind == CONSTRUCT_KIND_MPI ? total.visits : 0;
		}
		if (region->kind == CONSTRUCT_KIND_TASK && total.visits + total.created > 0)
			tasks[summary->task_count++] = (struct summary_task){
			    .file = region->file,
			    .begin_line = region->begin_first,
			    .created = total.created,
			    .executed = total.visits,
			    .undeferred = total.undeferred,
			    .create_time = nanoseconds(total.create_time, tick),
			    .execute_time = nanoseconds(total.time, tick),
			};
	}
	return true;
}

static char *lock_name(const struct pomp_lock *lock)
{
	char *name = NULL;
	int length;

	if (lock->name == NULL) {
		length = asprintf(&name, "lock %p", lock->address);
	} else {
		const char *critical = construct_name(CONSTRUCT_CRITICAL);
		const char *file = summary_base_name(lock->file);

		if (lock->name[0] == '\0')
			length = asprintf(&name, "%s %s:%d", critical, file, lock->line);
		else
			length =
			    asprintf(&name, "%s(%s) %s:%d", critical, lock->name, file, lock->line);
	}
	return length < 0 ? NULL : name;
}

static bool fill_locks(struct summary *summary, double tick)
{
	const struct pomp_locks *locks = &pomp_process.locks;
	struct summary_lock *rows = calloc(locks->count + 1, sizeof(*rows));

	summary->locks = rows;
	if (rows == NULL)
		return false;
	for (size_t i = 0; i < locks->count; i++) {
		struct pomp_lock *lock = locks->entry[i];
		if (load_relaxed(&lock->acquisitions) == 0)
			continue;
		char *name = lock_name(lock);
		if (name == NULL)
			return false;
		rows[summary->lock_count++] = (struct summary_lock){
		    .name = name,
		    .acquisitions = load_relaxed(&lock->acquisitions),
		    .contended = load_relaxed(&lock->contended),
		    .wait = nanoseconds(load_relaxed(&lock->wait), tick),
		    .hold = nanoseconds(load_relaxed(&lock->hold), tick),
		};
	}
	return true;
}

/* What measuring is paid for: calls that were measured, and how often metrics were read. */
struct effort {
	uint64_t calls, reads;
};

static struct effort fill_process(struct summary *summary, double tick)
{
	uint64_t reads = 0;
	const struct pomp_process *process = &pomp_process;
	struct pomp_threads sum = process->threads;

	for (const struct pomp_thread *thread = sum.alive; thread; thread = thread->next) {
		add_thread(&sum, thread);
		if (thread->metric_memory != NULL)
			reads += thread->metric_memory->reads;
	}
	summary->program = program_invocation_name;
	summary->wall = process->clock.end.monotonic - process->clock.start.monotonic;
	summary->threads = load_relaxed(&process->most_threads);
	if (summary->threads == 0)
		summary->threads = 1;
	summary->locations = sum.locations;
	summary->processors = pomp_processors_count();
	summary->parallel = nanoseconds(sum.in_parallel, tick);
	summary->useful = nanoseconds(sum.useful, tick);
	summary->sync = nanoseconds(sum.waited - sum.mpi, tick);
	summary->mpi_serial = nanoseconds(sum.serial_mpi, tick);
	summary->mpi_team = nanoseconds(sum.mpi, tick);
	summary->mpi_held = nanoseconds(sum.held, tick);
	summary->management = nanoseconds(sum.management, tick);
	summary->imbalance = nanoseconds(sum.imbalance, tick);
	summary->roots = sum.roots;
	/* A trace also has the program's begin and end. */
	summary->events = sum.events > 0 ? sum.events + 2 : 0;
	summary->lost_events = sum.lost_events + load_relaxed(&process->unmeasured);
	summary->untraced_events = sum.untraced_events;
	return (struct effort){sum.calls, reads};
}

static const char *note_filter(size_t left_out)
{
	static char note[80]; /* the summary is filled once */

	snprintf(note, sizeof(note), "POMP_FILTERING_FILE leaves out %zu region%s.", left_out,
	    left_out == 1 ? "" : "s");
	return note;
}

bool pomp_fold_summary(struct summary *summary)
{
	double tick = pomp_clock_tick(&pomp_process.clock);

	*summary = (struct summary){.event_cost = SUMMARY_NOT_MEASURED};
	struct effort effort = fill_process(summary, tick);
	double cost = pomp_cost_of_event(pomp_process.settings.tracing);
	if (cost >= 0)
		summary->event_cost =
		    (uint64_t)((cost * (double)effort.calls +
				   pomp_metrics_cost(pomp_self) * (double)effort.reads) *
				   tick +
			       0.5);
	if (!fill_metrics(summary) || !fill_regions(summary, tick) || !fill_locks(summary, tick)) {
		summary->note = "out of memory while the results were put together";
		return false;
	}
	if (pomp_process.regions.count == 0)
		summary->note = "nothing in this program is instrumented";
	else if (summary->region_count == 0)
		summary->note = pomp_fold_nothing_executed;
	else if (pomp_process.regions.left_out > 0)
		summary->note = note_filter(pomp_process.regions.left_out);
	return true;
}

void pomp_fold_release(struct summary *summary)
{
	for (size_t i = 0; i < summary->lock_count; i++)
		free((char *)summary->locks[i].name);
	free((void *)summary->locks);
	free((void *)summary->regions);
	free((void *)summary->tasks);
	free((void *)summary->metrics);
}
