/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the calling thread finds its record. */
#include "thread.h"

#include "watch.h"

_Thread_local struct rt_thread *rt_current PROCESSOR_THREAD_LOCAL;
_Thread_local struct rt_thread *rt_unwatched PROCESSOR_THREAD_LOCAL;

void rt_thread_set_current(struct rt_thread *self)
{
	rt_current = self;
	rt_unwatched = rt_watched(RT_AT_ENTRIES) ? NULL : self;
}
