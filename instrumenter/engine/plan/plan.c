/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides what becomes of each pragma: reads it, finds its extent (libclang and the token delimiter
 * must agree) and the constructs around it, and gives a reason for everything that cannot or must
 * not be instrumented. Makes no edits.
 */
#include "plan.h"

#include "extent.h"
#include "lexer.h"
#include "loop-nest.h"
#include "added-names.h"
#include "reading.h"

#include <string.h>

bool same_attribute(const struct unit *unit, size_t a, size_t b)
{
	const struct inst_pragma *one = unit->constructs[a].pragma;
	const struct inst_pragma *other = unit->constructs[b].pragma;

	return a == b || (one->attribute && other->attribute && one->begin == other->begin);
}

/* Offset of the brace that ends the block of a `sections`. */
static size_t closing_brace(const struct unit *unit, const struct construct *sections)
{
	return sections->end - (unit->input->text[sections->end - 1] == '>' ? 2 : 1);
}

/* A `section` ends where the next one begins, or with the block of its sections. */
static void enter_section(
    struct unit *unit, struct construct *construct, struct construct *sections)
{
	if (sections == NULL || sections->no_extent != NULL) {
		construct->no_extent = "it is not in a 'sections' block";
		return;
	}
	if (sections->last_section != NULL)
		sections->last_section->end = construct->pragma->begin;
	else
		sections->first_section = construct;
	sections->last_section = construct;
	sections->section_count++;
	construct->sections = sections;
	construct->end = closing_brace(unit, sections);
}

/*
 * Finds each construct's extent, and its parent: the last one that began before it and has not
 * ended.
 */
static void nest(struct unit *unit)
{
	struct construct *open = NULL;

	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];
		size_t begin = construct->pragma->begin;

		if (!construct->active)
			continue;
		while (open != NULL && open->end <= begin)
			open = open->parent;
		if (construct_has_body(construct, BODY_SECTION)) {
			/* A construct that is open inside the sections is the previous section. */
			while (open != NULL && !construct_has_body(open, BODY_SECTIONS))
				open = open->parent;
			enter_section(unit, construct, open);
		} else if (construct_body(construct) != BODY_NONE && !unit->written) {
			find_extent(unit, construct);
		}
		construct->parent = open;
		if (construct->end > construct->pragma->end)
			open = construct;
	}
}

/* Finds out whether code stands between the brace of the sections and the first `section`. */
static void find_implicit_section(const struct unit *unit, struct construct *sections)
{
	const struct inst_input *input = unit->input;
	size_t end = sections->first_section == NULL ? closing_brace(unit, sections)
						     : sections->first_section->pragma->begin;
	struct lexer lexer;
	struct token token;

	if (sections->no_extent != NULL)
		return;
	lexer_init(&lexer, input->text, end, sections->pragma->next);
	lexer_next(&lexer); /* skip the brace */
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE &&
	       memmem(input->text + token.begin, token.end - token.begin, "omp", strlen("omp")) ==
		   NULL);
	sections->implicit_section = token.kind != TOKEN_END;
	if (sections->implicit_section)
		sections->section_count++;
}

/* `cancel for` and `cancellation point for` refer to the innermost `for` around them. */
static void note_cancel(const struct construct *construct)
{
	if (!directive_has(&construct->use, CONSTRUCT_CANCEL) &&
	    !directive_has(&construct->use, CONSTRUCT_CANCELLATION_POINT))
		return;
	for (struct construct *around = construct->parent; around != NULL; around = around->parent)
		for (size_t i = 0; i < around->use.leaf_count; i++)
			if (find_clause(&construct->clauses, around->use.leaves[i]->name) != NULL) {
				around->cancelled = true;
				return;
			}
}

/*
 * Are all groups of this directive disabled? A directive that is measured from outside has only the
 * calls of its first leaf.
 */
static bool is_disabled(const struct unit *unit, const struct construct *construct)
{
	size_t count = construct->use.leaves[0]->inside != NULL ? 1 : construct->use.leaf_count;

	for (size_t i = 0; i < count; i++) {
		inst_groups group = construct->use.leaves[i]->group;

		if (group != 0 && (unit->options->disabled & group) == 0)
			return false;
	}
	return true;
}

/* Why nothing inside this construct may call the library, or NULL. */
static const char *inside_reason(struct unit *unit, const struct construct *construct)
{
	const struct clause *order = find_clause(&construct->clauses, "order");

	for (size_t i = 0; i < construct->use.leaf_count; i++) {
		const struct directive *leaf = construct->use.leaves[i];

		if (leaf->inside != NULL && (leaf->body != BODY_NONE))
			return leaf->inside;
	}
	if (order != NULL)
		return "inside order(concurrent): iterations may not call anything";
	if (construct->status == INST_SKIPPED && clauses_restrict_default(&construct->clauses))
		return arena_format(unit->arena,
		    "inside a '%s' that is not instrumented and restricts the default",
		    construct->name);
	return NULL;
}

void follow_ranges(struct plan_ranges *ranges, const struct construct *construct)
{
	const struct directive_use *use = &construct->use;

	if (construct->pragma->user) {
		if (strncmp(construct->pragma->words, "noinstrument", 12) == 0)
			ranges->uninstrumented = true;
		else if (strncmp(construct->pragma->words, "instrument", 10) == 0)
			ranges->uninstrumented = false;
	} else if (directive_is(use, CONSTRUCT_BEGIN_DECLARE_TARGET) ||
		   (directive_is(use, CONSTRUCT_DECLARE_TARGET) && construct->clauses.count == 0)) {
		ranges->device++;
	} else if (directive_is(use, CONSTRUCT_END_DECLARE_TARGET) && ranges->device > 0) {
		ranges->device--;
	}
}

bool is_device_function(const struct unit *unit, const char *function)
{
	if (*function == '\0' || !unit->lists_device_functions)
		return false;
	for (size_t i = 0; i < unit->construct_count; i++) {
		const struct construct *construct = &unit->constructs[i];

		if (construct->pragma->user || construct->pragma->mixed ||
		    !directive_is(&construct->use, CONSTRUCT_DECLARE_TARGET))
			continue;
		for (size_t j = 0; j < construct->clauses.count; j++)
			if (clause_lists(&construct->clauses.clauses[j], function))
				return true;
	}
	return false;
}

/* Passes the construct through if anything around it may not call the library. */
static void pass_by_surroundings(
    struct unit *unit, struct construct *construct, const struct plan_ranges *ranges)
{
	for (struct construct *around = construct->parent; around != NULL;
	     around = around->parent) {
		const char *inside = inside_reason(unit, around);

		if (inside != NULL)
			construct_set(construct, INST_PASSED, inside);
	}
	if (ranges->device > 0 || is_device_function(unit, construct->located->function))
		construct_set(construct, INST_PASSED, "inside 'declare target': not host code");
	if (ranges->uninstrumented)
		construct_set(construct, INST_DISABLED, "inside 'noinstrument'");
}

/*
 * An orphaned `distribute` or `loop` may be called from teams. If the file has target regions, it
 * may also be compiled for a device, which cannot call the library.
 */
static bool may_be_on_a_device(const struct unit *unit, const struct construct *construct)
{
	enum construct_id id = construct->use.leaves[0]->id;

	if (construct->parent != NULL || (id != CONSTRUCT_DISTRIBUTE && id != CONSTRUCT_LOOP))
		return false;
	for (size_t i = 0; i < unit->construct_count; i++)
		if (unit->constructs[i].active &&
		    directive_has(&unit->constructs[i].use, CONSTRUCT_TARGET))
			return true;
	return false;
}

static void split_clauses(struct unit *unit, struct construct *construct)
{
	struct clause_context context = {.members = construct->located->members};

	construct->condition_name = local_name(
	    unit, "if", construct->pragma->begin, (size_t)(construct - unit->constructs));
	context.condition_name = construct->condition_name;
	if (construct_has_body(construct, BODY_LOOP) && construct->no_extent == NULL)
		context.loop_variables = find_loop_variables(unit, construct);
	construct->split =
	    clauses_split(unit->arena, &construct->use, &construct->clauses, &context);
	if (construct->written.count > 0 && construct->split.part_count == 1)
		clauses_keep_written(unit->arena, &construct->written, &construct->split);
}

static void decide(struct unit *unit, struct construct *construct)
{
	const struct directive_use *use = &construct->use;

	if (use->leaves[0]->group == 0 && construct->reason == NULL)
		construct_set(construct, INST_PASSED, use->leaves[0]->passed);
	if (directive_has(use, CONSTRUCT_ORDERED) && construct_body(construct) == BODY_NONE)
		construct_set(construct, INST_PASSED, "a dependence between iterations");
	if (directive_has(use, CONSTRUCT_ORDERED) &&
	    find_clause(&construct->clauses, "simd") != NULL)
		construct_set(construct, INST_PASSED, "a call would stop vectorisation");
	if (construct->reason == NULL && may_be_on_a_device(unit, construct))
		construct_set(construct, INST_PASSED,
		    "it may be compiled for a device: there are target regions in the file");
	if (is_disabled(unit, construct))
		construct_set(construct, INST_DISABLED, "switched off by an option");
	if (construct->status != INST_PASSED)
		split_clauses(unit, construct);
	if (construct->split.whole && directive_around(use) == NULL)
		construct_set(
		    construct, INST_PASSED, "its clauses cannot be divided among its parts");
	if (construct->hidden != NULL)
		construct_set(construct, INST_SKIPPED, construct->hidden);
	if (construct->split.error != NULL)
		construct_set(construct, INST_SKIPPED, construct->split.error);
	if (construct->no_extent != NULL)
		construct_set(construct, INST_SKIPPED, construct->no_extent);
	if (construct_has_body(construct, BODY_SECTIONS))
		find_implicit_section(unit, construct);
	if (construct_body(construct) == BODY_NONE && !construct->located->in_function)
		construct_set(construct, INST_SKIPPED, "it is not in a function");
}

const char *find_surrounding_reason(struct unit *unit, size_t offset)
{
	const char *reason = NULL;

	for (size_t i = 0; i < unit->construct_count && reason == NULL; i++) {
		const struct construct *construct = &unit->constructs[i];

		if (construct->active && construct->pragma->begin < offset &&
		    offset < construct->end && construct->status != INST_SKIPPED)
			reason = inside_reason(unit, construct);
	}
	return reason;
}

/* The directives of one attribute are replaced all together or not at all. */
static void skip_partial_sequences(struct unit *unit)
{
	const struct plan_ranges nowhere = {0, false};
	bool changed = false;

	for (size_t i = 0, end; i < unit->construct_count; i = end) {
		bool skipped = false;

		for (end = i; end < unit->construct_count && same_attribute(unit, i, end); end++)
			skipped |= unit->constructs[end].status == INST_SKIPPED;
		for (size_t j = i; j < end && skipped && end - i > 1; j++) {
			construct_set(&unit->constructs[j], INST_SKIPPED,
			    "another directive of its attribute is not instrumented");
			changed = true;
		}
	}
	for (size_t i = 0; i < unit->construct_count && changed; i++)
		if (unit->constructs[i].active)
			pass_by_surroundings(unit, &unit->constructs[i], &nowhere);
}

void plan_constructs(struct unit *unit)
{
	struct plan_ranges ranges = {0, false}, before, inside;

	unit->construct_count = unit->scan.pragma_count;
	unit->constructs =
	    arena_allocate(unit->arena, (unit->construct_count + 1) * sizeof *unit->constructs);
	for (size_t i = 0; i < unit->construct_count; i++)
		read_construct(unit, i);
	nest(unit);
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];

		if (!construct->active)
			continue;
		before = ranges;
		follow_ranges(&ranges, construct);
		/* The directive that opens or closes a range is not inside the range. */
		inside.device = ranges.device < before.device ? ranges.device : before.device;
		inside.uninstrumented = ranges.uninstrumented && before.uninstrumented;
		pass_by_surroundings(unit, construct, &inside);
		if (construct->pragma->user || construct->use.leaf_count == 0)
			continue;
		note_cancel(construct);
		decide(unit, construct);
	}
	skip_partial_sequences(unit);
}
