/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads each pragma with the directive and clause tables. In source text, macros may hide something
 * that has to be known, such as a nowait; the preprocessor's output of the line then counts.
 */
#include "reading.h"
#include "shared/search.h"

#include <string.h>

void construct_set(struct construct *construct, enum inst_status status, const char *reason)
{
	if (construct->reason != NULL)
		return; /* the first reason counts */
	construct->status = status;
	construct->reason = reason;
}

/*
 * INST_SOURCE: the line's index among those that the preprocessor kept; their count if it did not
 * keep the line.
 */
static size_t find_active(const struct inst_input *input, int line)
{
	size_t at;

	SEARCH(at, input->active_line_count, input->active_lines[at] < line);
	return at < input->active_line_count && input->active_lines[at] == line
		   ? at
		   : input->active_line_count;
}

/* The first word of the directive that no table contains and that may be a macro, or NULL. */
static const char *find_unknown(const struct construct *construct)
{
	if (construct->use.leaf_count == 0)
		return construct->use.name;
	for (size_t i = 0; i < construct->clauses.count; i++)
		if (construct->clauses.clauses[i].rule == NULL)
			return construct->clauses.clauses[i].name;
	return NULL;
}

static void read_words(struct unit *unit, struct construct *construct, const char *words)
{
	construct->use = directive_read(unit->arena, words);
	construct->name = construct->use.name;
	construct->clauses = (struct clause_list){.error = NULL};
	if (construct->use.leaf_count > 0)
		construct->clauses = clauses_read(unit->arena, construct->use.clauses);
}

/*
 * Reads a directive with unknown words again as the preprocessor expanded it; the user's own words
 * are kept for the output. Preprocessed text has no macros: there, an unknown clause is a new one.
 */
static void expand_macros(struct unit *unit, struct construct *construct, size_t active)
{
	const struct inst_input *input = unit->input;
	const char *unknown = find_unknown(construct);
	const char *words =
	    input->active_directives != NULL ? input->active_directives[active] : NULL;
	const size_t leaf_count = construct->use.leaf_count;
	const struct clause_list written = construct->clauses;

	if (unknown == NULL)
		return;
	if (words != NULL)
		read_words(unit, construct, words);
	if (words != NULL && construct->use.leaf_count == leaf_count && leaf_count > 0)
		construct->written = written;
	if (words == NULL && leaf_count > 0)
		construct->hidden =
		    arena_format(unit->arena, "'%s' may be a macro that hides a clause", unknown);
}

/*
 * The directive that follows a measured one on the same line as if combined with it, although the
 * table has no such combination; NULL if there is none. The calls around the first would then be
 * inside the second. `cancel for` and `ordered simd` are no such combinations.
 */
static const char *find_combined(struct unit *unit, const struct construct *construct)
{
	const struct clause *first = construct->clauses.clauses;

	if (construct->use.leaf_count == 0 || construct->use.leaves[0]->group == 0 ||
	    construct->clauses.count == 0 || first->arguments != NULL ||
	    directive_has(&construct->use, CONSTRUCT_ORDERED) ||
	    strcmp(first->name, "ordered") == 0)
		return NULL;
	return directive_read(unit->arena, first->name).leaf_count > 0 ? first->name : NULL;
}

/*
 * Does the user's compiler ignore the directive, because it does not know the name in this
 * spelling?
 */
static bool is_ignored(const struct inst_input *input, const struct construct *construct)
{
	for (size_t i = 0; construct->use.leaf_count > 0 && i < input->ignored_count; i++)
		if (strcmp(construct->use.written[0], input->ignored[i]) == 0)
			return true;
	return false;
}

void read_construct(struct unit *unit, size_t index)
{
	struct construct *construct = &unit->constructs[index];
	const struct inst_pragma *pragma = &unit->scan.pragmas[index];
	const struct inst_input *input = unit->input;
	const bool source = input->form == INST_SOURCE;
	size_t active = 0;

	if (source)
		active = find_active(input, scan_place(&unit->scan, pragma->begin).line);
	construct->pragma = pragma;
	construct->located = &unit->location.located[index];
	construct->end = pragma->end;
	construct->active =
	    (!source || active < input->active_line_count) && (pragma->user || !input->serial);
	if (scan_is_written(&unit->scan, pragma->begin))
		construct_set(construct, INST_PASSED, WRITTEN_BY_OMPINST);
	if (pragma->user) {
		construct->name = arena_format(unit->arena, "inst %s", pragma->words);
		construct->clauses = clauses_read(unit->arena, pragma->words);
		return;
	}
	read_words(unit, construct, pragma->words);
	if (is_ignored(input, construct)) {
		construct_set(
		    construct, INST_PASSED, "the compiler ignores a directive of this name");
		construct->name = construct->use.written[0];
		construct->use.leaf_count = 0;
		return;
	}
	if (pragma->mixed) {
		construct->name = "[[omp::]]";
		construct_set(construct, INST_SKIPPED, "another attribute stands in its brackets");
		return;
	}
	if (pragma->attribute && !input->cplusplus && !input->c_attributes)
		construct_set(
		    construct, INST_SKIPPED, "in C, some compilers ignore this attribute");
	if (source && construct->active)
		expand_macros(unit, construct, active);
	const char *combined = find_combined(unit, construct);
	if (combined != NULL)
		construct_set(construct, INST_SKIPPED,
		    arena_format(unit->arena, "'%s' is not known to combine with '%s'",
			construct->name, combined));
	if (construct->use.leaf_count == 0)
		construct_set(construct, INST_SKIPPED, "no such directive is known");
	else if (directive_is(&construct->use, CONSTRUCT_DECLARE_TARGET) &&
		 construct->clauses.count > 0)
		unit->lists_device_functions = true;
}
