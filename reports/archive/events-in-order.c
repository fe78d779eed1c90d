/* SPDX-License-Identifier: BSD-3-Clause */
/* All events in the order of time: from all locations at once, or from few at a time. */
#include <stdlib.h>
#include <sys/resource.h>

#include "event-source.h"
#include "events-apart.h"
#include "memory.h"

/* Every location keeps a file open: raise the limit as far as the system allows. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Locations that are open at a time: the OTF2 library needs 17 MiB for them. */
enum { OPEN_MOST = 64 };

static bool is_to_be_read_apart(const struct archive *archive)
{
	size_t most = archive->open_most > 0 ? archive->open_most : OPEN_MOST;

	return archive->location_count > most && archive->group_count > 1;
}

void archive_for_each_event(struct archive *archive, archive_consume *consume, void *context)
{
	uint32_t *all;

	if (is_to_be_read_apart(archive)) {
		archive_merge_apart(archive, consume, context);
		return;
	}
	all = memory_new(archive->location_count, sizeof(all[0]));
	for (size_t i = 0; i < archive->location_count; i++)
		all[i] = (uint32_t)i;
	allow_many_files();
	archive_read_locations(
	    archive, all, archive->location_count, archive_jobs(archive) > 1, consume, context);
	free(all);
}
