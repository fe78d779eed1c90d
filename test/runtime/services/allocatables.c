/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of allocatable variables as gfortran 14 and newer keep account of it: what was noted is
 * known once, also with many threads and across a fork. And GNU's own predefined allocators.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

static void (*note)(void *memory);
static bool (*is_noted)(void *memory);

static void test_one(void)
{
	int variable;

	CHECK(!is_noted(&variable) && !is_noted(NULL));
	note(&variable);
	CHECK(is_noted(&variable));
	CHECK(!is_noted(&variable));
	note(&variable);
	note(&variable);
	note(NULL);
	CHECK(is_noted(&variable) && !is_noted(&variable) && !is_noted(NULL));
}

static void test_many(void)
{
	enum { THREADS = 4, EACH = 2000 };
	static char variables[THREADS][EACH];
	int found = 0, arrived = 0;

#pragma omp parallel num_threads(THREADS) reduction(+ : found)
	{
		char *own = variables[omp_get_thread_num()];
		start_together(&arrived, THREADS);
		for (int i = 0; i < EACH; i++)
			note(own + i);
		for (int i = 0; i < EACH; i += 2)
			found += is_noted(own + i);
		for (int i = 0; i < EACH; i++)
			found += is_noted(own + i) == i % 2;
	}
	CHECK_EQUAL(found, THREADS * (EACH / 2 + EACH));
}

/* A fork comes while another thread is at it; the child finds a list that it can use. */
static void test_fork(void)
{
	int variable, stop = 0, status = 0, forks = 0;
	static char others[64];

	note(&variable);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
		for (int i = 0; !is_raised(&stop, 1); i++) {
			note(&others[i % 64]);
			is_noted(&others[i % 64]);
		}
	} else {
		for (; forks < 20; forks++) {
			pid_t child = fork();
			if (child == 0) {
				check_alarm(20);
				_exit(is_noted(&variable) && !is_noted(&variable) ? 0 : 1);
			}
			if (!CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0))
				break;
		}
		raise_flag(&stop);
	}
	CHECK_EQUAL(forks, 20);
	CHECK(is_noted(&variable));
}

enum { PINNED = 200, MANAGED = 201, MANAGED_SPACE = 200 };

/* In a child without the right to lock memory, if it can do without: the pinned one has none. */
static void test_limit(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		struct rlimit none = {0, 0};
		if (setrlimit(RLIMIT_MEMLOCK, &none) != 0 || (getuid() == 0 && setuid(65534) != 0))
			_exit(0);
		_exit(omp_alloc(100, (omp_allocator_handle_t)PINNED) == NULL ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void test_allocators(void)
{
	for (uintptr_t handle = PINNED; handle <= MANAGED; handle++) {
		omp_allocator_handle_t allocator = (omp_allocator_handle_t)handle;
		unsigned char *memory = omp_aligned_alloc(256, 1000, allocator);
		if (!CHECK(memory != NULL && (uintptr_t)memory % 256 == 0))
			continue;
		memset(memory, 0xa5, 1000);
		memory = omp_realloc(memory, 9000, allocator, allocator);
		if (CHECK(memory != NULL))
			CHECK(memory[0] == 0xa5 && memory[999] == 0xa5);
		omp_free(memory, omp_null_allocator);
		memory = omp_calloc(3, 100, allocator);
		CHECK(memory != NULL && memory[0] == 0 && memory[299] == 0);
		omp_free(memory, allocator);
		omp_destroy_allocator(allocator);
		omp_set_default_allocator(allocator);
		CHECK_EQUAL(omp_get_default_allocator(), handle);
		memory = omp_alloc(10, omp_null_allocator);
		CHECK(memory != NULL);
		omp_free(memory, allocator);
	}
	omp_set_default_allocator(omp_default_mem_alloc);
	omp_alloctrait_t trait = {omp_atk_alignment, 128};
	omp_allocator_handle_t managed =
	    omp_init_allocator((omp_memspace_handle_t)MANAGED_SPACE, 1, &trait);
	CHECK(managed != omp_null_allocator);
	void *memory = omp_alloc(10, managed);
	CHECK(memory != NULL && (uintptr_t)memory % 128 == 0);
	omp_free(memory, managed);
	omp_destroy_allocator(managed);
	CHECK(omp_init_allocator((omp_memspace_handle_t)(MANAGED_SPACE + 1), 0, NULL) ==
	      omp_null_allocator);
}

int main(void)
{
	note = find("GOMP_add_alloc");
	is_noted = find("GOMP_is_alloc");
	test_one();
	test_many();
	test_fork();
	test_limit();
	test_allocators();
	return check_result();
}
