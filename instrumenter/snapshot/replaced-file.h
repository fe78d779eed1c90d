/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that is replaced at once, so that nobody reads a part of it. The new one is written beside
 * it, under a name that depends on nothing else: "FILE.new". If this program is killed meanwhile
 * that file is left, and the next one to replace FILE uses it again. Only one at a time replaces a
 * file; the others wait.
 */
#ifndef REPLACED_FILE_H
#define REPLACED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct replaced_file {
	char *path, *beside; /* heap */
	FILE *stream;        /* of the file beside it, which is locked; NULL: it is not there */
};

/*
 * Makes the file beside `path`, and waits until nobody else replaces that; a note says so. False
 * with *error. replaced_file_close() must follow in either case.
 */
bool replaced_file_open(struct replaced_file *file, const char *path, char **error);

/* Replaces the file by these bytes. False with *error. */
bool replaced_file_write(struct replaced_file *file, const void *head, size_t head_bytes,
    const void *data, size_t bytes, char **error);

/* Removes the file beside it, unless that has replaced it. */
void replaced_file_close(struct replaced_file *file);

#endif
