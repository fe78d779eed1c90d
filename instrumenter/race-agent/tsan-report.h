/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ThreadSanitizer's interface for debuggers (compiler-rt's tsan_debugging.cpp has no header): the
 * contents of a report. Each function returns 1 and fills the variables to which its arguments
 * point. A trace consists of return addresses, innermost first, with null after the last one if
 * there is room.
 */
#ifndef TSAN_REPORT_H
#define TSAN_REPORT_H

#include <stdint.h>

__attribute__((weak)) int __tsan_get_report_data(void *report, const char **description, int *count,
    int *stack_count, int *mop_count, int *loc_count, int *mutex_count, int *thread_count,
    int *unique_tid_count, void **sleep_trace, uintptr_t trace_size);
/* mop: memory operation. tid: an index of the sanitizer's own, as in get_report_thread. */
__attribute__((weak)) int __tsan_get_report_mop(void *report, uintptr_t index, int *tid,
    void **address, int *size, int *write, int *atomic, void **trace, uintptr_t trace_size);
__attribute__((weak)) int __tsan_get_report_loc(void *report, uintptr_t index, const char **type,
    void **address, uintptr_t *start, uintptr_t *size, int *tid, int *fd, int *suppressable,
    void **trace, uintptr_t trace_size);
__attribute__((weak)) int __tsan_get_report_thread(void *report, uintptr_t index, int *tid,
    uint64_t *os_id, int *running, const char **name, int *parent_tid, void **trace,
    uintptr_t trace_size);

/* What contains an address: "heap", "stack", "tls", "global". */
__attribute__((weak)) const char *__tsan_locate_address(
    void *address, char *name, uintptr_t name_size, void **start, uintptr_t *size);
/* Returns the number of addresses. thread: the sanitizer's, as above. */
__attribute__((weak)) int __tsan_get_alloc_stack(
    void *address, void **trace, uintptr_t trace_size, int *thread, uint64_t *os_id);

/* Returns 0 if there is no room for them. They are called before the memory is freed. */
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *memory, uintptr_t size),
    void (*free_hook)(const volatile void *memory));
__attribute__((weak)) uintptr_t __sanitizer_get_allocated_size(const volatile void *memory);

__attribute__((weak)) void __tsan_mutex_pre_lock(void *address, unsigned flags);
__attribute__((weak)) int __tsan_mutex_post_lock(void *address, unsigned flags, int recursion);
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void *fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_func_entry(void *pc);
__attribute__((weak)) void __tsan_func_exit(void);
__attribute__((weak)) void __tsan_read_range_pc(void *address, uintptr_t size, void *pc);
__attribute__((weak)) void __tsan_write_range_pc(void *address, uintptr_t size, void *pc);

#endif
