/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, reads and replaces the file; removes those of processes that have ended. */
#include "interval-begin.h"

#include "error-text.h"
#include "process-stat.h"
#include "thread-times.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 128, MOST_BYTES = 1 << 28 };

/* What the file begins with: padded, so that its size is known. */
static void write_head(char head[HEAD_BYTES], const struct process_facts *facts)
{
	memset(head, 0, HEAD_BYTES);
	snprintf(head, HEAD_BYTES, "ompinst interval %zu %zu %ld %" PRIu64 "\n",
	    sizeof(struct summary), sizeof(struct summary_region), (long)facts->process,
	    facts->start);
}

/* Only this user may read it or write there; anybody may have made it in /tmp. */
static bool is_private(const char *folder)
{
	struct stat status;

	return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

/* This user's folder (heap), or NULL with *error. */
static char *make_folder(char **error)
{
	char folder[64];
	struct stat status;

	snprintf(folder, sizeof folder, "/run/user/%ld", (long)geteuid());
	bool has_run = lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
		       status.st_uid == geteuid() && access(folder, W_OK) == 0;
	if (has_run)
		snprintf(folder, sizeof folder, "/run/user/%ld/ompinst", (long)geteuid());
	else
		snprintf(folder, sizeof folder, "/tmp/ompinst-%ld", (long)geteuid());
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		error_set(error,
		    "cannot make '%s': %s; --since=FILE keeps the interval's begin elsewhere",
		    folder, strerror(errno));
	else if (!is_private(folder))
		error_set(error,
		    "'%s' is not a folder that only this user can use; --since=FILE keeps the "
		    "interval's begin elsewhere",
		    folder);
	else
		return strdup(folder);
	return NULL;
}

static void remove_ended(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	uint64_t start;
	long process;
	int end;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (sscanf(entry->d_name, "%ld-%" SCNu64 "%n", &process, &start, &end) == 2 &&
		    process_start_time((pid_t)process) != start)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder != NULL)
		closedir(folder);
}

static char *own_path(const struct process_facts *facts, char **error)
{
	char *folder = make_folder(error), *path = NULL;

	if (folder == NULL)
		return NULL;
	remove_ended(folder);
	if (asprintf(&path, "%s/%ld-%" PRIu64, folder, (long)facts->process, facts->start) < 0)
		path = NULL;
	free(folder);
	return path;
}

/* The rest of the file (heap), or NULL. */
static char *read_bytes(FILE *file, size_t *bytes)
{
	char *read = NULL;
	struct stat status;

	if (fstat(fileno(file), &status) != 0 || status.st_size < HEAD_BYTES ||
	    status.st_size > MOST_BYTES)
		return NULL;
	*bytes = (size_t)status.st_size - HEAD_BYTES;
	read = malloc(*bytes + 1);
	if (read != NULL && fread(read, 1, *bytes, file) != *bytes) {
		free(read);
		read = NULL;
	}
	return read;
}

static bool read_begin(
    struct interval_begin *begin, FILE *file, const struct process_facts *facts, char **error)
{
	char head[HEAD_BYTES] = "", expected[HEAD_BYTES];
	size_t bytes = 0;

	write_head(expected, facts);
	if (fread(head, 1, HEAD_BYTES, file) != HEAD_BYTES ||
	    strncmp(head, "ompinst interval ", strlen("ompinst interval ")) != 0)
		return error_set(error,
		    "'%s' is no begin of an interval; expected a file that "
		    "--since has written, or none",
		    begin->path);
	if (memcmp(head, expected, HEAD_BYTES) != 0)
		return error_set(error,
		    "'%s' is the begin of an interval of another process or version; "
		    "expected one of process %ld, or no such file",
		    begin->path, (long)facts->process);
	begin->bytes = read_bytes(file, &bytes);
	if (begin->bytes == NULL)
		return error_set(
		    error, "'%s' cannot be read; remove it to begin anew", begin->path);
	begin->is_known = begin->functions->unpack(&begin->summary, begin->bytes, bytes);
	if (!begin->is_known) {
		begin->functions->release_unpacked(&begin->summary);
		return error_set(error, "'%s' is damaged; remove it to begin anew", begin->path);
	}
	return true;
}

bool interval_begin_read(struct interval_begin *begin, const char *path,
    const struct process_facts *facts, const struct live_profile_functions *functions, char **error)
{
	*begin = (struct interval_begin){.functions = functions};
	begin->path = path != NULL ? strdup(path) : own_path(facts, error);
	if (begin->path == NULL)
		return false;
	FILE *file = fopen(begin->path, "re");
	if (file == NULL && errno == ENOENT)
		return true;
	if (file == NULL)
		return error_set(error, "cannot read '%s': %s", begin->path, strerror(errno));
	bool is_read = read_begin(begin, file, facts, error);
	fclose(file);
	return is_read;
}

bool interval_begin_write(const struct interval_begin *begin, const struct process_facts *facts,
    const void *packed, size_t bytes, char **error)
{
	char head[HEAD_BYTES];

	write_head(head, facts);
	return replace_file(begin->path, head, sizeof head, packed, bytes, error);
}

void interval_begin_finish(struct interval_begin *begin)
{
	if (begin->is_known)
		begin->functions->release_unpacked(&begin->summary);
	free(begin->bytes);
	free(begin->path);
}

bool replace_file(const char *path, const char *head, size_t head_bytes, const void *data,
    size_t bytes, char **error)
{
	char *other = NULL;
	bool is_written = false;

	if (asprintf(&other, "%s.%ld", path, (long)getpid()) < 0)
		return false;
	FILE *file = fopen(other, "we");
	if (file != NULL) {
		is_written = fwrite(head, 1, head_bytes, file) == head_bytes &&
			     fwrite(data, 1, bytes, file) == bytes;
		is_written = fclose(file) == 0 && is_written && rename(other, path) == 0;
	}
	if (!is_written) {
		int problem = errno;
		if (file != NULL)
			unlink(other);
		error_set(error, "cannot write '%s': %s", path, strerror(problem));
	}
	free(other);
	return is_written;
}
