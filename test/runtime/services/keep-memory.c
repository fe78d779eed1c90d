/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keep-memory MAPPED KEPT [mallopt]: OMPINST_KEEP_MEMORY in a program that allocates on its own. A
 * block of MAPPED bytes is mapped by itself after the program's first use of OpenMP, one of KEPT
 * bytes is not, and arrays of that size that come and go cause no faults from the second step on.
 * KEPT 0: there is no such block, and one of 512 KiB is mapped as it was before the first use.
 * mallopt: the program has set a threshold itself. "counted": how many large blocks the allocator
 * that was loaded before glibc's has been asked for; keep-memory.sh has the cases.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <sys/resource.h>

#include "check.h"

enum { USUAL = 512 << 10, ARRAYS = 6, STEPS = 20, PAGE = 4096 };

static bool is_mapped(size_t bytes)
{
	struct mallinfo2 before = mallinfo2();
	void *volatile block = malloc(bytes);
	struct mallinfo2 after = mallinfo2();

	/* Not freed: that would raise the threshold. */
	return block != NULL && after.hblks > before.hblks;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

/* The last one is freed first, so that the heap's end is free after each step. */
static void step(size_t bytes)
{
	char *volatile arrays[ARRAYS];

	for (int i = 0; i < ARRAYS; i++) {
		arrays[i] = malloc(bytes);
		for (size_t at = 0; at < bytes; at += PAGE)
			arrays[i][at] = 1;
	}
	for (int i = ARRAYS - 1; i >= 0; i--)
		free(arrays[i]);
}

static void use_openmp(void)
{
	int members = 0;

#pragma omp parallel reduction(+ : members)
	members++;
	CHECK(members >= 1);
}

int main(int count, char **arguments)
{
	size_t mapped = count > 2 ? strtoul(arguments[1], NULL, 10) : 0;
	size_t kept = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
	int *large_blocks = dlsym(RTLD_DEFAULT, "large_blocks");
	long before;

	if (large_blocks != NULL) {
		use_openmp();
		CHECK_EQUAL(*large_blocks, 0);
		return check_result();
	}
	if (count > 3)
		CHECK(mallopt(M_TRIM_THRESHOLD, 128 << 10) == 1);
	CHECK(is_mapped(USUAL));
	use_openmp();
	CHECK(is_mapped(mapped));
	CHECK_EQUAL(is_mapped(USUAL), kept == 0);
	if (kept == 0)
		return check_result();
	CHECK(!is_mapped(kept));
	step(kept / ARRAYS);
	before = faults();
	for (int i = 0; i < STEPS; i++)
		step(kept / ARRAYS);
	CHECK(faults() - before < (long)(kept / PAGE));
	return check_result();
}
