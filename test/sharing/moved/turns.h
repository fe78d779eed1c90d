/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread begins a part of the work first, so that nothing depends on when threads run. Two
 * threads; their waiting is not noted.
 */
#ifndef TURNS_H
#define TURNS_H

#include <sched.h>
#include <stdatomic.h>

enum { STEPS = 12 };

static _Atomic int parts_begun[STEPS];

#define NOT_NOTED __attribute__((no_sanitize("thread"), noinline, unused))

/* The second thread waits until the first one has begun a part. */
NOT_NOTED static void wait_for_turn(int is_first, int step)
{
	while (!is_first && parts_begun[step] == 0)
		sched_yield();
}

/* Each of two parts begins, by another thread each: neither goes on before both have begun. */
NOT_NOTED static void begin_part(int step)
{
	parts_begun[step]++;
	while (parts_begun[step] < 2)
		sched_yield();
}

/* A part is complete, for which another thread waits. */
NOT_NOTED static void end_part(int step)
{
	parts_begun[step]++;
}

NOT_NOTED static void wait_for_part(int step)
{
	while (parts_begun[step] == 0)
		sched_yield();
}

#endif
