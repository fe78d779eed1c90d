/* SPDX-License-Identifier: BSD-3-Clause */
/* What `ompinst tune --json` has printed, as settings that were tried. */
#ifndef TRIED_FILE_H
#define TRIED_FILE_H

#include "common/summary.h"

struct tried_file {
	struct summary_tried *tried; /* compared with the unchanged program */
	size_t count, capacity;
};

/*
 * Reads the file; path NULL: there is none. Returns 0, or -1 after a message: it cannot be read,
 * or is something else.
 */
int tried_file_read(struct tried_file *file, const char *path);

void tried_file_free(struct tried_file *file);

#endif
