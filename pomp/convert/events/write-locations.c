/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the events of an archive's locations, as many in parallel as there are processors. OTF2's
 * buffers are written to disk as they fill, so memory does not grow with the trace.
 */
#include "pomp-atomics.h"
#include "convert-archive.h"
#include "usable-processors.h"
#include "shared/trace-convert.h"

#include <sched.h>
#include <signal.h>

enum { MOST_HELPERS = 63 };

/* The locations that are still to be written. */
struct writing {
	struct convert_archive *archive;
	_Atomic uint32_t next;
};

static void *write_locations(void *context)
{
	struct writing *writing = context;
	uint32_t location;

	while (
	    (location = fetch_add_relaxed(&writing->next, 1)) < writing->archive->input->log_count)
		convert_write_events(writing->archive, location);
	return NULL;
}

static uint64_t bytes_of_logs(const struct convert_input *input)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < input->log_count; i++)
		bytes += input->logs[i].mapping_bytes;
	return bytes;
}

/* Returns the number of threads in addition to the calling one. */
static size_t count_helpers(const struct convert_input *input, const cpu_set_t *processors)
{
	size_t locations = input->log_count, worth = bytes_of_logs(input) / TRACE_CONVERSION_THREAD;
	size_t count = processors != NULL ? (size_t)CPU_COUNT(processors) : 1;

	if (count > locations)
		count = locations;
	if (count > worth)
		count = worth;
	if (count > MOST_HELPERS + 1)
		count = MOST_HELPERS + 1;
	return count > 0 ? count - 1 : 0;
}

/* This thread takes part, and may be the only one. Helpers block the program's signals. */
void convert_write_all_locations(struct convert_archive *archive, const void *processors_to_use)
{
	struct writing writing = {.archive = archive};
	const cpu_set_t *processors = processors_to_use;
	pthread_t helper[MOST_HELPERS];
	cpu_set_t own;
	sigset_t all, before;
	size_t count = 0;

	if (processors == NULL && sched_getaffinity(0, sizeof(own), &own) == 0)
		processors = &own;
	size_t wanted = count_helpers(archive->input, processors);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (count < wanted &&
	       pomp_thread_start(&helper[count], processors, write_locations, &writing) == 0)
		count++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	write_locations(&writing);
	while (count > 0)
		pthread_join(helper[--count], NULL);
}
