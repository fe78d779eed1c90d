/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Place lists as text: the abstract names and the explicit form of OMP_PLACES, and the processor
 * list of GOMP_CPU_AFFINITY. rt_processors_sharing() knows which processors belong together;
 * rt_place_member() decides which thread runs where.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "value-scan.h"
#include "shared/array.h"

/* More processors than any system has: a bound for numbers, lengths and strides in the text. */
enum { LARGEST_NUMBER = 1 << 16 };

/* A list while it is made. Every place has the capacity of `usable`. */
struct builder {
	struct rt_places places;
	size_t capacity; /* places that there is room for */
	const struct rt_processors *usable;
	const char *sysfs;
	uint32_t dropped;
};

static void builder_init(
    struct builder *builder, const struct rt_processors *usable, const char *sysfs)
{
	builder->places.masks = NULL;
	builder->places.mask_bytes = usable->bytes;
	builder->places.count = 0;
	builder->capacity = 0;
	builder->usable = usable;
	builder->sysfs = sysfs;
	builder->dropped = 0;
}

/* The words of a place that is already in the list. */
static unsigned long *mask_of(const struct rt_places *places, uint32_t place)
{
	return places->masks + place * (places->mask_bytes / sizeof(unsigned long));
}

static bool append(struct builder *builder, const struct rt_processors *place)
{
	struct rt_places *places = &builder->places;

	if (!array_make_room(
		&places->masks, &builder->capacity, places->count, 1, places->mask_bytes))
		return false;
	memcpy(mask_of(places, places->count++), place->words, places->mask_bytes);
	return true;
}

/* Appends the usable part of a place; a place without a usable part only counts as dropped. */
static bool append_usable(struct builder *builder, struct rt_processors *place)
{
	for (size_t i = 0; i < place->bytes / sizeof(unsigned long); i++)
		place->words[i] &= builder->usable->words[i];
	if (rt_processors_count(place) == 0) {
		builder->dropped++;
		return true;
	}
	return append(builder, place);
}

/* :length and :stride, both optional; 1 and 1 without them. */
static bool scan_interval(const char **text, uint64_t *length, int64_t *stride)
{
	*length = 1;
	*stride = 1;
	if (!rt_scan_char(text, ':'))
		return true;
	if (!rt_scan_number(text, LARGEST_NUMBER, length) || *length == 0)
		return false;
	return !rt_scan_char(text, ':') ||
	       (rt_scan_signed(text, LARGEST_NUMBER, stride) && *stride != 0);
}

/* One element within braces: a number, number:length, number:length:stride, or !number. */
static bool scan_resource(const char **text, struct rt_processors *place)
{
	bool exclude = rt_scan_char(text, '!');
	uint64_t number, length = 1;
	int64_t stride = 1;

	if (!rt_scan_number(text, LARGEST_NUMBER, &number))
		return false;
	if (exclude) {
		rt_processors_remove(place, number);
		return true;
	}
	if (!scan_interval(text, &length, &stride))
		return false;
	for (int64_t next = (int64_t)number; length > 0; length--, next += stride) {
		if (next < 0)
			return false;
		if (next >= LARGEST_NUMBER)
			break;
		rt_processors_add(place, (size_t)next);
	}
	return true;
}

static bool scan_place(const char **text, struct rt_processors *place)
{
	memset(place->words, 0, place->bytes);
	if (!rt_scan_char(text, '{'))
		return false;
	do {
		if (!scan_resource(text, place))
			return false;
	} while (rt_scan_char(text, ','));
	return rt_scan_char(text, '}');
}

/* to = from with every number moved by distance; false when a number would be negative. */
static bool shift_place(
    struct rt_processors *to, const struct rt_processors *from, int64_t distance)
{
	size_t capacity = rt_processors_capacity(from);

	memset(to->words, 0, to->bytes);
	for (size_t i = rt_processors_next(from, 0); i < capacity;
	     i = rt_processors_next(from, i + 1)) {
		if ((int64_t)i + distance < 0)
			return false;
		rt_processors_add(to, (size_t)((int64_t)i + distance));
	}
	return true;
}

/* Removes the last place equal to the given one from the list; false if there is none. */
static bool exclude_place(struct builder *builder, const struct rt_processors *place)
{
	struct rt_places *places = &builder->places;

	for (uint32_t i = places->count; i-- > 0;) {
		if (memcmp(mask_of(places, i), place->words, places->mask_bytes) != 0)
			continue;
		memmove(mask_of(places, i), mask_of(places, i + 1),
		    (places->count - i - 1) * places->mask_bytes);
		places->count--;
		return true;
	}
	return false;
}

/* A place, place:length, place:length:stride, or !place. wide and shifted are scratch sets. */
static bool scan_place_interval(const char **text, struct builder *builder,
    struct rt_processors *wide, struct rt_processors *shifted)
{
	bool exclude = rt_scan_char(text, '!');
	uint64_t length;
	int64_t stride;

	if (!scan_place(text, wide) || rt_processors_count(wide) == 0)
		return false;
	struct rt_processors narrow = {shifted->words, builder->usable->bytes};
	if (exclude) {
		memcpy(shifted->words, wide->words, builder->usable->bytes);
		return exclude_place(builder, &narrow);
	}
	if (!scan_interval(text, &length, &stride))
		return false;
	for (uint64_t i = 0; i < length; i++) {
		if (!shift_place(shifted, wide, (int64_t)i * stride))
			return false;
		if (rt_processors_count(shifted) == 0) {
			builder->dropped += (uint32_t)(length - i);
			break;
		}
		if (!append_usable(builder, &narrow))
			return false;
	}
	return true;
}

/*
 * The places are read into sets with room for every number that the text can name, because a place
 * may lie outside the machine while one of its shifted copies lies inside.
 */
static bool parse_explicit(struct builder *builder, const char *text)
{
	struct rt_processors wide = {NULL, 0}, shifted = {NULL, 0};
	bool good = rt_processors_init(&wide, LARGEST_NUMBER) &&
		    rt_processors_init(&shifted, LARGEST_NUMBER);

	if (good) {
		do {
			good = scan_place_interval(&text, builder, &wide, &shifted);
		} while (good && rt_scan_char(&text, ','));
	}
	rt_processors_finish(&wide);
	rt_processors_finish(&shifted);
	return good && rt_scan_end(&text);
}

static const struct {
	const char *name;
	enum rt_sharing sharing;
} abstract_names[] = {{"threads", RT_SHARE_THREAD}, {"cores", RT_SHARE_CORE},
    {"ll_caches", RT_SHARE_CACHE}, {"numa_domains", RT_SHARE_NODE}, {"sockets", RT_SHARE_SOCKET}};

/*
 * Appends one place for each group of `within` that shares `wanted`, at most `max` in all. Threads
 * and cores come socket by socket and core by core, so that neighbours in the list are neighbours
 * in the machine, whatever the system's numbering. level: the enclosing unit to take in turn, or
 * `wanted` itself.
 */
static bool append_groups(struct builder *builder, const struct rt_processors *within,
    enum rt_sharing level, enum rt_sharing wanted, uint64_t max)
{
	struct rt_processors rest = {NULL, 0}, group = {NULL, 0};
	bool good =
	    rt_processors_init_copy(&rest, within) && rt_processors_init_copy(&group, within);

	for (size_t first = 0; good && builder->places.count < max;) {
		first = rt_processors_next(&rest, first);
		if (first >= rt_processors_capacity(&rest))
			break;
		rt_processors_sharing(builder->sysfs, level, &rest, first, &group);
		for (size_t i = 0; i < rest.bytes / sizeof(unsigned long); i++)
			rest.words[i] &= ~group.words[i];
		if (level == wanted)
			good = append(builder, &group);
		else
			good = append_groups(builder, &group,
			    level == RT_SHARE_SOCKET ? RT_SHARE_CORE : wanted, wanted, max);
	}
	rt_processors_finish(&rest);
	rt_processors_finish(&group);
	return good;
}

/* name or name(count); sets *found if the text begins with an abstract name at all. */
static bool parse_abstract(struct builder *builder, const char *text, bool *found)
{
	uint64_t max = UINT32_MAX;
	size_t i = 0, names = sizeof(abstract_names) / sizeof(abstract_names[0]);

	while (i < names && !rt_scan_word(&text, abstract_names[i].name))
		i++;
	*found = i < names;
	if (!*found)
		return false;
	if (rt_scan_char(&text, '(') &&
	    (!rt_scan_number(&text, UINT32_MAX, &max) || max == 0 || !rt_scan_char(&text, ')')))
		return false;
	enum rt_sharing wanted = abstract_names[i].sharing;
	return rt_scan_end(&text) &&
	       append_groups(builder, builder->usable,
		   wanted <= RT_SHARE_CORE ? RT_SHARE_SOCKET : wanted, wanted, max);
}

/* Moves a finished list into *result, or frees an unusable one. */
static bool finish(struct builder *builder, bool good, struct rt_places *places, uint32_t *dropped)
{
	if (!good || builder->places.count == 0) {
		free(builder->places.masks);
		return false;
	}
	rt_places_finish(places);
	*places = builder->places;
	*dropped = builder->dropped;
	return true;
}

bool rt_places_parse(struct rt_places *places, const char *text, const char *sysfs,
    const struct rt_processors *usable, uint32_t *dropped)
{
	struct builder builder;
	bool abstract;

	builder_init(&builder, usable, sysfs);
	bool good = parse_abstract(&builder, text, &abstract);
	if (!abstract)
		good = parse_explicit(&builder, text);
	return finish(&builder, good, places, dropped);
}

bool rt_places_parse_affinity(struct rt_places *places, const char *text,
    const struct rt_processors *usable, uint32_t *dropped)
{
	struct rt_processors place;
	struct builder builder;
	bool good = true;

	builder_init(&builder, usable, NULL);
	if (!rt_processors_init_copy(&place, usable))
		return false;
	while (good && !rt_scan_end(&text)) {
		uint64_t first, last, stride = 1;
		good = rt_scan_number(&text, LARGEST_NUMBER, &first);
		last = first;
		if (good && rt_scan_char(&text, '-')) {
			good = rt_scan_number(&text, LARGEST_NUMBER, &last) && last >= first;
			if (good && rt_scan_char(&text, ':'))
				good = rt_scan_number(&text, LARGEST_NUMBER, &stride) && stride > 0;
		}
		for (; good && first <= last; first += stride) {
			memset(place.words, 0, place.bytes);
			rt_processors_add(&place, first);
			good = append_usable(&builder, &place);
		}
		rt_scan_char(&text, ',');
	}
	rt_processors_finish(&place);
	return finish(&builder, good, places, dropped);
}
