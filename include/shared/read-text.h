/* SPDX-License-Identifier: BSD-3-Clause */
/* Small files as text: what the kernel says in /proc and in control groups. */
#ifndef SHARED_READ_TEXT_H
#define SHARED_READ_TEXT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/*
 * Reads what the file begins with, at most room - 1 bytes, and ends it with NUL. False: the file
 * cannot be read, or is empty; the text is then "".
 */
static inline bool read_text(const char *path, char *text, size_t room)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, room - 1) : 0;

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

#endif
