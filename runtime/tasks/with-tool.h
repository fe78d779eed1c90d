/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasking constructs if a tool is attached: the functions of tasks.h and taskloop.h between the
 * events of OpenMP 5.2. For entry points that asked rt_note_call(), which noted where the
 * program called them.
 */
#ifndef RT_WITH_TOOL_H
#define RT_WITH_TOOL_H
#include "tasks.h"

struct rt_taskloop;

/* rt_task_generate() for an entry point that the program called. */
void rt_task_generate_with_tool(struct rt_thread *self, const struct rt_task_request *request);

void rt_task_wait_with_tool(struct rt_thread *self);
void rt_task_wait_depend_with_tool(struct rt_thread *self, void **depend);
void rt_task_yield_with_tool(struct rt_thread *self);
void rt_taskgroup_begin_with_tool(struct rt_thread *self);
void rt_taskgroup_end_with_tool(struct rt_thread *self);
void rt_taskloop_with_tool(struct rt_thread *self, const struct rt_taskloop *taskloop);

/*
 * The program combines the copies of a reduction in which tasks took part. This lasts from the end
 * of the construct until the program gives the memory of the copies back.
 */
void rt_reduction_combine_begin_with_tool(struct rt_thread *self, const void *codeptr);
void rt_reduction_combine_end_with_tool(struct rt_thread *self);

#endif
