/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clause table, and the distribution of a combined directive's clauses over the units that it
 * is taken apart into (OpenMP 5.2, 17.2, with the choices below). `parallel for simd` has two
 * units, `parallel` and `for simd`: a directive whose body may be put in braces ends a unit, unless
 * its body has to stay as it is.
 *
 * Where the specification shares a variable on the outer construct, an outer default(none) or
 * default(private) would not: it is then listed as shared there.
 */
#include "clause-table.h"

#include <string.h>

/* clang-format off */
static const struct clause_rule rules[] = {
	/* name, accepted by, placement, modifiers that keep the wait */
	{"num_threads", "parallel", PLACE_OUTERMOST},
	{"proc_bind", "parallel", PLACE_OUTERMOST},
	{"copyin", "parallel", PLACE_OUTERMOST},
	{"message", "parallel", PLACE_OUTERMOST},
	{"severity", "parallel", PLACE_OUTERMOST},
	{"safesync", "parallel", PLACE_OUTERMOST},
	{"default", "parallel taskloop", PLACE_OUTERMOST},
	{"shared", "parallel taskloop", PLACE_OUTERMOST},
	{"filter", "masked", PLACE_OUTERMOST},
	{"if", "parallel simd taskloop", PLACE_CONDITION},
	{"private", "parallel for sections simd loop taskloop", PLACE_PRIVATE},
	{"firstprivate", "parallel for sections taskloop", PLACE_FIRSTPRIVATE},
	{"lastprivate", "for sections simd loop taskloop", PLACE_INNERMOST_SHARED},
	{"linear", "for simd", PLACE_INNERMOST_SHARED},
	{"induction", "for simd taskloop", PLACE_INNERMOST_SHARED},
	{"reduction", "parallel for sections simd loop taskloop", PLACE_REDUCTION, "task inscan"},
	{"in_reduction", "taskloop", PLACE_INNERMOST_SHARED},
	{"allocate", "parallel for sections taskloop", PLACE_ALLOCATE},
	{"schedule", "for", PLACE_INNERMOST},
	{"collapse", "for simd loop taskloop", PLACE_INNERMOST},
	{"ordered", "for", PLACE_INNERMOST},
	{"order", "for simd loop", PLACE_INNERMOST},
	{"nowait", "for sections", PLACE_INNERMOST},
	{"bind", "loop", PLACE_INNERMOST},
	{"safelen", "simd", PLACE_INNERMOST},
	{"simdlen", "simd", PLACE_INNERMOST},
	{"aligned", "simd", PLACE_INNERMOST},
	{"nontemporal", "simd", PLACE_INNERMOST},
	{"grainsize", "taskloop", PLACE_INNERMOST},
	{"num_tasks", "taskloop", PLACE_INNERMOST},
	{"final", "taskloop", PLACE_INNERMOST},
	{"priority", "taskloop", PLACE_INNERMOST},
	{"untied", "taskloop", PLACE_INNERMOST},
	{"mergeable", "taskloop", PLACE_INNERMOST},
	{"nogroup", "taskloop", PLACE_INNERMOST},
	{"replayable", "taskloop", PLACE_INNERMOST},
	{"threadset", "taskloop", PLACE_INNERMOST},
	{"transparent", "taskloop", PLACE_INNERMOST},
	{"copyprivate", "", PLACE_INNERMOST, ""},
	/* Never on a directive that is taken apart, but no macros of the user's either. */
	{"", ""}, {"acq_rel", ""}, {"acquire", ""}, {"affinity", ""}, {"capture", ""},
	{"compare", ""}, {"depend", ""}, {"detach", ""}, {"doacross", ""}, {"fail", ""},
	{"for", ""}, {"hint", ""}, {"parallel", ""}, {"read", ""}, {"relaxed", ""},
	{"release", ""}, {"sections", ""}, {"seq_cst", ""}, {"simd", ""}, {"source", ""},
	{"task_reduction", ""}, {"taskgroup", ""}, {"threads", ""}, {"update", ""}, {"use", ""},
	{"weak", ""}, {"write", ""}, {"memscope", ""}, {"defaultmap", ""}, {"device", ""},
	{"device_type", ""}, {"dist_schedule", ""}, {"from", ""}, {"has_device_addr", ""},
	{"is_device_ptr", ""}, {"map", ""}, {"num_teams", ""}, {"thread_limit", ""}, {"to", ""},
	{"use_device_addr", ""}, {"use_device_ptr", ""}, {"uses_allocators", ""},
	{"ompx_attribute", ""}, {"ompx_bare", ""}, {"ompx_dyn_cgroup_mem", ""},
};
/* clang-format on */

const struct clause_rule *clause_rule_find(const char *name)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	return NULL;
}

/* What the distribution works on. */
struct distribution {
	struct inst_arena *arena;
	const struct directive_use *use;
	const struct clause_list *list;
	struct clause_split *split;
	struct inst_buffer shared; /* variables the outer units have to share, each behind ", " */
};

static bool unit_accepts(const struct distribution *work, size_t unit, const char *leaves)
{
	const struct clause_unit *it = &work->split->units[unit];

	for (size_t i = it->first_leaf; i < it->first_leaf + it->leaf_count; i++) {
		const char *name = work->use->leaves[i]->name;
		size_t length = strlen(name);

		for (const char *at = leaves; *at != '\0'; at += strspn(at, " ")) {
			size_t word = strcspn(at, " ");

			if (word == length && memcmp(at, name, length) == 0)
				return true;
			at += word;
		}
	}
	return false;
}

/* The outermost (step 1) or innermost (step -1) unit that accepts; MAX_UNITS when none does. */
static size_t find_unit(const struct distribution *work, const char *leaves, bool innermost)
{
	size_t count = work->split->unit_count;

	for (size_t i = 0; i < count; i++) {
		size_t unit = innermost ? count - 1 - i : i;

		if (unit_accepts(work, unit, leaves))
			return unit;
	}
	return MAX_UNITS;
}

static void give(struct distribution *work, size_t unit, const char *text)
{
	buffer_format(&work->split->units[unit].clauses, " %s", text);
}

/*
 * The variable that a list item names or is based on: `a` of a[0:n], `N::x`, `x` of val(x). Empty
 * for `this` and what hangs on it: an object is shared through its pointer.
 */
static const char *base_variable(struct inst_arena *arena, const char *text, size_t length)
{
	static const char *const modifiers[] = {"val(", "ref(", "uval("};
	size_t end = 0;

	for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
		size_t skip = strlen(modifiers[i]);

		if (length > skip && memcmp(text, modifiers[i], skip) == 0) {
			text += skip;
			length -= skip;
		}
	}
	while (end < length && strchr("[.()-, \t", text[end]) == NULL)
		end++;
	if (end == 4 && memcmp(text, "this", 4) == 0)
		end = 0;
	return arena_copy(arena, text, end);
}

static void share_outside(struct distribution *work, const struct clause *clause)
{
	bool list_first = strcmp(clause->name, "linear") == 0;
	size_t at = list_first ? 0 : clause_list_begin(clause);
	size_t begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		const char *name =
		    base_variable(work->arena, clause->arguments + begin, end - begin);

		if (*name != '\0')
			buffer_format(&work->shared, ", %s", name);
	}
}

/* Does a clause of this name list the variable? */
static bool is_listed_in(const struct distribution *work, const char *clause_name, const char *item)
{
	for (size_t i = 0; i < work->list->count; i++) {
		const struct clause *clause = &work->list->clauses[i];
		size_t at, begin, end;

		if (strcmp(clause->name, clause_name) != 0 || clause->arguments == NULL)
			continue;
		at = strcmp(clause_name, "linear") == 0 ? 0 : clause_list_begin(clause);
		while (clause_next_item(clause->arguments, &at, &begin, &end))
			if (strcmp(
				base_variable(work->arena, clause->arguments + begin, end - begin),
				item) == 0)
				return true;
	}
	return false;
}

/* Does the innermost unit run its body in vector lanes or in tasks of its own? */
static bool has_lanes_or_tasks(const struct distribution *work)
{
	return unit_accepts(work, work->split->unit_count - 1, "simd loop taskloop");
}

static void place_private(struct distribution *work, const struct clause *clause)
{
	size_t outer = find_unit(work, clause->rule->accepted_by, false);
	size_t inner = find_unit(work, clause->rule->accepted_by, true);

	give(work, outer, clause->text);
	if (inner != outer && has_lanes_or_tasks(work))
		give(work, inner, clause->text);
}

static void place_firstprivate(struct distribution *work, const struct clause *clause)
{
	size_t outer = find_unit(work, clause->rule->accepted_by, false);
	size_t inner = find_unit(work, clause->rule->accepted_by, true);
	bool tasks = unit_accepts(work, inner, "taskloop");
	size_t at = clause_list_begin(clause), begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		char *item = arena_copy(work->arena, clause->arguments + begin, end - begin);
		bool inside = tasks || is_listed_in(work, "lastprivate", item);

		give(work, inside ? inner : outer,
		    arena_format(work->arena, "firstprivate(%s)", item));
		/* With lastprivate, that clause shares it. */
		if (inside && !is_listed_in(work, "lastprivate", item))
			buffer_format(&work->shared, ", %s", item);
	}
}

static void place_reduction(struct distribution *work, const struct clause *clause)
{
	size_t outer = find_unit(work, clause->rule->accepted_by, false);
	size_t inner = find_unit(work, clause->rule->accepted_by, true);

	/* clang 19 computes garbage from a `for` with inscan that is not combined with its
	 * parallel. */
	if (clause_has_modifier(clause, "inscan")) {
		work->split->whole = true;
	} else if (has_lanes_or_tasks(work)) {
		give(work, inner, clause->text);
		if (inner != outer)
			share_outside(work, clause);
	} else {
		give(work, outer, clause->text);
	}
}

/* `if(parallel: e)` goes to its unit; `if(e)` for two units is computed once, as the user wrote it.
 */
static void place_condition(
    struct distribution *work, const struct clause *clause, const char *condition_name)
{
	static const char *const modifiers[] = {"parallel", "simd", "taskloop"};
	size_t outer = find_unit(work, clause->rule->accepted_by, false);
	size_t inner = find_unit(work, clause->rule->accepted_by, true);

	for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
		if (clause_has_modifier(clause, modifiers[i])) {
			size_t unit = find_unit(work, modifiers[i], false);

			if (unit == MAX_UNITS)
				work->split->error = arena_format(work->arena,
				    "'%s' names no part of the directive", clause->text);
			else
				give(work, unit, clause->text);
			return;
		}
	if (inner == outer) {
		give(work, outer, clause->text);
		return;
	}
	work->split->condition = clause->arguments;
	for (size_t unit = outer; unit <= inner; unit++)
		if (unit_accepts(work, unit, clause->rule->accepted_by))
			give(work, unit, arena_format(work->arena, "if(%s)", condition_name));
	buffer_format(&work->split->units[outer].clauses, " firstprivate(%s)", condition_name);
}

/* Every variable's allocator goes where the variable is made private. */
static void place_allocate(struct distribution *work, const struct clause *clause)
{
	static const char *const inner_clauses[] = {"lastprivate", "linear"};
	size_t outer = find_unit(work, clause->rule->accepted_by, false);
	size_t inner = find_unit(work, clause->rule->accepted_by, true);
	size_t list = clause_list_begin(clause), at = list, begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		char *item = arena_copy(work->arena, clause->arguments + begin, end - begin);
		bool inside =
		    has_lanes_or_tasks(work) && (is_listed_in(work, "reduction", item) ||
						    (unit_accepts(work, inner, "taskloop") &&
							is_listed_in(work, "firstprivate", item)));

		for (size_t i = 0; i < sizeof inner_clauses / sizeof *inner_clauses; i++)
			inside = inside || is_listed_in(work, inner_clauses[i], item);
		give(work, inside ? inner : outer,
		    arena_format(
			work->arena, "allocate(%.*s %s)", (int)list, clause->arguments, item));
	}
}

static void place(
    struct distribution *work, const struct clause *clause, const char *condition_name)
{
	size_t unit;

	if (clause->rule == NULL ||
	    find_unit(work, clause->rule->accepted_by, false) == MAX_UNITS) {
		work->split->error = arena_format(work->arena,
		    "the clause '%s' is not known on '%s'", clause->name, work->use->name);
		return;
	}
	if (clause->arguments == NULL && clause->rule->placement != PLACE_INNERMOST) {
		work->split->error =
		    arena_format(work->arena, "the clause '%s' lacks its argument", clause->name);
		return;
	}
	switch (clause->rule->placement) {
	case PLACE_OUTERMOST:
	case PLACE_INNERMOST:
	case PLACE_INNERMOST_SHARED:
		unit = find_unit(
		    work, clause->rule->accepted_by, clause->rule->placement != PLACE_OUTERMOST);
		give(work, unit, clause->text);
		if (clause->rule->placement == PLACE_INNERMOST_SHARED && unit > 0)
			share_outside(work, clause);
		break;
	case PLACE_PRIVATE:
		place_private(work, clause);
		break;
	case PLACE_FIRSTPRIVATE:
		place_firstprivate(work, clause);
		break;
	case PLACE_REDUCTION:
		place_reduction(work, clause);
		break;
	case PLACE_CONDITION:
		place_condition(work, clause, condition_name);
		break;
	case PLACE_ALLOCATE:
		place_allocate(work, clause);
		break;
	}
}

void clauses_keep_written(
    struct inst_arena *arena, const struct clause_list *written, struct clause_split *split)
{
	split->units[0].clauses = (struct inst_buffer){.arena = arena};
	for (size_t i = 0; i < written->count; i++)
		buffer_format(&split->units[0].clauses, " %s", written->clauses[i].text);
}

/* All leaves and all clauses in one unit, as the user wrote them. */
static void keep_whole(struct distribution *work)
{
	work->split->unit_count = 1;
	work->split->units[0].leaf_count = work->use->leaf_count;
	work->split->condition = NULL;
	clauses_keep_written(work->arena, work->list, work->split);
}

static void find_units(
    struct inst_arena *arena, const struct directive_use *use, struct clause_split *split)
{
	bool stays = false;

	for (size_t i = 0; i < use->leaf_count; i++) {
		if (i == 0 || (use->leaves[i - 1]->body == BODY_BLOCK && !stays)) {
			if (split->unit_count == MAX_UNITS) {
				split->error = "it has too many parts";
				return;
			}
			split->units[split->unit_count++] =
			    (struct clause_unit){.first_leaf = i, .clauses = {.arena = arena}};
		}
		split->units[split->unit_count - 1].leaf_count++;
		stays = stays || use->leaves[i]->inside != NULL;
	}
}

struct clause_split clauses_split(struct inst_arena *arena, const struct directive_use *use,
    const struct clause_list *list, const char *condition_name)
{
	struct clause_split split = {.error = list->error};
	struct distribution work = {arena, use, list, &split, {.arena = arena}};

	find_units(arena, use, &split);
	for (size_t i = 0; i < split.unit_count; i++)
		buffer_add(&split.units[i].clauses, "", 0);
	for (size_t i = 0; i < list->count && split.error == NULL; i++) {
		if (split.unit_count == 1)
			give(&work, 0, list->clauses[i].text);
		else
			place(&work, &list->clauses[i], condition_name);
	}
	if (split.whole)
		keep_whole(&work);
	if (split.unit_count > 1 && work.shared.length > 0 && clauses_restrict_default(list)) {
		size_t outer = find_unit(&work, "parallel", false);

		if (outer != MAX_UNITS)
			give(&work, outer, arena_format(arena, "shared(%s)", work.shared.data + 2));
	}
	return split;
}
