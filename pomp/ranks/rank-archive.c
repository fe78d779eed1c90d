/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes one archive of the ranks' logs, or leaves them where they can be gathered and prints a line
 * about it.
 */
#include "experiment.h"
#include "message-file.h"
#include "own-rank.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "rank-state.h"
#include "usable-processors.h"
#include "common/summary.h"
#include "shared/trace-convert.h"

#include <stdio.h>
#include <stdlib.h>

/* Called by all ranks: returns whether all of them passed `yes`. */
static bool all(const struct pomp_ranks *ranks, bool yes)
{
	uint64_t sum = yes;

	return ranks->sum(ranks, &sum, 1) == 0 && sum == ranks->size;
}

static void report_lost(const struct pomp_rank *rank)
{
	fprintf(pomp_message_file(),
	    "pomp: rank %u ends without MPI_Finalize; the event logs stay in '%s': `ompreport "
	    "recover` makes the trace\n",
	    rank->ranks->number, rank->folder);
}

/* The other ranks' logs are where this rank cannot see them. */
static void report_scattered(const struct pomp_rank *rank)
{
	fprintf(pomp_message_file(),
	    "pomp: '%s' is not one folder for all ranks; their event logs stay on their machines: "
	    "gather the folders rank-* of all in one and give it to `ompreport recover`\n",
	    rank->folder);
}

/* This rank does not know when the other ranks are done. */
static void report_separate(const struct pomp_rank *rank)
{
	fprintf(pomp_message_file(),
	    "pomp: POMP_MPI_TOGETHER=no: the ranks' event logs stay in '%s': `ompreport recover` "
	    "makes one trace of those that are there\n",
	    rank->folder);
}

/* Called by all ranks: the first one that knows the reason reports it for all. */
static void report_failed(const struct pomp_rank *rank, const char *reason)
{
	uint64_t earlier = reason != NULL, sum = earlier;

	const struct pomp_ranks *ranks = rank->traced;
	bool reached = ranks->before(ranks, &earlier, 1) == 0 && ranks->sum(ranks, &sum, 1) == 0;
	if (reason == NULL ? sum > 0 || ranks->rank > 0 : reached && earlier > 0)
		return;
	fprintf(pomp_message_file(),
	    "pomp: rank %u: %s; the event logs stay: `ompreport recover %s` can try again\n",
	    ranks->number, reason != NULL ? reason : "the ranks' event logs could not be converted",
	    rank->folder);
}

/* Called by all tracing ranks: returns whether none of them postpones the conversion. */
static bool all_convert(const struct pomp_rank *rank)
{
	const struct pomp_ranks *ranks = rank->traced;
	uint64_t now = pomp_process.settings.convert == POMP_CONVERT_EXIT;

	if (ranks->sum(ranks, &now, 1) != 0)
		return false;
	if (now % ranks->size != 0 && ranks->rank == 0)
		fprintf(pomp_message_file(),
		    "pomp: POMP_CONVERT differs between the ranks; the event logs stay in '%s': "
		    "`ompreport recover` makes the trace\n",
		    rank->folder);
	return now == ranks->size;
}

void pomp_rank_convert(struct summary *summary)
{
	const struct pomp_rank *rank = &pomp_rank;
	const struct pomp_ranks *ranks = rank->traced;
	struct trace_conversion conversion = {
	    .has_event_cost = summary->event_cost != SUMMARY_NOT_MEASURED,
	    .event_cost = summary->event_cost,
	    .processors = pomp_processors(),
	};
	char *error = NULL;

	if (rank->lost) {
		if (rank->folder != NULL)
			report_lost(rank);
		return;
	}
	if (!pomp_process.settings.together) {
		if (!pomp_experiment.joined)
			report_separate(rank);
		return;
	}
	if (!all(ranks, rank->gathered)) {
		if (ranks->rank == 0)
			report_scattered(rank);
		return;
	}
	if (!all_convert(rank))
		return;
	if (trace_convert_rank(rank->folder, load_relaxed(&pomp_experiment.path), ranks,
		&conversion, &error) != 0) {
		report_failed(rank, error);
		free(error);
		return;
	}
	if (pomp_process.settings.verbose && ranks->rank == 0)
		fprintf(pomp_message_file(),
		    "pomp: wrote '%s/traces.otf2': %llu events of %llu threads in %u ranks\n",
		    rank->folder, (unsigned long long)conversion.events,
		    (unsigned long long)conversion.locations, ranks->size);
	if (conversion.early_kept > 0 && ranks->rank == 0)
		fprintf(pomp_message_file(),
		    "pomp: %llu messages between machines may seem to arrive before they were sent: the "
		    "machines' clocks change their pace too fast; POMP_CLOCK_SYNC compares them more often\n",
		    (unsigned long long)conversion.early_kept);
	if (ranks->rank == 0)
		summary->trace_path = rank->folder;
}
