/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the ranks' profiles are merged: merge-summaries RANKS REGIONS. Each rank has REGIONS regions,
 * of which all know the first half and only the rank itself the others, a lock and a task that all
 * have, and a lock and a task of its own; and the same of system calls that block threads, and of
 * places and paths of samples. In the end rank 0 must have all of them, each with the sums of the
 * ranks that had it.
 */
#include "common/caller-rows.h"
#include "common/hot-rows.h"
#include "common/memory-rows.h"
#include "merge-summaries.h"
#include "thread-ranks.h"

#include <string.h>

enum { LOCKS = 2, TASKS = 2, BLOCKED = 2 };

static uint32_t region_count;

static char *text(const char *format, unsigned number)
{
	char *made = NULL;

	EXPECT(asprintf(&made, format, number) > 0);
	return made;
}

/* Rows of samples: of all ranks, and the rank's own; one place has no name. */
static void fill_samples(struct summary *summary, uint32_t rank)
{
	const struct summary_hot hot[] = {
	    {.function = "kernel",
		.file = "common.c",
		.line = 3,
		.samples = rank + 1,
		.waits = 1,
		.construct = rank == 2 ? "loop" : NULL},
	    {.line = (int)rank, .file = "own.c", .samples = 1},
	};
	struct hot_rows rows = {0};

	for (size_t i = 0; i < 2; i++)
		EXPECT(hot_rows_add(summary, &rows, &hot[i]));
	for (int is_serial = 0; is_serial < 2; is_serial++)
		for (int is_own = 0; is_own < 2; is_own++) {
			char name[64] = "all";
			struct hot_path path = {0};
			if (is_own)
				snprintf(name, sizeof(name), "own %u", rank);
			hot_path_add(&path, is_serial ? "main" : "worker");
			hot_path_add(&path, name);
			EXPECT(
			    hot_rows_add_path(summary, &rows, &path, is_serial, is_own ? 1 : 2, 0));
		}
	const struct summary_memory memory[] = {
	    {.change = SUMMARY_RELEASED,
		.file = "common.c",
		.line = 3,
		.samples = 2 * rank + 2,
		.by = {"guard.h", 5}},
	    {.change = SUMMARY_ALLOCATED,
		.file = "common.c",
		.line = 3,
		.samples = rank + 1,
		.by = {"guard.h", (int)rank}},
	    {.file = "own.c", .line = (int)rank, .samples = 1},
	};
	struct memory_rows memory_room = {0};
	for (size_t i = 0; i < 3; i++)
		EXPECT(memory_rows_add(summary, &memory_room, &memory[i]));
	const struct summary_caller callers[] = {
	    {.construct = "parallel",
		.file = "common.py",
		.line = 3,
		.inner_file = "inner.py",
		.calls = rank + 1,
		.time = 10},
	    {.file = "own.py", .line = (int)rank, .inner_line = (int)rank, .calls = 1, .time = 1},
	};
	struct caller_rows caller_room = {0};
	for (size_t i = 0; i < 2; i++)
		EXPECT(caller_rows_add(summary, &caller_room, &callers[i]));
	summary->samples = rank + 2;
	summary->lost_samples = 1;
}

static void check_callers(const struct summary *summary, uint32_t ranks)
{
	const struct summary_caller *callers = summary->callers;

	EXPECT(summary->caller_count == 1 + ranks);
	EXPECT(strcmp(callers[0].file, "common.py") == 0 && callers[0].time == 10 * ranks &&
	       callers[0].calls == ranks * (ranks + 1) / 2);
	EXPECT(strcmp(callers[0].inner_file, "inner.py") == 0 && callers[0].function == NULL);
	for (uint32_t i = 0; i < ranks; i++)
		EXPECT(callers[1 + i].line == (int)i && callers[1 + i].calls == 1);
}

static void check_paths(
    const struct summary_path *paths, size_t count, uint32_t ranks, const char *first)
{
	EXPECT(count == 1 + ranks);
	EXPECT(strcmp(paths[0].path, first) == 0 && paths[0].samples == 2 * ranks);
	EXPECT(paths[1].samples == 1 && strstr(paths[1].path, " > own 0") != NULL);
}

static void check_samples(const struct summary *summary, uint32_t ranks)
{
	uint32_t sum = ranks * (ranks + 1) / 2;

	EXPECT(summary->samples == sum + ranks && summary->lost_samples == ranks);
	EXPECT(summary->hot_count == 1 + ranks);
	check_callers(summary, ranks);
	const struct summary_memory *memory = summary->memory;
	EXPECT(summary->memory_count == 2 + ranks && memory[0].samples == 2 * sum &&
	       memory[0].change == SUMMARY_RELEASED);
	EXPECT(strcmp(memory[0].by.file, "guard.h") == 0 && memory[0].by.line == 5);
	/* Several wrappers: none is named. */
	EXPECT(memory[1].samples == sum && (memory[1].by.file == NULL) == (ranks > 1));
	EXPECT(strcmp(summary->hot[0].function, "kernel") == 0 && summary->hot[0].samples == sum &&
	       summary->hot[0].waits == ranks && summary->hot[1].function == NULL);
	check_paths(summary->team_paths, summary->team_path_count, ranks, "worker > all");
	check_paths(summary->serial_paths, summary->serial_path_count, ranks, "main > all");
}

static struct summary fill(uint32_t rank)
{
	struct summary_region *regions = calloc(region_count, sizeof(*regions));
	struct summary_lock *locks = calloc(LOCKS, sizeof(*locks));
	struct summary_task *tasks = calloc(TASKS, sizeof(*tasks));
	struct summary_blocked *blocked = calloc(BLOCKED, sizeof(*blocked));
	static const struct summary_metric metrics[] = {{"instructions", "#"}};

	EXPECT(regions != NULL && locks != NULL && tasks != NULL && blocked != NULL);
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
	blocked[0] = (struct summary_blocked){
	    .call = "read", .file = strdup("common.c"), .line = 3, .time = 1000000 + rank};
	blocked[1] =
	    (struct summary_blocked){.call = "futex", .file = text("of-%u.c", rank), .time = 7};
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
	    .blocked_calls = blocked,
	    .blocked_call_count = BLOCKED,
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
	EXPECT(summary->blocked_call_count == 1 + ranks);
	const struct summary_blocked *blocked = summary->blocked_calls;
	EXPECT(blocked->time == UINT64_C(1000000) * ranks + ranks * (ranks - 1) / 2);
	EXPECT(strcmp(blocked->call, "read") == 0 && strcmp(blocked->file, "common.c") == 0 &&
	       blocked->what == NULL && blocked->line == 3);
	check_samples(summary, ranks);
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
static void free_own(struct summary *summary, uint32_t rank)
{
	char own[64];

	snprintf(own, sizeof(own), "of-%u.c", rank);
	for (uint32_t i = 0; i < region_count; i++) {
		free((char *)summary->regions[i].sub_name);
		free((char *)summary->regions[i].file);
		free((void *)summary->regions[i].metrics);
	}
	for (size_t i = 0; i < summary->lock_count; i++)
		free((char *)summary->locks[i].name);
	for (size_t i = 0; i < TASKS; i++)
		free((char *)summary->tasks[i].file);
	/* In the order of time and name, which rank 0's own rows may have changed. */
	for (size_t i = 0; i < summary->blocked_call_count; i++)
		if (strcmp(summary->blocked_calls[i].file, "common.c") == 0 ||
		    strcmp(summary->blocked_calls[i].file, own) == 0)
			free((char *)summary->blocked_calls[i].file);
	free((void *)summary->blocked_calls);
	free((void *)summary->regions);
	free((void *)summary->locks);
	free((void *)summary->tasks);
	hot_rows_free(summary);
	memory_rows_free(summary);
	caller_rows_free(summary);
}

static void be_rank(const struct pomp_ranks *ranks)
{
	struct summary summary = fill(ranks->rank);

	fill_samples(&summary, ranks->rank);
	struct pomp_rank_summaries others;

	pomp_rank_merge_summaries(ranks, &summary, &others);
	if (ranks->rank == 0)
		check_all(&summary, ranks->size);
	free_own(&summary, ranks->rank);
	pomp_rank_free_summaries(&others);
}

int main(int count, char **arguments)
{
	EXPECT(count == 3);
	region_count = (uint32_t)atoi(arguments[2]);
	thread_ranks_run((uint32_t)atoi(arguments[1]), be_rank);
	return 0;
}
