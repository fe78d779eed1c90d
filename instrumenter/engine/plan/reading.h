/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading each pragma by the tables of directives and clauses. */
#ifndef READING_H
#define READING_H

#include "unit.h"

/* Reads the pragma of this index by the tables. */
void read_construct(struct unit *unit, size_t index);

/* Sets what becomes of it, unless there is a reason for something else already. */
void construct_set(struct construct *construct, enum inst_status status, const char *reason);

#endif
