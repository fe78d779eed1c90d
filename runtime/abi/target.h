/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What gcc calls for device constructs and for memory of allocate clauses. The arguments are facts
 * of gcc's binary interface, as `gcc -fopenmp -fdump-tree-ompexp` shows them.
 */
#ifndef RT_ABI_DEVICE_H
#define RT_ABI_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

typedef void rt_target_fn(void *addresses);

/*
 * count variables: addresses[i] is a variable's address, or its value for small firstprivate ones;
 * sizes[i] its bytes; kinds[i] how it is mapped (low byte) and the logarithm of its alignment (high
 * byte). depend is a list as GOMP_task takes it, arguments a list ended by NULL of clause values.
 */
void GOMP_target(int device, rt_target_fn *fn, const void *unused, size_t count, void **addresses,
    size_t *sizes, unsigned char *kinds);
void GOMP_target_ext(int device, rt_target_fn *fn, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, unsigned int flags, void **depend, void **arguments);
void GOMP_target_data(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
    unsigned char *kinds);
void GOMP_target_data_ext(
    int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(int device, const void *unused, size_t count, void **addresses,
    size_t *sizes, unsigned char *kinds);
void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, unsigned int flags, void **depend);
void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, unsigned int flags, void **depend);

/* Tables of functions and variables for devices, from constructors of the compiler. */
void GOMP_offload_register(const void *host_table, int target_type, const void *target_data);
void GOMP_offload_register_ver(
    unsigned version, const void *host_table, int target_type, const void *target_data);
void GOMP_offload_unregister(const void *host_table, int target_type, const void *target_data);
void GOMP_offload_unregister_ver(
    unsigned version, const void *host_table, int target_type, const void *target_data);

void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator);
void GOMP_free(void *memory, uintptr_t allocator);

#pragma GCC visibility pop

#endif
