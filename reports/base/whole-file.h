/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular files of at most 16 MiB as bytes in memory. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stddef.h>

/* The file's bytes, followed by a NUL (heap), or NULL with errno; EINVAL: it is no such file. */
char *whole_file_read(const char *path, size_t *length);

#endif
