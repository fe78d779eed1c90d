/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an analysis to the summary that libpomp prints at exit, in nanoseconds. Events do not record
 * lost events and the cost of measuring: these are known only if the archive's anchor has them as
 * properties, and count as not measured otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include "common/blocked-rows.h"
#include "common/caller-rows.h"
#include "common/hot-rows.h"
#include "common/memory-rows.h"
#include "common/summary-figures.h"
#include "memory.h"
#include "pass.h"
#include "rank-times.h"

/* A value if it was measured. */
static uint64_t time_if(const struct analysis *analysis, bool measured, uint64_t ticks)
{
	return measured ? analysis_nanoseconds(analysis, ticks) : SUMMARY_NOT_MEASURED;
}

static bool was_refused(const struct archive *archive)
{
	return archive_property_number(archive, "POMP::USAGE_REFUSED") != SUMMARY_NOT_MEASURED;
}

static bool has_usage(const struct analysis *analysis)
{
	return analysis->archive->usage_class != ARCHIVE_NO_INDEX &&
	       !was_refused(analysis->archive);
}

uint64_t analysis_counted(const struct analysis *analysis, uint64_t ticks)
{
	return time_if(analysis, has_usage(analysis), ticks);
}

static void summarize_construct(const struct analysis *analysis, const struct construct *construct,
    struct summary_region *region)
{
	*region = (struct summary_region){
	    .name = construct->name,
	    .sub_name = construct->sub_name,
	    .file = construct->file,
	    .begin_line = construct->begin_line,
	    .end_line = construct->end_line,
	    .code = construct->code,
	    .function = construct->function,
	    .visits = construct->visits,
	    .time = analysis_nanoseconds(analysis, construct->time),
	    .self = analysis_nanoseconds(analysis, construct->self),
	    .threads = construct->threads,
	    .body_min = time_if(analysis, construct->has_body, construct->body_min),
	    .body_sum = time_if(analysis, construct->has_body, construct->body_sum),
	    .body_max = time_if(analysis, construct->has_body, construct->body_max),
	    .barrier_wait = time_if(analysis, construct->has_barrier_wait, construct->barrier_wait),
	    .enter_wait = time_if(analysis, construct->has_enter_wait, construct->enter_wait),
	    .imbalance = time_if(analysis,
		construct->has_imbalance && !analysis->splits_teams && !analysis->lacks_threads,
		construct->imbalance),
	    .delayed = analysis_counted(analysis, construct->usage[TRACE_USAGE_DELAYED]),
	    .blocked = analysis_counted(analysis, construct->usage[TRACE_USAGE_BLOCKED]),
	    .system = analysis_counted(analysis, construct->usage[TRACE_USAGE_SYSTEM]),
	    .faults =
		has_usage(analysis) ? construct->usage[TRACE_USAGE_FAULTS] : SUMMARY_NOT_MEASURED,
	    .wait_delayed = analysis_counted(analysis, construct->wait_delayed),
	};
	if (analysis->metric_count > 0)
		region->metrics =
		    &analysis->metric_sums[(size_t)(construct - analysis->constructs) *
					   analysis->metric_count];
}

static void summarize_constructs(const struct analysis *analysis, struct summary *summary)
{
	struct summary_region *regions = memory_new(analysis->construct_count, sizeof(regions[0]));
	struct summary_task *tasks = memory_new(analysis->construct_count, sizeof(tasks[0]));

	for (size_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];

		if (construct->visits > 0)
			summarize_construct(analysis, construct, &regions[summary->region_count++]);
		if (construct->kind != CONSTRUCT_KIND_TASK ||
		    construct->created + construct->visits == 0)
			continue;
		tasks[summary->task_count++] = (struct summary_task){
		    .file = construct->file,
		    .begin_line = construct->begin_line,
		    .created = analysis->lacks_threads ? SUMMARY_NOT_MEASURED : construct->created,
		    .executed = construct->visits,
		    .undeferred =
			analysis->lacks_threads ? SUMMARY_NOT_MEASURED : construct->undeferred,
		    .create_time =
			time_if(analysis, !analysis->lacks_threads, construct->create_time),
		    .execute_time = analysis_nanoseconds(analysis, construct->time),
		    /* Sums of steps (cuts.h) do not contain the maximum. */
		    .execute_max = time_if(analysis, construct->task_max > 0, construct->task_max),
		};
	}
	summary->regions = regions;
	summary->tasks = tasks;
}

static int compare_locks(const void *left, const void *right)
{
	const struct summary_lock *one = left, *other = right;

	if (one->wait != other->wait)
		return one->wait < other->wait ? 1 : -1;
	return strcmp(one->name, other->name);
}

/* Locks with names first, and equal names next to each other. */
static int compare_names(const void *left, const void *right)
{
	const struct lock *one = *(const struct lock *const *)left;
	const struct lock *other = *(const struct lock *const *)right;

	if (one->has_name != other->has_name)
		return one->has_name ? -1 : 1;
	if (one->has_name && strcmp(one->name, other->name) != 0)
		return strcmp(one->name, other->name);
	return one < other ? -1 : one > other;
}

static void add_lock(
    const struct analysis *analysis, struct summary_lock *sum, const struct lock *lock)
{
	sum->name = lock->name;
	sum->acquisitions += lock->acquisitions;
	sum->contended += lock->contended;
	sum->wait += analysis_nanoseconds(analysis, lock->wait);
	sum->hold += analysis_nanoseconds(analysis, lock->hold);
}

/* Locks of one name in several processes count as one, as in the exit summary. */
static void summarize_locks(const struct analysis *analysis, struct summary *summary)
{
	struct summary_lock *locks = memory_new(analysis->lock_count, sizeof(locks[0]));
	const struct lock **order = memory_new(analysis->lock_count, sizeof(order[0]));
	const struct lock *last = NULL;

	for (size_t i = 0; i < analysis->lock_count; i++)
		order[i] = &analysis->locks[i];
	qsort(order, analysis->lock_count, sizeof(order[0]), compare_names);
	for (size_t i = 0; i < analysis->lock_count; i++) {
		const struct lock *lock = order[i];

		if (lock->acquisitions == 0 && lock->wait == 0 && lock->hold == 0)
			continue; /* it was used only outside the chosen part */
		if (!last || !last->has_name || !lock->has_name ||
		    strcmp(last->name, lock->name) != 0)
			summary->lock_count++;
		add_lock(analysis, &locks[summary->lock_count - 1], lock);
		last = lock;
	}
	free(order);
	summary->locks = locks;
	qsort(locks, summary->lock_count, sizeof(locks[0]), compare_locks);
}

/* Whether any process has several threads with events. */
static bool has_several_threads(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	const struct archive_location *last = NULL;

	/* Threads of a process are neighbours. */
	for (size_t i = 0; i < archive->thread_count; i++) {
		if (!analysis->threads[i].seen)
			continue;
		if (last && last->group == archive->locations[i].group)
			return true;
		last = &archive->locations[i];
	}
	return false;
}

/*
 * Whether an archive without teams comes from a run without teams. That is so if each process has
 * one thread, and either the archive states that it is complete or the program contains nothing for
 * teams to execute. Otherwise the events of teams may be missing.
 */
static bool ran_without_teams(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;

	if (analysis->has_teams || analysis->has_forks || has_several_threads(analysis))
		return false;
	for (size_t i = 0; i < archive->property_count; i++) {
		if (strcmp(archive->properties[i].name, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE") ==
			0 &&
		    strcmp(archive->properties[i].value, "true") == 0)
			return true;
	}
	for (size_t i = 0; i < analysis->construct_count; i++) {
		if (analysis->constructs[i].events > 0 &&
		    analysis->constructs[i].kind != CONSTRUCT_KIND_PLAIN)
			return false;
	}
	return true;
}

/* What the archive tells about teams. */
struct known {
	bool teams, forks;
};

static struct known find_known(const struct analysis *analysis)
{
	bool without = ran_without_teams(analysis);

	return (struct known){analysis->has_teams || without, analysis->has_forks || without};
}

/* Times of a process's initial thread, in ticks. */
struct root {
	uint64_t parallel, mpi;    /* in parallel regions; in MPI outside of them */
	uint64_t delayed, blocked; /* outside of them */
	bool seen;                 /* the process has threads with events */
};

/*
 * The initial thread's time in parallel regions: for each process, that of the thread with the most
 * (programs may start OpenMP from several threads of their own; of equals, the one with most MPI);
 * for several processes, the mean.
 */
static void summarize_roots(
    const struct analysis *analysis, struct known known, struct summary *summary)
{
	const struct archive *archive = analysis->archive;
	struct root *roots = memory_new(archive->group_count + 1, sizeof(roots[0]));
	uint64_t sum = 0, processes = 0, in_mpi = 0, delayed = 0, blocked = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];
		struct root *root = &roots[analysis_process_of(archive, i)];
		uint64_t mpi = thread->activities[ACTIVITY_MPI] - thread->mpi_in_team;

		if (!thread->seen)
			continue;
		root->seen = true;
		summary->roots += thread->parallel > 0;
		if (thread->parallel < root->parallel ||
		    (thread->parallel == root->parallel && mpi <= root->mpi))
			continue;
		*root = (struct root){
		    thread->parallel, mpi, thread->serial_delayed, thread->serial_blocked, true};
	}
	for (size_t i = 0; i <= archive->group_count; i++) {
		sum += roots[i].parallel;
		processes += roots[i].seen;
		in_mpi += roots[i].mpi;
		delayed += roots[i].delayed;
		blocked += roots[i].blocked;
	}
	free(roots);
	summary->parallel = time_if(analysis, known.forks, processes ? sum / processes : 0);
	summary->mpi_serial = analysis_nanoseconds(analysis, in_mpi);
	summary->serial_delayed = analysis_counted(analysis, delayed);
	summary->serial_blocked = analysis_counted(analysis, blocked);
}

static void summarize_threads(
    const struct analysis *analysis, struct known known, struct summary *summary)
{
	uint64_t useful = 0, sync = 0, management = 0, mpi = 0;
	uint64_t delayed = 0, blocked = 0, wait_delayed = 0, late_delayed = 0;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];

		if (!thread->seen)
			continue;
		summary->locations++;
		useful += analysis_useful(thread);
		sync += analysis_waits(thread);
		mpi += thread->mpi_in_team;
		management += thread->activities[ACTIVITY_TEAM];
		delayed += thread->activities[ACTIVITY_DELAYED] - thread->serial_delayed;
		blocked += thread->activities[ACTIVITY_BLOCKED] - thread->serial_blocked;
		wait_delayed += thread->wait_delayed;
		late_delayed += thread->late_delayed;
	}
	summary->useful = time_if(analysis, known.teams, useful);
	summary->sync = time_if(analysis, known.teams, sync);
	summary->management = time_if(analysis, known.forks && known.teams, management);
	summary->mpi_team = analysis_nanoseconds(analysis, mpi);
	summary->mpi_held = analysis_nanoseconds(analysis, analysis->mpi_held);
	summary->delayed = analysis_counted(analysis, delayed);
	summary->blocked = analysis_counted(analysis, blocked);
	summary->wait_delayed = analysis_counted(analysis, wait_delayed);
	summary->late_delayed = analysis_counted(analysis, late_delayed);
	summarize_roots(analysis, known, summary);
}

/*
 * Adds up each process's largest team, counted as one thread if it had none. The imbalance is a
 * mean over the processes, weighted by these sizes.
 */
static void summarize_processes(
    const struct analysis *analysis, struct known known, struct summary *summary)
{
	const struct archive *archive = analysis->archive;
	uint64_t *largest = memory_new(archive->group_count + 1, sizeof(largest[0]));
	unsigned __int128 imbalance = 0;

	for (size_t i = 0; i < archive->thread_count; i++) {
		size_t process = analysis_process_of(archive, i);

		if (analysis->threads[i].seen)
			largest[process] = analysis->largest_teams[process] > 0
					       ? analysis->largest_teams[process]
					       : 1;
	}
	for (size_t i = 0; i <= archive->group_count; i++) {
		summary->threads += largest[i];
		summary->processes += largest[i] > 0;
		imbalance += (unsigned __int128)analysis->imbalances[i] * largest[i];
	}
	free(largest);
	if (summary->threads > 0)
		imbalance /= summary->threads;
	summary->imbalance = time_if(analysis, known.forks && known.teams, (uint64_t)imbalance);
	if (!known.teams)
		summary->threads = summary->locations;
}

static void summarize_metrics(const struct analysis *analysis, struct summary *summary)
{
	struct summary_metric *metrics = memory_new(analysis->metric_count, sizeof(metrics[0]));

	for (size_t i = 0; i < analysis->metric_count; i++) {
		const struct archive_metric *metric =
		    &analysis->archive->metrics[analysis->metrics[i]];

		metrics[i] = (struct summary_metric){metric->name, metric->unit};
	}
	summary->metrics = metrics;
	summary->metric_count = analysis->metric_count;
}

/*
 * Metrics that libpomp could not measure (properties of the anchor, with the reason after the
 * name), and metrics whose values are not whole numbers of their unit.
 */
static void summarize_dropped(const struct analysis *analysis, struct summary *summary)
{
	const struct archive *archive = analysis->archive;
	struct summary_dropped *dropped =
	    memory_new(archive->property_count + archive->metric_count, sizeof(dropped[0]));
	static const char mark[] = "POMP::DROPPED_METRIC_";

	for (size_t i = 0; i < archive->property_count; i++) {
		const struct archive_property *property = &archive->properties[i];
		const char *reason = strstr(property->value, ": ");

		if (strncmp(property->name, mark, strlen(mark)) != 0 || !reason)
			continue;
		dropped[summary->dropped_count++] = (struct summary_dropped){
		    .name = memory_print("%.*s", (int)(reason - property->value), property->value),
		    .reason = reason + strlen(": "),
		};
	}
	for (size_t i = 0; i < archive->metric_count; i++) {
		if (archive->metrics[i].accumulates && archive->metrics[i].scale == 0)
			dropped[summary->dropped_count++] = (struct summary_dropped){
			    .name = memory_copy_text(archive->metrics[i].name),
			    .reason = "its values are not whole numbers of the unit",
			};
	}
	summary->dropped = dropped;
}

/* Adds up all MPI calls, whichever threads were chosen. */
static void summarize_calls(const struct analysis *analysis, struct summary *summary)
{
	const struct mpi *mpi = analysis->mpi;

	for (size_t i = 0; mpi && i < analysis->archive->thread_count; i++) {
		const struct mpi_thread *thread = &mpi->threads[i];

		summary->mpi_calls += thread->visits;
		summary->mpi_wait +=
		    analysis_nanoseconds(analysis, thread->serial_wait + thread->in_team_wait);
	}
	summary->mpi_waits_known =
	    mpi && mpi->knows_waits && !archive_is_of_one_process(analysis->archive);
}

/* The longest wait of all MPI functions, wherever they were called. */
static void summarize_ranks(const struct analysis *analysis, struct summary *summary)
{
	struct rank_regions found = ranks_regions(analysis);
	uint64_t most = 0;

	for (size_t i = 0; i < found.count; i++) {
		const struct rank_region *region = &found.regions[i];

		for (int wait = 0; wait < MPI_WAITS; wait++) {
			uint32_t late = region->late_most[wait];

			if (region->waits[wait] <= most)
				continue;
			most = region->waits[wait];
			summary->rank_wait = (struct summary_rank_wait){
			    .call = region->call,
			    .reason = mpi_wait_names[wait].title,
			    .late = late == ARCHIVE_NO_INDEX ? SUMMARY_NOT_MEASURED : late,
			    .time = analysis_nanoseconds(analysis, most),
			};
		}
	}
	ranks_free_regions(&found);
}

/* Whether the archive should contain events that could not be read. */
static bool lacks_events(const struct archive *archive)
{
	for (size_t i = 0; i < archive->location_count; i++) {
		if (archive->locations[i].truncated || archive->locations[i].events_announced > 0)
			return true;
	}
	return false;
}

/* What the kernel counted of whole processes, which is known only for the whole run. */
static void summarize_processor(
    const struct analysis *analysis, bool is_part, struct summary *summary)
{
	const struct {
		const char *property;
		uint64_t *value;
	} known[] = {
	    {"POMP::PROCESSOR_TIME_NS", &summary->processor_time},
	    {"POMP::SYSTEM_TIME_NS", &summary->system},
	    {"POMP::PAGE_FAULTS", &summary->faults},
	    {"POMP::PAGE_FAULT_NS", &summary->fault_cost},
	    {"POMP::THROTTLED_NS", &summary->throttled},
	    {"POMP::STOLEN_NS", &summary->stolen},
	    {"POMP::MACHINE_IDLE_NS", &summary->idle},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		*known[i].value =
		    is_part ? SUMMARY_NOT_MEASURED
			    : archive_property_number(analysis->archive, known[i].property);
	const struct {
		const char *property;
		uint64_t *value;
	} or_none[] = {
	    {"POMP::PROCESSORS", &summary->processors},
	    {"POMP::QUOTA_THOUSANDTHS", &summary->quota},
	    {"POMP::PROCESSORS_ONLINE", &summary->online},
	    {"POMP::PROCESSORS_BOUND", &summary->bound},
	};
	for (size_t i = 0; i < sizeof(or_none) / sizeof(or_none[0]); i++) {
		uint64_t number = archive_property_number(analysis->archive, or_none[i].property);
		*or_none[i].value = number == SUMMARY_NOT_MEASURED ? 0 : number;
	}
}

void analysis_summarize_callers(const struct analysis *analysis, struct summary *summary)
{
	const struct archive *archive = analysis->archive;
	struct caller_rows rows = {0};

	for (size_t i = 0; i < archive->caller_count; i++) {
		const struct archive_caller *caller = &archive->callers[i];
		uint32_t number = analysis->parts[caller->region].construct;
		if (number == NO_CONSTRUCT)
			continue;
		const struct construct *region = &analysis->constructs[number];
		const struct summary_caller row = {.construct = region->name,
		    .construct_file = region->file,
		    .construct_function = region->function,
		    .construct_line = region->begin_line,
		    .is_code = region->code != SUMMARY_INSTRUMENTED,
		    .function = caller->text,
		    .file = caller->file,
		    .line = caller->line,
		    .inner_function = caller->inner_function,
		    .inner_file = caller->inner_file,
		    .inner_line = caller->inner_line,
		    .calls = caller->calls,
		    .time = caller->time};
		caller_rows_add(summary, &rows, &row);
	}
	caller_rows_finish(summary);
}

void analysis_choose_code(const struct analysis *analysis, struct summary *summary,
    analysis_filter *takes, const void *context)
{
	bool *taken = analysis_taken_places(analysis, takes, context);

	hot_rows_free(summary);
	blocked_rows_free(summary);
	analysis_summarize_samples(analysis, taken, summary);
	analysis_summarize_blocked(analysis, taken, summary);
	free(taken);
}

void analysis_summarize(const struct analysis *analysis, struct summary *summary)
{
	struct known known = find_known(analysis);
	bool is_part = analysis->clip_from > 0 || analysis->clip_to < UINT64_MAX;
	uint64_t lost = archive_property_number(analysis->archive, "POMP::LOST_EVENTS");

	*summary = (struct summary){
	    .is_part = is_part,
	    .usage_refused = was_refused(analysis->archive),
	    .program = analysis->archive->program,
	    .wall = analysis_nanoseconds(analysis, analysis->last_time - analysis->first_time),
	    .events = is_part ? analysis->events : analysis->archive->events - analysis->beside,
	    .lost_events = lost,
	    .untraced_events = lost, /* an archive does not count any others */
	    .from_trace = true,
	    .chosen_threads = analysis->chosen_threads,
	    /* Known only for the whole run. */
	    .event_cost = is_part
			      ? SUMMARY_NOT_MEASURED
			      : archive_property_number(analysis->archive, "POMP::EVENT_COST_NS"),
	};
	summarize_processor(analysis, is_part, summary);
	summarize_threads(analysis, known, summary);
	summarize_processes(analysis, known, summary);
	if (summary->processes > 1)
		summary->note =
		    "Several processes: threads is the sum of their largest teams; serial part "
		    "and imbalance are those of a mean process.";
	summarize_metrics(analysis, summary);
	summarize_dropped(analysis, summary);
	summarize_constructs(analysis, summary);
	summarize_locks(analysis, summary);
	analysis_choose_code(analysis, summary, NULL, NULL);
	if (!is_part && summary->chosen_threads == 0)
		analysis_summarize_callers(analysis, summary);
	summarize_calls(analysis, summary);
	summarize_ranks(analysis, summary);
	if (analysis->archive->events == 0)
		summary->note =
		    lacks_events(analysis->archive)
			? "Nothing to show: the archive's files of events cannot be read."
			: "Nothing to show: the archive holds no events.";
	else if (summary->region_count == 0)
		summary->note = "Nothing to show: no construct was entered and left.";
}

void analysis_free_summary(struct summary *summary)
{
	hot_rows_free(summary);
	memory_rows_free(summary);
	blocked_rows_free(summary);
	caller_rows_free(summary);
	free((void *)summary->regions);
	free((void *)summary->tasks);
	free((void *)summary->locks);
	free((void *)summary->metrics);
	for (size_t i = 0; i < summary->dropped_count; i++)
		free((void *)summary->dropped[i].name);
	free((void *)summary->dropped);
	free((void *)summary->chosen);
}
