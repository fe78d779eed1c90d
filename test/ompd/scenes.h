/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that come to a known place and stay there, for debuggers to look at: `PROGRAM SCENE`.
 * Each scene is a function; it does not return.
 */
#ifndef SCENES_H
#define SCENES_H

#include "let-others.h"

struct scene {
	const char *name;
	void (*play)(void);
};

/* Of the program; the last one's name is NULL. */
extern const struct scene scenes[];

/* The calling thread is busy for ever, as far as a debugger can see. */
void stay(void);

#endif
