/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives name files: what is no regular file is not read. */
#include "whole-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

#define SIZE_MOST (16L * 1024 * 1024)

char *whole_file_read(const char *path, size_t *length)
{
	/* Without O_NONBLOCK, opening a pipe would wait for its writer. */
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	char *text = NULL;
	ssize_t got = 0;

	*length = 0;
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= SIZE_MOST) {
		text = memory_new((size_t)status.st_size + 1, 1);
		while (*length < (size_t)status.st_size &&
		       (got = read(file, text + *length, (size_t)status.st_size - *length)) > 0)
			*length += (size_t)got;
	}
	close(file);
	if (!text)
		errno = EINVAL;
	return text;
}
