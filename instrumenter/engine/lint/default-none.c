/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Proposes default(none) for parallel regions, with the clauses that then express the current
 * attributes.
 */
#include "checks.h"
#include "fixes.h"

#include <string.h>

static bool is_listed_before(
    const struct model_function *function, const struct tree_construct *construct, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (function->events[i].variable == function->events[index].variable &&
		    event_is_in(&function->events[i], construct->node))
			return true;
	return false;
}

/* "a, b": what the construct shares by default, in the order of use. */
static const char *shared_names(struct lint_unit *unit, const struct model_function *function,
    const struct tree_construct *construct)
{
	struct inst_buffer names = {.arena = unit->tree.arena};

	buffer_add(&names, "", 0);
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		struct model_sharing sharing = model_sharing_of(construct, event->variable);

		if (!event_is_in(event, construct->node) || sharing.rule != RULE_DEFAULT ||
		    sharing.by != construct || event->variable->constant ||
		    is_listed_before(function, construct, i))
			continue;
		buffer_format(&names, "%s%s", names.length > 0 ? ", " : "", event->variable->name);
	}
	return names.data;
}

/* May a clause of a construct inside name a variable that no statement does, as in schedule(static,
 * n)? */
static bool names_others(const struct lint_unit *unit, const struct tree_construct *construct)
{
	static const char *const lists[] = {
	    "private", "firstprivate", "lastprivate", "reduction", "shared", "collapse"};

	for (size_t i = 0; i < unit->tree.construct_count; i++) {
		const struct tree_construct *inner = unit->tree.constructs[i];

		if (inner == construct || !tree_holds(construct->node, inner->node))
			continue;
		for (size_t j = 0; j < inner->clauses.count; j++) {
			const struct clause *clause = &inner->clauses.clauses[j];
			bool known = clause->arguments == NULL || *clause->name == '\0' ||
				     (strcmp(clause->name, "schedule") == 0 &&
					 strchr(clause->arguments, ',') == NULL);

			for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
				known |= strcmp(clause->name, lists[k]) == 0;
			if (!known)
				return true;
		}
	}
	return false;
}

void lint_check_default_none(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < unit->tree.construct_count; i++) {
		const struct tree_construct *construct = unit->tree.constructs[i];
		struct lint_remedy remedy = {.text = NULL};
		const char *names;

		if (!construct_has(construct, CONSTRUCT_BIT(PARALLEL)) ||
		    find_clause(&construct->clauses, "default") != NULL ||
		    !tree_holds(function->function->body, construct->node))
			continue;
		names = shared_names(unit, function, construct);
		if (*names == '\0')
			continue;
		if (names_others(unit, construct))
			lint_fix_refuse(&remedy.fixes);
		lint_fix_add(unit, &remedy.fixes, construct,
		    lint_text(unit, "default(none) shared(%s)", names));
		lint_report_directive(unit, LINT_DEFAULT_NONE, construct,
		    lint_text(unit,
			"variables are shared by default here; with default(none) "
			"shared(%s) a new one has to be listed",
			names),
		    remedy);
	}
}
