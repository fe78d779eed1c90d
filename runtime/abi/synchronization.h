/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of constructs that have no symbol of the program's; debuggers tell them by their place.
 */
#ifndef RT_ABI_SYNC_H
#define RT_ABI_SYNC_H

#include "mutex.h"

extern struct rt_mutex rt_unnamed_critical;
extern struct rt_mutex rt_atomic_fallback; /* atomic operations that the processor does not have */

#endif
