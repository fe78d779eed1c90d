/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversion: read the logs for teams, write the locations' events, as many at a time as there
 * are processors (OTF2's buffers go to disk as they fill, so memory does not grow with the trace),
 * then the definitions, which by then are known. The logs go only when the archive is complete.
 */
#include "archive.h"
#include "collectives.h"
#include "rank-clock.h"
#include "ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <otf2/OTF2_Pthread_Locks.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	EVENT_CHUNK = 1 << 20,
	DEFINITION_CHUNK = 4 << 20,
	LEAST_CHUNK = 256 << 10, /* that OTF2 takes */
	MANY_LOCATIONS = 32,
	GROUP_MEMBER = 12, /* bytes at most, with room */
	MOST_HELPERS = 63
};

static OTF2_FlushType flush_when_full(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

/* OTF2 would print each error on stderr: the program's stderr is not ours. */
static OTF2_ErrorCode stay_silent(void *user, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	return code;
}

static int fail(char **error, const char *place, const char *what)
{
	if (asprintf(error, "%s: %s", place, what) < 0)
		*error = NULL;
	return -1;
}

/*
 * OTF2 clears a chunk for each location's events and another for its definitions, which is what many
 * small locations cost. But a definition has to fit into a chunk, and the longest is a group of all.
 */
static uint64_t definition_chunk(uint64_t locations)
{
	uint64_t group = locations * GROUP_MEMBER + LEAST_CHUNK / 2;

	return locations < MANY_LOCATIONS
		   ? DEFINITION_CHUNK
		   : (group + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;
}

OTF2_ErrorCode convert_open_archive(OTF2_Archive **archive, const char *folder,
    const struct pomp_ranks *ranks, uint64_t locations)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_when_full};
	OTF2_ErrorCode code;

	*archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE,
	    locations < MANY_LOCATIONS ? EVENT_CHUNK : LEAST_CHUNK, definition_chunk(locations),
	    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (*archive == NULL)
		return OTF2_ERROR_FILE_INTERACTION;
	code = ranks != NULL ? convert_set_collectives(*archive, ranks)
			     : OTF2_Archive_SetSerialCollectiveCallbacks(*archive);
	if (code == OTF2_SUCCESS)
		code = OTF2_Pthread_Archive_SetLockingCallbacks(*archive, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetFlushCallbacks(*archive, &flush, NULL);
	if (code == OTF2_SUCCESS && (ranks == NULL || ranks->rank == 0)) {
		code = OTF2_Archive_SetCreator(*archive, "ompinst libpomp");
		if (code == OTF2_SUCCESS)
			code = OTF2_Archive_SetBoolProperty(
			    *archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", true, true);
		if (code == OTF2_SUCCESS)
			code = OTF2_Archive_SetBoolProperty(
			    *archive, "OTF2::THREAD_LOCK_EVENT_COMPLETE", true, true);
	}
	return code == OTF2_SUCCESS ? OTF2_Archive_OpenEvtFiles(*archive) : code;
}

static bool open_archive(struct convert_archive *archive, const char *folder)
{
	convert_check(archive, convert_open_archive(&archive->archive, folder, NULL,
				   archive->input->log_count));
	return archive->error == OTF2_SUCCESS;
}

uint64_t convert_time(const struct convert_archive *archive, uint64_t ticks)
{
	return archive->clock != NULL ? convert_clock_time(archive->clock, ticks) : ticks;
}

static void set_number(struct convert_archive *archive, const char *name, uint64_t number)
{
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	convert_check(archive, OTF2_Archive_SetProperty(archive->archive, name, value, true));
}

/* What a trace's reader cannot know from its events: how many are missing, what measuring cost. */
static void set_account(struct convert_archive *archive, const struct trace_conversion *conversion)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < archive->input->log_count; i++)
		lost += archive->input->logs[i].lost_events;
	for (size_t i = 0; i < archive->input->dropped_count; i++) {
		const struct convert_metric *metric = &archive->input->dropped[i];
		char name[40], *text;
		snprintf(name, sizeof(name), "POMP::DROPPED_METRIC_%zu", i + 1);
		if (asprintf(&text, "%s: %s", metric->name, metric->meaning) < 0)
			continue;
		convert_check(
		    archive, OTF2_Archive_SetProperty(archive->archive, name, text, true));
		free(text);
	}
	set_number(archive, "POMP::LOST_EVENTS", lost);
	if (conversion->has_event_cost)
		set_number(archive, "POMP::EVENT_COST_NS", conversion->event_cost);
}

/* The locations that still have to be written. */
struct writing {
	struct convert_archive *archive;
	_Atomic uint32_t next;
};

static void *write_locations(void *context)
{
	struct writing *writing = context;
	uint32_t location;

	while (
	    (location = atomic_fetch_add(&writing->next, 1)) < writing->archive->input->log_count)
		convert_write_events(writing->archive, location);
	return NULL;
}

/* Also on this thread, and if need be only there. Helpers leave the program's signals alone. */
void convert_write_all_locations(struct convert_archive *archive, const void *processors_to_use)
{
	struct writing writing = {.archive = archive};
	const cpu_set_t *processors = processors_to_use;
	pthread_t helper[MOST_HELPERS];
	pthread_attr_t attributes;
	cpu_set_t own;
	sigset_t all, before;
	size_t count = 0, wanted = 0;
	bool have_attributes = false;

	if (processors == NULL && sched_getaffinity(0, sizeof(own), &own) == 0)
		processors = &own;
	if (processors != NULL && pthread_attr_init(&attributes) == 0) {
		have_attributes = true;
		pthread_attr_setaffinity_np(&attributes, sizeof(*processors), processors);
		wanted = (size_t)CPU_COUNT(processors) - 1;
	}
	if (wanted > archive->input->log_count - 1)
		wanted = archive->input->log_count - 1;
	if (wanted > MOST_HELPERS)
		wanted = MOST_HELPERS;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (count < wanted &&
	       pthread_create(&helper[count], &attributes, write_locations, &writing) == 0)
		count++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (have_attributes)
		pthread_attr_destroy(&attributes);
	write_locations(&writing);
	while (count > 0)
		pthread_join(helper[--count], NULL);
}

static void write_archive(
    struct convert_archive *archive, const char *folder, const struct trace_conversion *conversion)
{
	if (open_archive(archive, folder)) {
		set_account(archive, conversion);
		convert_write_all_locations(archive, conversion->processors);
		convert_check(archive, OTF2_Archive_CloseEvtFiles(archive->archive));
		convert_write_definitions(archive);
	}
	if (archive->archive != NULL)
		convert_check(archive, OTF2_Archive_Close(archive->archive));
}

static void remove_logs(const struct convert_input *input)
{
	for (size_t i = 0; i < input->log_count; i++)
		unlink(input->logs[i].path);
	unlink(input->definitions_path);
}

static void remove_file(const char *folder, const char *format, size_t number)
{
	char *name = NULL, *path = NULL;

	if (asprintf(&name, format, number) >= 0 && asprintf(&path, "%s/%s", folder, name) >= 0)
		remove(path);
	free(name);
	free(path);
}

/* What a failed conversion wrote goes, or the next one would find an archive in its way. */
static void remove_archive(const struct convert_input *input, const char *folder)
{
	for (size_t i = 0; i < input->log_count; i++) {
		remove_file(folder, "traces/%zu.evt", i);
		remove_file(folder, "traces/%zu.def", i);
	}
	remove_file(folder, "traces", 0);
	remove_file(folder, "traces.def", 0);
	remove_file(folder, "traces.otf2", 0);
}

uint64_t convert_end_of(const struct convert_input *input, const struct convert_teams *teams)
{
	uint64_t end = input->process.end.ticks;

	if (end < teams->last)
		end = teams->last;
	return end < input->process.start.ticks ? input->process.start.ticks : end;
}

static int convert_logs(const struct convert_input *input, const char *folder,
    struct trace_conversion *conversion, char **error)
{
	struct convert_teams teams = {0};
	struct convert_archive archive = {
	    .input = input, .teams = &teams, .lock = PTHREAD_MUTEX_INITIALIZER};
	int result = 0;

	archive.region = calloc((input->region_count + 1) * PART_COUNT, sizeof(*archive.region));
	archive.event_count = calloc(input->log_count, sizeof(*archive.event_count));
	if (archive.region == NULL || archive.event_count == NULL ||
	    !convert_teams_collect(&teams, input) || !convert_prepare_parameters(&archive)) {
		result = fail(error, folder, strerror(ENOMEM));
	} else {
		archive.end = convert_end_of(input, &teams);
		OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(stay_silent, NULL);
		write_archive(&archive, folder, conversion);
		OTF2_Error_RegisterCallback(before, NULL);
		if (archive.error != OTF2_SUCCESS) {
			result = fail(error, folder,
			    OTF2_Error_GetDescription((OTF2_ErrorCode)archive.error));
			remove_archive(input, folder);
		}
	}
	if (result == 0) {
		conversion->complete = input->process.end.ticks != 0;
		conversion->locations = input->log_count;
		for (size_t i = 0; i < input->log_count; i++)
			conversion->events += archive.event_count[i];
		for (size_t i = 0; i < input->log_count; i++)
			conversion->lost_events += input->logs[i].lost_events;
		conversion->closed = archive.closed;
		if (!conversion->keep_logs)
			remove_logs(input);
	}
	convert_strings_free(&archive.strings);
	convert_teams_free(&teams);
	free(archive.region);
	free(archive.event_count);
	free(archive.value);
	return result;
}

int trace_convert(const char *folder, struct trace_conversion *conversion, char **error)
{
	struct convert_input input;
	char *anchor = NULL;
	int result;

	*error = NULL;
	*conversion = (struct trace_conversion){
	    .keep_logs = conversion->keep_logs,
	    .has_event_cost = conversion->has_event_cost,
	    .event_cost = conversion->event_cost,
	    .processors = conversion->processors,
	};
	if (asprintf(&anchor, "%s/traces.otf2", folder) < 0)
		return -1;
	if (access(anchor, F_OK) == 0)
		result = fail(error, anchor, "an archive is there already and is not overwritten");
	else if (convert_is_of_ranks(folder))
		result = convert_ranks(folder, conversion, error);
	else if (convert_input_open(&input, folder, error) != 0)
		result = -1, convert_input_close(&input);
	else
		result = convert_logs(&input, folder, conversion, error),
		convert_input_close(&input);
	free(anchor);
	return result;
}

bool trace_convert_available(void)
{
	return true;
}
