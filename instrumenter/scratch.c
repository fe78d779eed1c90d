/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The private folder for temporary files. Each input of a command has a subfolder of its own, so
 * that its temporary files keep the input's name: compilers put that name into what they write.
 */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int scratch_init(struct scratch *scratch)
{
	const char *parent = getenv("TMPDIR");

	if (parent == NULL || parent[0] == '\0')
		parent = "/tmp";
	if (asprintf(&scratch->folder, "%s/ompinst-XXXXXX", parent) < 0) {
		scratch->folder = NULL;
		return -1;
	}
	if (mkdtemp(scratch->folder) == NULL) {
		free(scratch->folder);
		scratch->folder = NULL;
		return -1;
	}
	return 0;
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
	(void)walk;
	remove(path);
	return 0;
}

void scratch_finish(struct scratch *scratch)
{
	if (scratch->folder == NULL)
		return;
	nftw(scratch->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(scratch->folder);
	scratch->folder = NULL;
}
