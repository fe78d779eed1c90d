/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a unit's line table, by their index, and its files. */
#ifndef DEBUG_LINES_H
#define DEBUG_LINES_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names_lines {
	Dwarf_Lines *lines;
	size_t count; /* 0: the unit has no lines */
};

struct names_lines names_lines_of(const Dwarf_Die *unit);

/* Returns the first row at or after an address; `count` if there is none. */
size_t names_first_line(const struct names_lines *source, uint64_t address);

/*
 * Returns the first row for the code that begins at an address. GCC may leave a row there that
 * belongs to the code before; it does not begin a statement, while the right one does.
 */
size_t names_first_line_of(const struct names_lines *source, uint64_t address);

uint64_t names_line_address(const struct names_lines *source, size_t i);

/* Returns the line; 0: none, since a sequence ends there. */
int names_line_number(const struct names_lines *source, size_t i);

/* Returns the file, which the Dwarf owns; NULL: unknown. */
const char *names_line_file(const struct names_lines *source, size_t i);

/* Returns the file that the attribute of the entry names; NULL: none. */
const char *names_file_of(Dwarf_Die *die, unsigned name);

/*
 * Returns the path without "." parts and repeated slashes (heap), or NULL when memory ran out. ".."
 * stays, because the part before it may be a link.
 */
char *names_clean_path(const char *path);

#endif
