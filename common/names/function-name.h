/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a function as its source has it. */
#ifndef FUNCTION_NAME_H
#define FUNCTION_NAME_H

#include <elfutils/libdw.h>

#include <stdbool.h>

/* Whether compilers made it from a construct. */
bool names_function_is_outlined(Dwarf_Die *die);

/* Whether flang made it from a construct of that function, whose linkage name it begins with. */
bool names_function_is_made_of(Dwarf_Die *made, Dwarf_Die *of);

/* By debug information; heap, NULL: it has no name, or memory ran out. */
char *names_function_name(Dwarf_Die *die);

/* By a symbol: without what compilers append, demangled where that is possible. The same. */
char *names_function_name_of_symbol(const char *symbol);

#endif
