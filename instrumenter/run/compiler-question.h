/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to the user's compiler about itself. */
#ifndef COMPILER_QUESTION_H
#define COMPILER_QUESTION_H

#include "child-process.h"
#include "compiler.h"

/*
 * What the compiler prints on standard output when it is run with these words behind its own
 * (heap); NULL when it fails. Its messages are not shown.
 */
char *compiler_ask(
    struct process_watch *watch, const struct compiler *compiler, const char *const *words);

/*
 * The definitions of all macros that the compiler begins with (heap), given these flags; NULL when
 * it fails.
 */
char *compiler_macros(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus);

/*
 * The -std= by which libclang reads what the compiler reads with these flags, which have none. For
 * C++ the compiler is asked; where it does not say, or flags is NULL, it is that of most compilers.
 */
const char *compiler_standard(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus);

#endif
