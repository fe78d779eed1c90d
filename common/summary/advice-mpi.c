/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice about MPI. From the thread time it takes its calls, the time that other threads idle while
 * the initial one is in a call outside of parallel regions, and the waits in parallel regions that
 * other threads' calls explain. Only a trace shows what ranks wait for.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "advice.h"

/* Returns the function that took most time. */
static const struct summary_region *longest_call(const struct summary *summary)
{
	const struct summary_region *longest = NULL;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];

		if (advice_construct(region) == CONSTRUCT_MPI && region->sub_name &&
		    (!longest || region->time > longest->time))
			longest = region;
	}
	return longest;
}

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static const char *remedy_for_wait(const char *reason)
{
	if (strcmp(reason, "late sender") == 0)
		return "give the ranks equal work before it, or send earlier";
	if (strcmp(reason, "late receiver") == 0)
		return "post the receives earlier, or send without waiting for them";
	return "give the ranks equal work before it";
}

/* Most of MPI's time is spent waiting for other ranks, and the trace shows where. */
static void write_waits(const struct summary_rank_wait *wait, char *text, size_t size)
{
	char lost[SUMMARY_FIGURE_SIZE], whom[64] = "";

	if (wait->late != SUMMARY_NOT_MEASURED)
		snprintf(whom, sizeof(whom), ", mostly for rank %" PRIu64, wait->late);
	snprintf(text, size,
	    ". Ranks wait for each other, longest in %.60s: %s (%s%s): %s; `ompreport messages` shows "
	    "who waits where.",
	    wait->call, summary_format_time(lost, wait->time), wait->reason, whom,
	    remedy_for_wait(wait->reason));
}

static void write_cause(const struct advice_view *view, char *text, size_t size)
{
	const struct summary *summary = view->summary;
	const struct summary_region *call = longest_call(summary);
	uint64_t inside = view->figures->categories[SUMMARY_MPI];
	bool is_most = call && call->time >= inside / 2;
	char most[128] = "";

	if (is_most || (call && !summary->is_part))
		snprintf(most, sizeof(most),
		    is_most ? ", most of it in %.60s" : ", longest in %.60s", call->sub_name);
	if (summary->mpi_waits_known && summary->rank_wait.call && summary->mpi_wait >= inside / 2)
		write_waits(&summary->rank_wait, text, size);
	else if (is_most && (begins_with(call->sub_name, "MPI_Init") ||
				begins_with(call->sub_name, "MPI_Finalize")))
		snprintf(text, size, "%s, which a longer run also calls once.", most);
	else if (summary->mpi_waits_known)
		snprintf(text, size,
		    "%s. Less than half of it is waits for other ranks: let messages travel while "
		    "the ranks compute, or send fewer bytes in fewer messages.",
		    most);
	else
		snprintf(text, size,
		    "%s. What ranks wait for there, `ompreport messages` shows from a trace.",
		    most);
}

double advise_mpi(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	const struct summary_figures *figures = view->figures;
	const uint64_t *categories = figures->categories;
	uint64_t inside = categories[SUMMARY_MPI], idle = categories[SUMMARY_MPI_IDLE], lost;
	char share[SUMMARY_FIGURE_SIZE], part[3][SUMMARY_FIGURE_SIZE], parts[192] = "";
	size_t length;
	double loss;

	if (summary->mpi_calls == 0)
		return 0;
	idle = idle == SUMMARY_NOT_MEASURED ? 0 : idle;
	lost = summary_add(summary_add(inside, idle), summary->mpi_held);
	loss = summary_share(lost, figures->capacity);
	summary_format_time(part[0], inside);
	summary_format_time(part[1], idle);
	summary_format_time(part[2], summary->mpi_held);
	if (idle > 0 && summary->mpi_held > 0)
		snprintf(parts, sizeof(parts),
		    " (%s in its calls, %s in threads that idle and %s in threads that wait "
		    "meanwhile)",
		    part[0], part[1], part[2]);
	else if (idle > 0 || summary->mpi_held > 0)
		snprintf(parts, sizeof(parts),
		    " (%s in its calls, %s in threads that %s meanwhile)", part[0],
		    idle > 0 ? part[1] : part[2], idle > 0 ? "idle" : "wait");
	snprintf(text, SUMMARY_ADVICE_SIZE, "MPI takes %s of the thread time%s",
	    summary_format_share(share, loss), parts);
	length = strlen(text);
	write_cause(view, text + length, SUMMARY_ADVICE_SIZE - length);
	return loss;
}
