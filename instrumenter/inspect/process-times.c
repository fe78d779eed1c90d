/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc/PID/stat of all processes. Those that begin or end meanwhile may be missing once; a
 * process whose parent has ended belongs to the one that adopted it (child/descendants.h).
 */
#include "process-times.h"

#include "shared/array.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
	pid_t id, parent;
	double ticks;
};

struct processes {
	struct process *all;
	size_t count, room;
};

static bool read_one(const char *entry, struct process *process)
{
	char path[64], line[512];
	double ticks[4];

	if (entry[strspn(entry, "0123456789")] != '\0')
		return false;
	snprintf(path, sizeof path, "/proc/%.20s/stat", entry);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	size_t length = fread(line, 1, sizeof line - 1, file);
	fclose(file);
	line[length] = '\0';
	/* "PID (NAME) STATE PARENT ...", where NAME may contain any characters. */
	const char *bracket = strrchr(line, ')');
	process->id = (pid_t)strtol(entry, NULL, 10);
	/* Fields 14 to 17: user and system time, and those of children that were waited for. */
	if (bracket == NULL ||
	    sscanf(bracket + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lf %lf %lf %lf",
		&process->parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 5)
		return false;
	process->ticks = ticks[0] + ticks[1] + ticks[2] + ticks[3];
	return true;
}

/* How many threads of the process run, or wait for a processor. */
static size_t count_runnable(pid_t process)
{
	char path[64], line[512];
	size_t count = 0;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
	DIR *folder = opendir(path);
	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		snprintf(path, sizeof path, "%.20s/stat", entry->d_name);
		int descriptor = openat(dirfd(folder), path, O_RDONLY | O_CLOEXEC);
		ssize_t length = descriptor >= 0 ? read(descriptor, line, sizeof line - 1) : 0;
		line[length > 0 ? length : 0] = '\0';
		const char *bracket = strrchr(line, ')');
		count += bracket != NULL && strncmp(bracket, ") R", 3) == 0;
		if (descriptor >= 0)
			close(descriptor);
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

static void read_all(struct processes *processes)
{
	DIR *folder = opendir("/proc");

	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		struct process process;
		if (read_one(entry->d_name, &process) &&
		    !ARRAY_PUSH(processes->all, processes->count, processes->room, process))
			break;
	}
	if (folder != NULL)
		closedir(folder);
}

static void add(struct process_times *times, const struct process *process, double *ticks)
{
	if (times->count == PROCESS_TIMES_MOST)
		return;
	times->processes[times->count++] = process->id;
	*ticks += process->ticks;
}

void process_times_read(pid_t root, struct process_times *times)
{
	struct processes processes = {.all = NULL};
	double ticks = 0;

	times->count = 0;
	read_all(&processes);
	for (size_t i = 0; i < processes.count; i++)
		if (processes.all[i].id == root)
			add(times, &processes.all[i], &ticks);
	/* The list grows while it is walked, until the children of all are in it. */
	for (size_t parent = 0; parent < times->count; parent++)
		for (size_t i = 0; i < processes.count; i++)
			if (processes.all[i].parent == times->processes[parent])
				add(times, &processes.all[i], &ticks);
	times->seconds = ticks / (double)sysconf(_SC_CLK_TCK);
	times->runnable = 0;
	for (size_t i = 0; i < times->count; i++)
		times->runnable += count_runnable(times->processes[i]);
	free(processes.all);
}
