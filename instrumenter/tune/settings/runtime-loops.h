/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program has loops with schedule(runtime), which OMP_SCHEDULE changes, and those whose
 * schedule may change each (shared/loop-schedule.h).
 */
#ifndef RUNTIME_LOOPS_H
#define RUNTIME_LOOPS_H

#include "tuned-settings.h"

/*
 * By what the program's file calls of GNU's runtime: gcc's code has entry points of their own for
 * such loops. Unknown for clang's code, for launchers, scripts and static programs, and if the
 * program loads libraries other than the usual ones. Adds to `loops` and `tasks` what the program's
 * file lists.
 */
enum runtime_loops runtime_loops_find(const char *path, struct words *loops, struct words *tasks);

#endif
