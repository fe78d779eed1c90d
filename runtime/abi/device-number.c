/* SPDX-License-Identifier: BSD-3-Clause */
/* Device numbers of constructs and routines. */
#include "device-number.h"

#include <stdlib.h>

#include "initial-thread.h"
#include "message.h"
#include "omp-api.h"
#include "process.h"

int rt_device_resolve(int device)
{
	return device == omp_default_device ? rt_icvs()->default_device : device;
}

bool rt_device_is_known(int device)
{
	device = rt_device_resolve(device);
	return device == RT_DEVICE_HOST || device == omp_initial_device;
}

bool rt_device_is_host(int device)
{
	device = rt_device_resolve(device);
	if (unlikely(device == omp_invalid_device)) {
		rt_message("omp_invalid_device encountered: expected the number of a device, for "
			   "example 0, the host; ending the program");
		exit(EXIT_FAILURE);
	}
	return device == RT_DEVICE_HOST || device == omp_initial_device;
}

void rt_device_expect_host(int device, const char *routine)
{
	if (rt_device_is_host(device))
		return;
	rt_message("%s: device %d: expected the number of a device, for example 0, the host; "
		   "ending the program",
	    routine, rt_device_resolve(device));
	exit(EXIT_FAILURE);
}

void rt_device_require(int device, const char *construct)
{
	if (rt_process.target_offload != RT_OFFLOAD_MANDATORY) {
		rt_device_is_host(device); /* ends the program for omp_invalid_device */
		return;
	}
	if (rt_device_is_known(device))
		return;
	rt_message(
	    "OMP_TARGET_OFFLOAD='mandatory': %s is for device %d, but there is only the host,"
	    " device 0; ending the program",
	    construct, rt_device_resolve(device));
	exit(EXIT_FAILURE);
}
