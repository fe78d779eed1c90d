/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool that does nothing but load the next one, by LLVM's header for chains of tools, which here
 * is compiled with our omp-tools.h. What the next one sees goes through a stranger's hands.
 */
#include <stdlib.h>

#include "omp-tools.h"

#define CLIENT_TOOL_LIBRARIES_VAR    "NEXT_TOOL_LIBRARIES"
#define CLIENT_TOOL_VERBOSE_INIT_VAR "NEXT_TOOL_VERBOSE_INIT"
#include <ompt-multiplex.h>

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	(void)lookup;
	(void)device;
	(void)tool_data;
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
	(void)tool_data;
}

/* The header makes the exported function of this name another one, which calls this. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)omp_version;
	(void)runtime_version;
	return &result;
}
