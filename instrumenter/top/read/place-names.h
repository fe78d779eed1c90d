/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of places in the code of one process that libpomp has measured, by libpomp_names.so. What
 * was found, or not, stays so: an interval's rows are found again by their names.
 */
#ifndef PLACE_NAMES_H
#define PLACE_NAMES_H

#include "code-lookup.h"

#include <sys/types.h>

struct named_place;

struct place_names {
	struct code_lookup *lookup;
	double seconds; /* for one reading of the process */
	uint64_t until; /* of the current one: CLOCK_MONOTONIC in ns */
	struct loaded_modules modules;
	struct named_place *places;
	size_t count, room;
};

/* The lookup must stay. NULL: nothing has names. */
void place_names_init(struct place_names *names, struct code_lookup *lookup, double seconds);

/* A reading begins. */
void place_names_begin(struct place_names *names);

/*
 * Sets *name, whose texts are on the heap; empty: no name was found. Only files that the process
 * has mapped are opened, whatever its memory says.
 */
void place_names_find(struct place_names *names, pid_t process,
    const struct code_question *question, struct code_name *name);

/*
 * "step libsolver.so+0x1234" (heap) if code that begins there was named before by its function;
 * NULL: it was not. libpomp knows of which call the code is, so more is known than of its address
 * alone.
 */
char *place_names_function(const struct place_names *names, const char *path, uint64_t offset);

void place_names_finish(struct place_names *names);

#endif
