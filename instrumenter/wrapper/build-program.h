/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that link an OpenMP program or library, with or without compiling its sources first. */
#ifndef BUILD_PROGRAM_H
#define BUILD_PROGRAM_H

#include "compiler-run.h"

/* Returns the exit code, or if the compiler cannot be run the same as process_run(). */
int build_program(struct wrapper *wrapper);

#endif
