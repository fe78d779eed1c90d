/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: what it knows of that, and the names of folders that follow. */
#ifndef RANK_STATE_H
#define RANK_STATE_H

#include "shared/ranks.h"

struct pomp_rank {
	bool announced; /* the wrappers are loaded */
	/*
	 * From MPI_Init to the report; written by the thread that calls MPI. The program's, and the
	 * groups of those whose logs become one archive and whose profiles one summary; NULL: this
	 * one's does not.
	 */
	const struct pomp_ranks *ranks, *traced, *profiled;
	char *folder;  /* of those that trace; NULL: there is none, or not yet */
	bool gathered; /* they all see the same folder */
	bool lost;     /* the process ends and MPI_Finalize never came */
};

extern struct pomp_rank pomp_rank __attribute__((visibility("hidden")));

/* Whether this rank reports what concerns all ranks that trace. */
bool pomp_rank_reports_for_all(void);

/*
 * The folder of this rank's logs within that of all ranks; and one until there is such a folder,
 * for which it takes the wanted one's name. Both heap, NULL when memory ran out.
 */
char *pomp_rank_own_folder(void);
char *pomp_rank_temporary_folder(char *wanted);

#endif
