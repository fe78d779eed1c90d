/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A static variable has the same offset in its file, whatever the addresses are. A variable of the
 * initial thread's functions has the same distance from the begin of the stack, if that is aligned
 * as in the other run: a function may align its variables. Memory that the initial thread has
 * allocated has the same address, since ThreadSanitizer's allocator has fixed ones, unless it
 * allocates in another order; so the name also has the call stack of the allocation. Which block
 * another thread gets is chance, and so is what is on its stack.
 */
#include "stable-names.h"

#include "hash-mix.h"
#include "report-text.h"
#include "tsan-report.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	ALLOCATION_FRAMES = 16,
	STACK_ALIGNMENT = 64,
	MOST_STACK = 64 << 20, /* other threads' stacks are farther from the initial thread's */
	INITIAL_THREAD = 0
};

static const char *stack_begin;

#ifdef __GLIBC__
/* glibc passes the arguments of main(), which are where the initial thread's stack begins. */
__attribute__((constructor)) static void begin(int count, char **arguments)
{
	(void)count;
	stack_begin = (const char *)arguments;
}
#endif

static uint64_t name_in_module(uint64_t name, uintptr_t offset, const char *module)
{
	for (; *module != '\0'; module++)
		name = hash_mix(name, (unsigned char)*module);
	name = hash_mix(name, offset);
	return name > STABLE_UNKNOWN ? name : STABLE_UNKNOWN + 1;
}

uint64_t stable_name_of_code(const void *code)
{
	const char *module;
	uintptr_t offset;

	return report_find_module(code, &offset, &module) ? name_in_module(1, offset, module)
							  : STABLE_UNKNOWN;
}

static uint64_t name_on_stack(const char *variable)
{
	if (stack_begin == NULL || (uintptr_t)(stack_begin - variable) > MOST_STACK)
		return STABLE_UNKNOWN;
	return name_in_module(
	    2 + (uintptr_t)stack_begin % STACK_ALIGNMENT, (uintptr_t)(stack_begin - variable), "");
}

static uint64_t name_in_heap(void *variable)
{
	void *trace[ALLOCATION_FRAMES] = {NULL};
	uint64_t os_id, name = 0;
	int thread = -1;

	if (__tsan_get_alloc_stack == NULL ||
	    __tsan_get_alloc_stack(variable, trace, ALLOCATION_FRAMES, &thread, &os_id) <= 0 ||
	    thread != INITIAL_THREAD)
		return STABLE_UNKNOWN;
	for (int i = 0; i < ALLOCATION_FRAMES && trace[i] != NULL; i++)
		name = hash_mix(name, stable_name_of_code((char *)trace[i] - 1));
	return name_in_module(name, (uintptr_t)variable, "");
}

uint64_t stable_name_of_lock(const void *variable)
{
	void *address = (void *)(uintptr_t)variable, *start = NULL;
	const char *module, *kind = NULL;
	uintptr_t offset, size = 0;
	char name[8];

	if (report_find_module(variable, &offset, &module))
		return name_in_module(0, offset, module);
	if (__tsan_locate_address != NULL)
		kind = __tsan_locate_address(address, name, sizeof(name), &start, &size);
	if (kind != NULL && kind[0] == 's')
		return name_on_stack(variable);
	return kind != NULL && kind[0] == 'h' ? name_in_heap(address) : STABLE_UNKNOWN;
}
