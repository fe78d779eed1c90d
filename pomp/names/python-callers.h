/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of Python from which parallel regions were called, with how often and how long. */
#ifndef PYTHON_CALLERS_H
#define PYTHON_CALLERS_H

#include "common/summary.h"

#include <stdbool.h>

/*
 * Adds up the teams of all threads by region and line; false when memory ran out. tick: ns of a
 * tick. Process lock held, and threads have no more events.
 */
bool pomp_python_callers_collect(double tick);

/* Fills in the rows of a summary; false when memory ran out. */
bool pomp_python_callers_fill(struct summary *summary);
/* Appends them to the definitions log. Process lock held. */
void pomp_python_callers_define(void);
void pomp_python_callers_free(struct summary *summary);

#endif
