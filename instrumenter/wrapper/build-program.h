/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that link: an OpenMP program or library, with or without compiling its sources first. */
#ifndef BUILD_PROGRAM_H
#define BUILD_PROGRAM_H

#include "compiler-run.h"

/* Returns the exit code, or as process_run() when the compiler cannot be run. */
int build_program(struct wrapper *wrapper);

#endif
