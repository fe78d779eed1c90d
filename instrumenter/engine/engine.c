/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rewrite from start to end: scan, locate, plan, emit, apply. Everything lives in one arena
 * that the result owns; a failed allocation jumps back to inst_rewrite().
 */
#include "engine.h"

#include "cxx-modules.h"
#include "emit.h"
#include "functions.h"
#include "lock-names.h"
#include "lock-routines.h"
#include "added-names.h"
#include "plan.h"
#include "preamble.h"
#include "tunable-loops.h"
#include "user-pragmas.h"
#include "user-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports the functions that begin before `offset` and are not in the report yet. */
static void fill_functions(
    const struct unit *unit, size_t *next, size_t offset, struct inst_result *result)
{
	while (*next < unit->reported_count && unit->reported_functions[*next].begin < offset)
		result->constructs[result->construct_count++] =
		    unit->reported_functions[(*next)++].construct;
}

/* The report: one entry for each pragma of OpenMP or pomp, and for each function. */
static void fill_constructs(struct unit *unit, struct inst_result *result)
{
	struct user_file file = {.text = NULL};
	struct inst_place previous = {.file = "", .line = 0};
	size_t function = 0, before = 0;

	result->constructs = arena_allocate(unit->arena,
	    (unit->construct_count + unit->reported_count + 1) * sizeof *result->constructs);
	for (size_t i = 0; i < unit->construct_count; i++) {
		const struct construct *construct = &unit->constructs[i];
		struct inst_place place = scan_place(&unit->scan, construct->pragma->begin);

		if (!construct->active)
			continue;
		before = place.line == previous.line && strcmp(place.file, previous.file) == 0
			     ? before + 1
			     : 0;
		previous = place;
		fill_functions(unit, &function, construct->pragma->begin, result);
		result->constructs[result->construct_count++] = (struct inst_construct){
		    .status = construct->status,
		    .directive = construct->name,
		    .reason = construct->reason,
		    .file = place.file,
		    .line = place.line,
		    .column = user_column(unit, &file, construct->pragma, place, before),
		    .parts = construct->parts,
		    .part_count = construct->part_count,
		};
	}
	fill_functions(unit, &function, (size_t)-1, result);
}

/*
 * Is this a disabled directive whose default clause hides the descriptors from instrumented code
 * inside it? It is then emitted with the descriptors as shared.
 */
static bool must_share_array(struct unit *unit, const struct construct *construct)
{
	return construct->status == INST_DISABLED &&
	       clauses_restrict_default(&construct->clauses) && construct->no_extent == NULL &&
	       construct->split.error == NULL && *list_descriptors(unit, construct) != '\0';
}

static bool needs_external_array(const struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count; i++)
		if (unit->constructs[i].status == INST_INSTRUMENTED &&
		    unit->constructs[i].located->in_inline &&
		    (!unit->input->cplusplus || unit->module))
			return true;
	return false;
}

/* Is another directive of the same attribute turned into a pragma? */
static bool is_replaced(struct unit *unit, size_t index)
{
	size_t first = index, last = index;

	while (first > 0 && same_attribute(unit, first - 1, index))
		first--;
	while (last + 1 < unit->construct_count && same_attribute(unit, last + 1, index))
		last++;
	for (size_t i = first; i <= last; i++)
		if (i != index && (unit->constructs[i].status == INST_INSTRUMENTED ||
				      must_share_array(unit, &unit->constructs[i])))
			return true;
	return false;
}

/*
 * Plans the calls of all instrumented constructs. A disabled construct, which may have to share the
 * descriptors, gets no calls.
 */
static void plan_all_calls(struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];

		if (construct->active && !construct->pragma->user &&
		    (construct->status == INST_INSTRUMENTED || construct->status == INST_DISABLED))
			plan_calls(unit, construct);
	}
}

static void emit_constructs(struct unit *unit)
{
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];

		if (construct->active && !construct->pragma->user &&
		    construct->status == INST_INSTRUMENTED)
			emit_construct(unit, construct);
	}
	for (size_t i = 0; i < unit->construct_count; i++) {
		struct construct *construct = &unit->constructs[i];

		if (!construct->active || construct->status == INST_INSTRUMENTED)
			continue;
		if (must_share_array(unit, construct))
			emit_construct(unit, construct);
		else if (construct->pragma->attribute && is_replaced(unit, i))
			emit_unchanged(unit, construct);
	}
}

/* For a text about which nothing needs to be known; libclang does not read it. */
static struct location_result locate_nothing(struct inst_arena *arena, const struct inst_scan *scan)
{
	struct location_result result = {.error = NULL};

	result.located = arena_allocate(arena, (scan->pragma_count + 1) * sizeof *result.located);
	for (size_t i = 0; i < scan->pragma_count; i++)
		result.located[i].function = "";
	return result;
}

static const char *rewrite(struct unit *unit, struct inst_buffer *out)
{
	const struct inst_input *input = unit->input;
	size_t lock_count;

	scan_text(unit->arena, input->text, input->length, input->file_name, &unit->scan);
	find_lock_names(unit->arena, input->text, input->length, &lock_count);
	if (unit->options->no_directives ||
	    (unit->scan.pragma_count == 0 && (lock_count == 0 || !unit->options->locks) &&
		!unit->options->functions)) {
		buffer_add(out, input->text, input->length);
		return NULL;
	}
	unit->written = scan_all_written(&unit->scan, input->length);
	struct inst_input plain = *input;
	size_t first_code = unit->scan.first_code;
	plain.text = text_without_modules(unit->arena, input, &unit->scan.first_code);
	unit->module = unit->scan.first_code != first_code;
	unit->location = unit->written ? locate_nothing(unit->arena, &unit->scan)
				       : locate_statements(unit->arena, &plain, &unit->scan,
					     unit->options->functions);
	if (unit->location.error != NULL)
		return unit->location.error;
	unit->array = array_name(unit->arena, input, &unit->scan);
	choose_names(unit);
	plan_constructs(unit);
	unit->array_external = needs_external_array(unit);
	plan_schedules(unit);
	plan_grains(unit);
	plan_all_calls(unit);
	emit_regions(unit);
	emit_functions(unit);
	emit_constructs(unit); /* last: a restrictive default makes it list all descriptors */
	if (unit->options->locks && !input->serial)
		emit_locks(unit);
	emit_preamble(unit);
	return edits_apply(input, &unit->scan, &unit->edits, out);
}

static int fail(
    struct inst_result *result, struct inst_arena *arena, const char *message, char **error)
{
	*result = (struct inst_result){0};
	*error = strdup(message);
	arena_finish(arena);
	free(arena);
	return -1;
}

int inst_rewrite(const struct inst_input *input, const struct inst_options *options,
    struct inst_result *result, char **error)
{
	struct inst_arena *arena = calloc(1, sizeof *arena);
	struct inst_buffer out = {.arena = arena};
	struct unit unit = {.arena = arena, .input = input, .options = options};
	const char *problem;
	char *text;

	*result = (struct inst_result){0};
	*error = NULL;
	if (arena == NULL) {
		*error = strdup("out of memory");
		return -1;
	}
	if (setjmp(arena->out_of_memory) != 0)
		return fail(result, arena, "out of memory", error);
	problem = rewrite(&unit, &out);
	if (problem != NULL)
		return fail(result, arena, problem, error);
	text = malloc(out.length + 1);
	if (text == NULL)
		return fail(result, arena, "out of memory", error);
	memcpy(text, out.data, out.length + 1);
	fill_constructs(&unit, result);
	result->text = text;
	result->length = out.length;
	result->edit_count = unit.edits.count;
	result->written = unit.written;
	result->owner = arena;
	return 0;
}

void inst_result_free(struct inst_result *result)
{
	free(result->text);
	if (result->owner != NULL) {
		arena_finish(result->owner);
		free(result->owner);
	}
	*result = (struct inst_result){0};
}
