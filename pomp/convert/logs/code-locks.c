/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program names its locks when it ends, all together, because different locks must get different
 * names. If some lock has no name, because the program was killed before or during that, all locks
 * are named here.
 */
#include "code-locks.h"

#include "shared/array.h"
#include "shared/lock-titles.h"
#include "shared/search.h"

#include <stdlib.h>

/* Sorts by number; of several with the same number, the latest comes last. */
static int by_number(const void *left, const void *right)
{
	const struct convert_lock_place *one = left, *other = right;

	if (one->head.number != other->head.number)
		return one->head.number < other->head.number ? -1 : 1;
	return one->module < other->module ? -1 : one->module > other->module;
}

static void keep_latest(struct convert_input *input)
{
	struct convert_lock_place *places = input->lock_places;
	size_t count = 0;

	if (input->lock_place_count > 0)
		qsort(places, input->lock_place_count, sizeof(*places), by_number);
	for (size_t i = 0; i < input->lock_place_count; i++) {
		if (count > 0 && places[count - 1].head.number == places[i].head.number)
			count--;
		places[count++] = places[i];
	}
	input->lock_place_count = count;
}

/* Returns the index of the lock's place; the count if it has none. */
static size_t find_place(const struct convert_input *input, uint64_t number)
{
	size_t count = input->lock_place_count, place;

	SEARCH(place, count, input->lock_places[place].head.number < number);
	return place < count && input->lock_places[place].head.number == number ? place : count;
}

/* Finds which locks with a place were acquired: locks that were only asked for get no name. */
static void find_acquired(const struct convert_input *input, bool *acquired)
{
	struct convert_record record;

	for (size_t i = 0; i < input->log_count; i++) {
		struct convert_cursor cursor = convert_cursor_of(&input->logs[i]);
		while (convert_next(&cursor, &record))
			if (record.kind == TRACE_LOG_LOCK_ACQUIRED)
				acquired[find_place(input, record.argument)] = true;
	}
}

static bool are_all_named(const struct convert_input *input, const bool *acquired, bool *named)
{
	for (size_t i = 0; i < input->lock_count; i++)
		named[find_place(input, input->locks[i].number)] = true;
	for (size_t i = 0; i < input->lock_place_count; i++)
		if (acquired[i] && !named[i])
			return false;
	return true;
}

static struct lock_variable variable_of(const struct convert_lock_place *place)
{
	return (struct lock_variable){
	    .number = place->head.number,
	    .address = place->head.address,
	    .place = {.module = place->module,
		.build_id = place->build_id,
		.offset = place->head.offset},
	    .init = {.module = place->init_module,
		.build_id = place->init_build_id,
		.offset = place->head.init,
		.at = CODE_RETURN},
	};
}

/* The input takes ownership of the title; false when memory ran out. */
static bool take_title(struct convert_input *input, struct lock_variable *variable)
{
	struct convert_lock lock = {(uint32_t)variable->number, variable->title};

	if (variable->title == NULL ||
	    !ARRAY_PUSH(input->texts, input->text_count, input->text_capacity, variable->title))
		return false;
	variable->title = NULL;
	return ARRAY_PUSH(input->locks, input->lock_count, input->lock_capacity, lock);
}

static bool name_all(struct convert_input *input, const struct trace_conversion *conversion,
    const bool *acquired, struct lock_variable *variables)
{
	struct code_namer *namer = conversion->namer;
	bool has_room = true;
	size_t count = 0;

	for (size_t i = 0; i < input->lock_place_count; i++)
		if (acquired[i])
			variables[count++] = variable_of(&input->lock_places[i]);
	lock_titles_find(variables, count, conversion->names, &namer, NULL);
	input->lock_count = 0;
	for (size_t i = 0; i < count; i++) {
		has_room = has_room && take_title(input, &variables[i]);
		free(variables[i].title);
	}
	return has_room;
}

bool convert_name_locks(struct convert_input *input, const struct trace_conversion *conversion)
{
	if (conversion->names == NULL || input->lock_place_count == 0)
		return true;
	keep_latest(input);
	/* The last entry of each array is for locks without a place. */
	size_t count = input->lock_place_count;
	bool *acquired = calloc(count + 1, sizeof(*acquired));
	bool *named = calloc(count + 1, sizeof(*named));
	struct lock_variable *variables = calloc(count, sizeof(*variables));
	bool has_room = acquired != NULL && named != NULL && variables != NULL;

	if (has_room) {
		find_acquired(input, acquired);
		if (!are_all_named(input, acquired, named))
			has_room = name_all(input, conversion, acquired, variables);
	}
	free(acquired);
	free(named);
	free(variables);
	return has_room;
}
