/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's own pragmas, `#pragma pomp inst ...` or `#pragma omp inst ...`: named regions, and
 * switches of the measurement. A call replaces the pragma's line, so the pragma must stand where a
 * block can have a statement. After `if (x)` a compiler would ignore it, and so does the engine.
 *
 * A region is instrumented as a whole or not at all: begin, end and every altend must be usable.
 *
 * POMP asks the user to write altend before each jump out of a region. Here a guard, a variable of
 * the region's block with a cleanup function, ends the region on any other way out of the block:
 * return, goto, break, continue, and in C++ exceptions. The guard is declared at the start of the
 * block, so that no jump inside the block can skip its initialisation.
 */
#include "user-pragmas.h"

#include "calls.h"
#include "delimiter.h"
#include "lexer.h"
#include "added-names.h"

#include <string.h>

/* The pragmas that are one call without a descriptor. */
static const char *const plain[] = {"init", "finalize", "on", "off"};

static bool has_name(const struct construct *construct, const char *keyword)
{
	const char *name = construct->clauses.count > 0 ? construct->clauses.clauses[0].name : "";

	return construct->active && construct->pragma->user && strcmp(name, keyword) == 0;
}

/* The region's name: the argument without blanks around it; "" when there is none. */
static const char *read_region_name(struct unit *unit, const struct construct *construct)
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
	return construct->region_name != NULL;
}

static void name_regions(struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];

		if (has_name(construct, "begin") || has_name(construct, "end") ||
		    has_name(construct, "altend"))
			construct->region_name = read_region_name(unit, construct);
	}
}

/*
 * Index of the `end` with the name of the `begin` at `index`; the construct count if there is none.
 */
static size_t find_end(struct unit *unit, size_t index, const char *name)
{
	size_t depth = 0;

	for (size_t i = index; i < unit->construct_count; i++) {
		const struct construct *construct = &unit->constructs[i];

		if (!is_region_pragma(construct) || strcmp(construct->region_name, name) != 0)
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

/* Does this pragma, one of the region [first, last], belong to the region called `name`? */
static bool belongs_to(const struct construct *construct, const char *name)
{
	return is_region_pragma(construct) && strcmp(construct->region_name, name) == 0;
}

/* Why a region cannot be instrumented, or NULL. */
static const char *region_problem(struct unit *unit, size_t first, size_t last, const char *name)
{
	if (*name == '\0')
		return "it has no name";
	if (last == unit->construct_count)
		return "no end with its name follows";
	for (size_t i = first; i <= last; i++)
		if (belongs_to(&unit->constructs[i], name) &&
		    !unit->constructs[i].located->in_block)
			return "one of its pragmas is not directly in a block";
	return NULL;
}

/* Does the text between `begin` and `end` contain a word that can leave a block? */
static bool holds_jump(const struct unit *unit, size_t begin, size_t end)
{
	static const char *const words[] = {"return", "goto", "break", "continue", "co_return"};
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, unit->input->text, end, begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (token_is(&lexer, &token, words[i]))
				return true;
	return false;
}

/* Can a label or a case inside the block let control enter it other than through its brace? */
static bool is_entered_inside(const struct unit *unit, const struct located *block)
{
	struct lexer lexer;
	struct token token, previous = {TOKEN_END, 0, 0, 0};
	size_t switches = 0;

	if (block->block_of_function)
		return false;
	if (block->block_of_switch)
		return true;
	lexer_init(&lexer, unit->input->text, block->block_end, block->block_begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		struct lexer ahead = lexer;
		bool starts =
		    previous.punctuator != 0 && strchr(";{}:)", previous.punctuator) != NULL;

		if (token_is(&lexer, &token, "switch"))
			switches++;
		else if (token_is(&lexer, &token, "case") || token_is(&lexer, &token, "default")) {
			if (switches == 0)
				return true;
		} else if (starts && token.kind == TOKEN_IDENTIFIER &&
			   lexer_next(&ahead).punctuator == ':' &&
			   lexer_next(&ahead).punctuator != ':')
			return true;
		previous = token;
	}
	return false;
}

/*
 * Sets *behind to where the block's declarations can begin; false if the brace comes from a macro.
 */
static bool find_start(const struct unit *unit, const struct located *block, size_t *behind)
{
	*behind = block_declarations(unit->input->text, block->block_end, block->block_begin);
	return *behind != 0;
}

/* Does the region [first, last] need a guard, and can it have one? */
static bool wants_guard(struct unit *unit, size_t first, size_t last, const char *name)
{
	const struct construct *begin = &unit->constructs[first];
	const struct construct *end = &unit->constructs[last];
	size_t behind;

	for (size_t i = first; i <= last; i++)
		if (belongs_to(&unit->constructs[i], name) &&
		    unit->constructs[i].parent != begin->parent)
			return false; /* there the variable may be out of scope */
	return end->pragma->begin < begin->located->block_end &&
	       (unit->input->cplusplus ||
		   holds_jump(unit, begin->pragma->end, end->pragma->begin)) &&
	       find_start(unit, begin->located, &behind) &&
	       !is_entered_inside(unit, begin->located);
}

static void emit_guard(struct unit *unit, const struct construct *begin, const char *variable)
{
	struct inst_buffer code = {.arena = unit->arena};
	size_t behind;

	find_start(unit, begin->located, &behind);
	if (unit->includes_header)
		buffer_format(&code, "POMP_GUARD(%s);", variable);
	else
		buffer_format(&code, "__attribute__((__cleanup__(%s_leave))) void *%s = 0;",
		    unit->array, variable);
	add_remark(unit, &code, "ends region %s if it is left early", begin->region_name);
	edit_add(unit->arena, &unit->edits,
	    (struct edit){EDIT_OPEN, behind, behind, (size_t)(begin - unit->constructs), code.data,
		.anchor = begin->pragma->begin});
	unit->guards_regions = true;
}

/* Replaces one pragma of a region with its code. */
static void emit_region_call(struct unit *unit, struct construct *construct, bool begins,
    size_t descriptor, const char *guard)
{
	struct inst_buffer code = {.arena = unit->arena};

	add_call(unit, &code, begins ? "begin" : "end", descriptor, NULL, false);
	if (guard != NULL)
		buffer_format(
		    &code, " %s = %s;", guard, begins ? descriptor_address(unit, descriptor) : "0");
	add_remark(
	    unit, &code, "%s %s", construct->clauses.clauses[0].name, construct->region_name);
	edit_add(unit->arena, &unit->edits,
	    (struct edit){EDIT_REPLACE, construct->pragma->begin, construct->pragma->end,
		(size_t)(construct - unit->constructs), code.data,
		.anchor = construct->pragma->begin});
}

static void emit_region(struct unit *unit, size_t first)
{
	struct construct *begin = &unit->constructs[first];
	const char *name = begin->region_name;
	size_t last = find_end(unit, first, name);
	const char *problem = region_problem(unit, first, last, name);
	enum inst_status status = begin->reason != NULL ? begin->status : INST_SKIPPED;
	size_t descriptor = 0;
	const char *guard = NULL;

	if (begin->reason != NULL)
		problem = begin->reason;
	if (last == unit->construct_count)
		last = first;
	if (problem == NULL) {
		descriptor = add_descriptor(unit, construct_name(CONSTRUCT_REGION), name,
		    begin->pragma, unit->constructs[last].pragma, 0);
		unit->descriptors[descriptor].last_use = unit->constructs[last].pragma->begin;
		name_descriptor(unit, descriptor, construct_name(CONSTRUCT_REGION));
		if (wants_guard(unit, first, last, name)) {
			guard = local_name(unit, "region", begin->pragma->begin, descriptor);
			emit_guard(unit, begin, guard);
		}
	}
	for (size_t i = first; i <= last; i++) {
		struct construct *construct = &unit->constructs[i];

		if (!belongs_to(construct, name) ||
		    (i != first && i != last && !has_name(construct, "altend")))
			continue;
		if (problem != NULL)
			skip(construct, status, problem);
		else
			emit_region_call(unit, construct, i == first, descriptor, guard);
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
	edit_add(unit->arena, &unit->edits,
	    (struct edit){EDIT_REPLACE, construct->pragma->begin, construct->pragma->end,
		(size_t)(construct - unit->constructs), code.data,
		.anchor = construct->pragma->begin});
}

void emit_regions(struct unit *unit)
{
	bool disabled = (unit->options->disabled & DIRECTIVE_GROUP(GROUP_REGION)) != 0;

	for (size_t i = 0; i < unit->construct_count; i++)
		if (disabled && unit->constructs[i].pragma->user)
			skip(&unit->constructs[i], INST_DISABLED, "switched off by an option");
	name_regions(unit);
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
