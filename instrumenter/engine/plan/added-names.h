/* SPDX-License-Identifier: BSD-3-Clause */
/* The names under which a text uses the library, its descriptors and its variables. */
#ifndef ADDED_NAMES_H
#define ADDED_NAMES_H

#include "unit.h"

/* Chooses the names that the text uses. Called before anything is emitted. */
void choose_names(struct unit *unit);

/* How the text refers to a descriptor: `&saxpy_c_6_for`. */
const char *descriptor_address(const struct unit *unit, size_t descriptor);

/* Names the variable of a complete descriptor. */
void name_descriptor(struct unit *unit, size_t descriptor, const char *what);

/* The name of a variable that belongs to `offset`; `index` makes it unique in the unit. */
const char *local_name(struct unit *unit, const char *what, size_t offset, size_t index);

/* The name of a macro that belongs to `offset`. */
const char *macro_name(struct unit *unit, size_t offset, size_t index);

/* The name of the macro that guards the declarations if a text is included twice. */
const char *guard_name(struct unit *unit);

/*
 * The descriptors that the text within a construct uses, as a list for a `shared` clause; "" if
 * none.
 */
const char *list_descriptors(struct unit *unit, const struct construct *construct);

/* The name of the descriptor array of this text. */
const char *array_name(
    struct inst_arena *arena, const struct inst_input *input, const struct inst_scan *scan);

#endif
