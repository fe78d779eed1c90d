/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: made, checked, compared and freed in one place for all three kinds. */
#include "handles.h"

#include <stddef.h>
#include <string.h>

#include "library.h"
#include "walk.h"

ompd_rc_t handle_open_space(const ompd_address_space_handle_t *space, struct reader *reader)
{
	if (space == NULL || space->kind != HANDLE_SPACE)
		return ompd_rc_stale_handle;
	reader_begin(reader, space);
	return reader->rc;
}

ompd_rc_t handle_open(const void *opaque, enum handle_kind kind, const void *result,
    struct reader *reader, const struct handle **handle)
{
	const struct handle *given = opaque;
	ompd_rc_t rc;

	if (given == NULL || given->kind != kind)
		return ompd_rc_stale_handle;
	*handle = given;
	rc = handle_open_space(given->space, reader);
	return rc == ompd_rc_ok && result == NULL ? ompd_rc_bad_input : rc;
}

ompd_rc_t handle_open_member(const ompd_parallel_handle_t *parallel, int number, const void *result,
    struct reader *reader, ompd_addr_t *member)
{
	const struct handle *region;
	uint64_t size;
	ompd_rc_t rc = handle_open(parallel, HANDLE_PARALLEL, result, reader, &region);

	if (rc != ompd_rc_ok)
		return rc;
	if (number < 0)
		return ompd_rc_bad_input;
	size = read_field(reader, region->address, FIELD_rt_team_size);
	if (reader->rc == ompd_rc_ok && (uint64_t)number >= size)
		return ompd_rc_bad_input;
	*member = walk_member(reader, region->address, (uint64_t)number);
	return ompd_rc_ok;
}

ompd_rc_t handle_make(
    const struct reader *reader, enum handle_kind kind, ompd_addr_t address, void *opaque)
{
	struct handle *handle;
	void *memory;
	ompd_rc_t rc = reader->rc;

	if (rc == ompd_rc_ok && address == 0)
		rc = ompd_rc_unavailable;
	if (rc == ompd_rc_ok)
		rc = library_alloc(sizeof(*handle), &memory);
	if (rc != ompd_rc_ok)
		return rc;
	handle = memory;
	*handle = (struct handle){kind, reader->space, address};
	memcpy(opaque, &memory, sizeof(memory)); /* a pointer to one of the opaque types */
	return ompd_rc_ok;
}

ompd_rc_t handle_release(void *opaque, enum handle_kind kind)
{
	struct handle *handle = opaque;

	if (handle == NULL || handle->kind != kind)
		return ompd_rc_stale_handle;
	if (library_callbacks() == NULL)
		return ompd_rc_error;
	handle->kind = 0;
	return library_free(handle);
}

ompd_rc_t handle_compare(const void *first, const void *second, enum handle_kind kind, int *order)
{
	const struct handle *one = first, *two = second;

	if (one == NULL || two == NULL || one->kind != kind || two->kind != kind)
		return ompd_rc_stale_handle;
	if (order == NULL)
		return ompd_rc_bad_input;
	if (one->space != two->space)
		*order = (uintptr_t)one->space < (uintptr_t)two->space ? -1 : 1;
	else
		*order = (one->address > two->address) - (one->address < two->address);
	return ompd_rc_ok;
}
