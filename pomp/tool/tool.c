/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpomp_tool.so: the measurement library as a tool of OpenMP runtimes (OMPT; OpenMP 5.2, chapter
 * 19), for programs that were not recompiled. A runtime finds ompt_start_tool() here if the library
 * is in OMP_TOOL_LIBRARIES, or was linked or preloaded. Each callback becomes an event of
 * shared/code-events.h; libpomp.so measures, and reports when the process ends.
 *
 * It is separate from libpomp.so because that is in every instrumented program, which measures
 * itself.
 */
#include "tool.h"

#include "pomp-atomics.h"
#include "pomp.h"

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void loaded(void)
{
	pomp_code_tool_loaded();
}

static void set_all(ompt_set_callback_t set, const struct tool_callback *callbacks)
{
	for (; callbacks->event != 0; callbacks++)
		set(callbacks->event, callbacks->function);
}

/* Records the segment that contains a function of the runtime. */
static int note_segment(struct dl_phdr_info *library, size_t size, void *function)
{
	uintptr_t address = (uintptr_t)function;

	(void)size;
	for (size_t i = 0; i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
		uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
		if (segment->p_type != PT_LOAD || address < begin ||
		    address >= begin + segment->p_memsz)
			continue;
		tool_runtime = (struct tool_range){begin, begin + segment->p_memsz};
		return 1;
	}
	return 0;
}

/*
 * A program that was linked with this library contains its tool, which has precedence over those
 * that the user's variable names.
 */
static void say_which_tool_is_not_loaded(void)
{
	const char *tools = secure_getenv("OMP_TOOL_LIBRARIES");

	if (tools != NULL && tools[0] != '\0' && strstr(tools, "libpomp_tool.so") == NULL)
		fprintf(stderr,
		    "pomp: OMP_TOOL_LIBRARIES='%s' is not loaded: an OpenMP runtime takes one "
		    "tool, here the one with which ompinst linked the program\n",
		    tools);
}

/*
 * Returns 1: the tool stays loaded. Constructs that a runtime never reports are not measured. The
 * functions that a runtime looks up have types of their own, which only their names indicate.
 */
static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	tool_outlined_function *outlined;

	(void)initial_device;
	(void)tool;
	if (set == NULL)
		return 0;
	pomp_init();
	say_which_tool_is_not_loaded();
	tool_ask_for_tasks((ompt_get_task_info_t)lookup("ompt_get_task_info"));
	ompt_interface_fn_t found = lookup(TOOL_OUTLINED_FUNCTION);
	outlined = (tool_outlined_function *)found;
	if (outlined != NULL)
		store_relaxed(&tool_outlined, outlined);
	else
		dl_iterate_phdr(note_segment, (void *)set);
	set_all(set, outlined != NULL ? tool_callbacks_of_ours : tool_callbacks_of_any);
	return 1;
}

/* The runtime ends; the process need not end with it, and libpomp reports when the process ends. */
static void finalize(ompt_data_t *tool)
{
	(void)tool;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
    unsigned omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)omp_version;
	(void)runtime_version;
	return &result;
}
