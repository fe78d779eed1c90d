/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_THREAD_RECORD_H
#define RT_THREAD_RECORD_H

#include "thread.h"

/* Makes a thread's record that is not in a team yet; NULL: no memory. */
struct rt_thread *rt_thread_new(void);

#endif
