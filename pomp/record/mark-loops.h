/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of loops in the trace: how a loop's work is spread over its iterations. */
#ifndef MARK_LOOPS_H
#define MARK_LOOPS_H

#include "pomp.h"
#include "shared/loop-marks.h"

/*
 * Called before a loop with that schedule which the calling thread has entered: returns what the
 * runtime is to call while it executes the loop, or NULL if this execution has no marks.
 */
struct loop_marks *pomp_marks_begin(const OMPRegDescr *loop, struct loop_schedule schedule);

/* After the loop: logs what was noted. */
void pomp_marks_end(struct loop_marks *marks);

#endif
