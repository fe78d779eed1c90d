/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the process was when it started: its folder, to which relative paths of settings and sources
 * refer wherever the program goes later, and its arguments, which it may write over.
 */
#ifndef AT_START_H
#define AT_START_H

#include <stdbool.h>
#include <stddef.h>

struct pomp_at_start {
	char *folder;    /* NULL: unknown */
	char *arguments; /* each NUL-ended; NULL: unknown, or there is no trace */
	size_t arguments_bytes;
};

/* Written when the measurement starts, read-only afterwards. */
extern struct pomp_at_start pomp_at_start __attribute__((visibility("hidden")));

/* Notes the folder. Where the library comes later than the program, `ompinst run` has noted it. */
void pomp_at_start_note_folder(void);
void pomp_at_start_note_arguments(void);

/* The path from the folder of the start, heap; NULL when memory ran out. */
char *pomp_at_start_path(const char *path);

#endif
