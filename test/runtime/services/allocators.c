/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory routines of OpenMP 5.1, 3.13: alignment, zeros, pools and their limits, each kind of
 * fallback, resizing, traits that are refused, and the allocate clause.
 */
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"

static bool is_aligned(const void *memory, uintptr_t alignment)
{
	return (uintptr_t)memory % alignment == 0;
}

static bool is_all(const unsigned char *memory, size_t size, unsigned char value)
{
	for (size_t i = 0; i < size; i++)
		if (memory[i] != value)
			return false;
	return true;
}

static void test_predefined(void)
{
	for (uintptr_t handle = omp_null_allocator; handle <= omp_thread_mem_alloc; handle++) {
		omp_allocator_handle_t allocator = (omp_allocator_handle_t)handle;
		unsigned char *memory = omp_alloc(100, allocator);
		if (!CHECK(memory != NULL))
			continue;
		CHECK(is_aligned(memory, _Alignof(max_align_t)));
		memset(memory, 0xa5, 100);
		omp_free(memory, allocator);
		for (size_t alignment = 1; alignment <= 8192; alignment *= 4) {
			memory = omp_aligned_alloc(alignment, 3 * alignment, allocator);
			CHECK(memory && is_aligned(memory, alignment));
			memset(memory, 1, 3 * alignment);
			omp_free(memory, omp_null_allocator);
			memory = omp_aligned_calloc(alignment, 7, alignment, allocator);
			CHECK(memory && is_aligned(memory, alignment) &&
			      is_all(memory, 7 * alignment, 0));
			memset(memory, 1, 7 * alignment);
			omp_free(memory, allocator);
		}
	}
	CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
	CHECK(omp_calloc(0, 8, omp_default_mem_alloc) == NULL);
	volatile size_t huge = SIZE_MAX - 8; /* the compiler would warn */
	CHECK(omp_calloc(huge / 2, 3, omp_default_mem_alloc) == NULL);
	CHECK(omp_alloc(huge, omp_default_mem_alloc) == NULL);
	omp_free(NULL, omp_default_mem_alloc);
}

static omp_allocator_handle_t make(uintptr_t pool, uintptr_t fallback, uintptr_t data)
{
	omp_alloctrait_t traits[] = {{omp_atk_pool_size, pool}, {omp_atk_fallback, fallback},
	    {omp_atk_fb_data, data}, {omp_atk_alignment, 128}};

	return omp_init_allocator(omp_default_mem_space, data ? 4 : 2, traits);
}

static void test_pool(void)
{
	omp_allocator_handle_t pool = make(4096, omp_atv_null_fb, 0);
	void *first = omp_alloc(2500, pool);

	CHECK(first != NULL);
	CHECK(omp_alloc(2500, pool) == NULL);
	CHECK(omp_alloc(5000, pool) == NULL);
	omp_free(first, pool);
	void *second = omp_alloc(2500, pool); /* what was freed is there again */
	CHECK(second != NULL);

	/* The pool's size is not exceeded and not lost when many threads use it. */
	int most = 0, now = 0;
#pragma omp parallel num_threads(8)
	for (int i = 0; i < 500; i++) {
		void *memory = omp_alloc(400, pool);
		if (!memory)
			continue;
		int mine = __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST);
		int seen = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
		while (mine > seen && !__atomic_compare_exchange_n(&most, &seen, mine, false,
					  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			;
		__atomic_sub_fetch(&now, 1, __ATOMIC_SEQ_CST);
		omp_free(memory, pool);
	}
	CHECK(most >= 1 && most <= 3);
	omp_free(second, pool);
	second = omp_alloc(4000, pool);
	CHECK(second != NULL);
	omp_free(second, pool);
	omp_destroy_allocator(pool);
}

static void test_fallback(void)
{
	omp_allocator_handle_t plain = make(64, omp_atv_default_mem_fb, 0);
	void *memory = omp_alloc(1000, plain);

	CHECK(memory != NULL);
	omp_free(memory, plain);

	omp_allocator_handle_t last = make(4096, omp_atv_null_fb, 0);
	omp_allocator_handle_t first = make(256, omp_atv_allocator_fb, (uintptr_t)last);
	memory = omp_alloc(1000, first);
	CHECK(memory != NULL);
	void *more = omp_alloc(2800, first);
	CHECK(more != NULL);
	CHECK(omp_alloc(1000, first) == NULL);
	omp_free(memory, first); /* goes back to the pool that it came from */
	memory = omp_alloc(900, last);
	CHECK(memory != NULL);
	omp_free(memory, last);
	omp_free(more, first);
	omp_destroy_allocator(first);
	omp_destroy_allocator(last);
	omp_destroy_allocator(plain);
}

static void test_abort_fallback(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		freopen("/dev/null", "w", stderr);
		omp_allocator_handle_t allocator = make(64, omp_atv_abort_fb, 0);
		omp_alloc(1000, allocator);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

static void test_refused(void)
{
	static const omp_alloctrait_t refused[] = {{omp_atk_alignment, 3}, {omp_atk_alignment, 0},
	    {omp_atk_fallback, omp_atv_private}, {(omp_alloctrait_key_t)99, 1},
	    {omp_atk_access, omp_atv_contended}, {omp_atk_sync_hint, omp_atv_all},
	    {omp_atk_partition, omp_atv_true}, {omp_atk_pinned, 7}};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK(omp_init_allocator(omp_default_mem_space, 1, &refused[i]) ==
		      omp_null_allocator);
	CHECK(omp_init_allocator((omp_memspace_handle_t)77, 0, NULL) == omp_null_allocator);
	/* Every space that has a name has allocators. */
	for (uintptr_t space = omp_default_mem_space; space <= omp_low_lat_mem_space; space++) {
		omp_allocator_handle_t found = omp_init_allocator(space, 0, NULL);

		CHECK(found != omp_null_allocator);
		omp_destroy_allocator(found);
	}
	static const omp_alloctrait_t fine[] = {{omp_atk_sync_hint, omp_atv_serialized},
	    {omp_atk_access, omp_atv_cgroup}, {omp_atk_partition, omp_atv_blocked},
	    {omp_atk_alignment, omp_atv_default}, {omp_atk_fallback, omp_atv_default},
	    {omp_atk_pool_size, omp_atv_default}, {omp_atk_pinned, omp_atv_false}};
	omp_allocator_handle_t allocator = omp_init_allocator(omp_large_cap_mem_space, 7, fine);
	CHECK(allocator != omp_null_allocator);
	void *memory = omp_alloc(1 << 20, allocator);
	CHECK(memory != NULL);
	omp_free(memory, allocator);
	omp_destroy_allocator(allocator);
}

/*
 * A fallback that is the allocator which gave the memory resizes it, instead of a copy. That shows
 * by its place, but the sanitizers' realloc() moves all.
 */
static void test_realloc_by_fallback(void)
{
	omp_alloctrait_t traits[] = {
	    {omp_atk_pool_size, 64}, {omp_atk_fallback, omp_atv_default_mem_fb}};
	omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 2, traits);
	unsigned char *memory = omp_alloc(1000, omp_default_mem_alloc), *same;

	memset(memory, 7, 1000);
	same = omp_realloc(memory, 1000, small, omp_default_mem_alloc);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	memory = same;
#endif
	CHECK(same != NULL && same == memory && is_all(same, 1000, 7));
	omp_free(same, omp_null_allocator);
	omp_destroy_allocator(small);
}

static void test_realloc(void)
{
	omp_allocator_handle_t pool = make(8192, omp_atv_null_fb, 0);
	unsigned char *memory = omp_realloc(NULL, 50, pool, omp_null_allocator);

	CHECK(memory != NULL);
	memset(memory, 0x42, 50);
	memory = omp_realloc(memory, 3000, omp_null_allocator, omp_null_allocator);
	CHECK(memory && is_all(memory, 50, 0x42));
	memset(memory, 0x17, 3000);
	memory = omp_realloc(memory, 20, omp_default_mem_alloc, pool);
	CHECK(memory && is_all(memory, 20, 0x17));
	void *whole = omp_alloc(7000, pool); /* nothing of the pool is still taken */
	CHECK(whole != NULL);
	CHECK(omp_realloc(memory, 3000, pool, omp_default_mem_alloc) == NULL);
	CHECK(is_all(memory, 20, 0x17));
	CHECK(omp_realloc(memory, 0, omp_default_mem_alloc, omp_null_allocator) == NULL);
	omp_free(whole, pool);
	omp_destroy_allocator(pool);
}

static void test_default(void)
{
	omp_allocator_handle_t pool = make(512, omp_atv_null_fb, 0);

	omp_set_default_allocator(pool);
	CHECK(omp_get_default_allocator() == pool);
	CHECK(omp_alloc(1000, omp_null_allocator) == NULL);
	int inherited = 0, threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : inherited, threads)
	{
		threads++;
		inherited += omp_get_default_allocator() == pool;
		omp_set_default_allocator(omp_const_mem_alloc);
		CHECK(omp_get_default_allocator() == omp_const_mem_alloc);
	}
	CHECK_EQUAL(inherited, threads);
	CHECK(omp_get_default_allocator() == pool);
	omp_set_default_allocator(omp_null_allocator);
	CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
	omp_destroy_allocator(pool);
}

static void test_clause(void)
{
	omp_allocator_handle_t aligned = omp_init_allocator(
	    omp_default_mem_space, 1, (omp_alloctrait_t[]){{omp_atk_alignment, 256}});
	int values[64], wrong = 0;

	for (int i = 0; i < 64; i++)
		values[i] = i;
#pragma omp parallel num_threads(4) firstprivate(values) allocate(aligned : values) reduction(+ : wrong)
	{
		wrong += !is_aligned(values, 256);
		for (int i = 0; i < 64; i++) {
			wrong += values[i] != i;
			values[i] = -1;
		}
	}
	CHECK_EQUAL(wrong, 0);
	omp_destroy_allocator(aligned);
}

/* Kilobytes of this process that are never paged out, or -1. */
static long locked_kilobytes(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[200];
	long kilobytes = -1;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmLck: %ld", &kilobytes) == 1)
			break;
	if (status)
		fclose(status);
	return kilobytes;
}

/* Pinned memory is locked while it exists, or refused where the process may not lock any. */
static void test_pinned(void)
{
	omp_alloctrait_t traits[] = {
	    {omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb}};
	omp_allocator_handle_t pinned = omp_init_allocator(omp_default_mem_space, 2, traits);
	long before = locked_kilobytes();
	unsigned char *memory = omp_alloc(40000, pinned);
	struct rlimit limit;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	CHECK(memory != NULL || limit.rlim_cur < 1000000);
	if (memory != NULL) {
		CHECK(locked_kilobytes() >= before + 39);
		memset(memory, 7, 40000);
		unsigned char *larger = omp_realloc(memory, 90000, pinned, pinned);
		CHECK(larger != NULL || limit.rlim_cur < 1000000);
		if (larger != NULL) {
			CHECK(is_all(larger, 40000, 7));
			CHECK(locked_kilobytes() >= before + 87);
		}
		omp_free(larger != NULL ? larger : memory, pinned);
		CHECK_EQUAL(locked_kilobytes(), before);
	}
	CHECK(omp_alloc((size_t)1 << 60, pinned) == NULL);
	omp_destroy_allocator(pinned);
}

/* Pieces come and go in any order; false when one's bytes change meanwhile. */
static bool exercise(omp_allocator_handle_t pinned, unsigned random)
{
	enum { PIECES = 200, MOST = 2600, ROUNDS = 4000 };
	unsigned char *pieces[PIECES] = {NULL};
	size_t sizes[PIECES] = {0};
	unsigned char value = (unsigned char)random;
	bool is_sound = true;

	for (int i = 0; i < ROUNDS; i++) {
		random = random * 1103515245 + 12345;
		unsigned which = (random >> 8) % PIECES;
		if (pieces[which] != NULL) {
			is_sound &= is_all(pieces[which], sizes[which], value);
			omp_free(pieces[which], pinned);
			pieces[which] = NULL;
			continue;
		}
		sizes[which] = 1 + (random >> 16) % MOST;
		pieces[which] = omp_calloc(1, sizes[which], pinned);
		if (pieces[which] == NULL) /* the limit of such memory */
			continue;
		is_sound &= is_all(pieces[which], sizes[which], 0);
		memset(pieces[which], value, sizes[which]);
	}
	for (int i = 0; i < PIECES; i++) {
		is_sound &= pieces[i] == NULL || is_all(pieces[i], sizes[i], value);
		omp_free(pieces[i], pinned);
	}
	return is_sound;
}

/* Small pieces share pages, which their last one takes away. */
static void test_small_pinned(void)
{
	enum { PIECES = 20, PAGE_KILOBYTES = 64 };
	unsigned char *pieces[PIECES];
	omp_alloctrait_t traits[] = {
	    {omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb}};
	omp_allocator_handle_t pinned = omp_init_allocator(omp_default_mem_space, 2, traits);
	long before = locked_kilobytes();
	bool is_sound = true;

	for (int i = 0; i < PIECES; i++)
		pieces[i] = omp_alloc(10, pinned);
	if (pieces[0] != NULL)
		CHECK(locked_kilobytes() > before && locked_kilobytes() <= before + PAGE_KILOBYTES);
	for (int i = 0; i < PIECES; i++)
		omp_free(pieces[i], pinned);
	CHECK_EQUAL(locked_kilobytes(), before);
#pragma omp parallel num_threads(4) reduction(&& : is_sound)
	is_sound = is_sound && exercise(pinned, (unsigned)omp_get_thread_num() + 1);
	CHECK(is_sound);
	CHECK_EQUAL(locked_kilobytes(), before);
	omp_destroy_allocator(pinned);
}

int main(void)
{
	test_predefined();
	test_pinned();
	test_small_pinned();
	test_pool();
	test_fallback();
	test_abort_fallback();
	test_refused();
	test_realloc();
	test_realloc_by_fallback();
	test_default();
	test_clause();
	return check_result();
}
