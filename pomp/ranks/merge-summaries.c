/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the summaries of all ranks in the tree of shared/rank-tree.h; rank 0 prints the result.
 * Rows of different ranks match if they have the same name.
 *
 * Threads and times of processes add up. Values for a mean process (the time in parallel regions,
 * the imbalance of teams) are added here and divided at the end.
 */
#include "merge-summaries.h"

#include "common/blocked-rows.h"
#include "common/caller-rows.h"
#include "common/hot-rows.h"
#include "common/memory-rows.h"
#include "common/summary-figures.h"
#include "fill-summary.h"
#include "shared/array.h"
#include "shared/hash-map.h"
#include "shared/rank-tree.h"
#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>

/* Adds; if only one of the two was measured, the sum is that one. */
static void add(uint64_t *sum, uint64_t more)
{
	if (*sum == SUMMARY_NOT_MEASURED)
		*sum = more;
	else if (more != SUMMARY_NOT_MEASURED)
		*sum += more;
}

/* Of a sum that is wrong without one of them. */
static void add_if_both(uint64_t *sum, uint64_t more)
{
	if (*sum != SUMMARY_NOT_MEASURED)
		*sum = more == SUMMARY_NOT_MEASURED ? more : *sum + more;
}

static void keep_least(uint64_t *least, uint64_t other)
{
	if (other < *least) /* SUMMARY_NOT_MEASURED is larger than any value */
		*least = other;
}

static void keep_most(uint64_t *most, uint64_t other)
{
	if (*most == SUMMARY_NOT_MEASURED || (other != SUMMARY_NOT_MEASURED && other > *most))
		*most = other;
}

static bool same_metrics(const struct summary *one, const struct summary *two)
{
	if (one->metric_count != two->metric_count)
		return false;
	for (size_t i = 0; i < one->metric_count; i++)
		if (strcmp(one->metrics[i].name, two->metrics[i].name) != 0)
			return false;
	return true;
}

static uint64_t region_key(const void *row)
{
	const struct summary_region *region = row;
	uint64_t hash = TEXT_HASH_START ^ (uint64_t)region->begin_line;

	hash = text_hash(hash, region->sub_name);
	return text_hash(text_hash(hash, region->name), region->file);
}

static bool same_region(const void *left, const void *right)
{
	const struct summary_region *one = left, *two = right;

	return one->begin_line == two->begin_line && strcmp(one->sub_name, two->sub_name) == 0 &&
	       strcmp(one->name, two->name) == 0 && strcmp(one->file, two->file) == 0;
}

static void add_region(void *sum, const void *other, size_t metrics)
{
	struct summary_region *row = sum;
	const struct summary_region *more = other;

	row->visits += more->visits;
	row->time += more->time;
	row->self += more->self;
	row->threads += more->threads;
	keep_least(&row->body_min, more->body_min);
	add(&row->body_sum, more->body_sum);
	keep_most(&row->body_max, more->body_max);
	add(&row->barrier_wait, more->barrier_wait);
	add(&row->enter_wait, more->enter_wait);
	add(&row->imbalance, more->imbalance);
	add_if_both(&row->delayed, more->delayed);
	add_if_both(&row->blocked, more->blocked);
	add_if_both(&row->system, more->system);
	add_if_both(&row->faults, more->faults);
	add_if_both(&row->wait_delayed, more->wait_delayed);
	uint64_t *values = (uint64_t *)row->metrics;
	if (values == NULL || more->metrics == NULL)
		return;
	for (size_t i = 0; i < metrics; i++)
		values[i] += more->metrics[i];
}

static uint64_t lock_key(const void *row)
{
	const struct summary_lock *lock = row;

	return text_hash(TEXT_HASH_START, lock->name);
}

static bool same_lock(const void *left, const void *right)
{
	const struct summary_lock *one = left, *two = right;

	return strcmp(one->name, two->name) == 0;
}

static void add_lock(void *sum, const void *other, size_t metrics)
{
	struct summary_lock *row = sum;
	const struct summary_lock *more = other;

	(void)metrics;
	row->acquisitions += more->acquisitions;
	row->contended += more->contended;
	row->wait += more->wait;
	row->hold += more->hold;
}

/* Copies the name, because a summary owns its locks' names. */
static bool own_lock(void *row)
{
	struct summary_lock *lock = row;

	lock->name = strdup(lock->name);
	return lock->name != NULL;
}

static uint64_t task_key(const void *row)
{
	const struct summary_task *task = row;

	return text_hash(TEXT_HASH_START ^ (uint64_t)task->begin_line, task->file);
}

static bool same_task(const void *left, const void *right)
{
	const struct summary_task *one = left, *two = right;

	return one->begin_line == two->begin_line && strcmp(one->file, two->file) == 0;
}

static void add_task(void *sum, const void *other, size_t metrics)
{
	struct summary_task *row = sum;
	const struct summary_task *more = other;

	(void)metrics;
	row->created += more->created;
	row->executed += more->executed;
	row->undeferred += more->undeferred;
	row->create_time += more->create_time;
	row->execute_time += more->execute_time;
	keep_most(&row->execute_max, more->execute_max);
}

static uint64_t hot_key(const void *row)
{
	const struct summary_hot *hot = row;
	uint64_t hash = TEXT_HASH_START ^ (uint64_t)hot->line;

	hash = text_hash(hash, hot->function != NULL ? hot->function : "");
	return text_hash(hash, hot->file != NULL ? hot->file : "");
}

static bool same_hot(const void *left, const void *right)
{
	const struct summary_hot *one = left, *two = right;

	return one->line == two->line && summary_same_text(one->function, two->function) &&
	       summary_same_text(one->file, two->file);
}

/* The rank with most samples there names the construct. */
static void add_hot(void *sum, const void *other, size_t metrics)
{
	struct summary_hot *row = sum;
	const struct summary_hot *more = other;

	(void)metrics;
	if (more->samples > row->samples) {
		row->construct = more->construct;
		row->construct_file = more->construct_file;
		row->construct_line = more->construct_line;
	}
	row->samples += more->samples;
	row->waits += more->waits;
	row->faults += more->faults;
	for (int counter = 0; counter < SAMPLE_COUNTER_COUNT; counter++)
		row->counted[counter] += more->counted[counter];
}

static uint64_t path_key(const void *row)
{
	const struct summary_path *path = row;

	return text_hash(TEXT_HASH_START, path->path);
}

static bool same_path(const void *left, const void *right)
{
	const struct summary_path *one = left, *two = right;

	return strcmp(one->path, two->path) == 0;
}

static void add_path(void *sum, const void *other, size_t metrics)
{
	struct summary_path *row = sum;
	const struct summary_path *more = other;

	(void)metrics;
	row->samples += more->samples;
	row->faults += more->faults;
}

/* Copies the text, because a summary owns its paths' texts. */
static bool own_path(void *row)
{
	struct summary_path *path = row;

	path->path = strdup(path->path);
	return path->path != NULL;
}

/* What identifies rows of a kind, and how two equal ones are merged. */
struct row_kind {
	size_t size;
	uint64_t (*key)(const void *row);
	bool (*same)(const void *one, const void *two);
	void (*add)(void *row, const void *more, size_t metrics);
	bool (*own)(void *row); /* makes a row's data belong to its new summary; NULL: not needed */
};
static const struct row_kind
    region_rows = {sizeof(struct summary_region), region_key, same_region, add_region, NULL},
    lock_rows = {sizeof(struct summary_lock), lock_key, same_lock, add_lock, own_lock},
    task_rows = {sizeof(struct summary_task), task_key, same_task, add_task, NULL},
    hot_rows = {sizeof(struct summary_hot), hot_key, same_hot, add_hot, NULL},
    path_rows = {sizeof(struct summary_path), path_key, same_path, add_path, own_path};

/* Returns the index of the equal row; SIZE_MAX: there is none. */
static size_t find_row(
    const struct row_kind *kind, const struct map *places, const char *rows, const void *row)
{
	uint64_t key = kind->key(row);

	for (size_t at = map_first(places, key); at != MAP_END; at = map_next(places, key, at))
		if (kind->same(rows + map_value(places, at) * kind->size, row))
			return map_value(places, at);
	return SIZE_MAX;
}

/* Adds rows to those with the same name, and appends the others; false when memory ran out. */
static bool merge_rows(const struct row_kind *kind, const void **rows, size_t *count,
    const void *others, size_t other_count, size_t metrics)
{
	struct map places = {0};
	size_t capacity = *count;
	bool fits = array_make_room(rows, &capacity, *count, other_count + 1, kind->size);
	char *all = (char *)*rows;

	for (size_t i = 0; fits && i < *count; i++)
		if (find_row(kind, &places, all, all + i * kind->size) == SIZE_MAX)
			fits = map_add(&places, kind->key(all + i * kind->size), i);
	for (size_t i = 0; fits && i < other_count; i++) {
		const void *row = (const char *)others + i * kind->size;
		size_t known = find_row(kind, &places, all, row);
		if (known != SIZE_MAX) {
			kind->add(all + known * kind->size, row, metrics);
			continue;
		}
		char *place = memcpy(all + *count * kind->size, row, kind->size);
		fits = map_add(&places, kind->key(place), *count) &&
		       (kind->own == NULL || kind->own(place));
		*count += fits;
	}
	map_free(&places);
	return fits;
}

static bool merge_blocked(struct summary *into, const struct summary *from)
{
	struct blocked_rows rows = {into->blocked_call_count};
	bool fits = true;

	for (size_t i = 0; i < from->blocked_call_count && fits; i++)
		fits = blocked_rows_add(into, &rows, &from->blocked_calls[i]);
	blocked_rows_finish(into);
	return fits;
}

static bool merge_callers(struct summary *into, const struct summary *from)
{
	struct caller_rows rows = {into->caller_count};
	bool fits = true;

	for (size_t i = 0; i < from->caller_count && fits; i++)
		fits = caller_rows_add(into, &rows, &from->callers[i]);
	caller_rows_finish(into);
	return fits;
}

static bool merge_memory(struct summary *into, const struct summary *from)
{
	struct memory_rows rows = {into->memory_count};
	bool fits = true;

	for (size_t i = 0; i < from->memory_count && fits; i++)
		fits = memory_rows_add(into, &rows, &from->memory[i]);
	memory_rows_finish(into);
	return fits;
}

static bool merge_samples(struct summary *into, const struct summary *from)
{
	into->samples += from->samples;
	into->lost_samples += from->lost_samples;
	into->sample_counters |= from->sample_counters;
	return merge_rows(&hot_rows, (const void **)&into->hot, &into->hot_count, from->hot,
		   from->hot_count, 0) &&
	       merge_rows(&path_rows, (const void **)&into->team_paths, &into->team_path_count,
		   from->team_paths, from->team_path_count, 0) &&
	       merge_rows(&path_rows, (const void **)&into->serial_paths, &into->serial_path_count,
		   from->serial_paths, from->serial_path_count, 0);
}

static void merge(struct summary *into, const struct summary *from)
{
	keep_most(&into->wall, from->wall);
	into->threads += from->threads;
	into->locations += from->locations;
	into->processes += from->processes;
	into->parallel += from->parallel;
	into->useful += from->useful;
	into->sync += from->sync;
	into->management += from->management;
	into->imbalance += from->imbalance;
	into->roots += from->roots;
	into->mpi_calls += from->mpi_calls;
	into->mpi_serial += from->mpi_serial;
	into->mpi_team += from->mpi_team;
	into->mpi_held += from->mpi_held;
	add_if_both(&into->delayed, from->delayed);
	add_if_both(&into->blocked, from->blocked);
	add_if_both(&into->serial_delayed, from->serial_delayed);
	add_if_both(&into->serial_blocked, from->serial_blocked);
	add_if_both(&into->wait_delayed, from->wait_delayed);
	add_if_both(&into->late_delayed, from->late_delayed);
	add_if_both(&into->processor_time, from->processor_time);
	add_if_both(&into->system, from->system);
	add_if_both(&into->faults, from->faults);
	into->usage_refused |= into->delayed == SUMMARY_NOT_MEASURED;
	/* Ranks may share a group and a machine. */
	into->quota = into->throttled = into->stolen = into->idle = into->online = into->bound = 0;
	into->events += from->events;
	into->lost_events += from->lost_events;
	into->untraced_events += from->untraced_events;
	add(&into->event_cost, from->event_cost);
	if (!same_metrics(into, from))
		into->metric_count = 0; /* the sums would be of different things */
	if (!merge_rows(&region_rows, (const void **)&into->regions, &into->region_count,
		from->regions, from->region_count, into->metric_count) ||
	    !merge_rows(&lock_rows, (const void **)&into->locks, &into->lock_count, from->locks,
		from->lock_count, 0) ||
	    !merge_rows(&task_rows, (const void **)&into->tasks, &into->task_count, from->tasks,
		from->task_count, 0) ||
	    !merge_callers(into, from) || !merge_samples(into, from) || !merge_memory(into, from) ||
	    !merge_blocked(into, from))
		into->note = "out of memory while the ranks' results were put together";
}

/* What a rank gathers: its summary, which becomes that of all ranks, and what other ranks sent. */
struct gathering {
	struct summary *summary;
	struct pomp_rank_summaries *others;
};

static void *pack(void *own, size_t *bytes)
{
	const struct gathering *gathering = own;

	return pomp_rank_pack_summary(gathering->summary, bytes);
}

/* The bytes are kept, because the rows' texts are in them. */
static void take_in(void *own, void *packed, size_t bytes)
{
	const struct gathering *gathering = own;
	struct pomp_rank_summaries *others = gathering->others;
	struct summary *received = &others->received[others->count];

	if (packed != NULL)
		others->bytes[others->count++] = packed;
	if (packed != NULL && pomp_rank_unpack_summary(received, packed, bytes))
		merge(gathering->summary, received);
	else
		gathering->summary->note = "the results of some ranks are missing";
}

/*
 * The rows of a rank's own summary become copies, because rows of other ranks are appended to them,
 * whose texts do not belong to regions of this process.
 */
void pomp_rank_merge_summaries(
    const struct pomp_ranks *ranks, struct summary *summary, struct pomp_rank_summaries *summaries)
{
	static const struct pomp_rank_gathering of_summaries = {pack, take_in};
	struct gathering gathering = {summary, summaries};

	*summaries = (struct pomp_rank_summaries){0};
	summary->processes = 1;
	pomp_ranks_gather(ranks, &of_summaries, &gathering);
	if (ranks->rank != 0)
		return;
	hot_rows_finish(summary);
	summary->parallel /= summary->processes;
	summary->imbalance /= summary->processes;
	summary->processors =
	    0; /* it is unknown on how many machines, and which ranks share them */
	if (summary->region_count > 0 && summary->note == pomp_nothing_executed)
		summary->note = NULL; /* other ranks executed something */
}

/* Rows from other ranks keep their metrics until now. */
void pomp_rank_free_summaries(struct pomp_rank_summaries *summaries)
{
	for (size_t i = 0; i < summaries->count; i++) {
		pomp_rank_free_unpacked(&summaries->received[i]);
		free(summaries->bytes[i]);
	}
	*summaries = (struct pomp_rank_summaries){0};
}
