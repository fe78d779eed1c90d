/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of addresses and numbers, without calls of functions that ThreadSanitizer replaces. */
#ifndef AGENT_HASH_MIX_H
#define AGENT_HASH_MIX_H

#include <stdint.h>

static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

#endif
