/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of threads, parallel regions and tasks. The three opaque types of the interface are this
 * structure under other names: the kind of object, its target, and the address of its record.
 *
 * The process may continue while the debugger keeps a handle. A record may then be reused for
 * another object, or its memory may be freed. Therefore a handle contains what distinguishes its
 * object from the next one in the same record: the number of a thread, how many regions the team
 * has had, the parent and the code of a task. It does not distinguish regions that one thread
 * forked at the same place, nor tasks with the same code, data and parent in the same memory.
 */
#ifndef OMPD_HANDLES_H
#define OMPD_HANDLES_H

#include "target.h"

struct handle {
	enum handle_kind kind;
	const struct _ompd_aspace_handle *space;
	ompd_addr_t address;
	uint64_t stamp;     /* see above */
	bool was_active;    /* region, implicit task: the region was active */
	ompd_addr_t thread; /* explicit task: the thread that executed it; 0: unknown */
};

/*
 * Checks a handle and the pointer for the call's result, and begins the call's reads.
 *   ompd_rc_stale_handle  NULL, freed, a handle of another kind, or its object has ended
 *   ompd_rc_error         the library is not initialised
 *   ompd_rc_bad_input     result is NULL
 */
ompd_rc_t handle_open(const void *opaque, enum handle_kind kind, const void *result,
    struct reader *reader, const struct handle **handle);

/*
 * The same for a region; also finds the region's member with that number. An error of reading is in
 * the reader.
 *   ompd_rc_bad_input     also: the number is outside 0 .. team size - 1
 */
ompd_rc_t handle_open_member(const ompd_parallel_handle_t *parallel, int number, const void *result,
    struct reader *reader, ompd_addr_t *member);
ompd_rc_t handle_open_space(const ompd_address_space_handle_t *space, struct reader *reader);

/*
 * Makes a handle for what a walk has found at `address` and stores it in *opaque, unless the walk
 * failed; 0 is the end of a chain.
 *   ompd_rc_unavailable  address is 0
 *   any other            an error of the reader or of the allocation
 */
ompd_rc_t handle_make(
    struct reader *reader, enum handle_kind kind, ompd_addr_t address, void *opaque);

/* Frees a handle. */
ompd_rc_t handle_release(void *opaque, enum handle_kind kind);

/* Sets *order to -1, 0 or 1; also for handles of different targets. */
ompd_rc_t handle_compare(const void *first, const void *second, enum handle_kind kind, int *order);

#endif
