/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The place list in use: how it is shown, and which of its places each member of a team gets.
 * rt_places_parse() makes the list; rt_affinity_enter() binds threads.
 */
#include <stdlib.h>

#include "places.h"
#include "shared/precondition.h"

struct rt_processors rt_places_get(const struct rt_places *places, uint32_t place)
{
	CHECK(place < places->count, "the list has the place");

	struct rt_processors set = {
	    places->masks + place * (places->mask_bytes / sizeof(unsigned long)),
	    places->mask_bytes};
	return set;
}

void rt_places_finish(struct rt_places *places)
{
	free(places->masks);
	places->masks = NULL;
	places->count = 0;
}

/* Appends each run of neighbours in a set; the caller chooses the form of a run of several. */
static void print_runs(
    const struct rt_processors *set, const char *run_of_two, bool show_last, struct rt_text *out)
{
	size_t capacity = rt_processors_capacity(set);
	const char *comma = "";

	for (size_t first = rt_processors_next(set, 0); first < capacity;) {
		size_t end = first + 1;
		while (rt_processors_has(set, end))
			end++;
		rt_text_add_words(out, comma);
		rt_text_add_number(out, first);
		if (end - first > 1) {
			rt_text_add_words(out, run_of_two);
			rt_text_add_number(out, show_last ? end - 1 : end - first);
		}
		comma = ",";
		first = rt_processors_next(set, end);
	}
}

void rt_places_print(const struct rt_places *places, struct rt_text *out)
{
	for (uint32_t i = 0; i < places->count; i++) {
		struct rt_processors set = rt_places_get(places, i);
		rt_text_add_words(out, i > 0 ? ",{" : "{");
		print_runs(&set, ":", false, out);
		rt_text_add_words(out, "}");
	}
}

void rt_processors_print(const struct rt_processors *set, struct rt_text *out)
{
	print_runs(set, "-", true, out);
}

/*
 * Divides `length` elements into `parts` <= length runs of length / parts elements or one more, the
 * longer runs first, and returns where run `part` begins; run `parts` begins at the end.
 */
static uint32_t run_begin(uint32_t length, uint32_t parts, uint32_t part)
{
	uint32_t longer = length % parts;

	return part * (length / parts) + (part < longer ? part : longer);
}

/* The run that contains element `index`. */
static uint32_t run_of(uint32_t length, uint32_t parts, uint32_t index)
{
	uint32_t size = length / parts, longer = length % parts;
	uint32_t in_longer = longer * (size + 1);

	return index < in_longer ? index / (size + 1) : longer + (index - in_longer) / size;
}

/*
 * The rules, with P places in the partition and T threads; `true` is implementation defined, here
 * close.
 *   primary   all members get the primary thread's place; the partition stays whole
 *   close     T <= P: member i is i places after the primary thread, wrapping around at the end of
 *             the partition. T > P: the members are divided into P runs; run k is k places after
 *             the primary thread
 *   spread    T <= P: the partition is divided into T runs of places, and each member gets one run
 *             as its own partition, beginning with the run that contains the primary thread's
 *             place; a member runs in the first place of its run, the primary thread stays where it
 *             is. T > P: as close, and each member's partition is its one place
 */
void rt_place_member(struct rt_placement *member, const struct rt_placement *primary, uint32_t size,
    uint32_t number, enum rt_bind bind)
{
	CHECK(bind != RT_BIND_FALSE && primary->partition_length > 0,
	    "the members are bound to places");
	CHECK(number < size, "the team has the member");

	uint32_t first = primary->partition_first, places = primary->partition_length;
	uint32_t offset = primary->place - first;

	*member = *primary;
	if (bind == RT_BIND_PRIMARY)
		return;
	if (size > places) {
		uint32_t step = run_of(size, places, number);
		member->place = first + (uint32_t)(((uint64_t)offset + step) % places);
		if (bind == RT_BIND_SPREAD) {
			member->partition_first = member->place;
			member->partition_length = 1;
		}
		return;
	}
	if (bind == RT_BIND_SPREAD) {
		uint32_t run = (uint32_t)(((uint64_t)run_of(places, size, offset) + number) % size);
		uint32_t begin = run_begin(places, size, run);
		member->partition_first = first + begin;
		member->partition_length = run_begin(places, size, run + 1) - begin;
		if (number > 0)
			member->place = member->partition_first;
		return;
	}
	member->place = first + (uint32_t)(((uint64_t)offset + number) % places);
}
