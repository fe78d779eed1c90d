/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises experiment folders by the names of the files in them, without reading the files. */
#include "event-logs.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "shared/trace-log.h"

static bool has_file(const char *folder, const char *name)
{
	char *path = memory_print("%s/%s", folder, name);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static bool is_rank(const char *name)
{
	unsigned rank;
	char end;

	return sscanf(name, "rank-%u%c", &rank, &end) == 1;
}

/* Whether the folder of a rank in it has logs; the experiment's folder itself may have none. */
static bool has_ranks(const char *folder)
{
	DIR *entries = opendir(folder);
	bool found = false;

	for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
		if (!is_rank(entry->d_name))
			continue;
		char *own = memory_print("%s/%s", folder, entry->d_name);
		found = has_file(own, TRACE_LOG_DEFINITIONS);
		free(own);
	}
	if (entries)
		closedir(entries);
	return found;
}

/* The folder that contains the path; heap. */
static char *parent_of(const char *path)
{
	char *parent = memory_copy_text(path);
	size_t length = strlen(parent);

	while (length > 1 && parent[length - 1] == '/')
		parent[--length] = '\0';
	char *slash = strrchr(parent, '/');
	if (!slash) {
		free(parent);
		return memory_copy_text(".");
	}
	slash[slash == parent] = '\0';
	return parent;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *event_logs_folder(const char *path)
{
	struct stat status;
	char *folder;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		folder = memory_copy_text(path);
		for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/';)
			folder[--end] = '\0';
	} else {
		folder = parent_of(path);
	}
	if (has_file(folder, TRACE_LOG_DEFINITIONS) && is_rank(name_of(folder))) {
		char *all = parent_of(folder);
		free(folder);
		folder = all;
	}
	if (!has_file(folder, "traces.otf2") &&
	    (has_file(folder, TRACE_LOG_DEFINITIONS) || has_ranks(folder)))
		return folder;
	free(folder);
	return NULL;
}
