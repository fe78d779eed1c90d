/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment table: one row for each variable, which the start-up parser, OMP_DISPLAY_ENV, the
 * debugger interface's display control variables and the manual all share.
 */
#ifndef RT_ENVIRONMENT_H
#define RT_ENVIRONMENT_H
#include <stddef.h>

#include "process.h"
#include "values.h"

enum rt_variable_flags {
	RT_VARIABLE_GNU = 1,    /* an extension: only OMP_DISPLAY_ENV=verbose shows it */
	RT_VARIABLE_HIDDEN = 2, /* never shown by OMP_DISPLAY_ENV */
	RT_VARIABLE_YIELDS = 4, /* another variable that sets the same member overrides it */
	RT_VARIABLE_ALL = 8,    /* also set by NAME_ALL, for the host and all devices */
	/* The same, and a value of NAME_DEV depends on nothing else, so that it can be shown. */
	RT_VARIABLE_DEVICE = 16 | RT_VARIABLE_ALL,
	RT_VARIABLE_LLVM = 64 | 2, /* of LLVM's runtime: debuggers show it if there is such code */
	RT_VARIABLE_LLVM_CODE = 128 | RT_VARIABLE_LLVM, /* read if there is such code: see llvm.h */
	/* One with the same purpose as a variable of OpenMP, which overrides it. */
	RT_VARIABLE_LLVM_YIELDS = RT_VARIABLE_LLVM_CODE | 4,
	RT_VARIABLE_GLOBAL = 32 /* applies to the whole program: shown for all devices */
};

struct rt_variable {
	const char *name;
	const struct rt_value_kind *kind;
	size_t offset; /* offset in struct rt_process of the kind's field */
	unsigned flags;
	const char *unset; /* what applies if it is not set or not usable */
	const char *help;
};

/* In the order of display; ends with a row without name. */
extern const struct rt_variable rt_variables[];

/* The field of a variable's kind in this structure. */
static inline void *rt_variable_field(
    const struct rt_variable *variable, struct rt_process *process)
{
	return (char *)process + variable->offset;
}

/*
 * Reads every variable of the environment table into rt_process and reports on stderr those that
 * were not usable. Called once, by the library's constructor, which then obeys OMP_DISPLAY_ENV.
 */
void rt_environment_read(void);

/*
 * Called before the first use of what follows from the machine's resources: reads what takes too
 * long for processes that never use OpenMP. Any thread may call it any number of times.
 */
void rt_environment_use(void);

/* Prints all variables on stderr as OMP_DISPLAY_ENV=true or verbose does. */
void rt_environment_display(bool verbose);

#endif
