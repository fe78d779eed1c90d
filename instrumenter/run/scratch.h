/* SPDX-License-Identifier: BSD-3-Clause */
/* A private folder for temporary files, gone when the program ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

struct scratch {
	char *folder; /* NULL: none was made */
};

/*
 * Makes the folder under the first of $TMPDIR, $TMP, $TEMP, /tmp, /var/tmp and the current folder
 * in which it can, as gcc chooses the place of its own. Returns 0, or -1 with the errno of the
 * first.
 */
int scratch_init(struct scratch *scratch);

/* The path of NAME in the numbered subfolder, which is made when missing (heap; NULL with errno).
 */
char *scratch_path(const struct scratch *scratch, size_t number, const char *name);

/* Removes all that is in it. */
void scratch_empty(const struct scratch *scratch);

/* Removes the folder and all that is in it. */
void scratch_finish(struct scratch *scratch);

#endif
