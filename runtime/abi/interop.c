/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interop construct (OpenMP 6.0, 16.1). An interoperability object represents a stream or
 * context of another runtime on a device; for the host there is none, whatever runtimes a
 * prefer_type modifier names. So each object is omp_interop_none, and the construct only waits for
 * its dependences.
 */
#include "abi.h"
#include "device-number.h"
#include "omp-api.h"
#include "tasks.h"
#include "team-events.h"

/*
 * depend: as for GOMP_task(). nowait needs no task: the construct has nothing to do after its
 * dependences are fulfilled, and waiting for them here keeps the order for later tasks.
 */
static void wait_for(void **depend, void *frame)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_task_set_enter_frame(self->task, frame);
	rt_task_wait_depend(self, depend, NULL);
	if (rt_watched(RT_BY_TOOL))
		rt_task_set_enter_frame(self->task, NULL);
}

/*
 * made[i] and destroyed[i] are addresses of objects, used[i] are objects. kinds[i] is 1 for target,
 * 2 for targetsync, 3 for both; preferences[i] describes prefer_type, or is NULL. The value 1 in
 * flags means nowait.
 */
ENTRY(void, GOMP_interop, int device, int made_count, omp_interop_t **made, const int *kinds,
    const char **preferences, int used_count, const omp_interop_t *used, int destroyed_count,
    omp_interop_t **destroyed, unsigned flags, void **depend)
{
	(void)kinds;
	(void)preferences;
	(void)used_count;
	(void)used;
	(void)flags;
	if (made_count > 0)
		rt_device_require(device, "an interop construct");
	if (depend)
		wait_for(depend, RT_CALLERS_FRAME);
	for (int i = 0; i < made_count; i++)
		*made[i] = omp_interop_none;
	for (int i = 0; i < destroyed_count; i++)
		*destroyed[i] = omp_interop_none;
}
