/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp does for the library of MPI wrappers: libpomp itself knows no MPI. The process is one
 * rank of a program of many.
 */
#ifndef SHARED_RANKS_H
#define SHARED_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* Before main(): this process is going to be a rank. Returns whether its calls are measured. */
bool pomp_rank_announce(void);

#pragma GCC visibility pop

#endif
