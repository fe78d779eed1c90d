/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks recognise their shared folder by its mark, and recovery reads the number of ranks from it.
 */
#include "shared/rank-mark.h"
#include "shared/write-whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 + 32 };

/* Returns the descriptor, or -1 with errno. */
static int open_mark(const char *folder, int flags)
{
	char path[LONGEST_PATH];

	if (snprintf(path, sizeof(path), "%s/" TRACE_LOG_RANKS, folder) >= LONGEST_PATH) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC, 0666);
}

static bool write_mark(int file, const struct trace_log_ranks *mark)
{
	if (file < 0)
		return false;
	bool whole = pomp_write_whole(file, mark, sizeof(*mark), 0);
	int error = errno;
	close(file);
	errno = error;
	return whole;
}

bool pomp_rank_mark_make(const char *folder, const struct trace_log_ranks *mark)
{
	int file = open_mark(folder, O_WRONLY | O_CREAT | O_EXCL);
	bool made = write_mark(file, mark);
	int error = errno;

	if (file >= 0 && !made)
		pomp_rank_mark_remove(folder);
	errno = error;
	return made;
}

bool pomp_rank_mark_write(const char *folder, const struct trace_log_ranks *mark)
{
	return write_mark(open_mark(folder, O_WRONLY | O_CREAT), mark);
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
