/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths relative to the current folder. */
#include "inside-folder.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *inside_folder(const char *path)
{
	char folder[PATH_MAX];
	size_t length;

	if (!getcwd(folder, sizeof(folder)))
		return path;
	length = strlen(folder);
	return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}
