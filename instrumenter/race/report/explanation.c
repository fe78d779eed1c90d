/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds the sentences of a finding: which executions are concurrent, what they access, and why it
 * is the same memory. What the source does not show is omitted, never guessed.
 */
#include "explanation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *race_place_text(struct inst_arena *arena, const struct race_side *side)
{
	if (!side->is_known)
		return "a place that ThreadSanitizer has forgotten";
	if (side->line.file != NULL)
		return arena_format(
		    arena, "%s:%d", race_short_path(side->line.file), side->line.line);
	const char *slash = strrchr(side->module, '/');
	return arena_format(
	    arena, "%s+0x%" PRIx64, slash != NULL ? slash + 1 : side->module, side->offset);
}

/* "writes" in the singular, "write" in the plural (`many`). */
static const char *verb_of(struct inst_arena *arena, const struct race_side *side, bool many)
{
	static const char *const verbs[2][3] = {
	    {"reads", "writes", "reads and writes"}, {"read", "write", "read and write"}};
	int which = side->writes ? (side->reads ? 2 : 1) : 0;

	return side->atomic ? arena_format(arena, "atomically %s", verbs[many][which])
			    : verbs[many][which];
}

/* Returns " by memcpy()". */
static const char *by_library(struct inst_arena *arena, const struct race_side *side)
{
	return side->called != NULL ? arena_format(arena, " by %s()", side->called) : "";
}

static const char *title_of(
    struct inst_arena *arena, const struct race_finding *finding, const struct race_words *words)
{
	const struct race_relation *relation = &words->relation;
	const struct race_side *side = finding->side;
	const char *what = words->expression[0] != NULL ? words->expression[0] : "memory";
	bool same =
	    relation->same_unit || (relation->at[0].unit == NULL && relation->at[1].unit == NULL);
	struct race_subject first = race_subject_of(arena, &relation->at[0], same);
	struct race_subject second = {"others", true};
	const char *order = finding->side[0].atomic != finding->side[1].atomic
				? "only atomic accesses are ordered"
				: "nothing orders them";

	if (!same)
		second = race_subject_of(arena, &relation->at[1], false);
	if (race_reads_another(finding, words))
		return arena_format(arena, "%s %s %s at %s that others read as %s: %s", first.text,
		    first.many ? "write" : "writes", what, words->place[0], words->expression[1],
		    order);
	if (finding->one_place && same)
		return arena_format(arena, "%s %s %s%s at %s: %s", first.text,
		    verb_of(arena, &side[0], first.many), what, by_library(arena, &side[0]),
		    words->place[0], order);
	const char *other = words->expression[1];
	const char *as = other != NULL && words->expression[0] != NULL &&
				 strcmp(other, words->expression[0]) != 0
			     ? arena_format(arena, " as %s", other)
			     : "";
	return arena_format(arena, "%s %s %s%s at %s that %s %s%s%s at %s: %s", first.text,
	    verb_of(arena, &side[0], first.many), what, by_library(arena, &side[0]),
	    words->place[0], second.text, verb_of(arena, &side[1], second.many), as,
	    by_library(arena, &side[1]), words->place[1], order);
}

const char *race_object_text(struct inst_arena *arena, const struct race_finding *finding)
{
	static const char *const kinds[] = {[RACE_PLACE_UNKNOWN] = NULL,
	    [RACE_PLACE_GLOBAL] = "a variable of static storage",
	    [RACE_PLACE_HEAP] = "memory from the heap",
	    [RACE_PLACE_STACK] = "a variable on a thread's stack",
	    [RACE_PLACE_TLS] = "a variable of one thread (threadprivate)"};
	const char *kind = kinds[finding->place.kind];

	if (kind == NULL)
		return NULL;
	if (finding->variable.block != NULL)
		kind = arena_format(
		    arena, "a variable of the common block /%s/", finding->variable.block);
	if (finding->variable.name != NULL)
		return finding->variable.file != NULL
			   ? arena_format(arena, "%s, %s declared at %s:%d", finding->variable.name,
				 kind, race_short_path(finding->variable.file),
				 finding->variable.line)
			   : arena_format(arena, "%s, %s", finding->variable.name, kind);
	if (finding->allocated.file != NULL)
		return arena_format(arena, "%s, allocated at %s:%d", kind,
		    race_short_path(finding->allocated.file), finding->allocated.line);
	return kind;
}

/* Data-sharing attributes are determined at constructs that create a data environment. */
static bool owns_data(const struct race_construct *construct)
{
	for (size_t i = 0; i < construct->use.leaf_count; i++)
		if (construct->use.leaves[i]->owns_data)
			return true;
	return false;
}

static const char *sharing_by_clause(struct inst_arena *arena, const struct race_text *text,
    const struct race_construct *construct, const char *name, const char *clause)
{
	const char *where = race_construct_text(arena, text, construct);

	if (strcmp(clause, "shared") == 0)
		return arena_format(arena, "%s is shared by a clause of %s", name, where);
	if (strstr(clause, "reduction") != NULL)
		return arena_format(arena,
		    "%s is in the %s clause of %s: the variable itself has its value at the end of "
		    "that only",
		    name, clause, where);
	return arena_format(arena,
	    "%s is in the %s clause of %s: what is shared is what it points to", name, clause,
	    where);
}

/*
 * Why the memory is shared, according to the constructs around the first access, from the inside
 * out. Clauses say nothing of variables in functions that a construct calls.
 */
static const char *sharing_of(struct race_sources *sources, const struct race_finding *finding,
    const struct race_words *words)
{
	struct inst_arena *arena = sources->arena;
	const struct race_position *at = &words->relation.at[0];
	const struct race_construct *owner = NULL;

	if (words->expression[0] == NULL || at->innermost == NULL || at->text != at->innermost_text)
		return NULL;
	const char *name = race_expression_base(arena, words->expression[0]);
	for (const struct race_construct *construct = at->is_called ? NULL : at->innermost;
	     construct != NULL; construct = race_parent(at->innermost_text, construct)) {
		const char *clause = race_listing_clause(construct, name);
		if (clause != NULL)
			return sharing_by_clause(
			    arena, at->innermost_text, construct, name, clause);
		if (owner == NULL && owns_data(construct))
			owner = construct;
	}
	if (finding->variable.whole != NULL && strcmp(finding->variable.whole, name) == 0)
		return arena_format(arena, "%s has static storage: it is shared by default", name);
	if (owner == NULL)
		return NULL;
	return arena_format(arena, "%s is shared by default here: no clause of %s lists it", name,
	    race_construct_text(arena, at->innermost_text, owner));
}

/* The name with which both expressions begin, as far as it is known. */
static const char *hint_of(const struct race_finding *finding)
{
	return finding->variable.whole;
}

static void find_expressions(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words)
{
	const char *hint = hint_of(finding);

	for (int i = 0; i < 2; i++) {
		const struct race_side *side = &finding->side[i];
		words->source[i] = words->statement[i] = "";
		if (side->line.file == NULL)
			continue;
		const struct race_text *text = race_source_text(sources, side->line.file);
		words->source[i] = race_source_line(sources, text, side->line.line);
		words->statement[i] =
		    race_source_statement(sources, text, side->line.line, side->line.column);
		if (side->called == NULL)
			words->expression[i] = race_source_expression(
			    sources, text, side->line.line, side->line.column, side->writes, hint);
		if (words->expression[i] == NULL && side->writes)
			words->expression[i] =
			    race_source_simd_variable(sources, text, side->line.line);
		/* Both sides access the same memory, usually by the same name. */
		if (hint == NULL && words->expression[i] != NULL && side->writes)
			hint = race_expression_base(sources->arena, words->expression[i]);
	}
	/* For a statement that writes one element and reads another. */
	if (finding->one_place && finding->side[0].reads && finding->side[0].writes &&
	    words->expression[0] != NULL)
		words->expression[1] = race_source_read(sources, words->relation.at[0].text,
		    finding->side[0].line.line, finding->side[0].line.column,
		    race_expression_base(sources->arena, words->expression[0]));
	if (finding->variable.name != NULL && words->expression[0] == NULL)
		words->expression[0] = finding->variable.name;
}

struct race_words race_explain(struct race_sources *sources, const struct race_finding *finding)
{
	struct race_words words = {.relation = race_relate(sources, finding)};

	for (int i = 0; i < 2; i++) {
		words.place[i] = race_place_text(sources->arena, &finding->side[i]);
		words.verb[i] = arena_format(sources->arena, "%s%s",
		    verb_of(sources->arena, &finding->side[i], false),
		    by_library(sources->arena, &finding->side[i]));
	}
	find_expressions(sources, finding, &words);
	words.object = race_object_text(sources->arena, finding);
	if (finding->memory.kind != RACE_NO_MEMORY_ERROR) {
		race_explain_memory(sources, finding, &words);
		return words;
	}
	words.title = title_of(sources->arena, finding, &words);
	words.sharing = sharing_of(sources, finding, &words);
	race_add_remedies(sources, finding, &words);
	return words;
}
