/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenACC 2.6, chapters 3 and 5, that this library exports, with the constants of
 * GCC's openacc.h and acc_prof.h, which belong to its binary interface. The library does not
 * include the compiler's own openacc.h: another compiler has none, or one with other values. The
 * data routines, which form families, are declared where they are defined.
 *
 * The only device is the host. It shares its memory with itself, so all data is present at its own
 * address; it has one gang of one worker of one vector lane. An activity queue is always empty,
 * because every operation put into one is done before the call returns.
 */
#ifndef RT_ACC_API_H
#define RT_ACC_API_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* An int in the interface, because programs pass values that an enumeration would not have. */
typedef int acc_device_t;
typedef int acc_device_property_t;

enum {
	acc_device_current = -1,
	acc_device_none = 0,
	acc_device_default = 1,
	acc_device_host = 2,
	acc_device_not_host = 4,
	acc_device_nvidia = 5,
	acc_device_radeon = 8
};

enum {
	acc_property_memory = 1,
	acc_property_free_memory = 2,
	acc_property_name = 0x10001,
	acc_property_vendor = 0x10002,
	acc_property_driver = 0x10003
};

/* Devices. */
int acc_get_num_devices(acc_device_t type);
void acc_set_device_type(acc_device_t type);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int number, acc_device_t type);
int acc_get_device_num(acc_device_t type);
size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property);
const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property);
void acc_init(acc_device_t type);
void acc_shutdown(acc_device_t type);
int acc_on_device(acc_device_t type);

/* Activity queues. The names that begin with acc_async_wait are OpenACC 1.0's. */
int acc_async_test(int queue);
int acc_async_test_all(void);
void acc_wait(int queue);
void acc_async_wait(int queue);
void acc_wait_async(int queue, int waiting_queue);
void acc_wait_all(void);
void acc_async_wait_all(void);
void acc_wait_all_async(int waiting_queue);
void *acc_get_current_cuda_device(void);
void *acc_get_current_cuda_context(void);
void *acc_get_cuda_stream(int queue);
int acc_set_cuda_stream(int queue, void *stream);

/* Data, besides the families. */
void *acc_malloc(size_t size);
void acc_free(void *memory);
void acc_map_data(void *host, void *device, size_t size);
void acc_unmap_data(void *host);
void *acc_deviceptr(void *host);
void *acc_hostptr(void *device);
int acc_is_present(void *host, size_t size);
void acc_memcpy_to_device(void *device, void *host, size_t size);
void acc_memcpy_from_device(void *host, void *device, size_t size);
void acc_memcpy_to_device_async(void *device, void *host, size_t size, int queue);
void acc_memcpy_from_device_async(void *host, void *device, size_t size, int queue);
void acc_memcpy_device(void *to, void *from, size_t size);
void acc_memcpy_device_async(void *to, void *from, size_t size, int queue);

/* Profiling. */
typedef unsigned acc_event_t;
typedef unsigned acc_register_t;
struct acc_prof_info;
struct acc_event_info;
struct acc_api_info;
typedef void (*acc_prof_callback)(
    struct acc_prof_info *prof, struct acc_event_info *event, struct acc_api_info *api);
typedef void (*acc_prof_reg)(acc_event_t event, acc_prof_callback callback, acc_register_t how);
typedef void (*acc_query_fn)(void);
typedef acc_query_fn (*acc_prof_lookup_func)(const char *name);

void acc_prof_register(acc_event_t event, acc_prof_callback callback, acc_register_t how);
void acc_prof_unregister(acc_event_t event, acc_prof_callback callback, acc_register_t how);
acc_query_fn acc_prof_lookup(const char *name);
void acc_register_library(acc_prof_reg add, acc_prof_reg remove, acc_prof_lookup_func lookup);

#pragma GCC visibility pop

/* Declares a function before its definition; no other file calls one. */
#define ACC_ROUTINE(type, name, parameters)                                                        \
	__attribute__((visibility("default"))) type name parameters;                               \
	type name parameters

#endif
