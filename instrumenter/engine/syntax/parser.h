/* SPDX-License-Identifier: BSD-3-Clause */
/* How libclang is run over a text, and what it says when it cannot. */
#ifndef PARSER_H
#define PARSER_H

#include "arena.h"
#include "engine.h"

#include <clang-c/Index.h>

/* The user's arguments, less what would make clang see OpenMP, plus ours. */
const char **parser_arguments(struct inst_arena *arena, const struct inst_input *input, int *count);

/* A code other than CXError_Success, in words. */
const char *parser_error(enum CXErrorCode code);

#endif
