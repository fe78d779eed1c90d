/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of wrappers that add words to the compiler's command, and nothing else. */
#ifndef BECOME_COMPILER_H
#define BECOME_COMPILER_H

#include "compiler.h"

/* The compiler's own macros say what mpicc and scripts run. */
void compiler_ask_kind(struct compiler *compiler);

/*
 * Becomes the compiler, with words in front of the user's arguments and behind them. Returns an
 * exit code only if that is not possible.
 */
int compiler_become(const struct compiler *compiler, const struct words *front,
    const struct words *arguments, const struct words *behind);

#endif
