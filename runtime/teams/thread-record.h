/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_THREAD_RECORD_H
#define RT_THREAD_RECORD_H

#include "thread.h"

/* A thread's record without a place in a team; NULL: no memory. */
struct rt_thread *rt_thread_new(void);

#endif
