/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole files, read into memory, and replaced in one step. */
#ifndef TEXT_FILE_H
#define TEXT_FILE_H

#include <stddef.h>

struct text_file {
	char *bytes; /* length bytes, followed by a NUL */
	size_t length;
};

/* Reads a regular file. Returns 0, or -1 with errno; *file is then empty. */
int text_file_read(const char *path, struct text_file *file);

/* Reads the whole of an open file, regardless of its offset. */
int text_file_read_descriptor(int descriptor, struct text_file *file);

/*
 * Creates a file in memory, which needs no disk space: a descriptor, closed by exec, or -1 with
 * errno.
 */
int text_file_memory(void);

void text_file_finish(struct text_file *file);

/* Creates or truncates path. Returns 0, or -1 with errno; the file may then be incomplete. */
int text_file_write(const char *path, const char *bytes, size_t length);

/*
 * Replaces path by renaming a finished file, so that path is always either the old or the whole new
 * file. Refuses (EEXIST) to replace anything but a regular file.
 */
int text_file_replace(const char *path, const char *bytes, size_t length);

/* Removes path if it is a regular file; an output may also be /dev/null. */
void text_file_remove(const char *path);

#endif
