/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summaries of all ranks made one, in a tree like their definitions: rank 0 prints it. A summary
 * travels as its numbers and texts in a fixed order, each rank's rows found again by what they name.
 *
 * Of what belongs to a process, threads and times add up; what is of a mean process (the time in
 * parallel regions, the imbalance of teams) is added here and divided at the end.
 */
#include "rank-summary.h"

#include <stdlib.h>
#include <string.h>

/* Something that is packed, or taken apart again: the same walk for both. */
struct walk {
	char *bytes;
	size_t count, capacity; /* writing: capacity is the room; reading: all there is */
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
		if (walk->capacity - walk->count < size) {
			size_t capacity = walk->capacity * 2 + size + 4096;
			char *grown = realloc(walk->bytes, capacity);
			walk->failed = grown == NULL;
			if (walk->failed)
				return;
			walk->bytes = grown;
			walk->capacity = capacity;
		}
		memcpy(walk->bytes + walk->count, data, size);
	}
	walk->count += size;
}

/* What is read points into the bytes. */
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

/* The number of rows; reading, it also makes them, of that size. */
static void *walk_rows(struct walk *walk, const void *rows, size_t *count, size_t size)
{
	uint64_t number = *count;

	walk_bytes(walk, &number, sizeof(number));
	if (!walk->reading)
		return (void *)rows;
	/* Each row takes a byte at least: a number beyond is no number of rows. */
	walk->failed |= number > walk->capacity - walk->count;
	void *made = walk->failed ? NULL : calloc(number + 1, size);
	walk->failed |= made == NULL;
	*count = walk->failed ? 0 : number;
	return made;
}

static void walk_regions(struct walk *walk, struct summary *summary)
{
	struct summary_region *rows = walk_rows(
	    walk, summary->regions, &summary->region_count, sizeof(*summary->regions));

	summary->regions = rows;
	for (size_t i = 0; i < summary->region_count && !walk->failed; i++) {
		struct summary_region row = rows[i];
		uint64_t has_metrics = row.metrics != NULL;
		walk_bytes(walk, &row, sizeof(row)); /* the texts' places are set anew */
		walk_text(walk, &row.name);
		walk_text(walk, &row.sub_name);
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

static void walk_locks(struct walk *walk, struct summary *summary)
{
	struct summary_lock *rows =
	    walk_rows(walk, summary->locks, &summary->lock_count, sizeof(*summary->locks));

	summary->locks = rows;
	for (size_t i = 0; i < summary->lock_count && !walk->failed; i++) {
		struct summary_lock row = rows[i];
		walk_bytes(walk, &row, sizeof(row));
		walk_text(walk, &row.name);
		if (walk->reading)
			rows[i] = row;
	}
}

static void walk_tasks(struct walk *walk, struct summary *summary)
{
	struct summary_task *rows =
	    walk_rows(walk, summary->tasks, &summary->task_count, sizeof(*summary->tasks));

	summary->tasks = rows;
	for (size_t i = 0; i < summary->task_count && !walk->failed; i++) {
		struct summary_task row = rows[i];
		walk_bytes(walk, &row, sizeof(row));
		walk_text(walk, &row.file);
		if (walk->reading)
			rows[i] = row;
	}
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

/* The process's own numbers: whatever else is in there is of no use to another rank. */
static void walk_numbers(struct walk *walk, struct summary *summary)
{
	uint64_t *numbers[] = {&summary->wall, &summary->threads, &summary->locations,
	    &summary->processes, &summary->parallel, &summary->useful, &summary->sync,
	    &summary->management, &summary->imbalance, &summary->events, &summary->lost_events,
	    &summary->untraced_events, &summary->event_cost};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		walk_bytes(walk, numbers[i], sizeof(*numbers[i]));
}

static void walk_summary(struct walk *walk, struct summary *summary)
{
	walk_numbers(walk, summary);
	walk_metrics(walk, summary);
	walk_regions(walk, summary);
	walk_locks(walk, summary);
	walk_tasks(walk, summary);
}

/* Sums; what one of them did not measure stays as the other has it. */
static void add(uint64_t *sum, uint64_t more)
{
	if (*sum == SUMMARY_NOT_MEASURED)
		*sum = more;
	else if (more != SUMMARY_NOT_MEASURED)
		*sum += more;
}

static void keep_least(uint64_t *least, uint64_t other)
{
	if (other < *least) /* not measured is more than anything */
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

static bool same_region(const struct summary_region *one, const struct summary_region *two)
{
	return one->begin_line == two->begin_line && strcmp(one->sub_name, two->sub_name) == 0 &&
	       strcmp(one->name, two->name) == 0 && strcmp(one->file, two->file) == 0;
}

static void add_region(struct summary_region *row, const struct summary_region *more, size_t metrics)
{
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
	uint64_t *values = (uint64_t *)row->metrics;
	if (values == NULL || more->metrics == NULL)
		return;
	for (size_t i = 0; i < metrics; i++)
		values[i] += more->metrics[i];
}

/* Appends a row of that size to an array; false when memory ran out. */
static bool append(const void **rows, size_t *count, size_t size, const void *row)
{
	char *grown = realloc((void *)*rows, (*count + 1) * size);

	if (grown == NULL)
		return false;
	memcpy(grown + *count * size, row, size);
	*rows = grown;
	++*count;
	return true;
}

static bool merge_regions(struct summary *into, const struct summary *from)
{
	bool fits = true;

	for (size_t i = 0; i < from->region_count && fits; i++) {
		struct summary_region *rows = (struct summary_region *)into->regions;
		size_t place = 0;
		while (place < into->region_count && !same_region(&rows[place], &from->regions[i]))
			place++;
		if (place < into->region_count)
			add_region(&rows[place], &from->regions[i], into->metric_count);
		else
			fits = append((const void **)&into->regions, &into->region_count,
			    sizeof(*rows), &from->regions[i]);
	}
	return fits;
}

static bool merge_locks(struct summary *into, const struct summary *from)
{
	bool fits = true;

	for (size_t i = 0; i < from->lock_count && fits; i++) {
		struct summary_lock *rows = (struct summary_lock *)into->locks;
		const struct summary_lock *more = &from->locks[i];
		size_t place = 0;
		while (place < into->lock_count && strcmp(rows[place].name, more->name) != 0)
			place++;
		if (place == into->lock_count) {
			struct summary_lock copy = *more;
			copy.name = strdup(more->name); /* a summary owns its locks' names */
			fits = copy.name != NULL && append((const void **)&into->locks,
							&into->lock_count, sizeof(copy), &copy);
			continue;
		}
		rows[place].acquisitions += more->acquisitions;
		rows[place].contended += more->contended;
		rows[place].wait += more->wait;
		rows[place].hold += more->hold;
	}
	return fits;
}

static bool merge_tasks(struct summary *into, const struct summary *from)
{
	bool fits = true;

	for (size_t i = 0; i < from->task_count && fits; i++) {
		struct summary_task *rows = (struct summary_task *)into->tasks;
		const struct summary_task *more = &from->tasks[i];
		size_t place = 0;
		while (place < into->task_count &&
		       (rows[place].begin_line != more->begin_line ||
			   strcmp(rows[place].file, more->file) != 0))
			place++;
		if (place == into->task_count) {
			fits = append((const void **)&into->tasks, &into->task_count, sizeof(*rows),
			    more);
			continue;
		}
		rows[place].created += more->created;
		rows[place].executed += more->executed;
		rows[place].undeferred += more->undeferred;
		rows[place].create_time += more->create_time;
		rows[place].execute_time += more->execute_time;
	}
	return fits;
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
	into->events += from->events;
	into->lost_events += from->lost_events;
	into->untraced_events += from->untraced_events;
	add(&into->event_cost, from->event_cost);
	if (!same_metrics(into, from))
		into->metric_count = 0; /* sums of different things */
	if (!merge_regions(into, from) || !merge_locks(into, from) || !merge_tasks(into, from))
		into->note = "out of memory while the ranks' results were put together";
}

static void send_to(const struct pomp_ranks *ranks, struct summary *summary, uint32_t rank)
{
	struct walk walk = {0};

	walk_summary(&walk, summary);
	uint64_t bytes = walk.failed ? 0 : walk.count;
	if (ranks->send(&bytes, sizeof(bytes), rank) == 0 && bytes > 0)
		ranks->send(walk.bytes, bytes, rank);
	free(walk.bytes);
}

/* The bytes stay: the rows' texts are in there. */
static bool receive_from(
    const struct pomp_ranks *ranks, struct pomp_rank_summaries *summaries, uint32_t rank)
{
	struct walk walk = {.reading = true};
	struct summary *received = &summaries->received[summaries->count];
	uint64_t bytes = 0;

	if (ranks->receive(&bytes, sizeof(bytes), rank) != 0 || bytes == 0)
		return false;
	walk.bytes = malloc(bytes);
	walk.capacity = bytes;
	if (walk.bytes == NULL || ranks->receive(walk.bytes, bytes, rank) != 0) {
		free(walk.bytes);
		return false;
	}
	summaries->bytes[summaries->count++] = walk.bytes;
	*received = (struct summary){0};
	walk_summary(&walk, received);
	return !walk.failed;
}

/*
 * The rows of a rank's own summary become copies: rows of other ranks are appended to them, whose
 * texts do not belong to regions of this process.
 */
void pomp_rank_merge_summaries(const struct pomp_ranks *ranks, struct summary *summary,
    struct pomp_rank_summaries *summaries)
{
	*summaries = (struct pomp_rank_summaries){0};
	summary->processes = 1;
	for (uint32_t step = 1; step < ranks->size; step *= 2) {
		if (ranks->rank & step) {
			send_to(ranks, summary, ranks->rank - step);
			return;
		}
		if (ranks->size - ranks->rank <= step)
			continue;
		if (receive_from(ranks, summaries, ranks->rank + step))
			merge(summary, &summaries->received[summaries->count - 1]);
		else
			summary->note = "the results of some ranks are missing";
	}
	summary->parallel /= summary->processes;
	summary->imbalance /= summary->processes;
	summary->processors = 0; /* of how many machines, and who shares them, is not known */
	if (summary->region_count > 0 && summary->note != NULL &&
	    strcmp(summary->note, "no instrumented region was executed") == 0)
		summary->note = NULL; /* other ranks did */
}

/* Rows that came from other ranks keep their metrics until here. */
void pomp_rank_free_summaries(struct pomp_rank_summaries *summaries)
{
	for (size_t i = 0; i < summaries->count; i++) {
		struct summary *received = &summaries->received[i];
		for (size_t row = 0; row < received->region_count; row++)
			free((void *)received->regions[row].metrics);
		free((void *)received->regions);
		free((void *)received->locks);
		free((void *)received->tasks);
		free((void *)received->metrics);
		free(summaries->bytes[i]);
	}
	*summaries = (struct pomp_rank_summaries){0};
}
