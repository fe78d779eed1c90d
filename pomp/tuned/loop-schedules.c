/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list in the order of the setting, which is searched at each execution of a loop: it is short,
 * and almost all entries differ in the line already. Without the setting it is empty.
 */
#include "loop-schedules.h"

#include "pomp-atomics.h"
#include "shared/array.h"
#include "source-places.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct source_place place;
	struct loop_schedule schedule;
	_Atomic uint32_t used; /* 1: a loop had the schedule. Relaxed: it publishes nothing. */
};

static struct {
	struct entry *entries;
	size_t count, capacity;
} list;

static bool add_entry(const struct source_place *place, bool *failed)
{
	const char *kind = place->value, *end = place->text + place->length;
	const char *comma = memchr(kind, ',', (size_t)(end - kind));
	const char *kind_end = comma != NULL ? comma : end;
	struct entry entry = {.place = *place,
	    .schedule.kind = loop_schedule_find(kind, (size_t)(kind_end - kind)),
	    .schedule.chunk =
		comma != NULL ? pomp_source_number(comma + 1, (size_t)(end - comma - 1)) : 0};

	if (entry.schedule.kind == LOOP_SCHEDULE_NONE ||
	    (comma != NULL && entry.schedule.chunk == 0))
		return false;
	*failed = !ARRAY_PUSH(list.entries, list.count, list.capacity, entry);
	return true;
}

void pomp_loop_schedules_read(const char *text, FILE *messages)
{
	static const struct source_places_reading reading = {"POMP_LOOP_SCHEDULES",
	    "KIND or FILE:LINE=KIND,CHUNK with the kind static, dynamic or guided", add_entry};

	pomp_source_places_read(&reading, text, messages);
}

struct loop_schedule pomp_loop_schedule_of(const OMPRegDescr *loop, struct loop_schedule written)
{
	for (size_t i = list.count; i-- > 0;) {
		struct entry *entry = &list.entries[i];

		if (!pomp_source_place_is(&entry->place, loop))
			continue;
		if (load_relaxed(&entry->used) == 0)
			store_relaxed(&entry->used, 1);
		return entry->schedule;
	}
	return written;
}

void pomp_loop_schedules_report(FILE *messages)
{
	for (size_t i = 0; i < list.count; i++)
		if (load_relaxed(&list.entries[i].used) == 0)
			fprintf(messages,
			    "pomp: POMP_LOOP_SCHEDULES: '%.*s' has changed nothing: the program "
			    "has executed no loop there that was built with --tunable-loops and may "
			    "have another schedule\n",
			    (int)list.entries[i].place.length, list.entries[i].place.text);
}
