/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of array elements. */
#ifndef LINT_ARRAY_ACCESS_H
#define LINT_ARRAY_ACCESS_H

#include "variable-uses.h"

enum { LINT_MOST_DIMENSIONS = 6 };

struct lint_access {
	const struct model_event *event;
	struct tree *indices[LINT_MOST_DIMENSIONS]; /* outermost first; NULL for *p: index 0 */
	size_t count;
};

/*
 * Reads an access as indices on one array or pointer, with members at the end. False if it has
 * another form.
 */
bool lint_read_access(const struct model_event *event, struct lint_access *access);

/*
 * Do both accesses name the same members after the last index? a[i].x and a[j].x do, a[i].x and
 * a[j].y do not.
 */
bool lint_same_members(const struct tree *one, const struct tree *other);

#endif
