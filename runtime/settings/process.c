/* SPDX-License-Identifier: BSD-3-Clause */
/* The one instance of the settings, which runtime/environment fills. */
#include "process.h"

struct rt_process rt_process;
