/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of threads, parallel regions and tasks. The three opaque types of the interface are this
 * structure under other names: what the object is, of which target, and where its record lies.
 */
#ifndef OMPD_HANDLES_H
#define OMPD_HANDLES_H

#include "target.h"

struct handle {
	enum handle_kind kind;
	const struct _ompd_aspace_handle *space;
	ompd_addr_t address;
};

/*
 * Checks a handle and begins the call's reads.
 *   ompd_rc_stale_handle  NULL, freed, or a handle of something else
 *   ompd_rc_error         the library is not initialised
 */
ompd_rc_t handle_open(
    const void *opaque, enum handle_kind kind, struct reader *reader, const struct handle **handle);
ompd_rc_t handle_open_space(const ompd_address_space_handle_t *space, struct reader *reader);

/*
 * Makes a handle for what a walk has found at `address` and stores it in *opaque, unless the walk
 * failed; 0 is the end of a chain.
 *   ompd_rc_unavailable  address is 0
 *   any other            the reader's, or of the allocation
 */
ompd_rc_t handle_make(
    const struct reader *reader, enum handle_kind kind, ompd_addr_t address, void *opaque);

/* Frees a handle. */
ompd_rc_t handle_release(void *opaque, enum handle_kind kind);

/* *order becomes -1, 0 or 1; of handles of different targets, too. */
ompd_rc_t handle_compare(const void *first, const void *second, enum handle_kind kind, int *order);

#endif
