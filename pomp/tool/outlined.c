/* SPDX-License-Identifier: BSD-3-Clause */
/* What our runtime says beyond OMPT: set when it starts the tool, and then only read. */
#include "tool.h"

#include <stddef.h>

tool_outlined_function *_Atomic tool_outlined;
