/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines for memory that clang's omp.h has besides OpenMP's. They return malloc()'s memory,
 * for which each thread already has its own arena, and only kmp_free() may free it. Fortran's
 * names, which end in an underscore, take everything by reference; ifort calls the names that begin
 * with kmpc.
 */
#include "kmp-api.h"

#include <stdlib.h>

#include "versions.h"

void *kmp_malloc(size_t size)
{
	return malloc(size);
}

/* NULL if the alignment is not a power of two. */
void *kmp_aligned_malloc(size_t size, size_t alignment)
{
	void *memory;

	if (alignment < sizeof(void *) && (alignment & (alignment - 1)) == 0)
		alignment = sizeof(void *);
	return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

void *kmp_calloc(size_t count, size_t size)
{
	return calloc(count, size);
}

void *kmp_realloc(void *memory, size_t size)
{
	return realloc(memory, size);
}

void kmp_free(void *memory)
{
	free(memory);
}

void *kmp_malloc_(const size_t *size)
{
	return malloc(*size);
}

void *kmp_aligned_malloc_(const size_t *size, const size_t *alignment)
{
	return kmp_aligned_malloc(*size, *alignment);
}

void *kmp_calloc_(const size_t *count, const size_t *size)
{
	return calloc(*count, *size);
}

void *kmp_realloc_(void *const *memory, const size_t *size)
{
	return realloc(*memory, *size);
}

void kmp_free_(void *const *memory)
{
	free(*memory);
}

ONLY_IN_LIBOMP(kmpc_malloc, kmp_malloc);
ONLY_IN_LIBOMP(kmpc_aligned_malloc, kmp_aligned_malloc);
ONLY_IN_LIBOMP(kmpc_calloc, kmp_calloc);
ONLY_IN_LIBOMP(kmpc_realloc, kmp_realloc);
ONLY_IN_LIBOMP(kmpc_free, kmp_free);
