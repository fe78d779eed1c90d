/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One finding for each variable, or for all that one line of the source allocates. Small arrays
 * are not in the log. Arrays that one thread uses, and those that threads use as they touched them
 * are none.
 */
#include "first-touch-findings.h"

#include "race-findings.h"

#include <stdlib.h>
#include <string.h>

enum {
	FEWEST_USES = 1000,
	LEAST_PERCENT = 10, /* of the uses: by other threads, or of another node's memory */
	ONE_PERCENT = 90,   /* from which on one thread uses all */
};

struct touch_state {
	struct race_sources *sources;
	struct race_code *code;
	struct sharing_findings found; /* with all that the arrays have, also what is none */
};

/* While arrays are added up, a finding's facts are of the arena. */
static struct first_touch *facts(struct sharing_finding *finding)
{
	return (struct first_touch *)finding->touch;
}

double first_touch_share(const struct first_touch *touch)
{
	const uint64_t all = touch->own + touch->others;

	return all > 0 ? (double)touch->others / (double)all : 0;
}

static struct sharing_finding *find_finding(
    struct touch_state *state, const struct sharing_finding *about)
{
	struct sharing_findings *found = &state->found;
	struct inst_arena *arena = state->sources->arena;

	for (size_t i = 0; i < found->count; i++)
		if (strcmp(found->items[i].key, about->key) == 0)
			return &found->items[i];
	struct sharing_finding *finding = ARENA_ADD(arena, found->items, found->count, found->room);
	*finding = *about;
	finding->touch = arena_allocate(arena, sizeof(struct first_touch));
	return finding;
}

/* The finding of the array's object; the name of what is allocated follows from its places. */
static struct sharing_finding *finding_of(
    struct touch_state *state, const struct sharing_line *array)
{
	struct inst_arena *arena = state->sources->arena;
	struct sharing_finding about = {.kind = SHARING_TOUCH, .place = array->place};

	if (array->place.kind == RACE_PLACE_GLOBAL) {
		race_code_variable(
		    state->code, array->place.module, array->place.offset, &about.variable);
		about.base = about.variable.whole;
		about.key = arena_format(arena, "touch\tstatic\t%s\t%llx",
		    array->place.module != NULL ? array->place.module : "",
		    (unsigned long long)array->place.offset);
	} else {
		about.key = arena_format(arena, "touch\t%s",
		    sharing_heap_key(arena, state->code, &array->place, &about.allocated));
	}
	return find_finding(state, &about);
}

/* The construct around the first call that is in one, if the place itself is in none. */
static void find_outer_construct(
    struct touch_state *state, const struct sharing_pages *pages, struct sharing_place *place)
{
	for (size_t i = 0; i < pages->callers.count && place->construct == NULL; i++) {
		struct sharing_place outer;
		sharing_find_source(state->sources, state->code, &pages->callers.frames[i], &outer);
		place->construct = outer.construct;
		if (outer.construct != NULL)
			place->text = outer.text;
	}
}

static void add_place(struct touch_state *state, struct sharing_finding *finding,
    const struct sharing_share *share, const struct sharing_pages *pages)
{
	struct sharing_place found;

	sharing_find_source(state->sources, state->code, &pages->frame, &found);
	sharing_find_expression(state->sources, &found, pages->writes, finding->base);
	/* The source is not preprocessed: outside of regions a construct is not compiled. */
	if (pages->kind == SHARING_PAGES_SERIAL)
		found.construct = NULL;
	else
		find_outer_construct(state, pages, &found);
	struct sharing_place *place = sharing_find_place(state->sources->arena, finding, &found);
	/* Of several on a line the first instruction's, whichever was counted first. */
	if (place->expression == NULL ||
	    (found.expression != NULL && found.offset < place->offset)) {
		place->expression = found.expression;
		place->line.column = found.line.column;
		place->offset = found.offset;
	}
	*(pages->writes ? &place->writes : &place->reads) += pages->count;
	place->members |= sharing_member(share);
}

static unsigned member_of(const struct sharing_share *share)
{
	const sharing_members bit = sharing_member(share);

	return bit != 0 ? (unsigned)__builtin_ctzll(bit) : 0;
}

static void add_pages(struct touch_state *state, struct sharing_finding *finding,
    const struct sharing_share *share, const struct sharing_pages *pages)
{
	struct first_touch *touch = facts(finding);

	switch (pages->kind) {
	case SHARING_PAGES_SERIAL:
		touch->serial += pages->count;
		/* fall through */
	case SHARING_PAGES_TEAM:
		touch->pages += pages->count;
		touch->touched.members |= sharing_member(share);
		add_place(state, &touch->touched, share, pages);
		return;
	case SHARING_PAGES_OTHERS_SHARED:
		touch->shared += pages->count;
		/* fall through */
	case SHARING_PAGES_OTHERS:
		touch->others += pages->count;
		finding->accesses += pages->count;
		finding->writes += pages->writes ? pages->count : 0;
		add_place(state, finding, share, pages);
		break;
	case SHARING_PAGES_OWN_SHARED:
		touch->shared += pages->count;
		/* fall through */
	case SHARING_PAGES_OWN:
		touch->own += pages->count;
		break;
	}
	touch->uses[member_of(share)] += pages->count;
	finding->members |= sharing_member(share);
}

static void add_array(struct touch_state *state, const struct sharing_line *array)
{
	struct sharing_finding *finding = finding_of(state, array);
	struct first_touch *touch = facts(finding);

	touch->blocks += array->array.blocks;
	touch->bytes += array->array.bytes;
	touch->placed += array->array.placed;
	touch->remote += array->array.remote;
	touch->nodes = (unsigned)array->array.nodes;
	finding->several_blocks = touch->blocks > 1;
	touch->touched.base = finding->base;
	for (size_t i = 0; i < array->count; i++)
		for (size_t j = 0; j < array->shares[i].pages_count; j++)
			add_pages(state, finding, &array->shares[i], &array->shares[i].pages[j]);
}

/* The name by which the source uses what is allocated. */
static const char *name_by_places(struct inst_arena *arena, const struct sharing_finding *finding)
{
	for (size_t i = 0; i < finding->place_count; i++)
		if (finding->places[i].expression != NULL)
			return race_expression_base(arena, finding->places[i].expression);
	return NULL;
}

static bool is_used_by_one(const struct first_touch *touch)
{
	const uint64_t all = touch->own + touch->others;

	for (int i = 0; i < SHARING_MOST_MEMBERS; i++)
		if (touch->uses[i] * 100 >= all * ONE_PERCENT)
			return true;
	return false;
}

/*
 * The part of the uses that is by others and of lines that no other thread uses between the same
 * barriers. The first thread to use a line does so alone, also if others come later: of what all of
 * a number of threads use, it has one part of that number.
 */
static double divided_share(const struct first_touch *touch, sharing_members members)
{
	const double all = (double)(touch->own + touch->others);
	const double threads = (double)__builtin_popcountll(members);
	const double common =
	    threads > 1 ? (double)touch->shared / all * threads / (threads - 1) : 1;

	return common < 1 ? (1 - common) * first_touch_share(touch) : 0;
}

/* Is it a finding? Then whether it counts is set. */
static bool judge(struct first_touch *touch, sharing_members members, bool is_asked)
{
	const uint64_t all = touch->own + touch->others;

	if (touch->others < FEWEST_USES || is_used_by_one(touch) ||
	    touch->others * 100 < all * LEAST_PERCENT)
		return false;
	touch->is_common = divided_share(touch, members) * 100 < LEAST_PERCENT;
	const bool is_remote =
	    touch->placed > 0 && touch->remote * 100 >= touch->placed * LEAST_PERCENT;
	touch->counts = touch->placed > 0 ? is_remote : is_asked && !touch->is_common;
	return true;
}

static void complete(struct touch_state *state, struct sharing_finding *finding)
{
	struct first_touch *touch = facts(finding);
	struct sharing_finding *touched = &touch->touched;

	qsort(
	    finding->places, finding->place_count, sizeof *finding->places, sharing_compare_places);
	qsort(
	    touched->places, touched->place_count, sizeof *touched->places, sharing_compare_places);
	if (finding->base == NULL)
		finding->base = name_by_places(state->sources->arena, finding);
	if (finding->base == NULL)
		finding->base = name_by_places(state->sources->arena, touched);
	finding->parts[0] = finding->place_count > 0 ? finding->places[0].expression : NULL;
	/* An inlined function of a header has the column of no statement. */
	touch->by_constructor = touched->place_count > 0 && touched->places[0].expression == NULL &&
				touched->places[0].line.column == 0;
}

static int compare(const void *left, const void *right)
{
	const struct sharing_finding *first = left, *second = right;

	if (first->accesses != second->accesses)
		return first->accesses < second->accesses ? 1 : -1;
	return strcmp(first->key, second->key);
}

void first_touch_findings_add(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, bool is_asked, struct sharing_findings *findings)
{
	struct touch_state state = {.sources = sources, .code = code};

	for (size_t i = 0; i < reports->array_count; i++)
		add_array(&state, &reports->arrays[i]);
	if (state.found.count > 0)
		qsort(state.found.items, state.found.count, sizeof *state.found.items, compare);
	for (size_t i = 0; i < state.found.count; i++) {
		struct sharing_finding *finding = &state.found.items[i];
		if (!judge(facts(finding), finding->members, is_asked))
			continue;
		complete(&state, finding);
		*ARENA_ADD(sources->arena, findings->items, findings->count, findings->room) =
		    *finding;
	}
}
