/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines that the omp.h of clang and of Intel's compilers has besides OpenMP's. A name that
 * ends in an underscore is for Fortran, which takes everything by reference and passes the length
 * of a text last.
 */
#ifndef RT_KMP_API_H
#define RT_KMP_API_H
#include <stddef.h>

enum kmp_library { KMP_SERIAL = 1, KMP_TURNAROUND = 2, KMP_THROUGHPUT = 3 };

typedef void *kmp_affinity_mask_t;

#pragma GCC visibility push(default)
void *kmp_malloc(size_t size);
void *kmp_aligned_malloc(size_t size, size_t alignment);
void *kmp_calloc(size_t count, size_t size);
void *kmp_realloc(void *memory, size_t size);
void kmp_free(void *memory);
void *kmp_malloc_(const size_t *size);
void *kmp_aligned_malloc_(const size_t *size, const size_t *alignment);
void *kmp_calloc_(const size_t *count, const size_t *size);
void *kmp_realloc_(void *const *memory, const size_t *size);
void kmp_free_(void *const *memory);

void kmp_set_blocktime(int milliseconds);
int kmp_get_blocktime(void);
void kmp_set_stacksize(int bytes);
void kmp_set_stacksize_s(size_t bytes);
int kmp_get_stacksize(void);
size_t kmp_get_stacksize_s(void);
void kmp_set_library(int library);
void kmp_set_library_serial(void);
void kmp_set_library_turnaround(void);
void kmp_set_library_throughput(void);
int kmp_get_library(void);
void kmp_set_defaults(const char *text);
void kmp_set_disp_num_buffers(int count);
void kmp_set_warnings_on(void);
void kmp_set_warnings_off(void);
int kmp_get_num_known_threads(void);
int kmp_get_cancellation_status(int kind);
void kmp_set_blocktime_(const int *milliseconds);
int kmp_get_blocktime_(void);
void kmp_set_stacksize_(const int *bytes);
void kmp_set_stacksize_s_(const size_t *bytes);
int kmp_get_stacksize_(void);
size_t kmp_get_stacksize_s_(void);
void kmp_set_library_(const int *library);
void kmp_set_library_serial_(void);
void kmp_set_library_turnaround_(void);
void kmp_set_library_throughput_(void);
int kmp_get_library_(void);
void kmp_set_defaults_(const char *text, size_t length);
void kmp_set_disp_num_buffers_(const int *count);
void kmp_set_warnings_on_(void);
void kmp_set_warnings_off_(void);
int kmp_get_num_known_threads_(void);
int kmp_get_cancellation_status_(const int *kind);

void kmp_create_affinity_mask(kmp_affinity_mask_t *mask);
void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask);
int kmp_set_affinity(kmp_affinity_mask_t *mask);
int kmp_get_affinity(kmp_affinity_mask_t *mask);
int kmp_get_affinity_max_proc(void);
int kmp_set_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask);
int kmp_unset_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask);
int kmp_get_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask);
void kmp_create_affinity_mask_(kmp_affinity_mask_t *mask);
void kmp_destroy_affinity_mask_(kmp_affinity_mask_t *mask);
int kmp_set_affinity_(kmp_affinity_mask_t *mask);
int kmp_get_affinity_(kmp_affinity_mask_t *mask);
int kmp_get_affinity_max_proc_(void);
int kmp_set_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask);
int kmp_unset_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask);
int kmp_get_affinity_mask_proc_(const int *processor, kmp_affinity_mask_t *mask);
#pragma GCC visibility pop

#endif
