/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, moves and removes the files of an archive that is being made, and no other files. */
#include "unfinished.h"

#include "failure.h"
#include "archive-output.h"

#include "shared/trace-log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define IN_FOLDER(name) TRACE_LOG_UNFINISHED "/" name

/* Opens the experiment's folder, to which all names here are relative; -1 with errno. */
static int open_folder(const char *folder)
{
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int explain(char **error, const char *folder, const char *name)
{
	char *place;
	const char *reason = strerror(errno);

	if (asprintf(&place, "%s/%s", folder, name) < 0)
		return convert_fail(error, folder, reason);
	convert_fail(error, place, reason);
	free(place);
	return -1;
}

int convert_unfinished_lock(const char *folder, char **error)
{
	int top = open_folder(folder);
	int lock = -1;

	if (top < 0)
		return convert_fail(error, folder, strerror(errno));
	if (mkdirat(top, TRACE_LOG_UNFINISHED, 0777) == 0 || errno == EEXIST)
		lock = openat(top, TRACE_LOG_UNFINISHED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0)
		explain(error, folder, TRACE_LOG_UNFINISHED);
	close(top);
	if (lock < 0)
		return -1;
	/* Some file systems have no locks: there, two concurrent conversions are not noticed. */
	if (flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(lock);
		return convert_fail(
		    error, folder, "another process is converting these event logs now");
	}
	return lock;
}

/* Removes the files of locations, and the folder if nothing else is in it. */
static void remove_locations(int top, const char *name)
{
	int file = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *entries = file < 0 ? NULL : fdopendir(file);

	if (entries == NULL) {
		if (file >= 0)
			close(file);
		return;
	}
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
		const char *suffix = entry->d_name + strspn(entry->d_name, "0123456789");
		if (suffix > entry->d_name &&
		    (strcmp(suffix, ".evt") == 0 || strcmp(suffix, ".def") == 0))
			unlinkat(file, entry->d_name, 0);
	}
	closedir(entries);
	unlinkat(top, name, AT_REMOVEDIR);
}

static void remove_unfinished(int top)
{
	unlinkat(top, IN_FOLDER(UNFINISHED_ANCHOR), 0);
	unlinkat(top, IN_FOLDER(UNFINISHED_GLOBAL), 0);
	remove_locations(top, IN_FOLDER(UNFINISHED_TRACES));
}

/*
 * An archive is larger than its logs; one that certainly does not fit would only fill the disk
 * temporarily.
 */
static bool has_room(int top, uint64_t bytes)
{
	struct statvfs space;

	return fstatvfs(top, &space) != 0 || space.f_blocks == 0 ||
	       (uint64_t)space.f_bavail * space.f_frsize >= bytes / 2;
}

int convert_unfinished_make(const char *folder, uint64_t bytes, char **error)
{
	int result = 0, top = open_folder(folder);

	if (top < 0)
		return convert_fail(error, folder, strerror(errno));
	remove_unfinished(top);
	unlinkat(top, UNFINISHED_GLOBAL, 0);
	remove_locations(top, UNFINISHED_TRACES);
	if (faccessat(top, UNFINISHED_TRACES, F_OK, 0) == 0) {
		errno = EEXIST;
		result = explain(error, folder, UNFINISHED_TRACES);
	} else if (!has_room(top, bytes)) {
		errno = ENOSPC;
		result = convert_fail(error, folder, strerror(errno));
	} else if (mkdirat(top, IN_FOLDER(UNFINISHED_TRACES), 0777) != 0) {
		result = explain(error, folder, IN_FOLDER(UNFINISHED_TRACES));
	}
	close(top);
	return result;
}

const char *convert_unfinished_rename(const char *folder)
{
	static const char *const moves[][2] = {
	    {IN_FOLDER(UNFINISHED_TRACES), UNFINISHED_TRACES},
	    {IN_FOLDER(UNFINISHED_GLOBAL), UNFINISHED_GLOBAL},
	    {IN_FOLDER(UNFINISHED_ANCHOR), UNFINISHED_ANCHOR},
	};
	const char *failed = NULL;
	int top = open_folder(folder);

	if (top < 0)
		return ".";
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]) && failed == NULL; i++)
		if (renameat(top, moves[i][0], top, moves[i][1]) != 0)
			failed = moves[i][1];
	int error = errno;
	close(top);
	errno = error;
	return failed;
}

/* Also removes files that already have their names, as long as the anchor does not. */
void convert_unfinished_remove(const char *folder)
{
	int top = open_folder(folder);

	if (top < 0)
		return;
	remove_unfinished(top);
	if (faccessat(top, UNFINISHED_ANCHOR, F_OK, 0) != 0) {
		unlinkat(top, UNFINISHED_GLOBAL, 0);
		remove_locations(top, UNFINISHED_TRACES);
	}
	close(top);
}

void convert_unfinished_leave(const char *folder)
{
	int top = open_folder(folder);

	if (top < 0)
		return;
	unlinkat(top, TRACE_LOG_UNFINISHED, AT_REMOVEDIR);
	close(top);
}

bool convert_output_is_complete(const char *folder, bool *unfinished)
{
	int top = open_folder(folder);

	*unfinished = false;
	if (top < 0)
		return false;
	bool complete = faccessat(top, UNFINISHED_ANCHOR, F_OK, 0) == 0;
	*unfinished = complete && faccessat(top, TRACE_LOG_UNFINISHED, F_OK, 0) == 0;
	close(top);
	return complete;
}
