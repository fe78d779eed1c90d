/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether an archive's events come in the same order, with the same content, when its locations are
 * read process by process as when all are open at once: read-apart ARCHIVE... Prints how many
 * events were compared, over all archives with several processes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "memory.h"

/* Events as numbers. */
struct events {
	const struct archive *archive;
	uint64_t *numbers;
	size_t count, room, events;
};

static void put(struct events *events, uint64_t number)
{
	*MEMORY_ADD(events->numbers, events->room, events->count) = number;
}

static void put_values(struct events *events, const struct archive_event *event)
{
	uint32_t count = event->subject == ARCHIVE_NO_INDEX
			     ? 0
			     : events->archive->metric_classes[event->subject].count;

	for (uint32_t i = 0; i < count; i++)
		put(events, event->values[i]);
}

static void consume(void *context, const struct archive_event *event)
{
	struct events *events = context;

	events->events++;
	put(events, event->time);
	put(events, (uint64_t)event->location << 32 | event->kind);
	put(events, event->subject);
	if (archive_is_mpi_event(event->kind)) {
		put(events, (uint64_t)event->mpi->peer << 32 | event->mpi->tag);
		put(events, event->mpi->bytes);
		put(events, event->mpi->received);
		put(events, event->mpi->request);
	} else if (event->kind == EVENT_METRIC) {
		put_values(events, event);
	} else {
		put(events, (uint64_t)event->creator << 32 | event->generation);
	}
}

/* Returns whether the archive has several processes. */
static bool read_archive(const char *path, size_t open_most, size_t jobs, struct events *events)
{
	char *error;
	struct archive *archive = archive_open(path, &error);
	bool has_several;

	if (!archive) {
		fprintf(stderr, "%s: %s\n", path, error);
		exit(1);
	}
	*events = (struct events){.archive = archive};
	archive->open_most = open_most;
	archive->jobs = jobs;
	archive_for_each_event(archive, consume, events);
	has_several = archive->group_count > 1 && archive->location_count > 1;
	archive_close(archive);
	return has_several;
}

static void compare(const char *path, const struct events *apart, const struct events *together)
{
	size_t at = 0;

	while (at < apart->count && at < together->count &&
	       apart->numbers[at] == together->numbers[at])
		at++;
	if (at == apart->count && at == together->count)
		return;
	fprintf(stderr, "%s: %zu events, not %zu; they differ from number %zu of %zu on\n", path,
	    apart->events, together->events, at, together->count);
	exit(1);
}

int main(int argc, char **argv)
{
	size_t compared = 0;

	for (int i = 1; i < argc; i++) {
		struct events together, apart;

		read_archive(argv[i], SIZE_MAX, 1, &together);
		for (size_t jobs = 1; jobs <= 3; jobs += 2) {
			if (read_archive(argv[i], 1, jobs, &apart))
				compared += apart.events;
			compare(argv[i], &apart, &together);
			free(apart.numbers);
		}
		free(together.numbers);
	}
	printf("%zu\n", compared);
	return 0;
}
