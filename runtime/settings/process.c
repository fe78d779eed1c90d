/* SPDX-License-Identifier: BSD-3-Clause */
/* The one instance of the settings; what reads the environment fills it. */
#include "process.h"

struct rt_process rt_process;
