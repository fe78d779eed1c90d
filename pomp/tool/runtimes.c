/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known about the runtimes beyond OMPT: set when one starts the tool, then read-only. */
#include "tool.h"

#include <stddef.h>

tool_outlined_function *_Atomic tool_outlined;
struct tool_range tool_runtime;
