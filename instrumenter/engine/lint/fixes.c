/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The changes of remedies, as places and words. Nothing is edited here: the text is preprocessed,
 * and only the user's file shows which of its words are there.
 */
#include "fixes.h"

#include "clause-table.h"
#include "reduction-form.h"

#include <string.h>

static void push(struct lint_unit *unit, struct lint_fixes *fixes, struct lint_fix fix)
{
	*ARENA_ADD(unit->tree.arena, fixes->all, fixes->count, fixes->room) = fix;
}

static struct lint_place place_of(const struct lint_unit *unit, size_t offset)
{
	struct inst_place place = scan_place(unit->tree.scan, offset);

	return (struct lint_place){place.file, place.line, place.column};
}

/*
 * Is the directive a line of its own in the user's file, as far as the preprocessed text shows? Two
 * directives at one place come from a macro, or from a file that is included twice.
 */
static bool is_editable(const struct lint_unit *unit, const struct inst_pragma *pragma)
{
	const struct lint_place place = place_of(unit, pragma->begin);

	if (pragma->attribute || !pragma->whole_lines)
		return false;
	for (size_t i = 0; i < unit->tree.scan->pragma_count; i++) {
		const struct inst_pragma *other = &unit->tree.scan->pragmas[i];
		const struct lint_place also = place_of(unit, other->begin);

		if (other != pragma && also.line == place.line &&
		    strcmp(also.file, place.file) == 0)
			return false;
	}
	return true;
}

static void change(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, enum lint_change change, const char *text)
{
	if (construct->implicit || !is_editable(unit, construct->pragma)) {
		lint_fix_refuse(fixes);
		return;
	}
	push(unit, fixes,
	    (struct lint_fix){
		change, place_of(unit, construct->pragma->begin), true, construct->use.name, text});
}

void lint_fix_add(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *clause)
{
	change(unit, fixes, construct, LINT_CHANGE_ADD, clause);
}

void lint_fix_remove(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *clause)
{
	change(unit, fixes, construct, LINT_CHANGE_REMOVE, clause);
}

void lint_fix_name(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *critical, const char *name)
{
	change(unit, fixes, critical, LINT_CHANGE_NAME, name);
}

void lint_fix_replace(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *directive)
{
	change(unit, fixes, construct, LINT_CHANGE_OTHER, directive);
}

static bool accepts(const struct tree_construct *construct, const char *clause)
{
	const struct clause_rule *rule = clause_rule_find(clause);

	return (rule != NULL && construct_has(construct, rule->accepted_by)) ||
	       (construct_has(construct, CONSTRUCT_BIT(TASK)) &&
		   strcmp(clause, "firstprivate") == 0) ||
	       (construct_has(construct, CONSTRUCT_BIT(TEAMS)) && strcmp(clause, "reduction") == 0);
}

void lint_fix_list(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const char *from, const char *clause,
    const char *operation, const char *variable)
{
	const bool listed = model_clause_lists(construct, from, variable);

	if (!accepts(construct, clause) ||
	    (!listed && model_clauses_mention(construct, variable))) {
		lint_fix_refuse(fixes);
		return;
	}
	if (listed)
		lint_fix_remove(unit, fixes, construct, lint_text(unit, "%s(%s)", from, variable));
	lint_fix_add(
	    unit, fixes, construct, lint_text(unit, "%s(%s%s)", clause, operation, variable));
}

bool lint_is_statement(const struct tree *node)
{
	const struct tree *parent = node->parent;

	if (parent == NULL)
		return false;
	switch (parent->kind) {
	case TREE_BLOCK:
	case TREE_CONSTRUCT:
	case TREE_LABEL:
		return true;
	case TREE_IF:
		return node != parent->children[0];
	case TREE_FOR:
		return node == parent->children[3];
	case TREE_WHILE:
	case TREE_RANGE:
		return node == parent->children[1];
	case TREE_DO:
		return node == parent->children[0];
	default:
		return false;
	}
}

bool lint_has_braces(const struct lint_unit *unit, const struct tree *block)
{
	return block->kind == TREE_BLOCK && unit->tree.input->text[block->begin] == '{';
}

void lint_fix_before(struct lint_unit *unit, struct lint_fixes *fixes, const struct tree *node,
    const char *directive, bool alone)
{
	if (!lint_is_statement(node) || (alone && node->parent->kind != TREE_BLOCK)) {
		lint_fix_refuse(fixes);
	} else if (node->kind == TREE_CONSTRUCT) {
		change(unit, fixes, node->construct, LINT_CHANGE_BEFORE, directive);
	} else {
		push(unit, fixes,
		    (struct lint_fix){LINT_CHANGE_BEFORE, place_of(unit, node->begin), false,
			model_text(&unit->tree, node), directive});
	}
}

void lint_fix_words(struct lint_unit *unit, struct lint_fixes *fixes, enum lint_change change,
    size_t offset, const char *at, const char *text)
{
	push(unit, fixes, (struct lint_fix){change, place_of(unit, offset), false, at, text});
}

void lint_fix_elements(struct lint_unit *unit, struct lint_fixes *fixes, const struct tree *node,
    const char *array, const char *text, int count)
{
	struct lint_place place = place_of(unit, node->begin);

	place.column = count;
	push(unit, fixes, (struct lint_fix){LINT_CHANGE_ELEMENT, place, false, array, text});
}

void lint_fix_count(struct lint_unit *unit, struct lint_fixes *fixes, size_t begin, size_t end,
    const char *word, size_t count)
{
	struct lint_place place = place_of(unit, begin);
	const struct lint_place last = place_of(unit, end);

	place.column = (int)count;
	if (strcmp(place.file, last.file) != 0)
		lint_fix_refuse(fixes);
	push(unit, fixes,
	    (struct lint_fix){
		LINT_CHANGE_COUNT, place, false, word, lint_text(unit, "%d", last.line)});
}

static const char *first_line(struct lint_unit *unit, const struct model_function *function)
{
	return lint_text(unit, "%d", place_of(unit, function->function->begin).line);
}

void lint_fix_keep(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree *node, const char *at)
{
	lint_fix_words(
	    unit, fixes, LINT_CHANGE_NOTHING, node->begin, at, first_line(unit, function));
}

void lint_fix_move(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct tree *behind)
{
	const char *text = lint_text(unit, "#pragma omp %s", construct->use.name);
	const struct lint_place end = place_of(unit, behind->end - 1);

	change(unit, fixes, construct, LINT_CHANGE_NOTHING, first_line(unit, function));
	change(unit, fixes, construct, LINT_CHANGE_DELETE, "");
	push(unit, fixes, (struct lint_fix){LINT_CHANGE_AFTER, end, false, "}", text});
}

struct tree *lint_update_form(
    const struct lint_unit *unit, const struct model_event *event, char *operation)
{
	static const char *const operators[] = {"+=", "-=", "*=", "&=", "|=", "^="};
	struct tree *node = event->object->parent;

	if (node == NULL || !lint_is_statement(node) ||
	    (event->element && unit->tree.input->cplusplus))
		return NULL;
	*operation = '+';
	if (node->kind == TREE_UNARY)
		return strcmp(node->name, "++") == 0 || strcmp(node->name, "--") == 0 ? node : NULL;
	if (node->kind != TREE_ASSIGN || node->children[0] != event->object ||
	    lint_count_names(node->children[1], event->variable) > 0)
		return NULL;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (strcmp(node->name, operators[i]) == 0) {
			*operation = operators[i][0];
			if (*operation == '-')
				*operation = '+';
			return node;
		}
	return NULL;
}

bool lint_allows_atomic(const struct tree_construct *construct)
{
	for (; construct != NULL; construct = construct->parent)
		if (construct_has(construct, CONSTRUCT_BIT(SIMD) | CONSTRUCT_BIT(LOOP)) ||
		    find_clause(&construct->clauses, "order") != NULL)
			return false;
	return true;
}

/* Is it the read of a pointer by which another event of the function reaches an element? */
static bool is_path(const struct model_function *function, const struct model_event *event)
{
	for (size_t i = 0; i < function->count && event->kind == EVENT_READ; i++)
		if (function->events[i].element && function->events[i].name == event->name)
			return true;
	return false;
}

/* `p = &x`: other accesses of the memory may have the name x. */
static bool is_address(struct tree *node, void *context)
{
	bool *found = context;

	*found |= node->kind == TREE_UNARY && strcmp(node->name, "&") == 0 &&
		  node->children[0]->kind == TREE_NAME;
	return !*found;
}

static bool may_have_another_name(
    const struct model_function *function, const struct tree_variable *variable)
{
	bool found = false;

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct tree *node =
		    event->name->kind == TREE_VARIABLE ? event->name : event->name->parent;

		if (event->variable == variable && !event->element && node != NULL &&
		    (event->kind & EVENT_WRITE) != 0)
			model_visit(node, is_address, &found);
	}
	return found;
}

/* Is there a barrier at the top level of the block behind `from` (its own end counts), before `to`?
 */
static bool has_barrier(const struct tree *block, size_t from, size_t to, uint64_t waits)
{
	for (size_t i = 0; i < block->count; i++) {
		const struct tree *node = block->children[i];
		const struct tree_construct *construct = node->construct;

		if (node->kind != TREE_CONSTRUCT || node->begin < from || node->begin >= to ||
		    construct_has(construct, CONSTRUCT_BIT(PARALLEL)))
			continue;
		if (node->begin > from && construct_has(construct, waits))
			return true;
		if (construct_has(construct, LINT_WORKSHARING) &&
		    find_clause(&construct->clauses, "nowait") == NULL)
			return true;
	}
	return false;
}

const struct tree *lint_statement_in(const struct tree *block, const struct tree *node)
{
	while (node->parent != block)
		node = node->parent;
	return node;
}

struct lint_order lint_order_of(const struct tree_construct *region, const struct tree *first,
    const struct tree *then, uint64_t waits)
{
	struct lint_order order = {.block = first};
	const struct tree *loop;
	size_t begin;

	while (order.block->kind != TREE_BLOCK || !tree_holds(order.block, then))
		if ((order.block = order.block->parent) == NULL)
			return order;
	order.first = lint_statement_in(order.block, first);
	order.then = lint_statement_in(order.block, then);
	begin = order.then->begin;
	order.between = has_barrier(order.block, order.first->begin, begin, waits);
	for (loop = order.block->parent; loop != NULL && loop->kind == TREE_BLOCK;)
		loop = loop->parent;
	order.again = loop == NULL || loop == region->node || !tree_holds(region->node, loop) ||
		      has_barrier(order.block, begin, SIZE_MAX, waits) ||
		      has_barrier(order.block, 0, order.first->begin, waits);
	return order;
}

/* Does a called function of the text use the variable without protection? */
struct use_search {
	struct lint_unit *unit;
	const struct tree_variable *variable;
	bool found;
};

static bool visit_use(struct tree *node, void *context)
{
	struct use_search *search = context;
	struct model_function *function =
	    node->kind == TREE_CALL ? lint_find_function(search->unit, node->target) : NULL;

	if (function == NULL || function->visit == search->unit->visit)
		return !search->found;
	function->visit = search->unit->visit;
	for (size_t i = 0; i < function->count; i++)
		search->found |=
		    function->events[i].variable == search->variable &&
		    (function->events[i].construct == NULL ||
			!construct_has(function->events[i].construct, CONSTRUCT_BIT(ATOMIC)));
	model_visit(function->function->body, visit_use, search);
	return !search->found;
}

static bool is_used_by_calls(
    struct lint_unit *unit, struct tree *node, const struct tree_variable *variable)
{
	struct use_search search = {unit, variable, false};

	unit->visit++;
	model_visit(node, visit_use, &search);
	return search.found;
}

bool lint_is_alone(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *construct, const struct model_event *event)
{
	const struct tree_construct *region = lint_around(construct, CONSTRUCT_BIT(PARALLEL));
	const uint64_t waits = CONSTRUCT_BIT(BARRIER) |
			       (construct_has(construct, LINT_TASKS) ? CONSTRUCT_BIT(TASKWAIT) : 0);

	region = region != NULL ? region : construct;
	for (size_t i = 0; i < function->count && region != construct; i++) {
		const struct model_event *other = &function->events[i];
		const bool before = other->name->begin < construct->node->begin;
		const struct lint_order order =
		    lint_order_of(region, before ? other->name : construct->node,
			before ? construct->node : other->name, waits);

		if (other->variable != event->variable || !event_is_in(other, region->node) ||
		    event_is_in(other, construct->node) || is_path(function, other) ||
		    (other->kind & EVENT_DECLARE) != 0 ||
		    (other->construct != NULL &&
			construct_has(other->construct, CONSTRUCT_BIT(ATOMIC))))
			continue;
		if (!order.between || !order.again)
			return false;
	}
	return (event->variable->scope != SCOPE_FILE && event->variable->scope != SCOPE_STATIC) ||
	       !is_used_by_calls(unit, region->node, event->variable);
}

/* Does each thread of a team execute all iterations of the taskloop? */
static bool is_repeated(const struct tree_construct *construct)
{
	const struct tree_construct *loop = lint_around(construct, CONSTRUCT_BIT(TASKLOOP));
	const struct tree_construct *around =
	    loop != NULL
		? lint_around(loop->parent, LINT_WORKSHARING | LINT_TASKS |
						CONSTRUCT_BIT(PARALLEL) | CONSTRUCT_BIT(MASTER) |
						CONSTRUCT_BIT(MASKED) | CONSTRUCT_BIT(SECTION))
		: NULL;

	return around != NULL && around->leaves == CONSTRUCT_BIT(PARALLEL) &&
	       !construct_has(
		   loop, CONSTRUCT_BIT(PARALLEL) | CONSTRUCT_BIT(MASTER) | CONSTRUCT_BIT(MASKED));
}

void lint_fix_updates(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *construct,
    const struct model_event *event)
{
	char common = '\0', operation;

	if ((event->element && may_have_another_name(function, event->variable)) ||
	    is_repeated(construct) || !lint_is_alone(unit, function, construct, event))
		lint_fix_refuse(fixes);
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *other = &function->events[i];
		struct tree *form;

		if (other->variable != event->variable || !event_is_in(other, construct->node) ||
		    (other->construct != NULL &&
			construct_has(other->construct, CONSTRUCT_BIT(ATOMIC))) ||
		    (!other->element && event->element && is_path(function, other)))
			continue;
		form = lint_update_form(unit, other, &operation);
		if (form == NULL || (common != '\0' && common != operation) ||
		    other->element != event->element || !lint_allows_atomic(other->construct) ||
		    model_has_between(other->construct, construct, MODEL_EXCLUSIVE)) {
			lint_fix_refuse(fixes);
			return;
		}
		common = operation;
		lint_fix_before(unit, fixes, form, "atomic", false);
	}
}

bool lint_changes_inside(const struct model_function *function,
    const struct tree_construct *construct, const struct tree_variable *variable)
{
	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == variable &&
		    (function->events[i].kind & (EVENT_WRITE | EVENT_ADDRESS)) != 0 &&
		    event_is_in(&function->events[i], construct->node))
			return true;
	return false;
}

void lint_fix_by_copy(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_construct *task,
    const struct tree_variable *variable)
{
	if (variable->shape == SHAPE_OTHER || variable->reference ||
	    lint_changes_inside(function, task, variable))
		lint_fix_refuse(fixes);
	lint_fix_list(unit, fixes, task, "shared", "firstprivate", "", variable->name);
}

void lint_fix_by_wait(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *task, const struct model_event *later)
{
	const struct tree *at = later->name;

	while (at != NULL && (at->parent == NULL || at->parent->kind != TREE_BLOCK ||
				 !tree_holds(at->parent, task->node)))
		at = at->parent;
	if (at == NULL || tree_holds(at, task->node) || model_construct_around(at) != task->parent)
		lint_fix_refuse(fixes);
	else
		lint_fix_before(unit, fixes, at, "taskwait", true);
}

void lint_fix_end(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct tree_construct *construct, const struct tree_construct *region)
{
	const struct tree *node = construct->node, *block = node->parent, *at = block;

	if (find_clause(&construct->clauses, "nowait") != NULL) {
		lint_fix_remove(unit, fixes, construct, "nowait");
		return;
	}
	while (at->kind == TREE_BLOCK)
		at = at->parent;
	for (size_t i = 0; i + 1 < block->count; i++)
		if (block->children[i] == node && at == region->node) {
			lint_fix_before(unit, fixes, block->children[i + 1], "barrier", true);
			return;
		}
	lint_fix_refuse(fixes);
}
