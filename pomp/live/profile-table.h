/* SPDX-License-Identifier: BSD-3-Clause */
/* The table by which debuggers and other processes find what was measured. */
#ifndef PROFILE_TABLE_H
#define PROFILE_TABLE_H

#include "shared/profile-fields.h"

enum {
	PROFILE_ROOTS = 0 POMP_DEBUG_ROOTS(RT_DEBUG_COUNT),
	PROFILE_ENTRIES = 0 POMP_DEBUG_STRUCTS(RT_DEBUG_COUNT) POMP_DEBUG_FIELDS(RT_DEBUG_COUNT)
};

struct pomp_debug_table {
	struct rt_debug_header header;
	const void *roots[PROFILE_ROOTS];
	struct rt_debug_entry entries[PROFILE_ENTRIES];
};

/* The places of the roots. */
#define PROFILE_ROOT(root) PROFILE_ROOT_##root,
enum { POMP_DEBUG_ROOTS(PROFILE_ROOT) };
#undef PROFILE_ROOT

extern const struct pomp_debug_table pomp_debug_table __attribute__((visibility("default")));

#endif
