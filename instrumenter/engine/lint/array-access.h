/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of array elements. */
#ifndef LINT_ARRAY_ACCESS_H
#define LINT_ARRAY_ACCESS_H

#include "lint-unit.h"
#include "subscript.h"

enum { LINT_MOST_DIMENSIONS = 6 };

struct lint_access {
	const struct model_event *event;
	struct tree *indices[LINT_MOST_DIMENSIONS]; /* outermost first; NULL for *p: index 0 */
	size_t count;
	const struct tree_variable *array; /* the event's, or what its pointer points into */
	struct tree *offset;               /* added to the first index; NULL: nothing */
};

/*
 * Reads an access as indices on one array or pointer, with members at the end. False if it has
 * another form.
 */
bool lint_read_access(const struct model_event *event, struct lint_access *access);

/* Reads one subscript, with what the access's pointer adds to it. */
struct subscript lint_read_index(struct tree_unit *unit, const struct model_function *function,
    const struct lint_access *access, size_t dimension);

/*
 * Do both accesses name the same members after the last index? a[i].x and a[j].x do, a[i].x and
 * a[j].y do not.
 */
bool lint_same_members(const struct tree *one, const struct tree *other);

/*
 * The one value that the function ever gives to its local variable, and in *place the declaration
 * or assignment that does so. NULL if there are several, or if others may change the variable.
 */
struct tree *lint_only_value(const struct model_function *function,
    const struct tree_variable *variable, const struct tree **place);

/*
 * Replaces the access's pointer by the array into which it points from before the construct to its
 * end: `p = a`, `p = &a[2]`, `p = a + 2`. Without such a value, the access stays as it is.
 */
void lint_find_array(const struct model_function *function, const struct tree_construct *construct,
    struct lint_access *access);

#endif
