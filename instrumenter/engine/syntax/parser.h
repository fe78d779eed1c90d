/* SPDX-License-Identifier: BSD-3-Clause */
/* How libclang parses a text, and its error messages. */
#ifndef PARSER_H
#define PARSER_H

#include "arena.h"
#include "engine.h"

#include <clang-c/Index.h>

/* The user's arguments without those that enable OpenMP, and the engine's own. */
const char **parser_arguments(struct inst_arena *arena, const struct inst_input *input, int *count);

/* The message for a code other than CXError_Success. */
const char *parser_error(enum CXErrorCode code);

#endif
