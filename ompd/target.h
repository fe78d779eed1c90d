/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A target: where its data is, how wide and in which byte order, read once from the table that its
 * runtime exports; and reading it with checks.
 *
 * A target may be corrupted, half written or another one than it seems. So all reads of one call
 * share a budget, which bounds every walk whatever the pointers are; each is of a known small size,
 * aligned and inside the target's address range; and nothing is allocated by a size read from the
 * target beyond a fixed limit.
 *
 * Data is read from the debugger in lines, which the call keeps: neighbouring members of a record
 * cost one callback together. A line lies within a page; where only a part of it can be read, the
 * requested bytes are read by themselves.
 */
#ifndef OMPD_TARGET_H
#define OMPD_TARGET_H

#include <stdbool.h>

#include "omp-tools.h"
#include "shared/debug-fields.h"

/* FIELD_rt_team_size for FIELD(rt_team, size). */
#define TARGET_FIELD_ID(type, member) FIELD_##type##_##member,
#define TARGET_STRUCT_ID(type)        STRUCT_##type,
#define TARGET_ROOT_ID(root)          ROOT_##root,

/* A structure is a field at 0 of its own size. */
enum target_field_id {
	RT_DEBUG_FIELDS(TARGET_FIELD_ID) RT_DEBUG_ARRAYS(TARGET_FIELD_ID)
	    RT_DEBUG_STRUCTS(TARGET_STRUCT_ID) TARGET_FIELDS
};

enum target_root_id { RT_DEBUG_ROOTS(TARGET_ROOT_ID) TARGET_ROOTS };

/* What a handle is; its first word, so that a freed or foreign one is noticed. */
enum handle_kind { HANDLE_SPACE = 0x6f6d7001, HANDLE_THREAD, HANDLE_PARALLEL, HANDLE_TASK };

/* size 0: this runtime does not have it. */
struct target_field {
	uint32_t offset, size;
};

/* Constant once ompd_process_initialize() has made it. */
struct _ompd_aspace_handle {
	enum handle_kind kind;
	uint32_t openmp_version;
	ompd_address_space_context_t *context;
	ompd_device_type_sizes_t sizes;
	bool is_swapped; /* numbers have the other byte order than the debugger's */
	ompd_addr_t roots[TARGET_ROOTS];
	struct target_field fields[TARGET_FIELDS];
};

/*
 * The most that one call reads from the debugger, one read being of at most TARGET_READ_BYTES. A
 * bulk reader, for walks over all tasks of the target, reads lines of TARGET_BULK_BYTES, from which
 * it may serve more requests.
 */
enum {
	TARGET_READS = 1 << 18,
	TARGET_READ_BYTES = 4096,
	TARGET_BULK_REQUESTS = 1 << 27,
	TARGET_BULK_BYTES = 1 << 16
};

enum { READER_LINES = 4, READER_LINE_BYTES = 128, READER_BULK_LINES = 8 };

/*
 * The reads of one call. The first error stays in rc and ends all further reading: what is read
 * then is 0, so that a walk need only look at rc where it decides to go on.
 *   ompd_rc_error             the target's data make no sense, or the budget is used up
 *   ompd_rc_incompatible      the runtime has no such member, or one of an impossible size
 *   any other                 what a callback returned
 */
struct reader {
	const struct _ompd_aspace_handle *space;
	ompd_rc_t rc;
	uint32_t budget;                       /* requests that are left */
	uint32_t fetches;                      /* and reads from the debugger */
	ompd_addr_t starts[READER_BULK_LINES]; /* of the lines, 0: none there */
	unsigned char *bulk;                   /* the lines of a bulk reader, else NULL */
	unsigned char lines[READER_LINES][READER_LINE_BYTES];
};

/* Of a valid space. ompd_rc_error when the library is not initialised. */
void reader_begin(struct reader *reader, const struct _ompd_aspace_handle *space);

/* Makes a fresh reader a bulk reader, to be ended; on failure rc says why. */
void reader_begin_bulk(struct reader *reader);
void reader_end_bulk(struct reader *reader);

/* bytes at an address as they are; at most TARGET_READ_BYTES. */
void read_bytes(struct reader *reader, ompd_addr_t address, ompd_size_t bytes, void *buffer);

/* An unsigned number of 1, 2, 4 or 8 bytes. */
uint64_t read_number(struct reader *reader, ompd_addr_t address, uint32_t width);

/* A member of the structure at base: as an unsigned or signed number, as a pointer, its address. */
uint64_t read_field(struct reader *reader, ompd_addr_t base, enum target_field_id field);
int64_t read_signed(struct reader *reader, ompd_addr_t base, enum target_field_id field);
ompd_addr_t read_pointer(struct reader *reader, ompd_addr_t base, enum target_field_id field);
ompd_addr_t field_address(struct reader *reader, ompd_addr_t base, enum target_field_id field);

/* The text at an address, at most room - 1 bytes of it; buffer ends in a null byte then. */
void read_text(struct reader *reader, ompd_addr_t address, char *buffer, ompd_size_t room);

/* Sets rc to ompd_rc_error unless what must hold does. */
void reader_expect(struct reader *reader, bool holds);

#endif
