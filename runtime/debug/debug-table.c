/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a debugger needs first: where its plugin is, and the table that describes the runtime's data
 * to the plugin. The compiler makes the table from the list RT_DEBUG_FIELDS; no code runs to
 * maintain it.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "depend.h"
#include "kmp-task.h"
#include "process.h"
#include "parallel-region.h"
#include "shared/debug-fields.h"
#include "slab.h"
#include "synchronization.h"
#include "task.h"
#include "taskloop.h"
#include "team.h"
#include "thread.h"

#define PLUGIN "libompd.so"

enum {
	ROOTS = 0 RT_DEBUG_ROOTS(RT_DEBUG_COUNT),
	ENTRIES = 0 RT_DEBUG_STRUCTS(RT_DEBUG_COUNT) RT_DEBUG_FIELDS(RT_DEBUG_COUNT)
	    RT_DEBUG_ARRAYS(RT_DEBUG_COUNT)
};

#define SAME(shared, own) ((int)(shared) == (int)(own))

_Static_assert(
    SAME(RT_DEBUG_TASK_IMPLICIT, RT_TASK_IMPLICIT) && SAME(RT_DEBUG_TASK_UNTIED, RT_TASK_UNTIED) &&
	SAME(RT_DEBUG_TASK_FINAL, RT_TASK_FINAL) &&
	SAME(RT_DEBUG_TASK_DETACHABLE, RT_TASK_DETACHABLE) &&
	SAME(RT_DEBUG_TASK_COUNTED, RT_TASK_COUNTED) && SAME(RT_DEBUG_MUTEX_HELD, RT_MUTEX_HELD) &&
	SAME(RT_DEBUG_MUTEX_HOLDER_SHIFT, RT_MUTEX_HOLDER_SHIFT) &&
	SAME(RT_DEBUG_MUTEX_LOADER, RT_MUTEX_FIRST >> RT_MUTEX_HOLDER_SHIFT) &&
	SAME(RT_DEBUG_LOOP_STATIC, RT_LOOP_STATIC) &&
	SAME(RT_DEBUG_LOOP_DYNAMIC, RT_LOOP_DYNAMIC) &&
	SAME(RT_DEBUG_WAIT_ACTIVE, RT_WAIT_ACTIVE) &&
	SAME(RT_DEBUG_WAIT_PASSIVE, RT_WAIT_PASSIVE) &&
	SAME(RT_DEBUG_OFFLOAD_MANDATORY, RT_OFFLOAD_MANDATORY) &&
	SAME(RT_DEBUG_OFFLOAD_DISABLED, RT_OFFLOAD_DISABLED) &&
	SAME(RT_DEBUG_BY_DEBUGGER, RT_BY_DEBUGGER) &&
	RT_SCHEDULE_MONOTONIC == 1u << RT_DEBUG_SCHEDULE_MONOTONIC_BIT,
    "what the list says of the numbers");

struct rt_debug_table {
	struct rt_debug_header header;
	const void *roots[ROOTS];
	struct rt_debug_entry entries[ENTRIES];
};

_Static_assert(offsetof(struct rt_debug_table, roots) == sizeof(struct rt_debug_header),
    "roots follow the header");
_Static_assert(offsetof(struct rt_debug_table, entries) ==
		   sizeof(struct rt_debug_header) + ROOTS * sizeof(void *),
    "entries follow the roots");

extern const struct rt_debug_table rt_debug_table __attribute__((visibility("default")));

const struct rt_debug_table rt_debug_table = {RT_DEBUG_MAKE_HEADER(ROOTS, ENTRIES, RT_DEBUG_OPENMP),
    {RT_DEBUG_ROOTS(RT_DEBUG_MAKE_ROOT)},
    {RT_DEBUG_STRUCTS(RT_DEBUG_MAKE_STRUCT) RT_DEBUG_FIELDS(RT_DEBUG_MAKE_FIELD)
	    RT_DEBUG_ARRAYS(RT_DEBUG_MAKE_ARRAY)}};

const char **ompd_dll_locations;

/* Places of the plugin relative to this library: where it is installed, and where it is built. */
static const char *const folders[] = {"", "../", "../ompd/"};

enum { FOLDERS = sizeof(folders) / sizeof(folders[0]) };

static char path[PATH_MAX];
static const char *locations[2];

void __attribute__((noinline)) ompd_dll_locations_valid(void)
{
	__asm__ volatile("" ::: "memory"); /* keeps the calls */
}

void omp_debug_enable(void)
{
	rt_process.debug = true;
	rt_watch(RT_BY_DEBUGGER);
}

/*
 * Stores in the vector the first plugin that is near a library with this path; false if there is
 * none.
 */
static bool find_plugin(const char *library)
{
	const char *slash = strrchr(library, '/');

	for (size_t i = 0; slash && i < FOLDERS; i++) {
		size_t folder = (size_t)(slash + 1 - library), step = strlen(folders[i]);
		if (folder + step + sizeof(PLUGIN) > sizeof(path))
			continue;
		memcpy(path, library, folder); /* no printf: its pages slow a start */
		memcpy(path + folder, folders[i], step);
		memcpy(path + folder + step, PLUGIN, sizeof(PLUGIN));
		if (access(path, R_OK) == 0) {
			locations[0] = path;
			return true;
		}
	}
	return false;
}

/*
 * Usually the loader's path leads to the plugin. It does not if it is relative or a symbolic link
 * from elsewhere. Only then is the path resolved, which takes a system call for each folder.
 *
 * The vector is complete before the pointer is set: a debugger may stop the process in between.
 */
void rt_debug_start(void)
{
	char resolved[PATH_MAX];
	Dl_info info;

	if (dladdr(&rt_debug_table, &info) != 0 && info.dli_fname) {
		if ((info.dli_fname[0] != '/' || !find_plugin(info.dli_fname)) &&
		    realpath(info.dli_fname, resolved))
			find_plugin(resolved);
	}
	__asm__ volatile("" ::: "memory"); /* the vector is in memory before its address is */
	ompd_dll_locations = locations;
	ompd_dll_locations_valid();
}
