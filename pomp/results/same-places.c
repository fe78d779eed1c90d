/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every row is compared with every other one: programs have hundreds, and mostly their lines
 * differ.
 */
#include "same-places.h"

#include "common/summary.h"

#include <stdbool.h>
#include <string.h>

static bool is_same(const struct summary_region *one, const struct summary_region *other)
{
	return one->begin_line == other->begin_line && one->begin_line > 0 &&
	       one->code != SUMMARY_INSTRUMENTED && one->code == other->code &&
	       strcmp(one->name, other->name) == 0 && strcmp(one->file, other->file) == 0 &&
	       strcmp(one->sub_name, other->sub_name) == 0;
}

static uint64_t least(uint64_t one, uint64_t other)
{
	return one < other ? one : other; /* "not measured" is the largest number */
}

static uint64_t most(uint64_t one, uint64_t other)
{
	return one == SUMMARY_NOT_MEASURED || (other != SUMMARY_NOT_MEASURED && other > one) ? other
											     : one;
}

static uint64_t sum(uint64_t one, uint64_t other)
{
	return one == SUMMARY_NOT_MEASURED     ? other
	       : other == SUMMARY_NOT_MEASURED ? one
					       : one + other;
}

static void add_region(
    struct summary_region *row, const struct summary_region *more, size_t metric_count)
{
	uint64_t *values = (uint64_t *)row->metrics;

	row->visits += more->visits;
	row->time += more->time;
	row->self += more->self;
	row->threads = most(row->threads, more->threads);
	row->body_min = least(row->body_min, more->body_min);
	row->body_sum = sum(row->body_sum, more->body_sum);
	row->body_max = most(row->body_max, more->body_max);
	row->barrier_wait = sum(row->barrier_wait, more->barrier_wait);
	row->enter_wait = sum(row->enter_wait, more->enter_wait);
	row->imbalance = sum(row->imbalance, more->imbalance);
	row->delayed = sum(row->delayed, more->delayed);
	row->blocked = sum(row->blocked, more->blocked);
	row->system = sum(row->system, more->system);
	row->faults = sum(row->faults, more->faults);
	row->wait_delayed = sum(row->wait_delayed, more->wait_delayed);
	for (size_t i = 0; values != NULL && more->metrics != NULL && i < metric_count; i++)
		values[i] += more->metrics[i];
}

static void join_regions(struct summary *summary)
{
	struct summary_region *rows = (struct summary_region *)summary->regions;
	size_t kept = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		size_t same = 0;
		while (same < kept && !is_same(&rows[same], &rows[i]))
			same++;
		if (same < kept)
			add_region(&rows[same], &rows[i], summary->metric_count);
		else
			rows[kept++] = rows[i];
	}
	summary->region_count = kept;
}

static void join_tasks(struct summary *summary)
{
	struct summary_task *rows = (struct summary_task *)summary->tasks;
	size_t kept = 0;

	for (size_t i = 0; i < summary->task_count; i++) {
		size_t same = 0;
		while (same < kept &&
		       (rows[same].begin_line != rows[i].begin_line || rows[i].begin_line == 0 ||
			   strcmp(rows[same].file, rows[i].file) != 0))
			same++;
		if (same == kept) {
			rows[kept++] = rows[i];
			continue;
		}
		rows[same].created += rows[i].created;
		rows[same].executed += rows[i].executed;
		rows[same].undeferred += rows[i].undeferred;
		rows[same].create_time += rows[i].create_time;
		rows[same].execute_time += rows[i].execute_time;
		rows[same].execute_max = most(rows[same].execute_max, rows[i].execute_max);
	}
	summary->task_count = kept;
}

void pomp_join_same_places(struct summary *summary)
{
	bool has_code = false;

	for (size_t i = 0; i < summary->region_count; i++)
		has_code |= summary->regions[i].code != SUMMARY_INSTRUMENTED;
	if (!has_code)
		return;
	join_regions(summary);
	join_tasks(summary);
}
