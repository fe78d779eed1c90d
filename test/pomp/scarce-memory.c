/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts the event logs of a folder while one allocation fails: the first, then the second and so
 * on, including those of OTF2. Each attempt, in a separate process, makes the archive, or returns a
 * failure and leaves only the logs, unchanged. An archive that is made although memory was missing
 * is like any other; its size is that of the first.
 */
#include "shared/trace-convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static long failing; /* counts down; 0: not any more, or never */

/* By one thread only: the conversion is bound to one processor. */
static bool fails(void)
{
	if (failing == 0 || --failing > 0)
		return false;
	errno = ENOMEM;
	return true;
}

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
#pragma GCC visibility pop

/* Without some allocations an archive can be made, but not without so many in a row. */
enum { MADE = 1, FAILED = 2, IN_SEQUENCE = 20, FEWEST = 150 };

static int attempt(const char *folder, long at)
{
	struct trace_conversion conversion = {.keep_logs = true};
	char *error = NULL;
	pid_t child = fork();
	int status;

	if (child == 0) {
		failing = at;
		int result = trace_convert(folder, &conversion, &error);
		failing = 0;
		_exit(result == 0 ? MADE : FAILED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	printf(
	    "%s: killed by signal %d when allocation %ld failed\n", folder, WTERMSIG(status), at);
	return -1;
}

static bool is_log(const char *name)
{
	return name[0] == '.' || strcmp(name, "pomp.cfg") == 0 || strstr(name, ".pomplog") != NULL;
}

static bool is_clean(const char *folder)
{
	DIR *entries = opendir(folder);
	bool clean = entries != NULL;

	for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;)
		if (!is_log(entry->d_name)) {
			printf("%s/%s is left\n", folder, entry->d_name);
			clean = false;
		}
	if (entries != NULL)
		closedir(entries);
	return clean;
}

static void remove_archive(const char *folder)
{
	char command[4096];

	snprintf(command, sizeof(command), "rm -rf '%s'/traces*", folder);
	if (system(command) != 0)
		exit(EXIT_FAILURE);
}

/* Of its definitions and events. */
static long size_of_archive(const char *folder)
{
	static const char *const files[] = {"traces.def", "traces/0.evt", "traces/1.evt"};
	long size = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[4096];
		struct stat status;
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		if (stat(path, &status) != 0)
			return -1;
		size = size * 7 + status.st_size;
	}
	return size;
}

int main(int argc, char **argv)
{
	int made = 0;
	long at = 0;

	if (argc != 2)
		return 2;
	int result = attempt(argv[1], 0);
	long size = size_of_archive(argv[1]);
	remove_archive(argv[1]);
	while (result >= 0 && made < IN_SEQUENCE) {
		result = attempt(argv[1], ++at);
		made = result == MADE ? made + 1 : 0;
		if (result < 0 || (result == FAILED && !is_clean(argv[1])) ||
		    (result == MADE && size_of_archive(argv[1]) != size))
			break;
		if (result == MADE)
			remove_archive(argv[1]);
	}
	printf("%ld allocations; the last attempt %s\n", at - made,
	    result == MADE ? "made the archive" : "failed");
	return result == MADE && made == IN_SEQUENCE && at - made > FEWEST ? EXIT_SUCCESS
									   : EXIT_FAILURE;
}
