/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 5.1 that read and change the remaining ICVs, and those for time. A value
 * that a setting cannot have is replaced by the nearest valid one, or ignored if there is none; the
 * choices are libgomp's, because programs depend on them.
 */
#include <time.h>

#include "environment.h"
#include "initial-thread.h"
#include "omp-api.h"
#include "process.h"
#include "versions.h"

ROUTINE(void, omp_set_dynamic, (int dynamic))
{
	rt_icvs_write()->dyn = dynamic != 0;
}

ROUTINE(int, omp_get_dynamic, (void))
{
	return rt_icvs()->dyn;
}

/* Deprecated since 5.0, which made it another view of max-active-levels-var. */
ROUTINE(void, omp_set_nested, (int nested))
{
	uint8_t levels = rt_icvs()->max_active_levels;

	if (nested)
		rt_icvs_write()->max_active_levels = RT_MAX_ACTIVE_LEVELS;
	else if (levels > 1)
		rt_icvs_write()->max_active_levels = 1;
}

ROUTINE(int, omp_get_nested, (void))
{
	return rt_icvs()->max_active_levels > 1;
}

ROUTINE(void, omp_set_max_active_levels, (int levels))
{
	if (levels < 0)
		return;
	rt_icvs_write()->max_active_levels =
	    (uint8_t)(levels < RT_MAX_ACTIVE_LEVELS ? levels : RT_MAX_ACTIVE_LEVELS);
}

ROUTINE(int, omp_get_max_active_levels, (void))
{
	return rt_icvs()->max_active_levels;
}

ROUTINE(int, omp_get_supported_active_levels, (void))
{
	return RT_MAX_ACTIVE_LEVELS;
}

/*
 * A chunk below 1 means the schedule's default: 0 for static, 1 for the others. auto keeps its
 * chunk.
 */
ROUTINE(void, omp_set_schedule, (omp_sched_t kind, int chunk))
{
	struct rt_task_icvs *icvs = rt_icvs_write();

	switch (kind & ~RT_SCHEDULE_MONOTONIC) {
	case RT_SCHEDULE_STATIC:
		icvs->run_sched_chunk = chunk < 1 ? 0 : chunk;
		break;
	case RT_SCHEDULE_DYNAMIC:
	case RT_SCHEDULE_GUIDED:
		icvs->run_sched_chunk = chunk < 1 ? 1 : chunk;
		break;
	case RT_SCHEDULE_AUTO:
		break;
	default:
		return;
	}
	icvs->run_sched_kind = kind;
	icvs->run_sched_is_default = false;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
	const struct rt_task_icvs *icvs = rt_icvs();

	*kind = icvs->run_sched_kind;
	*chunk = icvs->run_sched_chunk;
}

ROUTINE(int, omp_get_cancellation, (void))
{
	return rt_process.cancellation;
}

ROUTINE(int, omp_get_max_task_priority, (void))
{
	return rt_process.max_task_priority;
}

ROUTINE(void, omp_display_env, (int verbose))
{
	rt_environment_display(verbose != 0);
}

static double seconds(const struct timespec *time)
{
	return (double)time->tv_sec + (double)time->tv_nsec / 1e9;
}

ROUTINE(double, omp_get_wtime, (void))
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return seconds(&now);
}

ROUTINE(double, omp_get_wtick, (void))
{
	struct timespec resolution;

	clock_getres(CLOCK_MONOTONIC, &resolution);
	return seconds(&resolution);
}

ONLY_IN_LIBOMP(ompc_set_dynamic, omp_set_dynamic);
ONLY_IN_LIBOMP(ompc_set_nested, omp_set_nested);
ONLY_IN_LIBOMP(ompc_set_max_active_levels, omp_set_max_active_levels);
ONLY_IN_LIBOMP(ompc_set_schedule, omp_set_schedule);
