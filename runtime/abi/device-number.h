/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a device number means if the host is the only device (OpenMP 6.0, 1.2.1): 0 and
 * omp_initial_device are the host, omp_default_device is the calling task's default, no other
 * number is a device.
 */
#ifndef RT_DEVICE_NUMBER_H
#define RT_DEVICE_NUMBER_H
#include <stdbool.h>

enum { RT_DEVICE_HOST = 0 };

/* Replaces omp_default_device by the default; returns any other number unchanged. */
int rt_device_resolve(int device);

/* Is the number that of a device? False also for omp_invalid_device. */
bool rt_device_is_known(int device);

/*
 * The same for constructs and routines that do not accept omp_invalid_device, even as the default:
 * as the specification requires, it ends the program, with a message.
 */
bool rt_device_is_host(int device);

/*
 * For routines that end the program for all devices but the host; the message contains `routine`.
 */
void rt_device_expect_host(int device, const char *routine);

/*
 * For a construct that would use the device: the host replaces any other device, unless
 * OMP_TARGET_OFFLOAD=mandatory. In that case the program ends with a message that contains
 * `construct`.
 */
void rt_device_require(int device, const char *construct);

#endif
