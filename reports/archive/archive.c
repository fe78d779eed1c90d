/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rest of this folder and the reports need of an open archive: looking up references and
 * properties, and keeping warnings.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "memory.h"

void archive_warn(struct archive *archive, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = memory_copy_text(
		    "a warning is missing here: there was not enough memory for it");
	va_end(arguments);
	*MEMORY_ADD(archive->warnings, archive->warning_room, archive->warning_count) = text;
}

uint64_t archive_property_number(const struct archive *archive, const char *name)
{
	for (size_t i = 0; i < archive->property_count; i++) {
		const char *value = archive->properties[i].value;
		unsigned long long number;
		char *end;

		if (strcmp(archive->properties[i].name, name) != 0)
			continue;
		errno = 0;
		number = strtoull(value, &end, 10);
		return value[0] >= '0' && value[0] <= '9' && !end[0] && errno == 0
			   ? number
			   : SUMMARY_NOT_MEASURED;
	}
	return SUMMARY_NOT_MEASURED;
}

uint64_t archive_complete_from(const struct archive *archive)
{
	uint64_t from = archive_property_number(archive, "POMP::COMPLETE_FROM_NS");

	return from == SUMMARY_NOT_MEASURED ? 0 : from;
}

uint32_t archive_index(const struct map *map, uint64_t ref)
{
	uint64_t index = map_find(map, ref);

	return index == MAP_NONE ? ARCHIVE_NO_INDEX : (uint32_t)index;
}

const char *archive_lock_name(const struct archive *archive, uint32_t number)
{
	uint32_t index = archive_index(&archive->lock_name_of, number);

	return index != ARCHIVE_NO_INDEX ? archive->strings[index] : NULL;
}

const char *archive_string(const struct archive *archive, OTF2_StringRef ref)
{
	uint32_t index = archive_index(&archive->string_of, ref);

	return index == ARCHIVE_NO_INDEX ? "" : archive->strings[index];
}

uint32_t archive_process_of_location(const struct archive *archive, OTF2_LocationRef ref)
{
	uint32_t location = archive_index(&archive->location_of, ref);

	return location == ARCHIVE_NO_INDEX ? ARCHIVE_NO_INDEX : archive->locations[location].group;
}
