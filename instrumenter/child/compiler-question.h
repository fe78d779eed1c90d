/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the user's compiler about itself. */
#ifndef COMPILER_QUESTION_H
#define COMPILER_QUESTION_H

#include "child-process.h"
#include "compiler.h"

/*
 * Runs the compiler with these additional words and returns its standard output (heap); NULL if it
 * fails. Its messages are not shown.
 */
char *compiler_ask(
    struct process_watch *watch, const struct compiler *compiler, const char *const *words);

/*
 * The definitions of all predefined macros of the compiler with these flags (heap); NULL if it
 * fails.
 */
char *compiler_macros(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus);

/*
 * The -std= with which libclang reads what the compiler reads with these flags, which contain none.
 * For C++ the compiler is asked. If it does not answer, or flags is NULL, the result is the default
 * of most compilers.
 */
const char *compiler_standard(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus);

#endif
