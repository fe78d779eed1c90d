/* SPDX-License-Identifier: BSD-3-Clause */
/* What libclang knows of the functions that are defined in a text. */
#ifndef FUNCTION_CURSORS_H
#define FUNCTION_CURSORS_H

#include "arena.h"
#include "statements.h"

#include <clang-c/Index.h>

/*
 * The extent of any cursor. Of a function that `auto` among its parameters makes a template,
 * libclang has none, and this is from its name to the end of its body.
 */
CXSourceRange function_extent(CXCursor cursor);

/*
 * Fills *function from the definition of a function; its extent in the text is [begin, end). False
 * for a declaration, and for a body that does not stand in `file`, whose text this is, with its own
 * braces.
 */
bool function_describe(struct inst_arena *arena, CXCursor cursor, CXFile file, const char *text,
    struct function_body *function);

/*
 * The data members, inherited ones too, of the class that a function is a member of, ", " before
 * each; NULL for none.
 */
const char *function_members(struct inst_arena *arena, CXCursor function);

/*
 * Is this libclang's error about a function inside a function, which is gcc's extension? Then
 * *function gets its name and body as read from the tokens.
 */
bool function_describe_nested(struct inst_arena *arena, const struct inst_input *input,
    CXDiagnostic diagnostic, size_t offset, struct function_body *function);

#endif
