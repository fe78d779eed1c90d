/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks for which nobody waits: the code that generates them continues, reads what they write, and
 * may leave the scope of the variables that they share.
 */
#include "array-access.h"
#include "checks.h"
#include "fixes.h"
#include "hand-over.h"
#include "iterations.h"

#include <string.h>

/* The checks do not follow how atomics and flushes order tasks, so these count as waits. */
#define WAITS                                                                                      \
	(CONSTRUCT_BIT(TASKWAIT) | CONSTRUCT_BIT(BARRIER) | CONSTRUCT_BIT(ATOMIC) |                \
	    CONSTRUCT_BIT(FLUSH) | CONSTRUCT_BIT(CRITICAL))

#define COMPLETES (CONSTRUCT_BIT(TASKGROUP) | CONSTRUCT_BIT(PARALLEL))

/* Is the task executed at once, or does its generating task wait for it? */
static bool is_undeferred(const struct tree_construct *task)
{
	const struct clause *condition = find_clause(&task->clauses, "if");

	return find_clause(&task->clauses, "depend") != NULL ||
	       find_clause(&task->clauses, "detach") != NULL ||
	       (condition != NULL && condition->arguments != NULL) ||
	       find_clause(&task->clauses, "final") != NULL;
}

struct wait_search {
	struct lint_unit *unit;
	size_t begin, end; /* only waits between these offsets count */
	bool found;
};

/* Is the node in a task that begins behind the offset? */
static bool is_in_task(const struct tree *node, size_t begin)
{
	const struct tree_construct *task =
	    lint_around(model_construct_around(node), CONSTRUCT_BIT(TASK));

	return task != NULL && task->node->begin >= begin;
}

/*
 * Finds a taskwait, a barrier, or the end of a region or group at which threads wait; a call may
 * wait, too, for the tasks that its caller has generated.
 */
static bool visit_wait(struct tree *node, void *context)
{
	struct wait_search *search = context;

	if ((node->kind != TREE_CONSTRUCT && node->kind != TREE_CALL) ||
	    node->begin < search->begin || node->begin >= search->end)
		return !search->found;
	if (node->kind == TREE_CONSTRUCT) {
		search->found |= construct_has(node->construct, WAITS);
		return !search->found;
	}
	struct model_function *function = lint_find_function(search->unit, node->target);
	search->found |= node->name != NULL && strstr(node->name, "wait") != NULL;
	if (function != NULL && function->visit != search->unit->visit &&
	    !is_in_task(node, search->begin)) {
		struct wait_search inside = {search->unit, 0, SIZE_MAX, false};

		function->visit = search->unit->visit;
		model_visit(function->function->body, visit_wait, &inside);
		search->found |= inside.found;
	}
	return !search->found;
}

static bool waits_between(
    struct lint_unit *unit, const struct model_function *function, size_t begin, size_t end)
{
	struct wait_search search = {unit, begin, end, false};

	unit->visit++;
	model_visit(function->function->body, visit_wait, &search);
	return search.found;
}

/* The innermost construct around the task at whose end the task is complete, or NULL. */
static const struct tree_construct *completing(const struct tree_construct *task)
{
	for (const struct tree_construct *at = task->parent; at != NULL; at = at->parent) {
		if (construct_has(at, CONSTRUCT_BIT(TASKGROUP) | CONSTRUCT_BIT(PARALLEL)))
			return at;
		if (construct_has(at, CONSTRUCT_BIT(FOR) | CONSTRUCT_BIT(SINGLE) |
					  CONSTRUCT_BIT(SECTIONS) | CONSTRUCT_BIT(SCOPE)) &&
		    find_clause(&at->clauses, "nowait") == NULL)
			return at;
		if (construct_has(at, LINT_TASKS))
			return NULL;
	}
	return NULL;
}

/* Does the variable name an object of the function itself that the task shares? */
static bool is_shared_local(const struct tree_construct *task, const struct tree_variable *variable)
{
	struct model_sharing sharing = model_sharing_of(task, variable);

	return sharing.attribute == ATTRIBUTE_SHARED && !variable->reference &&
	       (variable->scope == SCOPE_LOCAL || variable->scope == SCOPE_PARAMETER);
}

/* May the scope of the local variable end before the task is executed? */
static bool ends_early(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct tree_variable *variable)
{
	const struct tree_construct *end = completing(task);

	if ((end != NULL && end->node->end <= variable->scope_end) ||
	    waits_between(unit, function, task->node->end, variable->scope_end))
		return false;
	/* The variable is declared outside a region at whose end all of its tasks are complete. */
	for (const struct tree_construct *at = task->parent; at != NULL; at = at->parent)
		if (variable->offset < at->node->begin &&
		    (at == end || construct_has(at, COMPLETES) ||
			(construct_has(at, CONSTRUCT_BIT(TASKLOOP)) &&
			    find_clause(&at->clauses, "nogroup") == NULL)))
			return false;
	return true;
}

/* Reports a local variable whose scope may end before the task is executed. */
static void check_lifetime(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;
	struct lint_remedy remedy = {.directive = task};

	if (!ends_early(unit, function, task, variable))
		return;
	remedy.text = lint_text(unit,
	    "wait for it by taskwait or taskgroup before the block ends, or make %s firstprivate",
	    variable->name);
	lint_fix_by_copy(unit, &remedy.fixes, function, task, variable);
	lint_report(unit, LINT_TASK_LIFETIME, event->name,
	    lint_text(unit, "the task shares %s, whose block may end before the task is executed",
		variable->name),
	    remedy);
}

/* The innermost sequential loop around the task, inside the construct that generates the task. */
static struct tree *generating_loop(const struct tree_construct *task)
{
	struct model_loop loops[MODEL_MOST_LOOPS];
	size_t count = task->parent != NULL ? model_associated_loops(task->parent, loops) : 0;
	struct tree *at = task->node->parent;

	while (at != NULL && at->kind != TREE_CONSTRUCT && at->kind != TREE_FOR &&
	       at->kind != TREE_WHILE && at->kind != TREE_LAMBDA)
		at = at->parent;
	if (at == NULL || (at->kind != TREE_FOR && at->kind != TREE_WHILE))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (loops[i].node == at)
			return NULL;
	return at;
}

static struct tree *loop_body(const struct tree *loop)
{
	return loop->children[loop->kind == TREE_FOR ? 3 : 1];
}

/*
 * The code that is executed each time the task is generated: the body of the generating loop, if
 * the event is in it.
 */
static const struct tree *around_both(
    const struct tree_construct *task, const struct tree *loop, const struct model_event *event)
{
	if (loop != NULL && event_is_in(event, loop_body(loop)))
		return loop_body(loop);
	return task->parent != NULL ? task->parent->node : NULL;
}

/*
 * Is it executed at least once each time the node around it is, provided that the loops between
 * have iterations?
 */
static bool is_executed(const struct tree *node, const struct tree *around)
{
	for (const struct tree *at = node; at != around; at = at->parent) {
		if (at->parent->kind == TREE_FOR && at == at->parent->children[3]) {
			const struct model_loop loop = model_read_loop(at->parent);

			if (loop.variable == NULL || loop.relation == NULL ||
			    model_trip_count(&loop) == 0 || lint_has_jump(at->parent))
				return false;
		} else if (model_is_conditional(at, at->parent)) {
			return false;
		}
	}
	return true;
}

static const struct tree *common_node(const struct tree *one, const struct tree *other)
{
	while (one != NULL && !tree_holds(one, other))
		one = one->parent;
	return one;
}

/* Is the task generated before the node is executed, and is the node executed in any case? */
static bool is_generated_before(const struct tree_construct *task, const struct tree *node)
{
	const struct tree *common = common_node(task->node, node);

	return common != NULL && common->kind == TREE_BLOCK && task->node->begin < node->begin &&
	       is_executed(task->node, common) && is_executed(node, common);
}

static bool is_loop(const struct tree *node)
{
	return node->kind == TREE_FOR || node->kind == TREE_WHILE || node->kind == TREE_DO ||
	       node->kind == TREE_RANGE;
}

/* Is there a wait in a loop around the node, which the next iteration reaches? */
static bool waits_around(
    struct lint_unit *unit, const struct model_function *function, const struct tree *node)
{
	for (; node != NULL; node = node->parent)
		if (is_loop(node) && waits_between(unit, function, node->begin, node->end))
			return true;
	return false;
}

/* The first access of the variable after the task, by the generating code and before a wait. */
static const struct model_event *early_access(struct lint_unit *unit,
    const struct model_function *function, const struct tree_construct *task,
    const struct model_event *event)
{
	const struct tree_construct *end = completing(task);
	size_t limit = end != NULL ? end->node->end : function->function->end;
	bool writes = (event->kind & EVENT_WRITE) != 0;
	const struct tree *loop = generating_loop(task);

	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *later = &function->events[i];

		if (later->variable != event->variable || later->name->begin < task->node->end ||
		    later->name->begin >= limit || later->construct != task->parent ||
		    later->element || (later->kind & EVENT_ADDRESS) != 0)
			continue;
		if (!writes && (later->kind & EVENT_WRITE) == 0)
			continue;
		if (waits_between(unit, function, task->node->end, later->name->begin) ||
		    model_is_locked(later->name, task) ||
		    ((!model_precedes(task->node, later->name) ||
			 model_is_conditional(later->name, around_both(task, loop, later))) &&
			!(writes && is_generated_before(task, later->name))))
			return NULL;
		return later;
	}
	return NULL;
}

/*
 * The write with which the loop that generates the tasks continues while a task may be executed:
 * its step, or a write at the beginning of the next iteration.
 */
static const struct model_event *next_write(struct lint_unit *unit,
    const struct model_function *function, const struct tree_construct *task,
    const struct model_event *event)
{
	struct tree *loop = generating_loop(task);
	const struct tree_construct *end = completing(task);

	if (loop == NULL || event->variable->offset >= loop_body(loop)->begin ||
	    (end != NULL && tree_holds(loop, end->node)) ||
	    waits_between(unit, function, loop->begin, task->node->begin) ||
	    waits_between(unit, function, task->node->end, loop->end) ||
	    model_is_conditional(task->node, loop_body(loop)) || lint_has_jump(loop_body(loop)))
		return NULL;
	struct model_loop head = {0};
	if (loop->kind == TREE_FOR)
		head = model_read_loop(loop);
	long long trips = head.variable != NULL ? model_trip_count(&head) : -1;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *write = &function->events[i];
		bool step = loop->kind == TREE_FOR && loop->children[2] != NULL &&
			    event_is_in(write, loop->children[2]);

		if (write->variable != event->variable || (write->kind & EVENT_WRITE) == 0 ||
		    (write->kind & EVENT_DECLARE) != 0 || write->element ||
		    write->construct != task->parent)
			continue;
		if (step ? trips != 0
			 : event_is_in(write, loop_body(loop)) && (trips < 0 || trips > 1) &&
			       !model_is_conditional(write->name, loop_body(loop)) &&
			       !model_is_locked(write->name, task))
			return write;
	}
	return NULL;
}

/* Reports a loop that changes what its tasks use; true if it does. */
static bool check_loop(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct model_event *write;
	struct lint_remedy remedy = {.directive = task};

	if (event->element || event->variable->atomic ||
	    model_sharing_of(event->construct, event->variable).attribute != ATTRIBUTE_SHARED ||
	    model_is_conditional(event->name, task->node) || model_is_locked(event->name, task))
		return false;
	write = next_write(unit, function, task, event);
	if (write == NULL)
		return false;
	remedy.text = lint_text(unit, "make %s firstprivate to this task", event->variable->name);
	lint_fix_by_copy(unit, &remedy.fixes, function, task, event->variable);
	lint_report(unit, LINT_TASK_WAIT, event->name,
	    lint_text(unit, "the loop that generates the task changes %s while the task uses it",
		event->variable->name),
	    remedy);
	return true;
}

static void report_early(struct lint_unit *unit, const struct model_event *event,
    const struct model_event *later, struct lint_remedy remedy)
{
	remedy.text = lint_text(unit, "this task %s it; a taskwait has to come between",
	    (event->kind & EVENT_WRITE) != 0 ? "writes" : "reads");
	lint_report(unit, LINT_TASK_WAIT, later->object,
	    lint_text(unit, "%s is %s before the wait for the task that %s it",
		model_text(&unit->tree, later->object),
		(later->kind & EVENT_WRITE) != 0 ? "written" : "read",
		(event->kind & EVENT_WRITE) != 0 ? "writes" : "reads"),
	    remedy);
}

/* Reports an access before the task is waited for; true if there is one. */
static bool check_wait(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct model_event *later = early_access(unit, function, task, event);
	struct lint_remedy remedy = {.directive = task};

	if (later == NULL || event->element || event->variable->atomic ||
	    model_has_between(
		event->construct, task, CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC)))
		return false;
	if ((event->kind & EVENT_WRITE) == 0 &&
	    !lint_changes_inside(function, task, event->variable))
		lint_fix_by_copy(unit, &remedy.fixes, function, task, event->variable);
	else
		lint_fix_by_wait(unit, &remedy.fixes, task, later);
	report_early(unit, event, later, remedy);
	return true;
}

/* Is it one array or pointer, at one address, for the task and the code around it? */
static bool is_one_array(const struct model_function *function, const struct tree_construct *task,
    const struct tree_variable *variable)
{
	const struct model_sharing sharing = model_sharing_of(task, variable);
	const struct tree *first = task->node;
	/* Other functions may change a pointer of static storage. */
	const bool pointer = variable->shape == SHAPE_POINTER && variable->scope != SCOPE_FILE &&
			     variable->scope != SCOPE_STATIC;

	if (variable->reference || variable->atomic || variable->changing ||
	    (variable->shape != SHAPE_ARRAY && !pointer) ||
	    (sharing.attribute != ATTRIBUTE_SHARED &&
		(sharing.attribute != ATTRIBUTE_FIRSTPRIVATE || !pointer)))
		return false;
	for (const struct tree *at = first; at != NULL; at = at->parent)
		if (is_loop(at))
			first = at;
	for (size_t i = 0; i < function->count && pointer; i++) {
		const struct model_event *event = &function->events[i];

		if (event->variable == variable && !event->element && event->kind != EVENT_READ &&
		    event->name->begin >= first->begin)
			return false;
	}
	return variable->offset < first->begin;
}

/* Has the pointer in the task the value that it has where the task is generated? */
static bool is_passed(const struct model_function *function, const struct tree_construct *task,
    const struct tree_variable *pointer)
{
	const enum model_attribute attribute = model_sharing_of(task, pointer).attribute;

	for (size_t i = 0; i < function->count; i++)
		if (function->events[i].variable == pointer && !function->events[i].element &&
		    function->events[i].kind != EVENT_READ &&
		    event_is_in(&function->events[i], task->node))
			return false;
	return pointer->shape == SHAPE_POINTER && !pointer->reference &&
	       (attribute == ATTRIBUTE_FIRSTPRIVATE || attribute == ATTRIBUTE_SHARED);
}

/*
 * Reports an access of an array element before the wait for the task that accesses the same one.
 * The loop that generates the task counts like one around the later access.
 */
static void check_element(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree_construct *end = completing(task);
	const size_t limit = end != NULL ? end->node->end : function->function->end;
	const struct lint_place_of_access place = {event, task->parent, LINT_ONE_THREAD};
	const struct tree_construct *region = lint_around(task, CONSTRUCT_BIT(PARALLEL));
	struct lint_remedy remedy = {.directive = task};

	if (!event->element || event->construct != task ||
	    (region != NULL && model_is_serial(region)) || (event->kind & EVENT_ADDRESS) != 0 ||
	    !is_one_array(function, task, event->variable) || model_is_locked(event->name, task) ||
	    !is_executed(event->name, task->node))
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *later = &function->events[i];
		const struct lint_place_of_access then = {later, task->parent, LINT_ONE_THREAD};

		if (later->variable != event->variable || !later->element ||
		    later->construct != task->parent || (later->kind & EVENT_ADDRESS) != 0 ||
		    ((event->kind | later->kind) & EVENT_WRITE) == 0 ||
		    later->name->begin < task->node->end || later->name->begin >= limit)
			continue;
		if (waits_between(unit, function, task->node->end, later->name->begin) ||
		    waits_around(unit, function, common_node(task->node, later->name)) ||
		    !is_generated_before(task, later->name) || model_is_locked(later->name, task) ||
		    !lint_meets_on_other_thread(unit, function, &place, &then))
			continue;
		lint_fix_by_wait(unit, &remedy.fixes, task, later);
		report_early(unit, event, later, remedy);
		return;
	}
}

static bool is_freed(const struct model_event *event)
{
	const struct tree *call = event->name->parent;

	return event->kind == EVENT_READ && call != NULL && call->kind == TREE_CALL &&
	       call->name != NULL && strcmp(call->name, "free") == 0;
}

/* Reports that the memory to which the task has a pointer is freed before the task is waited for.
 */
static void check_freed(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree_construct *end = completing(task);
	const size_t limit = end != NULL ? end->node->end : function->function->end;
	const struct tree_variable *variable = event->variable;
	struct lint_remedy remedy = {.directive = task};

	if (!event->element || !is_passed(function, task, variable) ||
	    !is_executed(event->name, task->node))
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *later = &function->events[i];

		if (later->variable != variable || later->name->begin < task->node->end ||
		    later->name->begin >= limit || later->element)
			continue;
		if (later->kind != EVENT_READ)
			return;
		if (!is_freed(later) || later->construct != task->parent)
			continue;
		if (waits_between(unit, function, task->node->end, later->name->begin) ||
		    !is_generated_before(task, later->name))
			return;
		remedy.text = "this task uses it; a taskwait has to come between";
		lint_fix_by_wait(unit, &remedy.fixes, task, later);
		lint_report(unit, LINT_TASK_LIFETIME, later->name,
		    lint_text(unit,
			"the memory of %s is freed before the wait for the task that uses it",
			variable->name),
		    remedy);
		return;
	}
}

/* Reports a task that reaches a local variable by a pointer and may be executed after its block. */
static void check_pointed(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree *place = NULL;
	struct tree *value = event->element && is_passed(function, task, event->variable)
				 ? lint_only_value(function, event->variable, &place)
				 : NULL;
	const struct tree_variable *variable;
	const bool address =
	    value != NULL && value->kind == TREE_UNARY && strcmp(value->name, "&") == 0;

	if (address)
		value = value->children[0];
	if (value == NULL || value->kind != TREE_NAME || value->variable == NULL)
		return;
	variable = value->variable;
	if ((!address && variable->shape != SHAPE_ARRAY) || variable->reference ||
	    (variable->scope != SCOPE_LOCAL && variable->scope != SCOPE_PARAMETER) ||
	    (variable->scope == SCOPE_PARAMETER && !address) || tree_holds(task->node, place) ||
	    !ends_early(unit, function, task, variable))
		return;
	lint_report(unit, LINT_TASK_LIFETIME, event->name,
	    lint_text(unit,
		"the task uses %s by %s, but the block of %s may end before the task is executed",
		variable->name, event->variable->name, variable->name),
	    (struct lint_remedy){.directive = task,
		.text = "wait for it by taskwait or taskgroup before the block ends"});
}

/* Reports a variable that all tasks of one loop write in no order. */
static void check_siblings(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree *loop = task->node->parent;
	const struct tree_construct *end = completing(task);
	struct lint_remedy remedy = {.directive = task};

	while (loop != NULL && loop->kind == TREE_BLOCK)
		loop = loop->parent;
	if (loop == NULL || (loop->kind != TREE_FOR && loop->kind != TREE_WHILE) ||
	    (end != NULL && tree_holds(loop, end->node)) ||
	    waits_between(unit, function, loop->begin, loop->end) || event->element ||
	    event->variable->offset >= loop->begin || event->variable->atomic ||
	    event->construct != task || model_is_locked(event->name, task) ||
	    model_is_conditional(event->name, task->node))
		return;
	remedy.text = lint_text(unit,
	    "protect %s by atomic or critical, order the tasks by depend, or use a task reduction",
	    event->variable->name);
	lint_fix_updates(unit, &remedy.fixes, function, task, event);
	lint_report(unit, LINT_TASK_WRITE, event->name,
	    lint_text(unit,
		"%s is shared by the tasks that this loop generates, and each writes it",
		event->variable->name),
	    remedy);
}

/* Reports a later task of the same construct that uses the variable, with no wait in between. */
static void check_next(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	struct lint_remedy remedy = {.directive = task};

	if (event->element || event->variable->atomic || event->construct != task ||
	    model_is_locked(event->name, task) || model_is_conditional(event->name, task->node))
		return;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *other = &function->events[i];
		const struct tree_construct *next = other->construct;

		if (other->variable != event->variable || next == NULL || next == task ||
		    next->parent != task->parent || next->node->begin < task->node->end ||
		    !construct_has(next, CONSTRUCT_BIT(TASK)) || is_undeferred(next) ||
		    other->element || (other->kind & EVENT_ADDRESS) != 0 ||
		    model_sharing_of(next, event->variable).attribute != ATTRIBUTE_SHARED ||
		    !model_precedes(task->node, next->node) ||
		    waits_between(unit, function, task->node->end, next->node->begin) ||
		    model_is_locked(other->name, next) ||
		    model_is_conditional(other->name, next->node) ||
		    lint_may_be_ordered(unit, event, task->node, other, next->node))
			continue;
		remedy.text = "this task writes it: order the two by depend, or wait between them";
		lint_report(unit, LINT_TASK_WRITE, other->name,
		    lint_text(unit,
			"%s is written by a task and used by the next, with no order between",
			event->variable->name),
		    remedy);
		return;
	}
}

static void check_event(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *task, const struct model_event *event)
{
	const struct tree_variable *variable = event->variable;

	if (lint_is_captured(function, variable) ||
	    (variable->offset >= task->node->begin && variable->offset < task->node->end))
		return;
	if (!is_undeferred(task)) {
		check_element(unit, function, task, event);
		check_freed(unit, function, task, event);
		check_pointed(unit, function, task, event);
	}
	if (is_shared_local(task, variable) && !is_undeferred(task) &&
	    ((event->kind & (EVENT_READ | EVENT_WRITE)) == 0 ||
		(!check_wait(unit, function, task, event) &&
		    !check_loop(unit, function, task, event))))
		check_lifetime(unit, function, task, event);
	if ((event->kind & EVENT_WRITE) != 0 && !is_undeferred(task) &&
	    model_sharing_of(task, variable).attribute == ATTRIBUTE_SHARED) {
		check_siblings(unit, function, task, event);
		check_next(unit, function, task, event);
	}
}

static bool is_in_final(const struct tree *node)
{
	const struct tree_construct *at = model_construct_around(node);

	while (at != NULL &&
	       (!construct_has(at, LINT_TASKS) || find_clause(&at->clauses, "final") == NULL))
		at = at->parent;
	return at != NULL;
}

/*
 * Do other functions call this one, and only in tasks with a final clause? Then all its tasks may
 * be included tasks, which are executed immediately (OpenMP 5.2, 12.5.1).
 */
static bool is_called_in_final(struct lint_unit *unit, const struct model_function *function)
{
	bool found = false;

	for (size_t i = 0; i < unit->tree.function_count; i++) {
		const struct model_function *caller = &unit->functions[i];
		struct lint_calls calls = lint_collect_calls(unit, caller);

		for (size_t j = 0; j < calls.count && caller != function; j++) {
			if (lint_find_function(unit, calls.all[j]->target) != function)
				continue;
			if (!is_in_final(calls.all[j]))
				return false;
			found = true;
		}
	}
	return found;
}

static void check_events(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree_construct *task =
		    lint_around(event->construct, CONSTRUCT_BIT(TASK) | CONSTRUCT_BIT(PARALLEL));

		if (task != NULL && construct_has(task, CONSTRUCT_BIT(TASK)) &&
		    (event->kind & EVENT_DECLARE) == 0)
			check_event(unit, function, task, event);
	}
}

void lint_check_tasks(struct lint_unit *unit, struct model_function *function)
{
	bool tasks = false;

	for (size_t i = 0; i < unit->tree.construct_count; i++)
		tasks |= construct_has(unit->tree.constructs[i], CONSTRUCT_BIT(TASK)) &&
			 tree_holds(function->function->body, unit->tree.constructs[i]->node);
	if (tasks && !is_called_in_final(unit, function))
		check_events(unit, function);
}
