/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages on a node, by mbind(2); see home.h. */
#include "home.h"

#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"
#include "processor-code.h"
#include "shared/precondition.h"

/*
 * LeakSanitizer's functions, if the program has them: it searches blocks of malloc() for pointers
 * by itself, and other memory only if that is registered.
 */
void __lsan_register_root_region(const void *memory, size_t bytes) __attribute__((weak));
void __lsan_unregister_root_region(const void *memory, size_t bytes) __attribute__((weak));

enum { MOST_NODES = 1024, WORD_BITS = 8 * sizeof(unsigned long) };

static bool matters;

static void ask(void)
{
	matters = rt_processors_nodes(RT_SYSFS) > 1;
}

bool rt_home_matters(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, ask);
	return matters;
}

static size_t whole(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static size_t whole_pages(size_t bytes)
{
	return whole(bytes, (size_t)sysconf(_SC_PAGESIZE));
}

/* Preferred, not bound: a full node must not end the program. */
static void prefer(void *memory, size_t bytes, int32_t node, unsigned flags)
{
	unsigned long nodes[MOST_NODES / WORD_BITS] = {0};

	if (node < 0 || node >= MOST_NODES)
		return;
	nodes[(size_t)node / WORD_BITS] = 1ul << (size_t)node % WORD_BITS;
	/* mbind() looks at one bit less than the count. */
	syscall(
	    SYS_mbind, memory, whole_pages(bytes), MPOL_PREFERRED, nodes, MOST_NODES + 1ul, flags);
}

void *rt_home_new(size_t bytes, bool own_pages, int32_t node)
{
	CHECK(bytes > 0, "the memory has a size");

	void *memory;

	if (!own_pages) {
		memory = aligned_alloc(PROCESSOR_APART, whole(bytes, PROCESSOR_APART));
		if (memory != NULL)
			memset(memory, 0, bytes);
		return memory;
	}
	memory = mmap(
	    NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	if (__lsan_register_root_region != NULL)
		__lsan_register_root_region(memory, bytes);
	prefer(memory, bytes, node, 0);
	return memory;
}

void rt_home_free(void *memory, size_t bytes, bool own_pages)
{
	if (!own_pages) {
		free(memory);
	} else if (memory != NULL) {
		if (__lsan_unregister_root_region != NULL)
			__lsan_unregister_root_region(memory, bytes);
		munmap(memory, whole_pages(bytes));
	}
}

void rt_home_bring(void *memory, size_t bytes)
{
	unsigned node;

	if (syscall(SYS_getcpu, NULL, &node, NULL) == 0)
		prefer(memory, bytes, (int32_t)node, MPOL_MF_MOVE);
}
