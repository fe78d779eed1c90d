/* SPDX-License-Identifier: BSD-3-Clause */
/* Forgets the locations of all processes but one, so that only its events are read. */
#include <stdlib.h>

#include "archive.h"
#include "memory.h"

static void free_label(struct archive_location *location)
{
	if (location->label != location->name)
		free((char *)location->label);
}

/* The locations of metrics' instances are indices, too. */
static void renumber(struct archive *archive)
{
	map_free(&archive->location_of);
	archive->location_of = (struct map){0};
	for (size_t i = 0; i < archive->location_count; i++)
		memory_map_set(&archive->location_of, archive->locations[i].ref, i);
	for (size_t i = 0; i < archive->metric_class_count; i++) {
		struct archive_metric_class *class = &archive->metric_classes[i];
		uint64_t found = class->scope == SCOPE_LOCATION
				     ? map_find(&archive->location_of, class->scope_ref)
				     : MAP_NONE;

		class->location = found == MAP_NONE ? ARCHIVE_NO_INDEX : (uint32_t)found;
	}
}

bool archive_keep_process(struct archive *archive, uint32_t group)
{
	size_t kept = 0, threads = 0;

	for (size_t i = 0; i < archive->thread_count; i++)
		threads += archive->locations[i].group == group;
	if (threads == 0)
		return false;
	for (size_t i = 0; i < archive->location_count; i++) {
		if (archive->locations[i].group == group)
			archive->locations[kept++] = archive->locations[i];
		else
			free_label(&archive->locations[i]);
	}
	archive->location_count = kept;
	archive->thread_count = threads;
	renumber(archive);
	return true;
}
