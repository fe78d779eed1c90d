/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A target: where its data is, how wide and in which byte order, read once from the table that its
 * runtime exports; and checked reads from it.
 *
 * A target may be corrupted, half written, or another one than it seems. Therefore all reads of one
 * call share a budget, which bounds every walk whatever the pointers are. Each read has a known
 * small size, is aligned and inside the target's address range. Nothing is allocated with a size
 * from the target beyond a fixed limit.
 *
 * Data is read from the debugger in lines, which are cached for the duration of the call:
 * neighbouring members of a record together cost one callback. A line is within a page; if only a
 * part of it can be read, the requested bytes are read separately.
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

/* A structure is a field at offset 0 with the structure's size. */
enum target_field_id {
	RT_DEBUG_FIELDS(TARGET_FIELD_ID) RT_DEBUG_ARRAYS(TARGET_FIELD_ID)
	    RT_DEBUG_STRUCTS(TARGET_STRUCT_ID) TARGET_FIELDS
};

enum target_root_id { RT_DEBUG_ROOTS(TARGET_ROOT_ID) TARGET_ROOTS };

/* The kind of a handle; its first word, so that a freed or foreign handle is noticed. */
enum handle_kind { HANDLE_SPACE = 0x6f6d7001, HANDLE_THREAD, HANDLE_PARALLEL, HANDLE_TASK };

/* size 0: this runtime lacks the field. */
struct target_field {
	uint32_t offset, size;
};

/* Constant after ompd_process_initialize() has made it. */
struct _ompd_aspace_handle {
	enum handle_kind kind;
	uint32_t openmp_version;
	ompd_address_space_context_t *context;
	ompd_device_type_sizes_t sizes;
	bool is_swapped; /* numbers are not in the debugger's byte order */
	ompd_addr_t roots[TARGET_ROOTS];
	struct target_field fields[TARGET_FIELDS];
};

/*
 * The most reads from the debugger in one call; each reads at most TARGET_READ_BYTES. A bulk
 * reader, for walks over all tasks of the target, reads lines of TARGET_BULK_BYTES, from which it
 * may serve more requests.
 */
enum {
	TARGET_READS = 1 << 18,
	TARGET_READ_BYTES = 4096,
	TARGET_BULK_REQUESTS = 1 << 27,
	TARGET_BULK_BYTES = 1 << 16
};

enum { READER_LINES = 4, READER_LINE_BYTES = 128, READER_BULK_LINES = 8 };

/*
 * The reads of one call. The first error stays in rc and ends all further reading: later reads
 * return 0, so a walk need only check rc before it continues.
 *   ompd_rc_error             the target's data are inconsistent, or the budget is used up
 *   ompd_rc_incompatible      the runtime lacks the member, or its size is impossible
 *   any other                 what a callback returned
 */
struct reader {
	const struct _ompd_aspace_handle *space;
	ompd_rc_t rc;
	uint32_t budget;                       /* remaining requests */
	uint32_t fetches;                      /* remaining reads from the debugger */
	ompd_addr_t starts[READER_BULK_LINES]; /* of the lines; 0: none there */
	unsigned char *bulk;                   /* the lines of a bulk reader, else NULL */
	unsigned char lines[READER_LINES][READER_LINE_BYTES];
};

/* Begins reads in a valid space. ompd_rc_error when the library is not initialised. */
void reader_begin(struct reader *reader, const struct _ompd_aspace_handle *space);

/* Makes a new reader a bulk reader, which must be ended; on failure rc has the reason. */
void reader_begin_bulk(struct reader *reader);
void reader_end_bulk(struct reader *reader);

/* Reads bytes unchanged; at most TARGET_READ_BYTES. */
void read_bytes(struct reader *reader, ompd_addr_t address, ompd_size_t bytes, void *buffer);

/* Reads an unsigned number of 1, 2, 4 or 8 bytes. */
uint64_t read_number(struct reader *reader, ompd_addr_t address, uint32_t width);

/*
 * Return a member of the structure at base: as an unsigned or signed number, as a pointer, and its
 * address.
 */
uint64_t read_field(struct reader *reader, ompd_addr_t base, enum target_field_id field);
int64_t read_signed(struct reader *reader, ompd_addr_t base, enum target_field_id field);
ompd_addr_t read_pointer(struct reader *reader, ompd_addr_t base, enum target_field_id field);
ompd_addr_t field_address(struct reader *reader, ompd_addr_t base, enum target_field_id field);

/* Reads a text, at most room - 1 bytes of it; the buffer is always NUL-terminated. */
void read_text(struct reader *reader, ompd_addr_t address, char *buffer, ompd_size_t room);

/* Sets rc to ompd_rc_error unless `holds` is true. */
void reader_expect(struct reader *reader, bool holds);

#endif
