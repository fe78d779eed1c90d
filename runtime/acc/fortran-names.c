/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Fortran names of OpenACC's routines, as GCC's openacc_lib.h declares them. Arguments come by
 * reference; logical results are integers. A data routine exists for a length of four bytes
 * (_32_h_), of eight (_64_h_), and for an array, passed as the address of its descriptor
 * (_array_h_).
 */
#include <string.h>

#include "acc-api.h"

/* The part of gfortran's array descriptor that is needed here, which is its begin. */
struct descriptor {
	void *base;
};

/* A data routine; on shared memory all of them have nothing to do. */
#define DATA(name)                                                                                 \
	ACC_ROUTINE(void, name##_32_h_, (void *data, const int32_t *size))                         \
	{                                                                                          \
		(void)data;                                                                        \
		(void)size;                                                                        \
	}                                                                                          \
	ACC_ROUTINE(void, name##_64_h_, (void *data, const int64_t *size))                         \
	{                                                                                          \
		(void)data;                                                                        \
		(void)size;                                                                        \
	}                                                                                          \
	ACC_ROUTINE(void, name##_array_h_, (const struct descriptor *array))                       \
	{                                                                                          \
		(void)array;                                                                       \
	}

/* The same with a queue. */
#define DATA_ASYNC(name)                                                                           \
	ACC_ROUTINE(void, name##_32_h_, (void *data, const int32_t *size, const int32_t *queue))   \
	{                                                                                          \
		(void)data;                                                                        \
		(void)size;                                                                        \
		(void)queue;                                                                       \
	}                                                                                          \
	ACC_ROUTINE(void, name##_64_h_, (void *data, const int64_t *size, const int32_t *queue))   \
	{                                                                                          \
		(void)data;                                                                        \
		(void)size;                                                                        \
		(void)queue;                                                                       \
	}                                                                                          \
	ACC_ROUTINE(void, name##_array_h_, (const struct descriptor *array, const int32_t *queue)) \
	{                                                                                          \
		(void)array;                                                                       \
		(void)queue;                                                                       \
	}

/* A routine that takes one integer. */
#define SETTER(name)                                                                               \
	ACC_ROUTINE(void, name##_h_, (const int32_t *value))                                       \
	{                                                                                          \
		name(*value);                                                                      \
	}

/* The same with an integer or logical result. */
#define FUNCTION(name)                                                                             \
	ACC_ROUTINE(int32_t, name##_h_, (const int32_t *value))                                    \
	{                                                                                          \
		return name(*value);                                                               \
	}

/* The same without an argument. */
#define QUERY(name)                                                                                \
	ACC_ROUTINE(int32_t, name##_h_, (void))                                                    \
	{                                                                                          \
		return name();                                                                     \
	}

DATA(acc_copyin)
DATA(acc_create)
DATA(acc_present_or_copyin)
DATA(acc_present_or_create)
DATA(acc_copyout)
DATA(acc_copyout_finalize)
DATA(acc_delete)
DATA(acc_delete_finalize)
DATA(acc_update_device)
DATA(acc_update_self)

DATA_ASYNC(acc_copyin_async)
DATA_ASYNC(acc_create_async)
DATA_ASYNC(acc_copyout_async)
DATA_ASYNC(acc_copyout_finalize_async)
DATA_ASYNC(acc_delete_async)
DATA_ASYNC(acc_delete_finalize_async)
DATA_ASYNC(acc_update_device_async)
DATA_ASYNC(acc_update_self_async)

SETTER(acc_set_device_type)
SETTER(acc_init)
SETTER(acc_shutdown)
SETTER(acc_wait)
SETTER(acc_wait_all_async)

FUNCTION(acc_get_num_devices)
FUNCTION(acc_get_device_num)
FUNCTION(acc_on_device)
FUNCTION(acc_async_test)

QUERY(acc_get_device_type)
QUERY(acc_async_test_all)

ACC_ROUTINE(void, acc_set_device_num_h_, (const int32_t *number, const int32_t *type))
{
	acc_set_device_num(*number, *type);
}

ACC_ROUTINE(void, acc_wait_async_h_, (const int32_t *queue, const int32_t *waiting_queue))
{
	acc_wait_async(*queue, *waiting_queue);
}

ACC_ROUTINE(void, acc_wait_all_h_, (void))
{
	acc_wait_all();
}

ACC_ROUTINE(int32_t, acc_is_present_32_h_, (void *data, const int32_t *size))
{
	return acc_is_present(data, (size_t)*size);
}

ACC_ROUTINE(int32_t, acc_is_present_64_h_, (void *data, const int64_t *size))
{
	return acc_is_present(data, (size_t)*size);
}

ACC_ROUTINE(int32_t, acc_is_present_array_h_, (const struct descriptor *array))
{
	return acc_is_present(array->base, 0);
}

/* These two take their arguments by value. */
ACC_ROUTINE(size_t, acc_get_property_h_, (int32_t number, int32_t type, int32_t property))
{
	return acc_get_property(number, type, property);
}

/* Fills the character variable with blanks after the value, or completely if there is no value. */
ACC_ROUTINE(void, acc_get_property_string_h_,
    (int32_t number, int32_t type, int32_t property, char *variable, size_t length))
{
	const char *value = acc_get_property_string(number, type, property);
	size_t used = value ? strnlen(value, length) : 0;

	if (used > 0)
		memcpy(variable, value, used);
	memset(variable + used, ' ', length - used);
}
