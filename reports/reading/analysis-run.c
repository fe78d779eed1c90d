/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An analysis from beginning to end: what counts, and the pass over the events of all processes
 * together or one by one.
 */
#include <stdlib.h>

#include "cuts.h"
#include "memory.h"
#include "pass.h"

/* Bytes for finding the critical path; some ten million events need that much. */
#define PATH_MEMORY ((size_t)32 << 20)

static void choose(struct analysis *analysis, const struct analysis_choice *choice)
{
	struct archive *archive = analysis->archive;
	unsigned __int128 ticks = archive->ticks_per_second;
	uint64_t from = choice->from > 0 ? choice->from : archive_complete_from(archive);

	analysis->choice = choice;
	analysis->clip_to = UINT64_MAX;
	archive->counts_from = choice->from > 0 ? 0 : from;
	if (from > 0)
		analysis->clip_from = archive->clock_start + (uint64_t)(from * ticks / 1000000000);
	if (choice->to != SUMMARY_NOT_MEASURED)
		analysis->clip_to =
		    archive->clock_start + (uint64_t)(choice->to * ticks / 1000000000);
	analysis->shortest = (uint64_t)(choice->min_duration * ticks / 1000000000);
	if (analysis->clip_from > analysis->clip_to)
		analysis->clip_from = analysis->clip_to;
}

/* The requested part of the clock's span, within the clipped part. */
static void find_span(const struct analysis *analysis, uint64_t *begin, uint64_t *length)
{
	uint64_t end = analysis->archive->clock_start + analysis->archive->clock_length;

	*begin = analysis->archive->clock_start;
	if (analysis->choice->timeline.end > 0) {
		*begin = analysis->choice->timeline.begin;
		end = analysis->choice->timeline.end;
	}
	if (end > analysis->clip_to)
		end = analysis->clip_to;
	if (*begin < analysis->clip_from)
		*begin = analysis->clip_from < end ? analysis->clip_from : end;
	*length = end - *begin;
}

static struct timeline *new_timeline(const struct analysis *analysis)
{
	uint64_t begin, length;

	find_span(analysis, &begin, &length);
	return timeline_new(
	    analysis->archive->thread_count, &analysis->choice->timeline, begin, length);
}

static struct cuts *new_cuts(const struct analysis *analysis)
{
	uint64_t begin, length;

	find_span(analysis, &begin, &length);
	return cuts_new(analysis, begin, length);
}

static void read_together(struct analysis *analysis)
{
	size_t count = analysis->archive->thread_count;
	uint32_t *threads = memory_new(count, sizeof(threads[0]));

	for (size_t i = 0; i < count; i++)
		threads[i] = (uint32_t)i;
	archive_for_each_event(analysis->archive, analysis_consume, analysis);
	analysis_close(analysis, threads, count);
	free(threads);
}

struct analysis *analysis_run(struct archive *archive, const struct analysis_choice *choice)
{
	struct analysis *analysis = memory_new(1, sizeof(*analysis));

	analysis->archive = archive;
	analysis->first_time = UINT64_MAX;
	choose(analysis, choice);
	analysis->threads = memory_new(archive->thread_count, sizeof(analysis->threads[0]));
	for (size_t i = 0; i < archive->thread_count; i++)
		analysis->threads[i].current = &analysis->threads[i].base;
	if (choice->timeline.bins > 0)
		analysis->timeline = new_timeline(analysis);
	if (choice->cuts > 0 && archive->clock_length > 0)
		analysis->cuts = new_cuts(analysis);
	if (choice->has_path)
		analysis->path = path_new(archive->thread_count, PATH_MEMORY);
	analysis->largest_teams =
	    memory_new(archive->group_count + 1, sizeof(analysis->largest_teams[0]));
	analysis->imbalances =
	    memory_new(archive->group_count + 1, sizeof(analysis->imbalances[0]));
	analysis_find_constructs(analysis);
	analysis_find_metrics(analysis);
	if (analysis->has_mpi) {
		analysis->mpi = mpi_new(archive, analysis->clip_from, analysis->clip_to,
		    analysis->path ? analysis->path->remote : NULL);
		analysis->mpi->arrows_max = choice->timeline.arrows_max;
		analysis->mpi->observer = choice->mpi_observer;
	}
	if (analysis_is_separable(analysis))
		analysis_read_processes(analysis);
	else
		read_together(analysis);
	if (analysis->first_time == UINT64_MAX)
		analysis->first_time = analysis->last_time = archive->clock_start;
	if (analysis->timeline &&
	    (analysis->first_time < archive->clock_start ||
		analysis->last_time - archive->clock_start > archive->clock_length))
		archive_warn(archive,
		    "the clock's definition does not cover all events; the timeline shows a part");
	if (analysis->mpi)
		mpi_finish(analysis->mpi);
	if (analysis->path)
		analysis_find_path(analysis);
	analysis_fold(analysis);
	if (analysis->cuts)
		cuts_finish(analysis);
	if (analysis->timeline)
		timeline_finish(analysis->timeline);
	analysis->choice = NULL;
	if (analysis->unbalanced > 0)
		archive_warn(archive,
		    "%llu events contradict each other (enter without leave, time that goes back); "
		    "the figures around them are estimates",
		    (unsigned long long)analysis->unbalanced);
	return analysis;
}
