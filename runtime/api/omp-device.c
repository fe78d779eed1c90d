/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device routines of OpenMP 5.1, 3.7 and 3.8, and memset of 6.0, 25.5, on a system whose only
 * device is the host: device memory is memory, copies are copies, and nothing needs to be mapped.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device-number.h"
#include "initial-thread.h"
#include "message.h"
#include "omp-api.h"
#include "tasks.h"
#include "versions.h"

/* The host has the number after the last target device. */
enum { HOST = RT_DEVICE_HOST };

static bool is_host(int device)
{
	return rt_device_is_host(device);
}

/* Accepts any number: programs may pass omp_initial_device, or one that only constructs refuse. */
ROUTINE(void, omp_set_default_device, (int device))
{
	rt_icvs_write()->default_device = rt_device_resolve(device);
}

ROUTINE(int, omp_get_default_device, (void))
{
	return rt_icvs()->default_device;
}

ROUTINE(int, omp_get_num_devices, (void))
{
	return 0;
}

ROUTINE(int, omp_get_device_num, (void))
{
	return HOST;
}

ROUTINE(int, omp_is_initial_device, (void))
{
	return 1;
}

ROUTINE(int, omp_get_initial_device, (void))
{
	return HOST;
}

/* What a routine does with memory, for a report to tools (OpenMP 5.2, 19.5.2.25). */
struct operation {
	ompt_target_data_op_t kind;
	void *from, *to;
	size_t bytes;
	const void *caller;
	ompt_id_t id;
};

static void emit(struct operation *operation, ompt_scope_endpoint_t endpoint)
{
	struct rt_target_note *target = rt_self()->tool.target;

	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): of what was freed, its address is reported */
	rt_emit_target_data_op_emi(endpoint, NULL, target != NULL ? &target->data : NULL,
	    &operation->id, operation->kind, operation->from, HOST, operation->to, HOST,
	    operation->bytes, operation->caller);
	if (endpoint == ompt_scope_end)
		rt_emit_target_data_op(target != NULL ? target->id : 0, operation->id,
		    operation->kind, operation->from, HOST, operation->to, HOST, operation->bytes,
		    operation->caller);
}

/*
 * Called before and after the operation, while a tool is attached. With the newer form the tool
 * numbers the operation.
 */
static RT_COLD struct operation begin_operation(
    ompt_target_data_op_t kind, const void *from, void *to, size_t bytes, const void *caller)
{
	struct operation operation = {kind, (void *)(uintptr_t)from, to, bytes,
	    rt_tool_users_address(caller),
	    rt_event_is_set(ompt_callback_target_data_op_emi) ? 0 : rt_event_unique_id()};

	emit(&operation, ompt_scope_begin);
	return operation;
}

static RT_COLD void end_operation(struct operation *operation)
{
	emit(operation, ompt_scope_end);
}

ROUTINE(void *, omp_target_alloc, (size_t size, int device))
{
	struct operation operation;
	bool is_shown = is_host(device) && rt_watched(RT_AT_ROUTINES);
	void *memory;

	if (is_shown)
		operation =
		    begin_operation(ompt_target_data_alloc, NULL, NULL, size, RT_RETURN_ADDRESS);
	memory = is_host(device) ? malloc(size) : NULL;
	if (is_shown) {
		operation.to = memory;
		end_operation(&operation);
	}
	return memory;
}

ROUTINE(void, omp_target_free, (void *memory, int device))
{
	struct operation operation;

	if (!is_host(device))
		return;
	if (!rt_watched(RT_AT_ROUTINES)) {
		free(memory);
		return;
	}
	operation = begin_operation(ompt_target_data_delete, memory, NULL, 0, RT_RETURN_ADDRESS);
	free(memory);
	end_operation(&operation);
}

/*
 * As with libgomp since GCC 16, NULL is never present, and a range of no bytes is accessible,
 * whatever the device's number.
 */
ROUTINE(int, omp_target_is_present, (const void *memory, int device))
{
	return memory != NULL && is_host(device);
}

ROUTINE(int, omp_target_is_accessible, (const void *memory, size_t size, int device))
{
	return memory != NULL && size > 0 && is_host(device);
}

ROUTINE(void *, omp_get_mapped_ptr, (const void *memory, int device))
{
	return is_host(device) ? (void *)memory : NULL;
}

static RT_COLD void copy_shown(
    ompt_target_data_op_t kind, char *to, const char *from, size_t length, const void *caller)
{
	struct operation operation = begin_operation(kind, from, to, length, caller);

	memcpy(to, from, length);
	end_operation(&operation);
}

static inline void copy(
    ompt_target_data_op_t kind, char *to, const char *from, size_t length, const void *caller)
{
	if (rt_watched(RT_AT_ROUTINES))
		copy_shown(kind, to, from, length, caller);
	else
		memcpy(to, from, length);
}

ROUTINE(int, omp_target_memcpy,
    (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device,
	int from_device))
{
	if (!is_host(to_device) || !is_host(from_device))
		return EINVAL;
	copy(ompt_target_data_transfer_to_device, (char *)to + to_offset,
	    (const char *)from + from_offset, length, RT_RETURN_ADDRESS);
	return 0;
}

/*
 * A rectangle consists of rows along the outermost dimension, which are rectangles of the other
 * dimensions.
 */
static int copy_rectangle(char *to, const char *from, size_t element_size, int dimensions,
    const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
    const size_t *to_dimensions, const size_t *from_dimensions)
{
	size_t to_slice = element_size, from_slice = element_size, bytes, to_skip, from_skip;
	bool overflow = false;

	for (int i = 1; i < dimensions; i++) {
		overflow |= __builtin_mul_overflow(to_slice, to_dimensions[i], &to_slice);
		overflow |= __builtin_mul_overflow(from_slice, from_dimensions[i], &from_slice);
	}
	overflow |= __builtin_mul_overflow(to_slice, to_offsets[0], &to_skip);
	overflow |= __builtin_mul_overflow(from_slice, from_offsets[0], &from_skip);
	overflow |= __builtin_mul_overflow(element_size, volume[0], &bytes);
	if (overflow)
		return EINVAL;
	to += to_skip;
	from += from_skip;
	if (dimensions == 1) {
		memcpy(to, from, bytes);
		return 0;
	}
	for (size_t i = 0; i < volume[0]; i++) {
		int result = copy_rectangle(to + i * to_slice, from + i * from_slice, element_size,
		    dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1, to_dimensions + 1,
		    from_dimensions + 1);
		if (result != 0)
			return result;
	}
	return 0;
}

/* Copies the rectangle with its one event; on_host: both devices are the host. */
static int copy_box(ompt_target_data_op_t kind, void *to, const void *from, size_t element_size,
    int dimensions, const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
    const size_t *to_dimensions, const size_t *from_dimensions, bool on_host, const void *caller)
{
	struct operation operation;
	bool is_shown = rt_watched(RT_AT_ROUTINES);
	size_t bytes = element_size;
	int result;

	if (!on_host || dimensions < 1 || !to || !from)
		return EINVAL;
	if (is_shown) {
		for (int i = 0; i < dimensions; i++)
			bytes *= volume[i];
		operation = begin_operation(kind, from, to, bytes, caller);
	}
	result = copy_rectangle(to, from, element_size, dimensions, volume, to_offsets,
	    from_offsets, to_dimensions, from_dimensions);
	if (is_shown)
		end_operation(&operation);
	return result;
}

/* Without memory the call returns how many dimensions there may be. */
ROUTINE(int, omp_target_memcpy_rect,
    (void *to, const void *from, size_t element_size, int dimensions, const size_t *volume,
	const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
	const size_t *from_dimensions, int to_device, int from_device))
{
	if (!to && !from)
		return INT_MAX;
	return copy_box(ompt_target_data_transfer_to_device, to, from, element_size, dimensions,
	    volume, to_offsets, from_offsets, to_dimensions, from_dimensions,
	    is_host(to_device) && is_host(from_device), RT_RETURN_ADDRESS);
}

/*
 * Waits for the given depend objects, as a task that depends on them would. The list has the form
 * that the compiler gives to a taskwait: 0, total number, numbers of out, mutexinoutset and in
 * dependences, addresses; the remaining ones are addresses of depend objects.
 */
static bool wait_for_depend_objects(int count, omp_depend_t *depend)
{
	enum { HEADER = 5 };

	if (count <= 0)
		return true;
	void **list = malloc((HEADER + (size_t)count) * sizeof(*list));
	if (!list)
		return false;
	memset(list, 0, HEADER * sizeof(*list));
	list[1] = (void *)(uintptr_t)count;
	for (int i = 0; i < count; i++)
		list[HEADER + i] = &depend[i];
	rt_task_wait_depend(rt_self(), list, NULL);
	free(list);
	return true;
}

/* The asynchronous forms may finish before they return; no device could continue them. */
ROUTINE(int, omp_target_memcpy_async,
    (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device,
	int from_device, int dependences, omp_depend_t *depend))
{
	if (!wait_for_depend_objects(dependences, depend))
		return ENOMEM;
	if (!is_host(to_device) || !is_host(from_device))
		return EINVAL;
	copy(ompt_target_data_transfer_to_device_async, (char *)to + to_offset,
	    (const char *)from + from_offset, length, RT_RETURN_ADDRESS);
	return 0;
}

ROUTINE(int, omp_target_memcpy_rect_async,
    (void *to, const void *from, size_t element_size, int dimensions, const size_t *volume,
	const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
	const size_t *from_dimensions, int to_device, int from_device, int dependences,
	omp_depend_t *depend))
{
	if (to && from && !wait_for_depend_objects(dependences, depend))
		return ENOMEM;
	if (!to && !from)
		return INT_MAX;
	return copy_box(ompt_target_data_transfer_to_device_async, to, from, element_size,
	    dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions,
	    is_host(to_device) && is_host(from_device), RT_RETURN_ADDRESS);
}

static RT_COLD void set_shown(
    ompt_target_data_op_t kind, void *memory, int value, size_t count, const void *caller)
{
	struct operation operation = begin_operation(kind, NULL, memory, count, caller);

	memset(memory, value, count);
	end_operation(&operation);
}

/* The result is the given address, even if nothing was set. */
static inline void *set(ompt_target_data_op_t kind, void *memory, int value, size_t count,
    int device, const void *caller)
{
	if (!is_host(device) || count == 0)
		return memory;
	if (rt_watched(RT_AT_ROUTINES))
		set_shown(kind, memory, value, count, caller);
	else
		memset(memory, value, count);
	return memory;
}

ROUTINE(void *, omp_target_memset, (void *memory, int value, size_t count, int device))
{
	return set(ompt_target_data_memset, memory, value, count, device, RT_RETURN_ADDRESS);
}

/*
 * The routine has no error to return: without memory to wait for its dependences the program ends.
 */
ROUTINE(void *, omp_target_memset_async,
    (void *memory, int value, size_t count, int device, int dependences, omp_depend_t *depend))
{
	if (!wait_for_depend_objects(dependences, depend))
		rt_fatal("no memory for the %d dependences of omp_target_memset_async(); the "
			 "program ends here",
		    dependences);
	return set(ompt_target_data_memset_async, memory, value, count, device, RT_RETURN_ADDRESS);
}

/* Host memory is its own image on the host, so only the device number can be valid or not. */
ROUTINE(int, omp_target_associate_ptr,
    (const void *host, const void *target, size_t size, size_t offset, int device))
{
	(void)host;
	(void)target;
	(void)size;
	(void)offset;
	(void)is_host(device);
	return EINVAL;
}

ROUTINE(int, omp_target_disassociate_ptr, (const void *memory, int device))
{
	(void)memory;
	(void)is_host(device);
	return EINVAL;
}

/* The last kind also ends the tool, as at the end of the process (OpenMP 6.0). */
ROUTINE(int, omp_pause_resource, (omp_pause_resource_t kind, int device))
{
	return is_host(device) && rt_thread_pause(kind == omp_pause_stop_tool) ? 0 : -1;
}

ROUTINE(int, omp_pause_resource_all, (omp_pause_resource_t kind))
{
	return omp_pause_resource(kind, HOST);
}
