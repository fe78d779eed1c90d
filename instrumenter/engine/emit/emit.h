/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls and edits for OpenMP directives. */
#ifndef EMIT_H
#define EMIT_H

#include "unit.h"

/* Decides which calls a construct gets, and adds their descriptors. */
void plan_calls(struct unit *unit, struct construct *construct);

/* Adds the edits of one OpenMP construct whose calls are planned. */
void emit_construct(struct unit *unit, struct construct *construct);

/*
 * Writes the unchanged directive as a pragma, because another directive of its attribute is
 * instrumented.
 */
void emit_unchanged(struct unit *unit, struct construct *construct);

#endif
