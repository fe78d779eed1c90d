/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a command with loops whose iterations may be divided otherwise in each run. */
#ifndef RACE_DIVIDED_COMPILE_H
#define RACE_DIVIDED_COMPILE_H

#include "compiler-command.h"
#include "compiler.h"

/* What the compiler gets besides the command, without the compiler's own words. */
struct race_additions {
	struct words front, behind;
};

/*
 * Compiles, and links, the command with changed texts in place of its sources, as divided-loops.h
 * says. If the compiler does not take them, it compiles the user's own files, and a warning says
 * so. Returns the compiler's exit code, or -1 if there is no such loop: then nothing was compiled.
 */
int divided_compile(const struct compiler *compiler, const struct command *command,
    const struct race_additions *additions);

#endif
