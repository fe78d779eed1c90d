/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the folder; what is written into it is its user's. */
#include "start-folder.h"

#include "at-start.h"
#include "process-state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool pomp_start_folder_note(struct pomp_start_folder *folder)
{
	struct stat status;

	if (pomp_at_start.folder == NULL || stat(pomp_at_start.folder, &status) != 0)
		return false;
	folder->device = status.st_dev;
	folder->file = status.st_ino;
	return true;
}

bool pomp_start_folder_is_there(const struct pomp_start_folder *folder)
{
	struct stat status;

	return stat(pomp_at_start.folder, &status) == 0 && status.st_dev == folder->device &&
	       status.st_ino == folder->file;
}

bool pomp_start_folder_make(struct pomp_start_folder *folder)
{
	char name[64];

	for (unsigned i = 0; !folder->is_made; i++) {
		snprintf(name, sizeof(name), i == 0 ? "%s-%ld" : "%s-%ld-%u", folder->name,
		    (long)pomp_process.pid, i);
		free(folder->path);
		folder->path = pomp_at_start_path(name);
		if (folder->path == NULL) {
			errno = ENOMEM;
			return false;
		}
		folder->is_made = mkdir(folder->path, folder->mode) == 0;
		if (!folder->is_made && errno != EEXIST)
			return false;
	}
	return true;
}

void pomp_start_folder_forget(struct pomp_start_folder *folder)
{
	free(folder->path);
	folder->path = NULL;
	folder->is_made = false;
}
