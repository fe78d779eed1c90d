/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversion by one process: of its own folder, or of one that ranks share, rank after rank, of
 * which only one is in memory at a time. A rank's numbers begin behind those of the ranks before
 * it; what ranks define alike is defined once, and each one's local definitions map its own numbers
 * to those.
 *
 * Events come first, for only they tell which definitions there are. The logs go only when the
 * archive is complete.
 */
#include "account.h"
#include "rank-folders.h"
#include "rank.h"

#include "shared/rank-mark.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conversion {
	const char *folder;
	uint32_t *ranks; /* NULL: the folder is a process's own */
	size_t rank_count;
	struct trace_conversion *result;
	OTF2_Archive *archive; /* NULL until there is something to write */
	struct convert_reference reference;
	struct convert_counts before; /* of the processes so far */
	struct convert_set set;
	struct convert_rank_local *locals;
	size_t local_count;
	struct convert_files files;
	OTF2_ErrorCode code; /* the first that is none of success */
	char *reason;        /* why the first that could not be read could not; heap */
};

static void check(struct conversion *conversion, OTF2_ErrorCode code)
{
	if (conversion->code == OTF2_SUCCESS)
		conversion->code = code;
}

/* With the first process that can be read: a folder without any gets no archive. */
static void begin_archive(struct conversion *conversion, const struct convert_input *input)
{
	uint64_t locations =
	    conversion->ranks == NULL
		? input->log_count
		: convert_count_logs(conversion->folder, conversion->ranks, conversion->rank_count);

	conversion->reference = convert_reference_of(input);
	check(conversion,
	    convert_open_archive(&conversion->archive, conversion->folder, NULL, locations));
	if (conversion->code == OTF2_SUCCESS)
		check(conversion, convert_tell_dropped(conversion->archive, input));
}

static void add_process(struct conversion *conversion, struct convert_rank *rank)
{
	struct convert_set own;
	struct convert_rank_local *local = &conversion->locals[conversion->local_count];

	if (conversion->archive == NULL)
		begin_archive(conversion, &rank->input);
	if (conversion->code != OTF2_SUCCESS)
		return;
	conversion->local_count++;
	if (!convert_rank_set_clock(rank, &conversion->reference))
		convert_check(&rank->archive, OTF2_ERROR_ENOMEM);
	convert_rank_write(rank, conversion->archive, conversion->before,
	    conversion->result->processors);
	convert_rank_define(rank, conversion->before, &own, local);
	convert_set_merge(&conversion->set, &own, &local->maps);
	convert_set_free(&own);
	struct convert_counts counts = convert_rank_counts(rank);
	conversion->before.locations += counts.locations;
	conversion->before.teams += counts.teams;
	conversion->before.locks += counts.locks;
	check(conversion, (OTF2_ErrorCode)rank->archive.error);
	if (conversion->set.failed || !convert_note_files(&conversion->files, &rank->input))
		check(conversion, OTF2_ERROR_ENOMEM);
}

/* Who left no event, or whose logs cannot be read, is left out. */
static void read_process(struct conversion *conversion, uint32_t number, const char *own)
{
	struct convert_rank rank;
	char *error = NULL;

	if (convert_rank_open(&rank, number, own, &error) == 0) {
		add_process(conversion, &rank);
	} else if (conversion->reason == NULL) {
		conversion->reason = error;
		error = NULL;
	}
	convert_rank_close(&rank);
	free(error);
}

static void read_all(struct conversion *conversion)
{
	if (conversion->ranks == NULL)
		read_process(conversion, SET_NO_RANK, conversion->folder);
	for (size_t i = 0; i < conversion->rank_count && conversion->code == OTF2_SUCCESS; i++) {
		char *own = convert_rank_folder(conversion->folder, conversion->ranks[i]);
		if (own != NULL)
			read_process(conversion, conversion->ranks[i], own);
		else
			check(conversion, OTF2_ERROR_ENOMEM);
		free(own);
	}
}

static void finish_archive(struct conversion *conversion)
{
	OTF2_Archive *archive = conversion->archive;

	check(conversion, OTF2_Archive_CloseEvtFiles(archive));
	check(conversion, OTF2_Archive_OpenDefFiles(archive));
	for (size_t i = 0; i < conversion->local_count && conversion->code == OTF2_SUCCESS; i++)
		check(conversion, convert_rank_write_local(archive, &conversion->locals[i],
				      conversion->set.comms.count));
	check(conversion, OTF2_Archive_CloseDefFiles(archive));
	if (conversion->code == OTF2_SUCCESS)
		check(conversion,
		    convert_tell_account(archive, &conversion->set, conversion->result));
	if (conversion->code == OTF2_SUCCESS)
		check(conversion,
		    convert_write_set(archive, &conversion->set, &conversion->reference));
}

static void remove_logs(struct conversion *conversion)
{
	convert_remove_files(&conversion->files);
	for (size_t i = 0; i < conversion->rank_count; i++) {
		char *own = convert_rank_folder(conversion->folder, conversion->ranks[i]);
		if (own != NULL)
			convert_leave_rank(conversion->folder, own, i == 0);
		free(own);
	}
	if (conversion->ranks != NULL)
		pomp_rank_mark_remove(conversion->folder);
}

static int convert_folder(struct conversion *conversion, char **error)
{
	OTF2_ErrorCallback before = convert_silence();
	int result = 0;

	conversion->locals = calloc(conversion->rank_count + 1, sizeof(*conversion->locals));
	if (conversion->locals == NULL)
		check(conversion, OTF2_ERROR_ENOMEM);
	else
		read_all(conversion);
	if (conversion->archive != NULL) {
		if (conversion->code == OTF2_SUCCESS)
			finish_archive(conversion);
		check(conversion, OTF2_Archive_Close(conversion->archive));
	}
	OTF2_Error_RegisterCallback(before, NULL);
	if (conversion->code != OTF2_SUCCESS) {
		result = convert_fail(
		    error, conversion->folder, convert_reason(conversion->folder, conversion->code));
	} else if (conversion->local_count == 0) {
		*error = conversion->reason;
		conversion->reason = NULL;
		result = -1;
	}
	if (result != 0 && conversion->archive != NULL)
		convert_remove_archive(conversion->folder, conversion->before.locations);
	else if (result == 0 && !conversion->result->keep_logs)
		remove_logs(conversion);
	return result;
}

static void release(struct conversion *conversion)
{
	for (size_t i = 0; i < conversion->local_count; i++)
		convert_rank_local_free(&conversion->locals[i]);
	free(conversion->locals);
	convert_free_files(&conversion->files);
	convert_set_free(&conversion->set);
	free(conversion->ranks);
	free(conversion->reason);
}

int trace_convert(const char *folder, struct trace_conversion *result, char **error)
{
	struct conversion conversion = {.folder = folder, .result = result};
	char *anchor = NULL;
	int code;

	*error = NULL;
	*result = (struct trace_conversion){
	    .keep_logs = result->keep_logs,
	    .has_event_cost = result->has_event_cost,
	    .event_cost = result->event_cost,
	    .processors = result->processors,
	};
	if (asprintf(&anchor, "%s/traces.otf2", folder) < 0)
		return -1;
	if (access(anchor, F_OK) == 0) {
		code = convert_fail(
		    error, anchor, "an archive is there already and is not overwritten");
	} else {
		convert_set_init(&conversion.set);
		conversion.ranks = convert_list_ranks(folder, &conversion.rank_count);
		uint64_t total = convert_rank_total(folder);
		code = convert_folder(&conversion, error);
		if (total < conversion.rank_count)
			total = conversion.rank_count;
		if (conversion.ranks != NULL)
			result->ranks_missing = total - conversion.local_count;
		release(&conversion);
	}
	free(anchor);
	return code;
}

bool trace_convert_available(void)
{
	return true;
}
