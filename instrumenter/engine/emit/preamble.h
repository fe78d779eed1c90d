/* SPDX-License-Identifier: BSD-3-Clause */
/* The declarations in front of the text. */
#ifndef PREAMBLE_H
#define PREAMBLE_H

#include "unit.h"

/* Adds the descriptors, the registration and the prototypes in front of everything. */
void emit_preamble(struct unit *unit);

#endif
