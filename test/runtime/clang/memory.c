/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory as clang's code and clang's omp.h ask for it: the allocate directive and clause, OpenMP's
 * routines as calls of the compiler, and the routines that begin with kmp, of C and of Fortran.
 */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

void *__kmpc_alloc(int gtid, size_t size, uintptr_t allocator);
void *__kmpc_aligned_alloc(int gtid, size_t alignment, size_t size, uintptr_t allocator);
void *__kmpc_calloc(int gtid, size_t count, size_t size, uintptr_t allocator);
void *__kmpc_realloc(
    int gtid, void *memory, size_t size, uintptr_t allocator, uintptr_t free_allocator);
void __kmpc_free(int gtid, void *memory, uintptr_t allocator);
uintptr_t __kmpc_init_allocator(int gtid, uintptr_t space, int count, omp_alloctrait_t *traits);
void __kmpc_destroy_allocator(int gtid, uintptr_t allocator);
void __kmpc_set_default_allocator(int gtid, uintptr_t allocator);
uintptr_t __kmpc_get_default_allocator(int gtid);

void *kmp_malloc_(size_t *size);
void *kmp_aligned_malloc_(size_t *size, size_t *alignment);
void *kmp_calloc_(size_t *count, size_t *size);
void *kmp_realloc_(void **memory, size_t *size);
void kmp_free_(void **memory);
void *kmpc_malloc(size_t size);
void *kmpc_aligned_malloc(size_t size, size_t alignment);
void *kmpc_calloc(size_t count, size_t size);
void *kmpc_realloc(void *memory, size_t size);
void kmpc_free(void *memory);

static bool is_aligned(const void *memory, size_t alignment)
{
	return memory && (uintptr_t)memory % alignment == 0;
}

static bool is_zero(const char *memory, size_t size)
{
	return memory && memory[0] == 0 && memcmp(memory, memory + 1, size - 1) == 0;
}

static void constructs(int threads)
{
	int sum = 0, own = 5;
#pragma omp parallel firstprivate(own) allocate(omp_high_bw_mem_alloc : own) shared(sum)
	{
		double area[20];
#pragma omp allocate(area) allocator(omp_large_cap_mem_alloc) align(256)
		memset(area, 0, sizeof(area));
		CHECK(is_aligned(area, 256));
		own += (int)area[3];
		__atomic_fetch_add(&sum, own, __ATOMIC_RELAXED);
	}
	CHECK_EQUAL(sum, 5 * threads);
}

/* What no allocator has comes from the default one, as a program cannot see a failure. */
static void as_calls(void)
{
	omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb},
	    {omp_atk_alignment, 128}};
	uintptr_t small = __kmpc_init_allocator(0, omp_default_mem_space, 3, traits), before;
	char *memory = __kmpc_alloc(0, 100, small), *more;

	CHECK(is_aligned(memory, 128));
	memory = __kmpc_realloc(0, memory, 300, small, small);
	CHECK(is_aligned(memory, 128));
	CHECK(omp_alloc(100000, (omp_allocator_handle_t)small) == NULL);
	more = __kmpc_alloc(0, 100000, small);
	CHECK(more != NULL);
	__kmpc_free(0, more, small);
	__kmpc_free(0, memory, small);
	memory = __kmpc_aligned_alloc(0, 512, 10, omp_thread_mem_alloc);
	CHECK(is_aligned(memory, 512));
	__kmpc_free(0, memory, omp_null_allocator);
	memory = __kmpc_calloc(0, 30, 5, omp_null_allocator);
	CHECK(is_zero(memory, 150));
	__kmpc_free(0, memory, omp_null_allocator);
	before = __kmpc_get_default_allocator(0);
	__kmpc_set_default_allocator(0, small);
	CHECK(omp_get_default_allocator() == (omp_allocator_handle_t)small);
	memory = __kmpc_alloc(0, 10, omp_null_allocator);
	CHECK(is_aligned(memory, 128));
	__kmpc_free(0, memory, omp_null_allocator);
	__kmpc_set_default_allocator(0, before);
	__kmpc_destroy_allocator(0, small);
	memory = __kmpc_alloc(0, 10, llvm_omp_target_host_mem_alloc);
	CHECK(memory != NULL);
	__kmpc_free(0, memory, llvm_omp_target_host_mem_alloc);
}

static void extensions(void)
{
	size_t small = 40, large = 4000, alignment = 256, odd = 3;
	char *memory = kmp_malloc(small);

	memset(memory, 7, small);
	memory = kmp_realloc(memory, large);
	CHECK(memory[0] == 7 && memory[39] == 7);
	kmp_free(memory);
	memory = kmp_calloc(small, 3);
	CHECK(is_zero(memory, 3 * small));
	kmp_free(memory);
	memory = kmp_aligned_malloc(small, alignment);
	CHECK(is_aligned(memory, alignment));
	kmp_free(memory);
	CHECK(kmp_aligned_malloc(small, odd) == NULL);
	kmp_free(NULL);

	void *fortran = kmp_malloc_(&small);
	memset(fortran, 9, small);
	fortran = kmp_realloc_(&fortran, &large);
	CHECK(((char *)fortran)[39] == 9);
	kmp_free_(&fortran);
	fortran = kmp_calloc_(&small, &small);
	CHECK(is_zero(fortran, small * small));
	kmp_free_(&fortran);
	fortran = kmp_aligned_malloc_(&small, &alignment);
	CHECK(is_aligned(fortran, alignment));
	kmp_free_(&fortran);

	kmpc_free(kmpc_realloc(kmpc_malloc(small), large));
	memory = kmpc_calloc(small, 2);
	CHECK(is_zero(memory, 2 * small));
	kmpc_free(memory);
	memory = kmpc_aligned_malloc(small, alignment);
	CHECK(is_aligned(memory, alignment));
	kmpc_free(memory);
}

int main(void)
{
	constructs(omp_get_max_threads());
	as_calls();
	extensions();
	return check_result();
}
