/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a function's body, in text order. */
#ifndef LINT_CALLS_H
#define LINT_CALLS_H

#include "lint-unit.h"

struct lint_calls {
	struct inst_arena *arena;
	struct tree **all;
	size_t count, room;
};

struct lint_calls lint_collect_calls(struct lint_unit *unit, const struct model_function *function);

#endif
