/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks know the folder that they share by its mark, and recovering knows by it how many they were.
 */
#include "shared/rank-mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 + 32 };

/* The descriptor, or -1 with errno. */
static int open_mark(const char *folder, int flags)
{
	char path[LONGEST_PATH];

	if (snprintf(path, sizeof(path), "%s/" TRACE_LOG_RANKS, folder) >= LONGEST_PATH) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC, 0666);
}

bool pomp_rank_mark_write(const char *folder, const struct trace_log_ranks *mark)
{
	int file = open_mark(folder, O_WRONLY | O_CREAT | O_TRUNC);

	if (file < 0)
		return false;
	bool whole = write(file, mark, sizeof(*mark)) == (ssize_t)sizeof(*mark);
	int error = errno;
	close(file);
	errno = error;
	return whole;
}

bool pomp_rank_mark_read(const char *folder, struct trace_log_ranks *mark)
{
	int file = open_mark(folder, O_RDONLY);

	if (file < 0)
		return false;
	bool whole = read(file, mark, sizeof(*mark)) == (ssize_t)sizeof(*mark);
	close(file);
	return whole && mark->magic == TRACE_LOG_MAGIC;
}

void pomp_rank_mark_remove(const char *folder)
{
	char path[LONGEST_PATH];

	if (snprintf(path, sizeof(path), "%s/" TRACE_LOG_RANKS, folder) < LONGEST_PATH)
		unlink(path);
}
