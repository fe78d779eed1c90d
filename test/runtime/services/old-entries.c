/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device entries that gcc no longer calls, for programs that an older one built; and GCC 13's API
 * routines. Found by name, and called with the arguments that those compilers pass.
 */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <stddef.h>

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

static void add(void *addresses)
{
	int **variables = addresses;

	*variables[0] += *variables[1];
	CHECK(omp_get_level() == 0);
}

static void test_target(void)
{
	void (*target)(int, void (*)(void *), const void *, size_t, void **, size_t *,
	    unsigned char *) = find("GOMP_target");
	void (*data)(int, const void *, size_t, void **, size_t *, unsigned char *) =
	    find("GOMP_target_data");
	void (*update)(int, const void *, size_t, void **, size_t *, unsigned char *) =
	    find("GOMP_target_update");
	void (*end)(void) = find("GOMP_target_end_data");
	int sum = 5, more = 7;
	void *addresses[] = {&sum, &more};
	size_t sizes[] = {sizeof(int), sizeof(int)};
	unsigned char kinds[] = {0x23, 0x21}; /* tofrom and to, aligned to 4 */

	data(-1, NULL, 2, addresses, sizes, kinds);
	target(-1, add, NULL, 2, addresses, sizes, kinds);
	update(-1, NULL, 2, addresses, sizes, kinds);
	end();
	CHECK_EQUAL(sum, 12);
}

/* What constructors of gcc's offloading call: on a host without devices it has no effect. */
static void test_offload(void)
{
	void (*add_image)(const void *, int, const void *) = find("GOMP_offload_register");
	void (*remove_image)(const void *, int, const void *) = find("GOMP_offload_unregister");
	void (*add_version)(unsigned, const void *, int, const void *) =
	    find("GOMP_offload_register_ver");
	void (*remove_version)(unsigned, const void *, int, const void *) =
	    find("GOMP_offload_unregister_ver");
	static void *table[4];

	add_image(table, 5, NULL);
	remove_image(table, 5, NULL);
	add_version(0x10000, table, 5, NULL);
	remove_version(0x10000, table, 5, NULL);
	CHECK_EQUAL(omp_get_num_devices(), 0);
}

static void test_newer_routines(void)
{
	void *(*mapped)(const void *, int) = dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr");
	int (*accessible)(const void *, size_t, int) =
	    dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
	int (*copy)(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *) =
	    dlsym(RTLD_DEFAULT, "omp_target_memcpy_async");
	int (*copy_rect)(void *, const void *, size_t, int, const size_t *, const size_t *,
	    const size_t *, const size_t *, const size_t *, int, int, int, omp_depend_t *) =
	    dlsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async");
	int value = 0, result = 0;

	if (!CHECK(mapped && accessible && copy && copy_rect))
		return;
	CHECK(mapped(&value, 0) == &value && mapped(&value, 3) == NULL);
	CHECK(accessible(&value, 4, 0) == 1 && accessible(&value, 4, 3) == 0);
	CHECK(accessible(NULL, 4, 0) == 0 && accessible(&value, 0, 0) == 0);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 100; i++) {
		omp_depend_t depend[1];
		size_t one = 1, zero = 0;
		value = result = 0;
#pragma omp task depend(out : value) shared(value)
		{
			dawdle(1000);
			value = i + 1;
		}
#pragma omp depobj(depend[0]) depend(in : value)
		if (i % 2)
			CHECK_EQUAL(copy(&result, &value, sizeof(int), 0, 0, 0, 0, 1, depend), 0);
		else
			CHECK_EQUAL(copy_rect(&result, &value, sizeof(int), 1, &one, &zero, &zero,
					&one, &one, 0, 0, 1, depend),
			    0);
#pragma omp taskwait
		CHECK_EQUAL(result, i + 1);
#pragma omp depobj(depend[0]) destroy
	}
	CHECK_EQUAL(copy(&result, &value, sizeof(int), 0, 0, 7, 0, 0, NULL), EINVAL);
}

int main(void)
{
	test_target();
	test_offload();
	test_newer_routines();
	return check_result();
}
