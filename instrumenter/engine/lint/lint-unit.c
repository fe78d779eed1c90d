/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores what the checks report: places in the user's files, each finding once. */
#include "lint-unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lint_text(struct lint_unit *unit, const char *format, ...)
{
	char text[1024];
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (length < 0)
		length = 0;
	return arena_copy(unit->tree.arena, text,
	    (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static struct lint_place place_of(const struct lint_unit *unit, size_t offset, bool first)
{
	struct inst_place place = scan_place(unit->tree.scan, offset);

	return (struct lint_place){place.file, place.line, first ? 0 : place.column};
}

static void add(struct lint_unit *unit, enum lint_check check, struct lint_place place,
    const char *message, struct lint_remedy remedy)
{
	struct lint_finding finding = {check, place, message, {"", 0, 0}, "", NULL, 0};

	if ((unit->enabled & LINT_BIT(check)) == 0)
		return;
	for (size_t i = 0; i < unit->count; i++)
		if (unit->findings[i].check == check &&
		    unit->findings[i].place.line == place.line &&
		    unit->findings[i].place.column == place.column &&
		    strcmp(unit->findings[i].place.file, place.file) == 0) {
			if (unit->findings[i].fix_count == 0 && !remedy.fixes.refused) {
				unit->findings[i].fixes = remedy.fixes.all;
				unit->findings[i].fix_count = remedy.fixes.count;
			}
			return;
		}
	if (remedy.text != NULL && (remedy.directive != NULL || remedy.node != NULL)) {
		finding.note = remedy.text;
		finding.note_place =
		    remedy.directive != NULL
			? place_of(unit, remedy.directive->pragma->begin, true)
			: place_of(unit, remedy.node->begin, remedy.node->kind == TREE_CONSTRUCT);
	}
	if (!remedy.fixes.refused) {
		finding.fixes = remedy.fixes.all;
		finding.fix_count = remedy.fixes.count;
	}
	*ARENA_ADD(unit->tree.arena, unit->findings, unit->count, unit->room) = finding;
}

void lint_report(struct lint_unit *unit, enum lint_check check, const struct tree *node,
    const char *message, struct lint_remedy remedy)
{
	add(unit, check, place_of(unit, node->begin, node->kind == TREE_CONSTRUCT), message,
	    remedy);
}

void lint_report_directive(struct lint_unit *unit, enum lint_check check,
    const struct tree_construct *construct, const char *message, struct lint_remedy remedy)
{
	add(unit, check, place_of(unit, construct->pragma->begin, true), message, remedy);
}

int lint_line(const struct lint_unit *unit, const struct tree *node)
{
	return scan_place(unit->tree.scan, node->begin).line;
}

const char *lint_owner(const struct tree_construct *construct)
{
	return construct_has(construct, MODEL_LOOP_CONSTRUCTS) ? "the loop's" : "the region's";
}

struct model_function *lint_find_function(struct lint_unit *unit, size_t offset)
{
	for (size_t i = 0; i < unit->tree.function_count && offset != 0; i++)
		if (unit->tree.functions[i].offset == offset)
			return &unit->functions[i];
	return NULL;
}

const struct tree_construct *lint_around(const struct tree_construct *construct, uint64_t leaves)
{
	while (construct != NULL && !construct_has(construct, leaves))
		construct = construct->parent;
	return construct;
}

static bool is_at(
    const struct lint_unit *unit, size_t offset, const struct lint_witness *witness, int side)
{
	const struct inst_place place = scan_place(unit->tree.scan, offset);
	const char *slash = strrchr(place.file, '/');

	return place.line == witness->line[side] &&
	       strcmp(slash != NULL ? slash + 1 : place.file, witness->file[side]) == 0;
}

/* Compilers give accesses that a construct makes the line of its directive. */
bool lint_is_side(const struct lint_unit *unit, const struct model_event *event,
    const struct lint_witness *witness, int side)
{
	const struct tree_construct *at = event->construct;

	if (witness->name[0] != '\0' && strcmp(event->variable->name, witness->name) != 0)
		return false;
	if (is_at(unit, event->name->begin, witness, side))
		return true;
	while (at != NULL && ((!construct_has(at, CONSTRUCT_BIT(ATOMIC)) &&
				  !model_clauses_mention(at, event->variable->name)) ||
				 !is_at(unit, at->pragma->begin, witness, side)))
		at = at->parent;
	return at != NULL;
}

bool lint_is_witnessed(const struct lint_unit *unit, const struct model_event *event)
{
	const struct inst_input *input = unit->tree.input;

	for (size_t i = 0; i < input->witness_count; i++)
		if (input->witnesses[i].name[0] != '\0' &&
		    (lint_is_side(unit, event, &input->witnesses[i], 0) ||
			lint_is_side(unit, event, &input->witnesses[i], 1)))
			return true;
	return false;
}

static bool visit_jump(struct tree *node, void *context)
{
	bool *found = context;

	*found |= node->kind == TREE_BREAK || node->kind == TREE_CONTINUE ||
		  node->kind == TREE_RETURN || node->kind == TREE_GOTO;
	return !*found;
}

bool lint_has_jump(struct tree *node)
{
	bool found = false;

	model_visit(node, visit_jump, &found);
	return found;
}

bool lint_is_captured(const struct model_function *function, const struct tree_variable *variable)
{
	return function->function->lambda &&
	       (variable->scope == SCOPE_LOCAL || variable->scope == SCOPE_PARAMETER) &&
	       (variable->offset < function->function->begin ||
		   variable->offset >= function->function->end);
}

static bool visit_call(struct tree *node, void *context)
{
	struct lint_calls *calls = context;

	if (node->kind == TREE_CALL && node->name != NULL) {
		*ARENA_ADD(calls->arena, calls->all, calls->count, calls->room) = node;
	}
	return node->kind != TREE_LAMBDA;
}

struct lint_calls lint_collect_calls(struct lint_unit *unit, const struct model_function *function)
{
	struct lint_calls calls = {.arena = unit->tree.arena};

	model_visit(function->function->body, visit_call, &calls);
	return calls;
}

const char *lint_critical_name(const struct tree_construct *construct)
{
	const struct clause *name = find_clause(&construct->clauses, "");

	return name != NULL && name->arguments != NULL ? name->arguments : "";
}
