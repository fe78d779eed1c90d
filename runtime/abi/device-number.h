/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a device number means where the host is the only device (OpenMP 6.0, 1.2.1): 0 and
 * omp_initial_device are the host, omp_default_device is the calling task's default, no other
 * number is a device.
 */
#ifndef RT_DEVICE_NUMBER_H
#define RT_DEVICE_NUMBER_H
#include <stdbool.h>

enum { RT_DEVICE_HOST = 0 };

/* The number with the default put in; nothing else changes. */
int rt_device_resolve(int device);

/* False also for omp_invalid_device. */
bool rt_device_is_known(int device);

/*
 * The same for constructs and routines that may not be given omp_invalid_device, be it as the
 * default: the specification has them end the program, and this does it with a message.
 */
bool rt_device_is_host(int device);

/* For routines that have the program end for all but the host; the message has the routine's name.
 */
void rt_device_expect_host(int device, const char *routine);

/*
 * For a construct that would use the device: the host stands in for any other number, unless
 * OMP_TARGET_OFFLOAD=mandatory. Then the program ends, and the message has the construct's name.
 */
void rt_device_require(int device, const char *construct);

#endif
