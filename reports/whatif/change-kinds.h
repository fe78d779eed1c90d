/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes that can be asked for, for the command line as well. */
#ifndef CHANGE_KINDS_H
#define CHANGE_KINDS_H

enum change_kind {
	CHANGE_BALANCE,  /* the region's work is the same for all threads of a team */
	CHANGE_SCHEDULE, /* its iterations are shared in another way */
	CHANGE_THREADS,  /* teams as large as the largest have that many threads */
	CHANGE_FASTER,   /* its work takes a part of the time */
	CHANGE_NO_WAIT,  /* its barrier is left out */
	CHANGE_GRAIN,    /* so many of its tasks become one */
	CHANGE_UNLOCK,   /* no thread waits for the lock */
	CHANGE_KINDS
};

enum change_schedule { SCHEDULE_STATIC, SCHEDULE_DYNAMIC, SCHEDULE_GUIDED };

#endif
