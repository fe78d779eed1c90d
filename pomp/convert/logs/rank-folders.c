/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the ranks' folders, and removes what a conversion no longer needs: only what it has read or
 * written.
 */
#include "rank-folders.h"

#include "shared/array.h"
#include "shared/rank-mark.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Missing ranks before an existing one also need memory; no machine has this many. */
enum { MOST_RANKS = 1 << 22 };

static int ascending(const void *left, const void *right)
{
	const uint32_t *one = left, *two = right;

	return *one < *two ? -1 : *one > *two;
}

/* Adds a rank; false when memory ran out. */
static bool add_rank(uint32_t **ranks, size_t *count, size_t *capacity, uint32_t rank)
{
	return ARRAY_PUSH(*ranks, *count, *capacity, rank);
}

bool convert_list_ranks(const char *folder, uint32_t **ranks, size_t *count)
{
	DIR *entries = opendir(folder);
	size_t capacity = 0;
	bool whole = true;

	*ranks = NULL;
	*count = 0;
	if (entries == NULL) /* if it is not a folder, it contains none */
		return errno == ENOENT || errno == ENOTDIR;
	while (whole) {
		unsigned rank;
		char end;
		errno = 0;
		const struct dirent *entry = readdir(entries);
		if (entry == NULL) {
			whole = errno == 0;
			break;
		}
		if (sscanf(entry->d_name, "rank-%u%c", &rank, &end) == 1 && rank < MOST_RANKS)
			whole = add_rank(ranks, count, &capacity, rank);
	}
	int error = errno;
	closedir(entries);
	errno = error;
	if (*ranks != NULL)
		qsort(*ranks, *count, sizeof(**ranks), ascending);
	return whole;
}

uint64_t convert_rank_total(const char *folder)
{
	struct trace_log_ranks mark;

	return pomp_rank_mark_read(folder, &mark) ? mark.size : 0;
}

char *convert_rank_folder(const char *folder, uint32_t rank)
{
	char *path;

	return asprintf(&path, "%s/" TRACE_LOG_RANK, folder, rank) < 0 ? NULL : path;
}

uint64_t convert_count_logs(
    const char *folder, const uint32_t *ranks, size_t count, uint64_t *bytes)
{
	uint64_t logs = 0;
	struct stat status;

	*bytes = 0;
	for (size_t i = 0; i < count; i++) {
		char *own = convert_rank_folder(folder, ranks[i]);
		DIR *entries = own != NULL ? opendir(own) : NULL;
		for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
			if (!convert_is_log(entry->d_name))
				continue;
			logs++;
			if (fstatat(dirfd(entries), entry->d_name, &status, 0) == 0)
				*bytes += (uint64_t)status.st_size;
		}
		if (entries != NULL)
			closedir(entries);
		free(own);
	}
	return logs;
}

bool convert_note_files(struct convert_files *files, const struct convert_input *input)
{
	if (!ARRAY_ROOM(files->path, files->count, files->capacity, input->log_count + 1))
		return false;
	for (size_t i = 0; i <= input->log_count; i++) {
		char *copy =
		    strdup(i < input->log_count ? input->logs[i].path : input->definitions_path);
		if (copy == NULL)
			return false;
		files->path[files->count++] = copy;
	}
	return true;
}

void convert_remove_files(const struct convert_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		unlink(files->path[i]);
}

void convert_free_files(struct convert_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->path[i]);
	free(files->path);
	*files = (struct convert_files){0};
}

void convert_leave_rank(const char *folder, const char *own, bool first)
{
	char *logs = NULL, *from = NULL, *to = NULL;
	bool unread =
	    asprintf(&logs, "%s/" TRACE_LOG_DEFINITIONS, own) < 0 || access(logs, F_OK) == 0;

	free(logs);
	if (unread)
		return;
	if (asprintf(&from, "%s/pomp.cfg", own) >= 0 && asprintf(&to, "%s/pomp.cfg", folder) >= 0 &&
	    (!first || rename(from, to) != 0))
		unlink(from);
	free(from);
	free(to);
	rmdir(own);
}
