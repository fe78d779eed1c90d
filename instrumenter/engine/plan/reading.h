/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads each pragma with the directive and clause tables. */
#ifndef READING_H
#define READING_H

#include "unit.h"

/* Reads the pragma with this index. */
void read_construct(struct unit *unit, size_t index);

/* Sets the construct's status and reason, unless it already has a reason. */
void construct_set(struct construct *construct, enum inst_status status, const char *reason);

#endif
