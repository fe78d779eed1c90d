/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines what is attached to a program, and the environment variables that attach it. */
#ifndef ATTACHMENT_H
#define ATTACHMENT_H

#include "launch-options.h"
#include "program.h"

#include <stdbool.h>

struct attachment {
	struct words variables; /* "NAME=value", to be added to the environment */
	char *obstacle;         /* heap: why the program itself cannot be measured, or NULL */
	/* The user's OMP_TOOL_LIBRARIES if our tool, which comes first, is used instead; or NULL.
	 */
	const char *unused_tools;
	bool failed; /* memory ran out: nothing is attached */
};

/*
 * Decides by the program's files and the environment. quiet: the attached library prints nothing.
 * Even with an obstacle there can be variables, for the programs that this one starts.
 */
void attachment_make(const struct program *program, const struct launch_options *options,
    bool quiet, struct attachment *attachment);

void attachment_finish(struct attachment *attachment);

#endif
