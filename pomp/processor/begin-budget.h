/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the beginnings of threads may take of the run. A thread begins with some ten system calls:
 * its timer, the kernel's figures, its stack. That is nothing for a thread that works, and a third
 * of the life of one that is made for a single call. So all beginnings together have a part of the
 * elapsed time; a thread that begins beyond it makes no system call then, and has the rest done
 * later, if it is still there.
 */
#ifndef BEGIN_BUDGET_H
#define BEGIN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether a thread may begin in full, `elapsed` ticks after the start. */
bool pomp_budget_allows(uint64_t elapsed);

/* Counts a full beginning that took so many ticks. */
void pomp_budget_spend(uint64_t ticks);

#endif
