/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the end of the statement that follows a directive. */
#ifndef EXTENT_H
#define EXTENT_H

#include "unit.h"

/*
 * The kind of body that follows the directive's last leaf; some clauses make the directive
 * stand-alone.
 */
enum directive_body construct_body(const struct construct *construct);

/* Is this a known directive with this kind of body? */
bool construct_has_body(const struct construct *construct, enum directive_body body);

/* Sets the construct's end. If the end cannot be found, sets no_extent to the reason. */
void find_extent(const struct unit *unit, struct construct *construct);

/* Does the pragma stand in a conditional of the user's that ends before its statement does? */
bool leaves_conditional(const struct unit *unit, const struct construct *construct);

#endif
