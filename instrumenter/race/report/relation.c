/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the rule that a race breaks. It uses the constructs in the source text around the line of
 * the access, or around the lines that call its function, up to the code that the runtime called.
 */
#include "relation.h"

#include <string.h>

const char *const race_rule_names[RACE_RULE_COUNT] = {
    [RACE_RULE_ATOMIC] = "atomic-and-plain",
    [RACE_RULE_CRITICAL] = "different-critical",
    [RACE_RULE_ITERATIONS] = "loop-iterations",
    [RACE_RULE_TASKS] = "tasks",
    [RACE_RULE_SECTIONS] = "sections",
    [RACE_RULE_BARRIER] = "missing-barrier",
    [RACE_RULE_TEAM] = "team",
    [RACE_RULE_TEAMS] = "league",
    [RACE_RULE_THREADS] = "threads",
    [RACE_RULE_LOCK_ORDER] = "lock-order",
    [RACE_RULE_LOCK_TWICE] = "lock-twice",
    [RACE_RULE_ENDED_FRAME] = "ended-frame",
    [RACE_RULE_FREED] = "freed-memory",
    [RACE_RULE_OUT_OF_BOUNDS] = "out-of-bounds",
    [RACE_RULE_NULL_POINTER] = "null-pointer",
    [RACE_RULE_UNWRITTEN] = "unwritten",
    [RACE_RULE_OTHER_MEMORY] = "memory",
};

const char *const race_rule_texts[RACE_RULE_COUNT] = {
    [RACE_RULE_ATOMIC] = "One access is atomic, the other one is not",
    [RACE_RULE_CRITICAL] = "The accesses are not in critical constructs of the same name",
    [RACE_RULE_ITERATIONS] = "Iterations of one loop access the same memory",
    [RACE_RULE_TASKS] = "Neither dependences nor waits order the tasks",
    [RACE_RULE_SECTIONS] = "Sections access the same memory",
    [RACE_RULE_BARRIER] = "There is no barrier between two parts of a region",
    [RACE_RULE_TEAM] = "Threads of a team access the same memory",
    [RACE_RULE_TEAMS] = "Teams of a league access the same memory",
    [RACE_RULE_THREADS] = "Threads of which OpenMP orders at most one access the same memory",
    [RACE_RULE_LOCK_ORDER] = "Threads that hold one lock each can wait for each other's",
    [RACE_RULE_LOCK_TWICE] = "A thread waits for a lock that it holds",
    [RACE_RULE_ENDED_FRAME] = "A variable is used after its function or block has ended",
    [RACE_RULE_FREED] = "Memory is used after it was freed",
    [RACE_RULE_OUT_OF_BOUNDS] = "An access is outside of its variable or memory",
    [RACE_RULE_NULL_POINTER] = "Memory is used through a null pointer",
    [RACE_RULE_UNWRITTEN] = "A value is used that was never written",
    [RACE_RULE_OTHER_MEMORY] = "The sanitizer reports an error of memory",
};

/*
 * Constructs with executions that can be concurrent with each other or with code outside. simd is
 * one of them for a race of lanes: other races belong to the construct around it.
 */
static const enum construct_id units[] = {CONSTRUCT_TASK, CONSTRUCT_TASKLOOP, CONSTRUCT_FOR,
    CONSTRUCT_LOOP, CONSTRUCT_DISTRIBUTE, CONSTRUCT_SECTION, CONSTRUCT_SECTIONS, CONSTRUCT_SINGLE,
    CONSTRUCT_SCOPE, CONSTRUCT_MASTER, CONSTRUCT_MASKED, CONSTRUCT_PARALLEL, CONSTRUCT_TEAMS};

static bool is_unit(const struct race_construct *construct, bool lane)
{
	if (lane && race_construct_has(construct, CONSTRUCT_SIMD))
		return true;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (race_construct_has(construct, units[i]))
			return true;
	return false;
}

const struct race_construct *race_parent(
    const struct race_text *text, const struct race_construct *construct)
{
	return construct->parent >= 0 ? &text->constructs[construct->parent] : NULL;
}

bool race_is_loop(const struct race_construct *construct)
{
	return race_construct_has(construct, CONSTRUCT_FOR) ||
	       race_construct_has(construct, CONSTRUCT_LOOP) ||
	       race_construct_has(construct, CONSTRUCT_DISTRIBUTE) ||
	       race_construct_has(construct, CONSTRUCT_TASKLOOP) ||
	       race_construct_has(construct, CONSTRUCT_SIMD);
}

/* Fills in the constructs around one line; true if the unit is among them. */
static bool place_at(struct race_sources *sources, const struct race_line *line, bool lane,
    struct race_position *position)
{
	const struct race_text *text = race_source_text(sources, line->file);
	int index = race_source_construct(text, line->line);
	const struct race_construct *at = index >= 0 ? &text->constructs[index] : NULL;

	if (at != NULL && position->innermost == NULL) {
		position->innermost = at;
		position->innermost_text = text;
	}
	for (; at != NULL && position->unit == NULL; at = race_parent(text, at)) {
		if (race_construct_has(at, CONSTRUCT_CRITICAL) && position->critical == NULL)
			position->critical = at;
		if (is_unit(at, lane)) {
			position->unit = at;
			position->around = text;
		}
	}
	return position->unit != NULL;
}

/* The access may be in a function that the construct calls. */
static struct race_position position_of(
    struct race_sources *sources, const struct race_side *side, bool lane)
{
	struct race_position position = {0};

	if (side->line.file == NULL)
		return position;
	position.text = race_source_text(sources, side->line.file);
	if (place_at(sources, &side->line, lane, &position))
		return position;
	for (size_t i = 0; i < side->caller_count; i++)
		if (side->callers[i].file != NULL &&
		    place_at(sources, &side->callers[i], lane, &position)) {
			position.is_called = true;
			break;
		}
	return position;
}

const char *race_critical_name(const struct race_construct *critical)
{
	const struct clause *name =
	    critical != NULL && critical->clauses.count > 0 ? &critical->clauses.clauses[0] : NULL;

	return name != NULL && name->arguments != NULL && name->name[0] == '\0' ? name->arguments
										: "";
}

static bool differ_in_critical(const struct race_position *left, const struct race_position *right)
{
	if ((left->critical == NULL) != (right->critical == NULL))
		return true;
	return left->critical != NULL &&
	       strcmp(race_critical_name(left->critical), race_critical_name(right->critical)) != 0;
}

static bool is_task(const struct race_position *position, const struct race_side *side)
{
	return race_construct_has(position->unit, CONSTRUCT_TASK) ||
	       race_construct_has(position->unit, CONSTRUCT_TASKLOOP) ||
	       (side->task && position->unit == NULL);
}

static const struct race_construct *sections_of(const struct race_position *position)
{
	const struct race_construct *unit = position->unit;

	if (unit == NULL)
		return NULL;
	if (race_construct_has(unit, CONSTRUCT_SECTION) &&
	    !race_construct_has(unit, CONSTRUCT_SECTIONS))
		return race_parent(position->around, unit);
	return race_construct_has(unit, CONSTRUCT_SECTIONS) ? unit : NULL;
}

/* Can threads leave the construct without a barrier at its end? */
static bool ends_without_barrier(const struct race_construct *construct)
{
	if (race_construct_has(construct, CONSTRUCT_MASTER) ||
	    race_construct_has(construct, CONSTRUCT_MASKED))
		return true;
	return find_clause(&construct->clauses, "nowait") != NULL;
}

/*
 * For two constructs of one file: does the one that comes earlier in the text lack a barrier at its
 * end?
 */
static bool lacks_barrier(struct race_relation *relation)
{
	const struct race_position *left = &relation->at[0], *right = &relation->at[1];

	if (left->unit == NULL || right->unit == NULL || left->around != right->around)
		return false;
	const struct race_construct *first = left->unit, *second = right->unit;
	if (first->line > second->line) {
		first = right->unit;
		second = left->unit;
	}
	/*
	 * A construct around the other one does not come before it, but the inner one may lack its
	 * barrier.
	 */
	if (second->line <= first->end)
		first = second;
	if (!ends_without_barrier(first))
		return false;
	relation->earlier = first;
	relation->earlier_text = left->around;
	return true;
}

static enum race_rule rule_of_unit(const struct race_construct *unit)
{
	if (unit == NULL)
		return RACE_RULE_THREADS;
	if (race_construct_has(unit, CONSTRUCT_TASK) ||
	    race_construct_has(unit, CONSTRUCT_TASKLOOP))
		return RACE_RULE_TASKS;
	if (race_is_loop(unit))
		return RACE_RULE_ITERATIONS;
	if (directive_is(&unit->use, CONSTRUCT_TEAMS))
		return RACE_RULE_TEAMS;
	return RACE_RULE_TEAM;
}

static enum race_rule rule_of(const struct race_finding *finding, struct race_relation *relation)
{
	static const enum race_rule of_memory[] = {[RACE_ENDED_FRAME] = RACE_RULE_ENDED_FRAME,
	    [RACE_FREED] = RACE_RULE_FREED,
	    [RACE_OUT_OF_BOUNDS] = RACE_RULE_OUT_OF_BOUNDS,
	    [RACE_NULL_POINTER] = RACE_RULE_NULL_POINTER,
	    [RACE_UNWRITTEN] = RACE_RULE_UNWRITTEN,
	    [RACE_OTHER_MEMORY] = RACE_RULE_OTHER_MEMORY};
	const struct race_position *left = &relation->at[0], *right = &relation->at[1];
	const struct race_side *side = finding->side;

	if (finding->memory.kind != RACE_NO_MEMORY_ERROR)
		return of_memory[finding->memory.kind];
	if (side[0].is_known && side[1].is_known && side[0].atomic != side[1].atomic)
		return RACE_RULE_ATOMIC;
	/* A team's synchronization does not order other threads of the program. */
	if (left->is_outside || right->is_outside)
		return RACE_RULE_THREADS;
	if (differ_in_critical(left, right))
		return RACE_RULE_CRITICAL;
	if (is_task(left, &side[0]) || is_task(right, &side[1]))
		return RACE_RULE_TASKS;
	if (sections_of(left) != NULL && sections_of(left) == sections_of(right))
		return RACE_RULE_SECTIONS;
	if (relation->same_unit)
		return rule_of_unit(left->unit);
	if (lacks_barrier(relation))
		return RACE_RULE_BARRIER;
	if (side[0].team || side[1].team)
		return RACE_RULE_TEAMS;
	return left->unit != NULL || right->unit != NULL ? RACE_RULE_TEAM : RACE_RULE_THREADS;
}

struct race_relation race_relate(struct race_sources *sources, const struct race_finding *finding)
{
	struct race_relation relation = {0};

	for (int i = 0; i < 2; i++) {
		const struct race_side *side = &finding->side[i];
		relation.at[i] = position_of(sources, side, finding->of_lanes);
		relation.at[i].is_outside =
		    relation.at[i].unit == NULL && side->is_known && !side->by_runtime;
	}
	relation.same_unit =
	    relation.at[0].unit != NULL && relation.at[0].unit == relation.at[1].unit;
	relation.rule = rule_of(finding, &relation);
	return relation;
}
