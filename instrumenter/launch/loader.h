/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program's own dynamic loader reports that it would load, including the files in
 * LD_PRELOAD.
 */
#ifndef LOADER_H
#define LOADER_H

#include <stdbool.h>

struct loader_answer {
	char *libraries; /* one per line, as ldd prints them (heap), or NULL */
	char *problems;  /* its standard error (heap), or NULL */
};

/*
 * Asks the loader about the program, which does not run. environment: the one that the program will
 * have. False if the loader cannot be run.
 */
bool loader_ask(const char *loader, const char *program, char *const *environment,
    struct loader_answer *answer);

/* Do they include a library with this name, up to a following '.': "libasan.so", "libmpi.so.40"? */
bool loader_has(const struct loader_answer *answer, const char *name);

/* The first problem that names one of the files in the list (heap), or NULL. */
char *loader_problem_with(const struct loader_answer *answer, const char *list);

void loader_answer_finish(struct loader_answer *answer);

#endif
