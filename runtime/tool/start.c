/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a tool is found and started (OpenMP 5.2, 19.2.1): the runtime calls ompt_start_tool() first
 * in what the process has loaded, then in each of OMP_TOOL_LIBRARIES, until one tool wants to be
 * used.
 *
 * That happens when the process first uses the runtime, not when the runtime is loaded. By then the
 * constructors of the program have run, as far as a tool within it needs them. A process that has
 * the runtime loaded but does not use OpenMP (a shell, with a preloaded runtime) neither starts a
 * tool nor pays for the search. A process with more rights than its user starts no tool.
 */
#include "start.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "callbacks.h"
#include "entries.h"
#include "finalize.h"
#include "initial-thread.h"
#include "search-log.h"
#include "message.h"
#include "process.h"

enum { OPENMP_VERSION = 202011 }; /* _OPENMP of the specification that the events follow */

#define START_TOOL "ompt_start_tool"

typedef ompt_start_tool_result_t *start_tool_fn(unsigned omp_version, const char *runtime_version);

/*
 * With this reference the linker makes a definition in a program visible to the runtime, if the
 * program is linked with this library. Never called by this name: see find_loaded().
 */
extern ompt_start_tool_result_t *ompt_start_tool(
    unsigned int omp_version, const char *runtime_version) __attribute__((weak));

void rt_tool_note_folder(void)
{
	if (*rt_process.tool_libraries != '\0' || rt_tool_log_is_file(rt_process.tool_verbose_init))
		rt_process.start_folder = getcwd(NULL, 0);
}

/*
 * Returns the path, in memory from malloc(), or NULL without memory. A relative path begins at the
 * folder in which the process started.
 */
static char *path_at_start(const char *path)
{
	const char *folder = *path != '/' ? rt_process.start_folder : NULL;
	char *whole;

	if (folder == NULL)
		return strdup(path);
	return asprintf(&whole, "%s/%s", folder, path) < 0 ? NULL : whole;
}

/*
 * The dynamic linker searches for a name without a slash, and replaces a dollar sign at the begin
 * of a name ($ORIGIN): neither is a path in the folder.
 */
static void *load(const char *name)
{
	char *path = strchr(name, '/') != NULL && *name != '$' ? path_at_start(name) : NULL;
	void *library = dlopen(path != NULL ? path : name, RTLD_LAZY);

	free(path);
	return library;
}

static void open_log(void)
{
	const char *where = rt_process.tool_verbose_init;
	char *path = rt_tool_log_is_file(where) ? path_at_start(where) : NULL;

	rt_tool_log_open(where, path != NULL ? path : where);
	free(path);
}

/* The file that has the code at the address. */
static const char *file_of(void *address)
{
	Dl_info info;

	return dladdr(address, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "?";
}

static ompt_start_tool_result_t *ask(void *symbol)
{
	ompt_start_tool_result_t *result;
	start_tool_fn *start;

	memcpy(&start, &symbol, sizeof(start));
	result = start(OPENMP_VERSION, "ompinst runtime (GNU's interface)");
	if (result == NULL)
		rt_tool_log("%s: " START_TOOL
			    "() returned NULL: this tool does not want to be used",
		    file_of(symbol));
	else if (result->initialize == NULL) {
		rt_tool_log("%s: " START_TOOL "() names no initializer; ignored", file_of(symbol));
		return NULL;
	}
	return result;
}

/*
 * Looks where the dynamic linker would for a library: in the program, in what was loaded with it or
 * before it, and in libraries that were loaded globally. The first definition counts.
 */
static ompt_start_tool_result_t *find_loaded(void)
{
	void *symbol = dlsym(RTLD_DEFAULT, START_TOOL);

	if (symbol == NULL && ompt_start_tool != NULL) {
		start_tool_fn *start = ompt_start_tool;
		memcpy(&symbol, &start, sizeof(symbol));
	}
	if (symbol != NULL)
		return ask(symbol);
	rt_tool_log("nothing that is loaded has " START_TOOL "()");
	return NULL;
}

/* A library of the user's list that cannot be used is always reported. */
static ompt_start_tool_result_t *try_library(const char *name)
{
	void *library = load(name), *symbol;
	ompt_start_tool_result_t *found;
	const char *error;

	if (library == NULL) {
		error = dlerror();
		if (!rt_tool_log("cannot be loaded: %s", error))
			rt_message("OMP_TOOL_LIBRARIES='%s': expected libraries that can be loaded;"
				   " going on without one (%s)",
			    rt_process.tool_libraries, error);
		return NULL;
	}
	symbol = dlsym(library, START_TOOL);
	found = symbol != NULL ? ask(symbol) : NULL;
	if (symbol == NULL && !rt_tool_log("%s: has no " START_TOOL "()", name))
		rt_message("OMP_TOOL_LIBRARIES='%s': expected libraries with " START_TOOL
			   "(); going on without %s, which has none",
		    rt_process.tool_libraries, name);
	if (found == NULL)
		dlclose(library);
	return found;
}

static ompt_start_tool_result_t *find_in_libraries(void)
{
	char *list = strdup(rt_process.tool_libraries), *rest = list, *name;
	ompt_start_tool_result_t *found = NULL;

	if (*rt_process.tool_libraries == '\0')
		rt_tool_log("OMP_TOOL_LIBRARIES names no libraries");
	while (found == NULL && (name = strsep(&rest, ":")) != NULL)
		if (*name != '\0')
			found = try_library(name);
	free(list);
	return found;
}

/*
 * Called by exit(): after the program's own exit handlers that were registered later, that is after
 * the first use of the runtime, and before destructors of libraries, including the tool's. The ends
 * of the threads come before that of the tool.
 */
static void end_with_process(void)
{
	if (rt_current != NULL && rt_events_any(RT_EVENT_BIT(RT_TOOL_ATTACHED)))
		rt_thread_emit_ends(rt_current);
	rt_tool_finalize();
}

/* The callbacks that the initializer sets are called only after it has returned. */
static void attach(ompt_start_tool_result_t *found)
{
	const char *file;
	void *address;

	memcpy(&address, &found->initialize, sizeof(address));
	file = file_of(address);
	if (!found->initialize(rt_entry_lookup, 0, &found->tool_data)) {
		rt_tool_log("%s: its initializer returned 0: no tool is used", file);
		return;
	}
	rt_tool_finalize_with(found);
	atexit(end_with_process);
	rt_watch(RT_BY_TOOL);
	rt_callbacks_publish();
	rt_tool_log("%s: this tool is used", file);
}

void rt_tool_start(void)
{
	ompt_start_tool_result_t *found;

	if (getauxval(AT_SECURE) != 0)
		return;
	open_log();
	if (rt_process.tool) {
		found = find_loaded();
		if (found == NULL)
			found = find_in_libraries();
		if (found != NULL)
			attach(found);
		else
			rt_tool_log("no tool is used");
	} else {
		rt_tool_log("OMP_TOOL is disabled: no tool is used");
	}
	rt_tool_log_close();
}
