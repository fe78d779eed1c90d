/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd loops whose lanes `ompinst race run` executes as strands: loops in a region of one thread
 * (shared/loop-schedule.h).
 */
#ifndef RACE_LANE_LOOPS_H
#define RACE_LANE_LOOPS_H

#include "clauses.h"

#include <stdbool.h>
#include <stddef.h>

/* Can the directive's lanes be divided? Not in another simd loop. */
bool lane_loop_fits(const struct directive_use *use, const struct clause_list *clauses);

/* The clauses that it gets; between: blanks in the middle, where a line can end. */
const char *lane_loop_clauses(struct inst_arena *arena, const struct clause_list *clauses,
    const char *between, bool is_fortran);

/* Are there `ordered simd` directives in the text? */
bool lane_loop_is_ordered(const char *text, size_t end, size_t at);

#endif
