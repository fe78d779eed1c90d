/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's own regions, and the pragmas that switch the measurement. */
#ifndef USER_PRAGMAS_H
#define USER_PRAGMAS_H

#include "unit.h"

/* Pairs the begin and end pragmas of the user's regions and adds their edits. */
void emit_regions(struct unit *unit);

#endif
