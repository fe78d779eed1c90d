/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LD_PRELOAD has no quotes, so it cannot contain a library whose folder has a blank or a colon in
 * its name. A link without these characters in its name then replaces the folder. Its name is made
 * of the folder's device and inode, so that all programs of a user share one link, and a link that
 * was left for another folder is replaced. The link is never removed, because a program that was
 * started with it may start others.
 */
#include "loader-path.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fits(const char *path)
{
	return strpbrk(path, ": \n") == NULL;
}

/*
 * Makes the folder if it does not exist. False if other users could write in it, because they could
 * then make us load any library.
 */
static bool is_own_folder(const char *path)
{
	struct stat status;

	if (mkdir(path, 0755) != 0 && errno != EEXIST)
		return false;
	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Does the link lead to the folder? */
static bool leads_to(const char *link, const char *folder)
{
	char target[PATH_MAX];
	ssize_t length = readlink(link, target, sizeof target - 1);

	target[length > 0 ? length : 0] = '\0';
	return strcmp(target, folder) == 0;
}

/*
 * Another process may do the same at the same time, so the link is created under another name and
 * renamed.
 */
static bool place_link(const char *link, const char *folder)
{
	char *fresh;
	bool placed;

	if (leads_to(link, folder))
		return true;
	if (asprintf(&fresh, "%s.%ld", link, (long)getpid()) < 0)
		return false;
	unlink(fresh);
	placed = symlink(folder, fresh) == 0 && rename(fresh, link) == 0;
	if (!placed)
		unlink(fresh);
	free(fresh);
	return placed;
}

/* The link to the folder (heap) below the temporary folder; NULL if that is not possible. */
static char *link_below(const char *temporary, const char *folder)
{
	struct stat status;
	char *own = NULL, *link = NULL;

	if (temporary == NULL || temporary[0] != '/' || !fits(temporary) ||
	    stat(folder, &status) != 0 ||
	    asprintf(&own, "%s/ompinst-%ld", temporary, (long)geteuid()) < 0)
		return NULL;
	if (is_own_folder(own) &&
	    asprintf(&link, "%s/%llx-%llx", own, (unsigned long long)status.st_dev,
		(unsigned long long)status.st_ino) < 0)
		link = NULL;
	if (link != NULL && !place_link(link, folder)) {
		free(link);
		link = NULL;
	}
	free(own);
	return link;
}

char *loader_path(const char *file)
{
	const char *const temporary[] = {
	    getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp", "/var/tmp"};
	const char *slash = strrchr(file, '/');
	char *path = NULL;

	if (fits(file))
		return strdup(file);
	if (slash == NULL || !fits(slash))
		return NULL;
	char *folder = strndup(file, (size_t)(slash - file));
	for (size_t i = 0;
	     folder != NULL && path == NULL && i < sizeof temporary / sizeof *temporary; i++) {
		char *link = link_below(temporary[i], folder);
		if (link != NULL && asprintf(&path, "%s%s", link, slash) < 0)
			path = NULL;
		free(link);
	}
	free(folder);
	return path;
}
