/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of steps against the analysis of the same part of the run: cuts-test ARCHIVE... For each
 * archive, all steps together give all figures of the whole run; some of them give the calls and
 * times of regions and what threads do exactly, and what counts late within what the steps around
 * allow.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "cuts.h"
#include "memory.h"

enum { STEPS = 37, ENTRIES = 100000, FEW_ENTRIES = 400, PARTS = 12 };

static int failures;

static void expect(bool holds, const char *path, uint32_t first, uint32_t last, const char *what,
    uint64_t found, uint64_t wanted)
{
	if (holds)
		return;
	failures++;
	printf("FAIL: %s, steps %" PRIu32 " to %" PRIu32 ": %s: %" PRIu64 ", expected %" PRIu64
	       "\n",
	    path, first, last, what, found, wanted);
}

#define EQUAL(what)                                                                                \
	expect(one->what == other->what, path, first, last, #what, one->what, other->what)

/*
 * Where the kernel's figures divide work, a part of the run has those of an interval at its begin
 * or end as a whole or not at all: in scenario_processor they are at most 6 ms.
 */
#define USAGE_OF_INTERVALS UINT64_C(12000000)
#define NEAR(what)                                                                                 \
	expect((one->what > other->what ? one->what - other->what : other->what - one->what) <=    \
		   (exact ? 0 : USAGE_OF_INTERVALS),                                               \
	    path, first, last, #what, one->what, other->what)

static struct archive *open_archive(const char *path)
{
	char *error = NULL;
	struct archive *archive = archive_open(path, &error);

	if (!archive) {
		printf("FAIL: %s: %s\n", path, error);
		exit(1);
	}
	return archive;
}

static void compare_regions(const struct summary *sum, const struct summary *summary,
    const char *path, uint32_t first, uint32_t last, bool exact)
{
	expect(sum->region_count == summary->region_count, path, first, last, "regions",
	    sum->region_count, summary->region_count);
	for (size_t i = 0; i < sum->region_count && i < summary->region_count; i++) {
		const struct summary_region *one = &sum->regions[i], *other = &summary->regions[i];

		EQUAL(begin_line);
		EQUAL(visits);
		EQUAL(time);
		NEAR(self);
		NEAR(body_sum);
		EQUAL(barrier_wait);
		EQUAL(enter_wait);
		/* Tasks may have gone to other threads later. */
		if (summary->task_count > 0)
			continue;
		EQUAL(threads);
		NEAR(body_min);
		NEAR(body_max);
	}
}

/* What only the whole run has exactly. */
static void compare_late(const struct summary *sum, const struct summary *summary, const char *path,
    uint32_t first, uint32_t last)
{
	const struct summary *one = sum, *other = summary;

	EQUAL(management);
	EQUAL(imbalance);
	EQUAL(lock_count);
	EQUAL(task_count);
	for (size_t i = 0; i < sum->region_count && i < summary->region_count; i++)
		expect(sum->regions[i].imbalance == summary->regions[i].imbalance, path, first,
		    last, "a region's imbalance", sum->regions[i].imbalance,
		    summary->regions[i].imbalance);
	for (size_t i = 0; i < sum->lock_count && i < summary->lock_count; i++)
		expect(sum->locks[i].wait == summary->locks[i].wait &&
			   sum->locks[i].hold == summary->locks[i].hold &&
			   sum->locks[i].contended == summary->locks[i].contended,
		    path, first, last, "a lock's wait", sum->locks[i].wait, summary->locks[i].wait);
	for (size_t i = 0; i < sum->task_count && i < summary->task_count; i++)
		expect(sum->tasks[i].created == summary->tasks[i].created &&
			   sum->tasks[i].execute_time == summary->tasks[i].execute_time,
		    path, first, last, "a task's executions", sum->tasks[i].execute_time,
		    summary->tasks[i].execute_time);
}

static void compare_samples(const struct summary *sum, const struct summary *summary,
    const char *path, uint32_t first, uint32_t last)
{
	const struct summary *one = sum, *other = summary;

	EQUAL(samples);
	EQUAL(hot_count);
	for (size_t i = 0; i < sum->hot_count && i < summary->hot_count; i++)
		expect(sum->hot[i].samples == summary->hot[i].samples &&
			   sum->hot[i].waits == summary->hot[i].waits &&
			   sum->hot[i].line == summary->hot[i].line,
		    path, first, last, "a line's samples", sum->hot[i].samples,
		    summary->hot[i].samples);
}

static uint64_t blocked_time(const struct summary *summary, uint64_t *seen)
{
	uint64_t time = 0;

	*seen = 0;
	for (size_t i = 0; i < summary->blocked_call_count; i++) {
		time += summary->blocked_calls[i].time;
		*seen += summary->blocked_calls[i].seen;
	}
	return time;
}

static void compare_blocked(const struct summary *sum, const struct summary *summary,
    const char *path, uint32_t first, uint32_t last, bool exact)
{
	struct {
		uint64_t blocked_time, seen;
	} found[2];
	const typeof(found[0]) *one = &found[0], *other = &found[1];

	found[0].blocked_time = blocked_time(sum, &found[0].seen);
	found[1].blocked_time = blocked_time(summary, &found[1].seen);
	NEAR(blocked_time);
	if (!exact)
		return;
	EQUAL(seen);
	expect(sum->blocked_call_count == summary->blocked_call_count, path, first, last,
	    "blocked calls", sum->blocked_call_count, summary->blocked_call_count);
}

static void compare(const char *path, const struct analysis *whole, uint32_t first, uint32_t last)
{
	const struct cuts *cuts = whole->cuts;
	struct archive *archive = open_archive(path);
	uint64_t begin = cuts->start - archive->clock_start;
	bool is_all = first == 0 && last == cuts->step;
	bool exact = is_all || archive->usage_class == ARCHIVE_NO_INDEX;
	struct analysis_choice shape = {.timeline.bins = 1};
	struct analysis_choice choice = {
	    .from = is_all ? 0 : begin + first * cuts->ticks,
	    .to = last == cuts->step ? SUMMARY_NOT_MEASURED : begin + last * cuts->ticks,
	};
	struct analysis *sums = cuts_sum(whole, first, last, &shape);
	struct analysis *part = analysis_run(archive, &choice);
	struct summary sum, summary;
	const struct summary *one = &sum, *other = &summary;

	analysis_summarize(sums, &sum);
	analysis_summarize(part, &summary);
	EQUAL(wall);
	EQUAL(threads);
	EQUAL(locations);
	NEAR(useful);
	EQUAL(sync);
	EQUAL(parallel);
	if (cuts->samples.steps == 1 || is_all)
		compare_samples(&sum, &summary, path, first, last);
	if (cuts->samples.steps == 1 || is_all)
		compare_blocked(&sum, &summary, path, first, last, exact);
	compare_regions(&sum, &summary, path, first, last, exact);
	if (is_all)
		compare_late(&sum, &summary, path, first, last);
	analysis_free_summary(&sum);
	analysis_free_summary(&summary);
	analysis_free(sums);
	analysis_free(part);
	archive_close(archive);
}

/* What is written and read again gives the same. */
static void compare_copy(const char *path, struct analysis *whole)
{
	struct bytes bytes = {0};
	struct analysis *copy = memory_new(1, sizeof(*copy));

	copy->archive = whole->archive;
	if (!cuts_pass(&bytes, whole))
		expect(false, path, 0, 0, "writing", 0, 1);
	bytes.reads = true;
	expect(cuts_pass(&bytes, copy) && bytes.at == bytes.count, path, 0, 0, "reading", bytes.at,
	    bytes.count);
	compare(path, copy, 1, copy->cuts->step - 1);
	analysis_free(copy);
	for (size_t cut = 0; cut < bytes.count; cut += 1 + bytes.count / 50) {
		struct bytes less = {.data = bytes.data, .count = cut, .reads = true};
		struct analysis *broken = memory_new(1, sizeof(*broken));

		broken->archive = whole->archive;
		expect(
		    !cuts_pass(&less, broken), path, 0, 0, "reading a part of", cut, bytes.count);
		analysis_free(broken);
	}
	free(bytes.data);
}

static void check(const char *path, size_t entries)
{
	struct archive *archive = open_archive(path);
	struct analysis_choice choice = {
	    .to = SUMMARY_NOT_MEASURED,
	    .cuts = STEPS,
	    .cut_entries_max = entries,
	    .cut_samples_max = entries,
	};
	struct analysis *whole = analysis_run(archive, &choice);
	uint32_t steps = whole->cuts->step;
	uint32_t seed = 7;

	expect(!whole->cuts->full || entries < ENTRIES, path, 0, 0, "too many entries",
	    whole->cuts->count, entries);
	if (!whole->cuts->full) {
		expect(whole->cuts->count <= entries, path, 0, 0, "entries", whole->cuts->count,
		    entries);
		compare(path, whole, 0, steps);
		for (int i = 0; i < PARTS; i++) {
			uint32_t first = (seed = seed * 1103515245 + 12345) / 65536 % steps;
			uint32_t last = (seed = seed * 1103515245 + 12345) / 65536 % steps;

			if (first != last)
				compare(path, whole, first < last ? first : last,
				    first < last ? last : first);
		}
		compare_copy(path, whole);
	}
	analysis_free(whole);
	archive_close(archive);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		check(argv[i], ENTRIES);
		check(argv[i], FEW_ENTRIES);
	}
	return failures > 0;
}
