/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory by the names of clang's omp.h and of Intel's Fortran (kmp-memory.c). */
#ifndef RT_KMP_MEMORY_H
#define RT_KMP_MEMORY_H
#include <stddef.h>

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

#endif
