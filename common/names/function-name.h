/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a function as in its source. */
#ifndef FUNCTION_NAME_H
#define FUNCTION_NAME_H

#include <elfutils/libdw.h>

#include <stdbool.h>

/* Returns whether a compiler made the function from a construct. */
bool names_function_is_outlined(Dwarf_Die *die);

/*
 * Returns whether flang made it from a construct in the function `of`: its name begins with the
 * linkage name of that function.
 */
bool names_function_is_made_of(Dwarf_Die *made, Dwarf_Die *of);

/* Returns the name from debug information; heap, NULL: it has no name, or memory ran out. */
char *names_function_name(Dwarf_Die *die);

/*
 * Returns the name from a symbol: without compilers' suffixes, demangled if possible; same result.
 */
char *names_function_name_of_symbol(const char *symbol);

#endif
