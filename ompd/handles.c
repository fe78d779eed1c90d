/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: made, checked, compared and freed in one place for all three kinds. */
#include "handles.h"

#include <stddef.h>
#include <string.h>

#include "library.h"

ompd_rc_t handle_open_space(const ompd_address_space_handle_t *space, struct reader *reader)
{
	if (space == NULL || space->kind != HANDLE_SPACE)
		return ompd_rc_stale_handle;
	reader_begin(reader, space);
	return reader->rc;
}

ompd_rc_t handle_open(
    const void *opaque, enum handle_kind kind, struct reader *reader, const struct handle **handle)
{
	const struct handle *given = opaque;

	if (given == NULL || given->kind != kind)
		return ompd_rc_stale_handle;
	*handle = given;
	return handle_open_space(given->space, reader);
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
