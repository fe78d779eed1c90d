/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends a tree of processes from its root. When a process ends, its children go to the nearest
 * ancestor that adopts children. The tree is therefore gone when the root has ended child after
 * child and has none left. Groups and sessions, which programs change at will, do not matter. /proc
 * lists the children; without /proc nothing is ended here.
 */
#include "descendants.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The limit of rounds for a program that starts processes faster than they are ended. */
enum { MOST_ROUNDS = 1000 };

void descendants_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Is this entry of /proc a child of this process, in another group than `spared`? */
static bool is_to_end(const char *entry, pid_t spared)
{
	char path[64], line[512];
	int parent = 0, group = 0;

	if (entry[strspn(entry, "0123456789")] != '\0')
		return false;
	snprintf(path, sizeof path, "/proc/%.20s/stat", entry);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	size_t length = fread(line, 1, sizeof line - 1, file);
	fclose(file);
	line[length] = '\0';
	/* "PID (NAME) STATE PARENT GROUP ...", where NAME may contain any characters. */
	const char *bracket = strrchr(line, ')');
	return bracket != NULL && sscanf(bracket + 1, " %*c %d %d", &parent, &group) == 2 &&
	       parent == getpid() && group != spared;
}

/* Returns whether there was a child to end. */
static bool end_children(DIR *processes, pid_t spared)
{
	const struct dirent *entry;
	bool found = false;

	rewinddir(processes);
	while ((entry = readdir(processes)) != NULL) {
		if (!is_to_end(entry->d_name, spared))
			continue;
		pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);
		found = true;
		kill(child, SIGKILL);
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return found;
}

void descendants_end(pid_t spared)
{
	DIR *processes = opendir("/proc");

	if (processes == NULL)
		return;
	for (unsigned round = 0; round < MOST_ROUNDS && end_children(processes, spared); round++)
		;
	closedir(processes);
}
