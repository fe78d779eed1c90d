/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data constructs and routines of OpenACC 2.6, 2.6, 2.7, 2.14 and 3.2, on shared memory: all data
 * is present at its own address, whatever was created or deleted, and changes are seen without
 * updates.
 */
#include <dlfcn.h>
#include <openacc.h>
#include <stdint.h>

#include "check.h"

enum { SIZE = 100 };

static int global[SIZE];
#pragma acc declare create(global)

static void add(int *array, int value)
{
#pragma acc parallel loop present(array [0:SIZE])
	for (int i = 0; i < SIZE; i++)
		array[i] += value;
}

static void check_constructs(int *array, int condition)
{
	int *inside = NULL, local[4] = {0};
#pragma acc declare copy(local)

	memset(array, 0, SIZE * sizeof(*array));
#pragma acc data copy(array [0:SIZE]) if (condition)
	{
		add(array, 1);
#pragma acc update self(array [0:SIZE]) if (condition)
		CHECK_ALL(array, SIZE, 1);
		array[3] = 1;
#pragma acc update device(array [0:SIZE]) async(2) wait(1)
#pragma acc wait(2)
#pragma acc host_data use_device(array)
		inside = array;
		CHECK(inside == array);
	}
	CHECK_ALL(array, SIZE, 1);
#pragma acc enter data copyin(array [0:SIZE]) create(global) async(1) wait
	add(array, 2);
	add(global, 3);
#pragma acc exit data copyout(array [0:SIZE]) delete (global)finalize async(1) wait(1, 2)
#pragma acc wait
	CHECK_ALL(array, SIZE, 3);
	CHECK_ALL(global, SIZE, condition ? 6 : 3);
#pragma acc parallel copy(local)
	local[3] = 9;
	CHECK_EQUAL(local[3], 9);
}

/* Routines that make data present say where it is; the two last names of three are older ones. */
static void check_present(int *array)
{
	void *(*const routines[])(void *, size_t) = {acc_copyin, acc_present_or_copyin, acc_pcopyin,
	    acc_create, acc_present_or_create, acc_pcreate};
	const size_t size = SIZE * sizeof(*array);

	for (size_t i = 0; i < sizeof(routines) / sizeof(routines[0]); i++)
		CHECK(routines[i](array + 1, size - sizeof(*array)) == array + 1);
	CHECK(acc_deviceptr(array + 5) == array + 5);
	CHECK(acc_hostptr(array + 5) == array + 5);
	CHECK(acc_is_present(array, size));
	CHECK(acc_is_present(array, 0));
	CHECK(!acc_is_present(NULL, 8));
}

/* Each leaves the data as it is, and leaves it present: what it would end is the data itself. */
static void check_left_alone(int *array)
{
	void (*const routines[])(void *, size_t) = {acc_copyout, acc_copyout_finalize, acc_delete,
	    acc_delete_finalize, acc_update_device, acc_update_self};
	void (*const with_queue[])(void *, size_t, int) = {acc_copyin_async, acc_create_async,
	    acc_copyout_async, acc_copyout_finalize_async, acc_delete_async,
	    acc_delete_finalize_async, acc_update_device_async, acc_update_self_async};
	const size_t size = SIZE * sizeof(*array);

	for (int i = 0; i < SIZE; i++)
		array[i] = 17;
	for (size_t i = 0; i < sizeof(routines) / sizeof(routines[0]); i++)
		routines[i](array, size);
	for (size_t i = 0; i < sizeof(with_queue) / sizeof(with_queue[0]); i++) {
		with_queue[i](array, size, (int)i);
		with_queue[i](array, size, acc_async_sync);
		with_queue[i](array, size, acc_async_noval);
	}
	CHECK_ALL(array, SIZE, 17);
	CHECK(acc_is_present(array, size));
	acc_map_data(array, array, size);
	CHECK(acc_deviceptr(array) == array);
	acc_unmap_data(array);
	CHECK(acc_is_present(array, size));
}

static void check_attach(int *array)
{
	struct {
		int *member;
	} outer = {array};

	acc_attach((void **)&outer.member);
	acc_attach_async((void **)&outer.member, 1);
#pragma acc parallel copy(outer) num_gangs(1)
	outer.member[2] = 23;
	acc_detach((void **)&outer.member);
	acc_detach_async((void **)&outer.member, 1);
	acc_detach_finalize((void **)&outer.member);
	acc_detach_finalize_async((void **)&outer.member, 1);
	CHECK(outer.member == array);
	CHECK_EQUAL(array[2], 23);
}

/* Which openacc.h has since gcc 16. Half of the memory to the other half. */
static void check_between_devices(int *device)
{
	void (*copy)(void *, void *, size_t) = dlsym(RTLD_DEFAULT, "acc_memcpy_device");
	void (*copy_async)(void *, void *, size_t, int) =
	    dlsym(RTLD_DEFAULT, "acc_memcpy_device_async");
	const size_t half = SIZE / 2 * sizeof(*device);

	if (!CHECK(copy != NULL && copy_async != NULL))
		return;
	for (int i = 0; i < SIZE; i++)
		device[i] = i < SIZE / 2 ? 7 : 8;
	copy(device + SIZE / 2, device, half);
	CHECK_ALL(device, SIZE / 2 * 2, 7);
	for (int i = 0; i < SIZE / 2; i++)
		device[i] = 9;
	copy_async(device + SIZE / 2, device, half, 2);
	acc_wait(2);
	CHECK_ALL(device, SIZE / 2 * 2, 9);
}

static void check_memory(void)
{
	int host[SIZE], *device = acc_malloc(sizeof(host));

	if (!CHECK(device != NULL))
		return;
	for (int i = 0; i < SIZE; i++)
		host[i] = 1;
	acc_memcpy_to_device(device, host, sizeof(host));
#pragma acc parallel loop deviceptr(device)
	for (int i = 0; i < SIZE; i++)
		device[i] *= 4;
	CHECK_ALL(host, SIZE, 1);
	acc_memcpy_from_device(host, device, sizeof(host));
	CHECK_ALL(host, SIZE, 4);
	memset(host, 0, sizeof(host));
	acc_memcpy_to_device_async(device, host, sizeof(host) / 2, 1);
	acc_memcpy_from_device_async(host, device, sizeof(host), 1);
	acc_wait(1);
	CHECK_ALL(host, SIZE / 2, 0);
	CHECK_ALL(host + SIZE / 2, SIZE / 2, 4);
	acc_memcpy_to_device(device, device, sizeof(host));
	acc_memcpy_to_device(device + 1, device, sizeof(host) - sizeof(*host));
	CHECK_EQUAL(device[SIZE / 2], 0);
	CHECK_EQUAL(device[SIZE / 2 + 1], 4);
	check_between_devices(device);
	acc_free(device);
	acc_free(acc_malloc(0));
	acc_free(NULL);
/* The sanitizers take such a request for a mistake. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	CHECK(acc_malloc(SIZE_MAX / 2 + 1) == NULL);
#endif
}

int main(void)
{
	int array[SIZE];

	check_constructs(array, 0);
	check_constructs(array, 1);
	check_present(array);
	check_left_alone(array);
	check_attach(array);
	check_memory();
	return check_result();
}
