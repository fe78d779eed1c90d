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
	RT_VARIABLE_YIELDS = 4, /* loses to another variable that sets the same member */
	RT_VARIABLE_ALL = 8,    /* also by NAME_ALL, for the host and all devices */
	/* Likewise; and a value of NAME_DEV depends on nothing else, so that it can be shown. */
	RT_VARIABLE_DEVICE = 16 | RT_VARIABLE_ALL,
	RT_VARIABLE_LLVM = 64 | 2, /* of LLVM's runtime: debuggers show it where is such code */
	RT_VARIABLE_LLVM_CODE = 128 | RT_VARIABLE_LLVM, /* read where is such code: see llvm.h */
	/* One for what a variable of OpenMP has, too, which then holds. */
	RT_VARIABLE_LLVM_YIELDS = RT_VARIABLE_LLVM_CODE | 4,
	RT_VARIABLE_GLOBAL = 32 /* of the whole program: what is shown is of all devices */
};

struct rt_variable {
	const char *name;
	const struct rt_value_kind *kind;
	size_t offset; /* in struct rt_process, of what the kind takes */
	unsigned flags;
	const char *unset; /* what holds when it is not set, or not usable */
	const char *help;
};

/* In the order of display; ends in a row without name. */
extern const struct rt_variable rt_variables[];

/* What a variable's kind takes, in this structure. */
static inline void *rt_variable_field(
    const struct rt_variable *variable, struct rt_process *process)
{
	return (char *)process + variable->offset;
}

/*
 * Reads every variable of the environment table into rt_process and says on stderr what it could
 * not use. Called once, by the library's constructor, which then obeys OMP_DISPLAY_ENV.
 */
void rt_environment_read(void);

/*
 * Before the first use of what follows from the machine's resources: reads what takes too long for
 * processes that never use OpenMP. Any thread, any number of times.
 */
void rt_environment_use(void);

/* Prints all variables on stderr as OMP_DISPLAY_ENV=true or verbose does. */
void rt_environment_display(bool verbose);

#endif
