/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs by their names in PATH, and never ompinst itself, which may be there by any name. */
#ifndef PROGRAM_SEARCH_H
#define PROGRAM_SEARCH_H

#include <stdbool.h>

enum search_start {
	SEARCH_ALL,         /* the first one in PATH */
	SEARCH_BEHIND_OURS, /* the first one behind the first folder where the name is ours */
};

/*
 * The path (heap) of the program that name stands for, a name in PATH or a path, or NULL with
 * errno, ELOOP for ompinst itself. Where there is nothing behind ours, what is before it counts.
 * *is_first, unless is_first is NULL: execvp() would find the same one.
 */
char *search_program(const char *name, enum search_start start, bool *is_first);

/*
 * Takes those folders out of PATH in which name is ours, so that what runs now, and looks there for
 * the program that is called like itself, does not find us. Never makes PATH empty, which would be
 * the current folder.
 */
void search_hide_ours(const char *name);

#endif
