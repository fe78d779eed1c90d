/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One text from start to end: scan, tree, the events of each function, then each check. Everything
 * lives in one arena that the result owns.
 */
#include "lint.h"

#include "checks.h"
#include "lock-names.h"

#include <stdlib.h>
#include <string.h>

static lint_check_function *const functions[LINT_CHECK_COUNT] = {
#define CHECK(id, name, on, race, function, about) [LINT_##id] = lint_check_##function,
    LINT_CHECKS(CHECK)
#undef CHECK
};

/* Runs each function of the table once; findings of checks that are not enabled are dropped. */
static void run_checks(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < LINT_CHECK_COUNT; i++) {
		bool first = true;

		for (size_t j = 0; j < LINT_CHECK_COUNT; j++)
			if (functions[j] == functions[i])
				first &= j >= i;
		if (first)
			functions[i](unit, function);
	}
	lint_check_witnesses(unit, function);
}

static int compare_findings(const void *left, const void *right)
{
	const struct lint_finding *a = left, *b = right;
	int files = strcmp(a->place.file, b->place.file);

	if (files != 0)
		return files;
	if (a->place.line != b->place.line)
		return a->place.line < b->place.line ? -1 : 1;
	if (a->place.column != b->place.column)
		return a->place.column < b->place.column ? -1 : 1;
	return (int)a->check - (int)b->check;
}

static void add_errors(struct lint_unit *unit)
{
	for (size_t i = 0; i < unit->tree.error_count; i++) {
		struct inst_place place = scan_place(unit->tree.scan, unit->tree.errors[i].offset);

		*ARENA_ADD(unit->tree.arena, unit->findings, unit->count, unit->room) =
		    (struct lint_finding){LINT_CHECK_COUNT, {place.file, place.line, place.column},
			unit->tree.errors[i].text, {"", 0, 0}, "", NULL, 0};
	}
}

static const char *check_text(struct lint_unit *unit, struct lint_result *result)
{
	struct tree_unit *tree = &unit->tree;

	tree_read(tree);
	if (tree->failure != NULL)
		return tree->failure;
	unit->functions =
	    arena_allocate(tree->arena, (tree->function_count + 1) * sizeof *unit->functions);
	for (size_t i = 0; i < tree->function_count; i++)
		unit->functions[i] = model_read_function(tree, &tree->functions[i]);
	for (size_t i = 0; i < tree->function_count; i++)
		if (!tree->functions[i].faulty)
			run_checks(unit, &unit->functions[i]);
	add_errors(unit);
	if (unit->count > 1)
		qsort(unit->findings, unit->count, sizeof *unit->findings, compare_findings);
	result->findings = unit->findings;
	result->finding_count = unit->count;
	return NULL;
}

static int fail(
    struct lint_result *result, struct inst_arena *arena, const char *message, char **error)
{
	*result = (struct lint_result){0};
	*error = strdup(message);
	arena_finish(arena);
	free(arena);
	return -1;
}

int inst_lint(
    const struct inst_input *input, lint_set checks, struct lint_result *result, char **error)
{
	struct inst_arena *arena = calloc(1, sizeof *arena);
	struct inst_scan scan = {0};
	struct lint_unit unit = {
	    .tree = {.arena = arena, .input = input, .scan = &scan}, .enabled = checks};
	const char *problem;
	size_t lock_count;

	*result = (struct lint_result){0};
	*error = NULL;
	if (arena == NULL) {
		*error = strdup("out of memory");
		return -1;
	}
	if (setjmp(arena->out_of_memory) != 0)
		return fail(result, arena, "out of memory", error);
	scan_text(arena, input->text, input->length, input->file_name, &scan);
	/* A text without directives and locks needs no parsing. */
	find_lock_names(arena, input->text, input->length, &lock_count);
	problem = scan.pragma_count + lock_count > 0 ? check_text(&unit, result) : NULL;
	if (problem != NULL)
		return fail(result, arena, problem, error);
	result->owner = arena;
	return 0;
}

void inst_lint_free(struct lint_result *result)
{
	if (result->owner != NULL) {
		arena_finish(result->owner);
		free(result->owner);
	}
	*result = (struct lint_result){0};
}
