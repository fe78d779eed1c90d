/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs of whatif.py have in common. Each is one pattern of OpenMP, runs for about half
 * a second on two processors, and is changed by macros: SCHEDULE is its loop's schedule, HALF
 * halves the work of the region that a change makes faster, others stand in the program. A comment
 * `// @name` behind a directive names its line for the table of cases.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "../../work.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef SCHEDULE
#define SCHEDULE static
#endif

#ifdef HALF
enum { FASTER = 2 };
#else
enum { FASTER = 1 };
#endif

#ifdef EVEN
enum { IS_EVEN = 1 };
#else
enum { IS_EVEN = 0 };
#endif

/* Processor time, which the compiler cannot foresee: twice the turns take twice as long. */
static inline void compute(int turns)
{
	__asm__ volatile("" : "+r"(turns));
	work(turns);
}

/*
 * The i-th index of a loop whose cost changes slowly with the index: itself, or where the work is
 * to be even, of the even indices first and then of the odd ones, so that both halves have as much
 * to do.
 */
static inline int spread(int i, int count)
{
	int evens = (count + 1) / 2;

	if (!IS_EVEN)
		return i;
	return i < evens ? 2 * i : 2 * (i - evens) + 1;
}

/* A number from 0 to below `range` that looks like chance and is the same in each run. */
static inline unsigned mixed(unsigned number, unsigned range)
{
	number ^= number >> 16;
	number *= 0x7feb352du;
	number ^= number >> 15;
	number *= 0x846ca68bu;
	number ^= number >> 16;
	return number % range;
}

#endif
