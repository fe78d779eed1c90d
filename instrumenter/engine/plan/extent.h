/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the statement behind a directive reaches. */
#ifndef EXTENT_H
#define EXTENT_H

#include "unit.h"

/* What the directive's last leaf has behind its line; some clauses make it stand alone. */
enum directive_body construct_body(const struct construct *construct);

/* Is it a known directive with this kind of body? */
bool construct_has_body(const struct construct *construct, enum directive_body body);

/* Sets the construct's end, and no_extent to the reason when the end is not known. */
void find_extent(const struct unit *unit, struct construct *construct);

/* Does a conditional of the user's that the pragma stands in end before its statement does? */
bool leaves_conditional(const struct unit *unit, const struct construct *construct);

#endif
