/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the executions of a construct in a strand, and how much work they contain. */
#include "change.h"

uint64_t change_work(const struct strand *strand, size_t begin, size_t end)
{
	uint64_t sum = 0;

	for (size_t i = begin; i < end; i++)
		sum += action_is_work(&strand->actions[i]) ? strand->actions[i].ticks : 0;
	return sum;
}

bool change_find_body(const struct strand *strand, const bool *constructs, size_t *at, size_t *end)
{
	uint32_t construct;
	size_t depth = 0;

	for (;; ++*at) {
		if (*at >= strand->count)
			return false;
		construct = strand->actions[*at].subject;
		if (strand->actions[*at].kind == ACTION_ENTER && construct != RECORDED_NONE &&
		    constructs[construct])
			break;
	}
	for (*end = ++*at; *end < strand->count; ++*end) {
		const struct action *action = &strand->actions[*end];

		if (action->subject != construct)
			continue;
		if (action->kind == ACTION_ENTER)
			depth++;
		else if (depth == 0 &&
			 (action->kind == ACTION_LEAVE || action->kind == ACTION_BARRIER))
			break;
		else if (action->kind == ACTION_LEAVE)
			depth--;
	}
	return true;
}
