/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers that a function sets once, to an array or an object that it names. */
#ifndef LINT_ARRAY_NAMES_H
#define LINT_ARRAY_NAMES_H

#include "array-access.h"
#include "lint-unit.h"

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
