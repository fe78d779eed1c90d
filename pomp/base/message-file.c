/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes what descriptor 2 is when the library is loaded, and compares. A regular file that came
 * later may be a log that the program has put there or its data; nothing shows which, so it gets
 * nothing.
 */
#include "message-file.h"

#include "limited-calls.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	bool is_known, is_open;
	dev_t device;
	ino_t file;
} at_start;

__attribute__((constructor)) static void note_standard_error(void)
{
	struct stat status;
	int error = errno;

	at_start.is_known = true;
	at_start.is_open = fstat(STDERR_FILENO, &status) == 0;
	if (at_start.is_open) {
		at_start.device = status.st_dev;
		at_start.file = status.st_ino;
	}
	errno = error;
}

static bool is_standard_error(void)
{
	struct stat status;

	if (!at_start.is_known)
		return true;
	if (!at_start.is_open)
		return false;
	/* The filter may not expect more than writes to it. */
	if (pomp_calls_are_limited())
		return true;
	if (fstat(STDERR_FILENO, &status) != 0)
		return false;
	return !S_ISREG(status.st_mode) ||
	       (status.st_dev == at_start.device && status.st_ino == at_start.file);
}

static ssize_t discard(void *cookie, const char *data, size_t size)
{
	(void)cookie;
	(void)data;
	return (ssize_t)size;
}

FILE *pomp_message_file(void)
{
	static FILE *nowhere;
	int error = errno;
	bool is_open = is_standard_error();

	if (!is_open && nowhere == NULL)
		nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = discard});
	errno = error;
	return is_open || nowhere == NULL ? stderr : nowhere;
}
