/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock is on the file beside it (flock(2)), and ends with this process. Who gets the lock of a
 * file that has been renamed or removed meanwhile opens the name again. Where a file system has no
 * locks, there are none.
 */
#include "replaced-file.h"

#include "construct-report.h"
#include "error-text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Opens a plain file of this user that has no other name, because somebody else may have put one
 * there.
 */
static bool open_beside(struct replaced_file *file, struct stat *status, char **error)
{
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int descriptor = open(file->beside, flags, 0666);

	if (descriptor < 0 || fstat(descriptor, status) != 0) {
		int problem = errno;
		bool is_there = lstat(file->beside, status) == 0;
		error_set(error, "cannot write '%s': %s", is_there ? file->beside : file->path,
		    strerror(problem));
	} else if (!S_ISREG(status->st_mode) || status->st_uid != geteuid() || status->st_nlink > 1)
		error_set(error,
		    "cannot write '%s': expected no such file, or a plain one of this user",
		    file->beside);
	else
		file->stream = fdopen(descriptor, "r+e");
	if (file->stream == NULL && descriptor >= 0)
		close(descriptor);
	return file->stream != NULL;
}

static void lock(const struct replaced_file *file)
{
	int descriptor = fileno(file->stream);

	if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return;
	report_note(NULL, "another snapshot is about to replace '%s'; waiting for it", file->path);
	while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
		;
}

bool replaced_file_open(struct replaced_file *file, const char *path, char **error)
{
	struct stat ours, named;

	*file = (struct replaced_file){.path = strdup(path)};
	if (file->path == NULL || asprintf(&file->beside, "%s.new", path) < 0) {
		file->beside = NULL;
		return false;
	}
	while (open_beside(file, &ours, error)) {
		lock(file);
		if (lstat(file->beside, &named) == 0 && named.st_dev == ours.st_dev &&
		    named.st_ino == ours.st_ino)
			return true;
		fclose(file->stream);
		file->stream = NULL;
	}
	return false;
}

bool replaced_file_write(struct replaced_file *file, const void *head, size_t head_bytes,
    const void *data, size_t bytes, char **error)
{
	if (ftruncate(fileno(file->stream), 0) != 0 ||
	    fwrite(head, 1, head_bytes, file->stream) != head_bytes ||
	    fwrite(data, 1, bytes, file->stream) != bytes || fflush(file->stream) != 0 ||
	    rename(file->beside, file->path) != 0)
		return error_set(error, "cannot write '%s': %s", file->path, strerror(errno));
	fclose(file->stream);
	file->stream = NULL;
	return true;
}

void replaced_file_close(struct replaced_file *file)
{
	if (file->stream != NULL) {
		unlink(file->beside);
		fclose(file->stream);
	}
	free(file->path);
	free(file->beside);
	*file = (struct replaced_file){NULL};
}
