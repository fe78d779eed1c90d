/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A summary as bytes, to be sent to another rank: its numbers, then its rows with their texts, in a
 * fixed order. A single walk both writes and reads, so the order is the same. Received bytes are
 * checked: no number of rows and no text may go beyond the bytes.
 */
#include "merge-summaries.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

/* The state of packing or unpacking, which share the walk. */
struct walk {
	char *bytes;
	size_t count, capacity; /* writing: capacity is the room; reading: all bytes */
	bool reading, failed;
};

static void walk_bytes(struct walk *walk, void *data, size_t size)
{
	if (walk->failed)
		return;
	if (walk->reading) {
		walk->failed = size > walk->capacity - walk->count;
		if (!walk->failed)
			memcpy(data, walk->bytes + walk->count, size);
	} else {
		walk->failed = !ARRAY_ROOM(walk->bytes, walk->count, walk->capacity, size);
		if (walk->failed)
			return;
		memcpy(walk->bytes + walk->count, data, size);
	}
	walk->count += size;
}

/* When reading, the text points into the bytes. */
static void walk_text(struct walk *walk, const char **text)
{
	if (!walk->reading) {
		const char *given = *text != NULL ? *text : "";
		walk_bytes(walk, (void *)given, strlen(given) + 1);
		return;
	}
	const char *start = walk->bytes + walk->count;
	const char *end = walk->failed ? NULL : memchr(start, 0, walk->capacity - walk->count);
	walk->failed |= end == NULL;
	*text = walk->failed ? "" : start;
	walk->count += walk->failed ? 0 : (size_t)(end - start) + 1;
}

/* Walks the number of rows; when reading, also allocates rows of that size. */
static void *walk_rows(struct walk *walk, const void *rows, size_t *count, size_t size)
{
	uint64_t number = *count;

	walk_bytes(walk, &number, sizeof(number));
	if (!walk->reading)
		return (void *)rows;
	/* Each row takes at least a byte: a larger number is invalid. */
	walk->failed |= number > walk->capacity - walk->count;
	void *made = walk->failed ? NULL : calloc(number + 1, size);
	walk->failed |= made == NULL;
	*count = walk->failed ? 0 : number;
	return made;
}

static void walk_regions(struct walk *walk, struct summary *summary)
{
	struct summary_region *rows =
	    walk_rows(walk, summary->regions, &summary->region_count, sizeof(*summary->regions));

	summary->regions = rows;
	for (size_t i = 0; i < summary->region_count && !walk->failed; i++) {
		struct summary_region row = rows[i];
		uint64_t has_metrics = row.metrics != NULL;
		walk_bytes(walk, &row, sizeof(row)); /* the pointers to texts are set again */
		walk_text(walk, &row.name);
		walk_text(walk, &row.sub_name);
		walk_text(walk, &row.function);
		walk_text(walk, &row.file);
		walk_bytes(walk, &has_metrics, sizeof(has_metrics));
		size_t bytes = summary->metric_count * sizeof(uint64_t);
		uint64_t *values = (uint64_t *)row.metrics;
		if (walk->reading)
			values = has_metrics && !walk->failed ? malloc(bytes + 1) : NULL;
		if (values != NULL)
			walk_bytes(walk, values, bytes);
		row.metrics = values;
		if (walk->reading)
			rows[i] = row;
	}
}

/* A text of a row; one that is not known is NULL in rows that were read, or "" where none is. */
struct text_member {
	size_t offset;
	bool may_be_unknown;
};

/* The row's bytes contain the pointers to its texts, which are set again. */
static void walk_row(struct walk *walk, void *row, size_t size, const struct text_member *texts)
{
	walk_bytes(walk, row, size);
	for (; texts->offset != SIZE_MAX; texts++) {
		const char **text = (const char **)((char *)row + texts->offset);
		walk_text(walk, text);
		if (walk->reading && texts->may_be_unknown && (*text)[0] == '\0')
			*text = NULL;
	}
}

/* Walks rows that have only numbers and texts; returns them. */
static void *walk_table(struct walk *walk, const void *present, size_t *count, size_t size,
    const struct text_member *texts)
{
	union {
		struct summary_lock lock;
		struct summary_task task;
		struct summary_blocked blocked;
		struct summary_caller caller;
		struct summary_hot hot;
		struct summary_path path;
		struct summary_memory memory;
	} row;
	char *rows = walk_rows(walk, present, count, size);

	for (size_t i = 0; i < *count && !walk->failed; i++) {
		memcpy(&row, rows + i * size, size);
		walk_row(walk, &row, size, texts);
		if (walk->reading)
			memcpy(rows + i * size, &row, size);
	}
	return rows;
}

#define KNOWN(type, member)                                                                        \
	{                                                                                          \
		offsetof(struct type, member), false                                               \
	}
#define UNKNOWN(type, member)                                                                      \
	{                                                                                          \
		offsetof(struct type, member), true                                                \
	}
#define END                                                                                        \
	{                                                                                          \
		SIZE_MAX, false                                                                    \
	}

static void walk_tables(struct walk *walk, struct summary *summary)
{
	static const struct text_member lock[] = {KNOWN(summary_lock, name), END};
	static const struct text_member task[] = {KNOWN(summary_task, file), END};
	static const struct text_member path[] = {KNOWN(summary_path, path), END};
	static const struct text_member blocked[] = {UNKNOWN(summary_blocked, call),
	    UNKNOWN(summary_blocked, what), UNKNOWN(summary_blocked, function),
	    UNKNOWN(summary_blocked, file), UNKNOWN(summary_blocked, construct),
	    UNKNOWN(summary_blocked, construct_file), UNKNOWN(summary_blocked, by.file), END};
	static const struct text_member caller[] = {UNKNOWN(summary_caller, construct),
	    UNKNOWN(summary_caller, construct_file), UNKNOWN(summary_caller, construct_function),
	    UNKNOWN(summary_caller, function), UNKNOWN(summary_caller, file),
	    UNKNOWN(summary_caller, inner_function), UNKNOWN(summary_caller, inner_file), END};
	static const struct text_member hot[] = {UNKNOWN(summary_hot, function),
	    UNKNOWN(summary_hot, file), UNKNOWN(summary_hot, construct),
	    UNKNOWN(summary_hot, construct_file), END};
	static const struct text_member memory[] = {UNKNOWN(summary_memory, function),
	    UNKNOWN(summary_memory, file), UNKNOWN(summary_memory, by.file), END};

#define TABLE(rows, count, texts)                                                                  \
	summary->rows =                                                                            \
	    walk_table(walk, summary->rows, &summary->count, sizeof(*summary->rows), texts)
	TABLE(locks, lock_count, lock);
	TABLE(tasks, task_count, task);
	TABLE(blocked_calls, blocked_call_count, blocked);
	TABLE(callers, caller_count, caller);
	TABLE(hot, hot_count, hot);
	TABLE(memory, memory_count, memory);
	TABLE(team_paths, team_path_count, path);
	TABLE(serial_paths, serial_path_count, path);
#undef TABLE
}

static void walk_metrics(struct walk *walk, struct summary *summary)
{
	struct summary_metric *rows =
	    walk_rows(walk, summary->metrics, &summary->metric_count, sizeof(*summary->metrics));

	summary->metrics = rows;
	for (size_t i = 0; i < summary->metric_count && !walk->failed; i++) {
		struct summary_metric row = rows[i];
		walk_text(walk, &row.name);
		walk_text(walk, &row.unit);
		if (walk->reading)
			rows[i] = row;
	}
}

/* The process's own numbers: the rest is useless for another rank. */
static void walk_numbers(struct walk *walk, struct summary *summary)
{
	uint64_t *numbers[] = {&summary->wall, &summary->threads, &summary->locations,
	    &summary->processes, &summary->parallel, &summary->useful, &summary->sync,
	    &summary->management, &summary->imbalance, &summary->events, &summary->lost_events,
	    &summary->untraced_events, &summary->event_cost, &summary->roots, &summary->mpi_calls,
	    &summary->mpi_serial, &summary->mpi_team, &summary->mpi_held, &summary->delayed,
	    &summary->blocked, &summary->serial_delayed, &summary->serial_blocked,
	    &summary->wait_delayed, &summary->late_delayed, &summary->processor_time,
	    &summary->system, &summary->faults, &summary->samples, &summary->lost_samples,
	    &summary->sample_counters};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		walk_bytes(walk, numbers[i], sizeof(*numbers[i]));
}

static void walk_summary(struct walk *walk, struct summary *summary)
{
	walk_numbers(walk, summary);
	walk_metrics(walk, summary);
	walk_regions(walk, summary);
	walk_tables(walk, summary);
}

void *pomp_rank_pack_summary(struct summary *summary, size_t *bytes)
{
	struct walk walk = {0};

	walk_summary(&walk, summary);
	if (walk.failed) {
		free(walk.bytes);
		return NULL;
	}
	*bytes = walk.count;
	return walk.bytes;
}

bool pomp_rank_unpack_summary(struct summary *summary, char *packed, size_t bytes)
{
	struct walk walk = {.bytes = packed, .capacity = bytes, .reading = true};

	*summary = (struct summary){0};
	walk_summary(&walk, summary);
	return !walk.failed;
}

void pomp_rank_free_unpacked(struct summary *summary)
{
	for (size_t row = 0; row < summary->region_count; row++)
		free((void *)summary->regions[row].metrics);
	free((void *)summary->regions);
	free((void *)summary->locks);
	free((void *)summary->tasks);
	free((void *)summary->blocked_calls);
	free((void *)summary->callers);
	free((void *)summary->hot);
	free((void *)summary->memory);
	free((void *)summary->team_paths);
	free((void *)summary->serial_paths);
	free((void *)summary->metrics);
}
