/* SPDX-License-Identifier: BSD-3-Clause */
/* What libclang reports about the functions that a text defines. */
#ifndef FUNCTION_CURSORS_H
#define FUNCTION_CURSORS_H

#include "arena.h"
#include "statements.h"

#include <clang-c/Index.h>

/*
 * The extent of any cursor. libclang has no extent for a function that `auto` among its parameters
 * makes a template; the result is then from its name to the end of its body.
 */
CXSourceRange function_extent(CXCursor cursor);

/*
 * Fills *function from the definition of a function; its extent in the text is [begin, end). False
 * for a declaration, and unless the braces of the body stand literally in `file`, whose text this
 * is.
 */
bool function_describe(struct inst_arena *arena, CXCursor cursor, CXFile file, const char *text,
    struct function_body *function);

/*
 * The data members of the class that a member function belongs to, including inherited ones, each
 * with ", " in front; NULL if there is none.
 */
const char *function_members(struct inst_arena *arena, CXCursor function);

/*
 * Is this libclang's error about a nested function, which is a gcc extension? Then fills *function
 * with its name and body, read from the tokens.
 */
bool function_describe_nested(struct inst_arena *arena, const struct inst_input *input,
    CXDiagnostic diagnostic, size_t offset, struct function_body *function);

#endif
