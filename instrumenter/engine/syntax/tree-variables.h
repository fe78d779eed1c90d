/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that a tree's expressions name, read from libclang's declarations. */
#ifndef TREE_VARIABLES_H
#define TREE_VARIABLES_H

#include "tree.h"

#include <clang-c/Index.h>

/* Copies a libclang string and disposes of it; "" if it is empty. */
const char *tree_take_string(struct inst_arena *arena, CXString string);

/* The offset of a location in the text; 0 if it is elsewhere. */
size_t tree_offset(CXSourceLocation location);

/*
 * The variable of a declaration, created if it is new; NULL if the declaration is not a variable.
 * `scope_end` is the end of the block of a new local variable.
 */
struct tree_variable *tree_variable_of(
    struct tree_unit *unit, CXCursor declaration, size_t scope_end);

#endif
