/* SPDX-License-Identifier: BSD-3-Clause */
/* A private folder for temporary files, which is removed when the program ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

struct scratch {
	char *folder; /* NULL: none was made */
};

/*
 * Makes the folder in the first possible one of $TMPDIR, $TMP, $TEMP, /tmp, /var/tmp and the
 * current folder, the order that gcc uses. Returns 0, or -1 with the errno of the first.
 */
int scratch_init(struct scratch *scratch);

/*
 * The path of NAME in the numbered subfolder, which is made if necessary (heap; NULL with errno).
 */
char *scratch_path(const struct scratch *scratch, size_t number, const char *name);

/* Removes everything in the folder. */
void scratch_empty(const struct scratch *scratch);

/* Removes the folder and everything in it. */
void scratch_finish(struct scratch *scratch);

#endif
