/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with a home: zeroed, apart from other memory, and, where the kernel says where pages are,
 * on the node that was asked for. A node that does not exist is no reason to have none.
 * LeakSanitizer, whose part this program plays, is told of what it does not know by itself, until
 * that is freed.
 */
#include "home.h"

#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"
#include "processor-code.h"

static int failures;

static void expect(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "homes.c:%d: %s: expected true, found false\n", line, what);
	failures++;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)

/* -1: the kernel does not say. */
static int node_of(void *memory)
{
	int node;

	return syscall(SYS_get_mempolicy, &node, NULL, 0, memory, MPOL_F_NODE | MPOL_F_ADDR) == 0
		   ? node
		   : -1;
}

static int own_node(void)
{
	unsigned node = 0;

	syscall(SYS_getcpu, NULL, &node, NULL);
	return (int)node;
}

static bool is_zero(const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/* What is told and not freed; NULL: nothing. */
static const void *told;
static size_t told_bytes;

void __lsan_register_root_region(const void *memory, size_t bytes);
void __lsan_unregister_root_region(const void *memory, size_t bytes);

void __lsan_register_root_region(const void *memory, size_t bytes)
{
	EXPECT(told == NULL);
	told = memory;
	told_bytes = bytes;
}

void __lsan_unregister_root_region(const void *memory, size_t bytes)
{
	EXPECT(told == memory && told_bytes == bytes);
	told = NULL;
}

static void test_memory(size_t bytes, bool own_pages, int32_t node)
{
	char *memory = rt_home_new(bytes, own_pages, node);
	size_t unit = own_pages ? (size_t)sysconf(_SC_PAGESIZE) : PROCESSOR_APART;

	EXPECT(memory != NULL);
	if (memory == NULL)
		return;
	EXPECT((size_t)memory % unit == 0);
	EXPECT(own_pages ? told == memory && told_bytes == bytes : told == NULL);
	EXPECT(is_zero(memory, bytes));
	memset(memory, 1, bytes);
	if (node == own_node() && node_of(memory) >= 0)
		EXPECT(node_of(memory) == node);
	if (own_pages) {
		rt_home_bring(memory, bytes);
		EXPECT(node_of(memory) == -1 || node_of(memory) == own_node());
		EXPECT(memory[0] == 1 && memory[bytes - 1] == 1);
	}
	rt_home_free(memory, bytes, own_pages);
	EXPECT(told == NULL);
}

int main(void)
{
	EXPECT(rt_home_matters() == (rt_processors_nodes(RT_SYSFS) > 1));
	for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
		test_memory(bytes, false, RT_NODE_ANY);
		test_memory(bytes, true, RT_NODE_ANY);
		test_memory(bytes, true, own_node());
		test_memory(bytes, true, 1023);
		test_memory(bytes, true, 1 << 20);
	}
	return failures != 0;
}
