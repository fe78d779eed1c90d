/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The archive: how it is opened, and how the events of its locations are written, as many at a time
 * as there are processors (OTF2's buffers go to disk as they fill, so memory does not grow with the
 * trace).
 */
#include "archive.h"

#include "collectives.h"
#include "rank-clock.h"

#include <errno.h>
#include <otf2/OTF2_Pthread_Locks.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

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

static OTF2_ErrorCode stay_silent(void *user, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	return code;
}

OTF2_ErrorCallback convert_silence(void)
{
	return OTF2_Error_RegisterCallback(stay_silent, NULL);
}

const char *convert_reason(const char *folder, OTF2_ErrorCode code)
{
	struct statvfs space;

	if (statvfs(folder, &space) == 0 && (uint64_t)space.f_bavail * space.f_frsize < LEAST_CHUNK)
		return strerror(ENOSPC);
	return OTF2_Error_GetDescription(code);
}

/*
 * OTF2 clears a chunk for each location's events and another for its definitions, which is what
 * many small locations cost. But a definition has to fit into a chunk, and the longest is a group
 * of all.
 */
static uint64_t definition_chunk(uint64_t locations)
{
	uint64_t group = locations * GROUP_MEMBER + LEAST_CHUNK / 2;

	return locations < MANY_LOCATIONS ? DEFINITION_CHUNK
					  : (group + LEAST_CHUNK - 1) / LEAST_CHUNK * LEAST_CHUNK;
}

OTF2_ErrorCode convert_open_archive(
    OTF2_Archive **archive, const char *folder, const struct pomp_ranks *ranks, uint64_t locations)
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

uint64_t convert_time(const struct convert_archive *archive, uint64_t ticks)
{
	return archive->clock != NULL ? convert_clock_time(archive->clock, ticks) : ticks;
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

uint64_t convert_end_of(const struct convert_input *input, const struct convert_teams *teams)
{
	uint64_t end = input->process.end.ticks;

	if (end < teams->last)
		end = teams->last;
	return end < input->process.start.ticks ? input->process.start.ticks : end;
}
