/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, reads and replaces the file; removes those of processes that have ended. */
#include "interval-begin.h"

#include "common/user-folder.h"
#include "error-text.h"
#include "process-stat.h"
#include "text-file.h"
#include "thread-times.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 128, MOST_BYTES = 1 << 28 };

static const char first_words[] = "ompinst interval ";

/*
 * What the file begins with: padded, so that its size is known. Returns the length of the part that
 * says which process it is; the other says which of its measurements.
 */
static size_t write_head(
    char head[HEAD_BYTES], const struct process_facts *facts, const struct live_profile *profile)
{
	memset(head, 0, HEAD_BYTES);
	int length = snprintf(head, HEAD_BYTES, "%s%zu %zu %ld %" PRIu64 " ", first_words,
	    sizeof(struct summary), sizeof(struct summary_region), (long)facts->process,
	    facts->start);
	snprintf(head + length, HEAD_BYTES - (size_t)length, "%" PRIu64 "\n", profile->start);
	return (size_t)length;
}

/* This user's folder (heap), or NULL with *error. */
static char *make_folder(char **error)
{
	char path[USER_FOLDER_SIZE];
	int folder = user_folder_make(path, "");

	if (folder >= 0) {
		close(folder);
		return strdup(path);
	}
	if (errno == EPERM)
		error_set(error,
		    "'%s' is not a folder that only this user can use; --since=FILE keeps the "
		    "interval's begin elsewhere",
		    path);
	else
		error_set(error,
		    "cannot make '%s': %s; --since=FILE keeps the interval's begin elsewhere", path,
		    strerror(errno));
	return NULL;
}

/* Processes have the same numbers in each of the kernel's spaces of numbers, which /tmp may serve.
 */
static uint64_t number_space(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* Of this space; of the processes in others nothing is known. */
static void remove_ended(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	uint64_t start, space;
	long process;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (sscanf(entry->d_name, "%ld-%" SCNu64 "-%" SCNu64, &process, &start, &space) ==
			3 &&
		    space == number_space() && process_start_time((pid_t)process) != start)
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
	if (asprintf(&path, "%s/%ld-%" PRIu64 "-%" PRIu64, folder, (long)facts->process,
		facts->start, number_space()) < 0)
		path = NULL;
	free(folder);
	return path;
}

bool interval_begin_open(struct interval_begin *begin, const char *path,
    const struct process_facts *facts, const struct live_profile_functions *functions, char **error)
{
	*begin = (struct interval_begin){.facts = facts, .functions = functions};
	char *own = path == NULL ? own_path(facts, error) : NULL;
	bool is_open = (path != NULL || own != NULL) &&
		       replaced_file_open(&begin->file, path != NULL ? path : own, error);
	free(own);
	return is_open;
}

/* Reads the file into memory; one that is not there has no bytes. */
static bool read_file(const char *path, struct text_file *file, char **error)
{
	struct stat status;

	*file = (struct text_file){NULL, 0};
	if (stat(path, &status) != 0)
		return errno == ENOENT ||
		       error_set(error, "cannot read '%s': %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
		return error_set(error,
		    "'%s' is no begin of an interval; expected a file that --since has written, or "
		    "none",
		    path);
	return text_file_read(path, file) == 0 ||
	       error_set(error, "cannot read '%s': %s", path, strerror(errno));
}

/* The bytes are an interval's begin of this process and version. */
static bool check_head(const struct interval_begin *begin, const struct text_file *file,
    const char *expected, size_t length, char **error)
{
	if (file->length < HEAD_BYTES ||
	    strncmp(file->bytes, first_words, strlen(first_words)) != 0)
		return error_set(error,
		    "'%s' is no begin of an interval; expected a file that --since has written, or "
		    "none",
		    begin->file.path);
	return memcmp(file->bytes, expected, length) == 0 ||
	       error_set(error,
		   "'%s' is the begin of an interval of another process or version; "
		   "expected one of process %ld, or no such file",
		   begin->file.path, (long)begin->facts->process);
}

bool interval_begin_read(
    struct interval_begin *begin, const struct live_profile *profile, char **error)
{
	char expected[HEAD_BYTES];
	size_t length = write_head(expected, begin->facts, profile);
	struct text_file file;

	if (!read_file(begin->file.path, &file, error))
		return false;
	begin->bytes = file.bytes;
	if (file.bytes == NULL)
		return true;
	if (!check_head(begin, &file, expected, length, error))
		return false;
	if (memcmp(file.bytes, expected, HEAD_BYTES) != 0)
		return true;
	begin->is_known = begin->functions->unpack(
	    &begin->summary, file.bytes + HEAD_BYTES, file.length - HEAD_BYTES);
	if (begin->is_known)
		return true;
	begin->functions->release_unpacked(&begin->summary);
	return error_set(error, "'%s' is damaged; remove it to begin anew", begin->file.path);
}

bool interval_begin_write(struct interval_begin *begin, const struct live_profile *profile,
    const void *packed, size_t bytes, char **error)
{
	char head[HEAD_BYTES];

	write_head(head, begin->facts, profile);
	return replaced_file_write(&begin->file, head, sizeof head, packed, bytes, error);
}

void interval_begin_finish(struct interval_begin *begin)
{
	if (begin->is_known)
		begin->functions->release_unpacked(&begin->summary);
	free(begin->bytes);
	replaced_file_close(&begin->file);
}
