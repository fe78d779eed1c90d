/* SPDX-License-Identifier: BSD-3-Clause */
/* Which part of a variable a byte of it is in. Only what has libdw uses this. */
#ifndef RACE_VARIABLE_TYPE_H
#define RACE_VARIABLE_TYPE_H

#include "arena.h"

#include <elfutils/libdw.h>
#include <stdint.h>

/*
 * The variable's name with the elements and members that lead to the byte, as C writes them; the
 * name alone where its type is too complicated.
 */
const char *race_variable_part(
    struct inst_arena *arena, Dwarf_Die *variable, const char *name, uint64_t offset);

#endif
