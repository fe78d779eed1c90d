/* SPDX-License-Identifier: BSD-3-Clause */
/* What objects, threads and places are called in the report. */
#include "sharing-report.h"

#include "explanation.h"

#include <inttypes.h>

const char *sharing_name(const struct sharing_finding *finding)
{
	if (finding->variable.whole != NULL)
		return finding->variable.whole;
	return finding->base != NULL ? finding->base : "memory without a known name";
}

bool sharing_next_range(uint64_t bits, int *first, int *last)
{
	int at = *last + 1;

	while (at < 64 && (bits >> at & 1) == 0)
		at++;
	if (at >= 64)
		return false;
	*first = at;
	while (at + 1 < 64 && (bits >> (at + 1) & 1) != 0)
		at++;
	*last = at;
	return true;
}

void sharing_ranges_add(struct inst_buffer *text, uint64_t bits)
{
	const char *separator = "";

	for (int first, last = -1; sharing_next_range(bits, &first, &last); separator = ", ") {
		buffer_format(text, "%s%d", separator, first);
		if (last > first)
			buffer_format(text, "%s%d", last > first + 1 ? " to " : ", ", last);
	}
}

const char *sharing_amount(struct inst_arena *arena, uint64_t number)
{
	if (number < 100000)
		return arena_format(arena, "%" PRIu64, number);
	if (number < 1000000000)
		return arena_format(arena, "%.1f million", 1e-6 * (double)number);
	return arena_format(arena, "%.1f thousand million", 1e-9 * (double)number);
}

const char *sharing_members_text(struct inst_arena *arena, sharing_members members)
{
	struct inst_buffer text = {.arena = arena};

	if (members == 0)
		return "several threads";
	buffer_add_string(&text, (members & (members - 1)) == 0 ? "thread " : "threads ");
	sharing_ranges_add(&text, members);
	/* The last one stands for all behind it, too. */
	if ((members >> (SHARING_MOST_MEMBERS - 1) & 1) != 0)
		buffer_add_string(&text, " or more");
	return text.data;
}

const char *sharing_place_text(struct inst_arena *arena, const struct sharing_place *place)
{
	const struct race_side side = {.is_known = true,
	    .line = place->line,
	    .module = place->module,
	    .offset = place->offset};

	return race_place_text(arena, &side);
}

const char *sharing_access_text(struct inst_arena *arena, const struct sharing_place *place)
{
	struct inst_buffer text = {.arena = arena};

	buffer_add_string(&text, place->writes == 0  ? "reads"
				 : place->reads == 0 ? "writes"
						     : "reads and writes");
	if (place->expression != NULL)
		buffer_format(&text, " %s", place->expression);
	if (place->construct != NULL)
		buffer_format(&text, ", in '%s' at %s:%d", place->construct->name,
		    race_short_path(place->text->path), place->construct->line);
	buffer_format(&text, ": %s, %s times", sharing_members_text(arena, place->members),
	    sharing_amount(arena, place->reads + place->writes));
	return text.data;
}

/* Places with a hundredth of the accesses say nothing more. */
size_t sharing_main_places(
    const struct sharing_finding *finding, const struct sharing_place *places[SHARING_MOST_PLACES])
{
	uint64_t most = 0;
	size_t count = 0;

	for (size_t i = 0; i < finding->place_count && i < SHARING_MOST_PLACES; i++) {
		const uint64_t all = finding->places[i].reads + finding->places[i].writes;
		most = all > most ? all : most;
		if (all * 100 >= most)
			places[count++] = &finding->places[i];
	}
	return count;
}
