/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of array elements. */
#ifndef LINT_ARRAY_ACCESS_H
#define LINT_ARRAY_ACCESS_H

#include "events.h"

enum { LINT_MOST_DIMENSIONS = 6 };

struct lint_access {
	const struct model_event *event;
	struct tree *indices[LINT_MOST_DIMENSIONS]; /* outermost first; NULL: 0, of *p */
	size_t count;
};

/* False for other forms than indices on one array or pointer, with members at the end. */
bool lint_read_access(const struct model_event *event, struct lint_access *access);

/* The members behind the last index: a[i].x and a[j].x are about the same, a[i].y is not. */
bool lint_same_members(const struct tree *one, const struct tree *other);

#endif
