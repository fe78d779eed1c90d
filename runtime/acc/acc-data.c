/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data routines of OpenACC 2.6, 3.2, for a device that shares the program's memory: data is
 * present without being copied, and its device address is its host address. Routines that would
 * create, copy, update or delete an image have nothing to do.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "profile.h"

/* GNU's runtime ends programs that request an image of nothing; scripts search for its words. */
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

/* Returns where the device has the data, which is present already. */
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

/* Ends or refreshes an image, which is the data itself. */
#define NOTHING(name)                                                                              \
	ACC_ROUTINE(void, name, (void *host, size_t size))                                         \
	{                                                                                          \
		(void)host;                                                                        \
		(void)size;                                                                        \
	}

/* Operations that have nothing to do are done at once, on every queue. */
#define NOTHING_ASYNC(name)                                                                        \
	ACC_ROUTINE(void, name, (void *host, size_t size, int queue))                              \
	{                                                                                          \
		(void)host;                                                                        \
		(void)size;                                                                        \
		(void)queue;                                                                       \
	}

/* The pointer in device memory is the pointer itself, and already points to its target's image. */
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

/* Device memory is ordinary memory. For size 0 programs expect NULL, as from GNU's runtime. */
void *acc_malloc(size_t size)
{
	rt_acc_device_use(RT_ACC_RUNTIME_API);
	return size > 0 ? malloc(size) : NULL;
}

void acc_free(void *memory)
{
	free(memory);
}

/*
 * The constructs' code uses host addresses, so other memory cannot become the image of host data.
 */
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

/* Accepts any size: data of size 0 is present at its address. */
int acc_is_present(void *host, size_t size)
{
	(void)size;
	return host != NULL;
}

/* The two areas may overlap or be the same, which they never are on other devices. */
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

/* From device memory to device memory, which is any memory here. */
void acc_memcpy_device(void *to, void *from, size_t size)
{
	memmove(to, from, size);
}

void acc_memcpy_device_async(void *to, void *from, size_t size, int queue)
{
	(void)queue;
	acc_memcpy_device(to, from, size);
}
