/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as one rank of many: what it knows about that, and the names of the folders. */
#ifndef RANK_STATE_H
#define RANK_STATE_H

#include "shared/ranks.h"

struct pomp_rank {
	bool announced; /* the wrappers are loaded */
	/*
	 * Valid from MPI_Init to the report; written by the thread that calls MPI. All ranks of the
	 * program, those whose logs become one archive, and those whose profiles become one
	 * summary; NULL: this rank is not among them.
	 */
	const struct pomp_ranks *ranks, *traced, *profiled;
	char *folder;  /* of the tracing ranks; NULL: there is none, or not yet */
	bool gathered; /* the tracing ranks all see the same folder */
	bool lost;     /* the process ends without MPI_Finalize */
};

extern struct pomp_rank pomp_rank __attribute__((visibility("hidden")));

/* Returns whether this rank reports what concerns all tracing ranks. */
bool pomp_rank_reports_for_all(void);

/*
 * The first returns the folder for this rank's logs within that of all ranks. The second returns a
 * folder to use until that one exists, and takes ownership of `wanted`. Both heap, NULL when memory
 * ran out.
 */
char *pomp_rank_own_folder(void);
char *pomp_rank_temporary_folder(char *wanted);

#endif
