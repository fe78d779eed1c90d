/* SPDX-License-Identifier: BSD-3-Clause */
/* C++20 modules, which libclang supports too little. */
#ifndef CXX_MODULES_H
#define CXX_MODULES_H

#include "arena.h"
#include "engine.h"

/*
 * The text for libclang: the words of C++20 modules are replaced by blanks. If the text is a
 * module, *first_code is then after its declaration and imports.
 */
const char *text_without_modules(
    struct inst_arena *arena, const struct inst_input *input, size_t *first_code);

#endif
