/* SPDX-License-Identifier: BSD-3-Clause */
/* What a compiler command needs: nothing, the steps of the wrapper, or words about why it has none.
 */
#ifndef DECISION_H
#define DECISION_H

#include "compiler-run.h"

enum decision {
	DECISION_COMPILER,   /* nothing of it is ours: become the compiler */
	DECISION_INSTRUMENT, /* compile or link it in steps */
	DECISION_REFUSE,     /* it compiles OpenMP in a way that cannot be instrumented */
};

/*
 * Decides, for wrapper's command. With DECISION_REFUSE, *reason is why (heap, or NULL when memory
 * ran out).
 */
enum decision decision_make(const struct wrapper *wrapper, char **reason);

/* Does --list ask about a command that compiles without OpenMP? */
bool decision_lists_nothing(const struct wrapper *wrapper);

/*
 * Does the compiler switch OpenMP on by itself, as a script around a compiler or a configuration
 * file may? Only then the command's own words do not tell, and this asks the compiler.
 */
bool decision_is_openmp_hidden(struct wrapper *wrapper);

#endif
