/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the schedules of two loops. */
#include "schedule.h"

#include "schedule-clause.h"

#include <string.h>

bool schedule_differs(const struct tree_construct *one, const struct tree_construct *other)
{
	const struct schedule_clause first = schedule_clause_read(&one->clauses),
				     second = schedule_clause_read(&other->clauses);

	if (!schedule_word_is(&first.kind, "static") || !schedule_word_is(&second.kind, "static"))
		return true;
	if (first.chunk.length == second.chunk.length &&
	    strncmp(first.chunk.text, second.chunk.text, first.chunk.length) == 0)
		return false;
	/* Chunk expressions that are not numbers may have the same value. */
	return schedule_word_is_number(&first.chunk) && schedule_word_is_number(&second.chunk);
}
