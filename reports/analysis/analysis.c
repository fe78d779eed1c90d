/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of an analysis: the sums over all threads, and its memory. */
#include <stdlib.h>

#include "cuts.h"
#include "path-regions.h"
#include "pass.h"

/* The threads of one process are neighbours. */
static void count_chosen(struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	const bool *chosen = analysis->choice->threads;

	for (size_t i = 0; chosen && i < archive->thread_count; i++) {
		analysis->chosen_threads += chosen[i] && analysis->threads[i].seen;
		if (i > 0 && archive->locations[i].group == archive->locations[i - 1].group)
			analysis->splits_teams |= chosen[i] != chosen[i - 1];
	}
}

void analysis_fold(struct analysis *analysis)
{
	count_chosen(analysis);
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];

		if (!analysis_counts_thread(analysis, (uint32_t)i))
			continue;
		for (size_t j = 0; j < thread->visited_count; j++) {
			struct construct *construct =
			    &analysis->constructs[thread->visited[j].construct];
			uint64_t time = thread->visited[j].work;

			construct->time += thread->visited[j].time;
			/* A thread may only create tasks. */
			for (unsigned k = 0; k < TRACE_USAGE_VALUES; k++)
				construct->usage[k] += thread->visited[j].usage[k];
			construct->wait_delayed += thread->visited[j].wait_delayed;
			if (thread->visited[j].visits == 0)
				continue;
			if (construct->threads == 0 || time < construct->body_min)
				construct->body_min = time;
			if (time > construct->body_max)
				construct->body_max = time;
			construct->body_sum += time;
			construct->threads++;
			construct->visits += thread->visited[j].visits;
			construct->self += thread->visited[j].self;
			construct->barrier_wait += thread->visited[j].barrier_wait;
			construct->enter_wait += thread->visited[j].enter_wait;
		}
	}
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct thread *thread = &analysis->threads[i];

		free(thread->visited);
		map_free(&thread->visited_of);
	}
	for (size_t i = 0; i < analysis->construct_count; i++) {
		free(analysis->constructs[i].name);
		free(analysis->constructs[i].sub_name);
	}
	for (size_t i = 0; i < analysis->lock_count; i++)
		free(analysis->locks[i].name);
	analysis_free_metrics(analysis);
	free(analysis->blocked);
	pair_map_free(&analysis->blocked_of);
	free(analysis->samples);
	pair_map_free(&analysis->samples_of);
	pair_map_free(&analysis->lock_of);
	pair_map_free(&analysis->behind_of);
	free(analysis->behind);
	cuts_free(analysis->cuts, analysis->archive->thread_count);
	timeline_free(analysis->timeline);
	path_free(analysis->path);
	path_regions_free(analysis->path_regions);
	free(analysis->path_readers);
	mpi_free(analysis->mpi);
	free(analysis->threads);
	free(analysis->constructs);
	free(analysis->largest_teams);
	free(analysis->imbalances);
	free(analysis->parts);
	free(analysis->locks);
	free(analysis);
}
