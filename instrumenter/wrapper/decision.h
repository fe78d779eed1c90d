/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler command needs: nothing, the steps of the wrapper, or a warning that there are
 * none.
 */
#ifndef DECISION_H
#define DECISION_H

#include "compiler-run.h"

enum decision {
	DECISION_COMPILER,   /* nothing to instrument: become the compiler */
	DECISION_INSTRUMENT, /* compile or link it in steps */
	DECISION_REFUSE,     /* it compiles OpenMP in a way that cannot be instrumented */
};

/*
 * Decides, for wrapper's command. With DECISION_REFUSE, *reason is why (heap, or NULL when memory
 * ran out).
 */
enum decision decision_make(const struct wrapper *wrapper, char **reason);

/*
 * Is it one of the compilations by which build systems test the compiler, not a part of the user's
 * program?
 */
bool decision_is_configure_check(const struct command *command);

/* Is it --list with a command that compiles without OpenMP? */
bool decision_lists_nothing(const struct wrapper *wrapper);

/*
 * Does the compiler enable OpenMP by itself, as a script around a compiler or a configuration file
 * may? Only then the command's own words do not show it, and the compiler is run to find out.
 */
bool decision_is_openmp_hidden(struct wrapper *wrapper);

#endif
