/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a tool (OpenMP 5.2, 19.2.4). */
#ifndef RT_TOOL_FINALIZE_H
#define RT_TOOL_FINALIZE_H
#include "omp-tools.h"

/* The tool has been initialized: it is the one to finalize. */
void rt_tool_finalize_with(ompt_start_tool_result_t *started);

/* Calls the tool's finalizer, once; afterwards there are no events. No tool: nothing happens. */
void rt_tool_finalize(void);

/*
 * ompt_finalize_tool(): the same, after the ends of the calling thread's initial task, of that
 * thread and of those that the runtime made for it, where the thread is outside of all regions.
 */
void rt_tool_finalize_itself(void);

#endif
