/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of the process when it started: its folder, to which relative paths in settings and
 * sources refer even if the program changes it later, and its arguments, which the program may
 * overwrite.
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

/* Written when the measurement starts, then read-only. */
extern struct pomp_at_start pomp_at_start __attribute__((visibility("hidden")));

/*
 * Records the folder. If the library is loaded after the program's start, `ompinst run` has done
 * so.
 */
void pomp_at_start_note_folder(void);
void pomp_at_start_note_arguments(void);

/* Returns the path relative to the folder of the start, heap; NULL when memory ran out. */
char *pomp_at_start_path(const char *path);

#endif
