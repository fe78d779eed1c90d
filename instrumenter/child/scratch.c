/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The private folder for temporary files. Each input of a command has its own subfolder, so that
 * its temporary files keep the input's name, because compilers write that name into their output.
 */
#include "scratch.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the folder under parent. Returns 0, or -1 with errno. */
static int make_folder(struct scratch *scratch, const char *parent)
{
	if (asprintf(&scratch->folder, "%s/ompinst-XXXXXX", parent) < 0) {
		scratch->folder = NULL;
		return -1;
	}
	if (mkdtemp(scratch->folder) != NULL) {
		DEBUG_LOG(file, "makes the folder %s", scratch->folder);
		return 0;
	}
	int reason = errno;
	free(scratch->folder);
	scratch->folder = NULL;
	errno = reason;
	return -1;
}

int scratch_init(struct scratch *scratch)
{
	const char *const parents[] = {
	    getenv("TMPDIR"), getenv("TMP"), getenv("TEMP"), "/tmp", "/var/tmp", "."};
	int reason = 0;

	for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++) {
		if (parents[i] == NULL || parents[i][0] == '\0')
			continue;
		if (make_folder(scratch, parents[i]) == 0)
			return 0;
		reason = reason != 0 ? reason : errno;
	}
	errno = reason;
	return -1;
}

char *scratch_path(const struct scratch *scratch, size_t number, const char *name)
{
	char *path = NULL, *folder = NULL;

	if (asprintf(&folder, "%s/%zu", scratch->folder, number) < 0)
		return NULL;
	if ((mkdir(folder, 0700) == 0 || errno == EEXIST) &&
	    asprintf(&path, "%s/%s", folder, name) < 0)
		path = NULL;
	free(folder);
	return path;
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *walk)
{
	(void)state;
	(void)kind;
	if (walk->level > 0)
		remove(path);
	return 0;
}

void scratch_empty(const struct scratch *scratch)
{
	if (scratch->folder != NULL)
		nftw(scratch->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void scratch_finish(struct scratch *scratch)
{
	if (scratch->folder == NULL)
		return;
	scratch_empty(scratch);
	rmdir(scratch->folder);
	DEBUG_LOG(file, "removed the folder %s", scratch->folder);
	free(scratch->folder);
	scratch->folder = NULL;
}
