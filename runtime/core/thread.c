/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the calling thread finds its record. */
#include "thread.h"

_Thread_local struct rt_thread *rt_current __attribute__((tls_model("initial-exec")));
