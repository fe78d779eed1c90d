/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions of the user's functions. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "unit.h"

/* Adds the regions of the functions that the filter takes. */
void emit_functions(struct unit *unit);

#endif
