/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's own dynamic loader says it would load, with what LD_PRELOAD holds. */
#ifndef LOADER_H
#define LOADER_H

#include <stdbool.h>

struct loader_answer {
	char *libraries; /* a line for each, as ldd prints them (heap), or NULL */
	char *problems;  /* what it said on standard error (heap), or NULL */
};

/*
 * Asks the loader about the program, which does not run. environment: what the program will have.
 * False when the loader could not be asked.
 */
bool loader_ask(const char *loader, const char *program, char *const *environment,
    struct loader_answer *answer);

/* Is a library of this name (up to a '.' behind it) among them: "libasan.so", "libmpi.so.40"? */
bool loader_has(const struct loader_answer *answer, const char *name);

/* The first problem that names one of the files in the list (heap), or NULL. */
char *loader_problem_with(const struct loader_answer *answer, const char *list);

void loader_answer_finish(struct loader_answer *answer);

#endif
