/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's own pragmas, `#pragma pomp inst ...` or `#pragma omp inst ...`: regions with a name, and
 * switching the measurement. A call replaces the pragma's line, so the pragma has to stand where a
 * statement of a block stands; behind `if (x)` a compiler would ignore it, and so do we.
 *
 * A region is instrumented as a whole or not at all: begin, end and every altend have to be usable.
 */
#include "unit.h"

#include <string.h>

/* The pragmas that are one call without a descriptor. */
static const char *const plain[] = {"init", "finalize", "on", "off"};

static bool has_name(const struct construct *construct, const char *keyword)
{
	const char *name = construct->clauses.count > 0 ? construct->clauses.clauses[0].name : "";

	return construct->active && construct->pragma->user && strcmp(name, keyword) == 0;
}

/* The region's name: the argument without blanks around it; "" when there is none. */
static const char *region_name(struct unit *unit, const struct construct *construct)
{
	const char *name = construct->clauses.clauses[0].arguments;
	size_t length;

	if (name == NULL)
		return "";
	name += strspn(name, " \t\"");
	length = strlen(name);
	while (length > 0 && strchr(" \t\"", name[length - 1]) != NULL)
		length--;
	return arena_copy(unit->arena, name, length);
}

static bool is_region_pragma(const struct construct *construct)
{
	return has_name(construct, "begin") || has_name(construct, "end") ||
	    has_name(construct, "altend");
}

/* Index of the `end` that belongs to the `begin` at `index`, by name; the count when there is none. */
static size_t find_end(struct unit *unit, size_t index, const char *name)
{
	size_t depth = 0;

	for (size_t i = index; i < unit->construct_count; i++) {
		const struct construct *construct = &unit->constructs[i];

		if (!is_region_pragma(construct) || strcmp(region_name(unit, construct), name) != 0)
			continue;
		if (has_name(construct, "begin"))
			depth++;
		else if (has_name(construct, "end") && --depth == 0)
			return i;
	}
	return unit->construct_count;
}

static void skip(struct construct *construct, enum inst_status status, const char *reason)
{
	if (construct->reason == NULL) {
		construct->status = status;
		construct->reason = reason;
	}
}

static void replace_by(struct unit *unit, struct construct *construct,
    const struct inst_buffer *code)
{
	edit_add(unit->arena, &unit->edits, (struct edit){EDIT_REPLACE, construct->pragma->begin,
	    construct->pragma->end, (size_t)(construct - unit->constructs), code->data});
}

/* Does this pragma, one of the region [first, last], belong to the region called `name`? */
static bool belongs_to(struct unit *unit, const struct construct *construct, const char *name)
{
	return is_region_pragma(construct) && strcmp(region_name(unit, construct), name) == 0;
}

/* Why a region cannot be instrumented, or NULL. */
static const char *region_problem(struct unit *unit, size_t first, size_t last, const char *name)
{
	if (*name == '\0')
		return "it has no name";
	if (last == unit->construct_count)
		return "no end with its name follows";
	for (size_t i = first; i <= last; i++)
		if (belongs_to(unit, &unit->constructs[i], name) &&
		    !unit->constructs[i].located->in_block)
			return "one of its pragmas is not directly in a block";
	return NULL;
}

static void emit_region(struct unit *unit, size_t first)
{
	struct construct *begin = &unit->constructs[first];
	const char *name = region_name(unit, begin);
	size_t last = find_end(unit, first, name);
	const char *problem = region_problem(unit, first, last, name);
	size_t descriptor = 0;

	if (last == unit->construct_count)
		last = first;
	if (begin->reason == NULL && problem == NULL)
		descriptor = add_descriptor(unit, "region", name, begin->pragma,
		    unit->constructs[last].pragma, 0);
	for (size_t i = first; i <= last; i++) {
		struct construct *construct = &unit->constructs[i];
		struct inst_buffer code = {.arena = unit->arena};

		if (!belongs_to(unit, construct, name) ||
		    (i != first && i != last && !has_name(construct, "altend")))
			continue;
		if (begin->reason != NULL || problem != NULL) {
			skip(construct, begin->reason != NULL ? begin->status : INST_SKIPPED,
			    begin->reason != NULL ? begin->reason : problem);
			continue;
		}
		add_call(unit, &code, i == first ? "begin" : "end", descriptor, NULL, false);
		replace_by(unit, construct, &code);
	}
}

static void emit_switch(struct unit *unit, struct construct *construct, const char *call)
{
	struct inst_buffer code = {.arena = unit->arena};

	if (!construct->located->in_block)
		skip(construct, INST_SKIPPED, "it is not directly in a block");
	if (construct->reason != NULL)
		return;
	add_plain_call(unit, &code, call);
	replace_by(unit, construct, &code);
}

void emit_regions(struct unit *unit)
{
	bool disabled = (unit->options->disabled & directive_group("region")) != 0;

	for (size_t i = 0; i < unit->construct_count; i++)
		if (disabled && unit->constructs[i].pragma->user)
			skip(&unit->constructs[i], INST_DISABLED, "switched off by an option");
	for (size_t i = 0; i < unit->construct_count; i++)
		if (has_name(&unit->constructs[i], "begin"))
			emit_region(unit, i);
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];
		bool known = is_region_pragma(construct);

		if (!construct->active || !construct->pragma->user)
			continue;
		for (size_t j = 0; j < sizeof plain / sizeof *plain; j++)
			if (has_name(construct, plain[j])) {
				emit_switch(unit, construct, plain[j]);
				known = true;
			}
		if (has_name(construct, "instrument") || has_name(construct, "noinstrument"))
			skip(construct, INST_PASSED, "directs the instrumenter");
		else if (!known)
			skip(construct, INST_SKIPPED, "no such pragma is known");
	}
}
