/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look like chance and are the same in each run, for the programs of this folder. */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

/* The next number of a sequence, below 2^32. */
static inline uint32_t chance_next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

/* The next number of a sequence, from 0 to below 1. */
static inline double chance_real(uint64_t *state)
{
	return chance_next(state) / 4294967296.0;
}

#endif
