/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many ranks, one archive. A rank's numbers begin behind those of the ranks before it; what ranks
 * define alike is defined once, and each rank's local definitions map its own numbers to those.
 *
 * Together: each rank writes its own events, and their definitions meet in a tree: in round n, ranks
 * 2^n apart merge theirs, so that after log2 of the ranks rank 0 has them all; it sends what they have
 * in common back to everyone. Alone: rank after rank, of which only one is in memory at a time.
 */
#include "ranks.h"

#include "collectives.h"
#include "rank-folders.h"
#include "rank.h"
#include "set-tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(char **error, const char *place, const char *what)
{
	if (asprintf(error, "%s: %s", place, what) < 0)
		*error = NULL;
	return -1;
}

static OTF2_ErrorCode stay_silent(void *user, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	return code;
}

bool convert_is_of_ranks(const char *folder)
{
	size_t count;
	uint32_t *ranks = convert_list_ranks(folder, &count);
	bool found = count > 0;

	free(ranks);
	return found;
}

/* The account that a reader cannot take from the events, and the caller's. */
static OTF2_ErrorCode tell_account(
    OTF2_Archive *archive, const struct convert_set *set, struct trace_conversion *conversion)
{
	char value[24];

	conversion->complete = true;
	for (size_t i = 0; i < set->ranks.count; i++) {
		size_t count;
		const uint64_t *rank = convert_pool_at(&set->ranks, i, &count);
		conversion->locations += rank[SET_RANK_LOCATIONS];
		conversion->events += rank[SET_RANK_EVENTS];
		conversion->lost_events += rank[SET_RANK_LOST];
		conversion->closed += rank[SET_RANK_CLOSED];
		conversion->complete &= rank[SET_RANK_COMPLETE] != 0;
	}
	conversion->ranks = set->ranks.count;
	snprintf(value, sizeof(value), "%llu", (unsigned long long)conversion->lost_events);
	OTF2_ErrorCode code =
	    OTF2_Archive_SetProperty(archive, "POMP::LOST_EVENTS", value, true);
	if (code == OTF2_SUCCESS && conversion->has_event_cost) {
		snprintf(value, sizeof(value), "%llu", (unsigned long long)conversion->event_cost);
		code = OTF2_Archive_SetProperty(archive, "POMP::EVENT_COST_NS", value, true);
	}
	return code;
}

/* One process's conversion of all ranks. */
struct alone {
	const char *folder;
	OTF2_Archive *archive;
	struct convert_reference reference;
	struct convert_counts before;
	struct convert_set set;
	struct convert_rank_local *locals;
	size_t local_count;
	OTF2_ErrorCode code;
};

static void add_rank(struct alone *alone, struct convert_rank *rank, const void *processors)
{
	struct convert_set own;
	struct convert_rank_local *local = &alone->locals[alone->local_count];

	if (alone->local_count++ == 0)
		alone->reference = convert_reference_of(&rank->input);
	convert_rank_write(rank, alone->archive, &alone->reference, alone->before, processors);
	convert_rank_define(rank, alone->before, &own, local);
	convert_set_merge(&alone->set, &own, &local->maps);
	convert_set_free(&own);
	struct convert_counts counts = convert_rank_counts(rank);
	alone->before.locations += counts.locations;
	alone->before.teams += counts.teams;
	alone->before.locks += counts.locks;
	if (alone->code == OTF2_SUCCESS)
		alone->code = (OTF2_ErrorCode)rank->archive.error;
	if (alone->code == OTF2_SUCCESS && alone->set.failed)
		alone->code = OTF2_ERROR_ENOMEM;
}

/* A rank that left no event, or whose logs cannot be read, is left out. */
static void add_all(struct alone *alone, const uint32_t *ranks, size_t count,
    struct trace_conversion *conversion, char **reason)
{
	for (size_t i = 0; i < count && alone->code == OTF2_SUCCESS; i++) {
		struct convert_rank rank;
		char *own = convert_rank_folder(alone->folder, ranks[i]), *error = NULL;
		if (own != NULL && convert_rank_open(&rank, ranks[i], own, &error) == 0) {
			add_rank(alone, &rank, conversion->processors);
		} else if (*reason == NULL) {
			*reason = error;
			error = NULL;
		}
		if (own != NULL)
			convert_rank_close(&rank);
		free(error);
		free(own);
	}
}

static void check(struct alone *alone, OTF2_ErrorCode code)
{
	if (alone->code == OTF2_SUCCESS)
		alone->code = code;
}

static void finish_archive(struct alone *alone, struct trace_conversion *conversion)
{
	check(alone, OTF2_Archive_CloseEvtFiles(alone->archive));
	check(alone, OTF2_Archive_OpenDefFiles(alone->archive));
	for (size_t i = 0; i < alone->local_count && alone->code == OTF2_SUCCESS; i++)
		check(alone, convert_rank_write_local(
				 alone->archive, &alone->locals[i], alone->set.comms.count));
	check(alone, OTF2_Archive_CloseDefFiles(alone->archive));
	if (alone->code == OTF2_SUCCESS)
		check(alone, tell_account(alone->archive, &alone->set, conversion));
	if (alone->code == OTF2_SUCCESS)
		check(alone, convert_write_set(alone->archive, &alone->set, &alone->reference));
}

static void remove_ranks(const char *folder, const uint32_t *ranks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *own = convert_rank_folder(folder, ranks[i]);
		if (own != NULL)
			convert_remove_rank(folder, own, i == 0);
		free(own);
	}
	convert_remove_mark(folder);
}

int convert_ranks(const char *folder, struct trace_conversion *conversion, char **error)
{
	struct alone alone = {.folder = folder};
	size_t count;
	uint32_t *ranks = convert_list_ranks(folder, &count);
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(stay_silent, NULL);
	char *reason = NULL;
	int result = 0;

	convert_set_init(&alone.set);
	alone.locals = calloc(count + 1, sizeof(*alone.locals));
	alone.code = alone.locals == NULL ? OTF2_ERROR_ENOMEM
					  : convert_open_archive(&alone.archive, folder, NULL,
						convert_count_logs(folder, ranks, count));
	if (alone.code == OTF2_SUCCESS) {
		add_all(&alone, ranks, count, conversion, &reason);
		if (alone.code == OTF2_SUCCESS && alone.local_count == 0) {
			result = -1;
			*error = reason;
			reason = NULL;
		} else {
			finish_archive(&alone, conversion);
		}
	}
	if (alone.archive != NULL)
		check(&alone, OTF2_Archive_Close(alone.archive));
	OTF2_Error_RegisterCallback(before, NULL);
	if (alone.code != OTF2_SUCCESS && result == 0)
		result = fail(error, folder, OTF2_Error_GetDescription(alone.code));
	uint64_t total = convert_rank_total(folder);
	conversion->ranks_missing =
	    (total > count ? total : count) - (uint64_t)alone.local_count;
	if (result != 0)
		convert_remove_archive(folder, alone.before.locations);
	else if (!conversion->keep_logs)
		remove_ranks(folder, ranks, count);
	for (size_t i = 0; alone.locals != NULL && i < alone.local_count; i++)
		convert_rank_local_free(&alone.locals[i]);
	free(alone.locals);
	convert_set_free(&alone.set);
	free(ranks);
	free(reason);
	return result;
}

/* All ranks: whether one of them has failed. */
static bool any_failed(const struct pomp_ranks *ranks, bool failed)
{
	uint64_t sum = failed;

	return ranks->sum(&sum, 1) != 0 || sum > 0;
}

/* All ranks: definitions, once all events are written. Returns this rank's error. */
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
	if (any_failed(ranks, code != OTF2_SUCCESS || common.failed || all.failed)) {
		code = code != OTF2_SUCCESS ? code : OTF2_ERROR_ENOMEM;
	} else {
		code = OTF2_Archive_OpenDefFiles(archive);
		if (code == OTF2_SUCCESS)
			code = convert_rank_write_local(archive, &local, mpi_comms);
		if (code == OTF2_SUCCESS)
			code = OTF2_Archive_CloseDefFiles(archive);
		if (code == OTF2_SUCCESS && ranks->rank == 0)
			code = tell_account(archive, &all, conversion);
		if (code == OTF2_SUCCESS && ranks->rank == 0)
			code = convert_write_set(archive, &all, reference);
	}
	convert_rank_local_free(&local);
	convert_set_free(&own);
	convert_set_free(&all);
	convert_set_free(&common);
	return code;
}

static OTF2_ErrorCode write_together(struct convert_rank *rank, const char *folder,
    const struct pomp_ranks *ranks, struct trace_conversion *conversion, uint64_t *locations)
{
	struct convert_reference reference = {0};
	struct convert_counts before = convert_rank_counts(rank);
	uint64_t cost = conversion->event_cost;
	OTF2_Archive *archive = NULL;

	if (ranks->rank == 0)
		reference = convert_reference_of(&rank->input);
	*locations = before.locations;
	if (ranks->broadcast(&reference, sizeof(reference), 0) != 0 ||
	    ranks->before((uint64_t *)&before, 3) != 0 || ranks->sum(locations, 1) != 0 ||
	    ranks->sum(&cost, 1) != 0)
		return OTF2_ERROR_COLLECTIVE_CALLBACK;
	conversion->event_cost = cost;
	OTF2_ErrorCode code = convert_open_archive(&archive, folder, ranks, *locations);
	if (any_failed(ranks, code != OTF2_SUCCESS))
		return code != OTF2_SUCCESS ? code : OTF2_ERROR_COLLECTIVE_CALLBACK;
	convert_rank_write(rank, archive, &reference, before, conversion->processors);
	convert_check(&rank->archive, OTF2_Archive_CloseEvtFiles(archive));
	code = write_definitions(rank, before, &reference, ranks, conversion);
	ranks->barrier();
	OTF2_ErrorCode closed = OTF2_Archive_Close(archive);
	return code == OTF2_SUCCESS ? closed : code;
}

int trace_convert_rank(const char *folder, const char *own, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion, char **error)
{
	struct convert_rank rank;
	uint64_t locations = 0;
	int result = 0;

	*error = NULL;
	bool failed = convert_rank_open(&rank, ranks->rank, own, error) != 0;
	if (any_failed(ranks, failed)) {
		convert_rank_close(&rank);
		return -1;
	}
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(stay_silent, NULL);
	OTF2_ErrorCode code = write_together(&rank, folder, ranks, conversion, &locations);
	OTF2_Error_RegisterCallback(before, NULL);
	if (code != OTF2_SUCCESS)
		fail(error, folder, OTF2_Error_GetDescription(code));
	if (any_failed(ranks, code != OTF2_SUCCESS)) {
		result = -1;
		if (ranks->rank == 0)
			convert_remove_archive(folder, locations);
	} else if (!conversion->keep_logs) {
		convert_remove_rank(folder, own, ranks->rank == 0);
		if (ranks->rank == 0)
			convert_remove_mark(folder);
	}
	convert_rank_close(&rank);
	return result;
}
