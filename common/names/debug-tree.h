/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the entries of debug information, which may be damaged. */
#ifndef DEBUG_TREE_H
#define DEBUG_TREE_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stdint.h>

/* The greatest depth: damaged trees may be as deep as the file is long. */
enum { NAMES_DEPTH_MOST = 64 };

/*
 * Goes to the next entry on the same level; false: this was the last. The next entry must come
 * later in the file, else the file is damaged.
 */
static inline bool names_next_sibling(Dwarf_Die *die)
{
	const void *before = die->addr;

	return dwarf_siblingof(die, die) == 0 && (uintptr_t)die->addr > (uintptr_t)before;
}

/*
 * Returns the entry of a unit that contains its functions and variables; if split, it is in another
 * file.
 */
static inline Dwarf_Die *names_unit_entry(Dwarf_Die *unit, Dwarf_Die *split, uint8_t type)
{
	return type == DW_UT_skeleton && split->addr != NULL ? split : unit;
}

#endif
