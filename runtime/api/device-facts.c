/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 6.0, chapter 24, and 6.1 that give facts about a device and its ICVs. The
 * only device is the host.
 */
#include <string.h>

#include "device-number.h"
#include "omp-api.h"
#include "versions.h"

/*
 * The specification leaves this name to the runtime; programs written for GNU's runtime know this
 * one.
 */
static const char host_uid[] = "OMP_INITIAL_DEVICE";

/* NULL if the number is not that of a device. */
ROUTINE(const char *, omp_get_uid_from_device, (int device))
{
	return rt_device_is_known(device) ? host_uid : NULL;
}

ROUTINE(int, omp_get_device_from_uid, (const char *uid))
{
	return uid && strcmp(uid, host_uid) == 0 ? omp_initial_device : omp_invalid_device;
}

/* From the host to itself, which is 0 by 6.1; -1 for a number that is not that of a device. */
ROUTINE(void, omp_get_device_distances, (int count, const int *devices, int *distances))
{
	for (int i = 0; i < count; i++)
		distances[i] = rt_device_is_known(devices[i]) ? 0 : -1;
}

ROUTINE(void, omp_set_device_num_teams, (int teams, int device))
{
	rt_device_expect_host(device, "omp_set_device_num_teams");
	omp_set_num_teams(teams);
}

ROUTINE(int, omp_get_device_num_teams, (int device))
{
	return rt_device_is_known(device) ? omp_get_max_teams() : 0;
}

ROUTINE(void, omp_set_device_teams_thread_limit, (int limit, int device))
{
	rt_device_expect_host(device, "omp_set_device_teams_thread_limit");
	omp_set_teams_thread_limit(limit);
}

ROUTINE(int, omp_get_device_teams_thread_limit, (int device))
{
	return rt_device_is_known(device) ? omp_get_teams_thread_limit() : 0;
}
