/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole files. Writing checks every step including close, because a full disk often shows only
 * then, and a half-written file must not be compiled.
 */
#include "text-file.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads at most the expected length; a file that becomes shorter meanwhile is not an error. */
static int read_all(int descriptor, struct text_file *file)
{
	size_t done = 0;

	while (done < file->length) {
		ssize_t got =
		    pread(descriptor, file->bytes + done, file->length - done, (off_t)done);
		if (got == 0)
			break;
		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0)
			done += (size_t)got;
	}
	file->length = done;
	file->bytes[done] = '\0';
	return 0;
}

int text_file_read_descriptor(int descriptor, struct text_file *file)
{
	struct stat state;

	*file = (struct text_file){0};
	int failed = fstat(descriptor, &state);
	if (failed == 0 && !S_ISREG(state.st_mode)) {
		errno = EINVAL;
		failed = -1;
	}
	if (failed == 0) {
		file->length = (size_t)state.st_size;
		file->bytes = malloc(file->length + 1);
		failed = file->bytes == NULL ? -1 : read_all(descriptor, file);
	}
	int reason = errno;
	if (failed != 0)
		text_file_finish(file);
	errno = reason;
	return failed;
}

int text_file_read(const char *path, struct text_file *file)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*file = (struct text_file){0};
	if (descriptor < 0)
		return -1;
	int failed = text_file_read_descriptor(descriptor, file);
	int reason = errno;
	close(descriptor);
	if (failed == 0)
		DEBUG_LOG(file, "read %s: %zu bytes", path, file->length);
	errno = reason;
	return failed;
}

int text_file_memory(void)
{
	return memfd_create("ompinst", MFD_CLOEXEC);
}

void text_file_finish(struct text_file *file)
{
	free(file->bytes);
	*file = (struct text_file){0};
}

/* Writes everything and closes. */
static int write_and_close(int descriptor, const char *bytes, size_t length)
{
	int failed = 0;

	while (length > 0 && failed == 0) {
		ssize_t done = write(descriptor, bytes, length);
		if (done < 0 && errno != EINTR)
			failed = -1;
		if (done > 0) {
			bytes += done;
			length -= (size_t)done;
		}
	}
	int reason = errno;
	if (close(descriptor) != 0 && failed == 0)
		return -1;
	errno = reason;
	return failed;
}

int text_file_write(const char *path, const char *bytes, size_t length)
{
	int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	DEBUG_LOG(file, "writes %s: %zu bytes", path, length);
	return descriptor < 0 ? -1 : write_and_close(descriptor, bytes, length);
}

int text_file_replace(const char *path, const char *bytes, size_t length)
{
	struct stat state;
	char *temporary = NULL;
	mode_t mask = umask(0);

	umask(mask);
	mode_t mode = 0666 & ~mask;
	if (lstat(path, &state) == 0) {
		if (!S_ISREG(state.st_mode)) {
			errno = EEXIST;
			return -1;
		}
		mode = state.st_mode & 07777;
	}
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -1;
	DEBUG_LOG(file, "replaces %s: %zu bytes", path, length);
	int descriptor = mkstemp(temporary);
	int failed = descriptor < 0 ? -1 : 0;
	if (failed == 0) {
		failed = fchmod(descriptor, mode);
		failed |= write_and_close(descriptor, bytes, length);
		if (failed == 0)
			failed = rename(temporary, path);
		int reason = errno;
		if (failed != 0)
			unlink(temporary);
		errno = reason;
	}
	free(temporary);
	return failed;
}

void text_file_remove(const char *path)
{
	struct stat state;

	if (lstat(path, &state) != 0 || !S_ISREG(state.st_mode))
		return;
	DEBUG_LOG(file, "removes %s", path);
	unlink(path);
}
