/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads in place of the ranks of a program: for tests of what ranks do together. */
#ifndef THREAD_RANKS_H
#define THREAD_RANKS_H

#include "check.h"
#include "shared/ranks.h"

/*
 * Has that many ranks execute be_rank() at once; they can send, receive and broadcast. Checks that
 * rank 0 has exchanged with as many others as a tree needs: log2 of the ranks.
 */
void thread_ranks_run(uint32_t count, void (*be_rank)(const struct pomp_ranks *ranks));

#endif
