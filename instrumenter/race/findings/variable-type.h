/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the part of a variable that contains a byte. Only code that has libdw uses this. */
#ifndef RACE_VARIABLE_TYPE_H
#define RACE_VARIABLE_TYPE_H

#include "arena.h"

#include <elfutils/libdw.h>
#include <stdint.h>

/*
 * The variable's name with the elements and members that lead to the byte, in C's syntax; only the
 * name if the type is too complicated.
 */
const char *race_variable_part(
    struct inst_arena *arena, Dwarf_Die *variable, const char *name, uint64_t offset);

#endif
