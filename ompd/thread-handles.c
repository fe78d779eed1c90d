/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads. A native thread is found in the runtime's list of all threads, by its pthread_t or the
 * kernel's number; thread-local storage is not used.
 */
#include <stddef.h>
#include <string.h>

#include "handles.h"
#include "library.h"
#include "walk.h"

/*
 * A native identification of threads: which member of the record, and its width for the debugger.
 */
struct thread_id_kind {
	ompd_thread_id_t kind;
	enum target_field_id field;
	bool is_long; /* as wide as the target's long (pthread_t), else as its int (pid_t) */
};

static const struct thread_id_kind id_kinds[] = {
    {OMPD_THREAD_ID_PTHREAD, FIELD_rt_thread_handle, true},
    {OMPD_THREAD_ID_LWP, FIELD_rt_thread_system_id, false},
};

enum { ID_KINDS = sizeof(id_kinds) / sizeof(id_kinds[0]) };

static ompd_size_t width_of(
    const struct _ompd_aspace_handle *space, const struct thread_id_kind *kind)
{
	return kind->is_long ? space->sizes.sizeof_long : space->sizes.sizeof_int;
}

/*
 * A pthread_t has one size. The kernel's number fits into an int, but debuggers also pass it as 64
 * bits (LLVM's does).
 *   ompd_rc_unsupported  unknown kind
 *   ompd_rc_bad_input    not a size of this kind
 */
static ompd_rc_t find_kind(const struct _ompd_aspace_handle *space, ompd_thread_id_t kind,
    ompd_size_t size, const struct thread_id_kind **found)
{
	for (size_t i = 0; i < ID_KINDS; i++) {
		if (id_kinds[i].kind != kind)
			continue;
		*found = &id_kinds[i];
		if (size != 4 && size != 8)
			return ompd_rc_bad_input;
		return size == width_of(space, *found) || !(*found)->is_long ? ompd_rc_ok
									     : ompd_rc_bad_input;
	}
	return ompd_rc_unsupported;
}

/*
 * Makes a handle for a native thread; freed by ompd_rel_thread_handle(). thread_id points to a
 * number in the host's byte order. On failure *thread_handle is untouched.
 *   ompd_rc_unavailable   the thread never used OpenMP, or has ended
 *   ompd_rc_bad_input     a NULL argument, or sizeof_thread_id does not match the kind
 *   ompd_rc_unsupported   an unknown kind
 *   ompd_rc_stale_handle  handle is not an address space
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id, const void *thread_id, ompd_thread_handle_t **thread_handle)
{
	const struct thread_id_kind *id_kind = NULL;
	struct thread_walk walk;
	struct reader reader;
	ompd_addr_t thread;
	uint64_t wanted;
	uint32_t narrow;
	ompd_rc_t rc = handle_open_space(handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (thread_id == NULL || thread_handle == NULL)
		return ompd_rc_bad_input;
	rc = find_kind(handle, kind, sizeof_thread_id, &id_kind);
	if (rc != ompd_rc_ok)
		return rc;
	if (sizeof_thread_id == sizeof(wanted)) {
		memcpy(&wanted, thread_id, sizeof(wanted));
	} else {
		memcpy(&narrow, thread_id, sizeof(narrow));
		wanted = narrow;
	}
	thread = walk_threads(&walk, &reader);
	while (thread != 0 && read_field(&reader, thread, id_kind->field) != wanted)
		thread = walk_next_thread(&walk);
	return handle_make(&reader, HANDLE_THREAD, thread, thread_handle);
}

/*
 * Makes a handle for member `thread_num` of the region's team; freed by ompd_rel_thread_handle().
 * On failure *thread_handle is untouched.
 *   ompd_rc_bad_input     thread_num is outside 0 .. team size - 1, or thread_handle is NULL
 *   ompd_rc_stale_handle  parallel_handle is not a region
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_thread_in_parallel(
    ompd_parallel_handle_t *parallel_handle, int thread_num, ompd_thread_handle_t **thread_handle)
{
	struct reader reader;
	ompd_addr_t member;
	ompd_rc_t rc =
	    handle_open_member(parallel_handle, thread_num, thread_handle, &reader, &member);

	if (rc != ompd_rc_ok)
		return rc;
	return handle_make(&reader, HANDLE_THREAD,
	    read_pointer(&reader, member, FIELD_rt_member_thread), thread_handle);
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)
{
	return handle_release(thread_handle, HANDLE_THREAD);
}

ompd_rc_t ompd_thread_handle_compare(
    ompd_thread_handle_t *thread_handle_1, ompd_thread_handle_t *thread_handle_2, int *cmp_value)
{
	return handle_compare(thread_handle_1, thread_handle_2, HANDLE_THREAD, cmp_value);
}

/* The reverse of ompd_get_thread_handle(), with the same codes. */
ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id, void *thread_id)
{
	const struct thread_id_kind *id_kind = NULL;
	const struct handle *thread;
	struct reader reader;
	uint64_t value;
	uint32_t narrow;
	ompd_rc_t rc = handle_open(thread_handle, HANDLE_THREAD, thread_id, &reader, &thread);

	if (rc != ompd_rc_ok)
		return rc;
	rc = find_kind(thread->space, kind, sizeof_thread_id, &id_kind);
	if (rc != ompd_rc_ok)
		return rc;
	value = read_field(&reader, thread->address, id_kind->field);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	narrow = (uint32_t)value;
	if (sizeof_thread_id == sizeof(value))
		memcpy(thread_id, &value, sizeof(value));
	else
		memcpy(thread_id, &narrow, sizeof(narrow));
	return ompd_rc_ok;
}

/*
 * Returns the kinds of native thread numbers that the functions above take, and their sizes, in two
 * arrays that the debugger frees.
 *   ompd_rc_bad_input     an argument is NULL
 *   ompd_rc_stale_handle  device_handle is not an address space
 *   any other             an error of the allocation
 */
ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
    ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes, int *count)
{
	struct reader reader;
	void *kind_memory, *size_memory;
	ompd_rc_t rc = handle_open_space(device_handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (kinds == NULL || thread_id_sizes == NULL || count == NULL)
		return ompd_rc_bad_input;
	rc = library_alloc(ID_KINDS * sizeof(**kinds), &kind_memory);
	if (rc != ompd_rc_ok)
		return rc;
	rc = library_alloc(ID_KINDS * sizeof(**thread_id_sizes), &size_memory);
	if (rc != ompd_rc_ok) {
		library_free(kind_memory);
		return rc;
	}
	*kinds = kind_memory;
	*thread_id_sizes = size_memory;
	*count = ID_KINDS;
	for (size_t i = 0; i < ID_KINDS; i++) {
		(*kinds)[i] = id_kinds[i].kind;
		(*thread_id_sizes)[i] = width_of(device_handle, &id_kinds[i]);
	}
	return ompd_rc_ok;
}

/*
 * All threads belong to the host: returns the handle that ompd_process_initialize() made, not a new
 * one.
 */
ompd_rc_t ompd_get_device_from_thread(
    ompd_thread_handle_t *thread_handle, ompd_address_space_handle_t **device)
{
	const struct handle *thread;
	struct reader reader;
	ompd_rc_t rc = handle_open(thread_handle, HANDLE_THREAD, device, &reader, &thread);

	if (rc != ompd_rc_ok)
		return rc;
	*device = (ompd_address_space_handle_t *)(uintptr_t)thread->space;
	return ompd_rc_ok;
}
