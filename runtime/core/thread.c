/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the calling thread finds its record. */
#include "thread.h"

#include "process.h"

_Thread_local struct rt_thread *rt_current PROCESSOR_THREAD_LOCAL;
_Thread_local struct rt_thread *rt_unwatched PROCESSOR_THREAD_LOCAL;

void rt_thread_set_current(struct rt_thread *self)
{
	rt_current = self;
	rt_unwatched = rt_tool_is_active() || rt_process.race ? NULL : self;
}
