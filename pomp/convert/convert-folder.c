/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversion by one process: of its own folder, or of a folder that ranks share. In the latter,
 * it converts rank after rank, with only one in memory at a time. A rank's numbers follow those of
 * the previous ranks. Equal definitions of ranks are written once, and each rank's local
 * definitions map its own numbers to those. If a rank's logs stopped because they had no room, the
 * events of all ranks end then: a first pass over the folders finds that time.
 *
 * Events are written first, because they show which definitions are needed. The logs are only
 * removed when the archive is complete.
 */
#include "account.h"
#include "code-locks.h"
#include "code-paths.h"
#include "code-regions.h"
#include "archive-definitions.h"
#include "rank-folders.h"
#include "rank.h"
#include "unfinished.h"

#include "shared/debug-log.h"
#include "shared/rank-mark.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct conversion {
	const char *folder;
	uint32_t *ranks; /* NULL: the folder belongs to one process */
	size_t rank_count;
	struct trace_conversion *result;
	OTF2_Archive *archive; /* NULL until there is something to write */
	struct convert_output output;
	char *no_output; /* why the output cannot be begun, or NULL; heap */
	struct convert_reference reference;
	uint64_t cut; /* when the first rank's logs stopped, on the reference clock; 0: none did */
	struct convert_counts before; /* of the previous processes */
	struct convert_set set;
	struct convert_rank_local *locals;
	size_t local_count;
	struct convert_files files;
	OTF2_ErrorCode code; /* the first error */
	char *reason;        /* why the first unreadable process could not be read; heap */
};

static void check(struct conversion *conversion, OTF2_ErrorCode code)
{
	if (conversion->code == OTF2_SUCCESS)
		conversion->code = code;
}

static bool has_failed(const struct conversion *conversion)
{
	return conversion->code != OTF2_SUCCESS || convert_output_failed(&conversion->output);
}

/* Begins the archive at the first readable process: a folder without any gets no archive. */
static void begin_archive(struct conversion *conversion, const struct convert_rank *rank)
{
	struct convert_output *output = &conversion->output;
	uint64_t bytes = convert_rank_bytes(rank);
	struct convert_amount amount = {rank->input.log_count, rank->input.definitions_bytes};

	if (conversion->ranks != NULL)
		amount =
		    (struct convert_amount){.locations = convert_count_logs(conversion->folder,
						conversion->ranks, conversion->rank_count, &bytes)};
	if (conversion->ranks == NULL)
		conversion->reference = convert_reference_of(&rank->input);
	if (convert_output_begin(output, conversion->folder, bytes, &conversion->no_output) != 0)
		check(conversion, OTF2_ERROR_FILE_INTERACTION);
	if (!has_failed(conversion)) {
		convert_write_left_out(output, &rank->input);
		check(conversion, convert_output_open(output, &amount, &conversion->archive));
	}
}

static void add_process(struct conversion *conversion, struct convert_rank *rank)
{
	struct convert_set own;
	struct convert_rank_local *local = &conversion->locals[conversion->local_count];

	if (conversion->archive == NULL)
		begin_archive(conversion, rank);
	if (has_failed(conversion))
		return;
	conversion->local_count++;
	if (!convert_rank_set_clock(rank, &conversion->reference))
		convert_check(&rank->archive, OTF2_ERROR_ENOMEM);
	if (conversion->cut != 0 && !convert_rank_cut(rank, conversion->cut)) {
		check(conversion, OTF2_ERROR_ENOMEM);
		return;
	}
	convert_rank_write(rank, conversion->archive, &conversion->output, conversion->before,
	    conversion->result->processors);
	convert_rank_define(rank, conversion->before, &own, local);
	if (conversion->local_count == 1)
		convert_set_take(&conversion->set, &own, &local->maps);
	else
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

/* A rank without events, or whose logs cannot be read, is left out. */
static void read_process(struct conversion *conversion, uint32_t number, const char *own)
{
	struct convert_rank rank;
	char *error = NULL;

	if (convert_rank_open(&rank, number, own, &error) == 0) {
		if (!convert_name_regions(&rank.input, conversion->result) ||
		    !convert_name_locks(&rank.input, conversion->result) ||
		    !convert_name_paths(&rank.input, conversion->result))
			check(conversion, OTF2_ERROR_ENOMEM);
		add_process(conversion, &rank);
	} else if (conversion->reason == NULL) {
		conversion->reason = error;
		error = NULL;
	}
	convert_rank_close(&rank);
	free(error);
}

/* The reference is the first readable process. */
static void compare_cut(struct conversion *conversion, const struct convert_input *input)
{
	struct convert_clock clock;

	if (conversion->reference.ticks_per_second == 0)
		conversion->reference = convert_reference_of(input);
	if (input->process.cut == 0)
		return;
	if (!convert_clock_init(&clock, input, &conversion->reference)) {
		check(conversion, OTF2_ERROR_ENOMEM);
		return;
	}
	uint64_t cut = convert_clock_time(&clock, input->process.cut);
	if (conversion->cut == 0 || cut < conversion->cut)
		conversion->cut = cut;
	convert_clock_free(&clock);
}

/* A rank that cannot be read is left out, here and later. */
static void find_cut(struct conversion *conversion)
{
	for (size_t i = 0; i < conversion->rank_count && !has_failed(conversion); i++) {
		char *own = convert_rank_folder(conversion->folder, conversion->ranks[i]);
		struct convert_input input = {0};
		char *error = NULL;

		if (own == NULL)
			check(conversion, OTF2_ERROR_ENOMEM);
		else if (convert_input_open(&input, own, &error) == 0)
			compare_cut(conversion, &input);
		convert_input_close(&input);
		free(error);
		free(own);
	}
}

static void read_all(struct conversion *conversion)
{
	find_cut(conversion);
	if (conversion->ranks == NULL)
		read_process(conversion, SET_NO_RANK, conversion->folder);
	for (size_t i = 0; i < conversion->rank_count && !has_failed(conversion); i++) {
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
	for (size_t i = 0; i < conversion->local_count && !has_failed(conversion); i++)
		check(conversion, convert_rank_write_local(archive, &conversion->locals[i],
				      conversion->set.comms.count));
	check(conversion, OTF2_Archive_CloseDefFiles(archive));
	if (has_failed(conversion))
		return;
	convert_write_account(&conversion->output, &conversion->set,
	    conversion->reference.ticks_per_second, conversion->result);
	check(conversion, convert_write_set(archive, &conversion->set, &conversion->reference));
}

static void remove_logs(struct conversion *conversion)
{
	convert_remove_files(&conversion->files);
	for (size_t i = 0; conversion->ranks != NULL && i < conversion->rank_count; i++) {
		char *own = convert_rank_folder(conversion->folder, conversion->ranks[i]);
		if (own != NULL)
			convert_leave_rank(conversion->folder, own, i == 0);
		free(own);
	}
	if (conversion->ranks != NULL)
		pomp_rank_mark_remove(conversion->folder);
}

/* Closing the archive writes its anchor, without which it is not an archive. */
static void write_archive(struct conversion *conversion)
{
	OTF2_ErrorCallback before = convert_discard_otf2_messages();

	read_all(conversion);
	if (conversion->archive != NULL) {
		if (!has_failed(conversion))
			finish_archive(conversion);
		check(conversion, convert_output_close(
				      &conversion->output, conversion->archive, conversion->code));
	}
	OTF2_Error_RegisterCallback(before, NULL);
}

static int convert_folder(struct conversion *conversion, char **error)
{
	conversion->locals = calloc(conversion->rank_count + 1, sizeof(*conversion->locals));
	if (conversion->locals == NULL)
		return convert_fail(error, conversion->folder, strerror(ENOMEM));
	write_archive(conversion);
	if (!has_failed(conversion) && conversion->local_count > 0 &&
	    convert_output_commit(&conversion->output)) {
		if (!conversion->result->keep_logs)
			remove_logs(conversion);
		return 0;
	}
	convert_output_discard(&conversion->output);
	if (conversion->no_output != NULL) {
		*error = conversion->no_output;
		conversion->no_output = NULL;
	} else if (has_failed(conversion)) {
		*error = convert_output_reason(&conversion->output, conversion->code);
	} else {
		*error = conversion->reason;
		conversion->reason = NULL;
	}
	return -1;
}

/* Removes the logs of a complete archive; unreadable logs are not in any archive and stay. */
static void note_logs(struct conversion *conversion, const char *own)
{
	struct convert_input input;
	char *error = NULL;

	if (convert_input_open(&input, own, &error) == 0 ||
	    (input.process.magic == TRACE_LOG_MAGIC && input.log_count == 0))
		convert_note_files(&conversion->files, &input);
	convert_input_close(&input);
	free(error);
}

/* The process that made the archive was interrupted before it had removed all logs. */
static int finish_removal(struct conversion *conversion, char **error)
{
	conversion->output.lock = convert_unfinished_lock(conversion->folder, error);
	conversion->output.folder = conversion->folder;
	if (conversion->output.lock < 0)
		return -1;
	if (conversion->ranks == NULL)
		note_logs(conversion, conversion->folder);
	for (size_t i = 0; conversion->ranks != NULL && i < conversion->rank_count; i++) {
		char *own = convert_rank_folder(conversion->folder, conversion->ranks[i]);
		if (own != NULL)
			note_logs(conversion, own);
		free(own);
	}
	remove_logs(conversion);
	/* The ranks' folders may already be gone, so that only the mark is left. */
	pomp_rank_mark_remove(conversion->folder);
	conversion->result->was_complete = true;
	return 0;
}

static void release(struct conversion *conversion)
{
	for (size_t i = 0; i < conversion->local_count; i++)
		convert_rank_local_free(&conversion->locals[i]);
	free(conversion->locals);
	convert_free_files(&conversion->files);
	convert_set_free(&conversion->set);
	convert_output_end(&conversion->output);
	free(conversion->ranks);
	free(conversion->reason);
	free(conversion->no_output);
}

int trace_convert(const char *folder, struct trace_conversion *result, char **error)
{
	struct conversion conversion = {.folder = folder, .result = result, .output.lock = -1};
	bool unfinished = false;
	int code;

	*error = NULL;
	*result = (struct trace_conversion){
	    .keep_logs = result->keep_logs,
	    .has_event_cost = result->has_event_cost,
	    .event_cost = result->event_cost,
	    .processors = result->processors,
	    .names = result->names,
	    .namer = result->namer,
	};
	bool complete = convert_output_is_complete(folder, &unfinished);
	if (complete && !unfinished)
		return convert_fail(
		    error, folder, "an archive is there already and is not overwritten");
	if (!convert_list_ranks(folder, &conversion.ranks, &conversion.rank_count)) {
		code = convert_fail(error, folder, strerror(errno));
		free(conversion.ranks);
		return code;
	}
	DEBUG_LOG(convert, "'%s': %zu folders of ranks%s", folder, conversion.rank_count,
	    complete ? ", the archive is complete, only logs are left" : "");
	convert_set_init(&conversion.set);
	uint64_t total = convert_rank_total(folder);
	code = complete ? finish_removal(&conversion, error) : convert_folder(&conversion, error);
	if (total < conversion.rank_count)
		total = conversion.rank_count;
	if (conversion.ranks != NULL && !complete)
		result->ranks_missing = total - conversion.local_count;
	release(&conversion);
	return code;
}
