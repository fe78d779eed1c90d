/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the summary; common/summary.h defines its numbers. */
#include "fill-summary.h"

#include "common/summary-figures.h"
#include "cost.h"
#include "event.h"
#include "process-usage.h"
#include "usable-processors.h"
#include "same-places.h"
#include "totals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Fewer take a millisecond or two, whatever they cost. */
#define FAULTS_WORTH_EXPLAINING 1000

const char pomp_nothing_executed[] = "no instrumented region was executed";

static uint64_t nanoseconds(uint64_t ticks, double tick)
{
	return (uint64_t)((double)ticks * tick + 0.5);
}

/* What the kernel said of all threads. */
static uint64_t counted(const struct summary *summary, uint64_t value)
{
	return summary->usage_refused ? SUMMARY_NOT_MEASURED : value;
}

static enum summary_code code_of(const struct pomp_region *region)
{
	if (region->code == NULL)
		return SUMMARY_INSTRUMENTED;
	return region->code->place.is_gnu ? SUMMARY_CODE_GNU : SUMMARY_CODE;
}

/* Values that do not exist for a kind of construct are "not measured", not zero. */
static void fill_region(const struct summary *summary, struct summary_region *row,
    const struct pomp_region *region, const struct pomp_region_total *sums, double tick)
{
	const struct pomp_region_total total = *sums;
	enum construct_kind kind = region->kind;
	bool has_body = !construct_is_wait(kind);
	bool compared = kind == CONSTRUCT_KIND_PARALLEL || construct_is_shared_work(kind);
	bool waits = total.barrier_wait > 0 || !has_body;

	*row = (struct summary_region){
	    .name = region->name,
	    .sub_name = region->sub_name,
	    .function = region->code != NULL ? region->code->function : NULL,
	    .file = region->file,
	    .code = code_of(region),
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
	    .delayed = counted(summary, nanoseconds(total.figures[POMP_FIGURE_DELAYED], tick)),
	    .blocked = counted(summary, nanoseconds(total.figures[POMP_FIGURE_BLOCKED], tick)),
	    .system = counted(summary, nanoseconds(total.figures[POMP_FIGURE_SYSTEM], tick)),
	    .faults = counted(summary, total.figures[POMP_FIGURE_FAULTS]),
	    .wait_delayed =
		counted(summary, nanoseconds(total.figures[POMP_FIGURE_WAIT_DELAYED], tick)),
	    .number = region->id,
	};
}

static bool fill_metrics(struct summary *summary, const struct pomp_metrics *metrics)
{
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

/*
 * Makes rows for all regions that were visited; for tasks, also for those that were only created.
 */
static bool fill_regions(struct summary *summary, const struct pomp_measured *measured, double tick)
{
	const struct pomp_regions *regions = measured->regions;
	struct summary_region *rows = calloc(regions->count + 1, sizeof(*rows));
	struct summary_task *tasks = calloc(regions->count + 1, sizeof(*tasks));

	summary->regions = rows;
	summary->tasks = tasks;
	if (rows == NULL || tasks == NULL)
		return false;
	for (size_t i = 0; i < regions->count; i++) {
		const struct pomp_region *region = regions->entry[i];
		struct pomp_region_total total = pomp_region_total_in(measured->threads, region);
		if (total.visits > 0) {
			fill_region(summary, &rows[summary->region_count], region, &total, tick);
			rows[summary->region_count++].metrics = pomp_region_metrics_in(
			    measured->threads, region, measured->metrics->count);
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
			    .execute_max = total.visits > 0 ? nanoseconds(total.longest, tick)
							    : SUMMARY_NOT_MEASURED,
			    .number = region->id,
			};
	}
	return true;
}

static char *lock_name(const struct pomp_lock *lock)
{
	char *name = NULL;
	int length;

	if (lock->name == NULL) {
		length = lock->title != NULL ? asprintf(&name, "%s", lock->title)
					     : asprintf(&name, "lock %p", lock->address);
	} else {
		const char *critical = construct_name(CONSTRUCT_CRITICAL);
		const char *file = summary_base_name(lock->file);

		if (lock->line == 0) /* identified by its code, without a name */
			length = asprintf(&name, "%s %s", critical, file);
		else if (lock->name[0] == '\0')
			length = asprintf(&name, "%s %s:%d", critical, file, lock->line);
		else
			length =
			    asprintf(&name, "%s(%s) %s:%d", critical, lock->name, file, lock->line);
	}
	return length < 0 ? NULL : name;
}

static bool fill_locks(struct summary *summary, const struct pomp_locks *locks, double tick)
{
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
		    .number = i + 1,
		};
	}
	return true;
}

/* What the cost of measuring depends on: the measured calls, and how often metrics were read. */
struct effort {
	uint64_t calls, reads;
};

static void fill_usage(struct summary *summary, const struct pomp_measured *measured)
{
	const struct pomp_process_usage usage = measured->usage;

	summary->usage_refused = measured->usage_refused || !usage.is_known;
	summary->processor_time = counted(summary, usage.ran);
	summary->system = counted(summary, usage.system);
	summary->faults = counted(summary, usage.faults);
	summary->quota = usage.quota.thousandths;
	summary->throttled = usage.quota.throttled;
	summary->stolen = usage.quota.stolen;
	summary->idle = usage.quota.idle;
	summary->online = usage.online;
	summary->bound = usage.bound;
	summary->fault_cost = SUMMARY_NOT_MEASURED;
}

static void fill_absence(struct summary *summary, const struct pomp_threads *sum, double tick)
{
	const struct {
		uint64_t *value, ticks;
	} absences[] = {
	    {&summary->delayed, sum->figures[POMP_FIGURE_DELAYED]},
	    {&summary->blocked, sum->figures[POMP_FIGURE_BLOCKED]},
	    {&summary->wait_delayed, sum->figures[POMP_FIGURE_WAIT_DELAYED]},
	    {&summary->late_delayed, sum->late_delayed},
	    {&summary->serial_delayed, sum->serial[POMP_FIGURE_DELAYED]},
	    {&summary->serial_blocked, sum->serial[POMP_FIGURE_BLOCKED]},
	};

	for (size_t i = 0; i < sizeof(absences) / sizeof(absences[0]); i++)
		*absences[i].value = counted(summary, nanoseconds(absences[i].ticks, tick));
}

static struct effort fill_process(
    struct summary *summary, const struct pomp_measured *measured, double tick)
{
	uint64_t reads = 0;
	const struct pomp_clock *clock = &measured->clock;
	struct pomp_threads sum = *measured->threads;

	for (const struct pomp_thread *thread = sum.alive; thread; thread = thread->next) {
		pomp_thread_add_sums(&sum, thread);
		if (thread->metric_memory != NULL)
			reads += thread->metric_memory->reads;
	}
	summary->program = program_invocation_name;
	summary->wall = clock->end.monotonic - clock->start.monotonic;
	summary->threads = measured->most_threads;
	if (summary->threads == 0)
		summary->threads = 1;
	summary->locations = sum.locations;
	summary->processors = pomp_processors_count();
	summary->parallel = nanoseconds(sum.in_parallel, tick);
	summary->useful = nanoseconds(sum.useful, tick);
	uint64_t away = sum.figures[POMP_FIGURE_DELAYED] + sum.figures[POMP_FIGURE_BLOCKED];
	summary->sync = nanoseconds(sum.waited - sum.mpi - away, tick);
	fill_absence(summary, &sum, tick);
	summary->mpi_serial = nanoseconds(sum.serial_mpi, tick);
	summary->mpi_team = nanoseconds(sum.mpi, tick);
	summary->mpi_held = nanoseconds(sum.held, tick);
	summary->management = nanoseconds(sum.management, tick);
	summary->imbalance = nanoseconds(sum.imbalance, tick);
	summary->roots = sum.roots;
	/* A trace also contains the program's begin and end. */
	summary->events = sum.events > 0 ? sum.events + 2 : 0;
	summary->lost_events = sum.lost_events + load_relaxed(&measured->threads->unmeasured);
	summary->untraced_events = sum.untraced_events;
	return (struct effort){sum.calls, reads};
}

static const char *note_filter(const struct pomp_regions *regions)
{
	static char note[160]; /* one summary is made at a time: under the process lock */
	const char *plural = regions->left_out == 1 ? "" : "s";

	if (regions->filters == 0)
		snprintf(note, sizeof(note), "POMP_FILTERING_FILE leaves out %zu region%s.",
		    regions->left_out, plural);
	else
		snprintf(note, sizeof(note),
		    "The filter was changed while the program ran: regions were measured for a part of "
		    "it; %zu region%s %s left out last.",
		    regions->left_out, plural, regions->left_out == 1 ? "was" : "were");
	return note;
}

static const char *note_of(const struct summary *summary, const struct pomp_regions *regions)
{
	if (regions->count == 0)
		return "nothing in this program is instrumented";
	if (summary->region_count == 0)
		return pomp_nothing_executed;
	return regions->left_out > 0 || regions->filters > 0 ? note_filter(regions) : NULL;
}

/* Returns false when memory ran out. */
static bool fill(
    struct summary *summary, const struct pomp_measured *measured, struct effort *effort)
{
	double tick = pomp_clock_tick(&measured->clock);

	*summary = (struct summary){.event_cost = SUMMARY_NOT_MEASURED};
	fill_usage(summary, measured);
	*effort = fill_process(summary, measured, tick);
	if (!fill_metrics(summary, measured->metrics) || !fill_regions(summary, measured, tick) ||
	    !fill_locks(summary, measured->locks, tick)) {
		summary->note = "out of memory while the results were put together";
		return false;
	}
	pomp_join_same_places(summary);
	summary->note = note_of(summary, measured->regions);
	return true;
}

bool pomp_fill_summary_of(struct summary *summary, const struct pomp_measured *measured)
{
	struct effort effort;

	return fill(summary, measured, &effort);
}

bool pomp_fill_summary(struct summary *summary)
{
	const struct pomp_measured measured = {
	    .clock = pomp_process.clock,
	    .threads = &pomp_threads,
	    .regions = &pomp_regions,
	    .locks = &pomp_locks,
	    .metrics = &pomp_metrics,
	    .most_threads = load_relaxed(&pomp_teams.most_threads),
	    .usage = pomp_process_usage(),
	    .usage_refused = pomp_usage_was_refused(),
	};
	double tick = pomp_clock_tick(&measured.clock);
	struct effort effort;
	bool is_filled = fill(summary, &measured, &effort);
	double cost = pomp_cost_of_event(pomp_process.settings.tracing);

	if (cost >= 0)
		summary->event_cost =
		    (uint64_t)((cost * (double)effort.calls +
				   pomp_metrics_cost(pomp_self) * (double)effort.reads) *
				   tick +
			       0.5);
	if (measured.usage.faults > FAULTS_WORTH_EXPLAINING)
		summary->fault_cost = pomp_fault_cost();
	if (is_filled && pomp_process.tells_serial)
		summary->note =
		    "No OpenMP region ran in this program. Where its first thread spent "
		    "processor time:";
	return is_filled;
}

void pomp_release_summary(struct summary *summary)
{
	for (size_t i = 0; i < summary->lock_count; i++)
		free((char *)summary->locks[i].name);
	free((void *)summary->locks);
	free((void *)summary->regions);
	free((void *)summary->tasks);
	free((void *)summary->metrics);
}
