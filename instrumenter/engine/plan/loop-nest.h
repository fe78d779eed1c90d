/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop variables of a loop nest. */
#ifndef LOOP_NEST_H
#define LOOP_NEST_H

#include "unit.h"

/*
 * The loop variables of the construct that are declared before it, each with ", " in front; NULL if
 * a loop head cannot be read.
 */
const char *find_loop_variables(struct unit *unit, const struct construct *construct);

#endif
