/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for mutexes of the program, noted for debuggers. */
#include "program-mutex.h"

#include "initial-thread.h"
#include "wait-note.h"

/*
 * A thread whose first use of the runtime this is gets a record to note it in, unless memory is
 * short.
 */
void rt_mutex_lock_noted_slow(struct rt_mutex *mutex, uint32_t waiting_state)
{
	struct rt_thread *self = rt_current != NULL ? rt_current : rt_thread_try_adopt();
	struct rt_waiting outer;

	if (self != NULL)
		rt_waiting_begin(
		    self, &outer, waiting_state, mutex, load_relaxed(&mutex->state), 0);
	rt_mutex_lock_slow(mutex);
	if (self != NULL)
		rt_waiting_end(self, &outer);
}
