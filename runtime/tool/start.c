/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a tool is found and started (OpenMP 5.2, 19.2.1): first ompt_start_tool() in what
 * the process has loaded, then in each of OMP_TOOL_LIBRARIES, until one wants to be used.
 */
#include "start.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "entries.h"
#include "finalize.h"
#include "initial-thread.h"
#include "process.h"

typedef ompt_start_tool_result_t *start_tool_fn(unsigned omp_version, const char *runtime_version);

static ompt_start_tool_result_t *start_with(void *symbol)
{
	start_tool_fn *start;

	if (symbol == NULL)
		return NULL;
	memcpy(&start, &symbol, sizeof(start));
	return start(202011, "ompinst");
}

static ompt_start_tool_result_t *find_in_libraries(void)
{
	char *list = strdup(rt_process.tool_libraries), *rest = list, *name;
	ompt_start_tool_result_t *found = NULL;

	while (found == NULL && (name = strsep(&rest, ":")) != NULL) {
		void *library = *name != '\0' ? dlopen(name, RTLD_LAZY) : NULL;
		if (library == NULL)
			continue;
		found = start_with(dlsym(library, "ompt_start_tool"));
		if (found == NULL)
			dlclose(library);
	}
	free(list);
	return found;
}

/*
 * By exit(): after the program's own handlers of that kind that were registered later, that is
 * after the first use of the runtime, and before destructors of libraries, the tool's included.
 * The threads that the runtime made for the calling thread end before the tool does.
 */
static void end_with_process(void)
{
	if (rt_current != NULL)
		rt_thread_leave(rt_current);
	rt_tool_finalize();
}

void rt_tool_start(void)
{
	ompt_start_tool_result_t *found;

	if (!rt_process.tool)
		return;
	found = start_with(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
	if (found == NULL)
		found = find_in_libraries();
	if (found == NULL || !found->initialize(rt_entry_lookup, 0, &found->tool_data))
		return;
	rt_tool_finalize_with(found);
	atexit(end_with_process);
	rt_process.tool_attached = true;
	rt_callbacks_publish();
}
