/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: makes, checks, compares and frees all three kinds in one place. */
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

/* Returns the team whose region the object is, or is a part of; 0: another kind of object. */
static ompd_addr_t team_of(struct reader *reader, enum handle_kind kind, ompd_addr_t address)
{
	if (kind == HANDLE_PARALLEL)
		return address;
	if (kind == HANDLE_TASK && walk_task_is_implicit(reader, address))
		return read_pointer(reader, address, FIELD_rt_task_team);
	return 0;
}

static uint64_t stamp_of(struct reader *reader, enum handle_kind kind, ompd_addr_t address)
{
	ompd_addr_t team = team_of(reader, kind, address);
	uint64_t stamp;

	if (kind == HANDLE_THREAD)
		return read_field(reader, address, FIELD_rt_thread_system_id);
	if (team != 0)
		return read_field(reader, team, FIELD_rt_team_region) * 31 +
		       read_field(reader, team, FIELD_rt_team_size);
	stamp = read_pointer(reader, address, FIELD_rt_task_parent);
	stamp = stamp * 31 + read_pointer(reader, address, FIELD_rt_task_fn);
	return stamp * 31 + read_pointer(reader, address, FIELD_rt_task_data);
}

/*
 * For an explicit task that a thread executed: returns whether the thread still has it on its
 * stack, or the task is not freed yet.
 */
static bool is_alive(struct reader *reader, const struct handle *handle)
{
	ompd_addr_t task = read_pointer(reader, handle->thread, FIELD_rt_thread_task);

	for (uint32_t depth = 0; task != 0 && reader->rc == ompd_rc_ok; depth++) {
		if (task == handle->address)
			return true;
		reader_expect(reader, depth < WALK_DEPTH);
		task = walk_below(reader, task).task;
	}
	return walk_awaits_event(reader, handle->address) ||
	       read_field(reader, handle->address, FIELD_rt_task_created) != 0;
}

static bool is_stale(struct reader *reader, const struct handle *handle)
{
	ompd_addr_t team;

	if (stamp_of(reader, handle->kind, handle->address) != handle->stamp)
		return true;
	if (handle->thread != 0)
		return !is_alive(reader, handle);
	team = handle->was_active ? team_of(reader, handle->kind, handle->address) : 0;
	return team != 0 && !walk_team_is_active(reader, team);
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
	if (rc == ompd_rc_ok && result == NULL)
		return ompd_rc_bad_input;
	if (rc == ompd_rc_ok && is_stale(reader, given) && reader->rc == ompd_rc_ok)
		return ompd_rc_stale_handle;
	return rc == ompd_rc_ok ? reader->rc : rc;
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
    struct reader *reader, enum handle_kind kind, ompd_addr_t address, void *opaque)
{
	struct handle new = {.kind = kind, .space = reader->space, .address = address}, *handle;
	ompd_addr_t team;
	void *memory;
	ompd_rc_t rc = reader->rc;

	if (rc == ompd_rc_ok && address == 0)
		rc = ompd_rc_unavailable;
	if (rc == ompd_rc_ok) {
		new.stamp = stamp_of(reader, kind, address);
		team = team_of(reader, kind, address);
		new.was_active = team != 0 && walk_team_is_active(reader, team);
		rc = reader->rc;
	}
	if (rc == ompd_rc_ok)
		rc = library_alloc(sizeof(*handle), &memory);
	if (rc != ompd_rc_ok)
		return rc;
	handle = memory;
	*handle = new;
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
