/* SPDX-License-Identifier: BSD-3-Clause */
/* For what threads were blocked, with names: the calls that libpomp's observer saw. */
#ifndef BLOCKED_CODE_H
#define BLOCKED_CODE_H

#include "common/summary.h"

#include <stdbool.h>

/*
 * Announces the addresses, when threads add no more: before any name is looked up. The caller does
 * not hold the process lock.
 */
void pomp_blocked_code_announce(void);

/* Fills in the rows of a summary; false when memory ran out. tick: ns. Process lock held. */
bool pomp_blocked_code_fill(struct summary *summary, double tick);
/* Appends the calls to the definitions log of a trace. Process lock held. */
void pomp_blocked_code_define(void);
void pomp_blocked_code_free(struct summary *summary);

#endif
