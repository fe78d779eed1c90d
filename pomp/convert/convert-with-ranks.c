/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversion by all ranks together: each writes its own events, and their definitions are
 * merged in a tree. In round n, ranks that are 2^n apart merge theirs; after log2(ranks) rounds
 * rank 0 has all, and sends the common part back to everyone.
 */
#include "account.h"
#include "code-paths.h"
#include "code-regions.h"
#include "archive-definitions.h"
#include "message-order.h"
#include "archive-output.h"
#include "rank-folders.h"
#include "rank.h"
#include "set-tree.h"

#include "shared/debug-log.h"
#include "shared/rank-mark.h"

#include <stdlib.h>

/* Called by all ranks: returns whether any of them has failed. */
static bool any_failed(const struct pomp_ranks *ranks, bool failed)
{
	uint64_t sum = failed;

	return ranks->sum(ranks, &sum, 1) != 0 || sum > 0;
}

/*
 * Called by all ranks: writes definitions, after all events are written. Returns this rank's error.
 */
static OTF2_ErrorCode write_definitions(struct convert_rank *rank, struct convert_counts before,
    const struct convert_reference *reference, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion)
{
	OTF2_Archive *archive = rank->archive.archive;
	struct convert_set own, all, common;
	struct convert_rank_local local;
	OTF2_ErrorCode code = (OTF2_ErrorCode)rank->archive.error;

	convert_rank_define(rank, before, &own, &local);
	convert_set_init(&all);
	convert_set_merge(&all, &own, NULL);
	convert_set_gather(ranks, &all);
	convert_set_share(ranks, &all, &common);
	size_t mpi_comms = common.comms.count;
	convert_set_merge(&common, &own, &local.maps);
	bool failed = code != OTF2_SUCCESS || convert_output_failed(rank->archive.output) ||
		      common.failed || all.failed;
	if (any_failed(ranks, failed)) {
		code = code != OTF2_SUCCESS ? code : OTF2_ERROR_ENOMEM;
	} else {
		code = OTF2_Archive_OpenDefFiles(archive);
		if (code == OTF2_SUCCESS)
			code = convert_rank_write_local(archive, &local, mpi_comms);
		if (code == OTF2_SUCCESS)
			code = OTF2_Archive_CloseDefFiles(archive);
		if (code == OTF2_SUCCESS && ranks->rank == 0) {
			convert_write_account(
			    rank->archive.output, &all, reference->ticks_per_second, conversion);
			code = convert_write_set(archive, &all, reference);
		}
	}
	convert_rank_local_free(&local);
	convert_set_free(&own);
	convert_set_free(&all);
	convert_set_free(&common);
	return code;
}

/* Writes this rank's files, when all ranks know how they are numbered. */
static OTF2_ErrorCode write_files(struct convert_rank *rank, struct convert_counts before,
    const struct convert_reference *reference, const struct pomp_ranks *ranks, uint64_t locations,
    struct convert_output *output, struct trace_conversion *conversion)
{
	OTF2_Archive *archive = NULL;
	OTF2_ErrorCode code =
	    convert_output_open(output, &(struct convert_amount){.locations = locations}, &archive);

	if (any_failed(ranks, code != OTF2_SUCCESS))
		return code != OTF2_SUCCESS ? code : OTF2_ERROR_COLLECTIVE_CALLBACK;
	if (ranks->rank == 0)
		convert_write_left_out(output, &rank->input);
	convert_rank_write(rank, archive, output, before, conversion->processors);
	convert_check(&rank->archive, OTF2_Archive_CloseEvtFiles(archive));
	code = write_definitions(rank, before, reference, ranks, conversion);
	return convert_output_close(output, archive, code);
}

/*
 * Called by all ranks: returns when the first rank's logs stopped; 0: none did. *failed: no memory,
 * or no answer.
 */
static uint64_t find_cut(
    const struct convert_rank *rank, const struct pomp_ranks *ranks, bool *failed)
{
	uint64_t cut = convert_rank_stopped(rank), first = 0;

	if (!any_failed(ranks, cut != 0))
		return 0;
	uint64_t *cuts = calloc(ranks->size, sizeof(*cuts));
	*failed = any_failed(ranks, cuts == NULL);
	if (!*failed) {
		cuts[ranks->rank] = cut;
		*failed = ranks->sum(ranks, cuts, (int)ranks->size) != 0;
	}
	for (uint32_t i = 0; !*failed && i < ranks->size; i++)
		if (cuts[i] != 0 && (first == 0 || cuts[i] < first))
			first = cuts[i];
	free(cuts);
	return first;
}

/*
 * Called by all ranks: the events of all ranks end where the first rank's logs stopped. This uses
 * times that keep the order of messages: what a rank received before was also sent before.
 */
static bool cut_together(struct convert_rank *rank, const struct pomp_ranks *ranks)
{
	bool failed = false;
	uint64_t cut = find_cut(rank, ranks, &failed);

	return !any_failed(ranks, failed || (cut != 0 && !convert_rank_cut(rank, cut)));
}

static OTF2_ErrorCode write_with_ranks(struct convert_rank *rank, const struct pomp_ranks *ranks,
    struct convert_output *output, struct trace_conversion *conversion, char **error)
{
	struct convert_reference reference = {0};

	if (ranks->rank == 0)
		reference = convert_reference_of(&rank->input);
	if (ranks->broadcast(ranks, &reference, sizeof(reference), 0) != 0)
		return OTF2_ERROR_COLLECTIVE_CALLBACK;
	if (any_failed(ranks, !convert_rank_set_clock(rank, &reference)))
		return OTF2_ERROR_ENOMEM;
	if (convert_order_messages(
		rank, ranks, &reference, &conversion->early_messages, &conversion->early_kept) != 0)
		return OTF2_ERROR_COLLECTIVE_CALLBACK;
	if (!cut_together(rank, ranks))
		return OTF2_ERROR_ENOMEM;
	struct convert_counts before = convert_rank_counts(rank);
	uint64_t sums[3] = {before.locations, conversion->event_cost, convert_rank_bytes(rank)};
	if (ranks->before(ranks, (uint64_t *)&before, 3) != 0 || ranks->sum(ranks, sums, 3) != 0)
		return OTF2_ERROR_COLLECTIVE_CALLBACK;
	conversion->event_cost = sums[1];
	bool failed =
	    ranks->rank == 0 && convert_output_begin(output, output->folder, sums[2], error) != 0;
	if (any_failed(ranks, failed))
		return OTF2_ERROR_FILE_INTERACTION;
	DEBUG_LOG(convert, "rank %u: its locations begin at %llu of %llu", ranks->number,
	    (unsigned long long)before.locations, (unsigned long long)sums[0]);
	return write_files(rank, before, &reference, ranks, sums[0], output, conversion);
}

/* A rank that has no memory for the names of its files leaves them in place. */
static void remove_logs(const struct convert_input *input)
{
	struct convert_files files = {0};

	if (convert_note_files(&files, input))
		convert_remove_files(&files);
	convert_free_files(&files);
}

/*
 * Called by all ranks: the archive gets its name when all have written their files. Returns whether
 * that failed.
 */
static bool commit(const struct pomp_ranks *ranks, struct convert_output *output, bool failed)
{
	if (any_failed(ranks, failed))
		return true;
	return any_failed(ranks, ranks->rank == 0 && !convert_output_commit(output));
}

/*
 * Called by all ranks: removes the logs. Until all are gone, one can see that the archive belongs
 * to them.
 */
static void remove_all_logs(const char *folder, const char *own, const struct pomp_ranks *ranks,
    const struct convert_input *input)
{
	remove_logs(input);
	convert_leave_rank(folder, own, ranks->rank == 0);
	ranks->barrier(ranks);
	if (ranks->rank == 0)
		pomp_rank_mark_remove(folder);
}

int trace_convert_rank(const char *folder, const char *own, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion, char **error)
{
	struct convert_rank rank;
	struct convert_output output;

	*error = NULL;
	bool failed = convert_rank_open(&rank, ranks->number, own, error) != 0 ||
		      !convert_name_regions(&rank.input, conversion) ||
		      !convert_name_paths(&rank.input, conversion);
	if (any_failed(ranks, failed)) {
		convert_rank_close(&rank);
		return -1;
	}
	OTF2_ErrorCallback before = convert_discard_otf2_messages();
	convert_output_join(&output, folder);
	OTF2_ErrorCode code = write_with_ranks(&rank, ranks, &output, conversion, error);
	OTF2_Error_RegisterCallback(before, NULL);
	failed = commit(ranks, &output, code != OTF2_SUCCESS || convert_output_failed(&output));
	/* A rank that only knows that another rank has failed reports nothing. */
	if (*error == NULL && (convert_output_failed(&output) ||
				  (code != OTF2_SUCCESS && code != OTF2_ERROR_FILE_INTERACTION &&
				      code != OTF2_ERROR_COLLECTIVE_CALLBACK)))
		*error = convert_output_reason(&output, code);
	if (failed)
		convert_output_discard(&output);
	else if (!conversion->keep_logs)
		remove_all_logs(folder, own, ranks, &rank.input);
	convert_output_end(&output);
	convert_rank_close(&rank);
	return failed ? -1 : 0;
}
