/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, makes and checks the folder. */
#include "common/user-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const forms[USER_FOLDERS] = {"%s/run/user/%ld/ompinst", "%s/tmp/ompinst-%ld"};

void user_folder_path(char path[USER_FOLDER_SIZE], const char *root, unsigned number)
{
	snprintf(path, USER_FOLDER_SIZE, forms[number], root, (long)geteuid());
}

int user_folder_open(const char *path)
{
	struct stat status;
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0) {
		/* A link, or no folder. */
		if (errno == ELOOP || errno == ENOTDIR)
			errno = EPERM;
		return -1;
	}
	if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
	    (status.st_mode & 077) == 0)
		return folder;
	close(folder);
	errno = EPERM;
	return -1;
}

/* Whether the user has a folder of his own in /run, in which ours can be. */
static int has_run(const char *path)
{
	struct stat status;
	char parent[USER_FOLDER_SIZE];

	snprintf(parent, sizeof(parent), "%s", path);
	*strrchr(parent, '/') = '\0';
	return lstat(parent, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && access(parent, W_OK) == 0;
}

int user_folder_make(char path[USER_FOLDER_SIZE], const char *root)
{
	user_folder_path(path, root, 0);
	if (!has_run(path))
		user_folder_path(path, root, 1);
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return -1;
	return user_folder_open(path);
}
