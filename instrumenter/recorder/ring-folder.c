/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches /proc/PID/maps for a thread's log, and opens the folder that contains it. */
#include "ring-folder.h"

#include "common/ring-copy-files.h"
#include "error-text.h"
#include "shared/trace-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cuts the name of a thread's log off the line's path. Returns the folder; NULL: it is no log. */
static char *folder_in(char *line)
{
	unsigned location;
	int length = 0;
	char *path = strchr(line, '/'), *slash = path != NULL ? strrchr(path, '/') : NULL;

	if (slash == NULL || slash == path)
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(slash + 1, TRACE_LOG_THREAD_SCAN, &location, &length) != 1 || length == 0 ||
	    slash[1 + length] != '\0')
		return NULL;
	*slash = '\0';
	return path;
}

/* Returns the folder of the process's logs (heap); NULL: there is none, or with *error. */
static char *find_folder(pid_t process, char **error)
{
	char maps[64], *line = NULL, *found = NULL;
	size_t room = 0;

	snprintf(maps, sizeof maps, "/proc/%ld/maps", (long)process);
	FILE *file = fopen(maps, "re");
	if (file == NULL) {
		if (errno == ENOENT)
			error_set(error, "there is no process %ld", (long)process);
		else
			error_set(error, "process %ld: %s; expected a program of this user",
			    (long)process, strerror(errno));
		return NULL;
	}
	errno = 0;
	while (found == NULL && getline(&line, &room, file) > 0) {
		const char *folder = folder_in(line);
		found = folder != NULL ? strdup(folder) : NULL;
	}
	if (found == NULL && errno == EACCES)
		error_set(error, "process %ld may not be read; expected a program of this user",
		    (long)process);
	free(line);
	fclose(file);
	return found;
}

/* Has the process its own view of the file systems, as in a container? */
static bool has_own_files(pid_t process)
{
	char path[64];
	struct stat its, ours;

	snprintf(path, sizeof path, "/proc/%ld/ns/mnt", (long)process);
	return stat(path, &its) == 0 && stat("/proc/self/ns/mnt", &ours) == 0 &&
	       its.st_ino != ours.st_ino;
}

/* Opens the folder by the process's name for it: ours may be another folder. */
static int open_folder(pid_t process, const char *path)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	char *there = NULL;

	if (!has_own_files(process))
		return open(path, flags);
	if (asprintf(&there, "/proc/%ld/root%s", (long)process, path) < 0)
		return -1;
	int folder = open(there, flags);
	free(there);
	return folder;
}

int ring_folder_open(pid_t process, char **error)
{
	*error = NULL;
	char *path = find_folder(process, error);

	if (path == NULL) {
		if (*error == NULL)
			error_set(error,
			    "process %ld keeps no events; expected a program that was built by ompinst, "
			    "or started by 'ompinst run', with POMP_TRACE_RING=64M in its environment",
			    (long)process);
		return -1;
	}
	int folder = open_folder(process, path);
	if (folder < 0) {
		error_set(error, "'%s', where process %ld keeps its events: %s", path,
		    (long)process, strerror(errno));
	} else if (!ring_copy_is_private(folder)) {
		close(folder);
		folder = -1;
		error_set(error,
		    "process %ld writes a whole trace to '%s'; expected a program that keeps only its "
		    "latest events, in a folder of this user alone (POMP_TRACE_RING=64M)",
		    (long)process, path);
	}
	free(path);
	return folder;
}
