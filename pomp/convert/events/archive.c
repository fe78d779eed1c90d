/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the events of an archive's locations are written, as many at a time as there are processors
 * (OTF2's buffers go to disk as they fill, so memory does not grow with the trace).
 */
#include "archive.h"

#include "rank-clock.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>

enum { MOST_HELPERS = 63 };

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
