/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data routines of OpenACC 2.6, 3.2, for a device that shares the program's memory: data is
 * present without being copied, its device address is its host address, and nothing that would
 * create, copy, update or delete an image has anything to do.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "profile.h"

/* GNU's runtime ends programs that ask for an image of nothing, and its words are looked for. */
static void *make_present(const char *routine, void *host, size_t size)
{
	rt_acc_device_use(RT_ACC_RUNTIME_API);
	if (host != NULL && size > 0)
		return host;
	rt_message("%s: [%p,+%zu] is a bad range: expected an address and a size above 0; ending "
		   "the program",
	    routine, host, size);
	exit(EXIT_FAILURE);
}

/* Makes data present, which it is already, and says where the device has it. */
#define PRESENT(name)                                                                              \
	ACC_ROUTINE(void *, name, (void *host, size_t size))                                       \
	{                                                                                          \
		return make_present(#name, host, size);                                            \
	}

#define PRESENT_ASYNC(name)                                                                        \
	ACC_ROUTINE(void, name, (void *host, size_t size, int queue))                              \
	{                                                                                          \
		(void)queue;                                                                       \
		make_present(#name, host, size);                                                   \
	}

/* Ends or refreshes an image that is the data itself. */
#define NOTHING(name)                                                                              \
	ACC_ROUTINE(void, name, (void *host, size_t size))                                         \
	{                                                                                          \
		(void)host;                                                                        \
		(void)size;                                                                        \
	}

/* What has nothing to do is done at once, on every queue. */
#define NOTHING_ASYNC(name)                                                                        \
	ACC_ROUTINE(void, name, (void *host, size_t size, int queue))                              \
	{                                                                                          \
		(void)host;                                                                        \
		(void)size;                                                                        \
		(void)queue;                                                                       \
	}

/* The pointer in device memory is the pointer itself, and points to its target's image already. */
#define POINTER(name)                                                                              \
	ACC_ROUTINE(void, name, (void **pointer))                                                  \
	{                                                                                          \
		(void)pointer;                                                                     \
	}

#define POINTER_ASYNC(name)                                                                        \
	ACC_ROUTINE(void, name, (void **pointer, int queue))                                       \
	{                                                                                          \
		(void)pointer;                                                                     \
		(void)queue;                                                                       \
	}

PRESENT(acc_copyin)
PRESENT(acc_create)
PRESENT(acc_present_or_copyin)
PRESENT(acc_present_or_create)
PRESENT(acc_pcopyin)
PRESENT(acc_pcreate)

NOTHING(acc_copyout)
NOTHING(acc_copyout_finalize)
NOTHING(acc_delete)
NOTHING(acc_delete_finalize)
NOTHING(acc_update_device)
NOTHING(acc_update_self)

PRESENT_ASYNC(acc_copyin_async)
PRESENT_ASYNC(acc_create_async)
NOTHING_ASYNC(acc_copyout_async)
NOTHING_ASYNC(acc_copyout_finalize_async)
NOTHING_ASYNC(acc_delete_async)
NOTHING_ASYNC(acc_delete_finalize_async)
NOTHING_ASYNC(acc_update_device_async)
NOTHING_ASYNC(acc_update_self_async)

POINTER(acc_attach)
POINTER(acc_detach)
POINTER(acc_detach_finalize)
POINTER_ASYNC(acc_attach_async)
POINTER_ASYNC(acc_detach_async)
POINTER_ASYNC(acc_detach_finalize_async)

/* Device memory is memory. None of no size: programs expect NULL, as GNU's runtime gives it. */
void *acc_malloc(size_t size)
{
	rt_acc_device_use(RT_ACC_RUNTIME_API);
	return size > 0 ? malloc(size) : NULL;
}

void acc_free(void *memory)
{
	free(memory);
}

/* The constructs' code uses host addresses: other memory cannot become the image of host data. */
void acc_map_data(void *host, void *device, size_t size)
{
	if (host == device)
		return;
	rt_message("acc_map_data: device address %p for the %zu bytes at %p: expected the same "
		   "address, the host shares its memory; ending the program",
	    device, size, host);
	exit(EXIT_FAILURE);
}

void acc_unmap_data(void *host)
{
	(void)host;
}

void *acc_deviceptr(void *host)
{
	return host;
}

void *acc_hostptr(void *device)
{
	return device;
}

/* Of any size: data of none is present where its address is. */
int acc_is_present(void *host, size_t size)
{
	(void)size;
	return host != NULL;
}

/* The two may overlap or be the same, where on other devices they never are. */
void acc_memcpy_to_device(void *device, void *host, size_t size)
{
	memmove(device, host, size);
}

void acc_memcpy_from_device(void *host, void *device, size_t size)
{
	memmove(host, device, size);
}

void acc_memcpy_to_device_async(void *device, void *host, size_t size, int queue)
{
	(void)queue;
	acc_memcpy_to_device(device, host, size);
}

void acc_memcpy_from_device_async(void *host, void *device, size_t size, int queue)
{
	(void)queue;
	acc_memcpy_from_device(host, device, size);
}

/* From device memory to device memory, which here is any to any. */
void acc_memcpy_device(void *to, void *from, size_t size)
{
	memmove(to, from, size);
}

void acc_memcpy_device_async(void *to, void *from, size_t size, int queue)
{
	(void)queue;
	acc_memcpy_device(to, from, size);
}
