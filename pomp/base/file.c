/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files whose descriptors the program may close. Called when files are written, never by an event.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_in(const char *folder, const char *name, int flags)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, O_RDWR | O_CLOEXEC | flags, 0666);
}

bool pomp_file_make(struct pomp_file *file, const char *folder, const char *name)
{
	struct stat status;
	int descriptor = open_in(folder, name, O_CREAT | O_EXCL);

	file->descriptor = -1;
	if (descriptor < 0)
		return false;
	if (fstat(descriptor, &status) != 0) {
		close(descriptor);
		return false;
	}
	*file = (struct pomp_file){descriptor, status.st_dev, status.st_ino};
	return true;
}

static bool is_file(const struct pomp_file *file, int descriptor)
{
	struct stat status;

	return descriptor >= 0 && fstat(descriptor, &status) == 0 &&
	       status.st_dev == file->device && status.st_ino == file->inode;
}

bool pomp_file_ready(struct pomp_file *file, const char *folder, const char *name)
{
	if (is_file(file, file->descriptor))
		return true;
	int descriptor = open_in(folder, name, 0);
	if (is_file(file, descriptor)) {
		file->descriptor = descriptor;
		return true;
	}
	if (descriptor >= 0) {
		close(descriptor);
		errno = ENOENT;
	}
	return false;
}

void pomp_file_close(struct pomp_file *file)
{
	if (is_file(file, file->descriptor))
		close(file->descriptor);
	file->descriptor = -1;
}

bool pomp_folder_make(const char *path, mode_t mode)
{
	char above[PATH_MAX];
	size_t length = strlen(path);

	if (mkdir(path, mode) == 0)
		return true;
	if (errno != ENOENT)
		return false;
	if (length >= sizeof(above)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(above, path, length + 1);
	for (char *slash = strchr(above + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(above, 0777) != 0 && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return mkdir(path, mode) == 0;
}
