/* SPDX-License-Identifier: BSD-3-Clause */
/* The call of pomp.h in a clause of a task or taskloop. */
#include "measurement.h"
#include "plain-name.h"
#include "task-grains.h"

pomp_handle pomp_task_grain(OMPRegDescr *region, pomp_handle written)
{
	pomp_measurement_start(); /* reads the settings, whether or not it measures */
	return pomp_task_grain_of(region, written);
}
PLAIN_NAME(pomp_task_grain)
