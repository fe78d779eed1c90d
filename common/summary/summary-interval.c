/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rows of the earlier summary in the later one, and changes their sums. */
#include "common/summary-interval.h"

#include "common/summary-figures.h"

#include <stdbool.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef void change(uint64_t *later, uint64_t earlier);

/*
 * Sums of a row or of all. Its number makes out which row it is, because several may look the same,
 * and the earlier summary need not have the first of them. Where rows that look the same are one
 * row, its number may be another one's: then the texts do.
 */
struct row_kind {
	size_t size;
	size_t number; /* a uint64_t */
	const size_t *sums;
	size_t sum_count;
	const size_t *texts;
	size_t text_count;
	size_t line; /* an int; SIZE_MAX: there is none */
};

#define SUMMARY(member) offsetof(struct summary, member)
#define REGION(member)  offsetof(struct summary_region, member)
#define LOCK(member)    offsetof(struct summary_lock, member)
#define TASK(member)    offsetof(struct summary_task, member)

static const size_t totals[] = {SUMMARY(wall), SUMMARY(parallel), SUMMARY(useful), SUMMARY(sync),
    SUMMARY(management), SUMMARY(imbalance), SUMMARY(mpi_calls), SUMMARY(mpi_serial),
    SUMMARY(mpi_team), SUMMARY(mpi_held), SUMMARY(delayed), SUMMARY(blocked),
    SUMMARY(serial_delayed), SUMMARY(serial_blocked), SUMMARY(wait_delayed), SUMMARY(late_delayed),
    SUMMARY(processor_time), SUMMARY(system), SUMMARY(faults), SUMMARY(events),
    SUMMARY(lost_events), SUMMARY(untraced_events), SUMMARY(event_cost)};
static const size_t region_sums[] = {REGION(visits), REGION(time), REGION(self), REGION(body_sum),
    REGION(barrier_wait), REGION(enter_wait), REGION(imbalance), REGION(delayed), REGION(blocked),
    REGION(system), REGION(faults), REGION(wait_delayed)};
static const size_t region_texts[] = {REGION(name), REGION(sub_name), REGION(file)};
static const size_t lock_sums[] = {LOCK(acquisitions), LOCK(contended), LOCK(wait), LOCK(hold)};
static const size_t lock_texts[] = {LOCK(name)};
static const size_t task_sums[] = {
    TASK(created), TASK(executed), TASK(undeferred), TASK(create_time), TASK(execute_time)};
static const size_t task_texts[] = {TASK(file)};

#define KIND(row)                                                                                  \
	sizeof(struct summary_##row), offsetof(struct summary_##row, number), row##_sums,          \
	    COUNT_OF(row##_sums), row##_texts, COUNT_OF(row##_texts)
static const struct row_kind regions = {KIND(region), REGION(begin_line)};
static const struct row_kind locks = {KIND(lock), SIZE_MAX};
static const struct row_kind tasks = {KIND(task), TASK(begin_line)};

static void raise_sum(uint64_t *later, uint64_t earlier)
{
	if (earlier != SUMMARY_NOT_MEASURED && *later < earlier)
		*later = earlier;
}

static void subtract_sum(uint64_t *later, uint64_t earlier)
{
	if (*later != SUMMARY_NOT_MEASURED && earlier != SUMMARY_NOT_MEASURED)
		*later = *later > earlier ? *later - earlier : 0;
}

static void change_sums(
    void *later, const void *earlier, const size_t *sums, size_t count, change *apply)
{
	for (size_t i = 0; i < count; i++)
		apply((uint64_t *)((char *)later + sums[i]),
		    *(const uint64_t *)((const char *)earlier + sums[i]));
}

static bool is_same(const struct row_kind *kind, const char *one, const char *other)
{
	if (kind->line != SIZE_MAX &&
	    *(const int *)(one + kind->line) != *(const int *)(other + kind->line))
		return false;
	for (size_t i = 0; i < kind->text_count; i++) {
		const char *text = *(const char *const *)(one + kind->texts[i]);
		const char *same = *(const char *const *)(other + kind->texts[i]);
		if (strcmp(text != NULL ? text : "", same != NULL ? same : "") != 0)
			return false;
	}
	return true;
}

static uint64_t number_of(const struct row_kind *kind, const char *row)
{
	return *(const uint64_t *)(row + kind->number);
}

/* Rows have the same order in both; `hint` is where the next one is unless there are new ones. */
static size_t find(
    const struct row_kind *kind, const char *rows, size_t count, const char *wanted, size_t hint)
{
	uint64_t number = number_of(kind, wanted);
	size_t same = count;

	for (size_t i = 0; i < count; i++) {
		size_t at = (hint + i) % count;
		if (number != 0 && number_of(kind, rows + at * kind->size) == number)
			return at;
		if (same == count && is_same(kind, rows + at * kind->size, wanted))
			same = at;
	}
	return same;
}

/* Changes a region's metrics; all other rows have none. */
static void change_metrics(
    struct summary_region *later, const struct summary_region *earlier, size_t count, change *apply)
{
	for (size_t i = 0; later->metrics != NULL && earlier->metrics != NULL && i < count; i++)
		apply((uint64_t *)&later->metrics[i], earlier->metrics[i]);
}

static void change_rows(const struct row_kind *kind, void *later, size_t later_count,
    const void *earlier, size_t earlier_count, size_t metrics, change *apply)
{
	size_t hint = 0;

	for (size_t i = 0; i < earlier_count; i++) {
		const char *row = (const char *)earlier + i * kind->size;
		size_t at = find(kind, later, later_count, row, hint);
		if (at == later_count)
			continue;
		hint = at + 1;
		change_sums(
		    (char *)later + at * kind->size, row, kind->sums, kind->sum_count, apply);
		if (kind == &regions)
			change_metrics(
			    (struct summary_region *)later + at, (const void *)row, metrics, apply);
	}
}

static void change_all(struct summary *later, const struct summary *earlier, change *apply)
{
	size_t metrics = later->metric_count == earlier->metric_count ? later->metric_count : 0;

	change_sums(later, earlier, totals, COUNT_OF(totals), apply);
	change_rows(&regions, (void *)later->regions, later->region_count, earlier->regions,
	    earlier->region_count, metrics, apply);
	change_rows(&locks, (void *)later->locks, later->lock_count, earlier->locks,
	    earlier->lock_count, 0, apply);
	change_rows(&tasks, (void *)later->tasks, later->task_count, earlier->tasks,
	    earlier->task_count, 0, apply);
}

void summary_raise(struct summary *later, const struct summary *earlier)
{
	change_all(later, earlier, raise_sum);
}

static bool is_empty(const struct row_kind *kind, const char *row)
{
	for (size_t i = 0; i < kind->sum_count; i++) {
		uint64_t sum = *(const uint64_t *)(row + kind->sums[i]);
		if (sum != 0 && sum != SUMMARY_NOT_MEASURED)
			return false;
	}
	return true;
}

/* Removes rows in which nothing happened; returns how many are left. */
static size_t remove_empty(const struct row_kind *kind, void *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		char *row = (char *)rows + i * kind->size;
		if (!is_empty(kind, row))
			memmove((char *)rows + kept++ * kind->size, row, kind->size);
	}
	return kept;
}

static void remove_unknown(struct summary *summary)
{
	struct summary_region *region = (struct summary_region *)summary->regions;
	struct summary_task *task = (struct summary_task *)summary->tasks;

	for (size_t i = 0; i < summary->region_count; i++)
		region[i].body_min = region[i].body_max = SUMMARY_NOT_MEASURED;
	for (size_t i = 0; i < summary->task_count; i++)
		task[i].execute_max = SUMMARY_NOT_MEASURED;
}

void summary_subtract(struct summary *later, const struct summary *earlier)
{
	change_all(later, earlier, subtract_sum);
	later->region_count = remove_empty(&regions, (void *)later->regions, later->region_count);
	later->task_count = remove_empty(&tasks, (void *)later->tasks, later->task_count);
	remove_unknown(later);
	later->fault_cost = SUMMARY_NOT_MEASURED;
	later->is_interval = 1;
}
