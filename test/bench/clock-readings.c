/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what one event of a plain program costs libpomp_tool.so in readings of the clock. As a
 * tool in OMP_TOOL_LIBRARIES it starts the real one, whose path is in COUNTED_TOOL, with a
 * ompt_set_callback() of its own that puts a counting function before each callback; preloaded, it
 * counts the calls of clock_gettime() that come out of libpomp (POMP_TIMER=clock_gettime). COUNTED
 * names the callbacks that are set ("parallel,sync_region"), without it all are. Prints
 * "events N readings M" on standard error when the process ends.
 */
#include "omp-tools.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLBACKS = 64 };

/* Every host callback takes words: integers and pointers, at most eight. */
typedef int (*words_function)(
    uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static words_function callbacks[CALLBACKS];
static ompt_start_tool_result_t *tool;
static ompt_initialize_t tool_initialize;
static ompt_function_lookup_t runtime_lookup;
static atomic_ulong events, readings;
static uintptr_t code_from[2], code_to[2];

#define FORWARD(n)                                                                                 \
	static int forward_##n(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,    \
	    uintptr_t f, uintptr_t g, uintptr_t h)                                                 \
	{                                                                                          \
		atomic_fetch_add(&events, 1);                                                      \
		return callbacks[n](a, b, c, d, e, f, g, h);                                       \
	}
#define UNITS(X)  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define NAME(n)   [n] = forward_##n,
UNITS(FORWARD)
TEN(FORWARD, 1)
TEN(FORWARD, 2)
TEN(FORWARD, 3)
static const words_function forwards[CALLBACKS] = {
    UNITS(NAME) TEN(NAME, 1) TEN(NAME, 2) TEN(NAME, 3)};

static const struct {
	const char *name;
	ompt_callbacks_t event;
} names[] = {
    {"parallel", ompt_callback_parallel_begin},
    {"parallel", ompt_callback_parallel_end},
    {"implicit_task", ompt_callback_implicit_task},
    {"sync_region", ompt_callback_sync_region},
};

static int is_wanted(ompt_callbacks_t event)
{
	const char *wanted = getenv("COUNTED");

	for (size_t i = 0; wanted != NULL && i < sizeof names / sizeof names[0]; i++)
		if (event == names[i].event && strstr(wanted, names[i].name) != NULL)
			return 1;
	return wanted == NULL;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_set_callback_t set = (ompt_set_callback_t)runtime_lookup("ompt_set_callback");
	size_t number = (size_t)event;

	if (!is_wanted(event) || number >= CALLBACKS || forwards[number] == NULL)
		return ompt_set_never;
	callbacks[number] = (words_function)callback;
	return set(event, (ompt_callback_t)forwards[number]);
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	// cppcheck-suppress CastIntegerToAddressAtReturn ; what it returns is a pointer, too
	return runtime_lookup(name);
}

static int initialize(ompt_function_lookup_t given, int device, ompt_data_t *data)
{
	runtime_lookup = given;
	return tool_initialize(lookup, device, data);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
    unsigned version, const char *runtime)
{
	const char *path = getenv("COUNTED_TOOL");
	void *library = path != NULL ? dlopen(path, RTLD_NOW) : NULL;
	ompt_start_tool_result_t *(*start)(unsigned, const char *) = NULL;

	if (library != NULL)
		*(void **)&start = dlsym(library, "ompt_start_tool");
	tool = start != NULL ? start(version, runtime) : NULL;
	if (tool == NULL) {
		fprintf(stderr, "clock-readings: COUNTED_TOOL='%s': no tool\n", path ? path : "");
		return NULL;
	}
	tool_initialize = tool->initialize;
	tool->initialize = initialize;
	return tool;
}

/* Notes where the code of libpomp lies, once it is loaded. */
static int note_code(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(info->dlpi_name, "/libpomp") == NULL)
		return 0;
	size_t which = strstr(info->dlpi_name, "/libpomp_tool") != NULL;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			code_from[which] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			code_to[which] = code_from[which] + info->dlpi_phdr[i].p_memsz;
		}
	return 0;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	/* Before the first event libpomp looks at its clocks to choose one. */
	if (atomic_load(&events) > 0) {
		if (code_from[0] == 0)
			dl_iterate_phdr(note_code, NULL);
		for (int i = 0; i < 2; i++)
			if (caller >= code_from[i] && caller < code_to[i])
				atomic_fetch_add(&readings, 1);
	}
	return real(clock, time);
}

__attribute__((destructor)) static void print(void)
{
	if (atomic_load(&events) > 0)
		dprintf(STDERR_FILENO, "events %lu readings %lu\n", atomic_load(&events),
		    atomic_load(&readings));
}
