/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of each directive: instrumented, or left alone for a reason. */
#ifndef PLAN_H
#define PLAN_H

#include "unit.h"

/* Reads every directive, finds its extent and decides what becomes of it. */
void plan_constructs(struct unit *unit);

/* Do both directives belong to the same attribute (or are they the same construct)? */
bool same_attribute(const struct unit *unit, size_t a, size_t b);

/* Ranges between directives that are not constructs: declare target, noinstrument. */
struct plan_ranges {
	size_t device; /* open declare target ranges */
	bool uninstrumented;
};

/* Updates the ranges if the construct opens or closes one. */
void follow_ranges(struct plan_ranges *ranges, const struct construct *construct);

/* Does a `declare target` list this function? */
bool is_device_function(const struct unit *unit, const char *function);

/* After planning: the reason why the code at `offset` may not call the library, or NULL. */
const char *find_surrounding_reason(struct unit *unit, size_t offset);

#endif
