/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a tool (OpenMP 5.2, 19.2.4). */
#ifndef RT_TOOL_FINALIZE_H
#define RT_TOOL_FINALIZE_H
#include "omp-tools.h"

/* The tool has been initialized, and rt_tool_finalize() will finalize it. */
void rt_tool_finalize_with(ompt_start_tool_result_t *started);

/* Calls the tool's finalizer, once; afterwards there are no events. Does nothing without a tool. */
void rt_tool_finalize(void);

/*
 * ompt_finalize_tool(): the same. If the thread is outside of all regions, it first emits the ends
 * of the thread's initial task, of the thread and of the threads that the runtime made for it.
 */
void rt_tool_finalize_itself(void);

#endif
