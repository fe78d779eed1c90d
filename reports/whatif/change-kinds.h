/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of changes that can be requested; the command line uses them, too. */
#ifndef CHANGE_KINDS_H
#define CHANGE_KINDS_H

enum change_kind {
	CHANGE_BALANCE,  /* the region's work is equal for all threads of a team */
	CHANGE_SCHEDULE, /* the region's iterations are shared in another way */
	CHANGE_THREADS,  /* teams as large as the largest get that many threads */
	CHANGE_FASTER,   /* the region's work takes a fraction of the time */
	CHANGE_NO_WAIT,  /* the region's barrier is removed */
	CHANGE_GRAIN,    /* that many of the region's tasks become one */
	CHANGE_UNLOCK,   /* no thread waits for the lock */
	CHANGE_KINDS
};

#endif
