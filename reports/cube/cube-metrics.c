/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements cube-metrics.h. */
#include "cube-metrics.h"

const struct cube_metric cube_metrics[CUBE_METRICS] = {
    {"visits", "Visits", "occ", "Number of visits", 0, true, FIGURE_VISITS, ACTIVITY_NONE},
    {"time", "Time", "sec",
	"Time of the threads. The program's own is that outside of all regions, in which threads "
	"other than the first are idle.",
	0, false, FIGURE_TIME, ACTIVITY_NONE},
    {"omp_wait", "OpenMP wait", "sec", "Time in which threads wait in OpenMP's constructs", 1,
	false, FIGURE_WAIT, ACTIVITY_NONE},
    {"omp_wait_barrier", "Barrier", "sec",
	"Time in which threads wait at explicit and implicit barriers", 2, false, FIGURE_WAIT,
	ACTIVITY_BARRIER},
    {"omp_wait_task", "Tasks", "sec", "Time in which threads wait for tasks to complete", 2, false,
	FIGURE_WAIT, ACTIVITY_TASK_WAIT},
    {"omp_wait_lock", "Locks", "sec",
	"Time in which threads wait for critical and ordered constructs and for locks", 2, false,
	FIGURE_WAIT, ACTIVITY_LOCK},
};

uint64_t cube_metric_value(
    const struct cube_metric *metric, const struct call_cell *cell, enum activity wait)
{
	switch (metric->figure) {
	case FIGURE_VISITS:
		return cell->visits;
	case FIGURE_TIME:
		return cell->ticks;
	case FIGURE_WAIT:
		break;
	}
	if (wait == ACTIVITY_NONE)
		return 0;
	return metric->wait == ACTIVITY_NONE || metric->wait == wait ? cell->wait : 0;
}
