/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of the process that have events. */
#include "thread.h"

_Thread_local struct pomp_thread *pomp_self PROCESSOR_THREAD_LOCAL;
struct pomp_threads pomp_threads;
