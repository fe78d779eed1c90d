/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of pomp.h that interrupt measuring and resume it, for each thread. */
#include "event.h"
#include "plain-name.h"

void pomp_off(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0)
		pomp_event_log(thread, TRACE_LOG_OFF, 0, 0, pomp_event_time(thread), 0, 0);
	pomp_thread_off(thread, true);
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_off)

void pomp_on(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off > 0) {
		pomp_thread_off(thread, false);
		if (thread->off == 0)
			pomp_event_log(thread, TRACE_LOG_ON, 0, 0, pomp_event_time(thread), 0, 0);
	}
	pomp_event_end_logged(thread);
}
PLAIN_NAME(pomp_on)
