/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements shares.h. */
#include "shares.h"

#include "memory.h"
#include "readers.h"

static uint64_t size_of(const struct archive *archive, const struct archive_process *process)
{
	uint64_t events = 1;

	for (size_t i = 0; i < process->count; i++)
		events += archive->locations[process->locations[i]].events_announced;
	return events;
}

struct share *shares_new(
    const struct archive *archive, const struct archive_process *processes, size_t count)
{
	size_t readers = readers_count();
	struct share *shares = memory_new(readers, sizeof(shares[0]));
	double total = 0, before = 0;

	for (size_t i = 0; i < count; i++)
		total += (double)size_of(archive, &processes[i]);
	for (size_t i = 0, reader = 0; reader < readers; reader++) {
		double end = total * (double)(reader + 1) / (double)readers;

		shares[reader].begin = i;
		for (; i < count && reader + 1 < readers; i++) {
			double size = (double)size_of(archive, &processes[i]);

			if (before + size / 2 > end)
				break;
			before += size;
		}
		if (reader + 1 == readers)
			i = count;
		shares[reader].end = i;
	}
	return shares;
}

size_t shares_jobs(const struct archive *archive, size_t count)
{
	/* Whoever starts several processes means them to be what works at a time. */
	size_t jobs = readers_count() > 1 && archive->jobs == 0 ? 1 : archive_jobs(archive);

	if (jobs > count)
		jobs = count > 0 ? count : 1;
	return jobs;
}
