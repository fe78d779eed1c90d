/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions for the user's functions. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "unit.h"

/* Adds a region to each function that the filter includes. */
void emit_functions(struct unit *unit);

#endif
