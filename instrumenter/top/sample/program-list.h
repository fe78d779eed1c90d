/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs that are looked at: one process, those of a name, or all of this user. */
#ifndef PROGRAM_LIST_H
#define PROGRAM_LIST_H

#include "sampled-program.h"

struct program_list {
	struct program_readers *readers;
	pid_t only;       /* this process, whatever it runs on; 0: many */
	const char *name; /* only processes of this name; NULL: all */
	/* In the order of jobs of MPI and their ranks. */
	struct program *
	    *items; /* those that end stay until program_list_update(), `only` for ever */
	size_t count, room;
	/*
	 * How many of this user's OpenMP programs may not be read, and what is said of one of them
	 * (heap); as long as none is in the list.
	 */
	size_t refused_count;
	char *refusal;
	/* Processes that were looked at and have no OpenMP runtime: by number, when they began. */
	struct map others;
	uint64_t checked_at; /* when all of these were last looked at */
};

/*
 * Drops what has ended, and adds what is new. Unless it is asked for, what has no OpenMP runtime or
 * may not be read is not in the list. False: no memory.
 */
bool program_list_update(struct program_list *list);

/* One look at each. */
void program_list_look(struct program_list *list);

void program_list_end_interval(struct program_list *list);

void program_list_finish(struct program_list *list);

#endif
