/* SPDX-License-Identifier: BSD-3-Clause */
/* What is attached to a program that is run, by which variables of its environment. */
#ifndef ATTACHMENT_H
#define ATTACHMENT_H

#include "launch-options.h"
#include "program.h"

#include <stdbool.h>

struct attachment {
	struct words variables; /* "NAME=value", to be added to the environment */
	char *obstacle;         /* heap: why the program itself cannot be measured, or NULL */
	/* The user's OMP_TOOL_LIBRARIES, in the environment, where ours is taken first; or NULL. */
	const char *unused_tools;
	bool failed; /* memory ran out: nothing is attached */
};

/*
 * Decides by the program's files and the environment. quiet: the attached library says nothing.
 * With an obstacle there can still be variables, for the programs that this one starts.
 */
void attachment_make(const struct program *program, const struct launch_options *options,
    bool quiet, struct attachment *attachment);

void attachment_finish(struct attachment *attachment);

#endif
