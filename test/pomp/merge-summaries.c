/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the ranks' profiles are merged: merge-summaries RANKS REGIONS. Each rank has REGIONS regions,
 * of which all know the first half and only the rank itself the others, a lock and a task that all
 * have, and a lock and a task of its own. In the end rank 0 must have all of them, each with the
 * sums of the ranks that had it.
 */
#include "merge-summaries.h"
#include "thread-ranks.h"

#include <string.h>

enum { LOCKS = 2, TASKS = 2 };

static uint32_t region_count;

static char *text(const char *format, unsigned number)
{
	char *made = NULL;

	EXPECT(asprintf(&made, format, number) > 0);
	return made;
}

static struct summary fill(uint32_t rank)
{
	struct summary_region *regions = calloc(region_count, sizeof(*regions));
	struct summary_lock *locks = calloc(LOCKS, sizeof(*locks));
	struct summary_task *tasks = calloc(TASKS, sizeof(*tasks));
	static const struct summary_metric metrics[] = {{"instructions", "#"}};

	EXPECT(regions != NULL && locks != NULL && tasks != NULL);
	for (uint32_t i = 0; i < region_count; i++) {
		bool common = i < region_count / 2;
		uint64_t *values = malloc(sizeof(*values));
		EXPECT(values != NULL);
		*values = 1000 + rank;
		regions[i] = (struct summary_region){.name = "critical",
		    .sub_name = text("name %u", i),
		    .file = common ? strdup("common.c") : text("of-%u.c", rank),
		    .begin_line = (int)i + 1,
		    .visits = rank + 1,
		    .body_min = 10 + rank,
		    .body_max = 10 + rank,
		    .body_sum = SUMMARY_NOT_MEASURED,
		    .metrics = values};
	}
	locks[0] = (struct summary_lock){.name = strdup("lock of all"), .acquisitions = rank + 1};
	locks[1] = (struct summary_lock){.name = text("lock of %u", rank), .acquisitions = 7};
	tasks[0] =
	    (struct summary_task){.file = strdup("common.c"), .begin_line = 3, .created = rank + 1};
	tasks[1] =
	    (struct summary_task){.file = text("of-%u.c", rank), .begin_line = 3, .created = 7};
	return (struct summary){.wall = 100 + rank,
	    .threads = 2,
	    .parallel = 50,
	    .roots = 1,
	    .mpi_calls = rank + 1,
	    .mpi_serial = 3,
	    .mpi_team = 5,
	    .mpi_held = 7,
	    .regions = regions,
	    .region_count = region_count,
	    .locks = locks,
	    .lock_count = LOCKS,
	    .tasks = tasks,
	    .task_count = TASKS,
	    .metrics = metrics,
	    .metric_count = 1,
	    .event_cost = SUMMARY_NOT_MEASURED};
}

static void check_region(const struct summary_region *region, uint32_t place, uint32_t ranks)
{
	uint32_t common = region_count / 2, own = region_count - common;
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there are two regions at least */
	uint32_t rank = place < region_count ? 0 : (place - common) / own;
	bool of_all = place < common;
	char file[64];

	snprintf(file, sizeof(file), "of-%u.c", rank);
	EXPECT(strcmp(region->file, of_all ? "common.c" : file) == 0);
	EXPECT(region->begin_line == (int)(of_all ? place : common + (place - common) % own) + 1);
	EXPECT(region->visits == (of_all ? ranks * (ranks + 1) / 2 : rank + 1));
	EXPECT(
	    region->body_min == 10 + rank && region->body_max == 10 + (of_all ? ranks - 1 : rank));
	EXPECT(region->body_sum == SUMMARY_NOT_MEASURED);
	EXPECT(region->metrics[0] ==
	       (of_all ? UINT64_C(1000) * ranks + ranks * (ranks - 1) / 2 : 1000 + rank));
}

static void check_all(const struct summary *summary, uint32_t ranks)
{
	uint32_t common = region_count / 2;

	EXPECT(summary->processes == ranks && summary->threads == 2 * ranks);
	EXPECT(
	    summary->wall == 100 + ranks - 1 && summary->parallel == 50 && summary->note == NULL);
	EXPECT(summary->event_cost == SUMMARY_NOT_MEASURED && summary->metric_count == 1);
	EXPECT(summary->roots == ranks && summary->mpi_calls == ranks * (ranks + 1) / 2);
	EXPECT(summary->mpi_serial == 3 * ranks && summary->mpi_team == 5 * ranks &&
	       summary->mpi_held == 7 * ranks);
	EXPECT(summary->region_count == common + (region_count - common) * ranks);
	for (uint32_t i = 0; i < summary->region_count; i++)
		check_region(&summary->regions[i], i, ranks);
	EXPECT(summary->lock_count == 1 + ranks && summary->task_count == 1 + ranks);
	EXPECT(summary->locks[0].acquisitions == ranks * (ranks + 1) / 2);
	EXPECT(summary->tasks[0].created == ranks * (ranks + 1) / 2);
	for (uint32_t i = 1; i <= ranks; i++) {
		char name[64];
		snprintf(name, sizeof(name), "lock of %u", i - 1);
		EXPECT(strcmp(summary->locks[i].name, name) == 0 &&
		       summary->locks[i].acquisitions == 7);
		snprintf(name, sizeof(name), "of-%u.c", i - 1);
		EXPECT(strcmp(summary->tasks[i].file, name) == 0 && summary->tasks[i].created == 7);
	}
}

/* The texts of the rank's own rows; those of others are in what they sent. */
static void free_own(struct summary *summary)
{
	for (uint32_t i = 0; i < region_count; i++) {
		free((char *)summary->regions[i].sub_name);
		free((char *)summary->regions[i].file);
		free((void *)summary->regions[i].metrics);
	}
	for (size_t i = 0; i < summary->lock_count; i++)
		free((char *)summary->locks[i].name);
	for (size_t i = 0; i < TASKS; i++)
		free((char *)summary->tasks[i].file);
	free((void *)summary->regions);
	free((void *)summary->locks);
	free((void *)summary->tasks);
}

static void be_rank(const struct pomp_ranks *ranks)
{
	struct summary summary = fill(ranks->rank);
	struct pomp_rank_summaries others;

	pomp_rank_merge_summaries(ranks, &summary, &others);
	if (ranks->rank == 0)
		check_all(&summary, ranks->size);
	free_own(&summary);
	pomp_rank_free_summaries(&others);
}

int main(int count, char **arguments)
{
	EXPECT(count == 3);
	region_count = (uint32_t)atoi(arguments[2]);
	thread_ranks_run((uint32_t)atoi(arguments[1]), be_rank);
	return 0;
}
