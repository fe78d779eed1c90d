/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that a loop nest steps. */
#ifndef LOOP_NEST_H
#define LOOP_NEST_H

#include "unit.h"

/*
 * The variables of the construct's loops that are declared before it, ", " before each; NULL when
 * their heads cannot be read.
 */
const char *find_loop_variables(struct unit *unit, const struct construct *construct);

#endif
