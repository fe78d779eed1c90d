/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of constructs that have no symbol of the program's; debuggers recognise them by
 * address.
 */
#ifndef RT_SYNCHRONIZATION_H
#define RT_SYNCHRONIZATION_H
#include "mutex.h"

extern struct rt_mutex rt_unnamed_critical;
extern struct rt_mutex rt_atomic_fallback; /* atomic operations that the processor does not have */

#endif
