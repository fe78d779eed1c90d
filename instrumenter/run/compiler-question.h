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
 * The -std= that gives libclang the standard by which the compiler reads C or C++ with these flags.
 * Where the compiler does not say, or says something unknown, it is that of most compilers.
 */
const char *compiler_standard(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus);

#endif
