/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler command needs: nothing, the steps of the wrapper, or a warning that it cannot be
 * instrumented.
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
 * Decides for the wrapper's command. With DECISION_REFUSE, *reason is the reason (heap, or NULL if
 * memory ran out).
 */
enum decision decision_make(const struct wrapper *wrapper, char **reason);

/*
 * Is this a compilation with which a build system tests the compiler, and not part of the user's
 * program?
 */
bool decision_is_configure_check(const struct command *command);

/* Is this --list with a command that compiles without OpenMP? */
bool decision_lists_nothing(const struct wrapper *wrapper);

/*
 * Does the compiler enable OpenMP by itself, as a wrapper script or a configuration file may do?
 * Only then do the command's words not show it, and the compiler is run to find out.
 */
bool decision_is_openmp_hidden(struct wrapper *wrapper);

#endif
