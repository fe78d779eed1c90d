/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the events of an archive's locations are written, as many at a time as there are processors
 * (OTF2's buffers go to disk as they fill, so memory does not grow with the trace).
 */
#include "atomics.h"
#include "archive.h"
#include "processors.h"

#include <sched.h>
#include <signal.h>

enum { MOST_HELPERS = 63 };

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
	    (location = fetch_add_relaxed(&writing->next, 1)) < writing->archive->input->log_count)
		convert_write_events(writing->archive, location);
	return NULL;
}

/* Also on this thread, and if need be only there. Helpers leave the program's signals alone. */
void convert_write_all_locations(struct convert_archive *archive, const void *processors_to_use)
{
	struct writing writing = {.archive = archive};
	const cpu_set_t *processors = processors_to_use;
	pthread_t helper[MOST_HELPERS];
	cpu_set_t own;
	sigset_t all, before;
	size_t count = 0, wanted = 0;

	if (processors == NULL && sched_getaffinity(0, sizeof(own), &own) == 0)
		processors = &own;
	if (processors != NULL)
		wanted = (size_t)CPU_COUNT(processors) - 1;
	if (wanted > archive->input->log_count - 1)
		wanted = archive->input->log_count - 1;
	if (wanted > MOST_HELPERS)
		wanted = MOST_HELPERS;
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
