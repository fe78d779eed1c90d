/* SPDX-License-Identifier: BSD-3-Clause */
/* The process's threads that have events. */
#include "thread-block.h"

_Thread_local struct pomp_thread *pomp_self PROCESSOR_THREAD_LOCAL;
struct pomp_threads pomp_threads;
