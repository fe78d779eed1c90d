/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules of C++20, of which libclang shows too little. */
#ifndef CXX_MODULES_H
#define CXX_MODULES_H

#include "arena.h"
#include "engine.h"

/*
 * The text as libclang is to see it: without the words of C++20's modules, blanked out, where it
 * has any. In a module's own text *first_code then is behind its declaration and imports.
 */
const char *text_without_modules(
    struct inst_arena *arena, const struct inst_input *input, size_t *first_code);

#endif
