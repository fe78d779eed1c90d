/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is computed from a summary: categories, efficiencies and the order of the regions. Nothing
 * here prints. Sums from the filler are kept in 64 bits; products that could overflow (threads x
 * wall) are computed in double.
 */
#include <stdlib.h>
#include <string.h>

#include "common/summary-figures.h"

const struct summary_category_name summary_category_names[SUMMARY_CATEGORIES] = {
    [SUMMARY_USEFUL] = {"useful", "useful work"},
    [SUMMARY_SYNC] = {"sync", "waits (synchronisation)"},
    [SUMMARY_MANAGEMENT] = {"management", "starting and ending teams"},
    [SUMMARY_SERIAL] = {"serial", "serial part, first thread"},
    [SUMMARY_IDLE] = {"idle", "serial part, others idle"},
    [SUMMARY_MPI] = {"mpi", "MPI"},
    [SUMMARY_MPI_IDLE] = {"mpi_idle", "MPI, others idle"},
    [SUMMARY_DELAYED] = {"delayed", "waiting for a processor"},
    [SUMMARY_BLOCKED] = {"blocked", "blocked in system calls"},
    [SUMMARY_OTHER] = {"other", "not in a team, unknown"},
};

/* Less than half of the last digit of a share: prints as "0.0%". */
#define SUMMARY_LEAST_OTHER 0.0005

double summary_share(uint64_t part, uint64_t whole)
{
	if (part == SUMMARY_NOT_MEASURED || whole == SUMMARY_NOT_MEASURED || whole == 0)
		return -1;
	return (double)part / (double)whole;
}

uint64_t summary_mean(uint64_t sum, uint64_t count)
{
	return sum == SUMMARY_NOT_MEASURED || count == SUMMARY_NOT_MEASURED || count == 0
		   ? SUMMARY_NOT_MEASURED
		   : sum / count;
}

uint64_t summary_add(uint64_t one, uint64_t other)
{
	if (one == SUMMARY_NOT_MEASURED)
		return other;
	if (other == SUMMARY_NOT_MEASURED)
		return one;
	return one < SUMMARY_NOT_MEASURED - 1 - other ? one + other : SUMMARY_NOT_MEASURED - 1;
}

/* Saturates: only a broken clock reaches a capacity of 584 thread years. */
static uint64_t multiply(uint64_t one, uint64_t other)
{
	uint64_t product;

	if (__builtin_mul_overflow(one, other, &product) || product == SUMMARY_NOT_MEASURED)
		return SUMMARY_NOT_MEASURED - 1;
	return product;
}

int summary_has_category(const struct summary_figures *figures, enum summary_category category)
{
	uint64_t time = figures->categories[category];

	/* Rounding may leave a nanosecond that no thread spent, and every thread is delayed a
	 * little. */
	if ((category == SUMMARY_OTHER || category == SUMMARY_DELAYED ||
		category == SUMMARY_BLOCKED) &&
	    summary_share(time, figures->capacity) < SUMMARY_LEAST_OTHER)
		return 0;
	return time != SUMMARY_NOT_MEASURED;
}

int summary_has_categories(const struct summary_figures *figures)
{
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		if (i != SUMMARY_OTHER && figures->categories[i] != SUMMARY_NOT_MEASURED)
			return figures->capacity > 0;
	return 0;
}

/* Returns the part of the initial threads' time outside of regions in which they ran. */
static uint64_t without_absence(const struct summary *summary, uint64_t time)
{
	uint64_t absence = summary_add(summary->serial_delayed, summary->serial_blocked);

	if (absence == SUMMARY_NOT_MEASURED)
		return time;
	return absence < time ? time - absence : 0;
}

/*
 * Computes what is outside of the initial threads' parallel regions: their own time, and that of
 * the other threads meanwhile; the part in MPI is separate for both.
 */
static void compute_serial(const struct summary *summary, struct summary_figures *figures,
    uint64_t threads, uint64_t processes)
{
	uint64_t *categories = figures->categories;
	uint64_t outside =
	    summary->wall - (summary->parallel < summary->wall ? summary->parallel : summary->wall);
	uint64_t alone = multiply(outside, processes),
		 idle = multiply(outside, threads - processes);
	uint64_t in_mpi = 0, idle_in_mpi = 0;

	if (summary->mpi_calls > 0) {
		in_mpi = summary->mpi_serial < alone ? summary->mpi_serial : alone;
		idle_in_mpi = alone ? (uint64_t)((unsigned __int128)idle * in_mpi / alone) : 0;
		categories[SUMMARY_MPI] = summary_add(in_mpi, summary->mpi_team);
		categories[SUMMARY_MPI_IDLE] = idle_in_mpi;
	}
	uint64_t ran = without_absence(summary, alone - in_mpi);

	categories[SUMMARY_SERIAL] = ran;
	categories[SUMMARY_IDLE] = idle - idle_in_mpi;
	figures->serial_share = summary_share(alone - in_mpi, multiply(summary->wall, processes));
}

/*
 * The serial part follows from wall and the initial thread's parallel time; what remains of the
 * capacity after all known categories is "other". With several processes, each has an initial
 * thread.
 *
 * If the known categories exceed the capacity (several concurrent teams have more threads than the
 * largest of them, or the mean process is unlike those with large teams), the capacity grows to
 * their sum. Rounded times may also make it grow by nanoseconds, which does not indicate more
 * threads: those of a mean process count once per thread, and those of every process separately.
 */
static void compute_categories(const struct summary *summary, struct summary_figures *figures)
{
	uint64_t *categories = figures->categories;
	uint64_t threads = summary->threads ? summary->threads : 1;
	uint64_t processes = summary->processes ? summary->processes : 1;
	uint64_t known = 0;

	if (processes > threads)
		processes = threads;
	categories[SUMMARY_USEFUL] = summary->useful;
	categories[SUMMARY_SYNC] = summary->sync;
	categories[SUMMARY_MANAGEMENT] = summary->management;
	categories[SUMMARY_SERIAL] = SUMMARY_NOT_MEASURED;
	categories[SUMMARY_IDLE] = SUMMARY_NOT_MEASURED;
	categories[SUMMARY_MPI] = summary->mpi_calls > 0
				      ? summary_add(summary->mpi_serial, summary->mpi_team)
				      : SUMMARY_NOT_MEASURED;
	categories[SUMMARY_MPI_IDLE] = SUMMARY_NOT_MEASURED;
	categories[SUMMARY_DELAYED] = summary_add(summary->delayed, summary->serial_delayed);
	categories[SUMMARY_BLOCKED] = summary_add(summary->blocked, summary->serial_blocked);
	categories[SUMMARY_OTHER] = 0;
	figures->serial_share = -1;
	if (summary->parallel != SUMMARY_NOT_MEASURED)
		compute_serial(summary, figures, threads, processes);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		known = summary_add(known, categories[i]);
	figures->capacity = multiply(summary->wall, threads);
	uint64_t rounding = summary_add(threads, SUMMARY_CATEGORIES * processes);
	figures->more_than_threads = known > summary_add(figures->capacity, rounding);
	if (known > figures->capacity)
		figures->capacity = known;
	categories[SUMMARY_OTHER] = figures->capacity - known;
}

static double clamp(double share)
{
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

/*
 * The definitions of summary.md. W is replaced by capacity / T, because concurrent teams may have
 * more useful time than T x P, and the figures must stay within 0..1.
 */
static void compute_efficiencies(const struct summary *summary, struct summary_figures *figures)
{
	const uint64_t *categories = figures->categories;
	double capacity = (double)figures->capacity;
	double threads = summary->threads ? (double)summary->threads : 1;

	figures->total = figures->serial = figures->mpi = figures->running = figures->openmp =
	    figures->balance = figures->waiting = -1;
	if (capacity <= 0)
		return;
	if (categories[SUMMARY_IDLE] != SUMMARY_NOT_MEASURED)
		figures->serial = clamp(1 - (double)categories[SUMMARY_IDLE] / capacity);
	if (categories[SUMMARY_MPI_IDLE] != SUMMARY_NOT_MEASURED)
		figures->mpi = clamp(
		    1 - ((double)categories[SUMMARY_MPI] + (double)categories[SUMMARY_MPI_IDLE]) /
			    capacity);
	uint64_t away = summary_add(categories[SUMMARY_DELAYED], categories[SUMMARY_BLOCKED]);
	if (away != SUMMARY_NOT_MEASURED)
		figures->running = clamp(1 - (double)away / capacity);
	if (categories[SUMMARY_USEFUL] == SUMMARY_NOT_MEASURED || figures->serial < 0)
		return;
	figures->total = clamp(
	    ((double)categories[SUMMARY_SERIAL] + (double)categories[SUMMARY_USEFUL]) / capacity);
	figures->openmp =
	    clamp(1 + figures->total - figures->serial + (figures->mpi < 0 ? 0 : 1 - figures->mpi) +
		  (figures->running < 0 ? 0 : 1 - figures->running));
	if (summary->imbalance == SUMMARY_NOT_MEASURED)
		return;
	figures->balance = clamp(1 - (double)summary->imbalance * threads / capacity);
	figures->waiting = clamp(1 + figures->openmp - figures->balance);
}

void summary_compute(const struct summary *summary, struct summary_figures *figures)
{
	compute_categories(summary, figures);
	compute_efficiencies(summary, figures);
	figures->chosen = summary->chosen_threads > 0
			      ? multiply(summary->wall, summary->chosen_threads)
			      : figures->capacity;
}

uint64_t summary_gain(const struct summary_region *region)
{
	uint64_t end = region->barrier_wait;

	return summary_add(
	    end == SUMMARY_NOT_MEASURED ? region->imbalance : end, region->enter_wait);
}

/* "Not measured" sorts last. */
static int compare_down(uint64_t one, uint64_t other)
{
	uint64_t first = one == SUMMARY_NOT_MEASURED ? 0 : one;
	uint64_t second = other == SUMMARY_NOT_MEASURED ? 0 : other;

	return (first < second) - (first > second);
}

static int compare_regions(const void *left, const void *right, void *context)
{
	const struct summary *summary = context;
	const struct summary_region *one = &summary->regions[*(const size_t *)left];
	const struct summary_region *other = &summary->regions[*(const size_t *)right];
	int result = compare_down(summary_gain(one), summary_gain(other));

	if (result == 0)
		result = compare_down(one->self, other->self);
	if (result == 0)
		result = strcmp(one->file ? one->file : "", other->file ? other->file : "");
	if (result == 0)
		result =
		    (one->begin_line > other->begin_line) - (one->begin_line < other->begin_line);
	/*
	 * For equal lines, the original order, so that the result never depends on the sort
	 * algorithm.
	 */
	return result ? result : *(const size_t *)left < *(const size_t *)right ? -1 : 1;
}

void summary_order_regions(const struct summary *summary, size_t *order)
{
	for (size_t i = 0; i < summary->region_count; i++)
		order[i] = i;
	/* The context is only read, but qsort_r() takes it without const. */
	qsort_r(order, summary->region_count, sizeof(order[0]), compare_regions, (void *)summary);
}

static int compare_locks(const void *left, const void *right, void *context)
{
	const struct summary_lock *locks = context;
	size_t one = *(const size_t *)left, other = *(const size_t *)right;
	int result = compare_down(locks[one].wait, locks[other].wait);

	if (result == 0)
		result = compare_down(locks[one].acquisitions, locks[other].acquisitions);
	return result ? result : one < other ? -1 : 1;
}

void summary_order_locks(const struct summary *summary, size_t *order)
{
	for (size_t i = 0; i < summary->lock_count; i++)
		order[i] = i;
	qsort_r(
	    order, summary->lock_count, sizeof(order[0]), compare_locks, (void *)summary->locks);
}

static int compare_tasks(const void *left, const void *right, void *context)
{
	const struct summary_task *tasks = context;
	size_t one = *(const size_t *)left, other = *(const size_t *)right;
	int result = compare_down(summary_add(tasks[one].create_time, tasks[one].execute_time),
	    summary_add(tasks[other].create_time, tasks[other].execute_time));

	return result ? result : one < other ? -1 : 1;
}

void summary_order_tasks(const struct summary *summary, size_t *order)
{
	for (size_t i = 0; i < summary->task_count; i++)
		order[i] = i;
	qsort_r(
	    order, summary->task_count, sizeof(order[0]), compare_tasks, (void *)summary->tasks);
}
