/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lines of numbers, and lists folders whose entries are numbers. */
#include "process-stat.h"

#include "shared/read-text.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_STAT = 1024 };

double process_tick_rate(void)
{
	long rate = sysconf(_SC_CLK_TCK);

	return rate > 0 ? (double)rate : 100;
}

static bool read_stat(const char *path, struct process_stat *stat)
{
	char text[LONGEST_STAT];
	uint64_t user, system, children_user, children_system, minor, major;
	int parent, group;

	if (!read_text(path, text, sizeof text))
		return false;
	/* "PID (NAME) STATE ...", where NAME may contain any characters. */
	const char *bracket = strrchr(text, ')');
	if (bracket == NULL ||
	    sscanf(bracket + 1,
		" %c %d %d %*d %*d %*d %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %" SCNu64
		" %" SCNu64 " %" SCNu64 " %*d %*d %" SCNu64 " %*d %" SCNu64,
		&stat->state, &parent, &group, &minor, &major, &user, &system, &children_user,
		&children_system, &stat->threads, &stat->start) != 11)
		return false;
	stat->parent = parent;
	stat->group = group;
	stat->faults = minor + major;
	stat->time = user + system;
	stat->system_time = system;
	stat->children_time = children_user + children_system;
	return true;
}

bool process_stat_read(pid_t process, struct process_stat *stat)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
	return read_stat(path, stat);
}

bool thread_stat_read(pid_t process, pid_t thread, struct process_stat *stat)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)process, (long)thread);
	return read_stat(path, stat);
}

static void visit_numbers(const char *path, process_visit *visit, void *context)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	bool continues = true;

	while (folder != NULL && continues && (entry = readdir(folder)) != NULL) {
		char *end;
		long number = strtol(entry->d_name, &end, 10);
		if (number > 0 && *end == '\0')
			continues = visit(context, (pid_t)number);
	}
	if (folder != NULL)
		closedir(folder);
}

void processes_visit(process_visit *visit, void *context)
{
	visit_numbers("/proc", visit, context);
}

void threads_visit(pid_t process, process_visit *visit, void *context)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
	visit_numbers(path, visit, context);
}
