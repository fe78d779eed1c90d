/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list in the order of the setting, which is searched at each task or taskloop: it is short.
 * Without the setting it is empty.
 */
#include "task-grains.h"

#include "pomp-atomics.h"
#include "shared/array.h"
#include "source-places.h"

#include <limits.h>
#include <stdlib.h>

struct entry {
	struct source_place place;
	char operation; /* '*', '/', or '=': the number itself */
	int number;
	_Atomic uint32_t used; /* 1: a task had it. Relaxed: it publishes nothing. */
};

static struct {
	struct entry *entries;
	size_t count, capacity;
} list;

static bool add_entry(const struct source_place *place, bool *failed)
{
	struct entry entry = {.place = *place, .operation = '='};
	const char *value = place->value, *end = place->text + place->length;

	if (value < end && (*value == '*' || *value == '/'))
		entry.operation = *value++;
	entry.number = pomp_source_number(value, (size_t)(end - value));
	if (entry.number == 0)
		return false;
	*failed = !ARRAY_PUSH(list.entries, list.count, list.capacity, entry);
	return true;
}

void pomp_task_grains_read(const char *text, FILE *messages)
{
	static const struct source_places_reading reading = {
	    "POMP_TASK_GRAINS", "N, *N or /N", add_entry};

	pomp_source_places_read(&reading, text, messages);
}

uint64_t pomp_task_grain_of(const OMPRegDescr *taskloop, uint64_t written)
{
	for (size_t i = list.count; i-- > 0;) {
		struct entry *entry = &list.entries[i];
		uint64_t number = (uint64_t)entry->number, changed = number;

		if (!pomp_source_place_is(&entry->place, taskloop))
			continue;
		if (load_relaxed(&entry->used) == 0)
			store_relaxed(&entry->used, 1);
		if (entry->operation == '/')
			changed = written > number ? written / number : 1;
		else if (entry->operation == '*' &&
			 __builtin_mul_overflow(written, number, &changed))
			changed = written;
		/* What is compared with it may be an int. */
		return written <= INT_MAX && changed > INT_MAX ? INT_MAX : changed;
	}
	return written;
}

void pomp_task_grains_report(FILE *messages)
{
	for (size_t i = 0; i < list.count; i++)
		if (load_relaxed(&list.entries[i].used) == 0)
			fprintf(messages,
			    "pomp: POMP_TASK_GRAINS: '%.*s' has changed nothing: the program has "
			    "executed no task there that was built with --tunable-tasks and has a "
			    "number in grainsize, num_tasks, if or final\n",
			    (int)list.entries[i].place.length, list.entries[i].place.text);
}
