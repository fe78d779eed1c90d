/* SPDX-License-Identifier: BSD-3-Clause */
/* The routine of OpenMP 5.1, 3.5.1, about tasks. */
#include "tasks.h"

#include "initial-thread.h"
#include "omp-api.h"
#include "versions.h"

ROUTINE(void, omp_fulfill_event, (omp_event_handle_t event))
{
	rt_task_fulfill(rt_self(), event);
}
