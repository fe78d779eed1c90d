/* SPDX-License-Identifier: BSD-3-Clause */
/* The kind of barrier that clang's code has come to. */
#ifndef RT_KMP_BARRIER_H
#define RT_KMP_BARRIER_H
#include "kmp.h"
#include "synchronization.h"

/* The compiler does not call the barriers at the ends of regions. */
static inline ompt_sync_region_t kmp_barrier_kind(const struct kmp_ident *ident)
{
	int32_t flags = ident != NULL ? ident->flags : 0;

	if (flags & KMP_IDENT_BARRIER_EXPLICIT)
		return ompt_sync_region_barrier_explicit;
	if (flags & KMP_IDENT_BARRIER_IMPLICIT)
		return ompt_sync_region_barrier_implicit_workshare;
	return ompt_sync_region_barrier_implementation;
}

#endif
