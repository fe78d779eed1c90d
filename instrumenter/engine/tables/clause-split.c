/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributes a combined directive's clauses over its parts (OpenMP 5.2, 17.2, with the choices
 * below). `parallel for simd` has two parts, `parallel` and `for simd`: a part ends with a
 * directive whose body may get braces, unless that body must stay unchanged.
 *
 * The specification shares some variables on the outer construct, but an outer default(none),
 * default(private) or default(firstprivate) would not: such a variable is then listed as shared
 * there. This includes loop variables, to which simd and loop assign a value after the loop. If
 * something cannot be listed (a class member) or may not be a variable (a bound of an array
 * section), the whole directive stays one part.
 */
#include "clause-table.h"
#include "lexer.h"

#include <string.h>

#define ON(id) CONSTRUCT_BIT(id)

/* The state of one distribution. */
struct distribution {
	struct inst_arena *arena;
	const struct directive_use *use;
	const struct clause_list *list;
	const struct clause_context *context;
	struct clause_split *split;
	bool restricted;           /* a default clause keeps unlisted variables from being shared */
	struct inst_buffer shared; /* variables that the outer parts share, ", " before each */
};

static bool part_accepts(const struct distribution *work, size_t part, uint64_t leaves)
{
	const struct directive_part *it = &work->split->parts[part];

	for (size_t i = it->first_leaf; i < it->first_leaf + it->leaf_count; i++)
		if ((directive_bit(work->use->leaves[i]) & leaves) != 0)
			return true;
	return false;
}

/* The outermost or innermost part that accepts the clause; MAX_PARTS if none does. */
static size_t find_part(const struct distribution *work, uint64_t leaves, bool innermost)
{
	size_t count = work->split->part_count;

	for (size_t i = 0; i < count; i++) {
		size_t part = innermost ? count - 1 - i : i;

		if (part_accepts(work, part, leaves))
			return part;
	}
	return MAX_PARTS;
}

static void give(struct distribution *work, size_t part, const char *text)
{
	buffer_format(&work->split->parts[part].clauses, " %s", text);
}

/*
 * The variable that a list item names or is based on: `a` of a[0:n], `N::x`, `T<Q, R>::x`, `x` of
 * val(x), `p` of (*p)[0:n]. Empty for `this` and its members: an object is shared through its
 * pointer.
 */
static const char *base_variable(struct inst_arena *arena, const char *text, size_t length)
{
	static const char *const modifiers[] = {"val(", "ref(", "uval("};
	size_t begin = 0, end, depth = 0;

	for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
		size_t skip = strlen(modifiers[i]);

		if (length > skip && memcmp(text, modifiers[i], skip) == 0)
			begin = skip;
	}
	while (begin < length && strchr("(*& \t", text[begin]) != NULL)
		begin++;
	for (end = begin; end < length; end++) {
		depth += text[end] == '<';
		if (depth == 0 && strchr("[.()-, \t", text[end]) != NULL)
			break;
		depth -= text[end] == '>' && depth > 0;
	}
	if (end - begin == 4 && memcmp(text + begin, "this", 4) == 0)
		end = begin;
	return arena_copy(arena, text + begin, end - begin);
}

/* `x` of N::x: the name that a class member could have. */
static const char *last_component(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon != NULL ? colon + 1 : name;
}

static size_t list_begin(const struct clause *clause)
{
	return strcmp(clause->name, "linear") == 0 ? 0 : clause_list_begin(clause);
}

/* Does a clause with this name list the variable, perhaps with another qualifier? */
static bool is_listed_in(const struct distribution *work, const char *clause_name, const char *item)
{
	for (size_t i = 0; i < work->list->count; i++) {
		const struct clause *clause = &work->list->clauses[i];
		size_t at, begin, end;

		if (strcmp(clause->name, clause_name) != 0 || clause->arguments == NULL)
			continue;
		at = list_begin(clause);
		while (clause_next_item(clause->arguments, &at, &begin, &end))
			if (strcmp(last_component(base_variable(
				       work->arena, clause->arguments + begin, end - begin)),
				last_component(item)) == 0)
				return true;
	}
	return false;
}

/* Does one of the user's clauses determine the variable's attribute? */
static bool has_attribute(const struct distribution *work, const char *name)
{
	static const char *const clauses[] = {"shared", "private", "firstprivate", "lastprivate",
	    "linear", "reduction", "in_reduction", "induction", "copyin"};

	for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
		if (is_listed_in(work, clauses[i], name))
			return true;
	return false;
}

/* The next name of a list with ", " before each name; NULL after the last. */
static const char *next_name(struct inst_arena *arena, const char **list)
{
	const char *name = *list + 2;
	size_t length;

	if (**list == '\0')
		return NULL;
	length = strcspn(name, ",");
	*list = name + length;
	return arena_copy(arena, name, length);
}

/* The name in the list that is the same variable, perhaps with another qualifier; or NULL. */
static const char *find_name(struct inst_arena *arena, const char *list, const char *name)
{
	const char *other;

	if (list == NULL)
		return NULL;
	while ((other = next_name(arena, &list)) != NULL)
		if (strcmp(last_component(other), last_component(name)) == 0)
			return other;
	return NULL;
}

/* Makes the outer parts share the variable, if they would not do so anyway. */
static void share_variable(struct distribution *work, const char *name)
{
	const char *same = find_name(work->arena, work->shared.data, name);

	if (*name == '\0' || !work->restricted || (same != NULL && strcmp(same, name) == 0))
		return;
	/*
	 * A name that contains a comma belongs to a template; such names cannot be in these lists.
	 */
	if (same != NULL || find_name(work->arena, work->context->members, name) != NULL ||
	    strchr(name, ',') != NULL)
		work->split->whole = true;
	else
		buffer_format(&work->shared, ", %s", name);
}

/*
 * The next identifier of the lexer, with `bracketed` only inside brackets; NULL if there is none.
 */
static const char *next_identifier(
    struct distribution *work, struct lexer *lexer, bool bracketed, size_t *depth)
{
	struct token token;

	while ((token = lexer_next(lexer)).kind != TOKEN_END) {
		*depth += token.punctuator == '[';
		*depth -= token.punctuator == ']' && *depth > 0;
		if (token.kind == TOKEN_IDENTIFIER && (!bracketed || *depth > 0))
			return arena_copy(
			    work->arena, lexer->text + token.begin, token.end - token.begin);
	}
	return NULL;
}

/*
 * Names in the bounds of an array section are evaluated outside the whole directive, and may not be
 * variables.
 */
static void note_bounds(struct distribution *work, const char *item, size_t length)
{
	struct lexer lexer;
	const char *name;
	size_t depth = 0;

	lexer_init(&lexer, item, length, 0);
	lexer.line_start = false;
	while (work->restricted && (name = next_identifier(work, &lexer, true, &depth)) != NULL)
		if (!has_attribute(work, name))
			work->split->whole = true;
}

/*
 * An expression in a clause refers to the original of a variable that another clause makes private.
 * If the directive were split, compilers would use the private copy.
 */
static void note_expression(struct distribution *work, const struct clause *clause)
{
	static const char *const clauses[] = {"private", "lastprivate", "linear", "reduction"};
	struct lexer lexer;
	const char *name;
	size_t depth = 0;

	if (clause->arguments == NULL)
		return;
	lexer_init(&lexer, clause->arguments, strlen(clause->arguments), 0);
	lexer.line_start = false;
	while ((name = next_identifier(work, &lexer, false, &depth)) != NULL)
		for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
			if (is_listed_in(work, clauses[i], name))
				work->split->whole = true;
}

static void share_outside(struct distribution *work, const struct clause *clause)
{
	size_t at = list_begin(clause);
	size_t begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		const char *item = clause->arguments + begin;

		share_variable(work, base_variable(work->arena, item, end - begin));
		note_bounds(work, item, end - begin);
	}
}

/* Does the innermost part run its body in vector lanes or in tasks of its own? */
static bool has_lanes_or_tasks(const struct distribution *work)
{
	return part_accepts(work, work->split->part_count - 1, ON(SIMD) | ON(LOOP) | ON(TASKLOOP));
}

static void place_firstprivate(struct distribution *work, const struct clause *clause)
{
	size_t outer = find_part(work, clause->rule->accepted_by, false);
	size_t inner = find_part(work, clause->rule->accepted_by, true);
	bool tasks = part_accepts(work, inner, ON(TASKLOOP));
	size_t list = clause_list_begin(clause), at = list, begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		char *item = arena_copy(work->arena, clause->arguments + begin, end - begin);
		bool inside = tasks || is_listed_in(work, "lastprivate", item);

		give(work, inside ? inner : outer,
		    arena_format(
			work->arena, "firstprivate(%.*s%s)", (int)list, clause->arguments, item));
		if (inside && inner > 0)
			share_variable(work, base_variable(work->arena, item, end - begin));
	}
}

static void place_reduction(struct distribution *work, const struct clause *clause)
{
	size_t outer = find_part(work, clause->rule->accepted_by, false);
	size_t inner = find_part(work, clause->rule->accepted_by, true);

	/*
	 * clang 19 computes wrong results for a `for` with inscan that is not combined with its
	 * parallel.
	 */
	if (clause_has_modifier(clause, "inscan")) {
		work->split->whole = true;
	} else if (has_lanes_or_tasks(work)) {
		give(work, inner, clause->text);
		if (inner != outer)
			share_outside(work, clause);
		/* In clang a reference is shared, but not the object that it refers to. */
		if (inner != outer && work->restricted && !clauses_require_listing(work->list))
			work->split->whole = true;
	} else {
		give(work, outer, clause->text);
	}
}

/*
 * `if(parallel: e)` goes to the part that it names. An `if(e)` for two parts is computed once, as
 * in the user's text.
 */
static void place_condition(struct distribution *work, const struct clause *clause)
{
	static const enum construct_id modifiers[] = {
	    CONSTRUCT_PARALLEL, CONSTRUCT_SIMD, CONSTRUCT_TASKLOOP};
	size_t outer = find_part(work, clause->rule->accepted_by, false);
	size_t inner = find_part(work, clause->rule->accepted_by, true);

	for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
		if (clause_has_modifier(clause, construct_name(modifiers[i]))) {
			size_t part =
			    find_part(work, directive_bit(directive_of(modifiers[i])), false);

			if (part == MAX_PARTS)
				work->split->error = arena_format(work->arena,
				    "'%s' names no part of the directive", clause->text);
			else
				give(work, part, clause->text);
			return;
		}
	if (inner == outer) {
		give(work, outer, clause->text);
		return;
	}
	work->split->condition = clause->arguments;
	for (size_t part = outer; part <= inner; part++)
		if (part_accepts(work, part, clause->rule->accepted_by))
			give(work, part,
			    arena_format(work->arena, "if(%s)", work->context->condition_name));
	buffer_format(
	    &work->split->parts[outer].clauses, " firstprivate(%s)", work->context->condition_name);
}

/* The allocator of a variable goes to the part that makes the variable private. */
static void place_allocate(struct distribution *work, const struct clause *clause)
{
	static const char *const inner_clauses[] = {"private", "lastprivate", "linear"};
	size_t outer = find_part(work, clause->rule->accepted_by, false);
	size_t inner = find_part(work, clause->rule->accepted_by, true);
	size_t list = clause_list_begin(clause), at = list, begin, end;

	while (clause_next_item(clause->arguments, &at, &begin, &end)) {
		char *item = arena_copy(work->arena, clause->arguments + begin, end - begin);
		bool inside =
		    has_lanes_or_tasks(work) && (is_listed_in(work, "reduction", item) ||
						    (part_accepts(work, inner, ON(TASKLOOP)) &&
							is_listed_in(work, "firstprivate", item)));

		for (size_t i = 0; i < sizeof inner_clauses / sizeof *inner_clauses; i++) {
			const struct clause_rule *rule = clause_rule_find(inner_clauses[i]);

			if (!is_listed_in(work, rule->name, item))
				continue;
			inside = true;
			/* `loop` makes variables private, but takes no allocator for them. */
			if (find_part(work, rule->accepted_by, true) != inner)
				work->split->whole = true;
		}
		give(work, inside ? inner : outer,
		    arena_format(
			work->arena, "allocate(%.*s %s)", (int)list, clause->arguments, item));
	}
}

static void place(struct distribution *work, const struct clause *clause)
{
	size_t part;

	if (clause->rule == NULL ||
	    find_part(work, clause->rule->accepted_by, false) == MAX_PARTS) {
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
		part = find_part(
		    work, clause->rule->accepted_by, clause->rule->placement != PLACE_OUTERMOST);
		give(work, part, clause->text);
		if (clause->rule->placement == PLACE_INNERMOST_SHARED && part > 0)
			share_outside(work, clause);
		else if (clause->rule->placement == PLACE_INNERMOST)
			note_expression(work, clause);
		break;
	case PLACE_ALL:
		for (part = 0; part < work->split->part_count; part++)
			if (part_accepts(work, part, clause->rule->accepted_by))
				give(work, part, clause->text);
		break;
	case PLACE_FIRSTPRIVATE:
		place_firstprivate(work, clause);
		break;
	case PLACE_REDUCTION:
		place_reduction(work, clause);
		break;
	case PLACE_CONDITION:
		place_condition(work, clause);
		break;
	case PLACE_ALLOCATE:
		place_allocate(work, clause);
		break;
	}
}

void clauses_keep_written(
    struct inst_arena *arena, const struct clause_list *written, struct clause_split *split)
{
	split->parts[0].clauses = (struct inst_buffer){.arena = arena};
	for (size_t i = 0; i < written->count; i++)
		buffer_format(&split->parts[0].clauses, " %s", written->clauses[i].text);
}

/* Puts all leaves and all clauses into one part, as the user wrote them. */
static void keep_whole(struct distribution *work)
{
	work->split->part_count = 1;
	work->split->parts[0].leaf_count = work->use->leaf_count;
	work->split->condition = NULL;
	clauses_keep_written(work->arena, work->list, work->split);
}

static void find_parts(
    struct inst_arena *arena, const struct directive_use *use, struct clause_split *split)
{
	bool stays = false;

	for (size_t i = 0; i < use->leaf_count; i++) {
		if (i == 0 || (use->leaves[i - 1]->body == BODY_BLOCK && !stays)) {
			if (split->part_count == MAX_PARTS) {
				split->error = "it has too many parts";
				return;
			}
			split->parts[split->part_count++] =
			    (struct directive_part){.first_leaf = i, .clauses = {.arena = arena}};
		}
		split->parts[split->part_count - 1].leaf_count++;
		stays = stays || use->leaves[i]->inside != NULL;
	}
}

/*
 * Loop variables that keep their last value after the construct are shared by the outer parts, too.
 */
static void share_loop_variables(struct distribution *work)
{
	const char *list = work->context->loop_variables, *name;

	if (!work->restricted ||
	    !part_accepts(work, work->split->part_count - 1, ON(SIMD) | ON(LOOP)))
		return;
	if (list == NULL) {
		work->split->whole = true;
		return;
	}
	while ((name = next_name(work->arena, &list)) != NULL) {
		if (has_attribute(work, name))
			continue;
		/*
		 * If the default makes it private, clang and gcc disagree about its value after the
		 * loop.
		 */
		if (!clauses_require_listing(work->list))
			work->split->whole = true;
		share_variable(work, name);
	}
}

struct clause_split clauses_split(struct inst_arena *arena, const struct directive_use *use,
    const struct clause_list *list, const struct clause_context *context)
{
	struct clause_split split = {.error = list->error};
	struct distribution work = {arena, use, list, context, &split, .shared = {.arena = arena}};

	work.restricted = clauses_restrict_default(list) && directive_has(use, CONSTRUCT_PARALLEL);
	find_parts(arena, use, &split);
	for (size_t i = 0; i < split.part_count; i++)
		buffer_add(&split.parts[i].clauses, "", 0);
	for (size_t i = 0; i < list->count && split.error == NULL; i++) {
		if (split.part_count == 1)
			give(&work, 0, list->clauses[i].text);
		else
			place(&work, &list->clauses[i]);
	}
	if (split.part_count > 1 && split.error == NULL)
		share_loop_variables(&work);
	if (split.whole)
		keep_whole(&work);
	else if (work.shared.length > 0)
		give(&work, find_part(&work, ON(PARALLEL), false),
		    arena_format(arena, "shared(%s)", work.shared.data + 2));
	return split;
}
