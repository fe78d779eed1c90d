/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_target_memset() and its asynchronous form, which waits for the depend objects it is given;
 * and the address of a function for code on the device.
 */
#include <dlfcn.h>
#include <omp.h>

#include "check.h"

typedef void *set_fn(void *memory, int value, size_t count, int device);
typedef void *set_async_fn(
    void *memory, int value, size_t count, int device, int dependences, omp_depend_t *depend);

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

static void test_memset(void)
{
	set_fn *set = find("omp_target_memset");
	set_async_fn *set_async = find("omp_target_memset_async");
	char text[9] = "abcdefgh";
	char *memory = omp_target_alloc(1000, 0);

	CHECK(set(text + 1, 'x', 3, 0) == text + 1);
	CHECK(strcmp(text, "axxxefgh") == 0);
	CHECK(set(text, 0x100 + 'y', 1, -1) == text); /* as memset(): one byte of the value */
	CHECK(strcmp(text, "yxxxefgh") == 0);
	CHECK(set(text, 'z', 0, 0) == text);
	CHECK(set(text, 'z', 4, 9) == text); /* no device */
	CHECK(strcmp(text, "yxxxefgh") == 0);
	CHECK(set_async(text + 4, 'w', 2, -5, 0, NULL) == text + 4);
	CHECK(strcmp(text, "yxxxwwgh") == 0);
	if (CHECK(memory != NULL)) {
		CHECK(set(memory, 5, 1000, 0) == memory);
		CHECK(memory[0] == 5 && memory[999] == 5);
	}
	omp_target_free(memory, 0);
	CHECK(set(NULL, 1, 0, 0) == NULL);
}

static void test_order(void)
{
	set_async_fn *set_async = find("omp_target_memset_async");
	char value[2] = {0, 0};

#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 50; i++) {
		omp_depend_t depend;
#pragma omp depobj(depend) depend(inout : value)
#pragma omp task depend(inout : value) shared(value)
		{
			dawdle(500);
			value[0] = 1;
		}
		CHECK(set_async(value, 7, 2, 0, 1, &depend) == value);
#pragma omp taskwait
		CHECK(value[0] == 7 && value[1] == 7);
#pragma omp depobj(depend) destroy
	}
}

static void test_function(void)
{
	void *(*map)(void *) = find("GOMP_target_map_indirect_ptr");

	CHECK(map((void *)test_function) == (void *)test_function);
	CHECK(map(NULL) == NULL);
}

int main(void)
{
	test_memset();
	test_order();
	test_function();
	return check_result();
}
