/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines on stderr. They bypass stdio, so the program's buffers and locks are not touched and lines
 * of several processes or threads do not mix.
 */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_LINE = 1024 };

/* If stderr cannot be written, the text is lost. */
void rt_message_text(const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(STDERR_FILENO, text, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}

static void write_line(const char *format, va_list arguments)
{
	static const char prefix[] = "runtime: ";
	enum { PREFIX = sizeof(prefix) - 1, ROOM = LONGEST_LINE - PREFIX - 1 };
	int saved_errno = errno;
	char line[LONGEST_LINE] = "runtime: ";

	int length = vsnprintf(line + PREFIX, ROOM, format, arguments);
	if (length < 0)
		length = 0;
	if (length >= ROOM)
		length = ROOM - 1;
	line[PREFIX + length] = '\n';
	rt_message_text(line, (size_t)PREFIX + (size_t)length + 1);
	errno = saved_errno;
}

void rt_message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(format, arguments);
	va_end(arguments);
}

void rt_fatal(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(format, arguments);
	va_end(arguments);
	abort();
}
