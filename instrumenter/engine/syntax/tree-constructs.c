/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts directives into the tree: a directive with a body becomes a node around the next statement,
 * one without a body becomes a statement of its own. A `section` contains the statements up to the
 * next one. The directive table determines which directive has what body.
 */
#include "tree-constructs.h"

#include <string.h>

struct tree *tree_new(struct tree_unit *unit, enum tree_kind kind, size_t begin, size_t end)
{
	struct tree *node = arena_allocate(unit->arena, sizeof *node);

	node->kind = kind;
	node->begin = begin;
	node->end = end;
	return node;
}

void tree_add(struct tree_unit *unit, struct tree *parent, struct tree *child)
{
	*ARENA_ADD(unit->arena, parent->children, parent->count, parent->room) = child;
	if (child != NULL)
		child->parent = parent;
}

static enum directive_body body_of(const struct tree_construct *construct)
{
	enum construct_id last;

	if (construct->use.leaf_count == 0)
		return BODY_NONE;
	last = construct->use.leaves[construct->use.leaf_count - 1]->id;
	if (last == CONSTRUCT_ORDERED && (find_clause(&construct->clauses, "depend") != NULL ||
					     find_clause(&construct->clauses, "doacross") != NULL))
		return BODY_NONE;
	return construct->use.leaves[construct->use.leaf_count - 1]->body;
}

static struct tree *new_construct(
    struct tree_unit *unit, const struct inst_pragma *pragma, const char *words)
{
	struct tree *node = tree_new(unit, TREE_CONSTRUCT, pragma->begin, pragma->end);
	struct tree_construct *construct = arena_allocate(unit->arena, sizeof *construct);

	construct->pragma = pragma;
	construct->use = directive_read(unit->arena, words);
	if (construct->use.leaf_count > 0)
		construct->clauses = clauses_read(unit->arena, construct->use.clauses);
	for (size_t i = 0; i < construct->use.leaf_count; i++)
		construct->leaves |= directive_bit(construct->use.leaves[i]);
	construct->node = node;
	node->construct = construct;
	*ARENA_ADD(unit->arena, unit->constructs, unit->construct_count, unit->construct_room) =
	    construct;
	return node;
}

/* The parent for a statement at this place, once its directives are placed. */
static struct tree *parent_at(const struct tree_place *place)
{
	if (place->waiting != NULL)
		return place->waiting;
	return place->section != NULL ? place->section : place->list;
}

static void open_section(struct tree_unit *unit, struct tree_place *place,
    const struct inst_pragma *pragma, bool implicit)
{
	struct tree *node = new_construct(unit, pragma, "section");
	struct tree *block = tree_new(unit, TREE_BLOCK, pragma->end, pragma->end);

	node->construct->implicit = implicit;
	place->waiting = NULL;
	tree_add(unit, place->list, node);
	tree_add(unit, node, block);
	place->section = block;
}

const struct inst_pragma *tree_sections_of(const struct tree *waiting)
{
	const struct directive_use *use;

	if (waiting == NULL)
		return NULL;
	use = &waiting->construct->use;
	return use->leaf_count > 0 && use->leaves[use->leaf_count - 1]->id == CONSTRUCT_SECTIONS
		   ? waiting->construct->pragma
		   : NULL;
}

static void place_one(
    struct tree_pragmas *pragmas, struct tree_place *place, const struct inst_pragma *pragma)
{
	struct tree_unit *unit = pragmas->unit;
	struct directive_use use = directive_read(unit->arena, pragma->words);

	if (directive_is(&use, CONSTRUCT_SECTION) && place->sections != NULL) {
		open_section(unit, place, pragma, false);
		return;
	}
	struct tree *parent = parent_at(place);
	struct tree *node = new_construct(unit, pragma, pragma->words);
	enum directive_body body = body_of(node->construct);

	tree_add(unit, parent, node);
	place->waiting = body != BODY_NONE && body != BODY_DECLARATION ? node : NULL;
}

void tree_place_directives(struct tree_pragmas *pragmas, struct tree_place *place, size_t offset)
{
	const struct inst_scan *scan = pragmas->unit->scan;

	while (pragmas->next < scan->pragma_count && scan->pragmas[pragmas->next].begin < offset) {
		const struct inst_pragma *pragma = &scan->pragmas[pragmas->next++];

		if (!pragma->user)
			place_one(pragmas, place, pragma);
	}
}

void tree_place_statement(
    struct tree_pragmas *pragmas, struct tree_place *place, struct tree *statement)
{
	if (place->sections != NULL && place->section == NULL && place->waiting == NULL)
		open_section(pragmas->unit, place, place->sections, true);
	struct tree *parent = parent_at(place);

	tree_add(pragmas->unit, parent, statement);
	if (parent == place->section && statement->end > parent->end)
		parent->end = statement->end;
	for (struct tree *node = place->waiting; node != NULL && node->kind == TREE_CONSTRUCT;
	     node = node->parent)
		node->end = statement->end;
	place->waiting = NULL;
}
