/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that a tree's expressions name, read off libclang's declarations. */
#ifndef TREE_VARIABLES_H
#define TREE_VARIABLES_H

#include "tree.h"

#include <clang-c/Index.h>

/* A copy of a libclang string, which is released; "" for none. */
const char *tree_take_string(struct inst_arena *arena, CXString string);

/* The offset of a location in the text; 0 when it is elsewhere. */
size_t tree_offset(CXSourceLocation location);

/*
 * The variable of a declaration, made when it is new, or NULL when it is none. `scope_end` is where
 * a new local one's block ends.
 */
struct tree_variable *tree_variable_of(
    struct tree_unit *unit, CXCursor declaration, size_t scope_end);

#endif
