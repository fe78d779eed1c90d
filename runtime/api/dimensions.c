/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 6.1 about the dimensions in which threads and teams may be numbered. Like
 * GNU's, this runtime has one: dimension 0 is the plain numbering; in any other there is one thread
 * and one team, number 0.
 */
#include <limits.h>

#include "device-number.h"
#include "initial-thread.h"
#include "omp-api.h"
#include "process.h"
#include "versions.h"

enum { DIMENSIONS = 1 };

#define IN_DIMENSION(dimension, in_first, in_others) ((dimension) == 0 ? (in_first) : (in_others))

ROUTINE(int, omp_get_num_threads_dim, (int dimension))
{
	return IN_DIMENSION(dimension, omp_get_num_threads(), 1);
}

ROUTINE(int, omp_get_thread_num_dim, (int dimension))
{
	return IN_DIMENSION(dimension, omp_get_thread_num(), 0);
}

ROUTINE(int, omp_get_thread_limit_dim, (int dimension))
{
	return IN_DIMENSION(dimension, omp_get_thread_limit(), 1);
}

ROUTINE(int, omp_get_num_teams_dim, (int dimension))
{
	return IN_DIMENSION(dimension, omp_get_num_teams(), 1);
}

ROUTINE(int, omp_get_team_num_dim, (int dimension))
{
	return IN_DIMENSION(dimension, omp_get_team_num(), 0);
}

/* GNU's result for numbers that are not those of devices. */
enum { NO_DEVICE = -1 };

ROUTINE(int, omp_get_supported_threads_dim, (int device, int dimension))
{
	if (!rt_device_is_host(device))
		return NO_DEVICE;
	return IN_DIMENSION(dimension, (int)rt_process.initial.thread_limit, 1);
}

/* Teams execute one after the other, so only the type limits their number. */
ROUTINE(int, omp_get_supported_teams_dim, (int device, int dimension))
{
	if (!rt_device_is_host(device))
		return NO_DEVICE;
	return IN_DIMENSION(dimension, INT_MAX, 1);
}

/* The result is the same for native support and for any, and on any device. */
ROUTINE(int, omp_get_supported_active_team_dims, (int device, int native))
{
	(void)device;
	(void)native;
	return DIMENSIONS;
}

ROUTINE(int, omp_get_supported_active_league_dims, (int device, int native))
{
	(void)device;
	(void)native;
	return DIMENSIONS;
}
