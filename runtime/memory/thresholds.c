/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * glibc's malloc() begins with thresholds of 128 KiB: it maps larger blocks separately and unmaps
 * them when they are freed, and it returns the free end of the heap to the kernel beyond that size.
 * A program that allocates and frees its arrays in each step then faults all their pages in again,
 * which takes more time than the step. When a larger mapped block is freed, glibc raises both
 * thresholds, to the block's size and to twice that, unless they have been set explicitly. This
 * file makes that happen instead of calling mallopt(), which would override the program's own
 * choice and end all further adaptation.
 */
#include "thresholds.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Only glibc has this; other C libraries have no such function. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

/* Is the address in the object? */
static bool holds(const struct dl_phdr_info *object, uintptr_t address)
{
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && address >= start && address - start < part->p_memsz)
			return true;
	}
	return false;
}

static int look_for_libc(struct dl_phdr_info *object, size_t size, void *has_malloc)
{
	(void)size;
	if (!holds(object, (uintptr_t)gnu_get_libc_version))
		return 0;
	*(bool *)has_malloc = holds(object, (uintptr_t)malloc);
	return 1;
}

/*
 * Sanitizers, memory checkers and other allocators have their own functions. Some of them also
 * define the additional names of glibc's malloc(), so only the address shows to which library they
 * belong.
 */
static bool is_of_glibc(void)
{
	bool has_malloc = false;

	if (gnu_get_libc_version != NULL)
		dl_iterate_phdr(look_for_libc, &has_malloc);
	return has_malloc;
}

/*
 * The largest block that raises the thresholds: glibc's DEFAULT_MMAP_THRESHOLD_MAX, less what
 * malloc() adds to it and the rounding to pages.
 */
void rt_malloc_raise_thresholds(size_t bytes)
{
	enum { PAGES = 128 << 10 }; /* more than any page and what malloc() adds */
	static const size_t largest = (sizeof(long) == 8 ? (size_t)32 << 20 : (size_t)512 << 10);
	void *volatile block;

	if (bytes == 0 || !is_of_glibc())
		return;
	block = malloc(bytes < largest - PAGES ? bytes : largest - PAGES);
	free(block);
}
